"""``grade``: a folder of submissions → gradebook, feedback pages, a table."""

import argparse
import json
import sys
from pathlib import Path

from autograder.commands.cli import FAILED, OK, add
from autograder.commands.database import add_database
from autograder.commands.machines import HELP, add_machines, machines
from autograder.commands.progress import Bar
from autograder.commands.sandbox_option import add_sandbox
from autograder.commands.table import in_gradebook, record, table
from autograder.gradebook.book import Book
from autograder.grading.grading_run import Run, UsageError
from autograder.judging.state import NAME

TEXT = f"""\
Grades FOLDER/<student>/<assignment>/*.ipynb, nbgrader's layout. Submissions are only read.
Learners' code runs in a sandbox; the checks run outside it and always come from the instructor.
A second run judges only what changed, and resumes an interrupted run.

examples:
  python -m autograder grade submitted
  python -m autograder grade submitted --assignment 05_scorers --workers 4 --output grades/spring
  python -m autograder grade submitted --json > results.json
  python -m autograder grade submitted --scheduler tcp://10.0.0.7:8786

written under --output:
  gradebook.db                                nbgrader's gradebook (formgrader and exporters read it)
  feedback/<student>/<assignment>/*.html      for the learner: points, messages, no hidden checks
  autograded/<student>/<assignment>/*.ipynb   for the instructor: the graded notebook
  state.db                                    every verdict, stored at once and reproducible byte for byte;
                                              cell outputs, copies of graded files, seed of the checks' inputs

{HELP}
exit status:
  0  graded, whatever the points
  1  incomplete: a bad folder name, disk error or gradebook error; what was judged is kept, run it again
  2  wrong usage: the message says what to change
  3  no sandbox: no learner's code was run
"""


def add_to(subparsers: argparse._SubParsersAction) -> None:
    parser = add(subparsers, "grade", TEXT)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the class's submissions")
    parser.add_argument("--assignment", metavar="NAME", help="grade only this one (default: all that are found)")
    parser.add_argument("--output", type=Path, default=Path("grades"), metavar="DIR", help="default: grades")
    add_database(parser)
    add_machines(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="for the checks' inputs (default: that of the last run)")
    parser.add_argument("--json", action="store_true", help="print the results as JSON instead of a table")
    add_sandbox(parser)
    parser.set_defaults(run=grade)


def grade(options: argparse.Namespace) -> int:
    workers, scheduler = machines(options)
    if options.output.exists() and not options.output.is_dir():
        raise UsageError(f"--output {options.output} is a file, expected a folder.")
    bar = Bar()
    job = Run(options.root, options.output, workers, options.seed, bar.step, scheduler=scheduler)
    job.database = options.database
    try:
        graded = job.grade(options.folder, options.assignment)
    finally:
        bar.close()
    if job.skipped:
        print(f"grade: left out, not an assignment: {', '.join(job.skipped)}", file=sys.stderr)
    for one in job.left_out:
        print(f"grade: left out {one}.", file=sys.stderr)
    for names in job.alike:
        shown = ", ".join(map(repr, names))
        print(f"grade: {shown} look alike, and are graded as different learners: check that they are.", file=sys.stderr)
    if job.broken:
        count, were = (1, "was") if len(job.broken) == 1 else (len(job.broken), "were")
        print(f"grade: {count} damaged in {job.output / NAME} {were} judged again.", file=sys.stderr)
    book = Book.of(options.root, options.output, options.database)
    found = in_gradebook(graded, book)
    text = json.dumps(record(graded, job, found), indent=1) if options.json else table(graded, job.output, book, found)
    print(text)
    lost = [one.handed.student for one in graded if one.verdict.status == "infrastructure"]
    if lost:
        print(f"grade: not graded (internal error): {', '.join(lost)}; run it again.", file=sys.stderr)
    return FAILED if lost or job.left_out else OK
