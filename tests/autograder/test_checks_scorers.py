"""The checks of exercise 05 against the catalogue: every wrong answer gets its diagnosis, every right one passes."""

import importlib
import linecache
import sys
from pathlib import Path

import pytest
import torch

from autograder import expect
from seq2seq import attention, scorers

sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.catalogue import SETUP, Answer, load

ANSWERS = load("05_scorers")
WRONG = [answer for answer in ANSWERS if answer.words]
RIGHT = [answer for answer in ANSWERS if not answer.words]
TASKS = {answer.task: answer for answer in ANSWERS}
SEEDS = (0, 1, 20260731)


@pytest.fixture(autouse=True)
def _one_thread_seed_zero():
    torch.set_num_threads(1)
    yield
    expect.set_seed(0)


def run(source: str, name: str) -> dict:
    """The names that a learner's notebook holds after the answer cell, with the reference before it."""
    space = {"__name__": "__main__", "masked_softmax": attention.masked_softmax, "weighted_sum": attention.weighted_sum}
    exec(SETUP, space)
    linecache.cache[f"<{name}>"] = (len(source), None, source.splitlines(keepends=True), f"<{name}>")
    exec(compile(source, f"<{name}>", "exec"), space)
    return space


def judge(answer: Answer, which: str, space: dict) -> str:
    """What the check says; "" when it passes."""
    suffix = "" if which == "visible" else "_hidden"
    check = getattr(importlib.import_module(f"autograder.checks.{answer.checks}"), f"check_{answer.task}{suffix}")
    try:
        check(*(space[part] for part in answer.parts))
    except expect.CheckFailed as failure:
        return str(failure)
    return ""


def label(answer: Answer) -> str:
    return f"{answer.task}: {answer.name}"


@pytest.mark.parametrize("answer", WRONG, ids=label)
def test_a_wrong_answer_gets_its_diagnosis(answer):
    space = run(answer.source, answer.name)
    for seed in SEEDS[:2]:
        expect.set_seed(seed)
        if answer.caught == "hidden":
            assert judge(answer, "visible", space) == ""
        message = judge(answer, answer.caught, space)
        missing = [words for words in answer.words if words not in message]
        assert not missing, f"{message!r} does not say {missing}"


@pytest.mark.parametrize("answer", RIGHT, ids=label)
def test_a_right_answer_passes_on_every_seed(answer):
    space = run(answer.source, answer.name)
    for seed in SEEDS:
        expect.set_seed(seed)
        assert [judge(answer, which, space) for which in ("visible", "hidden")] == ["", ""]


@pytest.mark.parametrize("task", TASKS)
def test_the_reference_passes(task):
    space = vars(attention) | vars(scorers)
    for seed in SEEDS:
        expect.set_seed(seed)
        assert [judge(TASKS[task], which, space) for which in ("visible", "hidden")] == ["", ""]


@pytest.mark.parametrize("task", TASKS)
def test_an_answer_that_is_not_written_is_told_so(task):
    answer = TASKS[task]
    name = answer.parts[0]
    if name[0].isupper():
        source = f"class {name}(Scorer):\n" + "".join(
            f"    def {method}(self, *given):\n        raise NotImplementedError('not written yet')\n"
            for method in ("project_keys", "score")
        )
        reference = getattr(scorers, name)
        if "__init__" in vars(reference):
            blank = run(source, "blank")[name]
            space = {name: type(name, (blank,), {"__init__": _init_of(reference)})}
        else:
            space = run(source, "blank")
    else:
        space = run(f"def {name}(*given):\n    raise NotImplementedError('not written yet')\n", "blank")
    for which in ("visible", "hidden"):
        assert "not written yet" in judge(answer, which, space)


def _init_of(reference):
    """The layers that the stub is given."""

    def __init__(self, *sizes):
        torch.nn.Module.__init__(self)
        for name, layer in reference(*sizes).named_children():
            setattr(self, name, layer)

    return __init__


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_at_least_six_wrong_and_three_right_answers(task):
    assert sum(answer.task == task for answer in WRONG) >= 6
    assert sum(answer.task == task for answer in RIGHT) >= 3


def test_a_hidden_check_shows_no_numbers_of_its_cases():
    answer = next(answer for answer in WRONG if answer.name == "a fixed size")
    message = judge(answer, "hidden", run(answer.source, "fixed"))
    assert message.startswith("scores (other sizes): wrong values, expected those of the equation")


def test_attend_is_not_punished_for_a_wrong_masked_softmax():
    space = run(next(a.source for a in RIGHT if label(a) == "attend: composed"), "composed")
    wrong = run(next(a.source for a in WRONG if label(a) == "masked_softmax: mask after"), "wrong")["masked_softmax"]
    space["masked_softmax"] = wrong
    for which in ("visible", "hidden"):
        assert judge(TASKS["attend"], which, space) == ""


def test_attend_is_not_punished_for_a_wrong_weighted_sum():
    space = run(next(a.source for a in RIGHT if label(a) == "attend: composed"), "composed")
    space["weighted_sum"] = run(next(a.source for a in WRONG if label(a) == "weighted_sum: average"), "wrong")[
        "weighted_sum"
    ]
    for which in ("visible", "hidden"):
        assert judge(TASKS["attend"], which, space) == ""
