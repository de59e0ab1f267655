"""The roster of a class: whose work it is, by number, e-mail address, name or group, and when it came."""

import datetime
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import UsageError
from autograder.submissions.roster_table import (
    FIRST,
    GROUP,
    KNOWN,
    LAST,
    NUMBER,
    entries,
    first_of,
    plain_titles,
    rows_of,
    student_of,
    title_of,
)
from autograder.submissions.student_names import bare, plain
from autograder.submissions.times import EXPECTED, Clock, NoTime, OutOfRange, stamp

TIME = ("submitted at", "last modified (submission)")
TIME_IN = ("submission time", "time")  # only with a zone: "Time (UTC)"
SHOWN = 5  # rows with times that cannot be read
WITH_ZONE = re.compile(r"(.*\S)\s*\(([^()]+)\)")


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
        self.groups: dict[str, set[str]] = defaultdict(set)  # a group's name as `plain` has it → its members
        self.clock, self.name = clock or Clock(), name
        self.of_class: Roster | None = None  # where those are looked up whom this one lacks
        self.unread: list[str] = []
        for number, row in entries(rows, name):
            time, student = self._time(number, row), student_of(row)
            if not student:
                continue
            row, student = plain_titles(row), (ids or {}).get(student, student)
            if time is not None:
                self._add(student, time, number)
            if given := first_of(row, NUMBER):
                self.numbers[student] = given
            if group := next((row[name] for name in GROUP if plain(row.get(name, ""))), ""):
                self.groups[plain(group)].add(student)
            first, last = first_of(row, FIRST), first_of(row, LAST)
            for word in {*(row.get(name, "") for name in KNOWN), f"{first} {last}", f"{last} {first}"}:
                if plain(word):
                    self.people[plain(word)].add(student)
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
            try:
                return self.clock.read(text, zone, f"{self.name}, row {number}")
            except OutOfRange:
                return None
            except NoTime as error:
                self.unread.append(f"row {number}, {title.strip()!r}: {text!r} {error}")
                return None
        return None

    @classmethod
    def read(cls, path: Path, clock: Clock | None = None, ids: Mapping[str, str] | None = None) -> "Roster":
        """From CSV: Canvas's gradebook export, Moodle's grading worksheet, or one with the column ``student_id``.

        ids: of somebody there → in the class, where this is another.

        Raises:
            UsageError: as for :func:`people`, or a time is unclear.
        """
        return cls(rows_of(path), clock, f"the roster {path}", ids)

    def submitters(self, words: Iterable[str], name: str) -> list[Person] | str:
        """Everybody for whom a submission counts: who handed it in, and who is in a group with them.

        words: what identifies one person; name: as the LMS writes it, which for work of a group may be the group's.
        Returns the reason instead if nobody is found, or if it could be somebody who is not in that group.
        """
        words = [*words, name]
        person, group = self.person(words, name), self.groups.get(plain(name), set())
        if isinstance(person, str):
            if not group or any(plain(word) in self.people for word in words):
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
        return sorted(self.people.get(plain(word)) or self.bare.get(bare(word), set()))


def _zone_of(title: str) -> str | None:
    """The zone in the title of a column of times, "" if it names none; None if the column has no times."""
    if title_of(title) in TIME:
        return ""
    match = WITH_ZONE.fullmatch(title.strip())
    return match[2] if match and title_of(match[1]) in (*TIME, *TIME_IN) else None
