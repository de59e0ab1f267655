"""The judge: right verdicts on answers that it never runs in its own process.

What an exercise gives belongs to the judge too: helpers, constants, and what is handed to answers.
"""

import resource
from pathlib import Path

import pytest

from autograder.authoring.given import relied_on
from autograder.judging import judge_limits
from autograder.judging.check_cell import compiled
from autograder.judging.forked_evaluation import ForkedEvaluation
from autograder.judging.judge import Judge
from autograder.judging.judge_limits import Overrun, bounded
from autograder.records.job import Cell, Job, Limits
from autograder.records.verdict import Verdict

ROOT = Path(__file__).resolve().parents[2]
QUICK = Limits(cell_seconds=2.0, total_seconds=60.0)
SHORT = Limits(cell_seconds=1.0, total_seconds=1.0)
sandbox = pytest.mark.sandbox


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
    (check,) = verdict.checks
    return check


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
RIGHT = {  # what is right: (the cells of the answer, the check that passes)
    "a function": (["def double(x):\n    return 2 * x"], "assert double(4) == 8"),
    "values of many kinds": (
        ["def echo(*args, **kwargs):\n    return args, kwargs"],
        """import torch
out = echo(1, -2.5, True, None, "é", [1, (2.0, "x")], {"k": torch.arange(3)}, key=torch.ones(2, dtype=torch.bool))
assert out[0][:6] == (1, -2.5, True, None, "é", [1, (2.0, "x")])
assert out[0][6]["k"].tolist() == [0, 1, 2]
assert out[1]["key"].dtype == torch.bool""",
    ),
    "gradients through functions and modules": (
        [LAYER],
        """import torch
layer = make(3)
reference = torch.nn.Linear(3, 2)
layer.load_state_dict({"linear.weight": reference.weight, "linear.bias": reference.bias})
x, y = torch.randn(4, 3, requires_grad=True), None
ours, theirs = torch.tanh(reference(x)) * 3, layer(x, scale=3.0)
assert torch.allclose(ours, theirs)
wanted = torch.autograd.grad(ours.pow(2).sum(), [x, *reference.parameters()])
found = torch.autograd.grad(theirs.pow(2).sum(), [x, *layer.parameters()])
assert all(torch.allclose(a, b) for a, b in zip(wanted, found))
assert torch.autograd.gradcheck(layer.double(), (x.double().detach().requires_grad_(),))""",
    ),
    "training by an optimiser of the check": (
        [LAYER],
        """import torch
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
assert losses[-1] < losses[0] / 10, losses""",
    ),
    "methods, parameters and nested results": (
        [LAYER],
        """import torch
layer = make(3)
x = torch.randn(5, 3)
first, more = layer.twice(x)
assert torch.equal(first, layer(x)) and torch.equal(more["again"][0], first)
assert layer.linear.weight.shape == (2, 3)
assert [name for name, _ in layer.named_parameters()] == ["linear.weight", "linear.bias"]""",
    ),
    "a result that is detached": (
        ["def f(x):\n    return x.detach() * 2"],
        "import torch\nassert not f(torch.ones(2, requires_grad=True)).requires_grad",
    ),
    "an argument that is changed": (
        ["def f(x):\n    x += 1"],
        "import torch\nx = torch.zeros(3)\nf(x)\nassert x.tolist() == [1, 1, 1]",
    ),
    "prints and warnings": (
        [
            "import sys, warnings\ndef f():\n    print('x' * 1000)\n    print('y', file=sys.stderr)\n"
            "    warnings.warn('z')\n    return 1"
        ],
        "assert f() == 1",
    ),
    "a class of a module beside the notebook": (
        [
            "%%writefile beside.py\nclass Box:\n    def open(self, x):\n        return x + 1",
            "from beside import Box\ndef make():\n    return Box()",
        ],
        "assert make().open(1) == 2",
    ),
    "gradients that were switched off": (
        ["import torch\ntorch.set_grad_enabled(False)", "def double(x):\n    return 2 * x"],
        "import torch\nx = torch.ones(2, requires_grad=True)\n"
        "(double(x * 3)).sum().backward()\nassert x.grad.tolist() == [6, 6]",
    ),
    "a stream that is kept": ([STREAM.format(file="kept[0]")], "assert [say(False), say(False)] == [1, 2]"),
    "a stream that is closed": ([STREAM.format(file="sys.stdout")], "assert [say(True), say(True)] == [1, 2]"),
}


