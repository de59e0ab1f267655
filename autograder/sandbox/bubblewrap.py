"""The box made by bubblewrap: read-only interpreter and libraries, a few modules, and nothing else of this machine."""

import os
import shutil
import socket
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from autograder.records.job import Limits
from autograder.sandbox.box import ENVIRONMENT, Box, modules, run, worker
from autograder.sandbox.errors import SandboxUnavailable

VENV = "/venv"
DEVICES = Path("/dev")
USERS = {"/etc/passwd": b"nobody:x:65534:65534:nobody:/tmp:/bin/sh\n", "/etc/group": b"nogroup:x:65534:\n"}
# The worker needs these two to put each submission into namespaces of its own; learners' processes drop both.
PRIVILEGES = ("--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_SETPCAP")


def gpu_options() -> list[str]:
    """Options that show CUDA its devices and the files that describe them."""
    devices = sorted(DEVICES.glob("nvidia*"))
    if not devices:
        raise SandboxUnavailable("the assignment asks for a GPU, but there is no /dev/nvidia* on this machine.")
    seen = [option for device in devices for option in ("--dev-bind", str(device.resolve()), f"/dev/{device.name}")]
    for place in ("/sys/module/nvidia", "/sys/bus/pci", "/sys/devices"):
        seen += ["--ro-bind-try", place, place]
    return seen


def start(root: Path, given: tuple[str, ...], limits: Limits, cold: bool, gpu: bool = False) -> Box:
    """A box for many submissions, one after another; ``cold``: for one; ``gpu``: with this machine's GPUs."""
    more = gpu_options() if gpu else []
    if gpu:
        limits = replace(limits, address_space=0)  # CUDA maps terabytes
    with ExitStack() as stack:
        control, inner = map(stack.enter_context, socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))
        inherited = [inner.fileno()]
        for place, text in USERS.items():
            file = stack.enter_context(tempfile.TemporaryFile(buffering=0))
            file.write(text)
            file.seek(0)
            inherited.append(file.fileno())
            more += ["--ro-bind-data", str(file.fileno()), place]
        line = command(root, given, limits, inner.fileno(), cold, more)
        process, log = run(line, {}, inherited)  # bwrap stays in the box as pid 1, where its environment could be read
        return Box(process, control.dup(), log)


def command(
    root: Path, given: tuple[str, ...], limits: Limits, control: int, cold: bool = False, more: Sequence[str] = ()
) -> list[str]:
    """The command line that starts the worker in its box; ``given`` are the modules that learners may import."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise SandboxUnavailable("bubblewrap (the command `bwrap`) is not installed.")
    box = [bwrap, "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"]
    box += ["--hostname", "sandbox", "--uid", "65534", "--gid", "65534", "--clearenv"]
    box += ["--cap-drop", "ALL", *PRIVILEGES]
    box += ["--ro-bind", "/usr", "/usr"]
    for place in ("/bin", "/sbin", "/lib", "/lib64", "/lib32"):
        path = Path(place)
        if path.is_symlink():
            box += ["--symlink", os.readlink(path), place]
        elif path.exists():
            box += ["--ro-bind", place, place]
    box += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    box += ["--proc", "/proc", "--dev", "/dev", *more, "--size", str(limits.disk), "--tmpfs", "/tmp"]
    box += ["--size", str(limits.disk), "--tmpfs", "/dev/shm", "--tmpfs", "/course"]
    # The virtual environment is mounted apart: it must not be where submissions write, wherever the course is.
    python = sys.executable
    if sys.prefix != sys.base_prefix:
        box += ["--ro-bind", sys.prefix, VENV]
        python = f"{VENV}/bin/{Path(python).name}"
    if Path("/tmp") in Path(sys.base_prefix).parents:
        raise SandboxUnavailable(f"the interpreter is in {sys.base_prefix}; the sandbox cannot use one below /tmp.")
    if not sys.base_prefix.startswith("/usr"):
        box += ["--ro-bind", sys.base_prefix, sys.base_prefix]
    for package in ("seq2seq", "autograder"):  # an installed copy of the project would hold the answers
        installed = Path(sysconfig.get_path("purelib"), package)
        if installed.exists():
            box += ["--tmpfs", str(Path(python).parent.parent / installed.relative_to(sys.prefix))]
    for place, source in modules(root, given).items():
        box += ["--ro-bind", str(source), f"/course/{place}"]
    for name, value in ENVIRONMENT.items():
        box += ["--setenv", name, value]
    # What one submission could write, the next could read: only /tmp stays writable, and each gets its own.
    box += ["--remount-ro", "/course", "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/course"]
    return [*box, python, *worker(str(control), limits, cold)]
