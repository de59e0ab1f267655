"""``feedback``: what learners are told, written anew from stored verdicts and the gradebook."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from autograder.commands.database import add_database
from autograder.commands.frame import FAILED, OK, add
from autograder.gradebook.book import Book
from autograder.grading.run import UsageError

TEXT = """\
Writes the feedback of graded submissions anew: after points by hand, comments or a late penalty in the gradebook.
Nothing is judged again: the verdicts are those that lie with the graded notebooks.

examples:
  python -m autograder feedback
  python -m autograder feedback --student ada --assignment 05_scorers --format markdown
  python -m autograder feedback --output grades/spring

written under --output, the page alone if no format is asked for, and what lies beside it already:
  feedback/<student>/<assignment>/<assignment>.html    one page that runs nothing and loads nothing
  feedback/<student>/<assignment>/<assignment>.md      the same report as text (--format markdown)
  feedback/<student>/<assignment>/<assignment>.json    the same for programs (--format json)

exit status:
  0  written     1  some are not in the gradebook: the message names them     2  wrong usage
"""

ENDINGS = {"html": "html", "markdown": "md", "json": "json"}


def add_to(subparsers: argparse._SubParsersAction) -> None:
    parser = add(subparsers, "feedback", TEXT)
    parser.add_argument("--student", metavar="ID", help="this one alone (default: everybody)")
    parser.add_argument("--assignment", metavar="NAME", help="this one alone (default: all that were graded)")
    parser.add_argument("--format", choices=tuple(ENDINGS), help="this one alone (default: html)")
    parser.add_argument("--output", type=Path, default=Path("grades"), metavar="DIR", help="default: grades")
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    parser.set_defaults(run=feedback)


def feedback(options: argparse.Namespace) -> int:
    from autograder.commands.progress import Bar
    from autograder.gradebook.again import NothingGraded, write_again
    from autograder.judging.earlier import take_over
    from autograder.judging.lock import Lock
    from autograder.judging.store import Store

    endings = [ENDINGS[options.format]] if options.format else []
    bar = Bar()
    try:
        with Lock(options.output), Store(options.output) as store:
            take_over(store)
            book = Book.of(options.root, options.output, options.database)
            done = write_again(options.output, options.student, options.assignment, endings, bar.step, book)
    except NothingGraded as error:
        raise UsageError(str(error)) from None
    finally:
        bar.close()
    if options.json:
        print(json.dumps(asdict(done), indent=1))
        return FAILED if done.failed else OK
    place = options.output / "feedback" / "<student>" / "<assignment>"
    print(f"{len(done.written)} submissions told anew: {place}/<assignment>.{''.join(endings) or 'html'}")
    for name, reason in done.failed.items():
        print(f"feedback: {name}: {reason}", file=sys.stderr)
    return FAILED if done.failed else OK
