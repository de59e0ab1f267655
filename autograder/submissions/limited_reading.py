"""Reads submissions in a process with limits; exceeding them affects only that submission, which gets a note."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence

from autograder.authoring.assignment import Assignment
from autograder.reader.process import READER, PassedLimit, ReaderFailed
from autograder.reader.request_limits import READ
from autograder.submissions.plain_data import common, submission_of
from autograder.submissions.submission import Submission

KEPT = 64  # submissions judged but not yet written
SMALL = 2**18  # bytes; larger ones are not kept

_kept: OrderedDict[tuple[bytes, Assignment], Submission] = OrderedDict()
_lock = threading.Lock()


def read(data: bytes, assignment: Assignment, notes: Sequence[str] = (), problem: str = "") -> Submission:
    """The repaired submission, with ``notes`` before its own; ``problem``, if any, says why it cannot be read.

    Raises:
        ReaderFailed: the reader process failed; never caused by the contents of ``data``.
    """
    if problem:
        return Submission.missing(problem, assignment).with_notes(*notes)
    key = hashlib.sha256(data).digest(), assignment
    with _lock:
        found = _kept.get(key)
    if found is None:
        found = _read(data, assignment)
        with _lock:
            if len(data) <= SMALL or found.unreadable:
                _kept[key] = found
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
    return found.with_notes(*notes)


def _read(data: bytes, assignment: Assignment) -> Submission:
    try:
        return submission_of(READER.ask("read", data, common(assignment), READ), assignment)
    except PassedLimit as limit:
        reason = f"Reading the notebook {limit}; is anything in it very long, or repeated very often?"
        return Submission.missing(reason, assignment)
    except ValueError as error:
        raise ReaderFailed(f"the reader process returned {error}") from None
