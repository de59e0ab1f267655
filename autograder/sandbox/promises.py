"""What the sandbox promises, each as a learner's cell that tries to have it broken.

A cell of ``ASKED`` prints True if the promise is kept, and what it saw. A cell of ``ENDED`` is stopped, within which
limits, and by what.
"""

import json
from dataclasses import replace
from pathlib import Path

from autograder.sandbox.contents import ENGINE, ENVIRONMENT
from autograder.sandbox.limits import Limits

MB = 2**20
# Small enough to be reached within a moment; but a virtual machine may take seconds of CPU time for each new GB.
TIGHT = Limits(
    total_seconds=120, cpu_seconds=30.0, memory=800 * MB, file=4 * MB, disk=8 * MB, files=200, output=10_000,
    processes=24, open_files=64,
)  # fmt: skip
BRIEF = replace(TIGHT, cpu_seconds=1.0)
NAMES = {*ENVIRONMENT, "PWD", "HOSTNAME", "TERM", "container"}  # the last three are a container engine's own

START = f"""
import ctypes, errno, os, resource, socket
libc = ctypes.CDLL(None, use_errno=True)
course = os.environ["PYTHONPATH"]
def refused(*attempts):
    return all(attempt() == -1 for attempt in attempts)
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
""".replace("Limits(", "dict(")

ASKED = {
    "no network": (
        "names = [name for _, name in socket.if_nameindex()]\n"
        "said = fails(lambda: socket.create_connection(('192.0.2.1', 80), 1))\n"
        "print(names in ([], ['lo']) and said is not None, f'only {names}; a connection: {said}')"
    ),
    "processes of its own": (
        "found = [pid for pid in range(1, 1000) if seen(pid) and pid not in (os.getpid(), os.getppid())]\n"
        "print(len(found) <= 1, f'it is number {os.getpid()}, and sees {len(found)} others')"
    ),
    "no shared memory, semaphores or messages with anybody": (
        "print(refused(lambda: libc.shmget(0, 4096, 0o1666), lambda: libc.semget(0, 1, 0o1666),"
        " lambda: libc.msgget(0, 0o1666)), 'SysV: refused')"
    ),
    "a host name that tells nothing": "print(socket.gethostname() == 'sandbox', socket.gethostname())",
    "no privileges": (
        "held = [c for c in range(64) if libc.prctl(23, c, 0, 0, 0) == 1]\n"
        "print(os.getuid() == 65534 and not held and refused(lambda: libc.mount(b'x', b'/tmp', b'tmpfs', 0, None),"
        " lambda: libc.setuid(0)), f'user {os.getuid()}, capabilities {held}')"
    ),
    "no way to new privileges": (
        "print(libc.prctl(39, 0, 0, 0, 0) == 1 and refused(lambda: libc.unshare(0x10000000)),"
        " 'no_new_privs; no namespaces of its own making')"
    ),
    "dangerous system calls are refused": (
        "print(refused(lambda: libc.ptrace(0, 0, 0, 0), lambda: libc.prctl(1, 0, 0, 0, 0),"
        " lambda: libc.process_vm_readv(1, None, 0, None, 0, 0)), 'ptrace, and with it 30 more')"
    ),
    "interpreter and libraries are read-only": (
        "import json, torch\n"
        "print(all(fails(lambda: open(path, 'a')) for path in (json.__file__, torch.__file__, '/usr/x', '/x')),"
        " fails(lambda: open(torch.__file__, 'a')))"
    ),
    "only the given modules, read-only": (
        "found = sorted(name for _, _, names in os.walk(course) for name in names)\n"
        f"print(found == {sorted(Path(module).name for module in ENGINE)!r} and bool(fails(lambda:"
        " open(course + '/autograder/sandbox/wire.py', 'a'))), f'{len(found)} files, all of the worker')"
    ),
    "nothing of your files": "print(not any(os.path.exists(p) for p in CANARIES), 'not to be found:', *CANARIES)",
    "nothing of your environment": (
        f"print(set(os.environ) <= {NAMES!r} and SECRET not in str(os.environ), len(os.environ), 'variables, all ours')"
    ),
    "no open files of the grader's": (
        "found = [n for n in range(1024) if not fails(lambda: os.fstat(n))]\n"
        "print(found == [0, 1, 2, 3], f'{found}: three that lead nowhere, and the wire')"
    ),
    "others go first": (
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
    "limit: addresses": (
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
    print("no more to be had")
"""
ENDED = {
    "limit: memory, of all processes": (
        TIGHT,
        "import os, time\nfor _ in range(6):\n    if not os.fork():\n        x = bytearray(200_000_000)\n"
        "        time.sleep(100)\ntime.sleep(100)",
        ("memory",),
    ),
    "limit: CPU time, of all processes": (BRIEF, "import os\nos.fork()\nwhile True:\n    pass", ("cpu",)),
    "limit: processes": (TIGHT, FORKS, ("processes", "no more to be had")),
}
ENDLESS = "import os, time\nfor _ in range(3):\n    os.fork()\ntime.sleep(100)"
LONG = "print('x' * 1_000_000)"


def preamble(canaries: list[str], secret: str) -> str:
    """What every cell of ``ASKED`` may use."""
    return f"{START}\nCANARIES = {json.dumps(canaries)}\nSECRET = {secret!r}\n"
