"""Whose a file in an LMS's download is: the ways in which Canvas, Moodle and Gradescope name what they give.

Canvas      ``lovelaceada_LATE_1234_56789_05_scorers-2.ipynb``: name, LATE where it is, user, attachment, file;
            with anonymous grading ``anon_x7Yz1_56789_05_scorers.ipynb``.
            (instructure/canvas-lms, lib/content_zipper.rb: get_filename, add_upload_submission)
Moodle      ``Ada Lovelace_123456_assignsubmission_file_/05_scorers.ipynb``, or, with "Download submissions in folders"
            switched off, ``Ada Lovelace_123456_assignsubmission_file_05_scorers.ipynb``; 123456 is the participant's
            number, which the grading worksheet has too.
            (moodle/moodle, mod/assign/classes/downloader.php: load_submissionplugin_filelist)
Gradescope  ``assignment_1_export/submission_123456789/05_scorers.ipynb`` beside ``submission_metadata.yml``, which has
            the submitters and the time of each.

The times of files within a zip are those of the download, not of the submission: they are never used.
"""

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from autograder.submissions.archive import Taken

CANVAS = re.compile(
    r"(?:(?P<name>(?!(?:LATE_)?anon_).+?)_)?(?P<late>LATE_)?(?P<user>\d+|anon_[A-Za-z0-9]+)_(?P<file>\d+)_(?P<rest>.+)",
    re.DOTALL,
)
MOODLE = re.compile(r"(?P<name>.*?)_(?P<user>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<rest>.*))?", re.DOTALL)
GRADESCOPE = re.compile(r"submission_(?P<number>\d+)")
METADATA = "submission_metadata.yml"


@dataclass(frozen=True)
class Attempt:
    """One file that one learner handed in."""

    file: Taken
    filename: str  # as the learner called it
    student: str  # what to call the learner where no roster knows better
    name: str  # the learner's, as the LMS writes it; may be empty
    number: str  # the learner's, unique within the LMS
    others: tuple[str, ...] = ()  # more by which a roster may know the learner, the surest first
    time: datetime.datetime | None = None
    order: int = 0  # among the attempts of one learner; the highest was the last
    late: bool = False  # the LMS says so


Unknown = tuple[str, str]  # name of the file, why nobody can be found whose it is


def canvas(files: Sequence[Taken]) -> tuple[list[Attempt], list[Unknown]]:
    def read(file: Taken) -> Attempt | None:
        for depth, part in enumerate(file.parts):
            match = CANVAS.fullmatch(part)
            if match and (match["name"] or match["user"].startswith("anon_")):
                inner = file.parts[depth + 1 :]
                filename = inner[-1] if inner else match["rest"]
                name, user = match["name"] or "", match["user"]
                order, late = int(match["file"]), bool(match["late"])
                return Attempt(file, filename, name or user, name, user, order=order, late=late)
        return None

    return _each(files, read, "its name is not Canvas's: name_user_attachment_file")


def moodle(files: Sequence[Taken]) -> tuple[list[Attempt], list[Unknown]]:
    def read(file: Taken) -> Attempt | None:
        for depth, part in enumerate(file.parts):
            match = MOODLE.fullmatch(part)
            if match and match["kind"] == "file":
                inner = file.parts[depth + 1 :]
                filename = inner[-1] if inner else match["rest"] or part
                name, user = match["name"], match["user"]
                return Attempt(file, filename, name or user, name, user, (f"Participant {user}",))
        return None

    return _each(files, read, "its folder is not Moodle's: Name_123456_assignsubmission_file_")


def gradescope(files: Sequence[Taken]) -> tuple[list[Attempt], list[Unknown]]:
    """Raises ValueError where the metadata are missing or cannot be read."""
    metadata = [file for file in files if file.parts[-1] == METADATA]
    if not metadata:
        raise ValueError(f"there is no {METADATA} in the download: choose “Export submissions” in Gradescope.")
    about = _metadata(min(metadata, key=lambda file: len(file.parts)).path)  # the others were handed in
    attempts, unknown = [], []
    for file in files:
        if file.parts[-1] == METADATA:
            continue
        folder = next((part for part in file.parts[:-1] if GRADESCOPE.fullmatch(part)), "")
        submitters = _submitters(about.get(folder))
        if not submitters:
            unknown.append((file.name, f"{METADATA} does not say whose it is"))
        for submitter in submitters:
            name, mail, number = (_text(submitter.get(key)) for key in (":name", ":email", ":sid"))
            others = tuple(filter(None, (number, mail)))
            time = _time(about[folder].get(":created_at"))
            order = int(GRADESCOPE.fullmatch(folder)["number"])
            student = number or mail or name
            attempts.append(Attempt(file, file.parts[-1], student, name, student, others, time, order))
    return attempts, unknown


READERS: Mapping[str, Callable[[Sequence[Taken]], tuple[list[Attempt], list[Unknown]]]] = {
    "canvas": canvas,
    "moodle": moodle,
    "gradescope": gradescope,
}


def is_wanted(name: str) -> bool:
    return name.endswith(".ipynb") or name == METADATA


def recognised(files: Sequence[Taken]) -> str:
    """Which LMS's download this looks like, by the outer names alone: learners choose the inner ones."""
    if any(file.parts[-1] == METADATA and len(file.parts) <= 2 and not is_zip(file.parts[0]) for file in files):
        return "gradescope"
    return "moodle" if any(MOODLE.fullmatch(part) for file in files for part in file.parts[:2]) else "canvas"


def is_learners(name: str) -> bool:
    """Is a file of this name one learner's, not the whole class's?"""
    return bool(CANVAS.fullmatch(name) or MOODLE.fullmatch(name))


def is_zip(name: str) -> bool:
    return name.lower().endswith(".zip")


def _each(
    files: Sequence[Taken], read: Callable[[Taken], Attempt | None], reason: str
) -> tuple[list[Attempt], list[Unknown]]:
    attempts, unknown = [], []
    for file in files:
        attempt = read(file)
        if attempt is None:
            unknown.append((file.name, reason))
        else:
            attempts.append(attempt)
    return attempts, unknown


def _metadata(path: Path) -> dict[str, Any]:
    try:
        about = yaml.load(path.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise ValueError(f"{METADATA} cannot be read: {' '.join(str(error).split())[:200]}") from None
    if not isinstance(about, dict):
        raise ValueError(f"{METADATA} is no list of submissions.")
    return {key: value for key, value in about.items() if isinstance(value, dict)}


def _submitters(about: dict[str, Any] | None) -> list[dict[str, Any]]:
    listed = (about or {}).get(":submitters")
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _text(value: object) -> str:
    return str(value).strip() if isinstance(value, str | int) else ""


def _time(value: object) -> datetime.datetime | None:
    """Gradescope's time; one without a zone is in UTC, for that is how PyYAML gives those with one."""
    if isinstance(value, str):
        try:
            value = datetime.datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime.datetime):
        return None
    return value.replace(tzinfo=datetime.UTC) if value.tzinfo is None else value.astimezone(datetime.UTC)
