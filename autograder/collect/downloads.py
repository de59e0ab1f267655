"""Finds the owner of each file in an LMS's download, from the naming schemes of Canvas, Moodle and Gradescope.

Canvas      ``lovelaceada_LATE_1234_56789_05_scorers-2.ipynb``: name, LATE if late, user, attachment, file;
            with anonymous grading ``anon_x7Yz1_56789_05_scorers.ipynb``.
            (instructure/canvas-lms, lib/content_zipper.rb: get_filename, add_upload_submission)
Moodle      ``Ada Lovelace_123456_assignsubmission_file_/05_scorers.ipynb``, or, with "Download submissions in folders"
            switched off, ``Ada Lovelace_123456_assignsubmission_file_05_scorers.ipynb``; 123456 is the participant's
            number, as in the grading worksheet.
            (moodle/moodle, mod/assign/classes/downloader.php: load_submissionplugin_filelist)
Gradescope  ``assignment_1_export/submission_123456789/05_scorers.ipynb`` beside ``submission_metadata.yml``, which has
            the submitters and the time of each.

None        ``s032/hw5.ipynb``, as sorted out of e-mails: a folder by which the roster knows one learner.

The outermost such name decides the owner, and names inside an archive are ignored: everything in a submission belongs
to its submitter, whatever it is called.
File times in a download are never used: they are those of the download, not of the submission.
"""

import datetime
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from autograder.collect.archive import ExtractedFile
from autograder.errors import UsageError
from autograder.notebook_files.content import Exercises, exercise_of
from autograder.notebook_files.which_notebook import NOTEBOOK, OPENED, UNOPENED
from autograder.submissions.roster import Person, Roster
from autograder.submissions.times import Clock, NoTime

CANVAS = re.compile(
    r"(?:(?P<name>(?!(?:LATE_)?anon_).+?)_)?(?P<late>LATE_)?(?P<user>\d+|anon_[A-Za-z0-9]+)_(?P<file>\d+)_(?P<rest>.+)",
    re.DOTALL,
)
MOODLE = re.compile(r"(?P<name>.*?)_(?P<user>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<rest>.*))?", re.DOTALL)
GRADESCOPE = re.compile(r"submission_(?P<user>\d+)")
METADATA = "submission_metadata.yml"


@dataclass(frozen=True)
class Attempt:
    """One file submitted by one learner."""

    file: ExtractedFile
    filename: str  # as the learner called it
    path: str  # the same with its folders and archives
    student: str  # the learner's name unless a roster gives another
    name: str  # of the learner, as the LMS writes it; may be empty
    number: str  # of the learner, unique within the LMS
    others: tuple[str, ...] = ()  # other identifiers that a roster may have, most reliable first
    time: datetime.datetime | None = None
    order: int = 0  # among one learner's attempts; the highest is the last
    late: bool = False  # according to the LMS
    unit: str = ""  # what was handed in at once, where the LMS keeps several
    is_renamed: bool = False  # the LMS may have put a number at the end of the name


Unknown = tuple[str, str]  # name of the file, why its owner is unknown


class OwnerPart(NamedTuple):
    """The path component in which an LMS names a file's owner: its depth, the LMS, and the match."""

    depth: int
    lms: str
    match: re.Match[str]


def owner_part(parts: Sequence[str]) -> OwnerPart | None:
    for depth, part in enumerate(parts):
        matches = [
            OwnerPart(depth, lms, match)
            for lms, pattern in PATTERNS.items()
            if (match := pattern.fullmatch(part)) and (lms != "canvas" or match["name"] or "anon_" in match["user"])
        ]
        if (
            matches
        ):  # the learner chose the name's end: if two patterns match, the one whose number comes first is right
            return min(matches, key=lambda part: part.match.start("user"))
        if is_archive(part):
            return None
    return None


def owner(parts: Sequence[str], roster: Roster | None = None) -> str:
    """The file's owner, as a text unique to each learner; empty if nobody's."""
    at = owner_part(parts)
    if at and at.lms == "gradescope":
        return at.match[0]
    name = (at.match["name"] or "") if at else "".join(folder_of(parts, roster)[:1])
    person = roster.person(_numbers(at) if at else (), name) if roster else ""
    if isinstance(person, Person):
        return person.student
    return f"{name} ({at.match['user']})" if at and name else at.match["user"] if at else name


def _numbers(at: OwnerPart) -> tuple[str, ...]:
    """By which a roster may know the owner, most reliable first."""
    user = at.match["user"]
    return (f"Participant {user}", user) if at.lms == "moodle" else (user,)


def folder_of(parts: Sequence[str], roster: Roster | None) -> Sequence[str]:
    """The path from the outermost folder on that is called like a learner of the roster; empty if there is none."""
    for depth, part in enumerate(parts[:-1] if roster else ()):
        if is_archive(part):
            break
        if roster and roster.named(part):
            return parts[depth:]
    return ()