@sandbox
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_gets_all_points(examine, name):
    cells, check = RIGHT[name]
    verdict = examine(*cells, f"# check\n{check}")
    assert (verdict.status, verdict.points, only(verdict).message) == ("ok", 2.0, "")


HIDDEN = "\n### BEGIN HIDDEN TESTS\nassert double(4) == 8\n### END HIDDEN TESTS"
TOLD = {  # what is told: (the answer, the check, words of the message, words that are not in it)
    "the words of the assertion": (
        "double = abs",
        "assert double(4) == 8, 'twice four is eight'",
        "twice four is",
        "(",
    ),
    "the line of an assertion without words": ("double = abs", "assert double(4) == 8", "assert double(4) == 8", "✓"),
    "no line of a hidden one": ("double = abs", HIDDEN, "hidden", "double(4)"),
    "an exception and the learner's line": (
        "def f(x):\n    y = 1\n    return x @ x",
        "import torch\nf(torch.ones(2, 3))",
        "`return x @ x`",
        "y = 1",
    ),
    "the kind of an exception": ("def f(x): return x @ x", "import torch\nf(torch.ones(2, 3))", "RuntimeError", "✓"),
    "a name that is not defined": ("x = 1", "assert double(1) == 2", "double: not defined", "✓"),
    "a name whose cell has a syntax error": ("def double(x)", "double(1)", "its cell ended with SyntaxError", "✓"),
    "too large a result": ("import torch\ndef f(): return torch.zeros(2**26)", "f()", "too large", "✓"),
    "a check that is cut off": ("answer = abs", "assert answer(", "the check could not use your answer", "✓"),
    "a check that returns": ("answer = abs", "return 1", "the check could not use your answer", "✓"),
    "a check that is deep": ("answer = abs", "x = " + "-" * 9000 + "1", "the check could not use your answer", "✓"),
}


@sandbox
@pytest.mark.parametrize("name", TOLD)
def test_a_failed_check_gives_no_points_says_why_and_stops_nobody(examine, name):
    answer, check, words, others = TOLD[name]
    verdict = examine("good = abs", answer, f"# check\n{check}", "# check\nassert good(-3) == 3")
    assert (verdict.status, [one.points for one in verdict.checks]) == ("failed", [0.0, 2.0])
    assert words in verdict.checks[0].message
    assert others not in verdict.checks[0].message


@sandbox
def test_the_last_expression_of_a_check_may_give_partial_credit_within_the_points_of_the_cell(examine):
    numbers = ["0.5 if half(4) == 4 else 2", "big", "odd[0]", "odd[1]", "odd[2]"]
    answers = "half = lambda x: x\nbig, odd = 1000.0, [float('nan'), -5.0, float('inf')]"
    verdict = examine(answers, *(f"# check\n{number}" for number in numbers))
    assert [check.points for check in verdict.checks] == [0.5, 2.0, 0.0, 0.0, 0.0]
    assert verdict.checks[0].status == "partial"


@sandbox
def test_checks_see_answers_at_their_place_what_earlier_checks_defined_and_the_imports(examine):
    sources = "f = lambda: 1", "# check\nassert f() == 1\nx = -3", "f = lambda: 2"
    last = "# check\nassert f() == 2 and g(x) == 3 and math.pi > 3"
    assert examine("g = abs", *sources, last, imports="import math").points == 4.0


@sandbox
def test_the_same_job_gives_the_same_verdict_and_another_seed_other_inputs(examine, judge):
    drawn = "import random, torch, numpy\nprint(torch.rand(2), random.random(), numpy.random.rand())"
    check = (
        "# check\nfrom autograder.expect import generator\nimport torch\nx = torch.rand(1, generator=generator('x'))"
    )
    cells = (
        drawn,
        "seen = []\ndef keep(x):\n    seen.append(float(x))",
        f"{check}\nkeep(x)",
        "# check\n1/0",
        "print(seen)",
    )
    first, again, other = (examine(*cells, seed=seed) for seed in (1, 1, 2))
    texts = [verdict.cells[-1].outputs for verdict in (first, again, other)]
    assert texts[0] == texts[1] != texts[2] != []
    assert first.cells[0].outputs == again.cells[0].outputs != []
    assert first.checks == again.checks
    half = "import torch\nassert torch.equal(f(2.0), 2 * torch.ones(3))\nf(2.0).sum().item() / 2"
    answer = Cell("answer", "code", "import torch\n\ndef f(x):\n    return x * torch.ones(3)")
    job = Job((answer, Cell("check", "check", half, 4.0)), 5)
    assert {(verdict.status, verdict.points) for verdict in (judge.run(job) for _ in range(4))} == {("failed", 3.0)}


