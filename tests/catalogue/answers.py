"""The catalogue of answers: wrong ones with the mistake that they must be told, and different right ones.

Each file of ``tests/answers/<assignment>/`` holds plain data for one task: ``TASK``, the grade id of its answer cell;
``WRONG``, a list of (name, mistakes, source), and ``RIGHT``, a list of (name, source).
``mistakes`` are ids of which the finding must have one, as "no_tanh" or "no_tanh | change"; "hidden: no_tanh" where the
visible check cannot tell. A source is a whole cell that stands in the place of the answer cell.
A file may have a ``SETUP`` of its own: source that runs before its answers, after the common one below.

The edits of a task's own list are wrong answers too (:func:`edits`): they are printed, not written again.
"""

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


def assignments() -> list[str]:
    """Every assignment that has answers here."""
    return sorted({path.parent.name for path in ANSWERS.glob("[0-9]*/[!_]*.py")})


def load(assignment: str, task: str = "") -> list[Answer]:
    """Every answer of an assignment, file by file; or those to one of its tasks."""
    answers = []
    for path in sorted((ANSWERS / assignment).glob("[!_]*.py")):
        data = runpy.run_path(str(path))
        answers += _of_task(assignment, data)
    return [answer for answer in answers if task in ("", answer.task)]


def _of_task(assignment: str, data: dict[str, Any]) -> Iterator[Answer]:
    shared = {"task": data["TASK"], "assignment": assignment, "setup": data.get("SETUP", "")}
    for name, told, source in data["WRONG"]:
        where, _, ids = told.rpartition(":")
        mistakes = tuple(one.strip() for one in ids.split("|"))
        yield Answer(name=name, source=source, caught=where.strip() or "visible", mistakes=mistakes, **shared)
    for name, source in data["RIGHT"]:
        yield Answer(name=name, source=source, **shared)
