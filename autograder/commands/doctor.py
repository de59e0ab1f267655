"""``doctor``: whether this machine can run learners' code safely."""

import argparse
import json
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.commands.cli import NO_SANDBOX, OK
from autograder.commands.options import DEFAULT, add_sandbox
from autograder.sandbox.sandboxes import chosen
from autograder.settings import class_folders

if TYPE_CHECKING:  # its import takes time
    from autograder.sandbox.self_test import ProbeResult

TEXT = """\
Tests each promise of the sandbox in practice and says how to fix those that are broken.
With --hub it looks at a JupyterHub instead: at what the server of each of its users finds.

examples:
  python -m autograder doctor
  python -m autograder doctor --sandbox podman
  python -m autograder doctor --hub               the hub that `make hub` made
  sudo .venv/bin/python -m autograder doctor --hub /etc/jupyterhub/jupyterhub_config.py

exit status:
  0  every promise is kept          3  one is broken: do not run learners' code here
"""
SIGNS = {"kept": "✓", "broken": "✗", "note": "·"}


def add_options(parser: argparse.ArgumentParser) -> None:
    add_sandbox(parser)
    hub = Path("build/hub/jupyterhub_config.py")
    where = f"look at the hub that this configures; default: {hub}"
    parser.add_argument("--hub", type=Path, nargs="?", const=hub, metavar="FILE", help=where)
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(options: argparse.Namespace) -> int:
    from autograder.sandbox.self_test import probe

    if options.hub:
        return report(options, "the hub", of_hub(options.hub))
    name = chosen()
    return report(options, name, probe(options.root, name, class_folders(options.root, DEFAULT)))


def of_hub(file: Path) -> "Iterator[ProbeResult]":
    from concurrent.futures import ThreadPoolExecutor

    from autograder.hub.faults import examined, view_of
    from autograder.hub.users import users
    from autograder.sandbox.self_test import ProbeResult

    everybody = users(file.resolve())
    with ThreadPoolExecutor() as pool:
        looked = [*zip(everybody, pool.map(view_of, everybody), strict=True)]
    for name, fault in examined(looked):
        yield ProbeResult(name, "broken", fault.observed, fault.remedy) if fault else ProbeResult(name, "kept", "")


def report(options: argparse.Namespace, name: str, results: "Iterable[ProbeResult]") -> int:
    findings = []
    for finding in results:
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
