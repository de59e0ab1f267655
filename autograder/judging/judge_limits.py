"""Limits on the judge process's own CPU time and memory per submission, whatever its answers return."""

import contextlib
import os
import resource
import signal
from collections.abc import Iterator
from types import FrameType

from autograder.records.job import Limits

MEMORY = 2 * 2**30  # on top of the judge process's size at the start: many times what a submission may send
CELLS = 3  # a check may take as long as this many cells
PROCESSOR_SECONDS = 10  # on top of the whole submission's time limit
# After a submission's own limit, before the evaluation itself counts as lost; autograder.judging.answer_client may
# grant half of it to the submission.
GRACE_SECONDS = 120.0


class Overrun(BaseException):
    """A check used too much CPU time in the judge process. Not an Exception: no check may catch it."""


@contextlib.contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raises Overrun after ``seconds`` of CPU time in the judge process; waiting for answers does not count."""
    before = signal.signal(signal.SIGPROF, _over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def bound_process(limits: Limits) -> None:
    """Sets kernel limits on the process of one evaluation, for code that no exception can stop."""
    with open("/proc/self/statm") as file:
        size = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    seconds = int(limits.total_seconds) + PROCESSOR_SECONDS
    for what, most in ((resource.RLIMIT_AS, size + MEMORY), (resource.RLIMIT_CPU, seconds)):
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _over(number: int, frame: FrameType | None) -> None:
    raise Overrun
