"""Which of the files that a learner handed in is the notebook."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

NOTEBOOK = re.compile(r"\.ipynb(?:\.txt|\.json)?$", re.IGNORECASE)
COPY = re.compile(r"(?:[ _]\(\d++\)|(?<![ _-])[ _-]*+copy(?:[ _(]*+\d++\)?)?|-checkpoint)$", re.IGNORECASE)
NUMBER = re.compile(r"(?<!\d)(\d{1,18}+)\)?\s*+$")
LONGEST = 4096  # characters of a name with its folders, as Linux has them
CHECKPOINTS = ".ipynb_checkpoints"


@dataclass(frozen=True)
class Choice:
    """The file that was taken, or why none was; and what the learner should know of that."""

    name: str = ""
    notes: tuple[str, ...] = ()
    problem: str = ""


def chosen(names: Sequence[str], assignment: str) -> Choice:
    """The notebook for the assignment among the files of these names, which are paths with slashes.

    The right name comes first, then a copy of it, then a notebook of another name, then those in folders within,
    then the editor's own checkpoint, then a script; where two are equally near, the intent is not clear.
    """
    right = f"{assignment}.ipynb"
    ranks = {name: rank for name in sorted(names) if (rank := _rank(name, assignment)) is not None}
    if not ranks:
        return Choice(problem="No notebook was handed in.")
    nearest = [name for name in ranks if ranks[name] == min(ranks.values())]
    if len(nearest) > 1 and is_copy(nearest[0], assignment):
        numbers = [int(found[1]) if (found := NUMBER.search(_stem(name))) else 0 for name in nearest]
        latest = [name for name, number in zip(nearest, numbers, strict=True) if number == max(numbers)]
        nearest = latest if len(latest) == 1 else nearest
    if len(nearest) > 1:
        return Choice(problem=f"None of the notebooks that were handed in is called {right!r}: {_listed(nearest)}.")
    (name,) = nearest
    notes = () if name == right else (f"The notebook was called {name!r}; it was read as {right!r}.",)
    others = [other for other in ranks if other != name and ranks[other] <= 4]
    if others:
        notes += (f"Only {name!r} was graded; also handed in: {_listed(others)}.",)
    return Choice(name, notes)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names[:5]) + (", …" if names[5:] else "")


def _rank(name: str, assignment: str) -> int | None:
    """How near the file is to being the notebook, 0 being the nearest; none for what cannot be it."""
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
    """Is this a name that browsers, editors and learners give to a copy of the assignment's notebook?"""
    stem = re.sub(r"^(?:copy of|kopie von) ", "", _stem(name), flags=re.IGNORECASE)
    return COPY.sub("", stem).strip().casefold() == assignment.casefold()
