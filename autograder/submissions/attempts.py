"""From what an LMS gave to nbgrader's folders: which assignment, which attempt, whose folder; all of it told."""

import datetime
import json
import os
import re
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from autograder.submissions.archive import Refused, Taken, Unpacking
from autograder.submissions.downloads import READERS, Attempt, is_wanted, recognised
from autograder.submissions.roster import Roster

COPY = r"(?:\s*\((?P<a>\d+)\)|[-_ ]copy[-_ ]?\d*|[-_](?P<b>\d{1,3})|[-_ ]final)*"  # what browsers and people append
AGES_AGO = datetime.datetime.min.replace(tzinfo=datetime.UTC)

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
        DownloadError: there is no such download, or it cannot be read.
    """
    with tempfile.TemporaryDirectory() as folder:
        unpacking = Unpacking(Path(folder), is_wanted)
        for download in downloads:
            try:
                unpacking.take(download)
            except OSError as error:
                raise DownloadError(f"the download {download} cannot be read: {error.strerror}.") from None
            except Refused as error:
                raise DownloadError(f"the download {download} cannot be read: {error}.") from None
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
        for (student, assignment), several in sorted(groups.items(), key=lambda pair: pair[0]):
            last = _last(several, student, assignment, haul)
            outcome = _place(last, to / student / assignment, assignment, rules.replace)
            haul.submissions.append(Collected(student, assignment, last.file.name, _stamp(last.time), outcome))
    _tell_times(groups, haul)
    return haul


def assignment_of(filename: str, file: Taken, assignments: Iterable[str]) -> str:
    """Which assignment it is: by its name, whatever was appended to that; else by what the notebook says of itself."""
    stem = Path(filename).stem.strip()
    for name in sorted(assignments, key=len, reverse=True):
        if stem == name or _appended(stem, name):
            return name
    try:
        metadata = json.loads(file.path.read_bytes())["metadata"]["course"]["assignment"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""
    return metadata if metadata in list(assignments) else ""


def _appended(stem: str, name: str) -> re.Match[str] | None:
    pattern = re.escape(name).replace("_", "[-_ ]")
    return re.fullmatch(rf"(?:copy[ _]of[ _])?{pattern}{COPY}", stem, re.IGNORECASE)


def _named(attempts: Sequence[Attempt], roster: Roster | None, notes: list[str]) -> list[tuple[str, Attempt]]:
    """Each attempt with its student's name in the gradebook."""
    numbers: dict[str, set[str]] = defaultdict(set)
    for attempt in attempts:
        numbers[_folder(attempt.student).casefold()].add(attempt.number)
    named = []
    for attempt in attempts:
        person = roster.find((attempt.number, *attempt.others, attempt.name)) if roster else ""
        if not isinstance(person, str):
            named.append((_folder(person.student), replace(attempt, time=attempt.time or person.time)))
            continue
        student = _folder(attempt.student)
        if len(numbers[student.casefold()]) > 1:
            student = _folder(f"{student}_{attempt.number}")
            notes.append(f"several are called {attempt.student}: this one is kept as {student}.")
        if roster:
            notes.append(f"{attempt.name or attempt.number}: {person}; kept as {student}.")
        named.append((student, attempt))
    notes[:] = dict.fromkeys(notes)
    return named


def _folder(student: str) -> str:
    """The student's name as the name of a folder, which can be nothing else."""
    text = re.sub(r"[^\w.@+-]+", "_", unicodedata.normalize("NFC", student)).strip("._-")
    return text[:100].rstrip("._-") or "unnamed"


def _last(several: list[Attempt], student: str, assignment: str, haul: Haul) -> Attempt:
    """The attempt that counts; the others are told."""
    ordered = sorted(enumerate(several), key=lambda pair: (*_rank(pair[1], assignment), pair[0]))
    *earlier, last = [attempt for _, attempt in ordered]
    if earlier:
        haul.notes.append(f"{student}: {len(several)} attempts at {assignment}; the last one counts, {last.file.name}.")
        haul.left_out += [(one.file.name, "an earlier attempt") for one in earlier]
    return last


def _rank(attempt: Attempt, assignment: str) -> tuple[datetime.datetime, int, int]:
    match = _appended(Path(attempt.filename).stem.strip(), assignment)
    appended = int(match["a"] or match["b"] or 0) if match else 0
    return attempt.time or AGES_AGO, attempt.order, appended


def _place(attempt: Attempt, folder: Path, assignment: str, replace: bool) -> Outcome:
    for path in (folder.parent, folder):
        if path.is_symlink():
            raise DownloadError(f"{path} is a link, expected a folder; nothing is written through links.")
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
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.write_bytes(data)
    os.replace(fresh, path)


def _tell_times(groups: dict[tuple[str, str], list[Attempt]], haul: Haul) -> None:
    untimed = [one for one in haul.submissions if not one.time]
    if not untimed:
        return
    text = f"no time of submission is known for {len(untimed)} of {len(haul.submissions)}"
    if haul.lms != "gradescope":
        text += f", for {haul.lms.title()} does not give it with the files"
    late = sorted({student for (student, _), several in groups.items() if any(one.late for one in several)})
    text += f"; late by {haul.lms.title()}'s word: {', '.join(late)}" if late else ""
    haul.notes.append(f"{text}. Late penalties need times: --roster with a column submitted_at gives them.")
