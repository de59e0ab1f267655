"""The judge: right verdicts on answers that it never runs in its own process."""

from pathlib import Path

import pytest

from autograder.judging.check_cell import compiled
from autograder.judging.judge import Judge
from autograder.records.job import Cell, Job, Limits

ROOT = Path(__file__).resolve().parents[2]
QUICK = Limits(cell_seconds=2.0, total_seconds=60.0)
pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def judge():
    with Judge((), ROOT) as judge:
        yield judge


@pytest.fixture
def examine(judge):
    def examine(*sources, limits=QUICK, seed=0, imports=""):
        """Cells whose source begins with "# check" are checks of 2 points each."""
        cells = tuple(
            Cell(f"check{number}", "check", source, 2.0)
            if source.lstrip().startswith("# check")
            else Cell(f"cell{number}", "code", source)
            for number, source in enumerate(sources)
        )
        return judge.run(Job(cells, seed, imports, limits))

    return examine


def only(verdict):
    assert len(verdict.checks) == 1
    return verdict.checks[0]


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


def test_a_right_answer_gets_all_points(examine):
    verdict = examine("def double(x):\n    return 2 * x", "# check\nassert double(4) == 8")
    assert (verdict.status, verdict.points, only(verdict).message) == ("ok", 2.0, "")


def test_a_wrong_answer_gets_none_and_the_words_of_the_assertion(examine):
    verdict = examine("def double(x):\n    return x", "# check\nassert double(4) == 8, 'twice four is eight'")
    assert (verdict.status, only(verdict).points, only(verdict).message) == ("failed", 0.0, "twice four is eight")


def test_an_assertion_without_words_shows_its_line(examine):
    verdict = examine("def double(x):\n    return x", "# check\nassert double(4) == 8")
    assert "assert double(4) == 8" in only(verdict).message


def test_a_hidden_assertion_without_words_does_not_show_its_line(examine):
    source = "# check\n### BEGIN HIDDEN TESTS\nassert double(4) == 8\n### END HIDDEN TESTS"
    message = only(examine("def double(x):\n    return x", source)).message
    assert "hidden" in message
    assert "double(4)" not in message


def test_the_last_expression_of_a_check_may_give_partial_credit(examine):
    verdict = examine("def half(x):\n    return x", "# check\n0.5 if half(4) == 4 else 2")
    assert (only(verdict).points, only(verdict).status) == (0.5, "partial")


def test_partial_credit_never_exceeds_the_points_of_the_cell(examine):
    assert only(examine("big = 1000.0", "# check\nbig")).points == 2.0


@pytest.mark.parametrize("number", ["float('nan')", "-5.0", "float('inf')"])
def test_odd_numbers_give_no_points(examine, number):
    assert only(examine(f"odd = {number}", "# check\nodd")).points == 0.0


def test_values_of_many_kinds_cross(examine):
    check = """# check
import torch
out = echo(1, -2.5, True, None, "é", [1, (2.0, "x")], {"k": torch.arange(3)}, key=torch.ones(2, dtype=torch.bool))
assert out[0][:6] == (1, -2.5, True, None, "é", [1, (2.0, "x")])
assert out[0][6]["k"].tolist() == [0, 1, 2]
assert out[1]["key"].dtype == torch.bool
"""
    verdict = examine("def echo(*args, **kwargs):\n    return args, kwargs", check)
    assert only(verdict).message == ""


def test_gradients_flow_through_functions_and_modules(examine):
    check = """# check
import torch
layer = make(3)
reference = torch.nn.Linear(3, 2)
layer.load_state_dict({"linear.weight": reference.weight, "linear.bias": reference.bias})
x, y = torch.randn(4, 3, requires_grad=True), None
ours, theirs = torch.tanh(reference(x)) * 3, layer(x, scale=3.0)
assert torch.allclose(ours, theirs)
wanted = torch.autograd.grad(ours.pow(2).sum(), [x, *reference.parameters()])
found = torch.autograd.grad(theirs.pow(2).sum(), [x, *layer.parameters()])
assert all(torch.allclose(a, b) for a, b in zip(wanted, found))
assert torch.autograd.gradcheck(layer.double(), (x.double().detach().requires_grad_(),))
"""
    assert only(examine(LAYER, check)).message == ""


