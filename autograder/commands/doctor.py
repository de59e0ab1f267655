"""``doctor``: whether this machine can run learners' code safely."""

import argparse
import json
import textwrap
from dataclasses import asdict

from autograder.commands.cli import NO_SANDBOX, OK
from autograder.commands.options import DEFAULT, add_sandbox
from autograder.sandbox.sandboxes import chosen
from autograder.settings import class_folders

TEXT = """\
Tests each promise of the sandbox in practice and says how to fix those that are broken.

examples:
  python -m autograder doctor
  python -m autograder doctor --sandbox podman

exit status:
  0  every promise is kept          3  one is broken: do not run learners' code here
"""
SIGNS = {"kept": "✓", "broken": "✗", "note": "·"}


def add_options(parser: argparse.ArgumentParser) -> None:
    add_sandbox(parser)
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(options: argparse.Namespace) -> int:
    from autograder.sandbox.self_test import probe

    name = chosen()
    findings = []
    for finding in probe(options.root, name, class_folders(options.root, DEFAULT)):
        findings.append(finding)
        if not options.json:
            print(line(finding.status, finding.name, finding.observed), flush=True)
            if finding.remedy:
                print(textwrap.indent(finding.remedy, "    "))
    broken = [finding for finding in findings if finding.status == "broken"]
    tried = [finding for finding in findings if finding.status != "note"]
    if options.json:
        print(json.dumps({"sandbox": name, "fit": not broken, "findings": [*map(asdict, findings)]}, indent=1))
    elif broken:
        print(f"\nNot fit: {len(broken)} of {len(tried)} promises broken. Do not run learners' code here.")
    else:
        print(f"\nFit: all {len(tried)} promises are kept by {name}.")
    return NO_SANDBOX if broken else OK


def line(status: str, name: str, observation: str) -> str:
    """One finding; further lines of what was seen are indented below it."""
    first, *rest = observation.splitlines() or [""]
    return "\n".join([f"{SIGNS[status]} {name:54} {first}".rstrip(), *(" " * 57 + more for more in rest)])
