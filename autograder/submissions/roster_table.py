"""The table of a roster: who is in which row, and what the gradebook has of them."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from autograder.errors import UsageError
from autograder.submissions.student_names import HARMLESS, visible
from autograder.submissions.table import read_table

# Titles of columns as `title_of` has them. With the name in the gradebook: the first of these that has a value.
STUDENT = (
    *("student id", "sis login id", "username", "id number", "sid", "sis user id", "email address", "email"),
    "login id",
)
KNOWN = (
    *(*STUDENT, "id", "identifier", "participant", "student", "name", "full name", "student name", "user id"),
    "canvas user id",
)
GROUP = ("group", "group name", "team")
NUMBER = ("id", "canvas user id")
WHOLE, EMAIL = ("student", "full name", "student name", "name"), ("email address", "email")
FIRST, LAST = ("first name", "given name"), ("last name", "surname", "family name")


def people(path: Path) -> dict[str, dict[str, str]]:
    """Who is on the roster: the id there → what nbgrader's gradebook has of a person, as far as it is known.

    Raises:
        UsageError: the file cannot be read, has no column with the gradebook's names, two tables, or two of one id.
    """
    rows = (plain_titles(row) for _, row in entries(rows_of(path), f"the roster {path}"))
    return {visible(student): _person(row) for row in rows if (student := first_of(row, STUDENT))}


def rows_of(path: Path) -> list[dict[str, str]]:
    titles, *rows = read_table(path).rows or [[]]
    columns = [title_of(title) for title in titles]
    if not set(columns) & set(STUDENT):
        raise UsageError(
            f"the roster {path} has no column with the students' names in the gradebook: "
            f"expected one of {', '.join(STUDENT)}; it has {', '.join(columns) or 'nothing'}. "
            "A table of Canvas or Moodle has these titles where your own language there is English."
        )
    return [dict(zip(titles, row, strict=False)) for row in rows]


def entries(rows: Iterable[Mapping[str, str]], name: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows that are no headings, with the numbers that a spreadsheet gives them, below the titles.

    Raises:
        UsageError: two rows have the same id and are different people.
    """
    known: dict[str, tuple[int, dict[str, str]]] = {}
    for number, row in enumerate(rows, 2):
        if _is_heading(row, f"{name}, row {number}"):
            continue
        student, person = student_of(row), _person(plain_titles(row))
        before, other = known.setdefault(student, (number, person))
        if student and any(person.get(key, text) != text for key, text in other.items()):
            people = " and ".join(" ".join(who.values()) for who in (other, person))
            raise UsageError(
                f"{name} has {student} in the rows {before} and {number}, for {people}: give each an id of their own, "
                "or take one row away."
            )
        yield number, row


def _person(row: Mapping[str, str]) -> dict[str, str]:
    """What nbgrader's gradebook has of a person, as far as it is known."""
    last, comma, first = first_of(row, WHOLE).partition(",")
    if not comma:
        first, _, last = last.rpartition(" ")
    first, last = first_of(row, FIRST) or first.strip(), first_of(row, LAST) or last.strip()
    person = {"first_name": first, "last_name": last}
    person |= {"email": first_of(row, EMAIL), "lms_user_id": first_of(row, NUMBER)}
    return {key: text.translate(HARMLESS) for key, text in person.items() if text}


def _is_heading(row: Mapping[str, str], where: str) -> bool:
    """Whether the row is the titles once more, as where two lists were pasted together.

    Raises:
        UsageError: they are in another order, so that what follows would stand below wrong titles.
    """
    titles, cells = list(map(title_of, row)), [title_of(cell or "") for cell in row.values()]
    if titles == cells:
        return True
    if len(set(cells) - {""}) > 1 and set(cells) <= {*titles, ""}:
        raise UsageError(f"{where} has the titles of the columns again, in another order: make one table of the two.")
    return False


def student_of(row: Mapping[str, str]) -> str:
    """The id of whom the row is about; empty if it has none."""
    return visible(first_of(plain_titles(row), STUDENT))


def plain_titles(row: Mapping[str, str]) -> dict[str, str]:
    return {title_of(name): (value or "").strip() for name, value in row.items() if name}


def first_of(row: Mapping[str, str], titles: Iterable[str]) -> str:
    """The first of these columns that has something."""
    return next((row[title] for title in titles if row.get(title)), "")


def title_of(text: str) -> str:
    """A column's title without differences in case, and of "_" and blanks."""
    return " ".join(visible(text).replace("_", " ").split()).casefold()
