"""``class.toml``: a class's exercises with their weights and due dates, its time zone, extensions and penalties."""

import contextlib
import datetime
import re
import tomllib
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.errors import UsageError
from autograder.folders import TABLE

KEYS = {"name", "time_zone", "package", "late", "best", "exercises", "extensions"}
TIME = "expected a day and a time such as 2026-11-20 12:00:00"

NO_SECONDS = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?![\d:])")
EXTENSION = re.compile(r"\s*([^\s\"'#=][^\"#=]*)\.([\w-]+)\s*=\s*\d{4}-")


@dataclass(frozen=True)
class Weighted:
    """One exercise of the class: its weight in the total, and when it is due, in UTC."""

    weight: float = 1.0
    due: datetime.datetime | None = None
    full_points: tuple[str, ...] = ()  # tasks that proved faulty, whose points go to all who handed in


@dataclass(frozen=True)
class ClassTable:
    """What the class's table says."""

    name: str
    time_zone: str
    package: str = ""  # where learners find their package: a folder on the web; empty: beside the book
    late: float = 0.0  # per cent of the points for each day begun
    best: int = 0  # so many exercises count in the total, the best ones; 0: all
    exercises: Mapping[str, Weighted] = field(default_factory=dict)
    extensions: Mapping[str, Mapping[str, datetime.datetime]] = field(default_factory=dict)  # learner → exercise → due

    def extension(self, student: str, exercise: str) -> datetime.timedelta | None:
        """How much later the exercise is due for this learner; None if it is not."""
        due, later = self.exercises[exercise].due, self.extensions.get(student, {}).get(exercise)
        return later - due if due and later else None

    def counted(self, shares: Mapping[str, float]) -> list[str]:
        """The exercises that count in a total: of those with a weight the best, by the share of the points."""
        names = [name for name, weighted in self.exercises.items() if weighted.weight and name in shares]
        return sorted(names, key=lambda name: -shares[name])[: self.best or None]

    def total(self, shares: Mapping[str, float]) -> float:
        """The mean of the shares that count, by the weights."""
        weights = {name: self.exercises[name].weight for name in self.counted(shares)}
        whole = sum(weights.values())
        return sum(weight * shares[name] for name, weight in weights.items()) / whole if whole else 0.0


def read(root: Path) -> ClassTable | None:
    """The table of the class at ``root``; None if there is no class.

    Raises:
        UsageError: the table cannot be read, or has something else than what is expected.
    """
    path = root / TABLE
    try:
        return parsed(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text in UTF-8: {error}.") from None
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def parsed(text: str) -> ClassTable:
    """The table in the text of a file; raises UsageError."""
    try:
        written: Mapping[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"it is no TOML: {error}.{_likely_mistake(text, str(error))}") from None
    _known(written, KEYS, "the table")
    zone = _zone(_text(written, "time_zone"))
    exercises = {name: _exercise(name, entry, zone) for name, entry in _section(written, "exercises").items()}
    extensions = {
        student: {name: _later(student, name, time, exercises, zone) for name, time in _of(entries, student).items()}
        for student, entries in _section(written, "extensions").items()
    }
    best = written.get("best", 0)
    if type(best) is not int or best < 0:
        raise UsageError(f"best is {best!r}, expected how many exercises count, or 0 for all.")
    late = _number(written.get("late", 0), "late", "per cent of the points for each day begun, from 0 to 100")
    if late > 100:
        raise UsageError(f"late is {late:g}, expected at most 100 per cent for each day begun.")
    package = _text(written, "package", "")
    return ClassTable(_text(written, "name", ""), zone.key, package, late, best, exercises, extensions)


def _likely_mistake(text: str, error: str) -> str:
    """What the line that the error names has, if it is one of the usual mistakes."""
    number = re.search(r"at line (\d+)", error)
    line = text.split("\n")[int(number[1]) - 1] if number else ""
    if time := NO_SECONDS.search(line):
        return f" A time needs its seconds: write {time[0]}:00."
    if extension := EXTENSION.match(line):
        return f' An id that is not all letters, digits, - and _ needs quotes: write "{extension[1]}".{extension[2]}.'
    return ""


def _exercise(name: str, entry: object, zone: zoneinfo.ZoneInfo) -> Weighted:
    settings = _of(entry, name)
    _known(settings, {"weight", "due", "full_points"}, name)
    weight = _number(settings.get("weight", 1), f"the weight of {name}", "a number from 0 on")
    due = _moment(settings["due"], f"{name} is due", zone) if "due" in settings else None
    tasks = settings.get("full_points", [])
    if not isinstance(tasks, list) or not all(isinstance(task, str) for task in tasks):
        raise UsageError(f'the full_points of {name} are {tasks!r}, expected a list of tasks such as ["dot_scorer"].')
    return Weighted(weight, due, tuple(tasks))


def _later(
    student: str, name: str, time: object, exercises: Mapping[str, Weighted], zone: zoneinfo.ZoneInfo
) -> datetime.datetime:
    """A learner's own due date, which is later than that of the class."""
    parts = [student]
    while isinstance(time, dict) and time:
        parts, (name, time) = [*parts, name], next(iter(time.items()))
    if parts[1:]:
        raise UsageError(f'an id with a dot needs quotes: write "{".".join(parts)}".{name} for the extension.')
    if name not in exercises:
        raise UsageError(f"the extension of {student} is for {name!r}, expected one of {', '.join(exercises)}.")
    due, later = exercises[name].due, _moment(time, f"the extension of {student} for {name} ends", zone)
    if due is None:
        raise UsageError(f"the extension of {student} is for {name}, which is due at no time: give it a due date.")
    if later <= due:
        raise UsageError(f"the extension of {student} for {name} ends at {time}, expected a time after it is due.")
    return later


def _moment(time: object, what: str, zone: zoneinfo.ZoneInfo) -> datetime.datetime:
    """The moment in UTC; of two, where clocks are changed, the later, which is the better one for learners."""
    if isinstance(time, str) and len(time) > len("2026-11-20"):
        with contextlib.suppress(ValueError):  # told below
            time = datetime.datetime.fromisoformat(time)
    if not isinstance(time, datetime.datetime):
        raise UsageError(f"{what} at {time!s}, {TIME}, in the class's time zone.")
    readings = [time] if time.tzinfo else [time.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
    return max(reading.astimezone(datetime.UTC) for reading in readings)


def _zone(name: str) -> zoneinfo.ZoneInfo:
    try:
        return zoneinfo.ZoneInfo(name)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        raise UsageError(f"time_zone is {name!r}, expected a name such as Europe/Berlin.") from None


def _section(written: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return _of(written.get(name, {}), name)


def _of(entry: object, name: str) -> Mapping[str, Any]:
    if not isinstance(entry, dict):
        raise UsageError(
            f"{name} is {entry!r}, expected a table; the lines of the file that `new-class` made show one."
        )
    return entry


def _known(entry: Mapping[str, Any], known: set[str], name: str) -> None:
    if unknown := sorted(set(entry) - known):
        raise UsageError(f"{name} has {', '.join(unknown)}, expected some of {', '.join(sorted(known))}.")


def _text(written: Mapping[str, Any], key: str, default: str | None = None) -> str:
    text = written.get(key, default)
    if not isinstance(text, str):
        raise UsageError(f"{key} is {'missing' if text is None else repr(text)}, expected a text.")
    return text


def _number(number: object, what: str, expected: str) -> float:
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number < float("inf"):
        raise UsageError(f"{what} is {number!r}, expected {expected}.")
    return float(number)
