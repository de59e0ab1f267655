"""Who of the class is who in an LMS's table: decided alike where work is collected and where grades are handed on."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import UsageError
from autograder.submissions.roster_table import people, student_of, title_of
from autograder.submissions.student_names import bare, visible
from autograder.submissions.table import read_table


@dataclass(frozen=True)
class Identity:
    """By what an LMS may know a learner of the class."""

    student: str
    email: str | None = None
    number: str | None = None  # the LMS's own

    @property
    def participant(self) -> str | None:
        """The number as Moodle's grading worksheet writes it."""
        return self.number and f"Participant {self.number}"


BEFORE_AT = " before the @"  # after a column's title: the part of its addresses that identifies a student
# Title of a column → what of a learner may stand there; the first of the columns that has a learner decides.
COLUMNS = {
    "student id": ("student",),
    "sis login id": ("student", "email"),
    "sis user id": ("student", "number"),
    "username": ("student",),
    "id number": ("student", "number"),
    "sid": ("student", "number"),
    "id": ("number",),
    "canvas user id": ("number",),
    "login id": ("student", "email"),
    "email address": ("email", "student"),
    "email": ("email", "student"),
    "identifier": ("participant",),
} | {f"{title}{BEFORE_AT}": ("student",) for title in ("sis login id", "login id", "email address", "email")}


def rows_of(rows: Sequence[Sequence[str]], identities: Iterable[Identity], once: bool = False) -> dict[str, list[int]]:
    """Student → the indices of their rows in the LMS's table; who is not there is left out.

    Raises:
        UsageError: a row could be two people, or, where everybody should be there ``once``, one could be two rows.
    """
    columns = {column: places for column in COLUMNS if (places := cells(rows, column))}
    indices: dict[str, list[int]] = {}
    owners: dict[int, str] = {}
    for identity in identities:
        student = identity.student
        for column, places in columns.items():
            keys = {folded(key) for part in COLUMNS[column] if (key := getattr(identity, part))}
            hits = sorted({index for key in keys for index in places.get(key, ())})
            if once and len(hits) > 1:
                raise UsageError(f"{student} could be {len(hits)} rows of the roster, by their {column!r}.")
            if other := next((owners[index] for index in hits if index in owners), ""):
                raise UsageError(f"{student} and {other} could be the same row of the roster, by {column!r}.")
            if hits:
                indices[student] = hits
                owners |= dict.fromkeys(hits, student)
                break
    return indices


def cells(rows: Sequence[Sequence[str]], column: str) -> dict[str, list[int]]:
    """What stands in a column below its title, without differences of case → the indices of its rows."""
    titles, title = [title_of(cell) for cell in rows[0]], column.removesuffix(BEFORE_AT)
    indices: dict[str, list[int]] = defaultdict(list)
    for index, row in enumerate(rows[1:], 1) if title in titles else ():
        text = folded("".join(row[titles.index(title) : titles.index(title) + 1]))
        indices[text.partition("@")[0] if title != column else text].append(index)
    return indices


def folded(text: str) -> str:
    """As the gradebook has names, without signs that cannot be seen, and in lower case."""
    return visible(text).strip().casefold()


def ids_of_class(path: Path, roster: Path) -> tuple[dict[str, str], list[str]]:
    """Id in the LMS's table at ``path`` → that of the class's roster, and the ids of those who are not on it.

    Whom no value identifies, their full name does, if it is there once in both.

    Raises:
        UsageError: a file cannot be read, or a row could be two people.
    """
    theirs, ours, rows = people(path), people(roster), read_table(path).rows or [[]]
    identities = [Identity(student, person.get("email"), person.get("lms_user_id")) for student, person in ours.items()]
    ids: dict[str, str] = {}
    for student, indices in rows_of(rows, identities).items():
        ids |= {student_of(dict(zip(rows[0], rows[index], strict=False))): student for index in indices}
    names, namesakes = _by_name(ours), _by_name(theirs)
    for name, students in namesakes.items():
        if len(students) == len(names.get(name, ())) == 1 and names[name][0] not in ids.values():
            ids.setdefault(students[0], names[name][0])
    return ids, [student for student in theirs if student not in ids]


def _by_name(everybody: Mapping[str, Mapping[str, str]]) -> dict[str, list[str]]:
    students: dict[str, list[str]] = defaultdict(list)
    for student, person in everybody.items():
        if name := bare(person.get("first_name", "") + person.get("last_name", "")):
            students[name].append(student)
    return students
