"""In the sandbox every check says what it says in the notebook, of wrong answers and of right ones."""

import pytest

from autograder.assignments.assignment import is_given
from autograder.checking import draw
from autograder.judging.judge import Judge
from autograder.records.job import Cell, Job
from tests.catalogue import answers as catalogue
from tests.catalogue.lesson import FORGET, ROOT, lesson, names

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.timeout(900),
    pytest.mark.filterwarnings("ignore:Converting a tensor with requires_grad"),  # a wrong answer's, in a notebook too
]
BOTH = ("visible", "hidden")


def cells(name: str, answers: list[catalogue.Answer], checks: tuple[str, ...]) -> tuple[Cell, ...]:
    """The given cells; then, task by task, each answer with its checks, between the library's answer twice."""
    exercise = lesson(name)
    made = [Cell("common", "code", catalogue.SETUP)]
    for id, cell in exercise.assignment.cells.items():
        if is_given(cell) and cell.cell_type == "code":
            made.append(Cell(id, "code", cell.source))
        if id in exercise.tasks:
            made.append(Cell(f"{id}-first", "code", cell.source))  # it brings what else stands in the answer's cell
            for number, answer in enumerate(answers):
                if answer.task == id:
                    made.append(Cell(f"{id}-{number}", "code", f"{answer.setup}\n{answer.source}"))
                    for check in checks:
                        source = FORGET + exercise.assignment.cells[f"{id}_{check}"].source
                        made.append(Cell(f"{number} {check}", "check", source, 1.0))
            made.append(Cell(id, "code", cell.source))
    return tuple(made)


@pytest.fixture(scope="module")
def disagreements():
    """What sandbox and notebook say differently of an assignment's answers, by one judge for all assignments."""
    given = dict.fromkeys(path for name in names() for path in lesson(name).assignment.given)
    with Judge(tuple(given), ROOT) as judge:

        def disagreements(name, answers, checks, seed=0):
            draw.seed = seed
            job = Job(cells(name, answers, checks), seed, imports=lesson(name).assignment.imports)
            there = {check.cell: check.finding for check in judge.run(job).checks}
            for number, answer in enumerate(answers):
                space = lesson(name).run(answer) if answer.caught else {}
                for check in checks:
                    sandbox = there[f"{number} {check}"]
                    notebook = lesson(name).finding(answer.task, check, space) if answer.caught else None
                    if (sandbox.mistake if sandbox else None) != (notebook.mistake if notebook else None):
                        yield f"{answer}, {check} check, seed {seed}: in the sandbox {sandbox}, here {notebook}"

        yield disagreements
    draw.seed = 0


@pytest.mark.parametrize("name", names())
def test_the_sandbox_says_what_the_notebook_says(disagreements, name):
    """Of one wrong answer and one right one to each task."""
    sample = []
    for place, task in enumerate(lesson(name).tasks):
        answers = catalogue.load(name, task)
        for kind in ([a for a in answers if a.caught], [a for a in answers if not a.caught]):
            sample.append(kind[place % len(kind)])
    assert list(disagreements(name, sample, ("visible",))) == []


@pytest.mark.long("every seed")
@pytest.mark.parametrize("name", names())
def test_of_every_answer_the_sandbox_says_what_the_notebook_says(disagreements, name):
    answers = catalogue.load(name)
    missed = list(disagreements(name, [answer for answer in answers if answer.caught], BOTH))
    for seed in range(3):
        missed += disagreements(name, [answer for answer in answers if not answer.caught], BOTH, seed)
    assert missed == []
