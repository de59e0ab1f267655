"""Every check against the catalogue: each wrong answer gets its diagnosis, each right one passes."""

import re
import sys
from pathlib import Path

import pytest
import torch

from autograder import expect

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.answers import catalogue
from tests.answers.lesson import judge, lesson, names

EVERY = [answer for name in catalogue.assignments() for answer in catalogue.load(name)]
ANSWERS = [answer for answer in EVERY if answer.checks]  # the others: test_tasks_catalogue.py
WRONG = [answer for answer in ANSWERS if answer.caught]
RIGHT = [answer for answer in ANSWERS if not answer.caught]
TASKS = list({(answer.assignment, answer.task): answer for answer in RIGHT}.values())  # one right answer for each
COMPOSED = [answer for answer in TASKS if len(answer.parts) > 1]
SEEDS = (0, 1, 20260731)
PLACE = re.compile(r" at \[[\d, ]*\]")  # where a visible check shows the number that it got


def task_of(answer):
    return f"{answer.assignment} {answer.task}"


@pytest.fixture(autouse=True)
def _one_thread_seed_zero():
    torch.set_num_threads(1)
    yield
    expect.set_seed(0)


@pytest.mark.parametrize("answer", WRONG, ids=str)
def test_a_wrong_answer_gets_its_diagnosis(answer):
    space = lesson(answer.assignment).run(answer)
    for seed in SEEDS[:2]:
        expect.set_seed(seed)
        visible, hidden = (judge(answer, which, space) for which in ("visible", "hidden"))
        if answer.caught == "hidden":
            assert visible == ""
        message = {"visible": visible, "hidden": hidden}[answer.caught]
        missing = [words for words in answer.words if words not in message]
        assert not missing, f"{message!r} does not say {missing}"
        assert not PLACE.search(hidden), f"a hidden check shows a number of its case: {hidden!r}"


@pytest.mark.parametrize("answer", RIGHT, ids=str)
def test_a_right_answer_passes_on_every_seed(answer):
    space = lesson(answer.assignment).run(answer)
    for seed in SEEDS:
        expect.set_seed(seed)
        assert [judge(answer, which, space) for which in ("visible", "hidden")] == ["", ""]


@pytest.mark.parametrize("answer", TASKS, ids=task_of)
def test_the_reference_passes(answer):
    space = lesson(answer.assignment).space()
    for seed in SEEDS:
        expect.set_seed(seed)
        assert [judge(answer, which, space) for which in ("visible", "hidden")] == ["", ""]


@pytest.mark.parametrize("answer", TASKS, ids=task_of)
def test_an_answer_that_is_not_written_is_told_so(answer):
    own = lesson(answer.assignment)
    space = own.run(answer, own.blank(answer.task))
    for which in ("visible", "hidden"):
        assert "not written yet" in judge(answer, which, space)


@pytest.mark.parametrize("answer", TASKS, ids=task_of)
def test_the_catalogue_asks_the_checks_as_the_notebook_does(answer):
    own = lesson(answer.assignment)
    module = f"autograder.checks.{answer.checks}"
    assert own.called(answer.task, "visible") == (module, f"check_{answer.task}", answer.parts)
    assert own.called(answer.task, "hidden") == (module, f"check_{answer.task}_hidden", answer.parts)


@pytest.mark.parametrize("answer", COMPOSED, ids=task_of)
def test_a_task_is_not_punished_for_wrong_values_of_an_earlier_one(answer):
    own = lesson(answer.assignment)
    for earlier in WRONG:
        part = earlier.parts[0]
        if earlier.assignment == answer.assignment and part in answer.parts[1:]:
            wrong, space = own.run(earlier), own.run(answer)
            if not PLACE.search(judge(earlier, "visible", wrong)):
                continue  # no tensor that a later answer could go on with
            space[part] = wrong[part]
            for which in ("visible", "hidden"):
                assert judge(answer, which, space) == "", f"after {earlier}"


@pytest.mark.parametrize("name", sorted({*names(), *catalogue.assignments()}))
def test_every_task_has_a_file_with_at_least_six_wrong_and_three_right_answers(name):
    answers = [answer for answer in ANSWERS if answer.assignment == name]
    tasks = [task for task in lesson(name).tasks if lesson(name).task(task) is None]
    assert {answer.task for answer in answers} == set(tasks)
    for task in tasks:
        assert sum(answer.task == task for answer in WRONG if answer.assignment == name) >= 6, task
        assert sum(answer.task == task for answer in RIGHT if answer.assignment == name) >= 3, task


def test_every_wrong_answer_has_words_and_a_check_that_catches_it():
    for answer in WRONG:
        assert answer.words, answer
        assert all(len(words.strip()) >= 1 for words in answer.words), answer
        assert answer.caught in ("visible", "hidden"), answer


def test_no_two_wrong_and_no_two_right_answers_have_one_name():
    for answers in (WRONG, RIGHT):
        told = [str(answer) for answer in answers]
        assert sorted(name for name in told if told.count(name) > 1) == []
