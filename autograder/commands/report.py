"""``report``: grades → one page on the class and on the checks."""

import argparse
import json

from autograder.commands.cli import OK
from autograder.commands.options import add_gradebook, renewed, warn_outdated, warn_unfinished

TEXT = """\
Makes a page on a graded class for its instructor.
It has scores, the most frequent mistakes, checks that hardly tell strong work from weak, submissions that need a
person, repairs and times. The command reads what `grade` wrote; it runs nothing and changes no grade.

examples:
  python -m autograder report
  python -m autograder report --output grades/spring --assignment 05_scorers
  python -m autograder report --json > report.json

written under --output:
  report/<assignment>.html    one page that needs no network; it names students: keep it private
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--assignment", metavar="NAME", help="only this one (default: all that were graded)")
    add_gradebook(parser)
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON, write no page")


def run(options: argparse.Namespace) -> int:
    from autograder.report.class_page import page
    from autograder.report.class_report import class_report
    from autograder.report.classwork import assignments, classwork
    from autograder.store.disk import write_durably

    book = renewed(options)
    warn_outdated(options)
    warn_unfinished(options)
    names = [options.assignment] if options.assignment else assignments(options.output, book)
    reports = [class_report(classwork(options.output, name, book)) for name in names]
    if options.json:
        print(json.dumps({"assignments": [report.record() for report in reports]}, indent=1, ensure_ascii=False))
        return OK
    for report in reports:
        path = options.output / "report" / f"{report.assignment}.html"
        write_durably(path, page(report, options.output))
        looks = f"; look at {len(dict(report.attention))} yourself" if report.attention else ""
        print(f"{path}  {report.submissions} submissions, {len(report.items)} checks{looks}")
    return OK
