"""Chooses the notebook among a learner's submitted files."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

NOTEBOOK = re.compile(r"\.ipynb(?:\.txt|\.json)?$", re.IGNORECASE)
COPY = re.compile(r"(?:[ _]\(\d++\)|(?<![ _-])[ _-]*+copy(?:[ _(]*+\d++\)?)?|-checkpoint)$", re.IGNORECASE)
NUMBER = re.compile(r"(?<!\d)(\d{1,18}+)\)?\s*+$")
LONGEST = 4096  # characters of a path, the limit of Linux
CHECKPOINTS = ".ipynb_checkpoints"


@dataclass(frozen=True)
class Choice:
    """The file that was chosen, or why none was, and notes on it for the learner."""

    name: str = ""
    notes: tuple[str, ...] = ()
    problem: str = ""


def chosen(names: Sequence[str], assignment: str) -> Choice:
    """The notebook for the assignment among files of these names, which are paths with slashes.

    The right name comes first, then a copy of it, then a notebook of another name, then those in subfolders,
    then the editor's checkpoint, then a script; if two rank equally, the intent is unclear.
    """
    right = f"{assignment}.ipynb"
    ranks = {name: rank for name in sorted(names) if (rank := _rank(name, assignment)) is not None}
    if not ranks:
        return Choice(problem="No notebook was handed in.")
    best = [name for name in ranks if ranks[name] == min(ranks.values())]
    if len(best) > 1 and is_copy(best[0], assignment):
        numbers = [int(found[1]) if (found := NUMBER.search(_stem(name))) else 0 for name in best]
        latest = [name for name, number in zip(best, numbers, strict=True) if number == max(numbers)]
        best = latest if len(latest) == 1 else best
    if len(best) > 1:
        return Choice(problem=f"None of the notebooks that were handed in is called {right!r}: {listed(best)}.")
    (name,) = best
    notes: tuple[str, ...] = () if name == right else (f"The notebook was called {name!r}; it was read as {right!r}.",)
    others = [other for other in ranks if other != name and ranks[other] <= 4]
    if others:
        notes += (f"Only {name!r} was graded; also handed in: {listed(others)}.",)
    return Choice(name, notes)


def listed(names: Sequence[str]) -> str:
    """The first names of several, for a note."""
    return ", ".join(repr(name) for name in names[:5]) + (", …" if names[5:] else "")


def _rank(name: str, assignment: str) -> int | None:
    """The file's rank as the notebook, 0 being the best; None if it cannot be the notebook."""
    if len(name) > LONGEST:
        return None
    path = PurePosixPath(name)
    folders = path.parts[:-1]
    if path.name.startswith((".", "._")) or any(folder[0] in "._" for folder in folders if folder != CHECKPOINTS):
        return None
    is_right = is_copy(name, assignment)
    if CHECKPOINTS in folders:
        return 5 if is_right and NOTEBOOK.search(path.name) else None
    if NOTEBOOK.search(path.name):
        if name == f"{assignment}.ipynb":
            return 0
        return (3 if folders else 1) + (not is_right)
    return 6 if path.suffix.lower() == ".py" and is_right else None


def _stem(name: str) -> str:
    base = PurePosixPath(name).name
    return NOTEBOOK.sub("", base) if NOTEBOOK.search(base) else PurePosixPath(base).stem


def is_copy(name: str, assignment: str) -> bool:
    """Whether browsers, editors or learners give this name to a copy of the assignment's notebook."""
    stem = re.sub(r"^(?:copy of|kopie von) ", "", _stem(name), flags=re.IGNORECASE)
    return COPY.sub("", stem).strip().casefold() == assignment.casefold()
