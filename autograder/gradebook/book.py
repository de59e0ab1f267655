"""A gradebook in any supported database: a file below the output folder, or a server."""

from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.gradebook import database
from autograder.gradebook.database import GradebookError, Step
from autograder.settings import configured

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

FILE, SERVERS = "sqlite:///", ("postgresql://", "postgresql+psycopg://")


@dataclass(frozen=True)
class Book:
    """``Book.of(root, output)`` is the gradebook for work graded into ``output``."""

    url: str
    path: Path | None  # the file, as the user named it; None on a server

    @classmethod
    def of(cls, root: Path, output: Path, database: str = "") -> "Book":
        """The one named by ``database``, else by the course's nbgrader_config.py, else a file in ``output``.

        Raises:
            GradebookError: this kind of database is not supported.
        """
        url, default = configured(root, output, database).CourseDirectory.db_url, cls.below(output)
        return default if url == default.url else cls.at(url)

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
            share_engines()
            return cls(url, None)
        kind = url.partition(":")[0]
        raise GradebookError(f"the gradebook's address begins with {kind!r}, expected {FILE}FILE or {SERVERS[0]}….")

    def __str__(self) -> str:
        """The path or address for display, without a password."""
        return str(self.path) if self.path is not None else self._server.shown(self.url)

    @property
    def _server(self) -> Any:
        """The module of functions for a server; it imports SQLAlchemy, which takes time."""
        from autograder.gradebook import postgres

        return postgres

    def exists(self) -> bool:
        """Whether there is one. A server that is unusable raises GradebookError, as :meth:`examine` does."""
        return self.path.is_file() if self.path is not None else self.examine()

    def examine(self) -> bool:
        """Check that it is usable; False if there is none.

        Raises:
            GradebookError: not a gradebook, damaged, of another version of nbgrader, or no answer.
        """
        return database.examine(self.path) if self.path is not None else self._server.examine(self.url)

    def create(self) -> None:
        """Create an empty gradebook unless there is one."""
        if self.path is not None:
            database.create(self.path)
        else:
            self._server.create(self.url)

    def wait_until_free(self, progress: Step) -> None:
        """Wait while another program locks the file; a server makes its clients wait by itself."""
        if self.path is not None:
            database.wait_until_free(self.path, progress)

    @property
    def url_with_timeout(self) -> str:
        """The address for writing: it waits for another program's lock."""
        return self.url if self.path is None else f"{self.url}?timeout={database.WAIT_SECONDS}"

    def open(self) -> "Gradebook":
        """Open it with nbgrader, which would create a missing one: check :meth:`exists` first."""
        from nbgrader.api import Gradebook

        return Gradebook(self.url)


def share_engines() -> None:
    """Make nbgrader use one engine per gradebook and close a connection after use, in this process from now on.

    It opens the gradebook half a dozen times a submission, each time with a new engine that compiles its statements
    again, and never disposes of them; a server limits the number of connections.
    """
    from nbgrader import api
    from sqlalchemy.pool import NullPool

    if not hasattr(api.create_engine, "cache_info"):
        api.create_engine = cache(partial(api.create_engine, poolclass=NullPool))
