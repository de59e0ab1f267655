"""This machine: what it offers beyond what the sandbox needs, and how to fix what stops or weakens the sandbox."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from autograder.folders import COURSE, PACKAGES
from autograder.sandbox.cgroup import VARIABLE, delegated
from autograder.sandbox.containers import IMAGE, IMAGE_VARIABLE
from autograder.sandbox.errors import REMEDY
from autograder.sandbox.sandboxes import ALONE

START = "the sandbox starts"
CONTAINERS = "containers" if COURSE == PACKAGES else str(COURSE / "containers")
APPARMOR = f"""\
Ubuntu's AppArmor forbids user namespaces: allow them for bwrap alone,
  sudo install -m 644 {CONTAINERS}/bwrap.apparmor /etc/apparmor.d/bwrap
  sudo apparmor_parser -r /etc/apparmor.d/bwrap
or for every program: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"""
NO_NAMESPACES = "User namespaces are disabled in this kernel: sudo sysctl user.max_user_namespaces=15000"
NO_CLONE = "A Debian kernel setting forbids user namespaces: sudo sysctl kernel.unprivileged_userns_clone=1"
SWITCHES = (  # of the kernel, each with a value that forbids user namespaces, and the remedy
    ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", APPARMOR),
    ("/proc/sys/user/max_user_namespaces", "0", NO_NAMESPACES),
    ("/proc/sys/kernel/unprivileged_userns_clone", "0", NO_CLONE),
)
NESTED = """\
This container allows no namespaces inside. Start it with these options (see containers/README.md).
  docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined \\
             --security-opt apparmor=unconfined …
  podman run --security-opt seccomp=unconfined --security-opt unmask=ALL …"""
NOT_LINUX = "bubblewrap needs Linux: run the whole grader in a Linux container (see containers/README.md)."
INSTALL = "sudo apt-get install bubblewrap      (Fedora: sudo dnf install bubblewrap; Arch: sudo pacman -S bubblewrap)"
BUILD = "Build the image: {name} build -t localhost/autograder -f containers/Containerfile ."
ENGINE = "Install {name}, or choose another: --sandbox bubblewrap | podman | docker."
DAEMON = "Start docker's daemon (sudo systemctl start docker; rootless: systemctl --user start docker), or use podman."
OLD = "bubblewrap is older than 0.8 and lacks --disable-userns: install a newer release, or use --sandbox podman."
NOT_ALONE = (
    "account is for one submission in a container that is then thrown away, such as Gradescope's: of a class, one "
    "learner's code would find what another's has left."
)
ELSEWHERE = "Choose --sandbox bubblewrap, podman or docker."
REPORT = (
    "A sandbox that breaks a promise is not used: grade on another machine, or in a container (containers/README.md).\n"
    "The output above shows which part of the kernel or of the surrounding container is at fault."
)


def switch(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii").strip()
    except OSError:
        return ""


def remedy(promise: str, observed: str, name: str) -> str:
    """How to fix a broken promise, given what was observed and the sandbox's name."""
    if promise != START:
        return REPORT
    if name in ALONE:
        return f"{NOT_ALONE} {ELSEWHERE}"
    symptom = observed.lower()
    if name != "bubblewrap":
        cures = {"not installed": ENGINE, "image": BUILD, "daemon": DAEMON}
        cure = next((text for word, text in cures.items() if word in symptom), REPORT)
        return cure.format(name=name.removesuffix("-cold"))
    if sys.platform != "linux":
        return NOT_LINUX
    if "not installed" in symptom:
        return INSTALL
    if "disable-userns" in symptom:
        return OLD
    for path, value, cure in SWITCHES:
        if switch(path) == value:
            return cure
    if any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv")):
        return NESTED
    return REMEDY


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
        parent = delegated()
    except OSError as error:
        return str(error)
    if parent is not None:
        return f"one for each submission, in {parent}"
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
