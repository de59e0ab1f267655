"""What an exercise gives belongs to the judge: helpers, constants, and what is handed to answers."""

import pytest

from autograder.authoring.given import relied_on
from autograder.records.job import Cell, Job, Limits

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
LIES = "def close(a, b): return True\nnear = close\nBOUND = float('inf')\ndef double(x): return {result}"
REACH = ["f.__globals__", "f.__code__", "m._parameters", "m.register_buffer", "m.load_state_dict", "m.os"]
REACH += ["m.linear.__class__", "m.forward.__globals__", "m.runs.grad_fn.name"]


@pytest.mark.parametrize(
    ("given", "check", "answer", "relied"),
    [
        *((GIVEN, "assert close(f(1), 2)", "", CLOSE), (GIVEN, "words", "", "words = ['a']\nwords.append('b')")),
        *((GIVEN, "close", answer, "") for answer in ("def close(a, b): return True", "from m import close")),
        *((GIVEN, "BOUND", "BOUND = 1.0", ""), (IMPORT, "torch, nn", IMPORT, IMPORT)),
        (OF_AN_ANSWER, "made, more, kept", "def double(x): return 2 * x", "base = 2\nkept = base + 1"),
        ("%matplotlib inline\nx = 1\ny = 2", "# x\n'x'\ny", "", "y = 2"),
        (DRAWN, "x", "", DRAWN.replace("\nprint(x)", "")),
    ],
)
def test_what_checks_name_is_given_with_what_it_needs_unless_answers_bind_it(given, check, answer, relied):
    assert relied_on([given], [check], [answer] if answer else []) == relied


def test_what_given_functions_change_stays_where_answers_call_them():
    assert [check for check in ("log", "noted(1) and log") if "log =" in relied_on([GIVEN], [check], [])] == []


@pytest.fixture
def examine_given(judge):
    """The verdict on an answer to an exercise with GIVEN; ``after`` is a learner's own cell between the checks."""

    def examine_given(answer, *checks, after=""):
        cells = [Cell("given", "code", GIVEN), Cell("answer", "code", f"import torch\n{answer}")]
        for number, source in enumerate(checks):
            cells += [Cell(f"check {number}", "check", source, 1.0), Cell(f"mine {number}", "code", after)]
        imports = relied_on([GIVEN], checks, [answer] if "def close" not in answer else [])
        return judge.run(Job(tuple(cells), 0, imports, Limits(cell_seconds=4.0, total_seconds=60.0)))

    return examine_given


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
    "a helper that calls answers": ("def double(x): return 2 * x", "assert measured(2.5) == 5\nassert log == []"),
    "a note of a given function": ("def run(x): return noted(x) + 1", "assert run(3) == 4", "assert log == [3]"),
    "a value that cannot be made in the judge": ("unused = 5\ndef f(): return 5", "assert f() == unused"),
    "a module": ("def use(module, x):\n    return module(x, scale=2.0)", LENT),
    "training": (TRAIN, TRAIN.replace("def train", "def ours") + TRAINED),
    "functions that call back": ("def each(f, xs): return [f(x, g=lambda y: y + 1) for x in xs]", CALLS),
    "an exception": (CAREFUL, "assert careful(lambda x: 1 / x) == 'division by zero'"),
    **{name: (f"def use(m, x):\n    {use}\n", f"def ours(m, x):\n    {use}\n{ALIKE}") for name, use in USES.items()},
}


@pytest.mark.parametrize("name", HONEST_USES)
def test_what_is_given_and_lent_is_used_as_ones_own(examine_given, name):
    verdict = examine_given(*HONEST_USES[name])
    assert {(check.message, check.points) for check in verdict.checks} == {("", 1.0)}


@pytest.mark.parametrize(
    "change",
    [
        "module.runs.fill_(1)",
        "module.runs = torch.ones(())",
        "Counted.forward = lambda self, x, scale=1: 0",
        "module.load_state_dict({'runs': torch.ones(())}, strict=False)",
    ],
)
def test_what_is_lent_counts_where_no_answer_reaches(examine_given, change):
    calls = f"{change}\n    module(x)\n    y = module(x, scale=2.0)\n    {change}\n    return y"
    assert examine_given(f"def use(module, x):\n    {calls}", LENT).points == 0.0


@pytest.mark.parametrize("reach", REACH)
def test_nothing_else_of_the_judge_is_reached_through_it(examine_given, reach):
    answer = f"def use(m, f):\n    lent, path = {reach[0]}, {reach[2:]!r}\n"
    answer += "    return lent._ask.look(lent._key, path, '') and 1"
    check = "import os\nmodule = Counted()\nmodule.os = os\nassert use(module, lambda x: x) == 1"
    assert "AttributeError" in examine_given(answer, check).checks[0].message


def test_what_was_lent_is_gone_after_the_check(examine_given):
    answer = "lent = []\ndef use(m):\n    lent.append(m)\n    return 1"
    verdict = examine_given(answer, "assert use(lambda x: 'HIDDEN' + x) == 1", after="print(lent[0]('!'))")
    assert "HIDDEN" not in str(verdict.cells)
    assert verdict.points == 1.0


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
