"""How to mend what keeps the sandbox from starting, or one of its promises from being kept, on this machine."""

import sys
from pathlib import Path

from autograder.sandbox.refusal import REMEDY

APPARMOR = """\
Ubuntu's AppArmor forbids user namespaces: allow them for bwrap alone,
  sudo install -m 644 containers/bwrap.apparmor /etc/apparmor.d/bwrap
  sudo apparmor_parser -r /etc/apparmor.d/bwrap
or for every program: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"""
NO_NAMESPACES = "This kernel gives no user namespaces: sudo sysctl user.max_user_namespaces=15000"
NO_CLONE = "Debian's switch forbids user namespaces: sudo sysctl kernel.unprivileged_userns_clone=1"
NESTED = """\
This is a container that allows no namespaces inside. Start it with these, as containers/README.md tells:
  docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined \\
             --security-opt apparmor=unconfined …
  podman run --security-opt seccomp=unconfined --security-opt unmask=ALL …"""
NOT_LINUX = "bubblewrap needs Linux: run the whole grader in a Linux container, as containers/README.md tells."
INSTALL = "sudo apt-get install bubblewrap      (Fedora: sudo dnf install bubblewrap; Arch: sudo pacman -S bubblewrap)"
IMAGE = "Build the image: {name} build -t localhost/autograder -f containers/Containerfile ."
ENGINE = "Install {name}, or choose another: --sandbox bubblewrap | podman | docker."
DAEMON = "Start docker's daemon (sudo systemctl start docker; rootless: systemctl --user start docker), or use podman."
OLD = (
    "bubblewrap is older than 0.8 and knows no --disable-userns: take it from a newer release, or use --sandbox podman."
)
REPORT = (
    "A sandbox that breaks a promise is not used: grade on another machine, or in a container (containers/README.md).\n"
    "What was seen above says which part of the kernel or of the container around us is at fault."
)


def switch(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii").strip()
    except OSError:
        return ""


def remedy(promise: str, seen: str, name: str) -> str:
    """What to do about a promise that is broken, given what was seen and the sandbox's name."""
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
