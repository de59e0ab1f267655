"""Creates, checks and locks gradebook.db, and what it shares with a gradebook on a server."""

import itertools
import logging
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from autograder.judging.disk import StoreError, make_durably, sync

if TYPE_CHECKING:
    from sqlalchemy import Connection

WAIT_SECONDS = 60
ORPHANS = (
    "SELECT DISTINCT student_id FROM submitted_assignment WHERE student_id NOT IN (SELECT id FROM student) LIMIT 5"
)
WAITING = "waiting: another program has locked the gradebook"

# Part of a database's or the disk's message → what it means, and what to do about it.
REMEDIES = {
    "database is locked": " stays locked by another program (formgrader, a database browser?): close it",
    "disk is full": ": the disk is full: make room",
    "No space left": ": the disk is full: make room",
    "could not extend file": ": the server's disk is full: make room",
    "readonly database": " cannot be written: it or its folder is read-only, or another user's",
    "unable to open": " cannot be written: it or its folder is read-only, or another user's",
    "read-only transaction": " cannot be written by this user ({reason})",
    "permission denied": " cannot be written by this user ({reason})",
    "does not exist": ": {reason}: create it with `createdb`, or choose another",
    "disk I/O error": ": the disk reports an error, or is full",
}

Step = Callable[[str, int, int], None]  # what is being done, how much is done, of how much


class GradebookError(StoreError):
    """The gradebook cannot take the grades; the message says why and what to do. The verdicts are kept."""


def create(path: Path) -> None:
    """Create an empty gradebook unless there is one; it appears complete, with its schema version.

    nbgrader would write the tables, then ask another process for their version, then write that.
    """
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    if path.exists() and path.stat().st_size:
        return
    make_durably(path.parent)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    for left in (fresh, path.with_name(f"{path.name}-journal")):  # SQLite would replay an old journal into it
        left.unlink(missing_ok=True)
    try:
        with create_engine(f"sqlite:///{fresh}", poolclass=NullPool).begin() as connection:
            write_tables(connection)
        fresh.chmod(0o600)
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
    sync(path.parent)


def write_tables(connection: "Connection") -> None:
    """Write nbgrader's empty tables and their version."""
    from nbgrader.api import Base
    from sqlalchemy import text

    Base.metadata.create_all(connection)
    connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
    connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": head()})


def examine(path: Path) -> bool:
    """Whether ``path`` is a gradebook that this nbgrader can use; False if it does not exist.

    Raises:
        GradebookError: not a gradebook, damaged, or of another version of nbgrader.
    """
    if not path.exists() and not path.is_symlink():
        return False
    if not path.is_file():
        raise GradebookError(f"{path} is not a file; move it away: the gradebook will be rebuilt from the verdicts.")
    try:
        with closing(_connect(path)) as connection:
            faults = [row[0] for row in connection.execute("PRAGMA quick_check")]
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            known = "alembic_version" in tables
            versions = connection.execute("SELECT version_num FROM alembic_version").fetchall() if known else []
            lost = connection.execute(ORPHANS).fetchall() if {"submitted_assignment", "student"} <= tables else []
    except sqlite3.DatabaseError as error:
        if _is_busy(error):
            return True
        raise _unusable(path, str(error)) from None
    if faults != ["ok"]:
        raise _unusable(path, faults[0])
    refuse_others(str(path), tables, "".join(row[0] for row in versions), "--output")
    if lost:
        names = ", ".join(repr(row[0]) for row in lost)
        raise GradebookError(
            f"{path} has submissions of {names} but no such student: was one renamed there, perhaps only in upper or "
            "lower case? Give the student the folder's name again, or move the gradebook away."
        )
    return True


def refuse_others(shown: str, tables: set[str], version: str, place: str) -> None:
    """Raise GradebookError if a database's tables are not a gradebook's, or of another version of nbgrader."""
    if tables and not {"student", "assignment", "grade"} <= tables:
        raise GradebookError(f"{shown} is a database but not a gradebook; choose another {place}, or move it away.")
    if tables and version != head():
        raise GradebookError(
            f"{shown} is of another version of nbgrader (its schema is {version or 'unknown'}, expected {head()}): "
            f"back it up, then upgrade it with `nbgrader db upgrade`, or grade into another {place}."
        )


def wait_until_free(path: Path, progress: Step) -> None:
    """Wait, reporting progress, while another program has locked the gradebook against writing.

    Raises:
        GradebookError: it stays locked, or cannot be written at all.
    """
    if not path.is_file():
        return
    for seconds in itertools.count():
        try:
            with closing(_connect(path)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
            return
        except sqlite3.DatabaseError as error:
            if not _is_busy(error) or seconds >= WAIT_SECONDS:
                raise GradebookError(explain(str(path), str(error))) from None
        progress(WAITING, seconds, WAIT_SECONDS)
        time.sleep(1)


def explain(shown: str, reason: str) -> str:
    """The message of the database or the disk, with what to do about it."""
    reason = " ".join(reason.split())
    said = next((remedy for cause, remedy in REMEDIES.items() if cause in reason), ": {reason}")
    return f"{shown}{said.format(reason=reason)}; all verdicts are kept, and the same command goes on from there."


def _unusable(path: Path, reason: str) -> GradebookError:
    return GradebookError(
        f"{path} is not an SQLite database, or is damaged ({' '.join(reason.split())}). Move it away, but keep it: "
        "only it has the manual grades and comments; everything else is rebuilt from the verdicts."
    )


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=rw", uri=True, timeout=0, isolation_level=None)


def _is_busy(error: sqlite3.Error) -> bool:
    return (getattr(error, "sqlite_errorname", None) or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


@cache
def head() -> str:
    """The schema that the installed nbgrader writes."""
    import nbgrader

    logging.getLogger("alembic").setLevel(logging.WARNING)  # it logs each plugin that it sets up
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(Path(nbgrader.__file__).parent / "alembic")).get_current_head() or ""
