"""Reads the times that people and systems write: rosters, worksheets, nbgrader's ``timestamp.txt``.

A time without a zone is local to the course. What can mean two things is never guessed.
"""

import datetime
import re
import unicodedata
import zoneinfo
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import dateutil.parser
import dateutil.tz
from traitlets.config import Config

from autograder.errors import UsageError

FIRST_YEAR = 2000
Order = Literal["", "day-first", "month-first"]
SETTING = "c.Course.time_zone"
COMMENT = re.compile(r"([+-]\d{4}) \([^()]*\)$")  # an e-mail's own: "+0000 (GMT)"
YEAR_AT_END = re.compile(  # of the program `date`: "12:59:59 CET 2026"
    r"(?![^:]{0,40}\d{4})([^:]{1,40}) (\d{1,2}:[^ ]{2,12}(?: [^ ]{1,12}){1,2}) (\d{4})"
)
UNIX = re.compile(r"1\d{9}(?:\.\d{1,9})?")  # seconds, from 2001 to 2033
WHOLE = re.compile(
    r"(?P<date>[^:]{0,80}?)(?P<clock>\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?[ap]\.?m\b\.?)?)"
    r" ?\(?(?P<zone>[^()]{0,60})\)?",
    re.IGNORECASE,
)
YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
IN_WORDS = re.compile(r"(?=.*[a-z]{3})(?=.*\b\d{4}\b)[\w ,.]+", re.IGNORECASE)
OFFSET = re.compile(r"(?:UTC|GMT)? ?([+-])(\d{1,2}):?(\d\d)?", re.IGNORECASE)
UNIVERSAL = ("Z", "UT", "UTC", "GMT")
STAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? UTC")
DEFAULTS = (datetime.datetime(2001, 1, 1), datetime.datetime(2004, 12, 28))  # a date that needs them is not whole
EXPECTED = "expected a time such as 2026-11-20 12:30+01:00, or Friday, 20 November 2026, 12:30 PM"


class NoTime(Exception):
    """The text is no time; the message is a predicate: "is no time: …"."""


class OutOfRange(NoTime):
    """There is no such moment in UTC, as of the year 1."""


class Unclear(NoTime):
    """The text means several times; the message names them and what decides."""


@dataclass
class Clock:
    """How this course's times are read. ``local`` is set once a time without a zone was read."""

    zone: datetime.tzinfo = field(default_factory=lambda: dateutil.tz.gettz() or dateutil.tz.tzlocal())
    name: str = "this machine's time zone"
    dates: Order = ""
    local: bool = False
    notes: list[str] = field(default_factory=list)  # on times that the clock showed twice, or never

    @classmethod
    def of(cls, config: Config, dates: Order = "") -> "Clock":
        """By ``c.Course.time_zone`` in nbgrader_config.py; raises UsageError if there is no such zone."""
        name = config.get("Course", {}).get("time_zone", "")
        if not name:
            return cls(dates=dates)
        try:
            return cls(_named(name), name, dates)
        except NoTime:
            expected = "expected a name such as Europe/Berlin"
            raise UsageError(f"{SETTING} in nbgrader_config.py is {name!r}, {expected}.") from None

    @property
    def messages(self) -> list[str]:
        """What is to be said once: where times without a zone were read, and what became of unclear ones."""
        now = datetime.datetime.now(self.zone)
        where = f"times without a zone were read in {self.name} (now {now:%Z}, UTC{now:%z})"
        where = f"{where}; {SETTING}, or a class's table, sets it"
        return [where, *self.notes] if self.local else self.notes

    def read(self, text: str, zone: str = "", where: str = "") -> datetime.datetime:
        """The time in UTC. ``zone``: what the column says, for a text that names none; ``where``: for what is noted.

        Raises:
            Unclear: it means several times.
            NoTime: it is none.
        """
        text = COMMENT.sub(r"\1", " ".join(unicodedata.normalize("NFKC", text).split()))
        if UNIX.fullmatch(text):
            return _likely(datetime.datetime.fromtimestamp(float(text), datetime.UTC))
        match = WHOLE.fullmatch(YEAR_AT_END.sub(r"\1 \3 \2", text))
        if match is None:
            raise NoTime(f"is no time that can be read; {EXPECTED}")
        date = match["date"].rstrip(" ,").removesuffix("T").removesuffix(" at").strip(" ,")
        local = datetime.datetime.combine(self._date(date), _time(match["clock"]))
        named = match["zone"].strip() or zone.strip()
        self.local = self.local or not named
        try:
            return _likely(self._universal(local, self._zone(named, local) if named else self.zone, where))
        except (OverflowError, ValueError):
            raise OutOfRange("is out of range") from None

    def _universal(self, local: datetime.datetime, zone: datetime.tzinfo, where: str) -> datetime.datetime:
        """The earlier reading where clocks were changed: it is the better one for a learner."""
        readings = sorted(local.replace(tzinfo=zone, fold=fold).astimezone(datetime.UTC) for fold in (0, 1))
        if readings[0] != readings[1]:
            count = "came twice" if dateutil.tz.datetime_exists(local, zone) else "never came"
            what = f"{where}: " * bool(where) + f"{local:%Y-%m-%d %H:%M} {count}, as clocks were changed"
            self.notes.append(f"{what}; {stamp(readings[0])[:16]} UTC counts, the earlier reading")
        return readings[0]

    def _date(self, text: str) -> datetime.date:
        if match := YEAR_FIRST.fullmatch(text):
            return _day(int(match[1]), int(match[3]), int(match[4]))
        if match := YEAR_LAST.fullmatch(text):
            return self._numbers(int(match[1]), int(match[3]), int(match[4]))
        if IN_WORDS.fullmatch(text):
            return _in_words(text)
        raise NoTime(f"has no date that can be read, or no year of four digits; {EXPECTED}")

    def _numbers(self, first: int, second: int, year: int) -> datetime.date:
        readings = {"day-first": (year, second, first), "month-first": (year, first, second)}
        if self.dates:
            return _day(*readings[self.dates])
        possible = {order: date for order, date in readings.items() if date[1] <= 12 and date[2] <= 31}
        if len(set(possible.values())) > 1:
            words = [f"{_day(*date):%d %B %Y} with --dates {order}" for order, date in possible.items()]
            raise Unclear(f"is {' or '.join(words)}; say which")
        return _day(*next(iter(possible.values()), (year, first, second)))

    def _zone(self, name: str, local: datetime.datetime) -> datetime.tzinfo:
        if name.upper() in UNIVERSAL:
            return datetime.UTC
        if match := OFFSET.fullmatch(name):
            minutes = 60 * int(match[2]) + int(match[3] or 0)
            return datetime.timezone(datetime.timedelta(minutes=-minutes if match[1] == "-" else minutes))
        if "/" in name:
            return _named(name)
        for reading in (local.replace(tzinfo=self.zone, fold=fold) for fold in (0, 1)):
            if reading.tzname() == name.upper():  # the course's own name for its time
                return datetime.timezone(reading.utcoffset() or datetime.timedelta())
        offsets = sorted({f"UTC{reading:%z}" for reading in _called(name.upper(), local)})
        if not offsets:
            raise NoTime(f"has the time zone {name!r}, which is unknown; expected one such as +01:00 or Europe/Berlin")
        what = f"has the time zone {name!r}, which is {' or '.join(offsets)}, and not that of {self.name} then"
        raise Unclear(f"{what}; write the offset instead, or set {SETTING} to the zone that is meant")


