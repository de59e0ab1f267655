"""In the sandbox every visible check rejects what it rejects in the notebook, nearly always in the same words."""

import sys
from pathlib import Path

import pytest

from autograder.authoring.assignment import is_given
from autograder.expect import set_seed
from autograder.judging.job import Cell, Job
from autograder.judging.judge import Judge

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from tests.answers import catalogue  # noqa: E402
from tests.answers.lesson import judge as judged_here  # noqa: E402
from tests.answers.lesson import lesson, names  # noqa: E402

pytestmark = pytest.mark.sandbox

UNSEEN: set[str] = set()
OTHER_WORDS = 0.05  # of the answers: PyTorch's own words, or a gradient of 0 in the place of none


def cells(name: str, answers: list[catalogue.Answer]) -> tuple[Cell, ...]:
    """The given cells; then, task by task, each wrong answer with its check, between the right answer twice."""
    own = lesson(name)
    made = [Cell("common", "code", catalogue.SETUP)]
    for id, cell in own.assignment.cells.items():
        if is_given(cell) and cell.cell_type == "code":
            made.append(Cell(id, "code", cell.source))
        if id in own.tasks:
            made.append(Cell(f"{id}-first", "code", cell.source))  # it brings what else stands in the answer's cell
            for number, answer in enumerate(answers):
                if answer.task == id:
                    source = own.assignment.cells[f"{id}_visible"].source
                    made.append(Cell(f"{id}-{number}", "code", f"{answer.setup}\n{answer.source}"))
                    made.append(Cell(str(number), "check", source, 1.0))
            made.append(Cell(id, "code", cell.source))
    return tuple(made)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", names())
def test_the_shell_says_of_every_wrong_answer_what_the_notebook_says(name):
    answers = [answer for answer in catalogue.load(name) if answer.caught == "visible"]
    assignment = lesson(name).assignment
    with Judge(assignment.given, ROOT) as judge:
        told = judge.run(Job(cells(name, answers), seed=0, imports=assignment.imports)).checks
    set_seed(0)
    here = {
        str(number): judged_here(answer, "visible", lesson(name).run(answer)) for number, answer in enumerate(answers)
    }
    told = {check.cell: check.message for check in told}
    assert told.keys() == here.keys()
    passed_there = {str(answers[int(number)]) for number, message in told.items() if not message}
    assert passed_there <= UNSEEN
    others = [str(answers[int(number)]) for number, message in told.items() if message and message != here[number]]
    assert len(others) <= OTHER_WORDS * len(answers), others
