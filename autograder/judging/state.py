"""The grader's own state in an output folder: one SQLite file with atomic steps."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from autograder.judging.disk import StoreError, make_durably, sync

NAME = "state.db"
SCHEMA = 1  # version of the tables
WAIT_SECONDS = 60

TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value);
CREATE TABLE verdict (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- another one whenever the verdict is stored
    key TEXT NOT NULL UNIQUE, record BLOB, shown TEXT, circumstances TEXT, seal BLOB
);
CREATE TABLE shown (digest TEXT PRIMARY KEY, data BLOB);  -- what one cell showed: the same for much of a class
CREATE TABLE copy (digest TEXT PRIMARY KEY, data BLOB);  -- what was handed in
CREATE TABLE entry (
    assignment TEXT, student TEXT, copy TEXT, timestamp TEXT, notes TEXT, problem TEXT,
    mark TEXT,  -- what is written of it; empty while it is being written
    made TEXT,  -- what the page was made of
    PRIMARY KEY (assignment, student)
);
"""

# Parts of SQLite's names of errors → what is wrong with the file, and what to do.
REASONS = {
    ("FULL", "SHMSIZE"): ": the disk is full: make room",
    ("BUSY", "LOCKED"): " stays locked by another program: close it",
    ("READONLY", "CANTOPEN", "PERM"): " cannot be opened or written: it or its folder is read-only, or another user's; "
    "choose another --output, or ask its owner",
    ("IOERR",): ": the disk reports an error, or is full",
}


class State:
    """Reads and changes rows. Without a file there are no rows; only a change creates the file."""

    def __init__(self, output: Path) -> None:
        self.output, self.path = output, output / NAME
        self.connection: sqlite3.Connection | None = None

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._translated_errors():
            connection = self._open()
            return [] if connection is None else connection.execute(query, values).fetchall()

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """One transaction: on disk when the block ends, rolled back after an error."""
        with self._translated_errors():
            if (connection := self._open()) is None:
                self._make()
                connection = self._open()
            assert connection is not None
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                self.commit(connection)
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def commit(self, connection: sqlite3.Connection) -> None:
        connection.execute("COMMIT")

    def close(self) -> None:
        if self.connection is not None:
            with self._translated_errors():
                self.connection.close()
            self.connection = None

    def examine(self) -> None:
        """Raises StoreError if the file is damaged; called before anything relies on it."""
        faults = [row[0] for row in self.rows("PRAGMA quick_check")]
        if faults not in ([], ["ok"]):
            raise self._damaged(faults[0])

    def _open(self) -> sqlite3.Connection | None:
        if self.connection is None:
            if not self.path.exists() and not self.path.is_symlink():
                return None
            if not self.path.is_file():
                raise StoreError(f"{self.path} is not a file: move it away.")
            if not self.path.stat().st_size:
                return None  # empty: a run was killed, or the disk was full, before anything was written
            connection = sqlite3.connect(self._address(), uri=True, timeout=WAIT_SECONDS, isolation_level=None)
            try:
                (found,) = connection.execute("PRAGMA user_version").fetchone()
                if found != SCHEMA:
                    raise StoreError(
                        f"{self.path} has schema version {found}, expected {SCHEMA}: another version of the grader "
                        "made it; use that version, or choose another --output."
                    )
                connection.execute("PRAGMA synchronous = FULL")
            except BaseException:
                connection.close()
                raise
            self.connection = connection
        return self.connection

    def _address(self) -> str:
        """The URI; immutable if SQLite can neither write nor create the shared files that it needs to read."""
        if os.access(self.path, os.W_OK) and os.access(self.output, os.W_OK):
            how = "rw"
        else:
            how = "ro" if self.path.with_name(f"{NAME}-wal").exists() else "ro&immutable=1"
        return f"file:{quote(str(self.path.resolve()))}?mode={how}"

    def _make(self) -> None:
        """Creates the file atomically, with all its tables, readable by its owner only."""
        make_durably(self.output)
        fresh = self.path.with_name(f".{NAME}.{os.getpid()}")
        fresh.unlink(missing_ok=True)
        os.close(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
                connection.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {SCHEMA}; COMMIT")
                connection.execute("PRAGMA journal_mode = WAL")
            for suffix in ("-wal", "-shm"):  # those of a lost file would be replayed into this one
                self.path.with_name(NAME + suffix).unlink(missing_ok=True)
            os.replace(fresh, self.path)
        finally:
            for path in self.output.glob(f"{fresh.name}*"):
                path.unlink(missing_ok=True)
        sync(self.output)

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Turns errors of the database or disk into StoreError, saying what to do about them."""
        kept = "what was judged is kept, the same command goes on from there"
        try:
            yield
        except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
            raise  # a fault of ours
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorname", "") or ""
            for names, reason in REASONS.items():
                if any(name in code for name in names):
                    raise StoreError(f"{self.path}{reason}; {kept}.") from None
            raise self._damaged(str(error)) from None

    def _damaged(self, reason: str) -> StoreError:
        return StoreError(
            f"{self.path} is not an SQLite database, or is damaged ({' '.join(reason.split())}). Move it away, but "
            "keep it: without it everything is graded again; manual points are in gradebook.db and stay."
        )
