"""The box made by bubblewrap: read-only interpreter and libraries, a few modules, and nothing else of this machine."""

import json
import os
import shutil
import sys
import sysconfig
from dataclasses import asdict
from pathlib import Path

from autograder.sandbox.contents import ENVIRONMENT, modules
from autograder.sandbox.limits import Limits
from autograder.sandbox.refusal import SandboxUnavailable

VENV = "/venv"


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
    for module, source in modules(root, given).items():
        box += ["--ro-bind", str(source), f"/course/{module}"]
    for name, value in ENVIRONMENT.items():
        box += ["--setenv", name, value]
    # What one submission could write, the next could read: only /tmp stays writable, and each gets its own.
    box += ["--remount-ro", "/course", "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/course"]
    return [*box, python, "-s", "-m", "autograder.sandbox.worker", str(control), json.dumps(asdict(limits))]
