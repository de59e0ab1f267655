"""A gradebook, whichever database holds it: a file below the output folder, or a server."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.gradebook import database
from autograder.gradebook.database import GradebookError, Progress
from autograder.settings import configured

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

FILE, SERVERS = "sqlite:///", ("postgresql://", "postgresql+psycopg://")


@dataclass(frozen=True)
class Book:
    """``Book.of(root, output)`` is the gradebook of what is graded into ``output``."""

    url: str
    path: Path | None  # of the file, as the user named it; None on a server

    @classmethod
    def of(cls, root: Path, output: Path, database: str = "") -> "Book":
        """The one that ``database`` names, else the one of the course's nbgrader_config.py, else a file in ``output``.

        Raises:
            GradebookError: it is of a kind that is not known here.
        """
        url, usual = configured(root, output, database).CourseDirectory.db_url, cls.below(output)
        return usual if url == usual.url else cls.at(url)

    @classmethod
    def below(cls, output: Path) -> "Book":
        """The file in ``output``."""
        path = output / "gradebook.db"
        return cls(f"{FILE}{path.resolve()}", path)

    @classmethod
    def at(cls, url: str) -> "Book":
        """The gradebook at ``url``."""
        if url.startswith(FILE):
            return cls(url, Path(url.removeprefix(FILE).partition("?")[0]))
        if url.startswith(SERVERS):
            from autograder.gradebook.engine import close_connections

            close_connections()
            return cls(url, None)
        kind = url.partition(":")[0]
        raise GradebookError(f"the gradebook's address begins with {kind!r}, expected {FILE}FILE or {SERVERS[0]}….")

    def __str__(self) -> str:
        """For people: without a password."""
        if self.path is not None:
            return str(self.path)
        from autograder.gradebook import server

        return server.shown(self.url)

    def exists(self) -> bool:
        """Is there one? An unusable one raises GradebookError, as :meth:`examine` does."""
        if self.path is not None:
            return self.path.is_file()
        return self.examine()

    def examine(self) -> bool:
        """False where there is none, which will do, too.

        Raises:
            GradebookError: it is something else, damaged, of another version of nbgrader, or does not answer.
        """
        if self.path is not None:
            database.examine(self.path)
            return self.path.is_file()
        from autograder.gradebook import server

        return server.examine(self.url)

    def create(self) -> None:
        """A gradebook without entries, unless there is one."""
        if self.path is not None:
            database.create(self.path)
        else:
            from autograder.gradebook import server

            server.create(self.url)

    def wait_until_free(self, progress: Progress) -> None:
        """A file can be locked by another program as a whole; a server lets its clients wait by itself."""
        if self.path is not None:
            database.wait_until_free(self.path, progress)

    def in_words(self, reason: str) -> str:
        """What the database or the disk said, with what to do about it."""
        if self.path is not None:
            return database.in_words(self.path, reason)
        from autograder.gradebook import server

        return server.in_words(self.url, reason)

    @property
    def patient_url(self) -> str:
        """The address for whoever writes: it waits for another program's lock."""
        return self.url if self.path is None else f"{self.url}?timeout={database.WAIT_SECONDS}"

    def open(self) -> "Gradebook":
        """By nbgrader; one that is not there would be made, so ask :meth:`exists` before."""
        from nbgrader.api import Gradebook

        return Gradebook(self.url)
