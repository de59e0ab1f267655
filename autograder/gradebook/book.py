"""A gradebook in any supported database: a file below the output folder, or a server."""

import itertools
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from autograder.gradebook.database import REMEDIES, GradebookError, Step, explain, refuse_others, write_tables
from autograder.settings import configured
from autograder.store.disk import replacing

if TYPE_CHECKING:  # these imports take time, which commands that only name a gradebook avoid
    from nbgrader.api import Gradebook
    from sqlalchemy import Connection, Engine
    from sqlalchemy.orm import scoped_session

FILE, SERVERS = "sqlite:///", ("postgresql://", "postgresql+psycopg://")
WAIT_SECONDS = 60
WAITING = "waiting: another program has locked the gradebook"
LOCK = 5_726_623_061  # advisory lock on a server, held while creating what others may create: an arbitrary number
ORPHANS = (
    "SELECT DISTINCT student_id FROM submitted_assignment WHERE student_id NOT IN (SELECT id FROM student) LIMIT 5"
)


@dataclass(frozen=True)
class Book(ABC):
    """``Book.of(root, output)`` is the gradebook for work graded into ``output``; as text, without a password."""

    url: str

    @staticmethod
    def of(root: Path, output: Path, database: str = "") -> "Book":
        """The one named by ``database``, else by the course's nbgrader_config.py, else a file in ``output``.

        Raises:
            GradebookError: this kind of database is not supported.
        """
        url, default = configured(root, output, database).CourseDirectory.db_url, Book.below(output)
        return default if url == default.url else Book.at(url)

    @staticmethod
    def below(output: Path) -> "FileBook":
        """The file in ``output``."""
        path = output / "gradebook.db"
        return FileBook(f"{FILE}{path.resolve()}", path)

    @staticmethod
    def at(url: str) -> "Book":
        if url.startswith(FILE):
            return FileBook(url, Path(url.removeprefix(FILE).partition("?")[0]))
        if url.startswith(SERVERS):
            share_engines()
            return ServerBook(url)
        kind = url.partition(":")[0]
        raise GradebookError(f"the gradebook's address begins with {kind!r}, expected {FILE}FILE or {SERVERS[0]}….")

    def exists(self) -> bool:
        """Whether there is one. A server that is unusable raises GradebookError, as :meth:`examine` does."""
        return self.examine()

    @abstractmethod
    def examine(self) -> bool:
        """Check that it is usable; False if there is none.

        Raises:
            GradebookError: not a gradebook, damaged, of another version of nbgrader, or no answer.
        """

    @abstractmethod
    def create(self) -> None:
        """Create an empty gradebook unless there is one; it appears complete, with its schema version."""

    def seed(self, of_output: int) -> int:
        """The seed of all who grade into this gradebook: a file has one output, a server keeps the first one's."""
        return of_output

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While the block runs no other run of ours creates rows; for a file its own lock does that."""
        yield

    def when_free(self, progress: Step) -> str:
        """The address for writing, once no other program locks it; a server makes its clients wait by itself."""
        return self.url

    @contextmanager
    def open(self) -> Iterator["Gradebook"]:
        """Open it with nbgrader, which would create a missing one: check :meth:`exists` first.

        Raises:
            GradebookError: the database refused what the block asked of it, as while it is locked.
        """
        from nbgrader.api import Gradebook, InvalidEntry
        from sqlalchemy.exc import DatabaseError

        try:
            try:
                gradebook = Gradebook(self.url)
            except InvalidEntry:  # somebody else has entered the course between nbgrader's look and its own entry
                gradebook = Gradebook(self.url)
            with gradebook:
                yield gradebook
        except DatabaseError as error:
            raise GradebookError(explain(str(self), str(error.orig))) from None


@dataclass(frozen=True)
class FileBook(Book):
    path: Path  # as the user named it

    def __str__(self) -> str:
        return str(self.path)

    def exists(self) -> bool:
        return self.path.is_file()

    def examine(self) -> bool:
        path = self.path
        if not path.exists() and not path.is_symlink():
            return False
        if not path.is_file():
            raise GradebookError(
                f"{path} is not a file; move it away: the gradebook will be rebuilt from the verdicts."
            )
        try:
            with closing(self._connect()) as connection:
                faults = [row[0] for row in connection.execute("PRAGMA quick_check")]
                tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
                known = "alembic_version" in tables
                versions = connection.execute("SELECT version_num FROM alembic_version").fetchall() if known else []
                lost = connection.execute(ORPHANS).fetchall() if {"submitted_assignment", "student"} <= tables else []
        except sqlite3.DatabaseError as error:
            if _is_busy(error):
                return True
            if any(cause in str(error) for cause in REMEDIES):  # no damage: moving it away would lose what it has
                raise GradebookError(explain(str(self), str(error))) from None
            raise self._unusable(str(error)) from None
        if faults != ["ok"]:
            raise self._unusable(faults[0])
        refuse_others(str(path), tables, "".join(row[0] for row in versions), "--output")
        if lost:
            names = ", ".join(repr(row[0]) for row in lost)
            raise GradebookError(
                f"{path} has submissions of {names} but no such student: was one renamed there, perhaps only in upper "
                "or lower case? Give the student the folder's name again, or move the gradebook away."
            )
        return True

    def create(self) -> None:
        """nbgrader would write the tables, then ask another process for their version, then write that."""
        from sqlalchemy import create_engine
        from sqlalchemy.pool import NullPool

        path = self.path
        if path.exists() and path.stat().st_size:
            return
        with replacing(path) as fresh:
            path.with_name(f"{path.name}-journal").unlink(missing_ok=True)  # SQLite would replay it into the new file
            with create_engine(f"{FILE}{fresh}", poolclass=NullPool).begin() as connection:
                write_tables(connection)

    def when_free(self, progress: Step) -> str:
        """Waits, reporting progress, while another program has locked the file; a writer at the address waits again.

        Raises:
            GradebookError: it stays locked, or cannot be written at all.
        """
        url = f"{self.url}?timeout={WAIT_SECONDS}"
        if not self.path.is_file():
            return url
        for seconds in itertools.count():
            try:
                with closing(self._connect()) as connection:
                    connection.execute("BEGIN IMMEDIATE")
                    connection.execute("ROLLBACK")
                return url
            except sqlite3.DatabaseError as error:
                if not _is_busy(error) or seconds >= WAIT_SECONDS:
                    raise GradebookError(explain(str(self), str(error))) from None
            progress(WAITING, seconds, WAIT_SECONDS)
            time.sleep(1)
        raise AssertionError  # it counts for ever

    def _connect(self) -> sqlite3.Connection:
        address = f"file:{quote(str(self.path.resolve()))}?mode=rw"
        return sqlite3.connect(address, uri=True, timeout=0, isolation_level=None)

    def _unusable(self, reason: str) -> GradebookError:
        return GradebookError(
            f"{self} is not an SQLite database, or is damaged ({' '.join(reason.split())}). Move it away, but keep it: "
            "only it has the manual grades and comments; everything else is rebuilt from the verdicts."
        )


def _is_busy(error: sqlite3.Error) -> bool:
    return (getattr(error, "sqlite_errorname", None) or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


class ServerBook(Book):
    """On a Postgres server."""

    def __str__(self) -> str:
        from sqlalchemy import make_url

        return make_url(self.url).render_as_string(hide_password=True)

    def examine(self) -> bool:
        from sqlalchemy import inspect, text
        from sqlalchemy.exc import DBAPIError

        try:
            with self._engine().connect() as connection:
                tables = set(inspect(connection).get_table_names())
                known = "alembic_version" in tables
                versions = connection.scalars(text("SELECT version_num FROM alembic_version")).all() if known else []
        except DBAPIError as error:
            raise GradebookError(explain(str(self), str(error.orig))) from None
        refuse_others(str(self), tables, "".join(versions), "database")
        return bool(tables)

    def create(self) -> None:
        from sqlalchemy import inspect

        with self._engine().begin() as connection:
            wait_for_others(connection)
            if not inspect(connection).get_table_names():
                write_tables(connection)

    def seed(self, of_output: int) -> int:
        from sqlalchemy import text
        from sqlalchemy.exc import DBAPIError

        self.create()
        try:
            with self._engine().begin() as connection:
                wait_for_others(connection)
                connection.execute(text("CREATE TABLE IF NOT EXISTS course_seed (seed TEXT NOT NULL)"))
                insert = "INSERT INTO course_seed SELECT :seed WHERE NOT EXISTS (SELECT * FROM course_seed)"
                connection.execute(text(insert), {"seed": str(of_output)})
                return int(connection.scalar(text("SELECT seed FROM course_seed")) or of_output)
        except DBAPIError as error:
            raise GradebookError(explain(str(self), str(error.orig))) from None

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._engine().begin() as connection:
            wait_for_others(connection)
            yield

    def _engine(self) -> "Engine":
        from sqlalchemy import create_engine
        from sqlalchemy.exc import ArgumentError
        from sqlalchemy.pool import NullPool

        try:
            return create_engine(self.url, poolclass=NullPool)
        except ModuleNotFoundError as error:
            raise GradebookError(
                f"{self} needs the package {error.name}, which is not installed: "
                "pip install --constraint constraints.txt 'psycopg[binary]'."
            ) from None
        except ArgumentError as error:  # raised for an unknown kind of database, too
            raise GradebookError(f"{self} is not a usable database address: {error}.") from None


def wait_for_others(connection: "Connection | scoped_session") -> None:
    """Until this transaction ends no other one of ours creates rows; does nothing where the database is a file.

    Two runs that both find no row of a learner would both create it, and one of them would fail.
    """
    from sqlalchemy import text

    engine = connection.get_bind() if hasattr(connection, "get_bind") else connection
    if engine.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": LOCK})


def share_engines() -> None:
    """Make nbgrader use one engine per gradebook and close a connection after use, in this process from now on.

    It opens the gradebook half a dozen times a submission, each time with a new engine that compiles its statements
    again, and never disposes of them; a server limits the number of connections.
    """
    from nbgrader import api
    from sqlalchemy.pool import NullPool

    if not hasattr(api.create_engine, "cache_info"):
        api.create_engine = cache(partial(api.create_engine, poolclass=NullPool))
