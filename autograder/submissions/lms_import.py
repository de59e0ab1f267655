"""Sorts an LMS's download into nbgrader's folders by student, assignment and last attempt, and reports every choice."""

import datetime
import errno
import json
import os
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from autograder.errors import UsageError
from autograder.private import make_private
from autograder.submissions.archive import ExtractedFile, Unpacking
from autograder.submissions.downloads import READERS, Attempt, is_wanted, owner, recognised
from autograder.submissions.file_text import MAX_PARTS
from autograder.submissions.students import Roster, alike, folder_name

# A suffix that browsers and people append to a name.
APPENDED = re.compile(
    r"\s*+\((?P<a>\d{1,9})\)|[-_ ]copy(?:[-_ ]?\d++|[-_ ](?=[-_ (]|$))?+|[-_](?P<b>\d{1,3})(?!\d)|[-_ ]final",
    re.IGNORECASE,
)
MAX_FILENAME = 255  # characters; a longer name is not recognised as a copy
EARLIEST = datetime.datetime.min.replace(tzinfo=datetime.UTC)
DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)  # errors that would also affect the next learner's files

Outcome = Literal["new", "unchanged", "replaced", "kept"]  # kept: another submission was there and was not replaced


@dataclass(frozen=True)
class Collected:
    """One submission and its outcome."""

    student: str
    assignment: str
    source: str  # its name in the download
    time: str  # of submission, as nbgrader writes it; empty if unknown
    outcome: Outcome


@dataclass
class ImportResult:
    """The result of importing one download."""

    lms: str
    submissions: list[Collected] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)  # file, why
    housekeeping: int = 0  # files made by macOS and the like
    without: list[str] = field(default_factory=list)  # learners with files in the download but nothing collected
    untimed: str = ""  # message on submissions without a time; empty if all have one


@dataclass(frozen=True)
class Rules:
    """The course's assignments and roster, and what may be overwritten."""

    assignments: Sequence[str]
    roster: Roster | None = None
    assignment: str = ""  # if given, every notebook is for this one, whatever its name
    replace: bool = False  # overwrite existing submissions that differ


def collect(downloads: Sequence[Path], to: Path, lms: str, rules: Rules) -> ImportResult:
    """Put the last attempt of each learner at each assignment into ``to/<student>/<assignment>/``.

    ``lms`` is "canvas", "moodle" or "gradescope", or empty to detect it from the names.

    Raises:
        UsageError: there is no such download, it cannot be read, or the disk cannot be written.
    """
    with tempfile.TemporaryDirectory() as folder:
        unpacking = Unpacking(Path(folder), is_wanted, owner)
        for download in downloads:
            unpacking.take(download)
        lms = lms or recognised(unpacking.files)
        attempts, unknown = READERS[lms](unpacking.files)
        result = ImportResult(lms, [], [], [*unpacking.left_out, *unknown], unpacking.housekeeping)
        groups: dict[tuple[str, str], list[Attempt]] = defaultdict(list)
        for student, attempt in _named(attempts, rules.roster, result.notes):
            assignment = rules.assignment or assignment_of(attempt.filename, attempt.file, rules.assignments)
            if assignment:
                groups[student, assignment].append(attempt)
            else:
                result.left_out.append((attempt.file.name, f"it is none of {', '.join(rules.assignments)}"))
        collected = set()
        for (student, assignment), several in sorted(groups.items(), key=lambda pair: pair[0]):
            last = _last(several, student, assignment, result)
            try:
                outcome = _place(last, to, student, assignment, rules.replace)
            except OSError as error:
                reason = f"{to / student / assignment} cannot be written: {error.strerror}"
                if error.errno in DISK:
                    raise UsageError(f"{reason}; existing files are unchanged.") from None
                result.left_out.append((last.file.name, reason))
                continue
            result.submissions.append(Collected(student, assignment, last.file.name, _stamp(last.time), outcome))
            collected |= {owner(one.file.parts) for one in several}
        result.without = sorted(set(unpacking.seen) - collected - {""})
    _note_alike(groups, to, result)
    _note_times(groups, result)
    return result


