"""Matches rows of an LMS's table to students: by ids and addresses, never by names or guesses."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from autograder.exports.grades import Line
from autograder.exports.spreadsheet import ExportError

Keys = Callable[[Line], Iterable[str]]  # a student's possible values in a column


def local_part(address: str) -> str:
    """The part before the @."""
    return address.partition("@")[0]


def matched(rows: Sequence[Mapping[str, str]], lines: Iterable[Line], columns: Mapping[str, Keys]) -> dict[str, int]:
    """Student → index of their row; students without a row are left out.

    Columns are tried in order: the first that contains the student decides.

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
