"""Waits until the threads that an answer started have ended: what it does ends with its call."""

import _thread
import time
from collections.abc import Iterator
from contextlib import contextmanager

from autograder.expect import CheckFailed

PATIENCE = 1.0  # seconds; a thread that the answer has waited for ends within microseconds


@contextmanager
def threads_end() -> Iterator[None]:
    """Raises CheckFailed if more threads run afterwards than before."""
    before = _thread._count()
    yield
    end = time.monotonic() + PATIENCE
    while _thread._count() > before:
        if time.monotonic() > end:
            why = "whatever it changes then comes too late, or too early for the next call: wait for it (`join`)"
            raise CheckFailed("the answer", "returned while a thread of its own still ran", "", why, "thread_left")
        time.sleep(0.001)
