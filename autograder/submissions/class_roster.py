"""The roster in a class's folder, and who is named elsewhere but is not on it."""

from collections.abc import Iterable
from pathlib import Path

from autograder.errors import nearest
from autograder.folders import ROSTER, is_class
from autograder.submissions.roster_table import STUDENT, people, title_of
from autograder.submissions.student_names import folder_name, visible
from autograder.submissions.table import read_table


def class_roster(root: Path) -> Path | None:
    """The roster in the folder of a class, unless it has nothing but its titles, as in a new class."""
    path = root / ROSTER
    if not (is_class(root) and path.is_file()):
        return None
    titles, *others = read_table(path).rows or [[]]
    has_titles = bool(set(map(title_of, titles)) & set(STUDENT))
    return path if others or not has_titles else None  # of one line that is no titles, reading it complains


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
