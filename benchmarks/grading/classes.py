"""Generated submissions of a class of any size to the course's exercises, each a different combination of answers."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.gradebook.book import Book
from autograder.gradebook.lists import submission_dicts
from benchmarks.grading.answers import Exercise, TriedAnswer

ROOT = Path(__file__).resolve().parents[2]
KINDS = {"mixed": 74, "half": 12, "solved": 8, "blank": 3, "broken": 3}  # per cent
MOST_DRAWS = 1000  # to find a combination not used yet


@dataclass(frozen=True)
class Generated:
    """A submission and the points it deserves."""

    student: str
    assignment: str
    kind: str
    text: str
    points: float


class TooFewAnswers(Exception):
    """There are not enough different submissions; the message says how many there are."""


def generated(exercises: Sequence[Exercise], size: int, kinds: dict[str, int] | None = None) -> Iterator[Generated]:
    """Submissions to each exercise in turn; non-blank, unbroken ones all differ. ``kinds``: the share of each kind."""
    kinds = kinds or KINDS
    chance, seen = random.Random(0), set()
    released = {exercise.name: _released(exercise.name) for exercise in exercises}
    for number in range(size):
        of, student = exercises[number % len(exercises)], f"learner{number:05}"
        (kind,) = chance.choices(list(kinds), list(kinds.values()))
        for draw in range(MOST_DRAWS):
            kind = kind if draw < MOST_DRAWS // 2 else "mixed"  # the kind with the most combinations
            answers = _answers(of, kind, chance)
            mark = (of.name, tuple(answer.name if answer else "" for answer in answers.values()))
            if kind in ("blank", "broken") or mark not in seen:
                break
        else:
            raise TooFewAnswers(f"{of.name}: no more than {number} submissions differ; name more exercises.")
        seen.add(mark)
        text = _text(released[of.name], answers, f"I am number {number}.")
        if kind == "broken":
            yield Generated(student, of.name, kind, _broken(text, chance), 0.0)
        else:
            yield Generated(student, of.name, kind, text, sum(answer.points for answer in answers.values() if answer))


def write(folder: Path, submissions: Iterator[Generated]) -> dict[str, Generated]:
    """Writes ``folder/<student>/<assignment>/<assignment>.ipynb``; returns student → submission without its text."""
    written = {}
    for submission in submissions:
        path = folder / submission.student / submission.assignment / f"{submission.assignment}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(submission.text, encoding="utf-8")
        written[submission.student] = Generated(
            submission.student, submission.assignment, submission.kind, "", submission.points
        )
    return written


def wrong_points(book: Book, expected: dict[str, Generated]) -> list[str]:
    """A line for each submission that has other points than it deserves."""
    points: dict[str, float] = {}
    with book.open() as gradebook:
        for name in sorted({submission.assignment for submission in expected.values()}):
            points |= {row["student"]: float(row["code_score"]) for row in submission_dicts(gradebook, name)}
    lines = [f"{student}: not in the class" for student in points.keys() - expected.keys()]
    return lines + [
        f"{submission.student} ({submission.kind}, {submission.assignment}): "
        f"{points.get(submission.student)} points, expected {submission.points:g}"
        for submission in expected.values()
        if points.get(submission.student) != submission.points
    ]


def _answers(of: Exercise, kind: str, chance: random.Random) -> dict[str, TriedAnswer | None]:
    """Task → answer, or None if the cell stays as released."""
    skill, begun = chance.random(), len(of.tasks) if kind != "half" else chance.randint(1, max(1, len(of.tasks) - 1))
    answers: dict[str, TriedAnswer | None] = {}
    for place, (task, tried) in enumerate(of.tasks.items()):
        wanted = kind == "solved" or chance.random() < skill
        # A mistake may undo another in what it calls: two wrong answers would make a right one.
        wrong = frozenset().union(*(answer.defines for answer in answers.values() if answer and not answer.right))
        independent = [answer for answer in tried if answer.right or not answer.reads & wrong]
        fitting = [answer for answer in independent if answer.right == wanted] or independent
        answers[task] = chance.choice(fitting) if place < begun and kind != "blank" else None
    return answers


def _released(name: str) -> dict[str, object]:
    return json.loads((ROOT / "exercises" / name / f"{name}.ipynb").read_text(encoding="utf-8"))


def _text(released: dict[str, object], answers: dict[str, TriedAnswer | None], words: str) -> str:
    """The notebook as a learner saves it, with the learner's note at the top."""
    cells = [{"cell_type": "markdown", "id": "own-words", "metadata": {}, "source": words}]
    for cell in released["cells"]:
        answer = answers.get(cell["metadata"].get("nbgrader", {}).get("grade_id"))
        cells.append(cell | {"source": answer.source} if answer else cell)
    return json.dumps(released | {"cells": cells}, indent=1)


def _broken(text: str, chance: random.Random) -> str:
    """A damaged upload: cut off before the first answer, empty, or an HTML page instead of the notebook."""
    cut = text[: chance.randint(1, text.index('"cell_type": "code"'))]
    page = f"<!DOCTYPE html><html><title>Sign in</title><body>Session {chance.random()} has ended.</body></html>"
    return chance.choice([cut, "", page])
