"""Reads submissions in a box with limits; exceeding them affects only that submission, which gets a note.

:func:`prepare` and :func:`answer` run in the box (:mod:`autograder.sandbox.reading`), which returns plain data.
"""

import base64
import hashlib
import json
import threading
from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any, get_origin

from autograder.assignments.assignment import Assignment
from autograder.sandbox.reader import READ, READER, PassedLimit, ReaderFailed
from autograder.submissions.cells import IDS, NotebookCell
from autograder.submissions.submission import Submission

MAX_CACHED = 64  # submissions judged but not yet written
SMALL = 2**18  # bytes; larger ones are not kept
FIELDS = {field.name: get_origin(field.type) or field.type for field in fields(NotebookCell)}

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
        raise ReaderFailed(f"the reader process returned {error}") from None


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


def answer(assignment: Assignment, data: bytes) -> dict[str, Any]:
    """The submission in ``data``, as plain data."""
    submission = Submission.read(data, assignment)
    return {
        "entries": [vars(entry) for entry in submission.entries],
        "notes": submission.notes,
        "unreadable": submission.unreadable,
        "files": {name: base64.b64encode(data).decode("ascii") for name, data in submission.files.items()},
        "is_blank": submission.is_blank,
    }


def submission_of(record: Any, assignment: Assignment) -> Submission:
    """The submission from its plain data; raises ValueError if invalid."""
    match record:
        case {
            "entries": list(entries),
            "notes": list(notes),
            "unreadable": str(unreadable),
            "files": dict(files),
            "is_blank": bool(is_blank),
        } if _texts(notes) and _texts(files.values()):
            beside = {name: base64.b64decode(text, validate=True) for name, text in files.items()}
            cells = tuple(_entry(entry, assignment) for entry in entries)
            return Submission(assignment, cells, tuple(notes), unreadable, beside, is_blank)
    raise ValueError("no submission")


def _entry(record: Any, assignment: Assignment) -> NotebookCell:
    if not isinstance(record, dict) or {name: type(value) for name, value in record.items()} != FIELDS:
        raise ValueError("no cell of a submission")
    bundles = record["attachments"].values()
    if not all(isinstance(bundle, dict) and _texts(bundle.values()) for bundle in bundles):
        raise ValueError("no attachments of a cell")
    if record["kind"] not in IDS or record["grade_id"] not in ("", *assignment.cells):
        raise ValueError("no cell of this assignment")
    return NotebookCell(**record)


def _texts(values: Any) -> bool:
    return all(type(value) is str for value in values)
