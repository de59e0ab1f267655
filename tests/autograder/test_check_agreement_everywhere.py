"""In the sandbox every check says what it says in the notebook, of wrong answers and of right ones, field by field.

WIRE_SEEDS=20 tries the right answers at twenty seeds rather than at three.
"""

import os
import sys
from pathlib import Path

import pytest

from autograder import expect
from autograder.authoring.assignment import is_given
from autograder.judging.judge import Judge
from autograder.records.job import Cell, Job

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from tests.catalogue import answers as catalogue  # noqa: E402
from tests.catalogue.lesson import lesson, names  # noqa: E402

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.filterwarnings("ignore:Converting a tensor with requires_grad"),  # a wrong answer's, in a notebook too
]

SEEDS = range(int(os.environ.get("WIRE_SEEDS", "3")))


def cells(name: str, answers: list[catalogue.Answer], checks: tuple[str, ...]) -> tuple[Cell, ...]:
    """The given cells; then, task by task, each answer with its checks, between the library's answer twice."""
    own = lesson(name)
    made = [Cell("common", "code", catalogue.SETUP)]
    for id, cell in own.assignment.cells.items():
        if is_given(cell) and cell.cell_type == "code":
            made.append(Cell(id, "code", cell.source))
        if id in own.tasks:
            made.append(Cell(f"{id}-first", "code", cell.source))  # it brings what else stands in the answer's cell
            for number, answer in enumerate(answers):
                if answer.task == id:
                    made.append(Cell(f"{id}-{number}", "code", f"{answer.setup}\n{answer.source}"))
                    for check in checks:
                        source = own.assignment.cells[f"{id}_{check}"].source
                        made.append(Cell(f"{number} {check}", "check", source, 1.0))
            made.append(Cell(id, "code", cell.source))
    return tuple(made)


@pytest.fixture(scope="module", params=names())
def judged(request):
    """(assignment's name, what the sandbox says of answers)"""
    assignment = lesson(request.param).assignment
    with Judge(assignment.given, ROOT) as judge:

        def ask(answers, checks, seed):
            job = Job(cells(request.param, answers, checks), seed, imports=assignment.imports)
            return {check.cell: check for check in judge.run(job).checks}

        yield request.param, ask


@pytest.mark.timeout(900)
def test_of_every_wrong_answer_the_sandbox_says_what_the_notebook_says(judged):
    name, ask = judged
    answers = [answer for answer in catalogue.load(name) if answer.caught]
    there = ask(answers, ("visible",), 0)
    expect.seed = 0
    for number, answer in enumerate(answers):
        here = lesson(name).found(answer.task, "visible", lesson(name).run(answer))
        told = there[f"{number} visible"].finding
        assert bool(told) == (here is not None), f"{answer}: {told}"
        if here is not None:
            assert told.mistake == here.mistake, f"{answer}: {told} | {here}"


@pytest.mark.timeout(900)
def test_every_right_answer_passes_in_the_sandbox_at_every_seed(judged):
    name, ask = judged
    answers = [answer for answer in catalogue.load(name) if not answer.caught]
    for seed in SEEDS:
        said = ask(answers, ("visible", "hidden"), seed)
        lost = [f"{answers[int(cell.split()[0])]}: {check.message}" for cell, check in said.items() if check.finding]
        assert lost == []
