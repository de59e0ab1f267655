"""``python -m autograder``: build the exercises, grade a class, check one notebook, examine the machine."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from autograder import commands

ROOT = Path(__file__).resolve().parent.parent

DESCRIPTION = """\
The course's exercises and their grader.

  build    solutions/*.py  →  exercises/, what learners open
  grade    a folder of submissions  →  gradebook, feedback pages, a table
  check    one notebook, as its learner would see it graded (visible checks only)
  doctor   is this machine fit to run learners' code safely?
"""

BUILD = """\
Makes nbgrader's source notebooks (build/source/) and the learners' notebooks (exercises/) from solutions/*.py.

examples:
  python -m autograder build            write what changed
  python -m autograder build --check    write nothing; exit 1 and name each file that is not current
"""

GRADE = """\
Grades FOLDER/<student>/<assignment>/*.ipynb, nbgrader's layout. Submissions are only read.
Learners' code runs in a sandbox; the checks run outside it and are the instructor's, whatever was handed in.
A second run judges only what changed, and takes up a run that was interrupted.

examples:
  python -m autograder grade submitted
  python -m autograder grade submitted --assignment 05_scorers --workers 4 --output grades/spring
  python -m autograder grade submitted --json > results.json

written under --output:
  gradebook.db                                nbgrader's gradebook (formgrader and exporters read it)
  feedback/<student>/<assignment>/*.html      for the learner: points, messages, no hidden checks
  autograded/<student>/<assignment>/*.ipynb   for the instructor: the graded notebook
  verdicts/*.json                             every verdict, kept at once; seed: what the checks' inputs grew from

exit status:
  0  graded, whatever the points          2  wrong usage: the message says what to change
  1  some submissions could not be graded; run again     3  no sandbox: nothing was graded or written
"""

CHECK = """\
Runs one notebook in the sandbox and tells what its visible checks say, with the inputs seen in the notebook.

examples:
  python -m autograder check exercises/05_scorers/05_scorers.ipynb
"""

DOCTOR = """\
Tries each part of the sandbox for real and says how to mend what is missing. Exit status 3 if something is.

examples:
  python -m autograder doctor
"""


def parser() -> argparse.ArgumentParser:
    def add(name: str, text: str) -> argparse.ArgumentParser:
        form = argparse.RawDescriptionHelpFormatter
        return subparsers.add_parser(name, description=text, formatter_class=form, help=text.splitlines()[0])

    top = argparse.ArgumentParser(
        prog="python -m autograder", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    subparsers = top.add_subparsers(dest="command", required=True, metavar="build | grade | check | doctor")

    build = add("build", BUILD)
    build.add_argument("--check", action="store_true", help="write nothing; exit 1 if something is not current")
    build.set_defaults(run=commands.build)

    grade = add("grade", GRADE)
    grade.add_argument("folder", type=Path, metavar="FOLDER", help="the class's submissions")
    grade.add_argument("--assignment", metavar="NAME", help="grade this one alone (default: all that are found)")
    grade.add_argument("--output", type=Path, default=Path("grades"), metavar="DIR", help="default: grades")
    grade.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="default: one per core")
    grade.add_argument("--seed", type=int, metavar="N", help="of the checks' inputs (default: that of the last run)")
    grade.add_argument("--json", action="store_true", help="print the results as JSON instead of a table")
    grade.set_defaults(run=commands.grade)

    check = add("check", CHECK)
    check.add_argument("notebook", type=Path, metavar="NOTEBOOK")
    check.add_argument("--assignment", metavar="NAME", help="default: the notebook's own")
    check.set_defaults(run=commands.check)

    add("doctor", DOCTOR).set_defaults(run=commands.doctor)

    for subparser in subparsers.choices.values():
        subparser.add_argument("--root", type=Path, default=ROOT, metavar="DIR", help="the course's folder")
        subparser.add_argument("--debug", action="store_true", help="show Python's traceback of an error of ours")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    options.root = options.root.resolve()
    return commands.run(options)


if __name__ == "__main__":
    sys.exit(main())
