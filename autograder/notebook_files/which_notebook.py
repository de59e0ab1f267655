"""Chooses the notebook among a learner's submitted files, by their names and by what they say of themselves."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from autograder.notebook_files.content import UNKNOWN, UNSEEN, Content, Exercises, exercise_of, of_another

NOTEBOOK = re.compile(r"(?:\.ipynb){1,9}(?:\.txt|\.json)?$", re.IGNORECASE)
SCRIPTS = (".py", ".md")
LOOKED_AT = ("", ".json", ".txt", *SCRIPTS)  # endings under which a notebook hides: its cells' grade ids tell it
OPENED = ".zip"
UNOPENED = (".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz")  # unless their content says what they are
AGAIN = re.compile(r"\(\d{1,18}\)\s*$")  # by browsers and systems, where there was a file of this name before
NUMBER = re.compile(r"(?<!\d)(\d{1,18}+)\)?\s*+$")
LONGEST = 4096  # characters of a path, the limit of Linux
CHECKPOINTS = ".ipynb_checkpoints"
EXACT, COPY, CELLS, OTHER, IN_FOLDER, CHECKPOINT, SCRIPT, ARCHIVE = 0, 1, 2, 3, 3, 7, 8, 9  # ranks; added in a folder
# Ranks of copies of the exercise → the best of them: what is written in them tells more than their names.
COPIES = dict.fromkeys((EXACT, COPY, CELLS), EXACT)
COPIES |= dict.fromkeys((IN_FOLDER + COPY, IN_FOLDER + CELLS), IN_FOLDER + COPY)
SAME = "the same exercise"
ITSELF = "hand in the .ipynb file itself, or what `learn submit` packs"

Look = Callable[[str], Content]
Order = Callable[[str], tuple[int, ...]]  # the newest is the greatest


@dataclass(frozen=True)
class Choice:
    """The file that was chosen, or why none was, and notes on it for the learner."""

    name: str = ""
    notes: tuple[str, ...] = ()
    problem: str = ""


def chosen(
    names: Sequence[str],
    assignment: str,
    look: Look = lambda name: UNSEEN,
    exercises: Exercises = UNKNOWN,
    order: Order | None = None,
) -> Choice:
    """The notebook for the assignment among files of these names, which are paths with slashes.

    Copies come first, then a notebook of another name, then those in subfolders, then the editor's checkpoint, then a
    script, then a zip. What is blank, broken or of another exercise gives way to what is not. Of copies the one counts
    in which most answers are written; of equals the newest by ``order``, the LMS's own or that of times in an archive,
    and by number, where one without an order gives way to the right name, but for "(1)", which was saved after it; if
    nothing tells them apart, the intent is unclear.
    """
    look, right = cache(look), f"{assignment}.ipynb"
    visible = [name for name in sorted(names) if not _is_hidden(name)]
    ranks = {name: rank for name in visible if (rank := _rank(name, assignment, look, exercises)) is not None}
    others = {name: of_another(look(name), assignment, exercises) for name in ranks if ranks[name] != ARCHIVE}
    ours = {name: rank for name, rank in ranks.items() if not others.get(name)}
    if not ranks:
        ours = {name: SCRIPT for name in visible if is_script(name, look(name))}
    if not ours:
        return Choice(problem=_none(visible, assignment, others))
    best = _best(ours, assignment, look, order)
    if len(best) > 1:
        return Choice(problem=f"None of the notebooks that were handed in is called {right!r}: {listed(best)}.")
    (name,) = best
    notes: tuple[str, ...] = () if name == right else (f"The notebook was called {name!r}; it was read as {right!r}.",)
    rest = [other for other in ranks if other != name and (ranks[other] < CHECKPOINT or ranks[other] == ARCHIVE)]
    if rest:
        why = {also: why_not(look(also), others.get(also, "")) for also in rest if ranks[also] != ARCHIVE}
        why |= {also: compared(look(also), look(name)) for also in rest if ranks[also] in COPIES and not why[also]}
        notes += (f"Only {name!r} was graded; also handed in: {listed(rest, why)}.",)
    return Choice(name, notes)


def _best(ranks: Mapping[str, int], assignment: str, look: Look, order: Order | None) -> list[str]:
    """Those of the best rank; several only if nothing tells them apart."""
    faulty = {name for name, rank in ranks.items() if rank != ARCHIVE and why_not(look(name))}
    filled = [name for name, rank in ranks.items() if name not in faulty and rank not in (OTHER, IN_FOLDER + OTHER)]
    best = _least((faulty and filled) or list(ranks), lambda name: COPIES.get(ranks[name], ranks[name]))
    if len({look(name).answers > 0 for name in best}) == 1:
        best = _least(best, lambda name: -look(name).written)
    differ = len({look(name).digest for name in best}) > 1
    alike = {name for name in best if ranks[name] == COPY and (order or (differ and AGAIN.search(_stem(name))))}
    best = _least(best, lambda name: EXACT if name in alike else ranks[name])
    best = _least(best, lambda name: (_age(name, assignment, order), ranks[name]))
    same = len(best) > 1 and len({look(name).digest for name in best}) == 1 and look(best[0]).digest
    return best[:1] if same else best


def _least(names: Sequence[str], key: Callable[[str], Any]) -> list[str]:
    keys = {name: key(name) for name in names}
    return [name for name in names if keys[name] == min(keys.values())]


def newest(times: Mapping[str, tuple[int, ...]]) -> Order | None:
    """The order of files by their times; None where these do not tell, or a file has none."""
    return times.__getitem__ if len(set(times.values())) > 1 and all(times.values()) else None


def _age(name: str, assignment: str, order: Order | None) -> list[int]:
    """The newest is the least: by the order, the copy's number, and that of the folder or zip around it."""
    number = copy_number(name, assignment)
    outer = (NUMBER.search(PurePosixPath(part).stem) for part in PurePosixPath(name).parts[:-1])
    highest = max((int(match[1]) for match in outer if match), default=0)
    before = [-part for part in order(name)] if order else []
    return [1] if number is None else [*before, -number, -highest]