@sandbox
def test_a_loop_costs_its_own_points_alone_is_named_and_not_tried_twice(examine):
    verdict = examine(
        "def good():\n    return 1",
        "while True:\n    pass",
        "def f():\n    while True:\n        pass",
        "# check\nassert good() == 1",
        "# check\nf()",
        "# check\nf()",
        "# check\nassert good() == 1",
    )
    assert ([check.points for check in verdict.checks], verdict.status) == ([2.0, 0.0, 0.0, 2.0], "timeout")
    assert verdict.cells[1].status == "timeout"
    assert "f did not finish within 2 s" in verdict.checks[1].message
    assert "not tried again" in verdict.checks[2].message


@sandbox
def test_a_crash_costs_its_own_points_alone(examine):
    crash = "def kill():\n    import ctypes\n    ctypes.string_at(0)"
    good = "# check\nassert good() == 1"
    verdict = examine("def good():\n    return 1", "import os\nos._exit(0)", crash, good, "# check\nkill()", good)
    assert [check.status for check in verdict.checks] == ["passed", "failed", "passed"]
    assert verdict.status == "crashed"


@sandbox
def test_the_time_of_a_whole_notebook_is_limited(examine):
    sleep = "import time\ntime.sleep(1.5)"
    verdict = examine("f = abs", sleep, sleep, sleep, "# check\nassert f(-1) == 1", limits=Limits(2.0, 3.0))
    assert verdict.status == "timeout"
    assert "used up" in only(verdict).message


@sandbox
def test_a_reset_of_the_notebook_is_no_error(examine):
    assert [cell.status for cell in examine("x = 1\n%reset -f", "y = 2").cells] == ["ok", "ok"]


ATTACKS = {
    "a tensor subclass that agrees": "import torch\nclass Yes(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, func, types, args=(), kwargs=None):\n        return torch.tensor(True)\ndef f(x):\n    return torch.zeros(3).as_subclass(Yes)",
    "forged replies on the wire": "import socket\nfor fd in range(3, 10):\n    try:\n        s = socket.socket(fileno=fd)\n        s.sendall(b'\\x0f\\x00\\x00\\x00\\x00\\x00\\x00\\x00[[\"none\"], []]  ' * 10)\n        s.detach()\n    except OSError:\n        pass\ndef f(x):\n    return x",
    "garbage on the wire": "import os\nfor fd in range(3, 10):\n    try:\n        os.write(fd, b'\\xff' * 10000)\n    except OSError:\n        pass",
    "a wire that says it is the judge": "import sys\nm = sys.modules['autograder.sandbox.wire']\nm.encode = lambda value, buffers: ['dict', [['result', ['bool', True]], ['changed', ['list', []]], ['ticket', ['int', 1]]]]",
    "a module named like the checks": "import sys, types\nm = types.ModuleType('autograder.expect')\nsys.modules['autograder.expect'] = m\ndef f(x):\n    return x",
}  # fmt: skip


@sandbox
@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_get_no_points_and_harm_no_neighbour(examine, name):
    check = """# check
import torch
from autograder.expect import generator
x = torch.randn(3, generator=generator("x"))
secret = 2 * x + torch.randn(3, generator=generator("y"))
got = f(x)
assert isinstance(got, torch.Tensor) and torch.allclose(got, secret)
"""
    verdict = examine(ATTACKS[name], check, seed=4)
    assert verdict.points == 0.0
    assert (verdict.status == "tampered") == ("on the wire" in name), verdict
    after = examine("def double(x):\n    return 2 * x", "# check\nassert double(4) == 8")
    assert (after.status, after.points) == ("ok", 2.0)


def test_only_the_free_names_of_a_check_are_asked_for():
    source = "from x import y\nimport a.b\nz = y(len(answer), [i for i in other])\ndef g(k):\n    return k + z"
    assert compiled(source).names == {"answer", "other"}


