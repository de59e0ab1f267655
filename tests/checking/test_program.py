"""A case as data: played elsewhere, it shows the same; what comes back is believed only as values."""

import threading

import pytest
import torch
from every_task import TASKS

from autograder.checking import program
from autograder.checking.draw import Inputs, usage_of
from autograder.checking.observation import Candidate
from autograder.checking.program import messages, observations_in, play_sent, sendable
from autograder.checking.task import Task, visible
from autograder.checking.trial import trial_of, tried
from autograder.checking.way import cost
from autograder.finding import CUT
from seq2seq.attention import masked_softmax

NO_OBSERVATIONS = [
    *(("value", "result", 1), ("verdict", "result", 1, ""), ("value", 3, 1, ""), ("gradient", "result", [1], "")),
    *(("raised", "result", error, "") for error in ("ValueError", {}, {"kind": 1, "kinds": []})),
    *(("raised", "result", {"kind": "E", "kinds": kinds, "line": line}, "") for kinds, line in ((["E"], 1), ([1], ""))),
    *(("unfit", "result", texts, "") for texts in (1, {"verdict": "right"}, {"got": 1}, {"mistake": "See <b>me</b>."})),
    *(("gradient", "result", slopes, "") for slopes in ({"x": 1.0}, {1: None}, {"x": [torch.ones(1)]})),
]


class Elsewhere:
    """An answer in another process, as the checks see it."""

    def __init__(self, answer):
        self.answer = answer

    def observe_remotely(self, cases, brief):
        return [observations_in(play_sent(case, self.answer, brief)) for case in cases]


@pytest.mark.parametrize("brief", [True, False], ids=["brief", "whole"])
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_case_played_elsewhere_shows_the_same(task, brief):
    trials = [trial_of(task, case, brief) for case in [*task.chosen(hidden=False), *task.chosen(hidden=True)]]
    candidate = Candidate(Elsewhere(task.right.answer), task.tools)
    for trial in tried(candidate, trials, brief):
        assert len(trial.got) == len(trial.expected)
        assert trial.difference is None


def same(x: torch.Tensor) -> torch.Tensor:
    return x


def judging(answer, given):
    yield "result", masked_softmax(answer(given.x), given.x > 0)


def plain_play(answer, given):
    yield "result", answer(given.x)


def made(play=None, tools=(), **given):
    task = Task(same, "same", [visible()], lambda draw: given or {"x": draw.normal(2, 3)}, play=play, tools=tools)
    (case,) = task.chosen(hidden=False)
    return usage_of(task, case), Inputs(task, case)


def test_what_names_a_reference_is_not_sent_and_nothing_that_is_knows_an_answer():
    sent = sendable(*made(plain_play, tools=(same,)), tools=(same,))
    assert sent["tools"] == [("def same(x):\n    return x", {})]
    with pytest.raises(ValueError, match="judging runs where the answer is, and 'masked_softmax' is no data"):
        sendable(*made(judging))
    with pytest.raises(ValueError, match="expected a function with a name"):
        sendable(*made(lambda answer, given: answer(given.x)))
    with pytest.raises(ValueError, match="a case is data"):
        sendable(*made(plain_play, x=object()))
    for value in program.KNOWN.values():
        name = value if isinstance(value, str) else getattr(value, "__module__", None) or value.__name__
        parts = (
            f"autograder.{part}" for part in ("checking.equal", "checking.values", "checking.way", "finding", "vjp")
        )
        assert name.startswith(("torch", "math", CUT, *parts))


def test_what_is_not_to_be_seen_is_refused():
    for forged in (None, {}, [None], *([observation] for observation in NO_OBSERVATIONS)):
        with pytest.raises(ValueError, match=r"not a list|not an observation"):
            observations_in(forged)


def test_large_cases_go_in_several_messages_in_their_order(monkeypatch):
    monkeypatch.setattr(program, "LARGEST", 11_000)
    cases = [{"draws": {"": {"x": torch.zeros(200), "number": number}}, "constructors": [None]} for number in range(7)]
    some = list(messages(cases))
    assert [case for part in some for case in part] == cases
    assert [len(part) for part in some] == [2, 2, 2, 1]


def test_what_a_call_costs_is_counted_in_its_threads_and_for_tensors_without_a_place_too():
    def in_a_thread(x):
        thread = threading.Thread(target=lambda: x + 1)
        thread.start()
        thread.join()

    x = torch.ones(3, 5)
    assert [cost(call, x).operations for call in (lambda x: x + 1, in_a_thread)] == [1, 1]
    costs = [cost(call, x).numbers for call in (lambda x: x + 1, in_a_thread, lambda x: x.expand(4, 3, 5))]
    assert costs == [15, 15, 0]
    assert cost(torch.add, x, 1).result.equal(x + 1)
    assert cost(torch.vmap(lambda row: row * 2), x).operations > 0
    assert cost(lambda x: x.to_sparse() * 2, x).operations > 0
