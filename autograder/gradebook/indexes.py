"""Indexes on a gradebook's foreign keys: nbgrader creates none, so each look-up scans a whole table."""

from collections.abc import Iterator

from nbgrader.api import Base
from sqlalchemy import Connection, Table, UniqueConstraint, text


def add_indexes(connection: Connection) -> None:
    """Create the missing indexes; nbgrader's own tables and rows are unchanged."""
    for table, column in _columns():
        connection.execute(text(f"CREATE INDEX IF NOT EXISTS ix_{table}_{column} ON {table} ({column})"))


def _columns() -> Iterator[tuple[str, str]]:
    """Table and column of each foreign key that no constraint starts with: a constraint has an index of its own."""
    for table in Base.metadata.sorted_tables:
        known = _first_of_constraints(table)
        for column in sorted(key.parent.name for key in table.foreign_keys):
            if column not in known:
                yield table.name, column


def _first_of_constraints(table: Table) -> set[str]:
    unique = [one for one in table.constraints if isinstance(one, UniqueConstraint)]
    return {next(iter(one.columns)).name for one in [*unique, table.primary_key]}
