"""What the processes of a submission weigh, without waiting for any of them.

To count shared pages once, the kernel takes a lock of the process, which a process that forks without pause holds
nearly all the time: whoever reads waits for as long as it likes. So a process of the box's own reads, and the wardens
ask it; what is resident can be read without that lock, and is nearly always little enough. What waits in a socket is
of no process: each socket counts as full.
"""

import contextlib
import ctypes
import os
import socket
import time
from collections.abc import Callable
from functools import cache

WAIT_SECONDS = 0.2
HELD_SECONDS = 5.0  # who is not to be weighed for so long has too much
PR_SET_DUMPABLE = 4
Read = Callable[[str], str]


class Scales:
    """A warden's: ``weigher`` leads to the box's, ``read`` gives the text of a file in /proc."""

    def __init__(self, weigher: socket.socket, read: Read) -> None:
        self.weigher, self.read = weigher, read
        self.answer: socket.socket | None = None  # where that to the last question is to come
        self.since = 0.0

    def over(self, processes: list[int], limit: int) -> bool:
        """Whether they have more memory than ``limit`` bytes in all, as far as can be said at once."""
        limit -= in_sockets(self.read)
        if sum(resident(process, self.read) for process in processes) <= limit:
            return False
        try:
            if self.answer is None:
                self.answer, self.since = self.ask(processes), time.monotonic()
                self.answer.settimeout(WAIT_SECONDS)
            weight = int(self.answer.recv(64))
        except TimeoutError:
            return time.monotonic() - self.since > HELD_SECONDS
        except (OSError, ValueError):  # the weigher is gone
            weight = sum(share(process, self.read) for process in processes)
        if self.answer is not None:
            self.answer.close()
            self.answer = None
        return weight > limit

    def ask(self, processes: list[int]) -> socket.socket:
        """Puts the question; the answer comes on a line of its own, for the box has other wardens."""
        near, far = socket.socketpair()
        try:
            socket.send_fds(self.weigher, [" ".join(map(str, processes)).encode()], [far.fileno()])
        except OSError:
            near.close()
            raise
        finally:
            far.close()
        return near


def weigh(far: socket.socket, read: Read) -> None:
    """The weigher's life."""
    while True:
        question, lines, _, _ = socket.recv_fds(far, 2**16, 1)
        if not question:
            return
        with socket.socket(fileno=lines[0]) as line, contextlib.suppress(OSError):  # the warden may be gone
            line.send(b"%d" % sum(share(int(process), read) for process in question.split()))


def resident(process: int, read: Read) -> int:
    """Bytes, pages that others have too, those swapped out and tables included; 0 for a process that is gone."""
    try:
        return listed(read(f"{process}/status"), "VmRSS", "VmSwap", "VmPTE")
    except OSError:
        return 0


def share(process: int, read: Read) -> int:
    """Bytes, of a page that others have too its part; all that is resident of a process that hides."""
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
    """Bytes that the sockets of our network namespace can hold, which is the submission's."""
    try:
        return int(read("net/sockstat").split()[2]) * in_one_socket()
    except (OSError, IndexError, ValueError):
        return 0


@cache
def in_one_socket() -> int:
    """Twice what it is to hold: the last message that it takes may go beyond that."""
    with socket.socket(socket.AF_UNIX) as one:
        return 2 * one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)


def start_weigher(die_with_parent: Callable[[], None]) -> socket.socket:
    """Forks the box's weigher, which ends with this process; returns the way to it."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if not os.fork():
        try:
            die_with_parent()
            ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # in a container submissions have our user id
            os.dup2(far.fileno(), 0)  # and nothing else is kept: who waits for the other end of a line is to see it end
            os.closerange(1, 2**16)
            weigh(socket.socket(fileno=0), read_here)
        finally:
            os._exit(0)
    far.close()
    return near


def read_here(path: str) -> str:
    with open(f"/proc/{path}") as file:
        return file.read()
