"""What the processes of a submission weigh, without waiting for any of them.

To count shared pages once, the kernel takes a lock of the process, which a process that forks without pause holds
nearly all the time: whoever reads waits for as long as it likes. So a process of the box's own reads, and the wardens
ask it; what is resident can be read without that lock, and is nearly always little enough.
"""

import contextlib
import ctypes
import os
import resource
import socket
import time
from collections.abc import Callable

PAGE = resource.getpagesize()
WAIT_SECONDS = 0.2
HELD_SECONDS = 5.0  # who is not to be weighed for so long has too much
PR_SET_DUMPABLE = 4
Read = Callable[[str], str]


class Scales:
    """A warden's: ``weigher`` leads to the box's, ``read`` gives the text of a file in /proc."""

    def __init__(self, weigher: socket.socket, read: Read) -> None:
        self.weigher, self.read = weigher, read
        self.asked, self.since = 0, 0.0  # 0: nothing is to be answered; and when that was asked

    def over(self, processes: list[int], limit: int) -> bool:
        """Whether they have more memory than ``limit`` bytes in all, as far as can be said at once."""
        if sum(resident(process, self.read) for process in processes) <= limit:
            return False
        try:
            if not self.asked:
                self.asked, self.since = time.monotonic_ns(), time.monotonic()
                self.weigher.send(f"{self.asked} {' '.join(map(str, processes))}".encode())
            self.weigher.settimeout(WAIT_SECONDS)
            while (answer := self.weigher.recv(64).split())[0] != b"%d" % self.asked:
                pass  # what a warden before had asked
        except TimeoutError:
            return time.monotonic() - self.since > HELD_SECONDS
        except (OSError, IndexError):  # the weigher is gone
            return sum(share(process, self.read) for process in processes) > limit
        self.asked = 0
        return int(answer[1]) > limit


def weigh(far: socket.socket, read: Read) -> None:
    """The weigher's life."""
    while numbers := far.recv(2**16).split():
        weight = sum(share(int(process), read) for process in numbers[1:])
        far.send(b"%s %d" % (numbers[0], weight))


def resident(process: int, read: Read) -> int:
    """Bytes, pages that others have too included; 0 for a process that is gone."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        return int(read(f"{process}/statm").split()[1]) * PAGE
    return 0


def share(process: int, read: Read) -> int:
    """Bytes, of a page that others have too its part; all that is resident of a process that hides."""
    try:
        lines = read(f"{process}/smaps_rollup").splitlines()
        return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except OSError:
        return resident(process, read)


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
