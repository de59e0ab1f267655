"""The catalogue of answers: wrong ones with the mistake that they must be told, and different right ones.

Each file of ``tests/answers/<assignment>/`` holds plain data for one task: ``TASK``, the grade id of its answer cell;
``WRONG``, a list of (name, mistakes, source), and ``RIGHT``, a list of (name, source).
``mistakes`` are ids of which the finding must have one, as "no_tanh" or "no_tanh | change"; "hidden: no_tanh" where the
visible check cannot tell. A source is a whole cell that stands in the place of the answer cell.
A file may have a ``SETUP`` of its own: source that runs before its answers, after the common one below.

The edits of a task's own list are wrong answers too (:func:`edits`): they are printed, not written again.

Each file of ``tests/answers/unseen/`` has ``WRONG``, by authors who had read nothing but the exercises: (grade id of
the cell, name, what is wrong in a teacher's words, source). ``first_run.json`` keeps what the checks said the first
time, with a reader's judgement of every sentence: "told" where it names what is wrong, "untold" where it only shows a
difference, "misled" where it names something else. No check is changed for the sake of one of these answers.
"""

import json
import runpy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

ANSWERS = Path(__file__).parents[1] / "answers"

SETUP = """\
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from seq2seq.scorer import Scorer
"""


@dataclass(frozen=True)
class Answer:
    task: str
    name: str
    source: str
    caught: Literal["visible", "hidden", ""] = ""  # the first check that rejects it; none rejects a right answer
    setup: str = ""  # runs before the answer
    assignment: str = ""
    mistakes: tuple[str, ...] = ()  # ids, of which the finding must have one

    def __str__(self) -> str:
        return f"{self.assignment} {self.task}: {self.name}"


def load(assignment: str, task: str = "") -> list[Answer]:
    """Every answer of an assignment, file by file; or those to one of its tasks."""
    answers = []
    for path in sorted((ANSWERS / assignment).glob("[!_]*.py")):
        answers += _of_task(assignment, runpy.run_path(str(path)))
    return [answer for answer in answers if task in ("", answer.task)]


def unseen(assignment: str) -> list[Answer]:
    """Every wrong answer to an assignment whose author saw no check."""
    data = [runpy.run_path(str(path)) for path in (ANSWERS / "unseen").glob(f"{assignment}.py")]
    return [
        Answer(task, name, source, assignment=assignment)
        for module in data
        for task, name, _, source in module["WRONG"]
    ]


def accepted_at_first() -> set[str]:
    """The unseen answers that no check rejected the first time."""
    records = json.loads((ANSWERS / "unseen" / "first_run.json").read_text(encoding="utf-8"))
    return {record["answer"] for record in records if not record["check"]}


def _of_task(assignment: str, data: dict[str, Any]) -> Iterator[Answer]:
    shared = {"task": data["TASK"], "assignment": assignment, "setup": data.get("SETUP", "")}
    for name, told, source in data["WRONG"]:
        where, _, ids = told.rpartition(":")
        mistakes = tuple(mistake.strip() for mistake in ids.split("|"))
        yield Answer(name=name, source=source, caught=where.strip() or "visible", mistakes=mistakes, **shared)
    for name, source in data["RIGHT"]:
        yield Answer(name=name, source=source, **shared)
