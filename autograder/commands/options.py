"""Options that several commands have."""

import argparse
import os
from pathlib import Path
from typing import Any

from autograder.class_table import read
from autograder.commands.cli import warn
from autograder.errors import UsageError, several
from autograder.folders import ROSTER, TABLE
from autograder.gradebook.book import Book
from autograder.grading.scheduler import Scheduler
from autograder.sandbox.sandboxes import NAMES, VARIABLE
from autograder.settings import configured
from autograder.store.disk import run_on
from autograder.submissions.class_roster import strangers
from autograder.submissions.times import Clock

MACHINES = """\
many machines: anyone who can reach a scheduler or a worker can run code on it, and by default both listen on every
network. So give each machine's address in a closed network, HERE, or use dask's TLS (tls://HOST:8786 and the three
--tls options, also for scheduler and workers). On one machine, whose HERE is HOST,
  .venv/bin/python -m dask scheduler --host HERE --dashboard-address HERE:0
on each machine, in the course's folder, with the course's own Python              (--resources gpu=1 offers its GPU)
  .venv/bin/python -m dask worker tcp://HOST:8786 --host HERE --dashboard-address HERE:0 --nthreads 4
and here --scheduler tcp://HOST:8786. Submissions are sent as bytes and verdicts come back; each worker has its own
judges and sandboxes. A worker whose code or packages differ from this machine's is refused; the message says how.
"""


DEFAULT = Path("grades")


class Choose(argparse.Action):
    """Stores the name of the sandbox in the environment, for the judges' processes."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: Any = None) -> None:
        os.environ[VARIABLE] = values


def add_gradebook(parser: argparse.ArgumentParser) -> None:
    where = "the gradebook, as postgresql:///NAME (default: that of nbgrader_config.py, else gradebook.db in --output)"
    parser.add_argument("--output", type=Path, default=DEFAULT, metavar="DIR", help="default: grades")
    parser.add_argument("--database", default="", metavar="ADDRESS", help=where)


def add_dates(parser: argparse.ArgumentParser) -> None:
    orders = ("day-first", "month-first")
    parser.add_argument("--dates", choices=orders, default="", help="what 05/11/2026 means; default: it is asked")


def clock(options: argparse.Namespace) -> Clock:
    """How the course's times are read; raises UsageError if its time zone is unknown."""
    return Clock.of(configured(options.root, options.root / "grades"), options.dates)


def gradebook(options: argparse.Namespace) -> Book:
    return Book.of(options.root, options.output, options.database)


def renewed(options: argparse.Namespace) -> Book:
    """The gradebook, in which late work loses what its points of today, with those given by hand, make it lose."""
    from autograder.gradebook.penalties import renew

    book = gradebook(options)
    renew(options.root, options.output, book)
    return book


def warn_outdated(options: argparse.Namespace) -> None:
    """Says what has changed since work in ``--output`` was graded, as after an upgrade."""
    from autograder.store.outdated import outdated

    for sentence in outdated(options.root, options.output):
        warn(options, f"{sentence}; `regrade --dry-run` says whose results this changes.")


def warn_unfinished(options: argparse.Namespace) -> None:
    """Says that ``--output`` does not have everything yet while work is being graded into it."""
    if run := run_on(options.output):
        warn(options, f"{run}: what it has not graded yet is missing here; run this again when it is done.")


def warn_of_extensions(options: argparse.Namespace) -> None:
    """Names those who have more time but are not on the class's roster; raises UsageError if that says not who is."""
    table = read(options.root)
    if unknown := strangers(options.root, table.extensions if table else ()):
        warn(options, f"more time in {TABLE} for people who are not on {ROSTER}: {several(unknown)}.")


def add_sandbox(parser: argparse.ArgumentParser) -> None:
    where = f"where learners' code runs (default: ${VARIABLE}, else {NAMES[0]})"
    parser.add_argument("--sandbox", action=Choose, choices=NAMES, help=where)


def require_fit(options: argparse.Namespace, *folders: Path) -> None:
    """Raises Unfit if learners' code could read the course, or a class's work or grades, on this machine."""
    from autograder.sandbox import proof
    from autograder.settings import class_folders

    if not getattr(options, "scheduler", None):  # its workers look on their own machines
        known = class_folders(options.root, getattr(options, "output", DEFAULT))
        proof.require_fit(options.root, *dict.fromkeys(path.absolute() for path in (*folders, *known)))


def add_machines(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workers", type=int, metavar="N", help="judges on this machine (default: one per core)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="judge on the workers of this dask scheduler instead")
    parser.add_argument("--tls-ca-file", metavar="PEM", help="for a scheduler at tls://…: the CA certificate")
    parser.add_argument("--tls-cert", metavar="PEM", help="… this machine's certificate")
    parser.add_argument("--tls-key", metavar="PEM", help="… and its private key")


def machines(options: argparse.Namespace) -> tuple[int, Scheduler | None]:
    """The number of judges here, and the scheduler if one is named; raises UsageError for conflicting options."""
    if options.workers is not None and options.workers < 1:
        raise UsageError(f"--workers is {options.workers}, expected 1 or more.")
    files = (options.tls_ca_file, options.tls_cert, options.tls_key)
    if options.scheduler is None:
        if any(files):
            raise UsageError("the --tls options need --scheduler tls://HOST:PORT.")
        return options.workers or os.cpu_count() or 1, None
    if options.workers is not None:
        raise UsageError("--workers is for judges on this machine; leave it out with --scheduler.")
    address = options.scheduler
    if not address.startswith(("tcp://", "tls://")):
        raise UsageError(f"--scheduler is {address!r}, expected tcp://HOST:PORT or tls://HOST:PORT.")
    scheduler = Scheduler(address, *files)
    scheduler.security()
    return 1, scheduler
