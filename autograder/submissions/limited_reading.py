"""Reads submissions in a box with limits; exceeding them affects only that submission, which gets a note.

:func:`prepare` and :func:`answer` run in the box (:mod:`autograder.sandbox.reading`), which returns plain data.
"""

import base64
import hashlib
import json
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from autograder.assignments.assignment import Assignment
from autograder.records.plain_data import typed
from autograder.sandbox.reader import READ, READER, PassedLimit, ReaderFailed
from autograder.submissions.cells import IDS, NotebookCell
from autograder.submissions.submission import Submission

MAX_CACHED = 64  # submissions judged but not yet written
SMALL = 2**18  # bytes; larger ones are not kept

_cache: dict[tuple[bytes, Assignment], Submission] = {}
_lock = threading.Lock()


def read(data: bytes, assignment: Assignment, notes: Sequence[str] = (), problem: str = "") -> Submission:
    """The repaired submission, with ``notes`` before its own; ``problem``, if any, says why it cannot be read.

    Raises:
        ReaderFailed: the reader process failed; never caused by the contents of ``data``.
    """
    if problem:
        return Submission.missing(problem, assignment).with_notes(*notes)
    key = hashlib.sha256(data).digest(), assignment
    submission = _cache.get(key)
    if submission is None:
        submission = _read(data, assignment)
        with _lock:
            if len(data) <= SMALL or submission.unreadable:
                _cache[key] = submission
            while len(_cache) > MAX_CACHED:
                del _cache[next(iter(_cache))]
    return submission.with_notes(*notes)


def _read(data: bytes, assignment: Assignment) -> Submission:
    try:
        return submission_of(READER.ask("read", data, _common(assignment), READ), assignment)
    except PassedLimit as limit:
        reason = f"Reading the notebook {limit}; is anything in it very long, or repeated very often?"
        return Submission.missing(reason, assignment)
    except ValueError as error:
        raise ReaderFailed(f"the reader process returned no submission: {error}") from None


@lru_cache(maxsize=4)
def _common(assignment: Assignment) -> str:
    """The part of a request shared by all submissions to the assignment."""
    exercises = {name: sorted(ids) for name, ids in assignment.exercises.items()}
    return json.dumps([assignment.name, assignment.text, exercises])


def prepare(text: str) -> Assignment | None:
    """The assignment; reading its own notebook warms the caches."""
    if not text:
        return None
    name, source, exercises = json.loads(text)
    assignment = Assignment(name, source, {other: frozenset(ids) for other, ids in exercises.items()})
    Submission.read(assignment.text.encode(), assignment)
    return assignment


@dataclass(frozen=True)
class Reply:
    """What the box says of a submission: its fields, with files in base64."""

    entries: list[NotebookCell]
    notes: list[str]
    unreadable: str
    files: dict[str, str]
    is_blank: bool


def answer(assignment: Assignment, data: bytes) -> dict[str, Any]:
    """The submission in ``data``, as plain data."""
    submission = Submission.read(data, assignment)
    files = {name: base64.b64encode(content).decode("ascii") for name, content in submission.files.items()}
    entries, notes = list(submission.entries), list(submission.notes)
    return asdict(Reply(entries, notes, submission.unreadable, files, submission.is_blank))


def submission_of(record: Any, assignment: Assignment) -> Submission:
    """The submission from its plain data; raises ValueError if invalid."""
    reply = typed(Reply, record)
    if any(cell.kind not in IDS or cell.grade_id not in ("", *assignment.cells) for cell in reply.entries):
        raise ValueError("a cell is no cell of this assignment")
    files = {name: base64.b64decode(text, validate=True) for name, text in reply.files.items()}
    return Submission(assignment, tuple(reply.entries), tuple(reply.notes), reply.unreadable, files, reply.is_blank)
