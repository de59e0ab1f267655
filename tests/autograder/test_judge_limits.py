"""What answers give back may cost the judge so much time and memory, and no more; it costs their submission alone."""

import resource
from pathlib import Path

import pytest
import torch

from autograder.expect import same
from autograder.judging import judge_limits
from autograder.judging.judge import Judge
from autograder.judging.judge_limits import Overrun, bounded
from autograder.records.job import Cell, Job, Limits

ROOT = Path(__file__).resolve().parents[2]
QUICK = Limits(cell_seconds=1.0, total_seconds=120.0)
SHORT = Limits(cell_seconds=1.0, total_seconds=1.0)


def test_complex_numbers_are_compared_whole():
    one = torch.tensor([1 + 2j])
    assert same(one, one.clone())
    assert not same(one, one.conj())
    assert not same(one, one.real)
    assert not same(one.real, one)


def test_a_loop_of_the_judges_own_is_ended():
    def endless():
        with bounded(0.2):
            while True:
                pass

    with pytest.raises(Overrun):
        endless()
    with bounded(1000):  # and so is the limit with its end
        pass


def test_the_process_of_an_examination_is_bounded(monkeypatch):
    set_to = {}
    monkeypatch.setattr(resource, "setrlimit", lambda what, limits: set_to.update({what: limits[0]}))
    judge_limits.bound_process(SHORT)
    assert set_to[resource.RLIMIT_CPU] == 11
    assert judge_limits.MEMORY < set_to[resource.RLIMIT_AS] < 2**40


@pytest.fixture(scope="module")
def judge():
    with Judge((), ROOT) as judge:
        yield judge


HONEST = (Cell("honest", "code", "def g(): return 1"), Cell("right", "check", "assert g() == 1", 1.0))
COSTS = {
    "a loop over it": ("return range(10**15)", "for one in f():\n    pass", "timeout", "more than 3 s"),
    "a square of it": (
        "return list(range(30_000))",
        "sum(a == b for a in f() for b in f())",
        "timeout",
        "more than 3 s",
    ),
    "memory": ("return range(10**12)", "x = list(f())", "memory", "more than 2 GiB"),
    "memory of torch": ("return 10**11", "import torch\ntorch.zeros(f())", "memory", "more than 2 GiB"),
}


@pytest.mark.sandbox
@pytest.mark.parametrize("name", COSTS)
def test_a_check_that_takes_too_much_costs_itself_alone(judge, name):
    result, check, status, words = COSTS[name]
    cells = (Cell("mine", "code", f"def f(): {result}"), Cell("dear", "check", f"{check}\nassert True", 1.0), *HONEST)
    verdict = judge.run(Job(cells, 0, "", QUICK))
    assert verdict.status == status
    assert [check.points for check in verdict.checks] == [0.0, 1.0]
    assert words in verdict.checks[0].message
    assert judge.run(Job(HONEST, 0, "", QUICK)).points == 1.0


@pytest.mark.sandbox
def test_what_no_exception_stops_costs_its_submission_alone(judge):
    cells = (Cell("mine", "code", "def f(): return range(10**15)"), Cell("dear", "check", "assert sum(f()) > 0", 1.0))
    verdict = judge.run(Job(cells, 0, "", SHORT))
    assert (verdict.status, verdict.points) == ("timeout", 0.0)
    assert "kept the grader busy" in verdict.checks[0].message
    with Judge((), ROOT) as other:  # what was its box is left; who grades asks another judge
        assert other.run(Job(HONEST, 0, "", QUICK)).points == 1.0