COSTS = {  # what an answer gives back may cost the judge so much time and memory, and no more
    "a loop over it": ("range(10**15)", "for one in f():\n    pass", "timeout", "more than 3 s"),
    "a square of it": ("list(range(30_000))", "sum(a == b for a in f() for b in f())", "timeout", "more than 3 s"),
    "memory": ("range(10**12)", "x = list(f())", "memory", "more than 2 GiB"),
    "memory of torch": ("10**11", "import torch\ntorch.zeros(f())", "memory", "more than 2 GiB"),
}


@sandbox
@pytest.mark.parametrize("name", COSTS)
def test_a_check_that_takes_too_much_costs_itself_alone(examine, name):
    result, check, status, words = COSTS[name]
    costly, honest = (f"def f(): return {result}", f"# check\n{check}"), ("g = abs", "# check\nassert g(-1) == 1")
    verdict = examine(*costly, *honest, limits=Limits(cell_seconds=1.0, total_seconds=120.0))
    assert (verdict.status, [check.points for check in verdict.checks]) == (status, [0.0, 2.0])
    assert words in verdict.checks[0].message
    assert examine(*honest).points == 2.0


def test_what_no_exception_stops_costs_its_submission_alone(monkeypatch):
    class Endless:
        def __init__(self, sandbox, job):
            pass

        def verdict(self):
            sum(range(10**15))

    monkeypatch.setattr(judge_limits, "PROCESSOR_SECONDS", 0)
    monkeypatch.setattr("autograder.judging.evaluation.Evaluation", Endless)
    forked = ForkedEvaluation(None, Job((Cell("dear", "check", "assert sum(f()) > 0", 1.0),), 0, "", SHORT))
    verdict = Verdict.from_json(forked.answer()["verdict"])
    assert (verdict.status, verdict.points) == ("timeout", 0.0)
    assert "kept the grader busy" in verdict.checks[0].message
    assert not forked.reap()


def test_a_loop_of_the_judges_own_is_ended_and_its_process_is_bounded(monkeypatch):
    def endless():
        with bounded(0.2):
            while True:
                pass

    with pytest.raises(Overrun):
        endless()
    with bounded(1000):  # and so is the limit with its end
        pass
    limits = {}
    monkeypatch.setattr(resource, "setrlimit", lambda what, pair: limits.update({what: pair[0]}))
    judge_limits.bound_process(SHORT)
    assert limits[resource.RLIMIT_CPU] == 11
    assert judge_limits.MEMORY < limits[resource.RLIMIT_AS] < 2**40


GIVEN = """
import math
import torch
from torch import nn

BOUND = 0.01
log = []
words = ["a"]
words.append("b")
unused = open("/nowhere")


def near(a, b):
    return abs(a - b) < BOUND


def close(a, b):
    return near(a, b)


def noted(x):
    log.append(x)
    return x


def measured(x):
    return math.floor(double(x))


class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 3)
        self.register_buffer("runs", torch.zeros((), dtype=torch.long))
        self.size = 3

    def forward(self, x, scale=1.0):
        self.runs += 1
        return torch.tanh(self.linear(x)) * scale

    def step(self, x):
        self.runs += 1
        return x + 1, [x * self.linear.weight.sum()]
"""
IMPORT = "import torch\nfrom torch import nn"
OF_AN_ANSWER = "base = 2\nmade = double(base)\nmore = made + 1\nkept = base + 1"
DRAWN = "import torch\ntorch.manual_seed(3)\nx = torch.rand(2)\nprint(x)"
CLOSE = "BOUND = 0.01\ndef near(a, b):\n    return abs(a - b) < BOUND\ndef close(a, b):\n    return near(a, b)"


@pytest.mark.parametrize(
    ("given", "check", "answer", "relied"),
    [
        (GIVEN, "assert close(f(1), 2)", "", CLOSE),
        (GIVEN, "words", "", "words = ['a']\nwords.append('b')"),
        (GIVEN, "BOUND", "BOUND = 1.0", ""),
        (GIVEN, "close", "def close(a, b): return True", ""),
        (GIVEN, "close", "from m import close", ""),
        (IMPORT, "torch, nn", IMPORT, IMPORT),
        (OF_AN_ANSWER, "made, more, kept", "def double(x): return 2 * x", "base = 2\nkept = base + 1"),
        ("%matplotlib inline\nx = 1\ny = 2", "# x\n'x'\ny", "", "y = 2"),
        (DRAWN, "x", "", DRAWN.replace("\nprint(x)", "")),
    ],
)
def test_what_checks_name_is_given_with_what_it_needs_unless_answers_bind_it(given, check, answer, relied):
    assert relied_on([given], [check], [answer] if answer else []) == relied


