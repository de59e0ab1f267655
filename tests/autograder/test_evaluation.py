"""The judge: right verdicts on answers that it never runs in its own process; an accident costs its own points."""

import sys

import pytest

from autograder.records.job import Cell, Job, Limits

QUICK = Limits(cell_seconds=2.0, total_seconds=60.0)
PYTHON = "{}.{}".format(*sys.version_info)
IMPORTS = "import torch\nfrom autograder.tasks.masking import check as masking"


@pytest.fixture
def examine(judge):
    """Judges cells; those whose source begins with "# check" are checks of 2 points each."""

    def examine(*sources, limits=QUICK, seed=0, imports=IMPORTS):
        kinds = [("check", 2.0) if source.startswith("# check") else ("code", 0.0) for source in sources]
        cells = (Cell(f"cell{n}", kind, sources[n], points) for n, (kind, points) in enumerate(kinds))
        return judge.run(Job(tuple(cells), seed, imports, limits))

    return examine


LAYER = """
import torch
from torch import nn
class Layer(nn.Module):
    def __init__(self, size, out):
        super().__init__()
        self.linear = nn.Linear(size, out)
    def forward(self, x, scale=1.0):
        return torch.tanh(self.linear(x)) * scale
    def twice(self, x):
        return self(x), {"again": [self(x)]}
def make(size):
    return Layer(size, 2)
"""
STREAM = """import sys
kept = []
def say(close):
    kept.append(sys.stdout)
    print('x', file={file})
    if close:
        sys.stdout.close()
    return len(kept)"""
LOUD = """def f():
    import sys, warnings
    print('x' * 1000)
    print('y', file=sys.stderr)
    warnings.warn('z')
    return 1"""
BESIDE = "from beside import Box\ndef make(): return Box()"
DOUBLE, DOUBLES = "def double(x): return 2 * x", "assert double(4) == 8 and double(5) == 10"
FORKS = {  # of which no child says anything in its parent's name
    "goes on": "import os\nos.fork()",
    "raises": "import os\nif not os.fork():\n    raise ValueError('in the child')",
    "prints": "import os\nif not os.fork():\n    print('child')",
    "forks twice": "import os\nos.fork()\nos.fork()",
    "is one of a pool": "import multiprocessing as m\nwith m.get_context('fork').Pool(2) as pool: pool.map(abs, [1])",
}
RIGHT = {  # what is right: (the cells of the answer, the check that passes)
    "a function": ([DOUBLE], DOUBLES),
    "a module and its methods": (
        [LAYER],
        """
layer, x = make(3), torch.randn(4, 3)
first, more = layer.twice(x)
assert first.shape == (4, 2) and torch.equal(more["again"][0], first)
assert torch.equal(layer(x, scale=3.0), 3 * first) and torch.equal(layer.linear(x).tanh(), first)
assert layer.linear.weight.shape == (2, 3) and sorted(layer.state_dict()) == ["linear.bias", "linear.weight"]""",
    ),
    "an answer that gets another one": ([DOUBLE, "def twice(f, x): return f(f(x))"], "assert twice(double, 3) == 12"),
    "an argument that is changed": (["def f(x): x += 1"], "x = torch.zeros(3)\nf(x)\nassert x.tolist() == [1, 1, 1]"),
    "a breakpoint that was left": (["def double(x):\n    breakpoint()\n    return 2 * x"], DOUBLES),
    "prints and warnings": ([LOUD], "assert f() == 1"),
    "a class of a module beside the notebook": (
        ["%%writefile beside.py\nclass Box:\n    def open(self, x): return x + 1", BESIDE],
        "assert make().open(1) == 2",
    ),
    "gradients that were switched off": (
        ["import torch\ntorch.set_grad_enabled(False)", "f = lambda w: -(w * w.clamp_min(1e-30).log()).sum(-1)"],
        "masking('entropy', f)",
    ),
    "a stream that is kept": ([STREAM.format(file="kept[0]")], "assert [say(False), say(False)] == [1, 2]"),
    "a stream that is closed": ([STREAM.format(file="sys.stdout")], "assert [say(True), say(True)] == [1, 2]"),
    **{f"a child that {how}": ([fork, DOUBLE], DOUBLES) for how, fork in FORKS.items()},
    "a fork within an answer": (["import os\ndef double(x):\n    os.fork()\n    return 2 * x"], DOUBLES),
}


