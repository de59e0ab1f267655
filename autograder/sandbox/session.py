"""One submission in its box, as the judge holds it."""

import array
import os
import socket
import struct
from typing import TYPE_CHECKING

from autograder.sandbox.box import Box
from autograder.sandbox.cgroup import Cgroup, delegated
from autograder.sandbox.limits import Limits
from autograder.sandbox.refusal import SandboxUnavailable

if TYPE_CHECKING:
    from autograder.sandbox.wire import Wire


ASK_SECONDS = 2.0
END_SECONDS = 60.0  # a dozen processes that fork without pause hold the kernel for ten seconds after they are killed


class Session:
    """One submission's process: the wire to it, and a leash whose end kills the whole tree."""

    def __init__(
        self, wire: "Wire", leash: socket.socket, box: Box, cgroup: Cgroup | None = None, warden: int = 0
    ) -> None:
        self.wire, self.leash, self.box, self.cgroup, self.warden = wire, leash, box, cgroup, warden
        self.ended = ""  # how it ended, if it did while it was asked something

    def let_go(self) -> None:
        """Closes this process's ends without a word: a fork of it holds the session on."""
        self.wire.close()
        self.leash.close()

    def waited(self) -> float:
        """Seconds for which the submission could have gone on but the machine was busy with others, since it began.

        0 where nobody is there to say.
        """
        try:
            self.leash.settimeout(ASK_SECONDS)
            self.leash.send(b"waited")
            said = self.leash.recv(64).decode("ascii", "replace")
        except OSError:
            return 0.0
        word, _, seconds = said.partition(" ")
        if word == "waited":
            return float(seconds)
        self.ended = said
        return 0.0

    def end(self, seconds: float = END_SECONDS) -> str:
        """Kills the process tree, waits until nothing of it is left, and returns how it ended.

        One of "killed", "exit N", "signal N", "memory", "cpu", "processes".
        What is still there after ``seconds`` would weigh on the next submission: the box takes no more.
        """
        self.wire.close()
        try:
            self.leash.settimeout(seconds)
            self.leash.shutdown(socket.SHUT_WR)
            while (how := self.leash.recv(64).decode("ascii", "replace")).startswith("waited"):
                pass  # an answer that came too late
            how = self.ended or how or "killed"
        except TimeoutError:
            how = "killed"
            self.box.spoiled = f"what a submission had started was still there {seconds:g} s after it was killed."
        except OSError:
            how = "killed"
        finally:
            self.leash.close()
        return (self.cgroup.end() if self.cgroup else "") or how


def start(box: Box, limits: Limits, seconds: float) -> Session:
    """Asks the worker in the box for a submission's process; raises SandboxUnavailable if none comes."""
    if box.spoiled:
        raise SandboxUnavailable(box.spoiled)
    from autograder.sandbox.wire import Wire  # with torch: not before the box has been started, which imports it too

    wire, inner_wire = socket.socketpair()
    leash, inner_leash = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    cgroup, warden = None, 0
    try:
        leash.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        leash.settimeout(seconds)
        box.control.settimeout(seconds)
        rights = array.array("i", [inner_wire.fileno(), inner_leash.fileno()])
        box.control.sendmsg([b"fork"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        inner_wire.close()
        inner_leash.close()
        answer, warden = hear(leash)
        if answer == b"here":
            if place := delegated():
                cgroup = Cgroup(place, limits)
                cgroup.add(warden)
            leash.send(b"go")
            answer, _ = hear(leash)
    except OSError as error:
        answer = str(error).encode()
    finally:
        inner_wire.close()
        inner_leash.close()
    session = Session(Wire(wire), leash, box, cgroup, warden)
    if answer != b"open":
        session.end(0)
        why = f"{answer.decode('utf-8', 'replace')}\n{box.said()}".strip()
        raise SandboxUnavailable(f"a fork of the worker did not start: {why}")
    return session


def hear(leash: socket.socket) -> tuple[bytes, int]:
    """A word of the warden's, and its process id as this side counts."""
    text, extra, _, _ = leash.recvmsg(64, socket.CMSG_SPACE(struct.calcsize("3i")))
    for level, kind, data in extra:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
            return text, struct.unpack("3i", data)[0]
    return text, os.getpid()
