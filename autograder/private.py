"""Keeps learners' work and grades private: folders are readable by their owner only, and git ignores them."""

from pathlib import Path

PRIVATE = 0o700  # mode of new folders; files in them need no further protection
UNPUBLISHED = ("/submitted/", "/downloaded/", "/autograded/", "/feedback/", "grades/", "gradebook.db*", "state.db*")
GENERATED = ("/build/", "__pycache__/")
EXPORTS = ("/*.csv", "/gradescope/", "/jplag/", "/dolos/", "/results.json", "/report.json")
IGNORE = ".gitignore"


def make_private(folder: Path) -> None:
    """Creates the folder and its missing parents; existing folders are left unchanged."""
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(mode=PRIVATE, exist_ok=True)


def keep_unpublished(course: Path) -> None:
    """Writes .gitignore, because `git add --all` in the course's repository must not add learners' work."""
    if not (course / IGNORE).exists():
        (course / IGNORE).write_text("\n".join((*UNPUBLISHED, *GENERATED, *EXPORTS, "")), encoding="utf-8")