@pytest.mark.parametrize(("cells", "check"), RIGHT.values(), ids=RIGHT)
def test_a_right_answer_gets_all_points(examine, cells, check):
    verdict = examine(*cells, f"# check\n{check}")
    assert (verdict.status, verdict.points, verdict.checks[0].message) == ("ok", 2.0, "")


HIDDEN = "\n### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"
SHORTER = HIDDEN.replace("### ", "# ")  # nbgrader hides what is between these, too
LARGE = "import torch\ndef f(*given): return torch.zeros({})"
DEBUGGED = "by `pdb.set_trace()` (cell `cell1`, line 2), and nobody is there to type into it: take that line away."
TOLD = {  # what is told: (the answer, the check, words of the message, words that are not in it)
    "the words of the assertion": ("double = abs", "assert double(4) == 8, 'not twice'", "not twice", "("),
    "the line of an assertion without words": ("double = abs", "assert double(4) == 8", "assert double(4) == 8", "✓"),
    "no line of a hidden one": ("double = abs", HIDDEN.format("assert double(4) == 8"), "hidden", "double(4)"),
    "nor if its marks are shorter": ("double = abs", SHORTER.format("assert double(4) == 8"), "hidden", "double(4)"),
    "an exception's kind": ("def f(x): return x @ x", "f(torch.ones(2, 3))", "RuntimeError", "✓"),
    "its line alone": ("def f(x):\n    y = 1\n    return x @ x", "f(torch.ones(2, 3))", "`return x @ x`", "y = 1"),
    "a name that is not defined": ("x = 1", "assert double(1) == 2", "double: not defined", "✓"),
    "a name whose cell has a syntax error": ("def double(x)", "double(1)", f"; Python {PYTHON} read it", "✓"),
    "a name that a magic forgets": (f"%%timeit -n1 -r1\n{DOUBLE}", "double(1)", "begins with `%%timeit`, which", "✓"),
    "a debugger": (f"def double(x):\n    import pdb; pdb.set_trace()\n    {DOUBLE[15:]}", "double(1)", DEBUGGED, "✓"),
    "too large a result": (LARGE.format("2**26"), "f()", "what it returned was not sent: an array", "✓"),
    "its shape": (LARGE.format("1000, 5000"), "masking('masked_softmax', f)", "shape (1000, 5000), expected (b", "✓"),
    "and hidden": (LARGE.format("1000, 5000"), "masking('masked_softmax', f, hidden=True)", "shape", "✓"),
    "a check that is cut off": ("answer = abs", "assert answer(", "the check could not use your answer", "✓"),
    "an object that is compared": ("class O: pass\nf = O", "f() == 3", "the O stays in the learner's process", "✓"),
    "a gradient": (
        "f = abs",
        "f(torch.ones(2, requires_grad=True))",
        "no gradient flows into an answer from here",
        "✓",
    ),
    "a function for an answer": ("f = abs", "f(lambda x: x)", "a function does not reach an answer", "✓"),
    "a check that returns": ("answer = abs", "return 1", "the check could not use your answer", "✓"),
    "a check that is deep": ("answer = abs", "x = " + "-" * 9000 + "1", "the check could not use your answer", "✓"),
}


@pytest.mark.parametrize(("answer", "check", "words", "others"), TOLD.values(), ids=TOLD)
def test_a_failed_check_gives_no_points_says_why_and_stops_nobody(examine, answer, check, words, others):
    verdict = examine("good = abs", answer, f"# check\n{check}", "# check\nassert good(-3) == 3")
    assert (verdict.status, [check.points for check in verdict.checks]) == ("failed", [0.0, 2.0])
    assert words in verdict.checks[0].message
    assert others not in verdict.checks[0].message


