"""``regrade``: the submissions of a gradebook, judged again."""

import argparse
from collections.abc import Sequence
from contextlib import closing

from autograder.commands.cli import FAILED, OK, columns, show, warn
from autograder.commands.options import MACHINES, add_gradebook, add_machines, gradebook, machines, require_fit
from autograder.commands.progress import Bar
from autograder.errors import UsageError
from autograder.gradebook.book import Book
from autograder.grading.changes import Regraded
from autograder.grading.regrade import Regrade
from autograder.progress.overview import number

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

{MACHINES}
exit status:
  0  regraded, whatever changed           2  wrong usage: the message says what to change
  1  some could not be judged or have no copy    3  no sandbox: nothing was judged or written
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--assignment", metavar="NAME", help="only this one (default: all)")
    parser.add_argument("--student", action="append", default=[], metavar="NAME", help="only this one; repeatable")
    add_gradebook(parser)
    add_machines(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="for the checks' inputs, instead of the recorded ones")
    parser.add_argument("--dry-run", action="store_true", help="judge and report, write nothing")
    parser.add_argument("--json", action="store_true", help="print the changes as JSON instead of a table")


def run(options: argparse.Namespace) -> int:
    from autograder.grading.regrade import without_copy

    workers, scheduler = machines(options)
    if not options.output.is_dir():
        raise UsageError(f"there is no folder {options.output}; expected one that `grade` wrote.")
    require_fit(options)
    with closing(Bar()) as bar:
        job = Regrade(options.root, options.output, workers, options.seed, bar.step, scheduler=scheduler)
        job.database = options.database
        regraded = job.judged(options.assignment, options.student)
        if not options.dry_run:
            job.write(regraded)
    if job.skipped:
        warn(options, f"left out, no longer an assignment: {', '.join(job.skipped)}")
    book = gradebook(options)
    written = None if options.dry_run else book
    show(options, record(regraded, written), table(regraded, written))
    lost = [submission.handed.student for submission in regraded if submission.after.status == "infrastructure"]
    if lost:
        warn(options, f"not judged (internal error): {', '.join(lost)}; run it again.")
    alone = without_copy(options.output, options.assignment, options.student, book)
    if alone:
        names = ", ".join(f"{student}/{assignment}" for assignment, student in alone)
        warn(options, f"in the gradebook, but without a copy to judge: {names}; use `grade`.")
    return FAILED if lost or alone else OK


def table(regraded: Sequence[Regraded], book: Book | None) -> str:
    """One row per check whose result changed, and how many submissions are unchanged."""
    written = f"gradebook  {book}" if book else "nothing was written (--dry-run)"
    return "\n".join([*changed(regraded), written])


def changed(regraded: Sequence[Regraded]) -> list[str]:
    """The same as lines, for any command that judges again."""
    rows: list[tuple[str, ...]] = [("student", "assignment", "check", "before", "→", "after", "why")]
    for submission in regraded:
        # If nothing is known to differ, the cause is the learner's code or the machine's load.
        why = "; ".join(submission.why) or "nothing changed: does the answer depend on time or chance?"
        for check, *values in submission.changes:
            before, after = ("–" if value is None else number(value) for value in values)
            what = f"message only; {why}" if before == after else why
            rows.append((submission.handed.student, submission.handed.assignment, check, before, "→", after, what))
    same = sum(submission.same for submission in regraded)
    other = sum(bool(submission.changes) for submission in regraded)
    counts = f"{len(regraded)} judged again: {same} identical byte for byte, {other} with different results"
    rest = len(regraded) - same - other
    return [
        *([*columns(rows, "<<<><<"), ""] if len(rows) > 1 else []),
        counts + (f", {rest} with the same results but a different seed or notes." if rest else "."),
    ]


def record(regraded: Sequence[Regraded], book: Book | None) -> dict[str, object]:
    submissions = [
        {
            "student": submission.handed.student,
            "assignment": submission.handed.assignment,
            "seed": submission.after.seed,
            "same": submission.same,
            "status": [submission.before.status if submission.before else None, submission.after.status],
            "points": [submission.before.points if submission.before else None, submission.after.points],
            "changes": [
                {"check": check, "before": before, "after": after} for check, before, after in submission.changes
            ],
            "why": list(submission.why),
        }
        for submission in regraded
    ]
    return {"gradebook": str(book) if book else None, "submissions": submissions}
