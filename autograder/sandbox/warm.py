"""The sandbox: a bubblewrap box around a process warm with torch, from which each submission gets a fork of its own.

The box has no network, no environment, no files but a read-only interpreter, its libraries and the modules that
the exercise gives. Inside, the worker forks once per submission into fresh namespaces without any privilege
(:mod:`autograder.sandbox.worker`). Where any part of this cannot be had, nothing runs: :class:`SandboxUnavailable`
says what failed and how to mend it.
"""

import array
import json
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from autograder.sandbox.limits import Limits
from autograder.sandbox.wire import Wire

START_SECONDS = 60.0
VENV = "/venv"
ENGINE = (
    "autograder/__init__.py",
    "autograder/sandbox/__init__.py",
    "autograder/sandbox/wire.py",
    "autograder/sandbox/answers.py",
    "autograder/sandbox/worker.py",
)
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONPATH": "/course",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MPLCONFIGDIR": "/tmp/matplotlib",
    "IPYTHONDIR": "/tmp/ipython",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
}
REMEDY = (
    "Learners' code is never run outside the sandbox, so nothing was graded.\n"
    "  Missing bubblewrap?     sudo apt-get install bubblewrap   (Fedora: dnf install bubblewrap)\n"
    "  Ubuntu 24.04 or newer?  AppArmor forbids user namespaces: allow them for bwrap with a profile,\n"
    "                          or: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0\n"
    "  Inside a container?     start it with user namespaces allowed (docker: --security-opt seccomp=unconfined)\n"
    "  macOS or Windows?       bubblewrap needs Linux: grade in a virtual machine or a Linux container\n"
    "  Then try again:         python -m autograder doctor"
)


class SandboxUnavailable(Exception):
    """The sandbox cannot start; the text says why and how to mend it."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the sandbox cannot start: {reason}\n{REMEDY}")
        self.reason = reason


def command(root: Path, given: tuple[str, ...], limits: Limits, control: int) -> list[str]:
    """The command line that starts the worker in its box; ``given`` are the modules that learners may import."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise SandboxUnavailable("bubblewrap (the command `bwrap`) is not installed.")
    box = [bwrap, "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"]
    box += ["--hostname", "sandbox", "--uid", "65534", "--gid", "65534", "--clearenv"]
    # The worker needs these two to put each submission into namespaces of its own; learners' processes drop both.
    box += ["--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_SETPCAP"]
    box += ["--ro-bind", "/usr", "/usr"]
    for place in ("/bin", "/sbin", "/lib", "/lib64", "/lib32"):
        path = Path(place)
        if path.is_symlink():
            box += ["--symlink", os.readlink(path), place]
        elif path.exists():
            box += ["--ro-bind", place, place]
    box += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    box += ["--proc", "/proc", "--dev", "/dev", "--size", str(limits.file), "--tmpfs", "/tmp", "--tmpfs", "/course"]
    # A place of its own for the environment: wherever the course lies, it may not lie where submissions write.
    python = sys.executable
    if sys.prefix != sys.base_prefix:
        box += ["--ro-bind", sys.prefix, VENV]
        python = f"{VENV}/bin/{Path(python).name}"
    if Path("/tmp") in Path(sys.base_prefix).parents:
        raise SandboxUnavailable(f"the interpreter is in {sys.base_prefix}; below /tmp the sandbox cannot show it.")
    if not sys.base_prefix.startswith("/usr"):
        box += ["--ro-bind", sys.base_prefix, sys.base_prefix]
    for package in ("seq2seq", "autograder"):  # an installed copy of the project would hold the answers
        installed = Path(sysconfig.get_path("purelib"), package)
        if installed.exists():
            box += ["--tmpfs", str(Path(python).parent.parent / installed.relative_to(sys.prefix))]
    for module in dict.fromkeys(ENGINE + given):
        source = (root / module).resolve()
        if not source.is_file():
            raise SandboxUnavailable(f"the given module {module} does not exist in {root}.")
        box += ["--ro-bind", str(source), f"/course/{module}"]
    for name, value in ENVIRONMENT.items():
        box += ["--setenv", name, value]
    # What one submission could write, the next could read: only /tmp stays writable, and each gets its own.
    box += ["--remount-ro", "/course", "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/course"]
    return [*box, python, "-s", "-m", "autograder.sandbox.worker", str(control), json.dumps(asdict(limits))]


class Session:
    """One submission's process: the wire to it, and a leash whose end kills the whole tree."""

    def __init__(self, wire: Wire, leash: socket.socket) -> None:
        self.wire = wire
        self.leash = leash

    def end(self, seconds: float = 5.0) -> str:
        """Kills the process tree and returns how it ended: "killed", "exit N", "signal N", "memory" or "processes"."""
        self.wire.close()
        try:
            self.leash.settimeout(seconds)
            self.leash.shutdown(socket.SHUT_WR)
            return self.leash.recv(64).decode("ascii", "replace") or "killed"
        except OSError:
            return "killed"
        finally:
            self.leash.close()


