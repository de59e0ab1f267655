"""Learners' names, which are used for folders, files and the gradebook, and the roster that gives them."""

import datetime
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import UsageError
from autograder.submissions.table import read_table
from autograder.submissions.times import EXPECTED, Clock, NoTime, OutOfRange, stamp

MAX_CHARACTERS = 128  # the limit of nbgrader's gradebook
UNSAFE = frozenset('<>"\\')  # formgrader writes names into its pages as they are
HARMLESS = str.maketrans('<>"\\', "‹›”/")
MAX_BYTES = 200  # a file name may have 255, and some consist of the student's name and more

# Each letter with the look-alike letters of other alphabets and digits, after case folding.
LOOKS = "aаɑα bƅьв cс dԁ eе gɡ hһн iіιɩ jј kκк l1ӏ mм nп o0οоօ pрρ qԛ rг sѕ tтτ uυս vνѵ wԝѡω xхχ yуүγ zᴢ"
ALIKE = str.maketrans({other: letters[0] for letters in LOOKS.split() for other in letters[1:]})

STROKES = str.maketrans("đħıłøŧ", "dhilot")  # letters that Unicode does not take apart

# Titles of columns as `title_of` has them. With the name in the gradebook: the first of these that has a value.
STUDENT = (
    *("student id", "sis login id", "username", "id number", "sid", "sis user id", "email address", "email"),
    "login id",
)
TIME = ("submitted at", "last modified (submission)")
TIME_IN = ("submission time", "time")  # only with a zone: "Time (UTC)"
SHOWN = 5  # rows with times that cannot be read
WITH_ZONE = re.compile(r"(.*\S)\s*\(([^()]+)\)")
KNOWN = (
    *(*STUDENT, "id", "identifier", "participant", "student", "name", "full name", "student name", "user id"),
    "canvas user id",
)
GROUP = ("group", "group name", "team")
NUMBER = ("id", "canvas user id")
WHOLE, EMAIL = ("student", "full name", "student name", "name"), ("email address", "email")
FIRST, LAST = ("first name", "given name"), ("last name", "surname", "family name")


def visible(name: str) -> str:
    """The learner's name as it is seen, in one form of Unicode, by which alone names are compared.

    Without characters that have no shape, which copying and keyboards leave in it; macOS writes ü as u and its dots.
    """
    return unicodedata.normalize("NFC", "".join(sign for sign in name if unicodedata.category(sign) != "Cf"))


def unfit(name: str) -> str:
    """Why a folder of this name cannot be a learner's; empty if it can."""
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    if not name.isprintable():
        return "its name has characters that cannot be printed"
    if signs := UNSAFE & set(name):
        return f"its name has {' '.join(sorted(signs))}, which a page would take for its own code"
    if name.startswith("."):
        return "its name begins with a dot, like a hidden folder's"
    if len(name) > MAX_CHARACTERS:
        return f"its name has {len(name)} characters, at most {MAX_CHARACTERS} fit into a gradebook"
    if size > MAX_BYTES:
        return f"its name has {size} bytes, at most {MAX_BYTES} fit into the names of files"
    return ""


def folder_name(student: str, number: str = "") -> str:
    """A valid folder name from the LMS's name for a learner; ``number`` distinguishes learners of the same name."""
    text = _words(student)
    ending = f"_{_words(number)[:40]}" if number else ""
    room = MAX_BYTES - len(ending.encode())
    text = text[: 100 - len(ending)].encode()[:room].decode(errors="ignore").rstrip("._-")
    return f"{text or 'unnamed'}{ending}"


def _words(text: str) -> str:
    """The text without characters that start a path, an option, a hidden file or a spreadsheet formula."""
    return re.sub(r"[^\w.@+-]+", "_", visible(text)).strip("._-").lstrip("+@._-")


def alike(names: Iterable[str]) -> list[list[str]]:
    """Groups of names that differ only in case, Unicode form or look-alike letters, and may be confused."""
    groups: dict[str, set[str]] = defaultdict(set)
    for name in names:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
        groups[folded.translate(ALIKE).strip()].add(name)
    return sorted(sorted(group) for group in groups.values() if len(group) > 1)


@dataclass(frozen=True)
class Person:
    """A learner of the roster."""

    student: str
    time: datetime.datetime | None = None


