"""One rule for values, in the notebook and over the wire: numpy's kinds, lists that change, meta tensors, parts."""

import math
from pathlib import Path

import pytest
import torch

from autograder import expect
from autograder.checking.checker import found
from autograder.checking.definition import from_source
from autograder.checking.edits import edit
from autograder.checking.observe import Subject
from autograder.checking.task import Task, hidden, mistake, visible
from autograder.judging.judge import Judge
from autograder.records.job import Cell, Job

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.sandbox

CHECKS = """
from tests.autograder.test_wire_kinds import {name} as task
from autograder.checking.observe import Subject
from autograder.checking.checker import found
from autograder.expect import CheckFailed

finding = found(task, Subject(answer), False)
if finding is not None:
    raise CheckFailed.of(finding)
"""


def count(words: list[str]) -> int:
    return len(words)


def tally(words: list[str]) -> dict[str, int]:
    return {word: words.count(word) for word in words}


def share(size: int) -> float:
    return 1 / math.sqrt(size)


def zeros(like: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(like)


def helper(x: torch.Tensor) -> torch.Tensor:
    return x + 1


def doubled(x: torch.Tensor) -> torch.Tensor:
    return 2 * helper(x)


def guarded(size: int) -> int:
    if size < 0:
        raise ValueError("size: got a negative one")
    return size


COUNT = Task(count, "count", [visible(words=["a", "b"]), hidden("none", words=[])], gradients=False)
TALLY = Task(tally, "tally", [visible(words=["a"]), visible("more", words=["a", "b"])], gradients=False)
SHARE = Task(share, "share", [visible(size=7)], gradients=False)
ZEROS = Task(zeros, "zeros", [visible()], lambda draw: {"like": draw.normal(2, 3)}, gradients=False, again=False)
DOUBLED = Task(
    doubled,
    "doubled",
    [visible()],
    lambda draw: {"x": draw.normal(2, 3)},
    parts={"helper": helper},
    mistakes=[mistake("no_factor", "the factor is missing", edit("2 * {x}", "{x}"))],
)
GUARDED = Task(
    guarded, "guarded", [visible(size=3), visible("negative", size=-1, raises="ValueError")], gradients=False
)

ANSWERS = [
    ("COUNT", "def answer(words): return len(words)", ""),
    ("COUNT", "import numpy as np\ndef answer(words): return np.int64(len(words))", ""),
    ("COUNT", "import torch\ndef answer(words): return torch.tensor(len(words))", ""),
    ("COUNT", "def answer(words): return float(len(words)) + 0.5", "values"),
    ("COUNT", "def answer(words):\n    n = len(words)\n    words.pop()\n    return n", "changed_in_place"),
    ("COUNT", "def answer(words): return str(len(words))", "kind"),
    (
        "TALLY",
        "class Own:\n    def __str__(self): return 'a'\nOWN = Own()\ndef answer(words): return {OWN: 1}",
        "values",
    ),
    ("SHARE", "import numpy as np\ndef answer(size): return np.float32(size) ** -0.5", ""),
    ("SHARE", "import numpy as np\ndef answer(size): return np.array(size ** -0.5)", ""),
    ("ZEROS", "import torch\ndef answer(like): return torch.zeros(like.shape, device=like.device)", ""),
    ("ZEROS", "import torch\ndef answer(like): return torch.zeros(like.shape, device='meta')", "device"),
    ("DOUBLED", "def helper(x): return x - 7\ndef answer(x): return 2 * helper(x)", ""),
    ("DOUBLED", "def helper(x): raise NotImplementedError\ndef answer(x): return helper(x) + helper(x)", ""),
    ("DOUBLED", "def helper(x): return x - 7\ndef answer(x): return helper(x)", "no_factor"),
    ("GUARDED", "def answer(size):\n    if size < 0: raise ValueError\n    return size", ""),
    ("GUARDED", "class Mine(ValueError): pass\ndef answer(size):\n    if size < 0: raise Mine\n    return size", ""),
    ("GUARDED", "def answer(size):\n    assert size >= 0\n    return size", "error_wrong"),
    ("GUARDED", "def answer(size): return size", "error_missing"),
]


@pytest.fixture(scope="module")
def judge():
    with Judge((), ROOT) as judge:
        yield judge


@pytest.mark.parametrize(("task", "source", "mistake"), ANSWERS, ids=[f"{a[0]} {i}" for i, a in enumerate(ANSWERS)])
def test_the_wire_says_what_the_notebook_says(judge, task, source, mistake):
    cells = (Cell("answer", "code", source), Cell("check", "check", CHECKS.format(name=task), 1.0))
    (told,) = judge.run(Job(cells, seed=0)).checks
    answer = from_source(source, "answer", {"__name__": "__main__"})
    expect.seed = 0
    here = found(globals()[task], Subject(answer), False)
    assert (here.mistake.partition(":")[0] if here else "") == mistake
    assert told.finding == (here or told.finding)
    assert told.points == float(not mistake)
