"""``doctor``: is this machine fit to run learners' code safely?"""

import argparse
import json
import textwrap
from dataclasses import asdict

from autograder.commands.boxes import add_sandbox
from autograder.commands.frame import NO_SANDBOX, OK, add
from autograder.sandbox.names import chosen

TEXT = """\
Tries each promise of the sandbox for real and says how to mend what is broken.

examples:
  python -m autograder doctor
  python -m autograder doctor --sandbox podman

exit status:
  0  every promise is kept          3  one is broken: learners' code is not to be run here
"""
SIGNS = {"kept": "✓", "broken": "✗", "note": "·"}


def add_to(subparsers: argparse._SubParsersAction) -> None:
    parser = add(subparsers, "doctor", TEXT)
    add_sandbox(parser)
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.set_defaults(run=doctor)


def doctor(options: argparse.Namespace) -> int:
    from autograder.sandbox.probe import probe

    name = chosen()
    found = []
    for finding in probe(options.root, name):
        found.append(finding)
        if not options.json:
            print(line(finding.status, finding.name, finding.seen), flush=True)
            if finding.remedy:
                print(textwrap.indent(finding.remedy, "    "))
    broken = [finding for finding in found if finding.status == "broken"]
    tried = [finding for finding in found if finding.status != "note"]
    if options.json:
        print(json.dumps({"sandbox": name, "fit": not broken, "findings": [asdict(one) for one in found]}, indent=1))
    elif broken:
        print(f"\nNot fit: {len(broken)} of {len(tried)} promises broken. Learners' code will not be run here.")
    else:
        print(f"\nFit: all {len(tried)} promises are kept by {name}.")
    return NO_SANDBOX if broken else OK


def line(status: str, name: str, seen: str, width: int = 54) -> str:
    """One finding; what was seen goes on below where it has more lines."""
    first, *rest = (seen or "").splitlines() or [""]
    return "\n".join([f"{SIGNS[status]} {name:{width}} {first}".rstrip(), *(" " * (width + 3) + more for more in rest)])
