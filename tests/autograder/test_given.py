"""What an exercise gives belongs to the judge: helpers, constants, and what is handed to answers."""

from pathlib import Path

import pytest

from autograder.authoring.given import relied_on
from autograder.judging.judge import Judge
from autograder.records.job import Cell, Job, Limits

ROOT = Path(__file__).resolve().parents[2]
QUICK = Limits(cell_seconds=4.0, total_seconds=60.0)

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


def test_what_checks_name_is_given_with_what_it_needs():
    assert relied_on([GIVEN], ["assert close(f(1), 2)"], []) == (
        "BOUND = 0.01\n\ndef near(a, b):\n    return abs(a - b) < BOUND\n\ndef close(a, b):\n    return near(a, b)"
    ).replace("\n\ndef", "\ndef")


def test_a_constant_comes_with_the_statements_that_fill_it():
    assert relied_on([GIVEN], ["words"], []) == "words = ['a']\nwords.append('b')"


@pytest.mark.parametrize("check", ["log", "noted(1) and log"])
def test_what_given_functions_change_stays_where_answers_call_them(check):
    assert "log =" not in relied_on([GIVEN], [check], [])


@pytest.mark.parametrize("answer", ["BOUND = 1.0", "def close(a, b): return True", "from m import close"])
def test_what_answers_bind_is_theirs(answer):
    name = "BOUND" if "BOUND" in answer else "close"
    assert name not in relied_on([GIVEN], [name], [answer]).split()


def test_what_answers_import_too_is_given():
    both = "import torch\nfrom torch import nn"
    assert relied_on([GIVEN], ["torch, nn"], [both]) == both


def test_what_is_made_of_an_answer_is_theirs():
    given = "base = 2\nmade = double(base)\nmore = made + 1\nkept = base + 1"
    assert relied_on([given], ["made, more, kept"], ["def double(x): return 2 * x"]) == "base = 2\nkept = base + 1"


def test_comments_and_magics_ask_for_nothing():
    assert relied_on(["%matplotlib inline\nx = 1\ny = 2"], ["# x\n'x'\ny"], []) == "y = 2"


def test_what_is_drawn_comes_with_its_seed():
    given = "import torch\ntorch.manual_seed(3)\nx = torch.rand(2)\nprint(x)"
    assert relied_on([given], ["x"], []) == "import torch\ntorch.manual_seed(3)\nx = torch.rand(2)"


@pytest.fixture(scope="module")
def judge():
    with Judge((), ROOT) as judge:
        yield judge


@pytest.fixture
def examine(judge):
    """The verdict on an answer to an exercise with GIVEN; ``after`` is a learner's own cell between the checks."""

    def examine(answer: str, *checks: str, after: str = "", given: str = GIVEN, limits: Limits = QUICK):
        cells = [Cell("given", "code", given), Cell("answer", "code", answer)]
        for number, source in enumerate(checks):
            cells += [Cell(f"check {number}", "check", source, 1.0), Cell(f"mine {number}", "code", after)]
        imports = relied_on([given], checks, [answer] if "def close" not in answer else [])
        return judge.run(Job(tuple(cells), 0, imports, limits))

    return examine


DOUBLE = "def double(x):\n    return {result}\n"
LIES = "def close(a, b): return True\nnear = close\nBOUND = float('inf')\n"


@pytest.mark.sandbox
@pytest.mark.parametrize(("result", "points"), [("2 * x", 1.0), ("x", 0.0)])
@pytest.mark.parametrize("check", ["assert close(double(3.0), 6.0)", "assert abs(double(3.0) - 6.0) < BOUND"])
def test_a_helper_of_the_exercise_cannot_be_replaced(examine, check, result, points):
    assert examine(LIES + DOUBLE.format(result=result), check).points == points


@pytest.mark.sandbox
def test_a_helper_may_call_answers(examine):
    assert examine(DOUBLE.format(result="2 * x"), "assert measured(2.5) == 5\nassert log == []").points == 1.0


@pytest.mark.sandbox
def test_what_given_functions_note_is_seen_where_answers_call_them(examine):
    answer = "def run(x):\n    return noted(x) + 1"
    assert examine(answer, "assert run(3) == 4", "assert log == [3]").points == 2.0


@pytest.mark.sandbox
def test_what_cannot_be_made_in_the_judge_is_asked_for(examine):
    assert examine("unused = 5\ndef f(): return 5", "assert f() == unused").points == 1.0


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
COUNTS = {
    "resets it": "def use(module, x):\n    module(x)\n    y = module(x, scale=2.0)\n"
    "    module.runs.fill_(1)\n    return y",
    "sets it": "def use(module, x):\n    module(x)\n    module.runs = torch.ones(())\n    return module(x, scale=2.0)",
    "another class": "Counted.forward = lambda self, x, scale=1: 0\n"
    "def use(module, x):\n    module(x)\n    return module(x, scale=2.0)",
    "loads it": "def use(module, x):\n    module(x)\n    y = module(x, scale=2.0)\n"
    "    module.load_state_dict({'runs': torch.ones(())}, strict=False)\n    return y",
}


@pytest.mark.sandbox
def test_a_module_that_is_lent_works_as_here(examine):
    assert examine("import torch\n" + HONEST, LENT).checks[0].message == ""


@pytest.mark.sandbox
@pytest.mark.parametrize("answer", COUNTS.values(), ids=COUNTS)
def test_what_is_lent_counts_where_no_answer_reaches(examine, answer):
    assert examine("import torch\n" + answer, LENT).points == 0.0