class Roster:
    """Finds a learner by number, e-mail address or name, in any known column, and who is in a group with them."""

    def __init__(
        self,
        rows: Iterable[Mapping[str, str]],
        clock: Clock | None = None,
        name: str = "the roster",
        ids: Mapping[str, str] | None = None,
    ) -> None:
        self.people: dict[str, set[str]] = defaultdict(set)
        self.bare: dict[str, set[str]] = defaultdict(set)  # the same without diacritics
        self.times: dict[str, datetime.datetime] = {}
        self.numbers: dict[str, str] = {}  # the LMS's own
        self.groups: dict[str, set[str]] = defaultdict(set)  # a group's name as `_plain` has it → its members
        self.clock, self.name = clock or Clock(), name
        self.of_class: Roster | None = None  # where those are looked up whom this one lacks
        self.unread: list[str] = []
        for number, row in _entries(rows, name):
            time, student = self._time(number, row), student_of(row)
            if not student:
                continue
            row, student = _plain_titles(row), (ids or {}).get(student, student)
            if time is not None:
                self._add(student, time, number)
            if given := _first(row, NUMBER):
                self.numbers[student] = given
            if group := next((row[name] for name in GROUP if _plain(row.get(name, ""))), ""):
                self.groups[_plain(group)].add(student)
            first, last = _first(row, FIRST), _first(row, LAST)
            for word in {*(row.get(name, "") for name in KNOWN), f"{first} {last}", f"{last} {first}"}:
                if _plain(word):
                    self.people[_plain(word)].add(student)
                    self.bare[bare(word)].add(student)
        counts = Counter(student for members in self.groups.values() for student in members)
        if doubled := sorted(student for student, groups in counts.items() if groups > 1):
            raise UsageError(f"{name} has {doubled[0]} in several groups, expected at most one.")
        if self.unread:
            more = [f"{len(self.unread) - SHOWN} more rows"] if self.unread[SHOWN:] else []
            message = "; ".join([*self.unread[:SHOWN], *more])
            once = message.replace(f"; {EXPECTED}", "")
            raise UsageError(f"{name}, {once if once == message else f'{once}; {EXPECTED}'}.")

    def _add(self, student: str, time: datetime.datetime, number: int) -> None:
        """Of several times the later counts, and this is noted."""
        other = self.times.get(student, time)
        self.times[student] = max(time, other)
        if time != other:
            what = f"{student!r} was there with another time of submission"
            later = f"the later counts, {stamp(self.times[student])[:19]} UTC"
            self.clock.notes.append(f"{self.name}, row {number}: {what}; {later}")

    def _time(self, number: int, row: Mapping[str, str]) -> datetime.datetime | None:
        """When this row's work was handed in; None if it says nothing, or is far out of any calendar's range."""
        for title, value in row.items():
            zone, text = _zone_of(title or ""), (value or "").strip() if isinstance(value, str) else ""
            if zone is None or text in ("", "-"):
                continue
            known = len(self.clock.notes)
            try:
                time = self.clock.read(text, zone)
            except OutOfRange:
                return None
            except NoTime as error:
                self.unread.append(f"row {number}, {title.strip()!r}: {text!r} {error}")
                return None
            self.clock.notes[known:] = [f"{self.name}, row {number}: {note}" for note in self.clock.notes[known:]]
            return time
        return None

    @classmethod
    def read(cls, path: Path, clock: Clock | None = None, ids: Mapping[str, str] | None = None) -> "Roster":
        """From CSV: Canvas's gradebook export, Moodle's grading worksheet, or one with the column ``student_id``.

        ids: of somebody there → in the class, where this is another.

        Raises:
            UsageError: as for :func:`people`, or a time is unclear.
        """
        return cls(_rows(path), clock, f"the roster {path}", ids)

    def submitters(self, words: Iterable[str], name: str) -> list[Person] | str:
        """Everybody for whom a submission counts: who handed it in, and who is in a group with them.

        words: what identifies one person; name: as the LMS writes it, which for work of a group may be the group's.
        Returns the reason instead if nobody is found, or if it could be somebody who is not in that group.
        """
        words = [*words, name]
        person, group = self.person(words, name), self.groups.get(_plain(name), set())
        if isinstance(person, str):
            if not group or any(_plain(word) in self.people for word in words):
                return person
            return [Person(student, self.times.get(student)) for student in sorted(group)]
        if group and person.student not in group:
            return f"the roster has {person.student} by this number or name, and a group of this name without them"
        together = next((members for members in self.groups.values() if person.student in members), {person.student})
        return [Person(student, person.time or self.times.get(student)) for student in sorted(together)]

    def person(self, words: Iterable[str], name: str) -> Person | str:
        """Who is identified, unless the LMS's name is that of others: Moodle's numbers are new for each assignment."""
        person, namesakes = self.find([*words, name]), self.named(name)
        if isinstance(person, str) or not namesakes or person.student in namesakes:
            return person
        return f"the roster has {person.student} by this number, and {', '.join(namesakes)} by this name"

    def find(self, words: Sequence[str]) -> Person | str:
        """The person identified by the first known word; else the reason why there is none."""
        for word in words:
            names = self._named(word)
            if len(names) > 1:
                return f"the roster has several matches: {', '.join(names)}"
            if names:
                return Person(names[0], self.times.get(names[0]))
        return self.of_class.find(words) if self.of_class else "the roster does not have this name or number"

    def named(self, word: str) -> list[str]:
        """Everybody who has this name, number or address."""
        return self._named(word) or (self.of_class._named(word) if self.of_class else [])

    def by_name_alone(self, number: str, name: str) -> str:
        """Who is found by this name, though they have another number; empty if nobody is."""
        person = self.find([name])
        if isinstance(person, str) or self.named(number):
            return ""
        numbers = self.numbers | (self.of_class.numbers if self.of_class else {})
        return person.student if person.student in numbers else ""

    def _named(self, word: str) -> list[str]:
        return sorted(self.people.get(_plain(word)) or self.bare.get(bare(word), set()))