def assignment_of(filename: str, file: ExtractedFile, assignments: Iterable[str]) -> str:
    """The file's assignment: by its name, ignoring suffixes; else by the notebook's own metadata; else empty."""
    stem = _stem(filename)
    for name in sorted(assignments, key=len, reverse=True):
        if stem == name or _appended(stem, name) is not None:
            return name
    data = file.path.read_bytes()
    if sum(map(data.count, (b"[", b"{", b","))) > MAX_PARTS:
        return ""
    try:
        metadata = json.loads(data)["metadata"]["course"]["assignment"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""
    return metadata if metadata in list(assignments) else ""


def _appended(stem: str, name: str) -> int | None:
    """The number appended to the name; 0 for any other suffix; None if the stem is not a copy of the name."""
    pattern = re.escape(name).replace("_", "[-_ ]")
    found = re.match(rf"(?:copy[ _]of[ _])?{pattern}", stem, re.IGNORECASE)
    numbers = {"a": 0, "b": 0}
    while found and found.end() < len(stem):
        found = APPENDED.match(stem, found.end())
        numbers |= {key: int(text) for key, text in found.groupdict().items() if text} if found else {}
    return (numbers["a"] or numbers["b"]) if found else None


def _stem(filename: str) -> str:
    """The name without its extension; empty if the name is too long."""
    return Path(filename).stem.strip() if len(filename) <= MAX_FILENAME else ""


def _named(attempts: Sequence[Attempt], roster: Roster | None, notes: list[str]) -> list[tuple[str, Attempt]]:
    """Each attempt with its student's folder name."""
    known: list[tuple[str, str, Attempt]] = []  # student's name, what identifies them, the attempt
    for attempt in attempts:
        person = roster.find((attempt.number, *attempt.others, attempt.name)) if roster else ""
        if not isinstance(person, str):
            dated = replace(attempt, time=attempt.time or person.time)
            known.append((person.student, f"roster {person.student}", dated))
            continue
        known.append((attempt.student, attempt.number, attempt))
        if roster:
            who = attempt.name or attempt.number
            notes.append(f"{who}: {person}; kept as {folder_name(attempt.student)}.")
    people: dict[str, set[str]] = defaultdict(set)
    for student, who, _ in known:
        people[folder_name(student).casefold()].add(who)
    named = []
    for student, who, attempt in known:
        name = folder_name(student)
        if len(people[name.casefold()]) > 1 and not (who.startswith("roster ") and name == student):
            name = folder_name(student, attempt.number)
            notes.append(f"several are called {student}: this one is kept as {name}.")
        named.append((name, attempt))
    notes[:] = dict.fromkeys(notes)
    return named


def _last(several: list[Attempt], student: str, assignment: str, result: ImportResult) -> Attempt:
    """The attempt that counts; the others are reported."""

    def rank(one: Attempt) -> tuple[datetime.datetime, int, int]:
        return one.time or EARLIEST, one.order, _appended(_stem(one.filename), assignment) or 0

    *earlier, last = sorted(several, key=rank)
    if earlier:
        result.notes.append(f"{student}: {len(several)} attempts at {assignment}; the last counts, {last.file.name}.")
        result.left_out += [(one.file.name, "an earlier attempt") for one in earlier]
    return last


def _place(attempt: Attempt, to: Path, student: str, assignment: str, replace: bool) -> Outcome:
    """Write the file, never through links; raises OSError if it cannot be written."""
    folder = to / student / assignment
    for path in (folder.parent, folder):
        if path.is_symlink():
            raise OSError(errno.ELOOP, "it is a link, expected a folder", str(path))
    data, target = attempt.file.path.read_bytes(), folder / f"{assignment}.ipynb"
    there = sorted(folder.glob("*.ipynb"))
    if target.is_file() and not target.is_symlink() and target.read_bytes() == data:
        outcome: Outcome = "unchanged"
    elif there and not replace:
        return "kept"
    else:
        outcome = "replaced" if there else "new"
        _write(target, data)
    stamp = folder / "timestamp.txt"
    if outcome == "replaced" or not stamp.exists():
        stamp.unlink(missing_ok=True)  # it would be another attempt's time
        if attempt.time:
            _write(stamp, f"{_stamp(attempt.time)}\n".encode())
    return outcome


def _stamp(time: datetime.datetime | None) -> str:
    """The time as nbgrader's exchange writes it."""
    return f"{time.astimezone(datetime.UTC):%Y-%m-%d %H:%M:%S.%f} UTC" if time else ""


def _write(path: Path, data: bytes) -> None:
    make_private(path.parent)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_bytes(data)
        fresh.chmod(0o600)
        os.replace(fresh, path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def _note_alike(groups: Iterable[tuple[str, str]], to: Path, result: ImportResult) -> None:
    here = {student for student, _ in groups}
    there = {path.name for path in to.iterdir() if path.is_dir()} if to.is_dir() else set()
    for names in alike(here | there):
        if here & set(names):
            listed = ", ".join(map(repr, names))
            result.notes.append(f"{listed} look alike and are treated as different learners: check that they are.")


def _note_times(groups: dict[tuple[str, str], list[Attempt]], result: ImportResult) -> None:
    untimed = [one for one in result.submissions if not one.time]
    if not untimed:
        return
    text = f"no time of submission is known for {len(untimed)} of {len(result.submissions)}"
    if result.lms != "gradescope":
        text += f", as {result.lms.title()} does not include it in the download"
    late = sorted({student for (student, _), several in groups.items() if any(one.late for one in several)})
    text += f"; late according to {result.lms.title()}: {', '.join(late)}" if late else ""
    result.untimed = f"{text}. Late penalties need times"