def test_an_optimiser_in_the_check_trains_the_answer(examine):
    check = """# check
import torch
layer = Layer(3, 1)
x, y = torch.randn(16, 3), torch.full((16, 1), 0.3)
optimiser = torch.optim.SGD(layer.parameters(), lr=0.5)
losses = []
for _ in range(20):
    layer.zero_grad()
    loss = (layer(x) - y).pow(2).mean()
    loss.backward()
    optimiser.step()
    losses.append(float(loss.detach()))
assert losses[-1] < losses[0] / 10, losses
"""
    assert only(examine(LAYER, check)).message == ""


def test_methods_parameters_and_nested_results_are_reached(examine):
    check = """# check
import torch
layer = make(3)
x = torch.randn(5, 3)
first, more = layer.twice(x)
assert torch.equal(first, layer(x)) and torch.equal(more["again"][0], first)
assert layer.linear.weight.shape == (2, 3)
assert [name for name, _ in layer.named_parameters()] == ["linear.weight", "linear.bias"]
"""
    assert only(examine(LAYER, check)).message == ""


def test_a_detached_result_arrives_detached(examine):
    check = "# check\nimport torch\nassert not f(torch.ones(2, requires_grad=True)).requires_grad"
    assert only(examine("def f(x):\n    return x.detach() * 2", check)).message == ""


def test_what_an_answer_does_to_its_arguments_is_seen(examine):
    check = "# check\nimport torch\nx = torch.zeros(3)\nf(x)\nassert x.tolist() == [1, 1, 1]"
    assert only(examine("def f(x):\n    x += 1", check)).message == ""


def test_an_exception_names_its_kind_and_the_learners_line(examine):
    verdict = examine("def f(x):\n    y = 1\n    return x @ x", "# check\nimport torch\nf(torch.ones(2, 3))")
    message = only(verdict).message
    assert "RuntimeError" in message
    assert "`return x @ x`" in message


def test_a_name_that_is_not_defined_is_named(examine):
    assert "double: not defined" in only(examine("x = 1", "# check\nassert double(1) == 2")).message


def test_a_name_whose_cell_has_a_syntax_error_is_told_so(examine):
    message = only(examine("def double(x)\n    return 2 * x", "# check\nassert double(1) == 2")).message
    assert "its cell ended with SyntaxError" in message


def test_what_a_submission_draws_at_random_is_the_same_in_every_run(examine):
    cells = ("import random, torch, numpy\nprint(torch.rand(2), random.random(), numpy.random.rand())",)
    first, second = (examine(*cells).cells[0].outputs for _ in range(2))
    assert first == second != []


def test_checks_see_the_answers_as_they_are_at_their_place_in_the_notebook(examine):
    verdict = examine("f = lambda: 1", "# check\nassert f() == 1", "f = lambda: 2", "# check\nassert f() == 2")
    assert verdict.points == 4.0


def test_later_checks_may_use_what_earlier_checks_defined(examine):
    verdict = examine("f = abs", "# check\nimport torch\nx = -3", "# check\nassert f(x) == 3")
    assert verdict.points == 4.0


def test_the_instructors_imports_are_there(examine):
    verdict = examine(
        "import torch\ndef f():\n    return torch.ones(2)",
        "# check\nassert torch.equal(f(), torch.ones(2))",
        imports="import torch",
    )
    assert only(verdict).message == ""


