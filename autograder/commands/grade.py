"""``grade``: a folder of submissions → gradebook, feedback pages, a table."""

import argparse
import sys
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from functools import partial
from pathlib import Path

from autograder.assignments.grade_ids import grade_ids
from autograder.commands import report
from autograder.commands.cli import FAILED, OK, show, warn
from autograder.commands.graded import in_gradebook, record, table, whose
from autograder.commands.options import (
    MACHINES,
    add_dates,
    add_gradebook,
    add_machines,
    add_sandbox,
    gradebook,
    machines,
    require_fit,
    warn_of_extensions,
)
from autograder.commands.progress import Bar
from autograder.errors import UsageError, several
from autograder.folders import ROSTER
from autograder.grading.grading_run import Run
from autograder.grading.scheduler import Scheduler
from autograder.grading.watch import Arrivals, watch
from autograder.store.disk import StoreError
from autograder.store.state import NAME
from autograder.submissions.class_roster import strangers

TEXT = f"""\
Grades FOLDER/<student>/<assignment>/*.ipynb, nbgrader's layout. Submissions are only read.
Learners' code runs in a sandbox; the checks run outside it and always come from the instructor.
A second run judges only what changed, and resumes an interrupted run.

examples:
  python -m autograder grade submitted
  python -m autograder grade submitted --assignment 05_scorers --workers 4 --output grades/spring
  python -m autograder grade submitted --json > results.json
  python -m autograder grade submitted --watch              what arrives there, until Ctrl-C
  python -m autograder grade submitted --watch --inbound /srv/nbgrader/exchange/attention/inbound
  python -m autograder grade submitted --scheduler tcp://10.0.0.7:8786

written under --output:
  gradebook.db                                nbgrader's gradebook (formgrader and exporters read it)
  report/<assignment>.html                    with --watch: what `report` makes, anew each time
  feedback/<student>/<assignment>/*.html      for the learner: points, messages, no hidden checks
  autograded/<student>/<assignment>/*.ipynb   for the instructor: the graded notebook
  state.db                                    every verdict, stored at once and reproducible byte for byte;
                                              cell outputs, copies of graded files, seed of the checks' inputs

{MACHINES}
exit status:
  0  graded, whatever the points
  1  incomplete: a bad folder name, disk error or gradebook error; what was judged is kept, run it again
  2  wrong usage: the message says what to change
  3  no sandbox: no learner's code was run
With --watch these are of the last time that something was graded; Ctrl-C while it waits is its end, not an error.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the class's submissions")
    parser.add_argument("--assignment", metavar="NAME", help="grade only this one (default: all that are found)")
    add_gradebook(parser)
    add_dates(parser)
    add_machines(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="for the checks' inputs (default: that of the last run)")
    parser.add_argument("--json", action="store_true", help="print the results as JSON instead of a table")
    add_sandbox(parser)
    parser.add_argument("--watch", action="store_true", help="go on, and grade what arrives, until Ctrl-C")
    parser.add_argument("--inbound", type=Path, metavar="DIR", help="with --watch: collect what arrives in nbgrader's")


def run(options: argparse.Namespace) -> int:
    workers, scheduler = machines(options)
    if options.output.exists() and not options.output.is_dir():
        raise UsageError(f"--output {options.output} is a file, expected a folder.")
    if options.root.is_relative_to(options.folder.resolve()):
        place = "submitted" if options.folder.resolve() == options.root else options.root / "submitted"
        raise UsageError(
            f"FOLDER is {options.folder}, the whole class or course, expected the folder of the submissions alone, "
            f"<student>/<assignment>/*.ipynb: such as `grade {place}`."
        )
    if options.output.resolve().is_relative_to(options.folder.resolve()):
        raise UsageError(
            f"--output {options.output} lies in {options.folder}, where the submissions are, and these are only read: "
            "name a folder beside them, such as --output grades."
        )
    if options.inbound and not (options.watch and options.inbound.is_dir()):
        raise UsageError("--inbound is for --watch, and names a folder that is there: EXCHANGE/COURSE/inbound.")
    require_fit(options, options.folder)
    return _watched(options, workers, scheduler) if options.watch else _graded(options, workers, scheduler)


def _watched(options: argparse.Namespace, workers: int, scheduler: Scheduler | None) -> int:
    """Grades what is there and then what arrives, and rewrites the report each time; Ctrl-C while it waits ends it."""
    status, is_waiting, known = OK, True, ""

    def act(work: Callable[[], int]) -> bool:
        """Whether it was done; if not, it is tried again."""
        nonlocal status, is_waiting, known
        is_waiting = False
        try:
            status, message = work(), ""
        except (UsageError, StoreError) as error:
            status, message = FAILED, " ".join(str(error).split())
        if message and message != known:
            warn(options, f"{message} It is tried again until it works; Ctrl-C ends this.")
        is_waiting, known = True, message
        return not message

    def grade() -> int:
        result = _graded(options, workers, scheduler, is_first=not submitted.done)
        with redirect_stdout(sys.stderr if options.json else sys.stdout):
            report.run(argparse.Namespace(**vars(options) | {"json": False}))
        sys.stdout.flush()
        return result

    def collect() -> int:
        from autograder.collect.exchange import collect_inbound

        names = [options.assignment] if options.assignment else list(grade_ids(options.root))
        for line in collect_inbound(options.root, options.inbound, names).splitlines():
            warn(options, line)
        return status

    submitted = Arrivals(options.folder)
    inbound = [(Arrivals(options.inbound), partial(act, collect))] if options.inbound else []
    warn(options, f"watching {options.inbound or options.folder}; Ctrl-C ends it.")
    try:
        watch([*inbound, (submitted, partial(act, grade))])
    except KeyboardInterrupt:
        if not is_waiting:
            raise
    return status


def _graded(options: argparse.Namespace, workers: int, scheduler: Scheduler | None, is_first: bool = True) -> int:
    """Grades what is there; after the ``is_first`` time the table has only what is new."""
    if is_first:
        warn_of_extensions(options)
    with closing(Bar()) as bar:
        job = Run(options.root, options.output, workers, options.seed, bar.step, scheduler=scheduler)
        job.database, job.dates = options.database, options.dates
        graded = job.grade(options.folder, options.assignment)
    if job.skipped:
        warn(options, f"left out, not an assignment: {', '.join(job.skipped)}")
    for reason in job.left_out:
        warn(options, f"left out {reason}.")
    for note in job.on_times:
        warn(options, f"{note}.")
    for names in job.alike:
        shown = ", ".join(map(repr, names))
        warn(options, f"{shown} look alike, and are graded as different learners: check that they are.")
    if job.broken:
        count, were = (1, "was") if len(job.broken) == 1 else (len(job.broken), "were")
        warn(options, f"{count} damaged in {job.output / NAME} {were} judged again.")
    book = gradebook(options)
    entries = in_gradebook(graded, book)
    new = [submission for submission in graded if is_first or not submission.reused]
    show(options, record(graded, job, entries), table(graded, job, book, entries, new))
    if unknown := strangers(options.root, (submission.handed.student for submission in new)):
        warn(options, f"graded, but not on {ROSTER}: {several(unknown)}.")
    if unread := whose(graded, "unreadable"):
        warn(options, f"0 points, as no notebook could be read: {unread}; ask for it again.")
    if lost := whose(graded, "infrastructure"):
        warn(options, f"not graded (internal error): {lost}; run it again.")
    return FAILED if lost or job.left_out else OK