def zone_for_learners(config: Config) -> datetime.tzinfo:
    """The course's, in which its learners are told times; else UTC, as a machine's own tells them nothing."""
    return Clock.of(config).zone if config.get("Course", {}).get("time_zone") else datetime.UTC


def stamp(time: datetime.datetime) -> str:
    """The time as nbgrader's exchange writes it."""
    return f"{time.astimezone(datetime.UTC):%Y-%m-%d %H:%M:%S.%f} UTC"


def _likely(time: datetime.datetime) -> datetime.datetime:
    """Refuses what only a clock that was never set, or another calendar, can have written."""
    last = datetime.datetime.now(datetime.UTC).year + 2
    if not FIRST_YEAR <= time.year <= last:
        why = "a clock was wrong, or it is of another calendar"
        raise NoTime(f"is in the year {time.year}, expected one from {FIRST_YEAR} to {last}: {why}")
    return time


def _day(year: int, month: int, day: int) -> datetime.date:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        raise NoTime(f"is no date with day {day} and month {month}") from None


def _in_words(text: str) -> datetime.date:
    try:
        first, second = (dateutil.parser.parse(text, default=default) for default in DEFAULTS)
    except (ValueError, OverflowError):
        raise NoTime(f"has no date in English words or in numbers; {EXPECTED}") from None
    if first != second.replace(hour=first.hour):
        raise NoTime(f"has no whole date; {EXPECTED}")
    return first.date()


def _time(text: str) -> datetime.time:
    try:
        return dateutil.parser.parse(text, default=DEFAULTS[0]).time()
    except (ValueError, OverflowError):
        raise NoTime("has no time of day that there is") from None


def _named(name: str) -> datetime.tzinfo:
    try:
        return zoneinfo.ZoneInfo(name)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        raise NoTime(f"has the time zone {name!r}, which is unknown; expected one such as Europe/Berlin") from None


def _called(abbreviation: str, local: datetime.datetime) -> Iterator[datetime.datetime]:
    """The time in each zone of the world that is called so, now or in half a year."""
    for name in zoneinfo.available_timezones():
        for days in (0, 182):
            reading = (local + datetime.timedelta(days)).replace(tzinfo=zoneinfo.ZoneInfo(name))
            if reading.tzname() == abbreviation:
                yield reading