def test_a_check_sees_answers_at_their_place_and_may_give_partial_credit_within_its_points(examine):
    numbers = ["0.5 if half(4) == 4 else 2", "big", "odd[0]", "odd[1]", "odd[2]"]
    answers = "half = lambda x: x\nbig, odd = 1000.0, [float('nan'), -5.0, float('inf')]"
    verdict = examine(answers, *(f"# check\n{number}" for number in numbers))
    assert [check.points for check in verdict.checks] == [0.5, 2.0, 0.0, 0.0, 0.0]
    assert verdict.checks[0].status == "partial"
    sources = "f = lambda: 1", "# check\nassert f() == 1\nx = -3", "f = lambda: 2"
    last = "# check\nassert f() == 2 and g(x) == 3 and math.pi > 3"  # what earlier checks defined, and the imports
    assert examine("g = abs", *sources, last, imports="import math").points == 4.0


def test_the_same_job_gives_the_same_verdict_and_another_seed_other_inputs(examine):
    drawn = "import random, torch, numpy\nprint(torch.rand(2), random.random(), numpy.random.rand())"
    check = "# check\nfrom autograder.checking.draw import generator\nkeep(torch.rand(1, generator=generator('x')))"
    keep = "seen = []\ndef keep(x):\n    seen.append(float(x))"
    first, again, other = (examine(drawn, keep, check, "# check\n1/0", "print(seen)", seed=seed) for seed in (1, 1, 2))
    texts = [verdict.cells[-1].outputs for verdict in (first, again, other)]
    assert texts[0] == texts[1] != texts[2] != []
    assert first.cells[0].outputs == again.cells[0].outputs != []
    assert first.checks == again.checks
    half = "# check\nassert torch.equal(f(2.0), 2 * torch.ones(3))\nf(2.0).sum().item() / 6"
    verdicts = [examine("import torch\ndef f(x): return x * torch.ones(3)", half) for _ in range(4)]
    assert {(verdict.status, verdict.points) for verdict in verdicts} == {("failed", 1)}


def test_a_loop_costs_its_own_points_alone_is_named_and_not_tried_twice_and_the_time_of_all_is_limited(examine):
    good, loop = "# check\nassert good() == 1", "def f():\n    while True: pass"
    cells = ("def good(): return 1", "while True:\n    pass", loop, good, "# check\nf()", "# check\nf()", good)
    verdict = examine(*cells)
    assert ([check.points for check in verdict.checks], verdict.status) == ([2.0, 0.0, 0.0, 2.0], "timeout")
    assert verdict.cells[1].status == "timeout"
    assert "f did not finish within 2 s" in verdict.checks[1].message
    assert "not tried again" in verdict.checks[2].message
    sleep = "import time\ntime.sleep(1.5)"
    verdict = examine("f = abs", sleep, sleep, sleep, "# check\nassert f(-1) == 1", limits=Limits(2.0, 3.0))
    assert verdict.status == "timeout"
    assert "used up" in verdict.checks[0].message


def test_a_crash_costs_its_own_points_alone_and_a_reset_of_the_notebook_is_no_error(examine):
    crash = "def kill():\n    import ctypes\n    ctypes.string_at(0)"
    good = "# check\nassert good() == 1"
    verdict = examine("def good():\n    return 1", "import os\nos._exit(0)", crash, good, "# check\nkill()", good)
    assert [check.status for check in verdict.checks] == ["passed", "failed", "passed"]
    assert verdict.status == "crashed"
    assert [cell.status for cell in examine("x = 1\n%reset -f", "y = 2").cells] == ["ok", "ok"]


COSTS = {  # what an answer gives back may cost the judge so much time and memory, and no more
    "a loop over it": ("10**15", "for one in range(f()):\n    pass", "timeout", "more than 3 s"),
    "a square of it": ("list(range(30_000))", "sum(a == b for a in f() for b in f())", "timeout", "more than 3 s"),
    "memory": ("10**12", "x = list(range(f()))", "memory", "more than 2 GiB"),
    "memory of torch": ("10**11", "torch.zeros(f())", "memory", "more than 2 GiB"),
    "many results": ("__import__('torch').zeros(3000, 5000)", "for _ in range(9): f()", "memory", "have sent more"),
    "slow answers": ("__import__('time').sleep(0.4)", "while True: f()", "timeout", "together took more than 3 s"),
}


