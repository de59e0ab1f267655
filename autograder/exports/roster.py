"""Which row of an LMS's table is which student: by ids and addresses, never by names, never by a guess."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from autograder.exports.grades import Line
from autograder.exports.spreadsheet import ExportError

Keys = Callable[[Line], Iterable[str]]  # what a student may be called in a column


def local_part(address: str) -> str:
    """What stands before the @."""
    return address.partition("@")[0]


def matched(rows: Sequence[Mapping[str, str]], lines: Iterable[Line], columns: Mapping[str, Keys]) -> dict[str, int]:
    """Student → index of the row that is theirs; who is in no row is left out.

    Columns are tried in their order: the first in which a student is found decides.

    Raises:
        ExportError: two rows could be one student, or one row two students.
    """
    found: dict[str, int] = {}
    owners: dict[int, str] = {}
    for line in {line.student: line for line in lines}.values():
        for column, keys in columns.items():
            wanted = {key.casefold() for key in keys(line) if key}
            hits = [index for index, row in enumerate(rows) if row.get(column, "").strip().casefold() in wanted]
            if len(hits) > 1:
                raise ExportError(f"{line.student} could be {len(hits)} rows of the roster, by their {column!r}.")
            if hits:
                other = owners.setdefault(hits[0], line.student)
                if other != line.student:
                    raise ExportError(f"{line.student} and {other} could be the same row of the roster, by {column!r}.")
                found[line.student] = hits[0]
                break
    return found
