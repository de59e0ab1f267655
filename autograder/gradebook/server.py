"""A gradebook on a Postgres server: is there one, is it whole, and how is it born?"""

from sqlalchemy import Engine, create_engine, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from autograder.gradebook.database import GradebookError, head, is_gradebook, other_version

LOCK = 5_726_623_061  # of the one program at a time that makes tables: any number that no other program takes
KEPT = "all verdicts are kept, the same command goes on from there"


def shown(url: str) -> str:
    """The address without its password."""
    return make_url(url).render_as_string(hide_password=True)


def create(url: str) -> None:
    """A gradebook without entries, unless there is one: whole, or not at all."""
    from nbgrader.api import Base

    engine = _engine(url)
    with engine.begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": LOCK})
        if not inspect(connection).get_table_names():
            Base.metadata.create_all(connection)
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": head()})


def examine(url: str) -> bool:
    """Is there a gradebook? False for a database without tables.

    Raises:
        GradebookError: no such server or database, or something else in it, or of another version of nbgrader.
    """
    try:
        with _engine(url).connect() as connection:
            tables = set(inspect(connection).get_table_names())
            found = ""
            if "alembic_version" in tables:
                found = "".join(connection.scalars(text("SELECT version_num FROM alembic_version")))
    except DBAPIError as error:
        raise GradebookError(in_words(url, str(error.orig))) from None
    if tables and not is_gradebook(tables):
        raise GradebookError(f"{shown(url)} is a database but no gradebook; choose another.")
    if tables and found != head():
        raise other_version(shown(url), found, "into another database")
    return bool(tables)


def in_words(url: str, reason: str) -> str:
    """What the server said, with what to do about it."""
    said = " ".join(reason.split())
    if "could not extend file" in said or "No space left" in said:
        return f"{shown(url)}: the server's disk is full: make room; {KEPT}."
    if "read-only transaction" in said or "permission denied" in said:
        return f"{shown(url)} cannot be written by this user ({said}); {KEPT}."
    if "does not exist" in said:
        return f"{shown(url)}: {said}; make it with `createdb`, or name another."
    return f"{shown(url)}: {said}; {KEPT}."


def _engine(url: str) -> Engine:
    try:
        return create_engine(url, poolclass=NullPool)
    except ModuleNotFoundError as error:
        raise GradebookError(
            f"{shown(url)} needs the package {error.name}, which is not installed: "
            "pip install --constraint constraints.txt 'psycopg[binary]'."
        ) from None
    except ArgumentError as error:  # of which an unknown kind of database is one too
        raise GradebookError(f"{shown(url)} names no database that can be used: {error}.") from None
