"""The sandbox's promises, each as a learner's cell that tries to break it.

A cell of ``ASKED`` prints True if the promise is kept, and what it saw. ``ENDED`` gives limits, a cell that must be
stopped under them, and the possible reasons.
"""

import json
from dataclasses import replace
from pathlib import Path

from autograder.records.limits import Limits
from autograder.sandbox.mounts import ENGINE, ENVIRONMENT
from autograder.sandbox.syscalls import REFUSED

MB = 2**20
# Small enough to be reached quickly; but a virtual machine may take seconds of CPU time for each new GB.
TIGHT = Limits(
    total_seconds=120, cpu_seconds=30.0, memory=800 * MB, file=4 * MB, disk=8 * MB, files=200, output=10_000,
    processes=24, open_files=64,
)  # fmt: skip
BRIEF = replace(TIGHT, cpu_seconds=1.0)
NAMES = {*ENVIRONMENT, "PWD", "HOSTNAME", "TERM", "container"}  # the last three are a container engine's own

START = f"""
import ctypes, errno, fcntl, mmap, os, resource, socket
libc = ctypes.CDLL(None, use_errno=True)
course = os.environ["PYTHONPATH"]
def refused(*attempts):
    return all(attempt() == -1 for attempt in attempts)
def number(call):
    return SYSCALLS[call][os.uname().machine == "aarch64"]
def call(name, *arguments):
    return libc.syscall(number(name), *arguments)
def locked(path, mode, kind):
    file = open(path, mode)
    fcntl.lockf(file, kind | fcntl.LOCK_NB), fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return file
def both_lock(*place):
    with locked(*place):
        return in_child(lambda: locked(*place)) == 0
def in_child(attempt):
    pid = os.fork()
    if not pid:
        try:
            attempt()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
def fails(attempt):
    try:
        attempt()
    except OSError as error:
        return error.strerror
def seen(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
def write(path, size):
    try:
        with open(path, "wb") as file:
            return file.write(bytes(size)) == size
    except OSError:
        return False
LIMITS = {TIGHT!r}
SYSCALLS = {REFUSED!r}
""".replace("Limits(", "dict(")

