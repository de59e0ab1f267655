"""Measures the memory of a submission's processes without waiting for any of them.

To count shared pages once, the kernel takes a lock of the process, which a process that forks without pause holds
nearly all the time, so that a reader may wait indefinitely. Hence a separate process of the box reads, and the
supervisors query it; the resident size can be read without that lock, and is nearly always below the limit. Data
waiting in a socket belongs to no process: each socket counts as full.
"""

import contextlib
import os
import socket
import time
from collections.abc import Callable
from functools import cache

from autograder.sandbox.confinement import die_with_parent, set_readable

WAIT_SECONDS = 0.2
HELD_SECONDS = 5.0  # if it cannot be measured for this long, it has too much
Read = Callable[[str], str]


class MemoryMeter:
    """A supervisor's meter: ``meter`` connects to the box's, ``read`` gives the text of a file in /proc."""

    def __init__(self, meter: socket.socket, read: Read) -> None:
        self.meter, self.read = meter, read
        self.answer: socket.socket | None = None  # where the reply to the last query arrives
        self.since = 0.0

    def over(self, processes: list[int], limit: int) -> bool:
        """Whether they use more than ``limit`` bytes in total, as far as can be told quickly."""
        limit -= in_sockets(self.read)
        if sum(resident(process, self.read) for process in processes) <= limit:
            return False
        try:
            if self.answer is None:
                self.answer, self.since = self.ask(processes), time.monotonic()
                self.answer.settimeout(WAIT_SECONDS)
            used = int(self.answer.recv(64))
        except TimeoutError:
            return time.monotonic() - self.since > HELD_SECONDS
        except (OSError, ValueError):  # the meter is gone
            used = sum(share(process, self.read) for process in processes)
        if self.answer is not None:
            self.answer.close()
            self.answer = None
        return used > limit

    def ask(self, processes: list[int]) -> socket.socket:
        """Sends a query; the reply comes on its own socket, because the box has other supervisors."""
        near, far = socket.socketpair()
        try:
            with far:
                socket.send_fds(self.meter, [" ".join(map(str, processes)).encode()], [far.fileno()])
        except OSError:
            near.close()
            raise
        return near


def measure(far: socket.socket, read: Read) -> None:
    """Runs the box's meter: answers queries until the other end is closed."""
    while True:
        query, descriptors, _, _ = socket.recv_fds(far, 2**16, 1)
        if not query:
            return
        with socket.socket(fileno=descriptors[0]) as reply, contextlib.suppress(OSError):  # the supervisor may be gone
            reply.send(b"%d" % sum(share(int(process), read) for process in query.split()))


def resident(process: int, read: Read) -> int:
    """Resident size in bytes, swap and page tables included; 0 for a process that has ended."""
    try:
        return listed(read(f"{process}/status"), "VmRSS", "VmSwap", "VmPTE")
    except OSError:
        return 0


def share(process: int, read: Read) -> int:
    """PSS in bytes, page tables included; the resident size if smaps is unreadable."""
    try:
        pages = listed(read(f"{process}/smaps_rollup"), "Pss", "SwapPss")
        return pages + listed(read(f"{process}/status"), "VmPTE")
    except OSError:
        return resident(process, read)


def listed(text: str, *names: str) -> int:
    """The sum of the sizes that have these names in a file of /proc, in bytes."""
    lines = (line.split() for line in text.splitlines())
    return sum(int(line[1]) * 1024 for line in lines if line and line[0].removesuffix(":") in names)


def in_sockets(read: Read) -> int:
    """Bytes that the sockets of our network namespace, also the submission's, can hold."""
    try:
        return int(read("net/sockstat").split()[2]) * in_a_socket()
    except (OSError, IndexError, ValueError):
        return 0


@cache
def in_a_socket() -> int:
    """Twice its buffer size: the last message that it accepts may exceed that."""
    with socket.socket(socket.AF_UNIX) as sample:
        return 2 * sample.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)


def start_meter() -> socket.socket:
    """Forks the box's meter, which ends with this process; returns the socket to it."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if not os.fork():
        try:
            die_with_parent()
            set_readable(False)  # in a container submissions have our user id
            os.dup2(far.fileno(), 0)  # nothing else stays open, so that peers see EOF
            os.closerange(1, 2**16)
            measure(socket.socket(fileno=0), read_file)
        finally:
            os._exit(0)
    far.close()
    return near


def read_file(path: str) -> str:
    with open(f"/proc/{path}") as file:
        return file.read()
