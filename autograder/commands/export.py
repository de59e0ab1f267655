"""``export``: grades for an LMS, or learners' code for a tool that compares it."""

import argparse
import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from autograder.commands.cli import FAILED, OK
from autograder.commands.options import add_gradebook, gradebook
from autograder.gradebook.book import Book
from autograder.grading.errors import UsageError

TEXT = """\
Writes the gradebook's grades in another system's format, or learners' code for a tool that finds copies.
Grades include late penalties and manual points; code is without what the exercise gives.

  canvas      a CSV for "Import Grades"; with --roster, Canvas's own gradebook export filled in (the safe way)
  moodle      with --roster, an assignment's grading worksheet filled in; else a CSV for the gradebook's import
  gradescope  a results.json for each submission, and a CSV in the columns of Gradescope's export
  csv         nbgrader's own columns
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
  0  exported     1  exported, except what the messages name     2  wrong usage: nothing was written
"""

FORMATS = ("canvas", "moodle", "gradescope", "csv", "jplag", "dolos")
FILES = {"canvas": "canvas.csv", "moodle": "moodle.csv", "csv": "grades.csv"}  # the others are folders


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", choices=FORMATS, required=True)
    parser.add_argument("--assignment", action="append", default=[], metavar="NAME", help="default: all; repeatable")
    parser.add_argument("--student", action="append", default=[], metavar="ID", help="default: all; repeatable")
    add_gradebook(parser)
    parser.add_argument("--file", type=Path, metavar="PATH", help="what to write (default: below DIR/exports)")
    parser.add_argument("--roster", type=Path, metavar="CSV", help="export of Canvas or Moodle, to be filled in")
    parser.add_argument("--column", action="append", default=[], metavar="NAME=TITLE", help="its title in Canvas")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")


def run(options: argparse.Namespace) -> int:
    from autograder.exports.spreadsheet import ExportError

    book = gradebook(options)
    if not book.exists():
        raise UsageError(f"there is no gradebook {book}; grade first, or give its folder with --output.")
    if options.roster and options.to not in ("canvas", "moodle"):
        raise UsageError(f"--roster is for canvas and moodle, not for {options.to}.")
    if options.column and options.to != "canvas":
        raise UsageError(f"--column is for canvas, not for {options.to}.")
    place = options.file or options.output / "exports" / FILES.get(options.to, options.to)
    try:
        write = _code if options.to in ("jplag", "dolos") else _grades
        done = write(options, place, book)
    except ExportError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{place} cannot be written: {error.strerror}.") from None
    if options.json:
        print(json.dumps(asdict(done), indent=1))
    else:
        for line in done.warnings:
            print(f"export: {line}", file=sys.stderr)
        for number, written in enumerate(done.places):
            print(f"{written}  now run\n  {done.commands[number]}" if done.commands else written)
    return FAILED if done.warnings else OK


@dataclass
class Done:
    """What was written, the commands to run on it, and who or what was left out."""

    places: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def _grades(options: argparse.Namespace, place: Path, book: Book) -> Done:
    from autograder.exports.canvas import CanvasExporter
    from autograder.exports.gradescope import GradescopeExporter
    from autograder.exports.moodle import MoodleExporter
    from autograder.exports.nbgrader_context import open_gradebook
    from autograder.exports.plain_csv import PlainExporter

    given: dict[str, Any] = {"to": str(place), "assignment": options.assignment, "student": options.student}
    if options.to in ("canvas", "moodle"):
        given["roster"] = str(options.roster or "")
    if options.to == "canvas":
        given["columns"] = _columns(options.column)
    kinds = {"canvas": CanvasExporter, "moodle": MoodleExporter, "gradescope": GradescopeExporter}
    with open_gradebook(options.root, options.output, book) as (gradebook, context):
        kinds.get(options.to, PlainExporter)(parent=context, **given).deliver(gradebook)
    return Done([str(place)], [], context.warnings)


def _code(options: argparse.Namespace, place: Path, book: Book) -> Done:
    from autograder.authoring.assignment import load
    from autograder.exports.comparing import for_dolos, for_jplag
    from autograder.exports.nbgrader_context import open_gradebook, submitted

    if options.student:
        raise UsageError(f"--student is for grades; {options.to} compares a whole class.")
    with open_gradebook(options.root, options.output, book) as (gradebook, _):
        names = options.assignment or sorted(assignment.name for assignment in gradebook.assignments)
        details = {name: submitted(gradebook, name) for name in names}
    autograded, done = options.output / "autograded", Done()
    for name in names:
        assignment, folder = load(options.root, name), place / name
        done.places.append(str(folder))
        if options.to == "jplag":
            done.commands.append(for_jplag(assignment, autograded, folder))
        else:
            done.commands.append(for_dolos(assignment, autograded, folder, details[name]))
    return done


def _columns(pairs: list[str]) -> dict[str, str]:
    columns = {}
    for pair in pairs:
        name, sign, title = pair.partition("=")
        if not (name and sign and title):
            raise UsageError(f"--column {pair!r} is not of the form NAME=TITLE.")
        columns[name] = title
    return columns
