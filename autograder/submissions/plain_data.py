"""A repaired submission as plain data, to leave the reader process."""

import base64
import json
from functools import lru_cache
from typing import Any

from autograder.authoring.assignment import Assignment
from autograder.submissions.notebook_cell import IDS, NotebookCell
from autograder.submissions.submission import Submission

FIELDS = {"kind": str, "source": str, "grade_id": str, "number": int, "attachments": dict, "idle": bool}
FIELDS |= {"stand_in": str}


@lru_cache(maxsize=4)
def common(assignment: Assignment) -> str:
    """The part of a request shared by all submissions to the assignment."""
    return json.dumps([assignment.name, assignment.text])


def prepare(text: str) -> Assignment | None:
    """The assignment; reading its own notebook warms the caches."""
    if not text:
        return None
    assignment = Assignment(*json.loads(text))
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
            found = tuple(_entry(entry, assignment) for entry in entries)
            return Submission(assignment, found, tuple(notes), unreadable, beside, is_blank)
    raise ValueError("no submission")


def _entry(record: Any, assignment: Assignment) -> NotebookCell:
    if not isinstance(record, dict) or {name: type(value) for name, value in record.items()} != FIELDS:
        raise ValueError("no cell of a submission")
    bundles = record["attachments"].values()
    if not all(isinstance(bundle, dict) and _texts(bundle.values()) for bundle in bundles):
        raise ValueError("no attachments of a cell")
    if record["kind"] not in IDS or not (record["grade_id"] in assignment.cells or not record["grade_id"]):
        raise ValueError("no cell of this assignment")
    return NotebookCell(**record)


def _texts(values: Any) -> bool:
    return all(type(value) is str for value in values)
