"""Sorts an LMS's download into nbgrader's folders by student, assignment and last attempt, and reports every choice."""

import errno
import os
import tempfile
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal

from autograder.collect.archive import Unpacking
from autograder.collect.attempts import Selection, shortened, sorted_out
from autograder.collect.downloads import METADATA, READERS, Attempt, by_folders, owner, recognised
from autograder.errors import UsageError, several
from autograder.notebook_files.bundle import TIMESTAMP
from autograder.notebook_files.content import Exercises
from autograder.notebook_files.which_notebook import NOTEBOOK
from autograder.private import make_private
from autograder.submissions.roster import Roster
from autograder.submissions.student_names import alike, folder_name
from autograder.submissions.submitted_files import timestamp
from autograder.submissions.times import Clock, stamp

DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)  # errors that would also affect the next learner's files
OTHER_SYSTEM = (
    "this is no download of Canvas, Moodle or Gradescope, and those of other systems, such as Blackboard, Brightspace "
    "and Google Classroom, are not read: lay the notebooks out as submitted/<student>/<exercise>/<exercise>.ipynb, "
    "with the time in a timestamp.txt beside each where lateness counts, and `grade` reads them."
)

Outcome = Literal["new", "unchanged", "replaced", "kept"]  # kept: another submission was there and was not replaced


@dataclass(frozen=True)
class Collected:
    """One submission and its outcome."""

    student: str
    assignment: str
    source: str  # its name in the download
    time: str  # of submission, the one that counts, as nbgrader writes it; empty if unknown
    outcome: Outcome
    kept_back: str = ""  # another time that the download or the roster gives it


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
    unidentified: list[str] = field(default_factory=list)  # notebooks of which nothing says which exercise they are
    ownerless: list[str] = field(default_factory=list)  # notebooks of which nothing says whose they are


@dataclass(frozen=True)
class Rules:
    """The course's assignments and roster, and what may be overwritten."""

    assignments: Exercises
    roster: Roster | None = None
    assignment: str = ""  # if given, every notebook is for this one, whatever its name
    replace: bool = False  # overwrite existing submissions that differ, and their times
    clock: Clock = field(default_factory=Clock)  # how times that are there already are read


def collect(downloads: Sequence[Path], to: Path, lms: str, rules: Rules) -> ImportResult:
    """Put the last attempt of each learner at each assignment into ``to/<student>/<assignment>/``.

    ``lms`` is "canvas", "moodle" or "gradescope", or empty to detect it from the names.

    Raises:
        UsageError: there is no such download, it cannot be read, or the disk cannot be written.
    """
    if not _there(to).is_dir():
        raise UsageError(f"--to {to} cannot be a folder, because there is a file of that name: name another.")
    with tempfile.TemporaryDirectory() as folder:
        whose = partial(owner, roster=rules.roster)
        unpacking = Unpacking(Path(folder), _is_wanted, whose)
        systems: dict[str, list[str]] = defaultdict(list)
        for download in downloads:
            before = len(unpacking.files)
            unpacking.take(download)
            systems[recognised(unpacking.files[before:])].append(str(download))
        if not lms and len(systems.keys() - {""}) > 1:
            which = "; ".join(f"{name.title()}: {', '.join(names)}" for name, names in systems.items() if name)
            raise UsageError(f"these downloads are of several systems, {which}: collect those of one after the other.")
        lms = lms or recognised(unpacking.files)
        known = rules.roster, rules.assignments, rules.assignment
        attempts, unknown = READERS[lms](unpacking.files) if lms else by_folders(unpacking.files, *known)
        result = ImportResult(lms, [], [], [*unpacking.left_out, *unknown], unpacking.housekeeping)
        result.ownerless = [name for name, _ in unknown if NOTEBOOK.search(name)]
        if not (lms or attempts):
            result.notes.append(OTHER_SYSTEM)
        if lms == "canvas" and rules.roster:  # Moodle's numbers are others for each assignment
            _note_names(attempts, rules.roster, result.notes)
        learners: dict[str, list[Attempt]] = defaultdict(list)
        for student, attempt in _named(attempts, rules.roster, result.notes):
            learners[student].append(attempt)
        collected: set[str] = set()
        for student, several in sorted(learners.items()):
            collected |= _collect(student, several, to, rules, result)
        result.left_out = shortened(result.left_out, whose)
        result.without = sorted(set(unpacking.counts) - collected - {""})
    _note_alike(learners, to, result)
    _note_times(learners, result)
    return result


def _note_names(attempts: Sequence[Attempt], roster: Roster, notes: list[str]) -> None:
    named = {(roster.by_name_alone(attempt.number, attempt.name), attempt.number) for attempt in attempts}
    if people := [f"{student} (here {number})" for student, number in sorted(named) if student]:
        notes.append(f"known by the name alone, as the roster has another number: {several(people)}; check who it is.")


def _there(path: Path) -> Path:
    """The path itself, or the nearest folder above it that there is."""
    return next(above for above in (path, *path.parents, Path()) if os.path.exists(above))


def _is_wanted(name: str) -> bool:
    return bool(NOTEBOOK.search(name)) or name == METADATA


