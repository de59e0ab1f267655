"""What a busy machine takes is not the learner's time: until processes are ended, or while others run."""

import socket
import threading
import time
from types import SimpleNamespace

import pytest

from autograder.judging import answer_client, evaluation
from autograder.judging.answer_client import BUSY_SECONDS, LEAST, AnswerClient, AnswerLost, TimeBudget
from autograder.judging.evaluation import Evaluation
from autograder.records.job import Cell, Job, Limits
from autograder.sandbox.session import Session
from autograder.sandbox.wire import Wire

TOTAL = 30.0


@pytest.fixture
def verdict(monkeypatch):
    """Of so many cells, each of which ends by a time-out, after which its processes need ``waited`` seconds to go."""

    def verdict(cells, waited):
        now = [1000.0]
        for module in (evaluation, answer_client):
            monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))

        class AnswerClient:
            def __init__(self, *arguments):
                pass

            def request(self, subject, **message):
                now[0] += waited
                raise AnswerLost("timeout", subject, waited)

        monkeypatch.setattr(evaluation, "AnswerClient", AnswerClient)

        class SessionSource:
            def open(self):
                return None

        cells = tuple(Cell(f"cell{number}", "code", "pass") for number in range(cells))
        return Evaluation(SessionSource(), Job(cells, 0, "", Limits(total_seconds=TOTAL))).verdict()

    return verdict


def test_the_next_cell_is_run_however_long_the_end_of_the_last_one_took(verdict):
    assert [cell.status for cell in verdict(2, TOTAL + 20).cells] == ["timeout", "timeout"]


def test_there_is_an_end_to_that(verdict):
    found = [cell.status for cell in verdict(6, BUSY_SECONDS / 2).cells]
    assert found == 3 * ["timeout"] + 3 * ["not run"]


@pytest.fixture
def link():
    """A link with a call's seconds, ours, to a process whose supervisor says of each question what it is given."""
    threads = []

    def link(seconds, *said):
        wire, _far = socket.socketpair()
        control_socket, supervisor = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

        def answer():
            with _far, supervisor:
                for word in said:
                    if supervisor.recv(16) == b"waited":
                        supervisor.send(word)
                while supervisor.recv(16):
                    supervisor.send(f"waited {last(said)}".encode())
                supervisor.send(b"killed")

        threads.append(threading.Thread(target=answer))
        threads[-1].start()
        return AnswerClient(
            Session(Wire(wire), control_socket, SimpleNamespace(spoiled="")), seconds, TimeBudget(TOTAL)
        )

    yield link
    for thread in threads:
        thread.join()


def last(said):
    return next((word.split()[1].decode() for word in reversed(said) if word.startswith(b"waited ")), "0")


@pytest.mark.parametrize(
    ("said", "least", "most"),
    [
        ((), 0.1, 0.3),
        ((b"waited 0.000",), 0.1, 0.3),
        ((b"waited 0.400",), 0.5, 0.7),
        ((b"waited 0.400", b"waited 0.800"), 0.9, 1.1),
        ((b"waited %.3f" % (LEAST / 2),), 0.1, 0.3),
    ],
)
def test_a_deadline_is_put_off_by_what_others_took(link, said, least, most):
    one = link(0.1, *said)
    start = time.monotonic()
    with pytest.raises(AnswerLost) as broken:
        one.request("cell")
    assert broken.value.reason == "timeout"
    assert least <= time.monotonic() - start <= most + 2  # this machine may be busy too
    assert one.budget.busy_left == pytest.approx(BUSY_SECONDS - (least - 0.1), abs=0.01)


def test_what_passed_a_limit_is_late_because_of_it(link):
    with pytest.raises(AnswerLost) as broken:
        link(0.1, b"memory").request("cell")
    assert broken.value.reason == "memory"
