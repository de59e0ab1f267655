"""A class of any size, handed in for the course's own exercises: each learner another combination of answers."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.grading.answers import Exercise, Tried

ROOT = Path(__file__).resolve().parents[2]
KINDS = {"mixed": 74, "half": 12, "solved": 8, "blank": 3, "broken": 3}  # in a hundred
MOST_DRAWS = 1000  # to find a combination that nobody has handed in yet


@dataclass(frozen=True)
class Made:
    """One submission and what it deserves."""

    student: str
    assignment: str
    kind: str
    text: str
    points: float


class TooFewAnswers(Exception):
    """There are not as many different submissions; the message says how many there are."""


def made(
    exercises: Sequence[Exercise], size: int, seed: int = 0, kinds: dict[str, int] | None = None
) -> Iterator[Made]:
    """Submissions to each exercise in turns, never one that was there before; ``kinds``: each with its share."""
    kinds = kinds or KINDS
    chance, seen = random.Random(seed), set()
    released = {one.name: _released(one.name) for one in exercises}
    for number in range(size):
        of, student = exercises[number % len(exercises)], f"learner{number:05}"
        (kind,) = chance.choices(list(kinds), list(kinds.values()))
        for draw in range(MOST_DRAWS):
            kind = kind if draw < MOST_DRAWS // 2 else "mixed"  # of which there are the most
            answers = _answers(of, kind, chance)
            mark = (of.name, tuple(one.name if one else "" for one in answers.values()))
            if kind in ("blank", "broken") or mark not in seen:
                break
        else:
            raise TooFewAnswers(f"{of.name}: no more than {number} submissions differ; name more exercises.")
        seen.add(mark)
        text = _text(released[of.name], answers, f"I am number {number}.")
        if kind == "broken":
            yield Made(student, of.name, kind, _broken(text, chance), 0.0)
        else:
            yield Made(student, of.name, kind, text, sum(one.points for one in answers.values() if one))


def write(folder: Path, submissions: Iterator[Made]) -> dict[str, Made]:
    """``folder/<student>/<assignment>/<assignment>.ipynb`` → what was written, by student, without the texts."""
    written = {}
    for one in submissions:
        path = folder / one.student / one.assignment / f"{one.assignment}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(one.text, encoding="utf-8")
        written[one.student] = Made(one.student, one.assignment, one.kind, "", one.points)
    return written


def _answers(of: Exercise, kind: str, chance: random.Random) -> dict[str, Tried | None]:
    """Task → answer, or None where the cell stays as it was released."""
    skill, begun = chance.random(), len(of.tasks) if kind != "half" else chance.randint(1, max(1, len(of.tasks) - 1))
    found: dict[str, Tried | None] = {}
    for place, (task, tried) in enumerate(of.tasks.items()):
        wanted = kind == "solved" or chance.random() < skill
        fitting = [one for one in tried if one.right == wanted] or tried
        found[task] = chance.choice(fitting) if place < begun and kind != "blank" else None
    return found


def _released(name: str) -> dict[str, object]:
    return json.loads((ROOT / "exercises" / name / f"{name}.ipynb").read_text(encoding="utf-8"))


def _text(released: dict[str, object], answers: dict[str, Tried | None], words: str) -> str:
    """The notebook as a learner saves it, with a note of the learner's own on top."""
    cells = [{"cell_type": "markdown", "id": "own-words", "metadata": {}, "source": words}]
    for cell in released["cells"]:
        answer = answers.get(cell["metadata"].get("nbgrader", {}).get("grade_id"))
        cells.append(cell | {"source": answer.source} if answer else cell)
    return json.dumps(released | {"cells": cells}, indent=1)


def _broken(text: str, chance: random.Random) -> str:
    """A file that lost its notebook on the way: cut off before the first answer, emptied, another one altogether."""
    cut = text[: chance.randint(1, text.index('"cell_type": "code"'))]
    page = f"<!DOCTYPE html><html><title>Sign in</title><body>Session {chance.random()} has ended.</body></html>"
    return chance.choice([cut, "", page])
