"""The options that say which machines judge."""

import argparse
import os

from autograder.grading.refusal import UsageError
from autograder.grading.scheduler import Scheduler

HELP = """\
many machines: whoever reaches a scheduler or a worker can run code on it, and of themselves both listen to every
network. So name the address, HERE, that each machine has in a closed one, or use TLS as dask has it (tls://HOST:8786
and the three --tls options, given to scheduler and workers too). On one machine, HOST being its HERE,
  .venv/bin/python -m dask scheduler --host HERE --dashboard-address HERE:0
on each, in the course's folder and with the course's own Python,                 (--resources gpu=1 offers its GPU)
  .venv/bin/python -m dask worker tcp://HOST:8786 --host HERE --dashboard-address HERE:0 --nthreads 4
and here --scheduler tcp://HOST:8786. Submissions are sent as bytes and verdicts come back; each worker has judges and
sandboxes of its own, and one whose code or packages differ from this machine's is refused, by name and difference.
"""


def add_machines(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workers", type=int, metavar="N", help="judges on this machine (default: one per core)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="judge on the workers of this dask scheduler instead")
    parser.add_argument("--tls-ca-file", metavar="PEM", help="for a scheduler at tls://…: who signs")
    parser.add_argument("--tls-cert", metavar="PEM", help="… our certificate")
    parser.add_argument("--tls-key", metavar="PEM", help="… and its key")


def machines(options: argparse.Namespace) -> tuple[int, Scheduler | None]:
    """The number of judges here, and the scheduler if one is named; raises UsageError for what does not go together."""
    if options.workers is not None and options.workers < 1:
        raise UsageError(f"--workers is {options.workers}, expected 1 or more.")
    files = (options.tls_ca_file, options.tls_cert, options.tls_key)
    if options.scheduler is None:
        if any(files):
            raise UsageError("the --tls options need --scheduler tls://HOST:PORT.")
        return options.workers or os.cpu_count() or 1, None
    if options.workers is not None:
        raise UsageError("--workers is for judges on this machine; with --scheduler, its workers decide.")
    address = options.scheduler
    if not address.startswith(("tcp://", "tls://")):
        raise UsageError(f"--scheduler is {address!r}, expected tcp://HOST:PORT or tls://HOST:PORT.")
    scheduler = Scheduler(address, *files)
    scheduler.security()
    return 1, scheduler