@pytest.mark.parametrize(("result", "check", "status", "words"), COSTS.values(), ids=COSTS)
def test_a_check_that_takes_too_much_costs_itself_alone(examine, result, check, status, words):
    costly, honest = (f"def f(): return {result}", f"# check\n{check}"), ("g = abs", "# check\nassert g(-1) == 1")
    seconds = 1.0 if status == "timeout" else 30.0
    verdict = examine(*costly, *honest, limits=Limits(seconds, total_seconds=120.0))
    assert (verdict.status, [check.points for check in verdict.checks]) == (status, [0.0, 2.0])
    assert words in verdict.checks[0].message
    assert examine(*honest).points == 2.0


WRONG_AND_LOOKING = """import torch
def masked_softmax(scores, source_mask, temperature=1.0):
    return torch.softmax(scores / temperature, dim=-1)
own, seen = masked_softmax, set()
def attend(scores, values, source_mask):
    seen.add(getattr(masked_softmax, '__wrapped__', masked_softmax) is own)
    weights = masked_softmax(scores, source_mask)
    return torch.einsum('bk,bkv->bv', weights, values), weights"""


def test_a_wrong_answer_meets_the_earlier_ones_as_their_author_wrote_them_and_never_the_references(examine):
    checks = [f"# check\nmasking('{name}', {name})" for name in ("masked_softmax", "attend")]
    imports = "import torch\nfrom autograder.tasks.masking import check as masking"
    verdict = examine(WRONG_AND_LOOKING, *checks, "print(seen)", imports=imports, limits=Limits(30.0, 120.0))
    assert verdict.cells[-1].outputs[0]["text"] == "{True}\n"
    assert [check.points for check in verdict.checks] == [0.0, 2.0]  # the mistake has a name: it costs once


ODD = {  # results that the wire does not carry, or carries in parts
    "nested deeply": "deep = 1\nfor _ in range(60):\n    deep = [deep]",
    "holds itself": "deep = []\ndeep.append(deep)",
    "many small lists": "deep = [[1] * 850 for _ in range(850)]",
    "many axes": "import torch\ndeep = torch.zeros([1] * 12)",
    "an empty tensor with a huge axis": "import torch\ndeep = torch.zeros(0, 10**9)",
    "a large tensor": "import torch\ndeep = torch.zeros(1000, 5000)",
    "a huge whole number": "deep = 10**9000",
    "half a surrogate": "deep = chr(0xD800)",
    "sparse": "import torch\ndeep = torch.eye(3).to_sparse()",
    "a module with a sparse buffer": (
        "import torch\ndeep = torch.nn.Linear(2, 2)\ndeep.register_buffer('mask', torch.eye(2).to_sparse())"
    ),
}


@pytest.mark.parametrize("what", ODD)
def test_an_odd_result_costs_its_own_task_alone_and_is_no_tampering(examine, what):
    checks = ("masking('masked_softmax', odd)", "assert odd() == 1", DOUBLES)
    asked = [f"# check\n{check}" for check in checks[what == "many small lists" :]]  # one look at them takes seconds
    odd = f"{ODD[what]}\ndef odd(*given):\n    return deep"
    verdict = examine(odd, DOUBLE, *asked, limits=Limits(cell_seconds=30.0))
    assert [check.points for check in verdict.checks] == [*[0.0] * (len(asked) - 1), 2.0], verdict.checks
    assert verdict.status == "failed", verdict.notes


def test_a_sparse_gradient_is_no_tampering(examine):
    sparse = """import torch
class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()
    @staticmethod
    def backward(ctx, gradient):
        return gradient.to_sparse()
def weigh(scores, mask, temperature=1.0):
    masked = Sum.apply(scores / temperature).masked_fill(~mask, -1e9)
    return torch.softmax(masked, -1).masked_fill(~mask, 0.0)
def direct(weights, values):
    return Sum.apply(torch.einsum('bk,bkv->bv', weights, values))"""
    verdict = examine(sparse, "# check\nmasking('masked_softmax', weigh)", "# check\nmasking('weighted_sum', direct)")
    assert verdict.status in ("ok", "failed"), verdict.notes