class Sandbox:
    """The boxed worker of one exercise: ``with Sandbox(root, given, limits) as sandbox: session = sandbox.open()``."""

    def __init__(self, root: Path, given: tuple[str, ...], limits: Limits) -> None:
        self.root, self.given, self.limits = root, given, limits

    def __enter__(self) -> "Sandbox":
        self.control, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.log = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                command(self.root, self.given, self.limits, inner.fileno()),
                env={},  # bwrap stays in the box as pid 1: what is in its environment could be read there
                stdin=subprocess.DEVNULL,
                stdout=self.log,
                stderr=self.log,
                pass_fds=[inner.fileno()],
            )
        except BaseException:
            self.control.close()
            self.log.close()
            raise
        finally:
            inner.close()
        self.control.settimeout(START_SECONDS)
        try:
            ready = self.control.recv(64)
        except OSError:
            ready = b""
        if ready != b"ready":
            self.__exit__()
            raise SandboxUnavailable(self.reason or "the worker in the box did not report that it is ready.")
        return self

    def __exit__(self, *exception: object) -> None:
        self.control.close()  # the worker ends when this end is gone, and its children with it
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.seek(0)
        self.reason = self.log.read(4000).decode("utf-8", "replace").strip()
        self.log.close()

    def open(self, seconds: float = 20.0) -> Session:
        """A fresh fork of the warm worker, in namespaces of its own."""
        wire, inner_wire = socket.socketpair()
        leash, inner_leash = socket.socketpair()
        try:
            self.control.settimeout(seconds)
            rights = array.array("i", [inner_wire.fileno(), inner_leash.fileno()])
            self.control.sendmsg([b"fork"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            leash.settimeout(seconds)
            answer = leash.recv(64)
        except OSError as error:
            answer = str(error).encode()
        finally:
            inner_wire.close()
            inner_leash.close()
        if answer != b"open":
            wire.close()
            leash.close()
            raise SandboxUnavailable(f"a fork of the worker did not start: {answer.decode('utf-8', 'replace')}")
        return Session(Wire(wire), leash)


def probe(root: Path) -> list[tuple[str, bool, str]]:
    """Tries each promise of the sandbox for real: (promise, holds, what was seen or how to mend it)."""
    if shutil.which("bwrap") is None:
        return [("bubblewrap is installed", False, str(SandboxUnavailable("the command `bwrap` is not installed.")))]
    found = [("bubblewrap is installed", True, shutil.which("bwrap") or "")]
    start = time.monotonic()
    try:
        with Sandbox(root, (), Limits(total_seconds=30)) as sandbox:
            found.append(("the sandbox starts", True, f"in {time.monotonic() - start:.1f} s, warm with torch"))
            for promise, expression in PROMISES.items():
                session = sandbox.open()
                try:
                    session.wire.send({"op": "run", "cell": "probe", "source": expression}, time.monotonic() + 20)
                    reply = session.wire.receive(time.monotonic() + 20)
                    text = "".join(out.get("text", "") for out in reply["outputs"])
                    found.append((promise, text.startswith("True"), text.strip() or str(reply.get("error"))))
                finally:
                    session.end()
    except SandboxUnavailable as error:
        found.append(("the sandbox starts", False, str(error)))
    return found


PROMISES = {
    "no network": "import socket\nprint([name for _, name in socket.if_nameindex()] == ['lo'])",
    "no files of yours": (
        f"import os\nprint(not any(os.path.exists(p) for p in {[str(Path.home() / '.ssh'), '/etc/passwd']!r}))"
    ),
    "nothing of the answers or the judge": (
        "import os\nfound = [name for top, _, names in os.walk('/course') for name in names]\n"
        "print(sorted(found) == ['__init__.py', '__init__.py', 'answers.py', 'wire.py', 'worker.py'], *found)"
    ),
    "no environment of yours": (
        f"import os\nprint(set(os.environ) <= set({sorted([*ENVIRONMENT, 'PWD'])!r}), *os.environ)"
    ),
    "only its own processes": (
        "import os\ndef seen(pid):\n    try:\n        os.kill(pid, 0)\n    except ProcessLookupError:\n"
        "        return False\n    except PermissionError:\n        return True\n    return True\n"
        "print([pid for pid in range(1, 500) if seen(pid)] == [os.getpid()])"
    ),
    "the given modules are read-only": (
        "try:\n    open('/course/autograder/sandbox/wire.py', 'a')\nexcept OSError as error:\n    print(True, error)"
    ),
    "no privileges, and no way to new ones": (
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "print(libc.unshare(0x10000000) == -1 and libc.mount(b'x', b'/tmp', b'tmpfs', 0, None) == -1)"
    ),
    "memory is limited": (
        "try:\n    x = bytearray(16 * 2**30)\n    print(False)\nexcept MemoryError:\n    print(True)"
    ),
}
