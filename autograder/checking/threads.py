"""Waits until the threads that an answer started have ended: what it does ends with its call."""

import _thread
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from sys import _current_frames  # taken here, where no answer has replaced it
from types import FrameType

from autograder.expect import CheckFailed
from autograder.tracebacks import is_learners

PATIENCE = 1.0  # seconds; a thread that the answer has waited for ends within microseconds
TIMED = threading.Timer.run.__code__  # waits in a library's code, and calls the learner's


@contextmanager
def threads_end() -> Iterator[None]:
    """Raises CheckFailed if a thread that was started meanwhile still runs the learner's code.

    Threads of a library, such as the one that watches progress bars, may stay.
    """
    before, count = set(_current_frames()), _thread._count()
    yield
    end = time.monotonic() + PATIENCE
    while (more := _thread._count() - count) > 0:
        started = [frame for number, frame in _current_frames().items() if number not in before]
        if len(started) >= more and not any(map(_is_learners, started)):
            return
        if time.monotonic() > end:
            why = "whatever it changes then comes too late, or too early for the next call: wait for it (`join`)"
            raise CheckFailed("the answer", "returned while a thread of its own still ran", "", why, "thread_left")
        time.sleep(0.001)


def _is_learners(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code is TIMED or is_learners(frame.f_code.co_filename):
            return True
        frame = frame.f_back
    return False
