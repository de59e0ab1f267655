"""What a busy machine takes is not the learner's time: until processes are ended, or while others run."""

import socket
import threading
import time
from types import SimpleNamespace

import pytest

from autograder.judging import examination, patience
from autograder.judging.examination import Examination
from autograder.judging.job import Cell, Job
from autograder.judging.link import LEAST, Link, LinkBroken
from autograder.judging.patience import BUSY_SECONDS, Patience
from autograder.sandbox.limits import Limits
from autograder.sandbox.session import Session
from autograder.sandbox.wire import Wire

TOTAL = 30.0


@pytest.fixture
def verdict(monkeypatch):
    """Of so many cells, each of which ends by a time-out, after which its processes need ``waited`` seconds to go."""

    def verdict(cells, waited):
        now = [1000.0]
        for module in (examination, patience):
            monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))

        class Link:
            def __init__(self, *arguments):
                pass

            def request(self, subject, **message):
                now[0] += waited
                raise LinkBroken("timeout", subject, waited)

        monkeypatch.setattr(examination, "Link", Link)

        class Room:
            def open(self):
                return None

        cells = tuple(Cell(f"cell{number}", "code", "pass") for number in range(cells))
        return Examination(Room(), Job(cells, 0, "", Limits(total_seconds=TOTAL))).verdict()

    return verdict


def test_the_next_cell_is_run_however_long_the_end_of_the_last_one_took(verdict):
    assert [cell.status for cell in verdict(2, TOTAL + 20).cells] == ["timeout", "timeout"]


def test_there_is_an_end_to_that(verdict):
    found = [cell.status for cell in verdict(6, BUSY_SECONDS / 2).cells]
    assert found == 3 * ["timeout"] + 3 * ["not run"]


@pytest.fixture
def link():
    """A link with a call's seconds, ours, to a process whose warden says of each question what it is given."""
    threads = []

    def link(seconds, *said):
        wire, _far = socket.socketpair()
        leash, warden = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

        def answer():
            with _far, warden:
                for word in said:
                    if warden.recv(16) == b"waited":
                        warden.send(word)
                while warden.recv(16):
                    warden.send(f"waited {last(said)}".encode())
                warden.send(b"killed")

        threads.append(threading.Thread(target=answer))
        threads[-1].start()
        return Link(Session(Wire(wire), leash, SimpleNamespace(spoiled="")), seconds, Patience(TOTAL))

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
    with pytest.raises(LinkBroken) as broken:
        one.request("cell")
    assert broken.value.reason == "timeout"
    assert least <= time.monotonic() - start <= most + 2  # this machine may be busy too
    assert one.patience.busy_left == pytest.approx(BUSY_SECONDS - (least - 0.1), abs=0.01)


def test_what_passed_a_limit_is_late_because_of_it(link):
    with pytest.raises(LinkBroken) as broken:
        link(0.1, b"memory").request("cell")
    assert broken.value.reason == "memory"
