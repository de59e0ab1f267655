"""``export``: grades for an LMS, or learners' code for a tool that compares it."""

import argparse
from itertools import zip_longest
from pathlib import Path
from typing import Any

from traitlets import import_item

from autograder.commands.cli import FAILED, OK, show, warn
from autograder.commands.options import add_gradebook, renewed, warn_outdated, warn_unfinished
from autograder.errors import UsageError
from autograder.gradebook.book import Book

TEXT = """\
Writes the gradebook's grades in another system's format, or learners' code for a tool that finds copies.
Grades include late penalties and manual points; code is without what the exercise gives.

  canvas      a CSV for "Import Grades"; with --roster, Canvas's own gradebook export filled in (the safe way)
  moodle      with --roster, an assignment's grading worksheet filled in, and a zip of the feedback pages, for
              "Upload multiple feedback files in a zip"; else a CSV for the gradebook's import
  gradescope  a results.json for each submission, and a CSV in the columns of Gradescope's export
  csv         nbgrader's own columns
  totals      each exercise of a class that is due in per cent, and the total by the weights and the best of class.toml
  jplag       a folder for each submission and the released stubs; prints the command to run
  dolos       the same, and a zip for Dolos's web page; prints the command to run

examples:
  python -m autograder export --to canvas --roster Grades-course.csv --file import.csv
  python -m autograder export --to canvas --roster Grades-course.csv --column "05_scorers=Exercise 5"
  python -m autograder export --to moodle --assignment 05_scorers --roster worksheet.csv
  python -m autograder export --to jplag --assignment 05_scorers

The exporter classes also work with nbgrader:
  nbgrader export --exporter autograder.exports.canvas.CanvasExporter --to import.csv

exit status:
  0  exported     1  exported, except what the messages leave out     2  wrong usage: nothing was written
"""

EXPORTERS = {
    "canvas": "autograder.exports.canvas.CanvasExporter",
    "moodle": "autograder.exports.moodle.MoodleExporter",
    "gradescope": "autograder.exports.gradescope.GradescopeExporter",
    "csv": "autograder.exports.plain_csv.PlainExporter",
    "totals": "autograder.exports.totals.TotalsExporter",
}
COMPARING = ("jplag", "dolos")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", choices=(*EXPORTERS, *COMPARING), required=True)
    parser.add_argument("--assignment", action="append", default=[], metavar="NAME", help="default: all; repeatable")
    parser.add_argument("--student", action="append", default=[], metavar="ID", help="default: all; repeatable")
    add_gradebook(parser)
    parser.add_argument("--file", type=Path, metavar="PATH", help="what to write (default: below DIR/exports)")
    parser.add_argument("--roster", type=Path, metavar="CSV", help="export of Canvas or Moodle, to be filled in")
    parser.add_argument("--column", action="append", default=[], metavar="NAME=TITLE", help="its title in Canvas")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")


def run(options: argparse.Namespace) -> int:
    book = renewed(options)
    warn_outdated(options)
    warn_unfinished(options)
    if not book.exists():
        raise UsageError(f"there is no gradebook {book}; grade first, or give its folder with --output.")
    if options.roster and options.to not in ("canvas", "moodle"):
        raise UsageError(f"--roster is for canvas and moodle, not for {options.to}.")
    if options.column and options.to != "canvas":
        raise UsageError(f"--column is for canvas, not for {options.to}.")
    exporter = import_item(EXPORTERS[options.to]) if options.to in EXPORTERS else None
    path = options.file or options.output / "exports" / (exporter.default_to if exporter else options.to)
    try:
        if exporter:
            paths, warnings, notices = _grades(exporter, options, path, book)
            commands = []
        else:
            code = _code(options, path, book)
            paths, commands, warnings, notices = [*code], [*code.values()], [], []
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from None
    for line in [*warnings, *notices] if not options.json else ():
        warn(options, line)
    pairs = zip_longest(paths, commands)
    lines = [f"{written}  now run\n  {command}" if command else written for written, command in pairs]
    record = {"places": paths, "commands": commands, "warnings": warnings, "notices": notices}
    show(options, record, "\n".join(lines))
    return FAILED if warnings else OK


def _grades(
    exporter: Any, options: argparse.Namespace, path: Path, book: Book
) -> tuple[list[str], list[str], list[str]]:
    """Writes the grades; returns the files, who or what was left out, and what else there is to know."""
    from autograder.exports.grades import open_gradebook

    given: dict[str, Any] = {"to": str(path), "assignment": options.assignment, "student": options.student}
    if options.roster:
        given["roster"] = str(options.roster)
    if options.column:
        given["columns"] = _columns(options.column)
    with open_gradebook(options.root, options.output, book) as (gradebook, course, warnings):
        export = exporter(parent=course, **given)
        export.deliver(gradebook)
    return [str(path), *map(str, export.beside)], warnings, export.notices


def _code(options: argparse.Namespace, path: Path, book: Book) -> dict[str, str]:
    """Writes the code; returns each assignment's folder → the command to run."""
    from autograder.assignments.assignment import load
    from autograder.exports.comparing import for_dolos, for_jplag, submitters
    from autograder.exports.grades import open_gradebook

    if options.student:
        raise UsageError(f"--student is for grades; {options.to} compares a whole class.")
    with open_gradebook(options.root, options.output, book) as (gradebook, *_):
        names = options.assignment or sorted(assignment.name for assignment in gradebook.assignments)
        details = {name: submitters(gradebook, name) for name in names}
    autograded, commands = options.output / "autograded", {}
    for name in names:
        assignment, folder = load(options.root, name), path / name
        if options.to == "jplag":
            commands[str(folder)] = for_jplag(assignment, autograded, folder)
        else:
            commands[str(folder)] = for_dolos(assignment, autograded, folder, details[name])
    return commands


def _columns(pairs: list[str]) -> dict[str, str]:
    columns = {}
    for pair in pairs:
        name, sign, title = pair.partition("=")
        if not (name and sign and title):
            raise UsageError(f"--column {pair!r} is not of the form NAME=TITLE.")
        columns[name] = title
    return columns
