"""What the text of a file says of itself: which exercise it is, and whether anything was written in it.

By patterns in the text, so that a damaged notebook, a script and a hostile file are all looked at alike and quickly.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from autograder.notebook_files.file_text import Unreadable, text_of
from autograder.notebook_files.tars import is_packed

GRADE_ID = re.compile(r'"grade_id":\s*"([^"\\]{1,200})"')
ASSIGNMENT = re.compile(r'"assignment":\s*"([^"\\]{1,200})"')
ANSWER = re.compile(r'"solution":\s*true')
# What a released answer holds, as in autograder.settings; in a notebook the quotes are escaped.
STUB = re.compile(r"raise NotImplementedError\(\\?[\"']not written yet|YOUR ANSWER HERE: double-click")
CONFLICT = re.compile(r"^<{7}.*^>{7}", re.MULTILINE | re.DOTALL)  # of an unfinished git merge
# Before a cell in a script, as editors and nbconvert write it, and Databricks.
CELL = re.compile(
    r"^(?:#\s?%%(?P<percent>.*)|# In\[[ \d]*\]:|# COMMAND -{5,}|# Databricks notebook source)[ \t]*$", re.MULTILINE
)
FEWEST = 2  # cells of an exercise by which it is known

Exercises = Mapping[str, frozenset[str]]  # name → the grade ids of its cells
UNKNOWN: Exercises = MappingProxyType({})


@dataclass(frozen=True)
class Content:
    """``assignments``: what it calls itself; ``answers``: its cells for them; ``stubs``: those with a part as released.

    Without the metadata of its cells it has no ``answers``, and ``stubs`` are the parts that are left.

    ``is_broken``: it is no text; ``is_packed``: it is an archive that can be opened; ``has_cells``: as a script has.
    """

    ids: frozenset[str] = frozenset()
    assignments: frozenset[str] = frozenset()
    answers: int = 0
    stubs: int = 0
    is_broken: bool = False
    is_packed: bool = False
    has_cells: bool = False
    digest: str = ""

    @property
    def is_blank(self) -> bool:
        return 0 < self.answers <= self.stubs

    @property
    def written(self) -> int:
        """How many answers; compared only among notebooks that all have the metadata of answers, or all lack them."""
        return self.answers - self.stubs


UNSEEN = Content()


def look(data: bytes) -> Content:
    """What a file's bytes say; of those that are no text, that they are broken."""
    digest = hashlib.sha256(data).hexdigest()
    if is_packed(data):
        return Content(is_broken=True, is_packed=True, digest=digest)
    try:
        text = text_of(data, []).strip().rstrip("\0").rstrip()
    except Unreadable:
        return Content(is_broken=True, digest=digest)
    before, *parts = ANSWER.split(text)  # one answer each, or those before it if a cell's source precedes its metadata
    stubs = sum(bool(STUB.search(part)) for part in (before, *parts)) if parts else len(STUB.findall(text))
    is_broken = bool(CONFLICT.search(text)) or (text.startswith("{") and not text.endswith("}"))
    ids, names = frozenset(GRADE_ID.findall(text)), frozenset(ASSIGNMENT.findall(text))
    return Content(ids, names, len(parts), stubs, is_broken, has_cells=bool(CELL.search(text)), digest=digest)


def exercise_of(content: Content, exercises: Exercises) -> str:
    """The exercise with most of the cells; if no cell says it, what the file calls itself; empty if neither does."""
    shared = {name: len(content.ids & ids) for name, ids in exercises.items()}
    most = max(shared.values(), default=0)
    best = [name for name, count in shared.items() if count == most]
    if len(best) == 1 and most >= min(FEWEST, len(exercises[best[0]])) > 0:
        return best[0]
    named = content.assignments & set(exercises)
    return min(named) if len(named) == 1 else ""


def of_another(content: Content, assignment: str, exercises: Exercises) -> str:
    """The other exercise whose notebook this is; empty if it has half of the cells of ``assignment``, or if unknown."""
    other, wanted = exercise_of(content, exercises), exercises.get(assignment, frozenset())
    is_other = other not in ("", assignment) and 2 * len(content.ids & wanted) < len(wanted)
    return other if is_other else ""