ASKED = {
    "no network": (
        "names = [name for _, name in socket.if_nameindex()]\n"
        "said = fails(lambda: socket.create_connection(('192.0.2.1', 80), 1))\n"
        "print(names in ([], ['lo']) and said is not None, f'only {names}; a connection: {said}')"
    ),
    "processes of its own": (
        "found = [pid for pid in range(1, 1000) if seen(pid) and pid not in (os.getpid(), os.getppid())]\n"
        "print(len(found) <= 1, f'process {os.getpid()}, sees {len(found)} others')"
    ),
    "no shared memory, semaphores or message queues": (
        "print(refused(lambda: libc.shmget(0, 4096, 0o1666), lambda: libc.semget(0, 1, 0o1666),"
        " lambda: libc.msgget(0, 0o1666)), 'SysV: refused')"
    ),
    "a host name that reveals nothing": "print(socket.gethostname() == 'sandbox', socket.gethostname())",
    "no privileges": (
        "held = [c for c in range(64) if libc.prctl(23, c, 0, 0, 0) == 1]\n"
        "print(os.getuid() == 65534 and not held and refused(lambda: libc.mount(b'x', b'/tmp', b'tmpfs', 0, None),"
        " lambda: libc.setuid(0)), f'user {os.getuid()}, capabilities {held}')"
    ),
    "no way to gain privileges": (
        "print(libc.prctl(39, 0, 0, 0, 0) == 1 and refused(lambda: libc.unshare(0x10000000)),"
        " 'no_new_privs; cannot create namespaces')"
    ),
    "dangerous system calls are refused": (
        "print(refused(lambda: libc.ptrace(0, 0, 0, 0), lambda: libc.prctl(1, 0, 0, 0, 0),"
        " lambda: libc.process_vm_readv(1, None, 0, None, 0, 0)), f'ptrace and {len(SYSCALLS)} more')"
    ),
    "no leases or watches on files of the machine": (
        "asked = (fcntl.F_SETLEASE, fcntl.F_WRLCK), (fcntl.F_NOTIFY, fcntl.DN_ACCESS)\n"
        "with open(os.__file__) as file:\n    kept = all(fails(lambda: fcntl.fcntl(file, *ask)) for ask in asked)\n"
        "watches = 'inotify_init', 'inotify_init1', 'fanotify_init'\n"
        "print(kept and refused(*(lambda name=name: call(name, 0, 0) for name in watches)),"
        " 'leases, dnotify, inotify, fanotify: refused')"
    ),
    "file locks block nobody": (
        "kept = both_lock(os.__file__, 'rb', fcntl.LOCK_SH) and both_lock('/dev/null', 'r+b', fcntl.LOCK_EX)\n"
        "print(kept and fails(lambda: fcntl.fcntl(0, fcntl.F_GETLK, bytes(32))) is not None,"
        " 'granted to everyone at once; F_GETLK is refused')"
    ),
    "no asynchronous I/O in the kernel": (
        "print(refused(lambda: call('io_setup', 1, ctypes.byref(ctypes.c_ulong())),"
        " lambda: call('io_uring_setup', 1, ctypes.create_string_buffer(200))), 'io_setup, io_uring: refused')"
    ),
    "sockets of four families only": (
        "made = []\n"
        "for family in range(64):\n    for kind in (1, 2, 3, 5):\n"
        "        made += [family] * (fails(lambda: socket.socket(family, kind).close()) is None)\n"
        "print({*made} <= {1, 2, 10, 16}, 'UNIX, INET, INET6, NETLINK; not VSOCK or any other')"
    ),
    "no list of other mounts": (
        "asked = (ctypes.c_uint64 * 3)(24, 0xFFFFFFFFFFFFFFFF)\n"
        "print(refused(lambda: call('listmount', asked, ctypes.create_string_buffer(800), 100, 0),"
        " lambda: call('statmount', asked, ctypes.create_string_buffer(800), 800, 0)), 'listmount, statmount: refused')"
    ),
    "no uncounted memory": (
        "shared = fails(lambda: mmap.mmap(-1, 4096))\n"
        "huge = fails(lambda: mmap.mmap(-1, 2**21, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000))\n"
        "print(shared and huge and refused(lambda: call('memfd_create', b'x', 0),"
        " lambda: call('vmsplice', 0, 0, 0, 0)),"
        " 'shared anonymous pages, memfd, huge pages, vmsplice: refused')"
    ),
    "no process ends uncounted": (
        "print(refused(lambda: libc.signal(17, 1)) and in_child(lambda: None) == 0, 'SIGCHLD cannot be ignored')"
    ),
    "scheduled as one program": (
        "print(in_child(lambda: (os.setsid(), 1 / (os.getsid(0) != os.getpid()))) == 0"
        " and resource.getrlimit(resource.RLIMIT_RTPRIO) == (0, 0),"
        " 'one session for all its processes, no real-time priority')"
    ),
    "interpreter and libraries are read-only": (
        "import json, torch\n"
        "print(all(fails(lambda: open(path, 'a')) for path in (json.__file__, torch.__file__, '/usr/x', '/x')),"
        " fails(lambda: open(torch.__file__, 'a')))"
    ),
    "only the given modules, read-only": (
        "found = sorted(name for _, _, names in os.walk(course) for name in names)\n"
        f"print(found == {sorted(Path(module).name for module in ENGINE)!r} and bool(fails(lambda:"
        " open(course + '/autograder/sandbox/wire.py', 'a'))), f'{len(found)} files, all part of the worker')"
    ),
    "none of your files": "print(not any(os.path.exists(p) for p in CANARIES), 'not found:', *CANARIES)",
    "none of your environment variables": (
        f"print(set(os.environ) <= {NAMES!r} and SECRET not in str(os.environ), len(os.environ), 'variables, all ours')"
    ),
    "no open files of the grader": (
        "found = [n for n in range(1024) if not fails(lambda: os.fstat(n))]\n"
        "print(found == [0, 1, 2, 3], f'{found}: three to /dev/null, and the wire')"
    ),
    "lower priority than other programs": (
        "print(os.getpriority(os.PRIO_PROCESS, 0) > 0 and libc.nice(-1) == -1,"
        " f'nice {os.getpriority(os.PRIO_PROCESS, 0)}')"
    ),
    "limit: size of a file": (
        "print(write('/tmp/a', LIMITS['file']) and not write('/tmp/b', LIMITS['file'] + 1),"
        " f'{LIMITS[\"file\"] >> 20} MB here')\nos.unlink('/tmp/a'), os.unlink('/tmp/b')"
    ),
    "limit: size of all files": (
        "half = LIMITS['disk'] // 4\n"
        "fitting = [place for place in ('/tmp', '/dev/shm') for i in range(8) if write(f'{place}/{i}', half)]\n"
        "print(0 < len(fitting) <= 4, f'{len(fitting) * half >> 20} MB fit into /tmp and /dev/shm, here')"
    ),
    "limit: open files": (
        "print(fails(lambda: [os.dup(0) for _ in range(LIMITS['open_files'] + 1)]) is not None,"
        " f'{LIMITS[\"open_files\"]} here')"
    ),
    "limit: address space": (
        "print(resource.getrlimit(resource.RLIMIT_AS)[1] == LIMITS['address_space'],"
        " f'{LIMITS[\"address_space\"] >> 30} GB')"
    ),
}