@pytest.mark.parametrize("check", ["log", "noted(1) and log"])
def test_what_given_functions_change_stays_where_answers_call_them(check):
    assert "log =" not in relied_on([GIVEN], [check], [])


@pytest.fixture
def examine_given(judge):
    """The verdict on an answer to an exercise with GIVEN; ``after`` is a learner's own cell between the checks."""

    def examine_given(answer: str, *checks: str, after: str = "", given: str = GIVEN):
        cells = [Cell("given", "code", given), Cell("answer", "code", answer)]
        for number, source in enumerate(checks):
            cells += [Cell(f"check {number}", "check", source, 1.0), Cell(f"mine {number}", "code", after)]
        imports = relied_on([given], checks, [answer] if "def close" not in answer else [])
        return judge.run(Job(tuple(cells), 0, imports, Limits(cell_seconds=4.0, total_seconds=60.0)))

    return examine_given


LIES = "def close(a, b): return True\nnear = close\nBOUND = float('inf')\ndef double(x): return {result}"


@sandbox
@pytest.mark.parametrize(("result", "points"), [("2 * x", 2.0), ("x", 0.0)])
def test_a_helper_of_the_exercise_cannot_be_replaced(examine_given, result, points):
    checks = "assert close(double(3.0), 6.0)", "assert abs(double(3.0) - 6.0) < BOUND"
    assert examine_given(LIES.format(result=result), *checks).points == points


LENT = """
module = Counted()
x = torch.ones(4, 2, requires_grad=True)
got = use(module, x)
seen = int(module.runs)
wanted = torch.tanh(module.linear(x)) * 2.0
assert torch.allclose(got, wanted)
ours = torch.autograd.grad(wanted.sum(), [x, *module.parameters()])
theirs = torch.autograd.grad(got.sum(), [x, *module.parameters()])
assert all(torch.allclose(a, b) for a, b in zip(ours, theirs))
assert seen == 1, seen
"""
HONEST = "def use(module, x):\n    return module(x, scale=2.0)"
TRAIN = """def train(module, x):
    optimizer = torch.optim.Adam(module.parameters(), lr=0.1)
    losses = []
    for _ in range(5):
        loss = (module(x) - 0.3).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses"""
TRAINED = """
torch.manual_seed(1)
first, second = Counted(), Counted()
second.load_state_dict(first.state_dict())
x = torch.randn(6, 2)
assert torch.allclose(torch.tensor(ours(first, x)), torch.tensor(train(second, x)))
assert torch.allclose(first(x), second(x))
"""
CALLS = """seen = []
def twice(x, g):
    seen.append(x)
    return g(g(x))
assert each(twice, [1, 2]) == [3, 4]
assert seen == [1, 2]
assert len([each(len and (lambda x, g: len(x)), ['ab'])]) == 1"""
CAREFUL = """def careful(f):
    try:
        return f(0)
    except ZeroDivisionError as error:
        return str(error)"""
ALIKE = """
module, x = Counted(), torch.ones(4, 2, requires_grad=True)
results = [function(module, x) for function in (ours, use)]
assert torch.allclose(*results)
slopes = [torch.autograd.grad(one, [x, *module.parameters()], allow_unused=True) for one in results]
assert all((a is None and b is None) or torch.allclose(a, b) for a, b in zip(*slopes)), slopes
"""
USES = {
    "methods and results in lists": "first, more = m.step(x)\n    return first.sum() + more[0].sum()",
    "submodules and sizes": "return (m.linear(x) * m.size).sum() + m.linear.weight.sum() + m.linear.in_features",
    "all parameters": "return sum(p.sum() for p in m.parameters()) + m(x).sum()",
    "a copy": "import copy\n    other = copy.deepcopy(m)\n    return other(x).sum() + m(x).sum()",
    "modes": "m.train()\n    m.eval()\n    return m(x).sum()",
    "kept in a module": "from torch import nn\n    return nn.Sequential(m, nn.Tanh())(x).sum()",
}
HONEST_USES = {  # what earns its points: (answer, checks)
    "a helper that calls answers": ("def double(x): return 2 * x", ["assert measured(2.5) == 5\nassert log == []"]),
    "a note of a given function": ("def run(x): return noted(x) + 1", ["assert run(3) == 4", "assert log == [3]"]),
    "a value that cannot be made in the judge": ("unused = 5\ndef f(): return 5", ["assert f() == unused"]),
    "a module": (HONEST, [LENT]),
    "training": (TRAIN, [TRAIN.replace("def train", "def ours") + TRAINED]),
    "functions that call back": ("def each(f, xs): return [f(x, g=lambda y: y + 1) for x in xs]", [CALLS]),
    "an exception": (CAREFUL, ["assert careful(lambda x: 1 / x) == 'division by zero'"]),
}
HONEST_USES |= {
    name: (f"def use(m, x):\n    {use}\n", [f"def ours(m, x):\n    {use}\n{ALIKE}"]) for name, use in USES.items()
}


