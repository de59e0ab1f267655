"""The roster in a class's folder, and who is named elsewhere but is not on it."""

from collections.abc import Iterable
from pathlib import Path

from autograder.errors import nearest
from autograder.folders import ROSTER, is_class
from autograder.submissions.students import folder_name, people, visible
from autograder.submissions.table import read_table


def class_roster(root: Path) -> Path | None:
    """The roster in the folder of a class, unless it has nothing but its titles, as in a new class."""
    path = root / ROSTER
    return path if is_class(root) and path.is_file() and len(read_table(path).rows) != 1 else None


def strangers(root: Path, students: Iterable[str]) -> list[str]:
    """Those whom the class's roster lacks, each with the nearest id that it has; none where there is no roster.

    Raises:
        UsageError: the roster cannot be read, or does not say who is who.
    """
    path = class_roster(root)
    known = people(path) if path else {}
    ids = {*known, *map(folder_name, known)}
    return [
        student + nearest(student, known) for student in sorted(set(students)) if ids and visible(student) not in ids
    ]