FORKS = """
import os, time
try:
    for _ in range(60):
        if not os.fork():
            time.sleep(100)
    time.sleep(100)
except OSError:
    print("no more processes")
"""
# Connections not yet accepted, with unread data: no process has them open any more.
SOCKETS = """
import socket
listeners = [socket.socket(socket.AF_UNIX) for _ in range(40)]
for name, listener in enumerate(listeners):
    listener.bind(f"\\0{name}")
    listener.listen(4096)
    full = False
    while not full:
        with socket.socket(socket.AF_UNIX) as one:
            one.setblocking(False)
            try:
                one.connect(f"\\0{name}")
            except OSError:
                full = True
            try:
                while not full:
                    one.send(bytes(2**15))
            except OSError:
                pass
"""
# Small shell programs one after another, a few milliseconds each; the cell itself does almost nothing.
MOMENTS = """
import ctypes, resource, subprocess
BATCH = "j=0; while [ $j -lt 20 ]; do j=$((j+1)); (i=0; while [ $i -lt 4000 ]; do i=$((i+1)); done); done"
def batch():
    subprocess.run(["sh", "-c", BATCH])
def used():
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime
batch()
each = used()
ctypes.CDLL(None).signal(17, {})  # SIGCHLD
for _ in range(int(4 / each)):
    batch()
print("went on, with 4 s used")
"""
ENDED = {
    "limit: memory, of all processes": (
        TIGHT,
        "import os, time\nfor _ in range(6):\n    if not os.fork():\n        x = bytearray(200_000_000)\n"
        "        time.sleep(100)\ntime.sleep(100)",
        ("memory",),
    ),
    "limit: memory, of sockets": (TIGHT, SOCKETS, ("memory",)),
    "limit: CPU time, of all processes": (BRIEF, "import os\nos.fork()\nwhile True:\n    pass", ("cpu",)),
    "limit: CPU time, of short-lived processes": (BRIEF, MOMENTS.format(1), ("cpu",)),
    "limit: processes": (TIGHT, FORKS, ("processes", "no more processes")),
}
ENDLESS = "import os, time\nfor _ in range(3):\n    os.fork()\ntime.sleep(100)"
# A child that shares its parent's memory and sleeps: until it ends, the parent waits in the kernel.
VFORK = "import ctypes, time\nif ctypes.CDLL(None).vfork() == 0:\n    time.sleep(100)"
LONG = "print('x' * 1_000_000)"


def preamble(canaries: list[str], secret: str) -> str:
    """Definitions for the cells of ``ASKED``."""
    return f"{START}\nCANARIES = {json.dumps(canaries)}\nSECRET = {secret!r}\n"
