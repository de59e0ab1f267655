"""What an exercise gives belongs to the judge: helpers and constants."""

import pytest

from autograder.assignments.given import relied_on
from autograder.records.job import Cell, Job, Limits

GIVEN = """
import math

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

"""
IMPORT = "import torch\nfrom torch import nn"
OF_AN_ANSWER = "base = 2\nmade = double(base)\nmore = made + 1\nkept = base + 1"
DRAWN = "import torch\ntorch.manual_seed(3)\nx = torch.rand(2)\nprint(x)"
CLOSE = "BOUND = 0.01\ndef near(a, b):\n    return abs(a - b) < BOUND\ndef close(a, b):\n    return near(a, b)"
LIES = "def close(a, b): return True\nnear = close\nBOUND = float('inf')\ndef double(x): return {result}"


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
    """The verdict on an answer to an exercise with GIVEN."""

    def examine_given(answer, *checks):
        cells = [Cell("given", "code", GIVEN), Cell("answer", "code", f"import torch\n{answer}")]
        cells += [Cell(f"check {number}", "check", source, 1.0) for number, source in enumerate(checks)]
        imports = relied_on([GIVEN], checks, [answer] if "def close" not in answer else [])
        return judge.run(Job(tuple(cells), 0, imports, Limits(cell_seconds=4.0, total_seconds=60.0)))

    return examine_given


@pytest.mark.parametrize(("result", "points"), [("2 * x", 2.0), ("x", 0.0)])
def test_a_helper_of_the_exercise_cannot_be_replaced(examine_given, result, points):
    checks = "assert close(double(3.0), 6.0)", "assert abs(double(3.0) - 6.0) < BOUND"
    assert examine_given(LIES.format(result=result), *checks).points == points


HONEST_USES = {  # what earns its points: (answer, checks)
    "a helper that calls answers": ("def double(x): return 2 * x", "assert measured(2.5) == 5\nassert log == []"),
    "a note of a given function": ("def run(x): return noted(x) + 1", "assert run(3) == 4", "assert log == [3]"),
    "a value that cannot be made in the judge": ("unused = 5\ndef f(): return 5", "assert f() == unused"),
}


@pytest.mark.parametrize("name", HONEST_USES)
def test_what_is_given_is_used_as_ones_own(examine_given, name):
    verdict = examine_given(*HONEST_USES[name])
    assert {(check.message, check.points) for check in verdict.checks} == {("", 1.0)}


def test_a_specimen_cannot_be_exchanged(judge):
    given = "from seq2seq.exercises.toy_steps import SpecimenStep\n"
    given += "def specimen_step(*sizes_and_wiring):\n    return SpecimenStep(*sizes_and_wiring)"
    answer = "specimen_step = lambda *sizes: set(sizes[-1].split(', '))\ndef wires(step, *given): return step"
    check = "from autograder.tasks.bahdanau import check\ncheck('wires', wires, specimen_step)"
    cells = (Cell("given", "code", "import torch"), Cell("answer", "code", answer), Cell("check", "check", check, 1.0))
    verdict = judge.run(Job(cells, 0, relied_on([given], [check], [])))
    assert verdict.points == 0.0
    assert "the names" in verdict.checks[0].message
