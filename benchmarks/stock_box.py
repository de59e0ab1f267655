"""A sandbox for a whole stock nbgrader, so that attacks on it harm nothing else.

It has no network, its own namespaces, and only the scratch course is writable; a watchdog kills it if it takes too
long, too much memory or too many processes.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil

SECONDS, BYTES, PROCESSES = 300.0, 6 * 2**30, 400
LAUNCHER = """
import socket, subprocess, sys, threading
def serve(listener):
    listener.listen()
    while True:
        connection, _ = listener.accept()
        connection.sendall(b"CANARY-NETWORK")
        connection.close()
for family, address in ((socket.AF_INET, ("127.0.0.1", 45454)), (socket.AF_UNIX, "\\0attack-canary")):
    listener = socket.socket(family)
    listener.bind(address)
    threading.Thread(target=serve, args=(listener,), daemon=True).start()
sys.exit(subprocess.call(sys.argv[1:]))
"""


def box(course: Path, command: list[str]) -> list[str]:
    """The command line that runs ``command`` with the course at /course, isolated from the rest of the machine."""
    line = ["prlimit", f"--as={8 * 2**30}", f"--fsize={512 * 2**20}", "bwrap", "--unshare-all", "--die-with-parent"]
    line += ["--uid", "1000", "--gid", "1000", "--cap-drop", "ALL", "--new-session", "--clearenv"]
    line += ["--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev"]
    for place in ("/bin", "/sbin", "/lib", "/lib64"):
        path = Path(place)
        line += ["--symlink", os.readlink(path), place] if path.is_symlink() else ["--ro-bind-try", place, place]
    line += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache", "--size", str(2**28), "--tmpfs", "/tmp"]
    for place in dict.fromkeys((sys.prefix, sys.base_prefix)):
        line += [] if place.startswith("/usr") else ["--ro-bind", place, place]
    line += ["--bind", str(course), "/course", "--chdir", "/course"]
    environment = {
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        "HOME": "/tmp",
        "USER": "instructor",
        "LANG": "C.UTF-8",
        "PYTHONPATH": "/course",
        "OMP_NUM_THREADS": "1",
        "CANARY": "CANARY-ENVIRONMENT",
    }
    for name, value in environment.items():
        line += ["--setenv", name, value]
    return [*line, sys.executable, "-c", LAUNCHER, *command]


def run(course: Path, command: list[str], seconds: float = SECONDS) -> tuple[str, float]:
    """How it ended ("exit 0", "too long", "too much memory" or "too many processes"), and after how many seconds."""
    start = time.monotonic()
    with open(course / "log.txt", "ab") as log:
        process = subprocess.Popen(box(course, command), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    ended = ""
    try:
        while process.poll() is None and not ended:
            ended = excess(process.pid) or ("too long" if time.monotonic() - start > seconds else "")
            time.sleep(0.4)
    finally:
        process.kill()  # the init process of the namespace: all others end with it
        process.wait()
    return ended or f"exit {process.returncode}", time.monotonic() - start


def excess(root: int) -> str:
    """Which limit the process tree below ``root`` exceeds, or ""; shared pages count in proportion (PSS)."""
    try:
        tree = psutil.Process(root).children(recursive=True)
    except psutil.Error:
        return ""
    if len(tree) > PROCESSES:
        return "too many processes"
    total = 0
    for process in tree:
        try:
            total += process.memory_full_info().pss
        except psutil.Error:
            continue
    return "too much memory" if total > BYTES else ""
