"""The processes below this one, those too whose parents have died."""

import contextlib
import ctypes
import os
import signal
import time

import psutil

PR_SET_CHILD_SUBREAPER = 36
MODULES = {"judge": "autograder.judging.judge_server", "sandbox": "autograder.sandbox.answers"}


def adopt_orphans() -> None:
    """From now on whatever is orphaned below this process becomes its child, where it can be seen."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot adopt orphans")


def below(process: psutil.Process, kind: str = "") -> list[psutil.Process]:
    """The living processes below this one, or those of a kind: "judge" or "sandbox"."""
    living = []
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in process.children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                if child.status() != psutil.STATUS_ZOMBIE and (not kind or MODULES[kind] in child.cmdline()):
                    living.append(child)
    return living


def kill(process: psutil.Process) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        process.send_signal(signal.SIGKILL)


def kill_tree(process: psutil.Process) -> None:
    """Everything at once: stopped first, so that nothing is started in between."""
    tree = [process]
    for member in tree:
        with contextlib.suppress(psutil.NoSuchProcess):
            member.send_signal(signal.SIGSTOP)
            tree += [child for child in member.children() if child not in tree]
    for member in tree:
        kill(member)


def orphans(seconds: float) -> list[str]:
    """The command lines of what is still alive below this process after so many seconds."""
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        alive = below(psutil.Process())
        if not alive or time.monotonic() > deadline:
            return [" ".join(process.cmdline())[:200] for process in alive]
        time.sleep(0.05)
