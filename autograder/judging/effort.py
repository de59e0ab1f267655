"""How much of the judge's own processor time and memory one submission may cost, whatever its answers give back."""

import contextlib
import os
import resource
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from autograder.sandbox.limits import Limits

MEMORY = 2 * 2**30  # beyond what the judge has before it begins: many times what a submission may send
CELLS = 3  # a check may take as long as so many cells
PROCESSOR_SECONDS = 10  # beyond the time of the whole submission


class Overrun(BaseException):
    """A check took too much of the judge's own time. Not an Exception: no check may catch it."""


@contextlib.contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raises Overrun where the judge computes for longer; that it waits for answers does not count."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def bound_process(limits: Limits) -> None:
    """For the process of one examination: what no exception stops, the kernel does."""
    with open("/proc/self/statm") as file:
        size = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    for what, most in (
        (resource.RLIMIT_AS, size + MEMORY),
        (resource.RLIMIT_CPU, int(limits.total_seconds) + PROCESSOR_SECONDS),
    ):
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _over(number: int, frame: FrameType | None) -> None:
    raise Overrun
