"""Learners' work and grades are for those who grade: folders for their owner alone, and no way into a repository."""

from pathlib import Path

PRIVATE = 0o700  # of folders made here; what lies in them needs no further door
UNPUBLISHED = ("/submitted/", "/downloaded/", "/autograded/", "/feedback/", "grades/", "gradebook.db*", "state.db*")
EXPORTS = ("/*.csv", "/gradescope/", "/jplag/", "/dolos/", "/results.json", "/report.json")
IGNORE = ".gitignore"


def make_private(folder: Path) -> None:
    """The folder, and those above it that are missing; what is there stays as it is."""
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(mode=PRIVATE, exist_ok=True)


def keep_unpublished(course: Path) -> None:
    """A course in a repository of its own: `git add --all` must not take learners' work along."""
    if not (course / IGNORE).exists():
        (course / IGNORE).write_text("\n".join((*UNPUBLISHED, *EXPORTS, "")), encoding="utf-8")