USES = {
    "methods and results in lists": "first, more = m.step(x)\n    return first.sum() + more[0].sum()",
    "submodules and sizes": "return (m.linear(x) * m.size).sum() + m.linear.weight.sum() + m.linear.in_features",
    "all parameters": "return sum(p.sum() for p in m.parameters()) + m(x).sum()",
    "a copy": "import copy\n    other = copy.deepcopy(m)\n    return other(x).sum() + m(x).sum()",
    "modes": "m.train()\n    m.eval()\n    return m(x).sum()",
    "kept in a module": "from torch import nn\n    return nn.Sequential(m, nn.Tanh())(x).sum()",
}


@pytest.mark.sandbox
@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_an_answer_uses_what_is_lent_as_its_own(examine, use):
    answer = f"def use(m, x):\n    {use}\n"
    check = (
        f"def ours(m, x):\n    {use}\n"
        + """
module, x = Counted(), torch.ones(4, 2, requires_grad=True)
results = [function(module, x) for function in (ours, use)]
assert torch.allclose(*results)
slopes = [torch.autograd.grad(one, [x, *module.parameters()], allow_unused=True) for one in results]
assert all((a is None and b is None) or torch.allclose(a, b) for a, b in zip(*slopes)), slopes
"""
    )
    assert examine("import torch\n" + answer, check).checks[0].message == ""


@pytest.mark.sandbox
def test_an_answer_trains_what_is_lent(examine):
    answer = """import torch
def train(module, x):
    optimizer = torch.optim.Adam(module.parameters(), lr=0.1)
    losses = []
    for _ in range(5):
        loss = (module(x) - 0.3).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses"""
    check = (
        answer.replace("def train", "def ours")
        + """
torch.manual_seed(1)
first, second = Counted(), Counted()
second.load_state_dict(first.state_dict())
x = torch.randn(6, 2)
assert torch.allclose(torch.tensor(ours(first, x)), torch.tensor(train(second, x)))
assert torch.allclose(first(x), second(x))
"""
    )
    assert examine(answer, check).checks[0].message == ""


@pytest.mark.sandbox
def test_functions_are_lent_and_may_call_back(examine):
    answer = "def each(f, xs):\n    return [f(x, g=lambda y: y + 1) for x in xs]"
    check = "seen = []\ndef twice(x, g):\n    seen.append(x)\n    return g(g(x))\n"
    check += "assert each(twice, [1, 2]) == [3, 4]\nassert seen == [1, 2]\n"
    check += "def mine(f):\n    return f\nassert len([each(len and (lambda x, g: len(x)), ['ab'])]) == 1"
    assert examine(answer, check).checks[0].message == ""


@pytest.mark.sandbox
def test_what_a_lent_function_raises_is_raised_there(examine):
    answer = "def careful(f):\n    try:\n        return f(0)\n"
    answer += "    except ZeroDivisionError as error:\n        return str(error)"
    assert examine(answer, "assert careful(lambda x: 1 / x) == 'division by zero'").checks[0].message == ""


REACH = [
    "f.__globals__",
    "f.__code__",
    "m._parameters",
    "m.register_buffer",
    "m.load_state_dict",
    "m.os",
    "m.linear.__class__",
    "m.forward.__globals__",
    "m.runs.grad_fn.name",
]


@pytest.mark.sandbox
@pytest.mark.parametrize("reach", REACH)
def test_nothing_else_of_the_judge_is_reached_through_it(examine, reach):
    answer = f"def use(m, f):\n    one, path = {reach!r}.split('.', 1)\n    lent = m if one == 'm' else f\n"
    answer += "    return lent._ask.look(lent._key, path, '') and 1"
    verdict = examine(answer, "import os\nmodule = Counted()\nmodule.os = os\nassert use(module, lambda x: x) == 1")
    assert "AttributeError" in verdict.checks[0].message


@pytest.mark.sandbox
def test_what_was_lent_is_gone_after_the_check(examine):
    answer = "kept = []\ndef use(m):\n    kept.append(m)\n    return 1"
    check = "assert use(lambda x: 'HIDDEN' + x) == 1"
    verdict = examine(answer, check, after="print(kept[0]('!'))")
    assert "HIDDEN" not in str(verdict.cells)
    assert verdict.points == 1.0


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("task", "answer"),
    [
        ("wires", "def wires(step, *given):\n    raise ValueError(sorted(step.wiring or step._wiring))"),
        ("wires", "specimen_step = lambda *sizes: set(sizes[-1].split(', '))\ndef wires(step, *given): return step"),
    ],
)
def test_a_specimen_cannot_be_looked_into_or_exchanged(judge, task, answer):
    given = "from seq2seq.exercises.toy_steps import SpecimenStep\n"
    given += "def specimen_step(*sizes_and_wiring):\n    return SpecimenStep(*sizes_and_wiring)"
    check = f"from autograder.tasks.bahdanau import check\ncheck({task!r}, {task}, specimen_step)"
    cells = (Cell("given", "code", "import torch"), Cell("answer", "code", answer), Cell("check", "check", check, 1.0))
    verdict = judge.run(Job(cells, 0, relied_on([given], [check], [])))
    assert verdict.points == 0.0
    assert "word asks" not in str(verdict.checks)
    assert "AttributeError" in verdict.checks[0].message or "names" in verdict.checks[0].message
