"""From what an LMS gave to nbgrader's folders: which assignment, which attempt, whose folder; all of it told."""

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

from autograder.private import make_private
from autograder.submissions.archive import NoRoom, Refused, Taken, Unpacking
from autograder.submissions.decoding import MAX_PARTS
from autograder.submissions.downloads import READERS, Attempt, is_wanted, owner, recognised
from autograder.submissions.roster import Roster
from autograder.submissions.students import alike, folder_name

# One thing that browsers and people append to a name.
APPENDED = re.compile(
    r"\s*+\((?P<a>\d{1,9})\)|[-_ ]copy(?:[-_ ]?\d++|[-_ ](?=[-_ (]|$))?+|[-_](?P<b>\d{1,3})(?!\d)|[-_ ]final",
    re.IGNORECASE,
)
MAX_FILENAME = 255  # characters; longer ones are no copies of anything
AGES_AGO = datetime.datetime.min.replace(tzinfo=datetime.UTC)
DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)  # faults that the next learner's files meet as well

Outcome = Literal["new", "unchanged", "replaced", "kept"]  # kept: another submission was there, and stays


class DownloadError(Exception):
    """The download as a whole cannot be used; the message is one clear line."""


@dataclass(frozen=True)
class Collected:
    """One submission and what became of it."""

    student: str
    assignment: str
    source: str  # its name in the download
    time: str  # of submission, as nbgrader writes it; empty where it is not known
    outcome: Outcome


@dataclass
class Haul:
    """What came of one download."""

    lms: str
    submissions: list[Collected] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)  # file, why
    housekeeping: int = 0  # files that nobody handed in, of macOS and the like
    without: list[str] = field(default_factory=list)  # learners who handed in, and of whom nothing was collected
    untimed: str = ""  # of which submissions no time is known; empty where all are


@dataclass(frozen=True)
class Rules:
    """What is known of the course: its assignments, its people, and what may be overwritten."""

    assignments: Sequence[str]
    roster: Roster | None = None
    assignment: str = ""  # every notebook is of this one, whatever it is called
    replace: bool = False  # a different submission that is there already gives way


def collect(downloads: Sequence[Path], to: Path, lms: str, rules: Rules) -> Haul:
    """Put the last attempt of each learner at each assignment into ``to/<student>/<assignment>/``.

    ``lms`` is "canvas", "moodle" or "gradescope", or empty to tell by the names.

    Raises:
        DownloadError: there is no such download, it cannot be read, or the disk takes nothing.
    """
    with tempfile.TemporaryDirectory() as folder:
        unpacking = Unpacking(Path(folder), is_wanted, owner)
        for download in downloads:
            try:
                unpacking.take(download)
            except OSError as error:
                raise DownloadError(f"the download {download} cannot be read: {error.strerror}.") from None
            except Refused as error:
                raise DownloadError(f"the download {download} cannot be read: {error}.") from None
            except NoRoom as error:
                raise DownloadError(f"{error}.") from None
        lms = lms or recognised(unpacking.files)
        try:
            attempts, unknown = READERS[lms](unpacking.files)
        except ValueError as error:
            raise DownloadError(str(error)) from None
        haul = Haul(lms, [], [], [*unpacking.left_out, *unknown], unpacking.housekeeping)
        groups: dict[tuple[str, str], list[Attempt]] = defaultdict(list)
        for student, attempt in _named(attempts, rules.roster, haul.notes):
            assignment = rules.assignment or assignment_of(attempt.filename, attempt.file, rules.assignments)
            if assignment:
                groups[student, assignment].append(attempt)
            else:
                haul.left_out.append((attempt.file.name, f"it is none of {', '.join(rules.assignments)}"))
        collected = set()
        for (student, assignment), several in sorted(groups.items(), key=lambda pair: pair[0]):
            last = _last(several, student, assignment, haul)
            try:
                outcome = _place(last, to, student, assignment, rules.replace)
            except OSError as error:
                place = to / student / assignment
                if error.errno in DISK:
                    raise DownloadError(
                        f"{place} cannot be written: {error.strerror}; what lies there stays."
                    ) from None
                haul.left_out.append((last.file.name, f"{place} cannot be written: {error.strerror}"))
                continue
            haul.submissions.append(Collected(student, assignment, last.file.name, _stamp(last.time), outcome))
            collected |= {owner(one.file.parts) for one in several}
        haul.without = sorted(set(unpacking.seen) - collected - {""})
    _tell_alike(groups, to, haul)
    _tell_times(groups, haul)
    return haul


