"""Right and wrong answers to the course's exercises, from the tests' catalogue, with the points they deserve."""

import ast
import contextlib
import io
import random
import re
from dataclasses import dataclass
from functools import cached_property

import torch

from autograder.checking import draw
from tests.catalogue import answers as catalogue
from tests.catalogue.lesson import Lesson, edits
from tests.catalogue.lesson import lesson as lesson_of

LIBRARY = re.compile(r"from (seq2seq[.\w]*) import")
OF_A_TASK = 12  # the maximum number of answers to try; about three of twelve in the catalogue are right


@dataclass(frozen=True)
class TriedAnswer:
    """One answer to a task, as the source of its cell."""

    name: str
    source: str
    points: float
    right: bool  # whether all of the task's checks accept it

    @cached_property
    def defines(self) -> frozenset[str]:
        definitions = (ast.FunctionDef, ast.ClassDef)
        return frozenset(node.name for node in ast.parse(self.source).body if isinstance(node, definitions))

    @cached_property
    def reads(self) -> frozenset[str]:
        return frozenset(node.id for node in ast.walk(ast.parse(self.source)) if isinstance(node, ast.Name))


@dataclass(frozen=True)
class Exercise:
    """The right and wrong answers to each task of an exercise, in order."""

    name: str
    tasks: dict[str, list[TriedAnswer]]


def exercise(name: str, of_a_task: int = OF_A_TASK) -> Exercise:
    """Runs the checks of its task on each answer separately, as the notebook does and without the grader."""
    torch.set_num_threads(1)
    draw.seed = 0
    lesson = lesson_of(name)
    known = [answer for answer in [*catalogue.load(name), *edits(name)] if answer.task in lesson.tasks]
    tasks = {}
    for task in lesson.tasks:
        candidates = [answer for answer in known if answer.task == task]
        right, wrong = ([answer for answer in candidates if bool(answer.caught) == caught] for caught in (False, True))
        random.Random(task).shuffle(wrong)
        tried = [_tried(lesson, answer) for answer in [*right, *wrong[: of_a_task - len(right)]]]
        tasks[task] = [answer for answer in tried if answer is not None]
        if not any(answer.right for answer in tasks[task]):
            raise LookupError(f"{name}, {task}: no right answer of the catalogue passes in a notebook by itself.")
    return Exercise(name, tasks)


def _tried(lesson: Lesson, answer: catalogue.Answer) -> TriedAnswer | None:
    """None if the answer needs imports that the notebook does not have."""
    if any(f"{module.replace('.', '/')}.py" not in lesson.assignment.given for module in LIBRARY.findall(answer.setup)):
        return None
    source = "\n".join([_common(lesson), answer.setup, answer.source]).strip() + "\n"
    checks = [f"{answer.task}_{which}" for which in ("visible", "hidden")]
    worth = {check: lesson.assignment.checks[check] for check in checks if check in lesson.assignment.checks}
    passed = [
        points for check, points in worth.items() if _passes(lesson, answer.task, source, check.rpartition("_")[2])
    ]
    right = sum(passed) == sum(worth.values())
    return None if right == bool(answer.caught) else TriedAnswer(answer.name, source, float(sum(passed)), right)


def _passes(lesson: Lesson, task: str, source: str, which: str) -> bool:
    space = lesson.space(task)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(source, f"<{task}>", "exec"), space)
        return lesson.finding(task, which, space) is None
    except Exception:
        return False


def _common(lesson: Lesson) -> str:
    """The catalogue's common imports, restricted to what the exercise provides."""
    lines = catalogue.SETUP.splitlines()
    return "\n".join(line for line in lines if "seq2seq" not in line or "seq2seq/scorer.py" in lesson.assignment.given)
