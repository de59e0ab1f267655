"""``wheel``: the package that learners install."""

import argparse
from pathlib import Path

from autograder.commands.cli import FAILED, OK, warn

TEXT = """\
Builds the learners' package from seq2seq/, learn/, exercises/ and the visible checks; it has no solutions.

examples:
  python -m autograder wheel                      into build/wheel/
  python -m autograder wheel --output _build/html where the book is published, and the exercises ask for it
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", type=Path, default=Path("build/wheel"), metavar="DIR", help="default: build/wheel")


def run(options: argparse.Namespace) -> int:
    from autograder.assignments.wheel import WheelError, build_wheel

    try:
        path = build_wheel(options.root, options.output)
    except WheelError as error:
        warn(options, error)
        return FAILED
    print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")
    return OK