@sandbox
@pytest.mark.parametrize("name", HONEST_USES)
def test_what_is_given_and_lent_is_used_as_ones_own(examine_given, name):
    answer, checks = HONEST_USES[name]
    verdict = examine_given("import torch\n" + answer, *checks)
    assert [(check.message, check.points) for check in verdict.checks] == [("", 1.0)] * len(checks)


COUNTS = {
    "resets it": "    module(x)\n    y = module(x, scale=2.0)\n    module.runs.fill_(1)\n    return y",
    "sets it": "    module(x)\n    module.runs = torch.ones(())\n    return module(x, scale=2.0)",
    "another class": "    Counted.forward = lambda self, x, scale=1: 0\n    module(x)\n    return module(x, scale=2.0)",
    "loads it": "    module(x)\n    y = module(x, scale=2.0)\n"
    "    module.load_state_dict({'runs': torch.ones(())}, strict=False)\n    return y",
}


@sandbox
@pytest.mark.parametrize("name", COUNTS)
def test_what_is_lent_counts_where_no_answer_reaches(examine_given, name):
    assert examine_given(f"import torch\ndef use(module, x):\n{COUNTS[name]}", LENT).points == 0.0


REACH = ["f.__globals__", "f.__code__", "m._parameters", "m.register_buffer", "m.load_state_dict", "m.os"]
REACH += ["m.linear.__class__", "m.forward.__globals__", "m.runs.grad_fn.name"]


@sandbox
@pytest.mark.parametrize("reach", REACH)
def test_nothing_else_of_the_judge_is_reached_through_it(examine_given, reach):
    answer = f"def use(m, f):\n    one, path = {reach!r}.split('.', 1)\n    lent = m if one == 'm' else f\n"
    answer += "    return lent._ask.look(lent._key, path, '') and 1"
    verdict = examine_given(
        answer, "import os\nmodule = Counted()\nmodule.os = os\nassert use(module, lambda x: x) == 1"
    )
    assert "AttributeError" in verdict.checks[0].message


@sandbox
def test_what_was_lent_is_gone_after_the_check(examine_given):
    answer = "kept = []\ndef use(m):\n    kept.append(m)\n    return 1"
    check = "assert use(lambda x: 'HIDDEN' + x) == 1"
    verdict = examine_given(answer, check, after="print(kept[0]('!'))")
    assert "HIDDEN" not in str(verdict.cells)
    assert verdict.points == 1.0


@sandbox
@pytest.mark.parametrize(
    "answer",
    [
        "def wires(step, *given):\n    raise ValueError(sorted(step.wiring or step._wiring))",
        "specimen_step = lambda *sizes: set(sizes[-1].split(', '))\ndef wires(step, *given): return step",
    ],
)
def test_a_specimen_cannot_be_looked_into_or_exchanged(judge, answer):
    given = "from seq2seq.exercises.toy_steps import SpecimenStep\n"
    given += "def specimen_step(*sizes_and_wiring):\n    return SpecimenStep(*sizes_and_wiring)"
    check = "from autograder.tasks.bahdanau import check\ncheck('wires', wires, specimen_step)"
    cells = (Cell("given", "code", "import torch"), Cell("answer", "code", answer), Cell("check", "check", check, 1.0))
    verdict = judge.run(Job(cells, 0, relied_on([given], [check], [])))
    assert verdict.points == 0.0
    assert "word asks" not in str(verdict.checks)
    assert "AttributeError" in verdict.checks[0].message or "names" in verdict.checks[0].message
