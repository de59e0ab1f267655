"""The grader's own state in an output folder: one SQLite file with atomic steps, and the graded copies in it."""

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from autograder.store.disk import StoreError, replacing
from autograder.submissions.submitted_files import SubmittedFile

NAME = "state.db"
SCHEMA = 1  # version of the tables
WAIT_SECONDS = 60

TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value);
CREATE TABLE verdict (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- another one whenever the verdict is stored
    key TEXT NOT NULL UNIQUE, record BLOB, shown TEXT, circumstances TEXT
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
            with connection:  # rolls back after an error
                yield connection
                self.commit(connection)

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
                (schema,) = connection.execute("PRAGMA user_version").fetchone()
                if schema != SCHEMA:
                    raise StoreError(
                        f"{self.path} has schema version {schema}, expected {SCHEMA}: another version of the grader "
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
        with replacing(self.path) as fresh:
            with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
                connection.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {SCHEMA}; COMMIT")
                connection.execute("PRAGMA journal_mode = WAL")
            for suffix in ("-wal", "-shm"):  # those of a lost file would be replayed into this one
                self.path.with_name(NAME + suffix).unlink(missing_ok=True)

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Turns errors of the database or disk into StoreError, saying what to do about them."""
        consequence = "what was judged is kept, the same command goes on from there"
        try:
            yield
        except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
            raise  # a fault of ours
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorname", "") or ""
            for names, reason in REASONS.items():
                if any(name in code for name in names):
                    raise StoreError(f"{self.path}{reason}; {consequence}.") from None
            raise self._damaged(str(error)) from None

    def _damaged(self, reason: str) -> StoreError:
        return StoreError(
            f"{self.path} is not an SQLite database, or is damaged ({' '.join(reason.split())}). Move it away, but "
            "keep it: without it everything is graded again; manual points are in gradebook.db and stay."
        )


@dataclass(frozen=True)
class Copy(SubmittedFile):
    """A submission as it was graded, wherever its file is now."""

    digest_of_copy: str = ""
    state: State | None = None

    def data(self) -> bytes:
        assert self.state is not None
        with closing(State(self.state.output)) as state:  # a connection of its own: this is called from several threads
            rows = state.rows("SELECT data FROM copy WHERE digest = ?", (self.digest_of_copy,))
        try:
            data = zlib.decompress(rows[0][0])
        except (IndexError, TypeError, zlib.error):
            data = None
        if data is None or hashlib.sha256(data).hexdigest() != self.digest_of_copy:
            raise StoreError(f"{self.student}/{self.assignment}: the copy in {state.path} is damaged; use `grade`.")
        return data


class GradedCopies:
    """The copies and marks of one class."""

    def __init__(self, state: State) -> None:
        self.state = state

    def stage(self, submitted: SubmittedFile, data: bytes) -> None:
        """Stores the copy in place of an older one and clears the mark: what was written is out of date."""
        digest = hashlib.sha256(data).hexdigest()
        who = (submitted.assignment, submitted.student)
        with self.state.change() as rows:
            before = rows.execute("SELECT copy FROM entry WHERE assignment = ? AND student = ?", who).fetchone()
            if before != (digest,):
                rows.execute("INSERT OR REPLACE INTO copy VALUES (?, ?)", (digest, zlib.compress(data)))
            about = (digest, submitted.timestamp, json.dumps(submitted.notes), submitted.problem, "", "")
            rows.execute("INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*who, *about))
            if before is not None:
                rows.execute("DELETE FROM copy WHERE digest = ? AND digest NOT IN (SELECT copy FROM entry)", before)

    def mark(self, assignment: str, student: str, text: str, inputs: str = "") -> None:
        """Records what was written (``text``) and what the page was made from (``made``)."""
        with self.state.change() as rows:
            values = (text, inputs, assignment, student)
            rows.execute("UPDATE entry SET mark = ?, made = ? WHERE assignment = ? AND student = ?", values)

    def marks(self, assignment: str) -> dict[str, str]:
        """Student → mark, for everything written."""
        query = "SELECT student, mark FROM entry WHERE assignment = ? AND mark <> '' ORDER BY student"
        return dict(self.state.rows(query, (assignment,)))

    def inputs(self, assignment: str) -> dict[str, str]:
        """Student → what the page was made from."""
        return dict(self.state.rows("SELECT student, made FROM entry WHERE assignment = ?", (assignment,)))

    def assignments(self) -> list[str]:
        rows = self.state.rows("SELECT DISTINCT assignment FROM entry WHERE mark <> '' ORDER BY assignment")
        return [name for (name,) in rows]

    def copies(self) -> list[tuple[Copy, str]]:
        """Every copy, with its mark."""
        columns = "student, assignment, notes, problem, timestamp, copy, mark"
        copies = []
        rows = self.state.rows(f"SELECT {columns} FROM entry ORDER BY student, assignment")
        for student, name, notes, problem, when, digest, mark in rows:
            about = (student, name, None, tuple(json.loads(notes)), problem, when)
            copies.append((Copy(*about, digest_of_copy=digest, state=self.state), mark))
        return copies
