"""What this machine offers beyond what the sandbox needs."""

import os
import platform
import shutil
import subprocess
from pathlib import Path

from autograder.sandbox.cgroup import VARIABLE, delegated
from autograder.sandbox.containers import IMAGE, IMAGE_VARIABLE


def notes() -> list[tuple[str, str]]:
    """What is available, and what is used instead if it is not."""
    return [("system", system()), ("cgroups", cgroups()), *((name, engine(name)) for name in ("podman", "docker"))]


def system() -> str:
    who = "as root: grading as an ordinary user is safer" if os.geteuid() == 0 else f"as user {os.geteuid()}"
    gpus = len(list(Path("/dev").glob("nvidia[0-9]*")))
    return f"{platform.system()} {platform.release()}, {who}; {f'{gpus} NVIDIA GPUs' if gpus else 'no NVIDIA GPU'}"


def cgroups() -> str:
    """Whether the kernel bounds each submission's memory and processes, or only the supervisor checks them."""
    try:
        place = delegated()
    except OSError as error:
        return str(error)
    if place is not None:
        return f"one for each submission, in {place}"
    return (
        "none is delegated to us (v2, with memory and pids): the supervisor checks ten times a second,\n"
        "so memory is counted, but not bounded in between (see SECURITY.md for what remains open);\n"
        "with systemd: systemd-run --user --scope -p Delegate=yes sh containers/delegated.sh COMMAND\n"
        f"or name one in {VARIABLE}"
    )


def engine(name: str) -> str:
    """Whether a container engine could be used with ``--sandbox``."""
    if shutil.which(name) is None:
        return "not installed (needed for --sandbox " + name + " only)"
    image = os.environ.get(IMAGE_VARIABLE, IMAGE)
    try:
        answer = subprocess.run(
            [name, "image", "inspect", "--format", "{{.Id}}", image], capture_output=True, text=True, timeout=5
        )
    except subprocess.TimeoutExpired:
        return "installed, but does not answer"
    if answer.returncode == 0:
        return f"installed, with the image {image}: --sandbox {name}"
    if "connect" in answer.stderr.lower():
        return "installed, but its daemon is not running"
    return f"installed, without the image {image}: {name} build -t {image} -f containers/Containerfile ."