def assignment_of(filename: str, file: Taken, assignments: Iterable[str]) -> str:
    """Which assignment it is: by its name, whatever was appended to that; else by what the notebook says of itself."""
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
    """The number that was appended to the name; 0 where something else was, and none where it is no copy of it."""
    pattern = re.escape(name).replace("_", "[-_ ]")
    found = re.match(rf"(?:copy[ _]of[ _])?{pattern}", stem, re.IGNORECASE)
    numbers = {"a": 0, "b": 0}
    while found and found.end() < len(stem):
        found = APPENDED.match(stem, found.end())
        numbers |= {key: int(text) for key, text in found.groupdict().items() if text} if found else {}
    return (numbers["a"] or numbers["b"]) if found else None


def _stem(filename: str) -> str:
    """The name without its ending; of a file that is called too long for one, none."""
    return Path(filename).stem.strip() if len(filename) <= MAX_FILENAME else ""


def _named(attempts: Sequence[Attempt], roster: Roster | None, notes: list[str]) -> list[tuple[str, Attempt]]:
    """Each attempt with its student's name in the gradebook."""
    known: list[tuple[str, str, Attempt]] = []  # what to call the student, what makes them another, the attempt
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


def _last(several: list[Attempt], student: str, assignment: str, haul: Haul) -> Attempt:
    """The attempt that counts; the others are told."""
    ordered = sorted(enumerate(several), key=lambda pair: (*_rank(pair[1], assignment), pair[0]))
    *earlier, last = [attempt for _, attempt in ordered]
    if earlier:
        haul.notes.append(f"{student}: {len(several)} attempts at {assignment}; the last one counts, {last.file.name}.")
        haul.left_out += [(one.file.name, "an earlier attempt") for one in earlier]
    return last


def _rank(attempt: Attempt, assignment: str) -> tuple[datetime.datetime, int, int]:
    return attempt.time or AGES_AGO, attempt.order, _appended(_stem(attempt.filename), assignment) or 0


def _place(attempt: Attempt, to: Path, student: str, assignment: str, replace: bool) -> Outcome:
    """Raises OSError where the file cannot be laid there; nothing is written through links."""
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
        stamp.unlink(missing_ok=True)  # a time that belongs to another attempt would be a wrong one
        if attempt.time:
            _write(stamp, f"{_stamp(attempt.time)}\n".encode())
    return outcome


def _stamp(time: datetime.datetime | None) -> str:
    """As nbgrader's exchange writes it."""
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


def _tell_alike(groups: Iterable[tuple[str, str]], to: Path, haul: Haul) -> None:
    here = {student for student, _ in groups}
    there = {path.name for path in to.iterdir() if path.is_dir()} if to.is_dir() else set()
    for names in alike(here | there):
        if here & set(names):
            told = ", ".join(map(repr, names))
            haul.notes.append(f"{told} look alike, and are taken for different learners: see whether they are.")


def _tell_times(groups: dict[tuple[str, str], list[Attempt]], haul: Haul) -> None:
    untimed = [one for one in haul.submissions if not one.time]
    if not untimed:
        return
    text = f"no time of submission is known for {len(untimed)} of {len(haul.submissions)}"
    if haul.lms != "gradescope":
        text += f", for {haul.lms.title()} does not give it with the files"
    late = sorted({student for (student, _), several in groups.items() if any(one.late for one in several)})
    text += f"; late by {haul.lms.title()}'s word: {', '.join(late)}" if late else ""
    haul.untimed = f"{text}. Late penalties need times"