def why_not(content: Content, other: str = "") -> str:
    """Why a notebook gives way to another; empty if it need not."""
    if other:
        return f"of {other}"
    return "cannot be read" if content.is_broken else "no answer is written in it" if content.is_blank else ""


def compared(content: Content, best: Content) -> str:
    """How a copy of the same exercise differs from the one that counts; empty if it does not."""
    if content.digest == best.digest:
        return ""
    if bool(content.answers) != bool(best.answers):
        return SAME
    more = content.written - best.written
    return f"{SAME}, with {'fewer answers' if more < 0 else 'more answers' if more else 'as many answers, and differs'}"


def _none(names: Sequence[str], assignment: str, others: Mapping[str, str]) -> str:
    """Why no notebook of the assignment is among the files: what was handed in, and what to do."""
    if others:
        what = ", ".join(f"{name!r} is the notebook of {other}" for name, other in list(others.items())[:5])
        return f"No notebook of {assignment} was handed in: {what}; hand in {assignment}.ipynb."
    if not names:
        return f"No notebook was handed in: {ITSELF}."
    unopened = any(name.lower().endswith(UNOPENED) for name in names)
    why = ", and archives of this kind are not opened" if unopened else ""
    return f"No notebook was handed in, only {listed(names)}{why}: {ITSELF}."


def listed(names: Sequence[str], why: Mapping[str, str] | None = None) -> str:
    """The first names of several, for a note, each with its reason if it has one."""
    reasons = {name: f" ({reason})" for name, reason in (why or {}).items() if reason}
    return ", ".join(f"{name!r}{reasons.get(name, '')}" for name in names[:5]) + (", …" if names[5:] else "")


def _is_hidden(name: str) -> bool:
    """Whether editors or systems made it, or its path is too long for a file."""
    folders = PurePosixPath(name).parts[:-1]
    is_hidden = any(folder[0] in "._" for folder in folders if folder != CHECKPOINTS)
    return len(name) > LONGEST or is_hidden or PurePosixPath(name).name.startswith(".")


def _rank(name: str, assignment: str, look: Look, exercises: Exercises) -> int | None:
    """The file's rank as the notebook, 0 being the best; None if it cannot be the notebook."""
    path = PurePosixPath(name)
    folders, ending = path.parts[:-1], path.suffix.lower()
    is_right = copy_number(name, assignment) is not None
    if CHECKPOINTS in folders:
        return CHECKPOINT if is_right and NOTEBOOK.search(path.name) else None
    if ending == OPENED or (ending in UNOPENED and look(name).is_packed):
        return ARCHIVE
    if not NOTEBOOK.search(path.name) and (ending not in LOOKED_AT or not look(name).ids):
        return SCRIPT if ending == ".py" and is_right else None
    if ending in SCRIPTS:
        return SCRIPT
    if name == f"{assignment}.ipynb":
        return EXACT
    has_cells = exercise_of(look(name), exercises) == assignment
    return (IN_FOLDER if folders else 0) + (COPY if is_right else CELLS if has_cells else OTHER)


def _stem(name: str) -> str:
    base = PurePosixPath(name).name
    return NOTEBOOK.sub("", base) if NOTEBOOK.search(base) else PurePosixPath(base).stem


def copy_number(name: str, assignment: str) -> int | None:
    """The number of a copy of the assignment's notebook, 0 without one; None if the name is not in this name.

    Browsers, editors and learners write before it and after it, in any language: "Copia de 05_scorers (2)".
    """
    pattern = re.escape(assignment).replace("_", "[-_ ]")
    match = re.search(rf"(?<![^\W_]){pattern}(?![^\W_])", _stem(name), re.IGNORECASE)
    if match is None:
        return None
    number = NUMBER.search(_stem(name)[match.end() :])
    return int(number[1]) if number else 0


def is_notebook(name: str, content: Content, exercises: Exercises) -> bool:
    """Whether the file could be the notebook of any of the exercises."""
    names = [""] if NOTEBOOK.search(name) else [*exercises, *([""] if content.ids else [])]
    ranks = (_rank(PurePosixPath(name).name, exercise, lambda _: content, exercises) for exercise in names)
    return any(rank is not None for rank in ranks)


def is_script(name: str, content: Content) -> bool:
    """Whether it is a script of cells, whatever it is called; where a notebook is beside it, it is a module of this."""
    return name.lower().endswith(".py") and content.has_cells


def assignment_of(name: str, content: Content, exercises: Exercises) -> str:
    """The exercise whose notebook the file is: by its cells, else by its name, else by what it calls itself."""
    longest_first = sorted(exercises, key=len, reverse=True)
    named = [exercise for exercise in longest_first if copy_number(name, exercise) is not None]
    if named and not of_another(content, named[0], exercises):
        return named[0]
    return exercise_of(content, exercises)
