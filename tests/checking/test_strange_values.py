"""Whatever an answer returns, the check says something of it, and never breaks."""

import enum
import fractions

import numpy as np
import pytest
import torch

from autograder.checking import draw
from autograder.checking.checker import examine
from autograder.checking.observation import Candidate
from autograder.checking.task import Task, visible
from autograder.tasks.scorers import check
from seq2seq.scorers import BilinearScorer, LocationScorer


class Odd:
    def __eq__(self, other):
        raise RuntimeError("not to be compared")

    def __len__(self):
        raise RuntimeError("no length")


class Mine(torch.Tensor):
    pass


NUMBERS = [3, True, float("nan"), float("inf"), 10**400, -(10**5000), 1j, fractions.Fraction(1, 3)]
CONTAINERS = [[], [[]], (), {}, {1: 2}, {1, 2}, range(3), [Odd()], (letter for letter in "ab")]
ARRAYS = [np.array(value) for value in (3.5, ["a"], [[1, 2], [3, 4]])] + [np.datetime64("2026-01-01")]
TENSORS = [torch.tensor(3.0), torch.tensor([]), torch.zeros(0, 3), torch.zeros(3, 3, device="meta")]
TENSORS += [torch.full((3, 3), value) for value in (torch.nan, torch.inf)]
TENSORS += [torch.ones(3, 3).as_subclass(Mine), torch.eye(3).to_sparse()]
TENSORS += [torch.ones(3, 3, dtype=dtype) for dtype in (torch.bool, torch.float16, torch.complex64)]
STRANGE = [None, "text", b"bytes", print, Odd(), *NUMBERS, *CONTAINERS, *ARRAYS, *TENSORS]


def tensor(x: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x)


def pair(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return x + 1, x[0]


def number(size: int) -> float:
    return size / 4


def whole(size: int) -> int:
    return size + 1


def truth(size: int) -> bool:
    return size > 9


def text(size: int) -> str:
    return "a" * size


def listed(size: int) -> list[int]:
    return list(range(size))


def named(size: int) -> dict[str, float]:
    return {"half": size / 2}


FUNCTIONS = (number, whole, truth, text, listed, named)
PLAIN = [Task(function, function.__name__, [visible(size=7)], gradients=False) for function in FUNCTIONS]
OF_TENSORS = [
    Task(tensor, "tensor", [visible()], lambda draw: {"x": draw.normal(3, 3)}),
    Task(pair, "pair", [visible()], lambda draw: {"x": draw.normal(3, 3)}, results={"one": "a b", "two": "b"}),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("task", [*PLAIN, *OF_TENSORS], ids=lambda task: task.title)
@pytest.mark.parametrize("number", range(len(STRANGE)))
def test_a_strange_value_is_told_and_breaks_nothing(task, number):
    assert str(examine(task, Candidate(lambda *given: STRANGE[number]), hidden=False)) not in ("", "None")
    if task.title == "pair":
        assert examine(task, Candidate(lambda x: (STRANGE[number], x[0])), hidden=False) is not None


DEFAULTS = {"float64": (torch.set_default_dtype, torch.float64, torch.float32)}
DEFAULTS["another device"] = torch.set_default_device, torch.device("meta"), None


@pytest.mark.parametrize("default", DEFAULTS)
@pytest.mark.parametrize(("name", "answer"), [("bilinear_scorer", BilinearScorer), ("location_scorer", LocationScorer)])
def test_a_default_that_a_cell_has_set_costs_nothing_and_stays(default, name, answer, monkeypatch):
    monkeypatch.setattr(draw, "seed", 9000 + len(default))  # nothing that was drawn before
    make_default, value, before = DEFAULTS[default]
    make_default(value)
    try:
        check(name, answer)
        assert value in (torch.get_default_dtype(), torch.empty(0).device)
    finally:
        make_default(before)


class Letters(enum.StrEnum):
    THREE = "aaa"


class Whole(enum.IntEnum):
    FOUR = 4


@pytest.mark.parametrize(("reference", "got"), [(text, Letters.THREE), (whole, Whole.FOUR), (text, np.str_("aaa"))])
def test_a_member_of_an_enumeration_is_the_text_or_the_number_that_it_is(reference, got):
    task = Task(reference, "enumerated", [visible(size=3)], gradients=False, again=False)
    assert examine(task, Candidate(lambda size: got), hidden=False) is None
