"""The box made by bubblewrap: read-only interpreter and libraries, a few modules, and nothing else of this machine."""

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import IO

from autograder.records.job import Limits
from autograder.sandbox.box import ANSWERS, ENVIRONMENT, SEARCH, Box, Purpose, modules, output, run, worker
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.needs import INTERPRETER, PYTHON, VENV, Needs, needs

DEVICES = Path("/dev")
TEXTS = {  # path in the box → what is in the file
    "/etc/passwd": "nobody:x:65534:65534:nobody:/tmp:/bin/sh\n",
    "/etc/group": "nogroup:x:65534:\n",
    # By this file Python takes /venv for a virtual environment of its interpreter, wherever that is.
    f"{VENV}/pyvenv.cfg": f"home = {INTERPRETER.parent}\ninclude-system-site-packages = false\n",
}
# The worker needs these two to put each submission into namespaces of its own; learners' processes drop both.
PRIVILEGES = ("--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_SETPCAP")


def gpu_options() -> list[str]:
    """Options that show CUDA its devices and the files that describe them."""
    devices = sorted(DEVICES.glob("nvidia*"))
    if not devices:
        raise SandboxUnavailable("the assignment asks for a GPU, but there is no /dev/nvidia* on this machine.")
    options = [option for device in devices for option in ("--dev-bind", str(device.resolve()), f"/dev/{device.name}")]
    for path in ("/sys/module/nvidia", "/sys/bus/pci", "/sys/devices"):
        options += ["--ro-bind-try", path, path]
    return options


def start(
    root: Path, given: tuple[str, ...], limits: Limits, cold: bool, gpu: bool = False, purpose: Purpose = ANSWERS
) -> Box:
    """A box for many submissions, one after another; ``cold``: for one; ``gpu``: with this machine's GPUs."""
    if gpu:
        limits = replace(limits, address_space=0)  # CUDA maps terabytes
    control, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with control, inner:
        program = worker(str(inner.fileno()), limits, cold, purpose)
        return Box(*execute(root, given, limits, program, [inner.fileno()], gpu, purpose), control.dup())


def search(root: Path, source: str, sizes: str) -> str:
    """What the program of autograder.sandbox.search prints in a box without given modules."""
    with tempfile.TemporaryFile(buffering=0) as file:
        file.write(sizes.encode())
        file.seek(0)
        program = [*SEARCH, source, f"/dev/fd/{file.fileno()}"]
        return output(*execute(root, (), Limits(), program, [file.fileno()]))


def execute(
    root: Path,
    given: tuple[str, ...],
    limits: Limits,
    program: Sequence[str],
    inherited: list[int],
    gpu: bool = False,
    purpose: Purpose = ANSWERS,
) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    """Starts Python with the arguments ``program`` in a box; returns its process, and the file that it prints into."""
    more = gpu_options() if gpu else []
    with ExitStack() as stack:
        for path, text in TEXTS.items():
            file = stack.enter_context(tempfile.TemporaryFile(buffering=0))
            file.write(text.encode())
            file.seek(0)
            inherited = [*inherited, file.fileno()]
            more += ["--ro-bind-data", str(file.fileno()), path]
        line = command(root, given, limits, program, more, gpu, purpose)
        # bwrap stays in the box as pid 1, where its environment could be read. Ctrl-C is for the process that grades,
        # which then ends its judges, and they their boxes; a box that it holds itself must not end before it.
        return run(line, {}, inherited, None if purpose is ANSWERS else 0)


def command(
    root: Path,
    given: tuple[str, ...],
    limits: Limits,
    program: Sequence[str],
    more: Sequence[str] = (),
    gpu: bool = False,
    purpose: Purpose = ANSWERS,
) -> list[str]:
    """The command line that starts Python in a box; ``given`` are the modules that learners may import."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise SandboxUnavailable("bubblewrap (the command `bwrap`) is not installed.")
    # Namespaces of its own for all that has them, and no way to make further ones: within a user namespace of its own a
    # submission would have privileges again; most escapes from sandboxes begin there. A box ends with its judge, but it
    # is not in its session, whose terminal it could type into. Host, user and environment say nothing of this machine.
    box = [bwrap, "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"]
    box += ["--hostname", "sandbox", "--uid", "65534", "--gid", "65534", "--clearenv"]
    box += ["--cap-drop", "ALL", *PRIVILEGES]
    # Writable folders have a quota, as what is in them is memory. /course holds the given modules and nothing else.
    box += ["--proc", "/proc", "--dev", "/dev", "--size", str(limits.disk), "--tmpfs", "/tmp"]
    box += ["--size", str(limits.disk), "--tmpfs", "/dev/shm", "--tmpfs", "/course"]
    box += [*shown(needs(gpu, purpose.packages)), *more]
    for path, source in modules(root, given, purpose).items():
        box += ["--ro-bind", str(source), f"/course/{path}"]
    for name, value in ENVIRONMENT.items():
        box += ["--setenv", name, value]
    # What one submission could write, the next could read: only /tmp stays writable, and each gets its own.
    box += ["--remount-ro", "/course", "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/course"]
    return [*box, PYTHON, *program]


def shown(listed: Needs) -> list[str]:
    """Options that show what a box needs.

    To show all of /usr was to show whatever anybody had put there: an installed copy of the course with its answers,
    a course in /usr/src, other learners' work in nbgrader's exchange below /usr/local/share. To cover each such folder
    one has to know it. So every file and folder is named that Python, the learners' packages and a shell consist of,
    and the folders of packages within them are covered.
    """
    box = [option for path, source in listed.shown.items() for option in ("--ro-bind", str(source), path)]
    for folder in listed.empty:
        box += ["--tmpfs", folder, "--remount-ro", folder]
    for path, target in listed.links.items():
        box += ["--symlink", target, path]
    return box
