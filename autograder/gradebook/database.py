"""Creates, checks and locks gradebook.db."""

import itertools
import logging
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from autograder.judging.disk import StoreError, make_durably, sync

WAIT_SECONDS = 60
ORPHANS = (
    "SELECT DISTINCT student_id FROM submitted_assignment WHERE student_id NOT IN (SELECT id FROM student) LIMIT 5"
)
WAITING = "waiting: another program has locked the gradebook"
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

Step = Callable[[str, int, int], None]  # what is being done, how much is done, of how much


class GradebookError(StoreError):
    """The gradebook cannot take the grades; the message says why and what to do. The verdicts are kept."""


def create(path: Path) -> None:
    """Create an empty gradebook unless there is one; it appears complete, with its schema version.

    nbgrader would write the tables, then ask another process for their version, then write that.
    """
    from nbgrader.api import Base
    from sqlalchemy import create_engine, text

    if path.exists() and path.stat().st_size:
        return
    make_durably(path.parent)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    for left in (fresh, path.with_name(f"{path.name}-journal")):  # SQLite would replay an old journal into it
        left.unlink(missing_ok=True)
    engine = create_engine(f"sqlite:///{fresh}")
    try:
        with engine.begin() as connection:
            Base.metadata.create_all(connection)
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": head()})
        engine.dispose()
        fresh.chmod(0o600)
        os.replace(fresh, path)
    finally:
        engine.dispose()
        fresh.unlink(missing_ok=True)
    sync(path.parent)


def examine(path: Path) -> None:
    """Check that ``path`` is a gradebook that this nbgrader can use, or does not exist.

    Raises:
        GradebookError: not a gradebook, damaged, or of another version of nbgrader.
    """
    if not path.exists() and not path.is_symlink():
        return
    if not path.is_file():
        raise GradebookError(f"{path} is not a file; move it away: the gradebook will be rebuilt from the verdicts.")
    try:
        with closing(_connect(path)) as connection:
            faults = [row[0] for row in connection.execute("PRAGMA quick_check")]
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            found = ""
            if "alembic_version" in tables:
                found = "".join(row[0] for row in connection.execute("SELECT version_num FROM alembic_version"))
            lost = connection.execute(ORPHANS).fetchall() if {"submitted_assignment", "student"} <= tables else []
    except sqlite3.DatabaseError as error:
        if _code(error) in BUSY:
            return
        raise _unusable(path, str(error)) from None
    if faults != ["ok"]:
        raise _unusable(path, faults[0])
    if not tables:
        return
    if not is_gradebook(tables):
        raise GradebookError(f"{path} is a database but not a gradebook; choose another --output, or move it away.")
    if found != head():
        raise other_version(str(path), found, "into a fresh --output")
    if lost:
        names = ", ".join(repr(row[0]) for row in lost)
        raise GradebookError(
            f"{path} has submissions of {names} but no such student: was one renamed there, perhaps only in upper or "
            "lower case? Give the student the folder's name again, or move the gradebook away."
        )


def is_gradebook(tables: set[str]) -> bool:
    """Whether these are a gradebook's tables."""
    return {"student", "assignment", "grade"} <= tables


def other_version(book: str, found: str, other: str) -> GradebookError:
    return GradebookError(
        f"{book} is of another version of nbgrader (its schema is {found or 'unknown'}, expected {head()}): "
        f"back it up, then upgrade it with `nbgrader db upgrade`, or grade {other}."
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
            if _code(error) not in BUSY:
                raise GradebookError(explain(path, str(error))) from None
        if seconds >= WAIT_SECONDS:
            raise GradebookError(explain(path, "database is locked"))
        progress(WAITING, seconds, WAIT_SECONDS)
        time.sleep(1)


def explain(path: Path, reason: str) -> str:
    """The message of the database or the disk, with what to do about it."""
    kept = "all verdicts are kept, and the same command goes on from there"
    if "database is locked" in reason:
        return f"{path} stays locked by another program (formgrader, a database browser?): close it; {kept}."
    if "disk is full" in reason or "No space left" in reason:
        return f"{path}: the disk is full: make room; {kept}."
    if "readonly database" in reason or "unable to open" in reason:
        return f"{path} cannot be written: it or its folder is read-only, or another user's; {kept}."
    if "disk I/O error" in reason:
        return f"{path}: the disk reports an error, or is full; {kept}."
    return f"{path}: {reason}; {kept}."


def _unusable(path: Path, reason: str) -> GradebookError:
    return GradebookError(
        f"{path} is not an SQLite database, or is damaged ({' '.join(reason.split())}). Move it away, but keep it: "
        "only it has the manual grades and comments; everything else is rebuilt from the verdicts."
    )


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=rw", uri=True, timeout=0, isolation_level=None)


def _code(error: sqlite3.Error) -> int | None:
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF  # the upper bits are the extended code


@cache
def head() -> str:
    """The schema that the installed nbgrader writes."""
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it logs each plugin that it sets up
    from alembic.script import ScriptDirectory

    spec = find_spec("nbgrader")
    assert spec is not None
    assert spec.origin is not None
    return ScriptDirectory(str(Path(spec.origin).parent / "alembic")).get_current_head() or ""
