"""The processes below this one, those too whose parents have died."""

import contextlib
import ctypes
import os
import signal
import time

import psutil

PR_SET_CHILD_SUBREAPER = 36
KINDS = {
    "autograder.judging.judge_server": "judge",
    "autograder.sandbox.worker": "sandbox",
}  # word of the command line → kind


def adopt_orphans() -> None:
    """From now on whatever is orphaned below this process becomes its child, where it can be seen."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot adopt orphans")


def below(process: psutil.Process) -> dict[str, list[psutil.Process]]:
    """Kind → the living processes below this one: "judge", "sandbox" or "other"."""
    found: dict[str, list[psutil.Process]] = {"judge": [], "sandbox": [], "other": []}
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in process.children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                if child.status() != psutil.STATUS_ZOMBIE:
                    words = child.cmdline()
                    found[next((kind for word, kind in KINDS.items() if word in words), "other")].append(child)
    return found


def kill(process: psutil.Process) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        process.send_signal(signal.SIGKILL)


def kill_tree(process: psutil.Process) -> None:
    """Everything at once: stopped first, so that nothing is started in between."""
    tree: list[psutil.Process] = [process]
    for one in tree:
        with contextlib.suppress(psutil.NoSuchProcess):
            one.send_signal(signal.SIGSTOP)
            tree += [child for child in one.children() if child not in tree]
    for one in tree:
        kill(one)


def orphans(seconds: float) -> list[str]:
    """The command lines of what is still alive below this process after so many seconds."""
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        alive = [one for kind in below(psutil.Process()).values() for one in kind]
        if not alive or time.monotonic() > deadline:
            return [" ".join(one.cmdline())[:200] for one in alive]
        time.sleep(0.05)
