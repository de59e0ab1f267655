"""The judge's handle on one submission in its box."""

import os
import socket
import struct
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.records.job import Limits
from autograder.sandbox.box import Box
from autograder.sandbox.cgroup import Cgroup, delegated
from autograder.sandbox.errors import SandboxUnavailable

if TYPE_CHECKING:
    from autograder.sandbox.wire import Wire

ASK_SECONDS = 2.0
END_SECONDS = 60.0  # a dozen processes that fork without pause keep the kernel busy for ten seconds once killed


@dataclass
class Session:
    """One submission's process: a connection to it, and a control socket; closing that kills the whole tree."""

    connection: socket.socket
    control_socket: socket.socket
    box: Box
    cgroup: Cgroup | None = None
    supervisor: int = 0  # its process id
    ended: str = ""  # how it ended, if it did during a query

    @cached_property
    def wire(self) -> "Wire":
        """The connection, as one speaks with answers; importing it imports torch, which who reads files need not do."""
        from autograder.sandbox.wire import Wire

        return Wire(self.connection)

    def waited(self) -> float:
        """Seconds since its start in which the submission was runnable but the machine was busy with others.

        0 if the supervisor is gone.
        """
        try:
            self.control_socket.settimeout(ASK_SECONDS)
            self.control_socket.send(b"waited")
            reply = self.control_socket.recv(64).decode("ascii", "replace")
        except OSError:
            return 0.0
        word, _, seconds = reply.partition(" ")
        if word == "waited":
            return float(seconds)
        self.ended = reply
        return 0.0

    def end(self, seconds: float = END_SECONDS) -> str:
        """Kills the process tree, waits until all of it is gone and returns how it ended.

        One of "killed", "exit N", "signal N", "memory", "cpu", "processes".
        If a process is still there after ``seconds``, it would slow the next submission: the box takes no more.
        """
        self.connection.close()
        # Until all of it is gone it would take processor time from the next submission. That it is gone is said by the
        # supervisor, which has waited for it, and not by the submission, whose connection may close long before.
        try:
            self.control_socket.settimeout(seconds)
            self.control_socket.shutdown(socket.SHUT_WR)
            word = self.last_word()
            how = self.ended or word or "killed"
        except TimeoutError:
            how = "killed"
            self.box.spoiled = f"processes of a submission were still there {seconds:g} s after it was killed."
        except OSError:
            how = "killed"
        finally:
            self.control_socket.close()
        return (self.cgroup.end() if self.cgroup else "") or how

    def last_word(self) -> str:
        """What the supervisor says after all that it was asked; empty if it ends without a word."""
        while True:
            try:
                word = self.control_socket.recv(64).decode("ascii", "replace")
            except ConnectionResetError:  # it ended with a question of ours unread; what it had sent can still be read
                continue
            if not word.startswith("waited"):  # a late reply
                return word


class ColdSession(Session):
    """A submission with its own box, which ends with it."""

    def end(self, seconds: float = 5.0) -> str:
        try:
            return super().end(seconds)
        finally:
            self.box.stop()


def start(box: Box, limits: Limits, seconds: float) -> Session:
    """Asks the worker in the box for a submission's process; raises SandboxUnavailable if none starts."""
    if box.spoiled:
        raise SandboxUnavailable(box.spoiled)
    connection, inner_connection = socket.socketpair()
    control_socket, inner_control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    cgroup, supervisor = None, 0
    try:
        with inner_connection, inner_control:
            control_socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            control_socket.settimeout(seconds)
            box.control.settimeout(seconds)
            socket.send_fds(box.control, [b"fork"], [inner_connection.fileno(), inner_control.fileno()])
        answer, supervisor = receive(control_socket)
        if answer == b"here":
            if parent := delegated():
                cgroup = Cgroup(parent, limits)
                cgroup.add(supervisor)
            control_socket.send(b"go")
            answer, _ = receive(control_socket)
    except OSError as error:
        answer = str(error).encode()
    session = Session(connection, control_socket, box, cgroup, supervisor)
    if answer != b"open":
        session.end(0)
        why = f"{answer.decode('utf-8', 'replace')}\n{box.printed()}".strip()
        raise SandboxUnavailable(f"a fork of the worker did not start: {why}")
    return session


def receive(control_socket: socket.socket) -> tuple[bytes, int]:
    """A message from the supervisor, and its process id in our namespace."""
    text, extra, _, _ = control_socket.recvmsg(64, socket.CMSG_SPACE(struct.calcsize("3i")))
    for level, kind, data in extra:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
            return text, struct.unpack("3i", data)[0]
    return text, os.getpid()
