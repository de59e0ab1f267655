"""``python -m autograder check`` says of an answer what its visible check says in the notebook."""

import sys
from pathlib import Path

import pytest

from autograder.authoring.assignment import load
from autograder.expect import CheckFailed
from autograder.judging.job import Cell, Job
from autograder.judging.judge import Judge

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "answers"))

import catalogue  # noqa: E402

TASKS = ("masked_softmax", "weighted_sum", "dot_scorer", "score_gradient", "additive_scorer")
WRONG = [one for name in ("04_lookup", "05_scorers", "06_masking") for one in catalogue.load(name)]
EACH = 2  # of the answers that a task's visible check rejects
ANSWERS = [
    answer for task in TASKS for answer in [one for one in WRONG if one.task == task and one.caught == "visible"][:EACH]
]
pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def exercise():
    """That of the sample class, which has all of these tasks."""
    return load(ROOT, "00_attention")


@pytest.fixture(scope="module")
def judge(exercise):
    with Judge(exercise.given, ROOT) as judge:
        yield judge


def in_the_notebook(answer, check):
    """What the learner reads below the check cell."""
    names = {}
    exec(catalogue.SETUP, names)
    exec(answer.source, names)
    try:
        exec(check, names)
    except CheckFailed as failure:
        return str(failure)
    return ""


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: f"{answer.task}: {answer.name}")
def test_the_shell_says_what_the_notebook_says(exercise, judge, answer):
    name = f"{answer.task}_visible"
    check = exercise.cells[name].source
    cells = (
        Cell("setup", "code", catalogue.SETUP),
        Cell(answer.task, "code", answer.source),
        Cell(name, "check", check, 1.0),
    )
    (told,) = judge.run(Job(cells, seed=0, imports=exercise.imports)).checks
    there = in_the_notebook(answer, check)
    assert there
    assert told.message == there
