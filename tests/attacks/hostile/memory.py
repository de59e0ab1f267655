"""Memory: a hoard ends the hoarder, also of what is no page of any process; and time of no process that is seen."""

import sys

from attacks.notebooks import TRIED, Attack

ATTACKS = (
    Attack("one large block", "exhaust the machine's memory", "hoard = bytearray(200 * 2**30)", rich=True),
    Attack("a result that expands", "make the grader unfold 4 TB from 4 bytes",
           "def attend(scores, values, source_mask):\n    huge = torch.zeros(1).expand(2**40)\n    return huge, huge",
           place="attend", rich=True, points=18),
    Attack("a growing list", "exhaust the machine's memory step by step",
           "hoard = []\nwhile True:\n    hoard.append(bytearray(64 * 2**20))", rich=True, status="memory"),
    Attack("endless recursion", "overflow the stack", "def f():\n    f()\nf()", rich=True),
    Attack("recursion without a limit", "overflow the stack of the interpreter itself",
           "import sys\nsys.setrecursionlimit(10**9)\nf = lambda x: [x].sort(key=f)\nf(1)", rich=True,
           status="ok" if sys.version_info[:2] == (3, 12) else "crashed"),
    Attack("files of nobody", "hold memory in files without a name or in huge pages", TRIED + """
import mmap
tried('CANARY-NAMELESS', lambda: os.memfd_create('x'), lambda: mmap.mmap(-1, 2**21, 0x40022),
      lambda: mmap.mmap(-1, 2**21, 0x40021))
""", rich=True),
    Attack("real time", "go before everybody else", TRIED + """
for policy in (os.SCHED_FIFO, os.SCHED_RR):
    tried('CANARY-FIRST', lambda: os.sched_setscheduler(0, policy, os.sched_param(1)))
""", rich=True),
    Attack("dropped pages", "hold shared memory that no table names, also by the device of zeros", """
import mmap
hoard = []
for zeros in (lambda: open('/dev/zero', 'r+b').fileno(), lambda: -1):
    for _ in range(30):
        try:
            hoard.append(mmap.mmap(zeros(), 100 * 2**20))
        except OSError as error:
            print(error)
            break
        hoard[-1].write(bytes(100 * 2**20))
        hoard[-1].madvise(mmap.MADV_DONTNEED)
    else:
        print('CANARY-DROPPED')
"""),
    Attack("full sockets", "hold memory in the sockets of many processes", """
import os, socket, time
for _ in range(30):
    if not os.fork():
        held = []
        try:
            while True:
                held += socket.socketpair()
                for one in held[-2:]:
                    one.setsockopt(1, 7, 2**24)
                    one.setblocking(False)
                    try:
                        while True:
                            one.send(bytes(2**15))
                    except BlockingIOError:
                        pass
        finally:
            time.sleep(1000)
time.sleep(1000)
""", rich=True, status="memory"),
    Attack("waiting for itself", "wait without end for what only seems to be others", """
import ctypes, time
if ctypes.CDLL(None).vfork() == 0:
    time.sleep(10**6)
""", rich=True, status="timeout"),
)  # fmt: skip
