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
    """Those whom the class's roster lacks, each with the nearest id that nobody else has; none without a roster.

    Raises:
        UsageError: the roster cannot be read, or does not say who is who.
    """
    path = class_roster(root)
    known = people(path) if path else {}
    ids, named = {*known, *map(folder_name, known)}, sorted(set(students))
    free = known.keys() - named  # who is named herself is not meant by another's id: numbers differ in a digit
    return [student + nearest(student, free) for student in named if ids and visible(student) not in ids]
