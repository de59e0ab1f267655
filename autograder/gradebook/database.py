"""What a gradebook in a file shares with one on a server: its tables, and what the database's messages mean."""

import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.store.disk import StoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection

# Part of a database's or the disk's message → what it means, and what to do about it.
REMEDIES = {
    "database is locked": " stays locked by another program (formgrader, a database browser?): close it",
    "disk is full": ": the disk is full: make room",
    "No space left": ": the disk is full: make room",
    "could not extend file": ": the server's disk is full: make room",
    "readonly database": " cannot be written: it or its folder is read-only, or another user's",
    "unable to open": " cannot be opened or written: it or its folder is read-only, or another user's",
    "read-only transaction": " cannot be written by this user ({reason})",
    "permission denied": " cannot be written by this user ({reason})",
    "does not exist": ": {reason}: create it with `createdb`, or choose another",
    "disk I/O error": ": the disk reports an error, or is full",
}

Step = Callable[[str, int, int], None]  # what is being done, how much is done, of how much


class GradebookError(StoreError):
    """The gradebook cannot take the grades; the message says why and what to do. The verdicts are kept."""


class CellsChanged(GradebookError):
    """It has grades for other cells of the exercise: neither this run nor a later one can write there."""


def write_tables(connection: "Connection") -> None:
    """Write nbgrader's empty tables and their version."""
    from nbgrader.api import Base
    from sqlalchemy import text

    Base.metadata.create_all(connection)
    connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
    connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": head()})


def refuse_others(shown: str, tables: set[str], version: str, option: str) -> None:
    """Raise GradebookError if a database's tables are not a gradebook's, or of another version of nbgrader."""
    if tables and not {"student", "assignment", "grade"} <= tables:
        raise GradebookError(f"{shown} is a database but not a gradebook; choose another {option}, or move it away.")
    if tables and version != head():
        raise GradebookError(
            f"{shown} is of another version of nbgrader (its schema is {version or 'unknown'}, expected {head()}): "
            f"back it up, then upgrade it with `nbgrader db upgrade`, or grade into another {option}."
        )


def explain(shown: str, reason: str) -> str:
    """The message of the database or the disk, with what to do about it."""
    reason = " ".join(reason.split())
    meaning = next((remedy for cause, remedy in REMEDIES.items() if cause in reason), ": {reason}")
    return f"{shown}{meaning.format(reason=reason)}; all verdicts are kept, and the same command goes on from there."


@cache
def head() -> str:
    """The schema that the installed nbgrader writes."""
    import nbgrader

    logging.getLogger("alembic").setLevel(logging.WARNING)  # it logs each plugin that it sets up
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(Path(nbgrader.__file__).parent / "alembic")).get_current_head() or ""
