"""A box in which something of a submission's lives on takes no other."""

import socket
from types import SimpleNamespace

import pytest

from autograder.records.job import Limits
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.session import Session, start


class Line:
    def close(self) -> None:
        pass


def session(box: SimpleNamespace) -> tuple[Session, socket.socket]:
    ours, supervisor = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    return Session(Line(), ours, box), supervisor


def test_a_supervisor_that_says_nothing_in_time_spoils_the_box():
    box = SimpleNamespace(spoiled="")
    one, supervisor = session(box)
    assert one.end(0.05) == "killed"
    assert "still there 0.05 s after" in box.spoiled
    with pytest.raises(SandboxUnavailable, match="still there"):
        start(box, Limits(), 1.0)
    supervisor.close()


def test_a_supervisor_that_tells_how_it_ended_does_not():
    box = SimpleNamespace(spoiled="")
    one, supervisor = session(box)
    supervisor.send(b"exit 3")
    assert one.end(1.0) == "exit 3"
    assert box.spoiled == ""
    supervisor.close()


def test_nor_does_a_supervisor_that_is_gone():
    box = SimpleNamespace(spoiled="")
    one, supervisor = session(box)
    supervisor.close()
    assert one.end(1.0) == "killed"
    assert box.spoiled == ""
