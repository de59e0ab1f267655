"""``send``: grades and feedback to an LMS, through its API."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.commands.cli import FAILED, OK, columns, show, warn
from autograder.commands.options import add_gradebook, renewed, warn_unfinished
from autograder.errors import UsageError

if TYPE_CHECKING:
    from autograder.exports.canvas_api import Canvas
    from autograder.exports.canvas_grades import Change

TEXT = """\
Sends the gradebook's grades and each learner's feedback, as a comment, to Canvas.
Without --send nothing is changed: the command shows what it would send. What is there already is not sent again.
Grades include late penalties and manual points: leave Canvas's own late policy off, or a penalty counts twice.

The token says who you are: put it into $CANVAS_TOKEN, or into a file that you alone can read. Canvas makes one under
Account → Settings → New Access Token. It is sent to --url alone, and printed nowhere.

examples:
  python -m autograder send --to canvas --url https://canvas.example.edu --course 1234 --assignment 05_scorers
  … --title "Exercise 5"                    if it has another title in Canvas; its number there will do, too
  … --token-file ~/.canvas-token --send     to send it

exit status:
  0  shown or sent     1  except for those whom the messages name     2  wrong usage, or Canvas refuses: the message
  says why
"""
LEFT = 60  # characters of a comment in the table


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", choices=("canvas",), required=True)
    parser.add_argument("--url", required=True, metavar="ADDRESS", help="Canvas's, such as https://canvas.example.edu")
    parser.add_argument("--course", required=True, metavar="NUMBER", help="the number in the course's address")
    parser.add_argument("--assignment", required=True, metavar="NAME")
    parser.add_argument("--title", default="", metavar="TITLE", help="its title or number in Canvas, if not NAME")
    parser.add_argument("--student", action="append", default=[], metavar="ID", help="default: all; repeatable")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="default: $CANVAS_TOKEN")
    parser.add_argument("--send", action="store_true", help="send it; otherwise it is only shown")
    add_gradebook(parser)
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")


def run(options: argparse.Namespace) -> int:
    from autograder.exports.canvas_api import Canvas, token
    from autograder.exports.canvas_grades import CanvasGrades
    from autograder.exports.grades import open_gradebook

    if not options.course.isdecimal():
        raise UsageError(f"--course is {options.course!r}, expected the number in its address, …/courses/1234.")
    canvas, book = Canvas(options.url, token(options.token_file)), renewed(options)
    if not book.exists():
        raise UsageError(f"there is no gradebook {book}; grade first, or give its folder with --output.")
    warn_unfinished(options)
    wanted = {"assignment": [options.assignment], "student": options.student}
    with open_gradebook(options.root, options.output, book) as (rows, course, warnings):
        grades = CanvasGrades(parent=course, **wanted)
        changes = grades.changes(rows, canvas, options.course, options.title or options.assignment)
    for line in [*warnings, *grades.notices]:
        warn(options, line)
    needed = [change for change in changes if change.is_needed]
    failed = _sent(options, canvas, needed) if options.send else []
    _show(options, changes, needed, failed)
    return FAILED if failed or warnings else OK


def _sent(options: argparse.Namespace, canvas: "Canvas", changes: "list[Change]") -> "list[Change]":
    """Sends them one after another; returns those that Canvas did not take. A refused token ends it at once."""
    from autograder.exports.canvas_api import CanvasError
    from autograder.exports.canvas_grades import send

    failed = []
    for change in changes:
        try:
            send(canvas, change)
        except CanvasError as error:
            if error.status in (0, 401):
                raise
            warn(options, f"{change.student}: {error}")
            failed.append(change)
    return failed


def _show(options: argparse.Namespace, changes: "list[Change]", needed: "list[Change]", failed: "list[Change]") -> None:
    rows = [("student", "in Canvas", "grade", "comment")]
    for change in needed:
        first = change.comment.partition("\n")[0]
        rows.append((change.student, change.before or "-", change.grade, first[:LEFT] or "as it is there"))
    same = len(changes) - len(needed)
    sent, shown = f"{len(needed) - len(failed)} sent", f"{len(needed)} to send; nothing was sent: add --send"
    done = sent if options.send else shown
    text = "\n".join([*(columns(rows, "<>>") if needed else []), "", f"{done}; {same} are as they are there already."])
    record = [
        {"student": change.student, "number": change.number, "before": change.before, "grade": change.grade}
        | {"comment": change.comment, "sent": options.send and change not in failed}
        for change in needed
    ]
    show(options, {"changes": record, "unchanged": same}, text.lstrip("\n"))