def test_the_seed_makes_inputs_fresh_and_repeatable(examine):
    check = (
        "# check\nfrom autograder.expect import generator\nimport torch\nkeep(torch.rand(1, generator=generator('x')))"
    )
    cells = ("seen = []\ndef keep(x):\n    seen.append(float(x))", check, "print(seen)")
    texts = [examine(*cells, seed=seed).cells[-1].outputs[0]["text"] for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_prints_and_warnings_of_answers_cost_nothing(examine):
    source = "import sys, warnings\ndef f():\n    print('x' * 1000)\n    print('y', file=sys.stderr)\n    warnings.warn('z')\n    return 1"
    verdict = examine(source, "# check\nassert f() == 1")
    assert verdict.points == 2.0


def test_a_loop_costs_its_own_points_alone(examine):
    verdict = examine(
        "def good():\n    return 1", "while True:\n    pass", "def late():\n    return 2",
        "# check\nassert good() == 1", "# check\nassert late() == 2",
    )  # fmt: skip
    assert verdict.points == 4.0
    assert verdict.status == "timeout"
    assert verdict.cells[1].status == "timeout"


def test_an_answer_that_loops_is_named_and_not_tried_twice(examine):
    verdict = examine(
        "def f():\n    while True:\n        pass\ndef g():\n    return 1",
        "# check\nf()", "# check\nf()", "# check\nassert g() == 1",
    )  # fmt: skip
    assert "f did not finish within 2 s" in verdict.checks[0].message
    assert "not tried again" in verdict.checks[1].message
    assert verdict.checks[2].status == "passed"


def test_a_crash_costs_its_own_points_alone(examine):
    verdict = examine(
        "def good():\n    return 1", "import os\nos._exit(0)", "def kill():\n    import ctypes\n    ctypes.string_at(0)",
        "# check\nassert good() == 1", "# check\nkill()", "# check\nassert good() == 1",
    )  # fmt: skip
    assert [check.status for check in verdict.checks] == ["passed", "failed", "passed"]
    assert verdict.status == "crashed"


def test_the_time_of_a_whole_notebook_is_limited(examine):
    sleep = "import time\ntime.sleep(1.5)"
    verdict = examine("f = abs", sleep, sleep, sleep, "# check\nassert f(-1) == 1", limits=Limits(2.0, 3.0))
    assert verdict.status == "timeout"
    assert "used up" in only(verdict).message


def test_too_large_a_result_is_the_answers_error(examine):
    verdict = examine("import torch\ndef f():\n    return torch.zeros(2**26)", "# check\nf()")
    assert "too large" in only(verdict).message
    assert verdict.status == "failed"


ATTACKS = {
    "patched comparison functions": "import torch, builtins\ntorch.allclose = torch.equal = lambda *a, **k: True\nbuiltins.all = lambda x: True",
    "an object that equals everything": "class Yes:\n    def __eq__(self, other):\n        return True\n    def __bool__(self):\n        return True\ndef f(x):\n    return Yes()",
    "a tensor subclass that agrees": "import torch\nclass Yes(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, func, types, args=(), kwargs=None):\n        return torch.tensor(True)\ndef f(x):\n    return torch.zeros(3).as_subclass(Yes)",
    "printing points": "print(2.0)\n2.0\ndef f(x):\n    print('passed')\n    return 2.0",
    "raising AssertionError subclasses": "class Pass(BaseException):\n    pass\ndef f(x):\n    raise Pass('2 points')",
    "exit with success": "import os\ndef f(x):\n    os._exit(0)",
    "frames of the caller": "import sys\ndef f(x):\n    frame = sys._getframe()\n    while frame:\n        for value in frame.f_locals.values():\n            if type(value).__name__ == 'Tensor' and value.shape == (3,):\n                return value\n        frame = frame.f_back",
    "everything that the collector knows": "import gc, torch\ndef f(x):\n    for thing in gc.get_objects():\n        if isinstance(thing, torch.Tensor) and thing.shape == (3,) and thing is not x:\n            return thing",
    "forged replies on the wire": "import socket\nfor fd in range(3, 10):\n    try:\n        s = socket.socket(fileno=fd)\n        s.sendall(b'\\x0f\\x00\\x00\\x00\\x00\\x00\\x00\\x00[[\"none\"], []]  ' * 10)\n        s.detach()\n    except OSError:\n        pass\ndef f(x):\n    return x",
    "garbage on the wire": "import os\nfor fd in range(3, 10):\n    try:\n        os.write(fd, b'\\xff' * 10000)\n    except OSError:\n        pass",
    "a wire that says it is the judge": "import sys\nm = sys.modules['autograder.sandbox.wire']\nm.encode = lambda value, buffers: ['dict', [['result', ['bool', True]], ['changed', ['list', []]], ['ticket', ['int', 1]]]]",
    "a module named like the checks": "import sys, types\nm = types.ModuleType('autograder.expect')\nsys.modules['autograder.expect'] = m\ndef f(x):\n    return x",
    "NaN everywhere": "import torch\ndef f(x):\n    return x * float('nan')",
}  # fmt: skip


@pytest.mark.parametrize("source", ATTACKS.values(), ids=ATTACKS.keys())
def test_attacks_get_no_points_and_harm_no_neighbour(examine, source):
    check = """# check
import torch
from autograder.expect import generator
x = torch.randn(3, generator=generator("x"))
secret = 2 * x + torch.randn(3, generator=generator("y"))
got = f(x)
assert isinstance(got, torch.Tensor) and torch.allclose(got, secret)
"""
    verdict = examine(source, check, seed=4)
    assert verdict.points == 0.0
    after = examine("def double(x):\n    return 2 * x", "# check\nassert double(4) == 8")
    assert (after.status, after.points) == ("ok", 2.0)


def test_garbage_on_the_wire_is_called_tampering(examine):
    assert examine(ATTACKS["garbage on the wire"], "# check\nf(1)").status == "tampered"


def test_only_the_free_names_of_a_check_are_asked_for():
    source = "from x import y\nimport a.b\nz = y(len(answer), [i for i in other])\ndef g(k):\n    return k + z"
    assert compiled(source).names == {"answer", "other"}


def test_the_same_job_gives_the_same_verdict(judge):
    job = Job((Cell("a", "code", LAYER), Cell("c", "check", "make(3)(1)", 1.0)), 7)
    assert judge.run(job).checks == judge.run(job).checks


def test_a_pair_with_names_is_a_pair(examine):
    source = "import torch\nfrom collections import namedtuple\nPair = namedtuple('Pair', 'context weights')\n"
    source += "def attend(x):\n    return Pair(x + 1, x.max(dim=0))"
    check = "# check\nimport torch\ncontext, (values, places) = attend(torch.eye(3))\n"
    check += "assert type(context) is torch.Tensor and values.tolist() == [1, 1, 1] and places.tolist() == [0, 1, 2]"
    assert only(examine(source, check)).status == "passed"


def test_numpys_float_is_a_float(examine):
    source = "import numpy\ndef bleu():\n    return [numpy.float64(0.25), numpy.mean([1, 2])]"
    assert (
        only(examine(source, "# check\nassert all(isinstance(x, float) and x in (0.25, 1.5) for x in bleu())")).status
        == "passed"
    )


def test_a_class_of_a_module_beside_the_notebook_is_as_good_as_one_of_the_notebook(examine):
    module = "%%writefile beside.py\nclass Box:\n    def open(self, x):\n        return x + 1"
    check = "# check\nassert make().open(1) == 2"
    assert only(examine(module, "from beside import Box\ndef make():\n    return Box()", check)).status == "passed"


def test_gradients_reach_an_answer_wherever_they_were_switched_off(examine):
    off = "import torch\ntorch.set_grad_enabled(False)"
    check = "# check\nimport torch\nx = torch.ones(2, requires_grad=True)\n"
    check += "(double(x * 3)).sum().backward()\nassert x.grad.tolist() == [6, 6]"
    assert only(examine(off, "def double(x):\n    return 2 * x", check)).status == "passed"


def test_a_stream_that_an_answer_keeps_stays_open(examine):
    source = "import sys\nkept = []\ndef say(close):\n    kept.append(sys.stdout)\n    print('x', file=kept[0])\n"
    source += "    if close:\n        sys.stdout.close()\n    return len(kept)"
    assert only(examine(source, "# check\nassert [say(False), say(False)] == [1, 2]")).status == "passed"
    closing = source.replace("file=kept[0]", "file=sys.stdout")
    assert only(examine(closing, "# check\nassert [say(True), say(True)] == [1, 2]")).status == "passed"


def test_a_reset_of_the_notebook_is_no_error(examine):
    verdict = examine("x = 1\n%reset -f", "y = 2")
    assert [cell.status for cell in verdict.cells] == ["ok", "ok"]
