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


class Session:
    """One submission's process: the wire to it, and a leash whose end kills the whole tree."""

    def __init__(self, wire: "Wire", leash: socket.socket, cgroup: Cgroup | None = None, warden: int = 0) -> None:
        self.wire, self.leash, self.cgroup, self.warden = wire, leash, cgroup, warden

    def end(self, seconds: float = 5.0) -> str:
        """Kills the process tree and returns how it ended.

        One of "killed", "exit N", "signal N", "memory", "cpu", "processes".
        """
        self.wire.close()
        try:
            self.leash.settimeout(seconds)
            self.leash.shutdown(socket.SHUT_WR)
            how = self.leash.recv(64).decode("ascii", "replace") or "killed"
        except OSError:
            how = "killed"
        finally:
            self.leash.close()
        return (self.cgroup.end() if self.cgroup else "") or how


def start(box: Box, limits: Limits, seconds: float) -> Session:
    """Asks the worker in the box for a submission's process; raises SandboxUnavailable if none comes."""
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
    session = Session(Wire(wire), leash, cgroup, warden)
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
