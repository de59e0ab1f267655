"""``wheel``: the package that learners install, or that of graders."""

import argparse
from pathlib import Path

from autograder.commands.cli import FAILED, OK, warn

TEXT = """\
Builds the package that learners install: the library, the exercises and the visible checks.
It has no solutions/ and no hidden cases, but the library is the reference of the course's tasks. In a class's folder it
has the class's exercises; the reference of one of its own is in it only if the exercise's script says `shared: true`.

examples:
  python -m autograder wheel                      into build/wheel/
  python -m autograder wheel --output _build/html where the book is published, and the exercises ask for it
  python -m autograder wheel --grader             everything that a class needs, for those who grade: keep it to them;
                                                  pip install "learning-to-align[grader]" --find-links build/grader
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    where = "default: build/wheel, or build/grader"
    parser.add_argument("--output", type=Path, metavar="DIR", help=where)
    parser.add_argument("--grader", action="store_true", help="solutions, hidden cases and the grader too")


def run(options: argparse.Namespace) -> int:
    from autograder.assignments.wheel import WheelError, build_grader, build_wheel

    build, name = (build_grader, "grader") if options.grader else (build_wheel, "wheel")
    try:
        options.output = options.output or Path("build", name)
        path = build(options.root, options.output)
    except WheelError as error:
        warn(options, error)
        return FAILED
    print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")
    return OK