def _collect(student: str, attempts: Sequence[Attempt], to: Path, rules: Rules, result: ImportResult) -> set[str]:
    """Place one learner's work; returns the owners of the files of which something was placed."""
    files = sorted_out(attempts, rules.assignments, rules.assignment)
    result.left_out += [(attempt.file.name, why) for attempt, why in files.left_out]
    none = f"it is none of {', '.join(rules.assignments)}"
    result.left_out += [(attempt.file.name, none) for attempt in files.unidentified]
    result.unidentified += [attempt.file.name for attempt in files.unidentified]
    owners = set()
    for work in files.works:
        last, name = work.notebook, work.assignment
        if work.earlier:
            result.notes.append(f"{student}: {len(work.earlier) + 1} attempts at {name}; {last.file.name} counts.")
        try:
            outcome = _put(work, to / student / name, rules.replace)
            time = stamp(last.time) if last.time else ""
            counting, outcome = _dated(to / student / name / TIMESTAMP, time, outcome, rules)
        except OSError as error:
            reason = f"{to / student / name} cannot be written: {error.strerror}"
            if not os.access(_there(to), os.W_OK | os.X_OK):  # nor can the next learner's
                raise UsageError(f"--to {to} cannot be written: {error.strerror}; name another folder.") from None
            if error.errno in DISK:
                raise UsageError(f"{reason}; existing files are unchanged.") from None
            result.left_out.append((last.file.name, reason))
            continue
        kept_back = time if time != counting and outcome != "kept" else ""
        result.submissions.append(Collected(student, name, last.file.name, counting, outcome, kept_back))
        owners |= {owner(attempt.file.parts, rules.roster) for attempt in (last, *work.earlier)}
    return owners


def _named(attempts: Sequence[Attempt], roster: Roster | None, notes: list[str]) -> list[tuple[str, Attempt]]:
    """Each attempt with its student's folder name."""
    known: list[tuple[str, str, Attempt]] = []  # student's name, what identifies them, the attempt
    listed: set[tuple[str, int]] = set()  # student and file
    for attempt in attempts:
        people = roster.submitters((*attempt.others, attempt.number), attempt.name) if roster else ""
        who = attempt.name or attempt.number
        if not isinstance(people, str):
            for person in people:
                dated = replace(attempt, time=attempt.time or person.time)
                if (person.student, id(attempt.file)) not in listed:  # Gradescope lists it with each submitter
                    known.append((person.student, f"roster {person.student}", dated))
                    listed.add((person.student, id(attempt.file)))
            if len(people) > 1:
                notes.append(f"{who}: handed in for {', '.join(person.student for person in people)}.")
            continue
        known.append((attempt.student, attempt.number, attempt))
        if roster:
            notes.append(f"{who}: {people}; kept as {folder_name(attempt.student)}.")
    owners: dict[str, set[str]] = defaultdict(set)
    for student, who, _ in known:
        owners[folder_name(student).casefold()].add(who)
    named = []
    for student, who, attempt in known:
        name = folder_name(student)
        if len(owners[name.casefold()]) > 1 and not (who.startswith("roster ") and name == student):
            name = folder_name(student, attempt.number)
            notes.append(f"several are called {student}: this one is kept as {name}.")
        named.append((name, attempt))
    notes[:] = dict.fromkeys(notes)
    return named


def _put(work: Selection, folder: Path, replace: bool) -> Outcome:
    """Write the files, never through links; raises OSError if they cannot be written."""
    sources = {f"{work.assignment}.ipynb": work.notebook, **work.files}
    within = {folder / parent for name in sources for parent in Path(name).parents}
    for path in sorted({folder.parent, *within}):
        if path.is_symlink():
            raise OSError(errno.ELOOP, "it is a link, expected a folder", str(path))
    files = {name: attempt.file.path.read_bytes() for name, attempt in sources.items()}
    existing = sorted(folder.glob("*.ipynb"))
    if all(_holds(folder / name, data) for name, data in files.items()):
        outcome: Outcome = "unchanged"
    elif existing and not replace:
        return "kept"
    else:
        outcome = "replaced" if existing else "new"
        for name, data in files.items():
            _write(folder / name, data)
        if existing:
            _remove_others(folder, {folder / name for name in (*files, TIMESTAMP)})
    return outcome


def _dated(path: Path, time: str, outcome: Outcome, rules: Rules) -> tuple[str, Outcome]:
    """Write the time of submission unless another one is to be kept; returns the one that counts."""
    before, _ = timestamp(path, rules.clock)
    is_new = outcome in ("new", "replaced") or not path.exists()
    if outcome == "kept" or not (is_new or (rules.replace and time)):
        return before, outcome
    path.unlink(missing_ok=True)  # it would be another attempt's time
    if time:
        _write(path, f"{time}\n".encode())
    return time, "replaced" if not is_new and time != before else outcome


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and not path.is_symlink() and path.read_bytes() == data


def _remove_others(folder: Path, new: set[Path]) -> None:
    """Remove what another attempt left, or its modules would run beside this one's notebook."""
    for path in sorted(folder.rglob("*"), reverse=True):
        is_folder = path.is_dir() and not path.is_symlink()
        if is_folder and not any(path.iterdir()):
            path.rmdir()
        elif not is_folder and path not in new:
            path.unlink()


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


def _note_alike(learners: Collection[str], to: Path, result: ImportResult) -> None:
    folders = {path.name for path in to.iterdir() if path.is_dir()} if to.is_dir() else set()
    for names in alike(folders.union(learners)):
        if set(learners) & set(names):
            listed = ", ".join(map(repr, names))
            result.notes.append(f"{listed} look alike and are treated as different learners: check that they are.")


def _note_times(learners: Mapping[str, Sequence[Attempt]], result: ImportResult) -> None:
    untimed = [submission for submission in result.submissions if not submission.time]
    if not untimed:
        return
    text = f"no time of submission is known for {len(untimed)} of {len(result.submissions)}"
    if result.lms not in ("", "gradescope"):
        text += f", as {result.lms.title()} does not include it in the download"
    late = sorted(student for student, attempts in learners.items() if any(attempt.late for attempt in attempts))
    text += f"; late according to {result.lms.title()}: {', '.join(late)}" if late else ""
    result.untimed = f"{text}. Late penalties need times"
