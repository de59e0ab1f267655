"""What happens by accident costs its own points at most, and is never called tampering."""

import socket
import subprocess
import tempfile
from pathlib import Path

import pytest

from autograder.judging.judge import Judge
from autograder.records.job import Cell, Job, Limits
from autograder.sandbox.box import Box
from autograder.sandbox.errors import KILLED, REMEDY, SandboxUnavailable

pytestmark = pytest.mark.sandbox
ROOT = Path(__file__).resolve().parents[2]
IMPORTS = "import torch\nfrom autograder.tasks.masking import check as masking\n"
RIGHT = "def double(x):\n    return 2 * x"
FORKS = {
    "goes on": "import os\nos.fork()",
    "raises": "import os\nif not os.fork():\n    raise ValueError('in the child')",
    "prints": "import os\nif not os.fork():\n    print('child')",
    "forks twice": "import os\nos.fork()\nos.fork()",
    "a pool": (
        "import multiprocessing\nwith multiprocessing.get_context('fork').Pool(2) as pool:\n    pool.map(abs, [-1])"
    ),
}
ODD = {  # results that the wire does not carry, or carries in parts
    "nested deeply": "deep = 1\nfor _ in range(60):\n    deep = [deep]",
    "holds itself": "deep = []\ndeep.append(deep)",
    "many small lists": "deep = [[1] * 850 for _ in range(850)]",
    "many axes": "import torch\ndeep = torch.zeros([1] * 12)",
    "an empty tensor with a huge axis": "import torch\ndeep = torch.zeros(0, 10**9)",
    "a huge whole number": "deep = 10**9000",
    "half a surrogate": "deep = chr(0xD800)",
    "sparse": "import torch\ndeep = torch.eye(3).to_sparse()",
    "a module with a sparse buffer": (
        "import torch\ndeep = torch.nn.Linear(2, 2)\ndeep.register_buffer('mask', torch.eye(2).to_sparse())"
    ),
}


@pytest.fixture(scope="module")
def judge():
    with Judge((), ROOT) as judge:
        yield judge


def verdict(judge, *sources, limits=None):
    """Cells that begin with "# check" are checks of 2 points each."""
    cells = [
        Cell(f"cell{number}", "check" if source.startswith("# check") else "code", source, 2.0)
        for number, source in enumerate(sources)
    ]
    return judge.run(Job(tuple(cells), 0, IMPORTS, limits or Limits()))


@pytest.mark.parametrize("how", FORKS)
def test_a_forked_child_says_nothing_in_its_parents_name(judge, how):
    result = verdict(judge, FORKS[how], RIGHT, "# check\nassert double(4) == 8", "# check\nassert double(5) == 10")
    assert (result.status, result.points) == ("ok", 4.0), result.notes


def test_a_child_forked_within_an_answer_ends_with_its_call(judge):
    forking = "import os\ndef double(x):\n    os.fork()\n    return 2 * x"
    result = verdict(judge, forking, "# check\nassert double(4) == 8", "# check\nassert double(5) == 10")
    assert (result.status, result.points) == ("ok", 4.0), result.notes


@pytest.mark.parametrize("what", ODD)
def test_an_odd_result_costs_its_own_task_alone(judge, what):
    odd = f"{ODD[what]}\ndef answer(*args):\n    return deep"
    asked = "# check\nmasking('masked_softmax', answer)"
    checks = [asked, "# check\nassert answer() == 1", "# check\nassert double(4) == 8"]
    result = verdict(judge, odd, RIGHT, *checks, limits=Limits(cell_seconds=30.0))
    assert [check.points for check in result.checks] == [0.0, 0.0, 2.0], result.checks
    assert result.status == "failed", result.notes


def test_a_result_too_large_is_told_by_its_shape_and_costs_its_own_task_alone(judge):
    large = "import torch\ndef weigh(scores, mask, temperature=1.0):\n    return torch.zeros(1000, 5000)"
    asked = ["# check\nmasking('masked_softmax', weigh)", "# check\nmasking('masked_softmax', weigh, hidden=True)"]
    result = verdict(judge, large, RIGHT, *asked, *["# check\nassert double(4) == 8"] * 3)
    assert [check.points for check in result.checks] == [0.0, 0.0, 2.0, 2.0, 2.0]
    assert "shape (1000, 5000), expected (batch=4, keys=6)" in result.checks[0].message
    assert result.status == "failed"


def test_a_flood_of_results_costs_its_own_check_alone(judge):
    flood = "import torch\ndef flood():\n    return torch.zeros(3000, 5000)"
    result = verdict(judge, flood, RIGHT, "# check\nfor _ in range(9):\n    flood()", "# check\nassert double(4) == 8")
    assert [check.points for check in result.checks] == [0.0, 2.0]
    assert "have sent more than" in result.checks[0].message


def test_a_slow_check_leaves_the_others_their_time(judge):
    slow = "import time\ndef slow():\n    time.sleep(0.4)"
    limits = Limits(cell_seconds=0.5, total_seconds=30.0)
    result = verdict(
        judge, slow, RIGHT, "# check\nwhile True:\n    slow()", "# check\nassert double(4) == 8", limits=limits
    )
    assert [check.points for check in result.checks] == [0.0, 2.0]
    assert "together took more than 1.5 s" in result.checks[0].message


def test_a_sparse_gradient_is_no_tampering(judge):
    sparse = """import torch
class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x.clone()
    @staticmethod
    def backward(ctx, gradient):
        return gradient.to_sparse()
def weigh(scores, mask, temperature=1.0):
    masked = Sum.apply(scores / temperature).masked_fill(~mask, -1e9)
    return torch.softmax(masked, -1).masked_fill(~mask, 0.0)
def direct(weights, values):
    return Sum.apply(torch.einsum('bk,bkv->bv', weights, values))"""
    result = verdict(
        judge, sparse, "# check\nmasking('masked_softmax', weigh)", "# check\nmasking('weighted_sum', direct)"
    )
    assert result.status in ("ok", "failed"), result.notes


@pytest.mark.parametrize(("ends", "remedy"), [("kill -9 $$", KILLED), ("kill -15 $$", KILLED), ("exit 1", REMEDY)])
def test_a_box_that_something_ends_while_it_starts_is_not_a_missing_bubblewrap(ends, remedy):
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(["sh", "-c", ends])
    theirs.close()
    with pytest.raises(SandboxUnavailable) as failure:
        Box(process, tempfile.TemporaryFile(), ours).wait()  # noqa: SIM115
    assert failure.value.remedy == remedy
