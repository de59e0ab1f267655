"""Every task against the catalogue: each wrong answer is told its mistake, each right one passes, at every seed."""

import sys
from pathlib import Path

import pytest
import torch

from autograder import expect
from autograder.checking.checker import found
from autograder.checking.observe import Subject
from autograder.checking.task import PLAIN
from autograder.finding import UNWRITTEN

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.catalogue import answers as catalogue
from tests.catalogue.lesson import edits, lesson, names

WRITTEN = [answer for name in catalogue.assignments() for answer in catalogue.load(name)]
EDITS = [answer for name in names() for answer in edits(name)]
WRONG = [answer for answer in WRITTEN if answer.caught]
RIGHT = [answer for answer in WRITTEN if not answer.caught]
TASKS = [(name, task) for name in names() for task in lesson(name).tasks if lesson(name).task(task)]
SEEDS = (*range(19), 20260731)

# a wrong answer's, in a notebook too
pytestmark = pytest.mark.filterwarnings("ignore:Converting a tensor with requires_grad")


@pytest.fixture(autouse=True)
def _one_thread_seed_zero():
    torch.set_num_threads(1)
    yield
    expect.seed = 0


@pytest.mark.parametrize("answer", [*WRONG, *EDITS], ids=str)
def test_a_wrong_answer_is_told_its_mistake(answer):
    own = lesson(answer.assignment)
    space = own.run(answer)
    for seed in SEEDS[:2]:
        expect.seed = seed
        visible, hidden = (own.found(answer.task, which, space) for which in ("visible", "hidden"))
        if answer.caught == "hidden":
            assert visible is None
        finding = {"visible": visible, "hidden": hidden}[answer.caught]
        assert finding is not None
        assert finding.mistake.partition(":")[0] in answer.mistakes, str(finding)
        if visible is not None and visible.sure and hidden is not None and hidden.sure == visible.sure == "values":
            assert hidden.mistake == visible.mistake, "the hidden check contradicts the visible one"


@pytest.mark.parametrize("answer", RIGHT, ids=str)
def test_a_right_answer_passes_at_every_seed(answer):
    own = lesson(answer.assignment)
    space = own.run(answer)
    for seed in SEEDS:
        expect.seed = seed
        assert [own.found(answer.task, which, space) for which in ("visible", "hidden")] == [None, None]


@pytest.mark.parametrize(("name", "task"), TASKS)
def test_the_reference_passes_and_the_blank_is_told_that_it_is_not_written(name, task):
    own = lesson(name)
    space = own.space() | own.reference[task]
    for which in ("visible", "hidden"):
        assert own.found(task, which, space) is None
    blank = catalogue.Answer(task, "blank", own.blank(task), assignment=name)
    space = own.run(blank)
    for which in ("visible", "hidden"):
        assert own.found(task, which, space).mistake == UNWRITTEN


@pytest.mark.parametrize(("name", "task"), TASKS)
def test_every_variant_keeps_its_mistakes_and_rejects_the_others(name, task):
    plain = lesson(name).task(task)
    for own in (plain.of(one) for one in (PLAIN, *(one.id for one in plain.variants)) if plain.variants):
        reference = own.definition.compiled()
        for hidden in (False, True):
            assert found(own, Subject(reference, own.tools), hidden) is None
            for other in own.others():
                finding = found(own, Subject(other.definition.compiled(), own.tools), hidden)
                assert finding is not None
                assert finding.mistake == "other_variant"
        kept = list(own.fitting())
        assert len(kept) >= len(plain.mistakes) / 2, "most of a task's mistakes fit its variants"
        for one, wrong in kept:
            finding = found(own, Subject(wrong, own.tools), hidden=one.caught == "hidden")
            assert finding is not None


@pytest.mark.parametrize(("name", "task"), TASKS)
def test_every_task_has_four_wrong_and_three_right_answers_beside_its_edits(name, task):
    of_task = [answer for answer in WRITTEN if (answer.assignment, answer.task) == (name, task)]
    assert sum(bool(answer.caught) for answer in of_task) >= 4
    assert sum(not answer.caught for answer in of_task) >= 3
    assert len(lesson(name).task(task).mistakes) >= 4


def test_no_two_answers_of_a_task_have_one_name():
    told = [str(answer) for answer in [*WRITTEN, *EDITS]]
    assert sorted(name for name in told if told.count(name) > 1) == []
