"""``regrade``: the submissions of a gradebook, judged again."""

import argparse
import json
import sys
from pathlib import Path

from autograder.commands.changes import record, table
from autograder.commands.cli import FAILED, OK, add
from autograder.commands.database import add_database
from autograder.commands.machines import HELP, add_machines, machines
from autograder.commands.progress import Bar
from autograder.grading.errors import UsageError

TEXT = f"""\
Judges the submissions of a gradebook again, and reports what changed and why.
It reads the copies in OUTPUT/state.db, so the folder of submissions is not needed. By default each submission is judged
with the seed recorded with its verdict: the verdict must be the same unless checks or environment changed. Grades and
comments that instructors entered by hand are kept.

examples:
  python -m autograder regrade                               everything in grades/
  python -m autograder regrade --dry-run                     show what would change, write nothing
  python -m autograder regrade --assignment 05_scorers --student ada --student ben
  python -m autograder regrade --seed 7                      different inputs for the checks

{HELP}
exit status:
  0  regraded, whatever changed           2  wrong usage: the message says what to change
  1  some could not be judged or have no copy    3  no sandbox: nothing was judged or written
"""


def add_to(subparsers: argparse._SubParsersAction) -> None:
    parser = add(subparsers, "regrade", TEXT)
    parser.add_argument("--assignment", metavar="NAME", help="only this one (default: all)")
    parser.add_argument(
        "--student", action="append", default=[], metavar="NAME", help="only this one (repeat for more)"
    )
    parser.add_argument("--output", type=Path, default=Path("grades"), metavar="DIR", help="default: grades")
    add_database(parser)
    add_machines(parser)
    seeds = parser.add_mutually_exclusive_group()
    seeds.add_argument("--seed", type=int, metavar="N", help="for the checks' inputs, instead of the recorded ones")
    seeds.add_argument("--same-seed", action="store_true", help="use the recorded seeds (the default)")
    parser.add_argument("--dry-run", action="store_true", help="judge and report, write nothing")
    parser.add_argument("--json", action="store_true", help="print the changes as JSON instead of a table")
    parser.set_defaults(run=regrade)


def regrade(options: argparse.Namespace) -> int:
    from autograder.gradebook.book import Book
    from autograder.grading.regrade import Regrade, without_copy

    workers, scheduler = machines(options)
    if not options.output.is_dir():
        raise UsageError(f"there is no folder {options.output}; expected one that `grade` wrote.")
    bar = Bar()
    job = Regrade(options.root, options.output, workers, options.seed, bar.step, scheduler=scheduler)
    job.database = options.database
    try:
        regraded = job.judged(options.assignment, options.student)
        if not options.dry_run:
            job.write(regraded)
    finally:
        bar.close()
    if job.skipped:
        print(f"regrade: left out, no longer an assignment: {', '.join(job.skipped)}", file=sys.stderr)
    book = Book.of(options.root, options.output, options.database)
    written = None if options.dry_run else book
    print(json.dumps(record(regraded, written), indent=1) if options.json else table(regraded, written))
    lost = [one.handed.student for one in regraded if one.after.status == "infrastructure"]
    if lost:
        print(f"regrade: not judged (internal error): {', '.join(lost)}; run it again.", file=sys.stderr)
    alone = without_copy(options.output, options.assignment, options.student, book)
    if alone:
        names = ", ".join(f"{student}/{assignment}" for assignment, student in alone)
        print(f"regrade: in the gradebook, but without a copy to judge: {names}; use `grade`.", file=sys.stderr)
    return FAILED if lost or alone else OK