def people(path: Path) -> dict[str, dict[str, str]]:
    """Who is on the roster: the id there → what nbgrader's gradebook has of a person, as far as it is known.

    Raises:
        UsageError: the file cannot be read, has no column with the gradebook's names, two tables, or two of one id.
    """
    rows = (_plain_titles(row) for _, row in _entries(_rows(path), f"the roster {path}"))
    return {visible(student): _person(row) for row in rows if (student := _first(row, STUDENT))}


def _rows(path: Path) -> list[dict[str, str]]:
    titles, *rows = read_table(path).rows or [[]]
    columns = [title_of(title) for title in titles]
    if not set(columns) & set(STUDENT):
        raise UsageError(
            f"the roster {path} has no column with the students' names in the gradebook: "
            f"expected one of {', '.join(STUDENT)}; it has {', '.join(columns) or 'nothing'}. "
            "A table of Canvas or Moodle has these titles where your own language there is English."
        )
    return [dict(zip(titles, row, strict=False)) for row in rows]


def _entries(rows: Iterable[Mapping[str, str]], name: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows that are no headings, with the numbers that a spreadsheet gives them, below the titles.

    Raises:
        UsageError: two rows have the same id and are different people.
    """
    known: dict[str, tuple[int, dict[str, str]]] = {}
    for number, row in enumerate(rows, 2):
        if _is_heading(row, f"{name}, row {number}"):
            continue
        student, person = student_of(row), _person(_plain_titles(row))
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
    last, comma, first = _first(row, WHOLE).partition(",")
    if not comma:
        first, _, last = last.rpartition(" ")
    first, last = _first(row, FIRST) or first.strip(), _first(row, LAST) or last.strip()
    person = {"first_name": first, "last_name": last}
    person |= {"email": _first(row, EMAIL), "lms_user_id": _first(row, NUMBER)}
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
    return visible(_first(_plain_titles(row), STUDENT))


def _plain_titles(row: Mapping[str, str]) -> dict[str, str]:
    return {title_of(name): (value or "").strip() for name, value in row.items() if name}


def _first(row: Mapping[str, str], titles: Iterable[str]) -> str:
    """The first of these columns that has something."""
    return next((row[title] for title in titles if row.get(title)), "")


def _zone_of(title: str) -> str | None:
    """The zone in the title of a column of times, "" if it names none; None if the column has no times."""
    if title_of(title) in TIME:
        return ""
    match = WITH_ZONE.fullmatch(title.strip())
    return match[2] if match and title_of(match[1]) in (*TIME, *TIME_IN) else None


def title_of(text: str) -> str:
    """A column's title without differences in case, and of "_" and blanks."""
    return " ".join(visible(text).replace("_", " ").split()).casefold()


def _plain(text: str) -> str:
    """Only letters and digits, folded, as Canvas writes names: "Lovelace, Ada" → "lovelaceada"."""
    return re.sub(r"[\W_]", "", visible(text)).casefold()


def bare(text: str) -> str:
    """The same without diacritics and strokes, which some systems take off: "Åberg, Øystein" → "abergoystein"."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKD", text.casefold())).translate(STROKES)
