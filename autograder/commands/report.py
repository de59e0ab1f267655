"""``report``: grades → one page on the class and on the checks."""

import argparse
import json
from pathlib import Path

from autograder.commands.cli import OK, add
from autograder.commands.database import add_database
from autograder.gradebook.book import Book
from autograder.grading.grading_run import UsageError

TEXT = """\
Makes a page for the instructor: scores, the most frequent mistakes, checks that hardly tell strong work from weak,
submissions that need a person, repairs, times. Reads what `grade` wrote; runs nothing and changes no grade.

examples:
  python -m autograder report
  python -m autograder report --output grades/spring --assignment 05_scorers
  python -m autograder report --json > report.json

written under --output:
  report/<assignment>.html    one page that needs no network; it names students: keep it private
"""


def add_to(subparsers: argparse._SubParsersAction) -> None:
    parser = add(subparsers, "report", TEXT)
    parser.add_argument("--assignment", metavar="NAME", help="only this one (default: all that were graded)")
    parser.add_argument("--output", type=Path, default=Path("grades"), metavar="DIR", help="default: grades")
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON, write no page")
    parser.set_defaults(run=report)


def report(options: argparse.Namespace) -> int:
    from autograder.judging.disk import write_durably
    from autograder.report.class_page import page
    from autograder.report.classwork import NothingGraded, assignments, classwork
    from autograder.report.findings import findings

    book = Book.of(options.root, options.output, options.database)
    try:
        names = [options.assignment] if options.assignment else assignments(options.output, book)
        found = [findings(classwork(options.output, name, book)) for name in names]
    except NothingGraded as error:
        raise UsageError(str(error)) from None
    if options.json:
        print(json.dumps({"assignments": [one.record() for one in found]}, indent=1, ensure_ascii=False))
        return OK
    for one in found:
        path = options.output / "report" / f"{one.assignment}.html"
        write_durably(path, page(one, options.output))
        looks = f"; look at {len(dict(one.attention))} yourself" if one.attention else ""
        print(f"{path}  {one.submissions} submissions, {len(one.items)} checks{looks}")
    return OK
