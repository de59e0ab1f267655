"""``doctor``: is this machine fit to run learners' code safely?"""

import argparse

from autograder.commands.boxes import add_sandbox
from autograder.commands.frame import NO_SANDBOX, OK, add

TEXT = """\
Tries each part of the sandbox for real and says how to mend what is missing. Exit status 3 if something is.

examples:
  python -m autograder doctor
"""


def add_to(subparsers: argparse._SubParsersAction) -> None:
    parser = add(subparsers, "doctor", TEXT)
    add_sandbox(parser)
    parser.set_defaults(run=doctor)


def doctor(options: argparse.Namespace) -> int:
    from autograder.sandbox.promises import probe

    found = probe(options.root)
    for name, fit, cure in found:
        print(f"✓ {name}" if fit else f"✗ {name}\n  {cure}")
    return OK if all(fit for _, fit, _ in found) else NO_SANDBOX
