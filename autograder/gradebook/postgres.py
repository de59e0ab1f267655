"""Creates and checks a gradebook on a Postgres server."""

from sqlalchemy import Engine, create_engine, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from autograder.gradebook.database import GradebookError, head, is_gradebook, other_version

LOCK = 5_726_623_061  # advisory lock held while creating tables: an arbitrary number
KEPT = "all verdicts are kept, and the same command goes on from there"


def shown(url: str) -> str:
    """The address without its password."""
    return make_url(url).render_as_string(hide_password=True)


def create(url: str) -> None:
    """Create an empty gradebook unless there is one, in one transaction."""
    from nbgrader.api import Base

    engine = _engine(url)
    with engine.begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": LOCK})
        if not inspect(connection).get_table_names():
            Base.metadata.create_all(connection)
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": head()})


def examine(url: str) -> bool:
    """Whether there is a gradebook; False for a database without tables.

    Raises:
        GradebookError: no such server or database, not a gradebook, or of another version of nbgrader.
    """
    try:
        with _engine(url).connect() as connection:
            tables = set(inspect(connection).get_table_names())
            found = ""
            if "alembic_version" in tables:
                found = "".join(connection.scalars(text("SELECT version_num FROM alembic_version")))
    except DBAPIError as error:
        raise GradebookError(explain(url, str(error.orig))) from None
    if tables and not is_gradebook(tables):
        raise GradebookError(f"{shown(url)} is a database but not a gradebook; choose another.")
    if tables and found != head():
        raise other_version(shown(url), found, "into another database")
    return bool(tables)


def explain(url: str, reason: str) -> str:
    """The server's message, with what to do about it."""
    said = " ".join(reason.split())
    if "could not extend file" in said or "No space left" in said:
        return f"{shown(url)}: the server's disk is full: make room; {KEPT}."
    if "read-only transaction" in said or "permission denied" in said:
        return f"{shown(url)} cannot be written by this user ({said}); {KEPT}."
    if "does not exist" in said:
        return f"{shown(url)}: {said}; create it with `createdb`, or choose another."
    return f"{shown(url)}: {said}; {KEPT}."


def _engine(url: str) -> Engine:
    try:
        return create_engine(url, poolclass=NullPool)
    except ModuleNotFoundError as error:
        raise GradebookError(
            f"{shown(url)} needs the package {error.name}, which is not installed: "
            "pip install --constraint constraints.txt 'psycopg[binary]'."
        ) from None
    except ArgumentError as error:  # raised for an unknown kind of database, too
        raise GradebookError(f"{shown(url)} is not a usable database address: {error}.") from None
