"""Creates and checks a gradebook on a Postgres server."""

from sqlalchemy import Engine, create_engine, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from autograder.gradebook.database import GradebookError, explain, refuse_others, write_tables

LOCK = 5_726_623_061  # advisory lock held while creating tables: an arbitrary number


def shown(url: str) -> str:
    """The address without its password."""
    return make_url(url).render_as_string(hide_password=True)


def create(url: str) -> None:
    """Create an empty gradebook unless there is one, in one transaction."""
    with _engine(url).begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": LOCK})
        if not inspect(connection).get_table_names():
            write_tables(connection)


def examine(url: str) -> bool:
    """Whether there is a gradebook; False for a database without tables.

    Raises:
        GradebookError: no such server or database, not a gradebook, or of another version of nbgrader.
    """
    try:
        with _engine(url).connect() as connection:
            tables = set(inspect(connection).get_table_names())
            known = "alembic_version" in tables
            versions = connection.scalars(text("SELECT version_num FROM alembic_version")).all() if known else []
    except DBAPIError as error:
        raise GradebookError(explain(shown(url), str(error.orig))) from None
    refuse_others(shown(url), tables, "".join(versions), "database")
    return bool(tables)


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
