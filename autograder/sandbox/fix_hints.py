"""How to fix what stops the sandbox from starting, or breaks one of its promises, on this machine."""

import sys
from pathlib import Path

from autograder.sandbox.errors import REMEDY

APPARMOR = """\
Ubuntu's AppArmor forbids user namespaces: allow them for bwrap alone,
  sudo install -m 644 containers/bwrap.apparmor /etc/apparmor.d/bwrap
  sudo apparmor_parser -r /etc/apparmor.d/bwrap
or for every program: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"""
NO_NAMESPACES = "User namespaces are disabled in this kernel: sudo sysctl user.max_user_namespaces=15000"
NO_CLONE = "A Debian kernel setting forbids user namespaces: sudo sysctl kernel.unprivileged_userns_clone=1"
NESTED = """\
This container allows no namespaces inside. Start it with these options (see containers/README.md).
  docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined \\
             --security-opt apparmor=unconfined …
  podman run --security-opt seccomp=unconfined --security-opt unmask=ALL …"""
NOT_LINUX = "bubblewrap needs Linux: run the whole grader in a Linux container (see containers/README.md)."
INSTALL = "sudo apt-get install bubblewrap      (Fedora: sudo dnf install bubblewrap; Arch: sudo pacman -S bubblewrap)"
IMAGE = "Build the image: {name} build -t localhost/autograder -f containers/Containerfile ."
ENGINE = "Install {name}, or choose another: --sandbox bubblewrap | podman | docker."
DAEMON = "Start docker's daemon (sudo systemctl start docker; rootless: systemctl --user start docker), or use podman."
OLD = "bubblewrap is older than 0.8 and lacks --disable-userns: install a newer release, or use --sandbox podman."
REPORT = (
    "A sandbox that breaks a promise is not used: grade on another machine, or in a container (containers/README.md).\n"
    "The output above shows which part of the kernel or of the surrounding container is at fault."
)


def switch(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii").strip()
    except OSError:
        return ""


def remedy(promise: str, seen: str, name: str) -> str:
    """How to fix a broken promise, given what was seen and the sandbox's name."""
    if promise != "the sandbox starts":
        return REPORT
    said = seen.lower()
    if name != "bubblewrap":
        if "not installed" in said:
            return ENGINE.format(name=name.removesuffix("-cold"))
        if "image" in said:
            return IMAGE.format(name=name.removesuffix("-cold"))
        return DAEMON if "daemon" in said else REPORT
    if sys.platform != "linux":
        return NOT_LINUX
    if "not installed" in said:
        return INSTALL
    if "disable-userns" in said:
        return OLD
    if switch("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
        return APPARMOR
    if switch("/proc/sys/user/max_user_namespaces") == "0":
        return NO_NAMESPACES
    if switch("/proc/sys/kernel/unprivileged_userns_clone") == "0":
        return NO_CLONE
    if any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv")):
        return NESTED
    return REMEDY