def by_folders(
    files: Sequence[ExtractedFile], roster: Roster | None, exercises: Exercises, assignment: str
) -> tuple[list[Attempt], list[Unknown]]:
    """The attempts of no LMS: what lies in learners' folders, and of notebooks those of a known exercise."""
    attempts, unknown = [], []
    for file in files:
        folder, *path = folder_of(file.parts, roster) or ("",)
        person = roster.find([folder]) if roster and folder else "its name does not say whose it is"
        if isinstance(person, str):
            unknown.append((file.name, person))
        elif assignment or exercise_of(file.content, exercises) or not NOTEBOOK.search(path[-1]):
            attempts.append(Attempt(file, path[-1], "/".join(path), folder, folder, folder))
        else:
            unknown.append((file.name, "its cells do not say which exercise it is; --assignment NAME does"))
    return attempts, unknown


def by_names(files: Sequence[ExtractedFile], lms: str, scheme: str) -> tuple[list[Attempt], list[Unknown]]:
    """The attempts of Canvas or Moodle, whose names say everything; ``scheme`` describes them for the left out."""
    attempts, unknown = [], []
    for file in files:
        at = owner_part(file.parts)
        fields = at.match.groupdict() if at and at.lms == lms else {"kind": ""}
        if at is None or fields.get("kind", "file") != "file":
            unknown.append((file.name, scheme))
            continue
        name, user, inner = fields["name"] or "", fields["user"], file.parts[at.depth + 1 :]
        rest = fields["rest"] or ("" if inner else at.match[0])
        filename, path = (inner or (rest,))[-1], "/".join(filter(None, (rest, *inner)))
        others = _numbers(at)[:-1]
        order, late = int(fields.get("file", "0")[:18]), bool(fields.get("late"))
        named = file, filename, path, name or user, name, user, others
        attempts.append(Attempt(*named, order=order, late=late, is_renamed=lms == "canvas" and not inner))
    return attempts, unknown


def gradescope(files: Sequence[ExtractedFile]) -> tuple[list[Attempt], list[Unknown]]:
    """Raises UsageError if the metadata are missing or cannot be read."""
    metadata = [file for file in files if _is_metadata(file)]
    if not metadata:
        raise UsageError(f"there is no {METADATA} in the download: choose “Export submissions” in Gradescope.")
    about = _metadata(min(metadata, key=lambda file: len(file.parts)).path)
    attempts, unknown = [], []
    for file in files:
        if file.parts[-1] == METADATA:
            continue
        at = owner_part(file.parts)
        folder, order = (at.match[0], int(at.match["user"][:18])) if at and at.lms == "gradescope" else ("", 0)
        listed = about.get(folder, {}).get(":submitters")
        submitters = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
        if not submitters:
            unknown.append((file.name, f"{METADATA} does not name its submitter"))
        for submitter in submitters:
            name, mail, number = (_text(submitter.get(key)) for key in (":name", ":email", ":sid"))
            others = tuple(filter(None, (number, mail)))
            time = _created(str(about[folder].get(":created_at")))
            student = number or mail or name
            path = "/".join(file.parts[at.depth + 1 if at else 0 :])
            attempts.append(
                Attempt(file, file.parts[-1], path, student, name, student, others, time, order, unit=folder)
            )
    return attempts, unknown


PATTERNS = {"moodle": MOODLE, "canvas": CANVAS, "gradescope": GRADESCOPE}
READERS: Mapping[str, Callable[[Sequence[ExtractedFile]], tuple[list[Attempt], list[Unknown]]]] = {
    "canvas": partial(by_names, lms="canvas", scheme="its name is not Canvas's: name_user_attachment_file"),
    "moodle": partial(by_names, lms="moodle", scheme="its folder is not Moodle's: Name_123456_assignsubmission_file_"),
    "gradescope": gradescope,
}


def recognised(files: Sequence[ExtractedFile]) -> str:
    """The LMS that this download seems to be from, by the names of most submissions; empty if from none of ours."""
    owners = {(at.lms, at.match[0]) for file in files if (at := owner_part(file.parts))}
    counts = Counter(lms for lms, _ in owners)
    if counts:
        return counts.most_common(1)[0][0]
    return "gradescope" if any(map(_is_metadata, files)) else ""


def is_learners(name: str) -> bool:
    """Whether a file of this name is one learner's, not the whole class's."""
    return bool(CANVAS.fullmatch(name) or MOODLE.fullmatch(name))


def is_archive(name: str) -> bool:
    return name.lower().endswith((OPENED, *UNOPENED))


def _is_metadata(file: ExtractedFile) -> bool:
    """Whether it is Gradescope's own metadata, not a submitted file of that name."""
    return file.parts[-1] == METADATA and owner_part(file.parts) is None and not any(map(is_archive, file.parts))


def _metadata(path: Path) -> dict[str, Any]:
    try:
        about = yaml.load(path.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError, OverflowError) as error:
        raise UsageError(f"{METADATA} cannot be read: {' '.join(str(error).split())[:200]}") from None
    if not isinstance(about, dict):
        raise UsageError(f"{METADATA} is not a list of submissions.")
    return {key: value for key, value in about.items() if isinstance(value, dict)}


def _created(text: str) -> datetime.datetime | None:
    """Gradescope's own time, which names its zone; None if it is no time."""
    try:
        return Clock(datetime.UTC).read(text)
    except NoTime:
        return None


def _text(value: object) -> str:
    return str(value).strip() if isinstance(value, str | int) else ""
