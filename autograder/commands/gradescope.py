"""``gradescope``: a zip with which Gradescope grades by itself."""

import argparse
from pathlib import Path

from autograder.commands.cli import OK
from autograder.commands.options import DEFAULT
from autograder.errors import UsageError
from autograder.exports.gradescope_zip import OTHERWISE

TEXT = """\
Writes the zip that Gradescope takes under "Configure Autograder": setup.sh, run_autograder, the grader, one exercise.
Each submission is graded on arrival, with the checks' inputs of this class, and has the points that `grade` gives.
Answers in words are graded by a person, and late penalties are Gradescope's own.

examples:
  python -m autograder gradescope 05_scorers                                 build/gradescope/05_scorers.zip
  python -m autograder gradescope 05_scorers --without-bubblewrap account

A container in which bubblewrap cannot make its sandbox runs no submission, and says so, unless you decide otherwise:
  refuse    (default) no submission is run, and nobody gets points
  account   it runs under an account that may read neither checks nor references, but sees the container's other
            processes and its network; SECURITY.md says what is kept

The zip holds the answers: give it to Gradescope alone. Its own run_autograder calls `gradescope --grade /autograder`.

exit status:
  0  written     2  wrong usage     3  with --grade: no sandbox, so no learner's code was run
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("assignment", nargs="?", default="", metavar="NAME", help="the exercise")
    parser.add_argument("--without-bubblewrap", choices=OTHERWISE, default="refuse", help="default: refuse")
    parser.add_argument("--file", type=Path, metavar="ZIP", help="default: build/gradescope/NAME.zip")
    parser.add_argument("--output", type=Path, default=DEFAULT, metavar="DIR", help="the class's grades: has the seed")
    parser.add_argument("--seed", type=int, metavar="N", help="for the checks' inputs (default: the class's)")
    parser.add_argument("--grade", type=Path, metavar="DIR", help="in Gradescope's container: grade DIR/submission")


def run(options: argparse.Namespace) -> int:
    if options.grade:
        return _grade(options)
    from autograder.assignments.assignment import load
    from autograder.exports.gradescope_zip import Decisions, write_zip

    if not options.assignment:
        raise UsageError("which exercise? For example: python -m autograder gradescope 05_scorers.")
    load(options.root, options.assignment)  # before a seed is drawn
    path = options.file or Path("build/gradescope", f"{options.assignment}.zip")
    write_zip(options.root, Decisions(options.assignment, _seed(options), options.without_bubblewrap), path)
    print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")
    print(f"without bubblewrap: {options.without_bubblewrap}")
    return OK


def _seed(options: argparse.Namespace) -> int:
    """The class's, drawn if it has none yet: `grade` then gives the same points."""
    from autograder.gradebook.book import Book
    from autograder.store.disk import locked
    from autograder.store.verdicts import Store

    if options.seed is not None:
        return options.seed
    with locked(options.output), Store(options.output) as store:
        seed = store.seed_for(Book.of(options.root, options.output).seed)
        store.keep_seed(seed)
    return seed


def _grade(options: argparse.Namespace) -> int:
    from autograder.exports.gradescope_run import KEPT, Home, grade_one
    from autograder.gradebook.markdown import points_line
    from autograder.sandbox.sandboxes import chosen

    home = Home(options.grade.resolve())
    report, _ = grade_one(home)
    print(KEPT[chosen()])
    print(f"{report.assignment}: {report.status}, {points_line(report)} {report.result}")
    print(home.results)
    return OK
