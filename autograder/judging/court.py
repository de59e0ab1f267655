"""The judge's own process: clean, warm with torch and the checks, it examines one submission after another.

It owns the sandbox of one exercise. Each submission is examined by a fork of its own, so that nothing of one
examination is left to the next. Jobs come as JSON, one a line, and so go the answers.
"""

import contextlib
import ctypes
import functools
import gc
import importlib
import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.judging.ahead import Ahead, Room
from autograder.judging.job import Cell, Job
from autograder.judging.judge import GRACE_SECONDS
from autograder.sandbox.choice import gpu_sandbox
from autograder.sandbox.choice import sandbox as choose
from autograder.sandbox.limits import Limits
from autograder.sandbox.refusal import SandboxUnavailable
from autograder.sandbox.warm import Sandbox

PR_SET_PDEATHSIG = 1
Answer = Callable[[dict[str, str]], None]
FREE, SPOILED = b"f", b"s"  # what an examination says of the box when nothing of the submission is left in it


def read_job(record: dict[str, Any]) -> Job:
    cells = tuple(Cell(**cell) for cell in record["cells"])
    return Job(cells, record["seed"], record["imports"], Limits(**record["limits"]))


def examine(sandbox: Room, job: Job, writing: int) -> None:
    """Writes the answer to one job, its verdict or the fault that kept it from one, and ends this process.

    The answer does not wait for the end of the learner's processes; a byte more comes after it, and says whether the
    box can take another submission.
    """
    from autograder.judging.examination import Examination

    die_with_parent()
    try:
        examination = Examination(sandbox, job)
        try:
            answer = {"verdict": examination.verdict().to_json()}
        except Exception as error:
            answer = {"fault": f"{type(error).__name__}: {error}"}
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(json.dumps(answer).encode() + b"\n")
            pipe.flush()
            examination.hang_up()
            pipe.write(SPOILED if isinstance(sandbox, Ahead) and sandbox.spoiled else FREE)
    finally:
        os._exit(0)


def examine_in_fork(sandbox: Room, job: Job, answer: Answer, before: int) -> tuple[bool, int]:
    """Answers one job, and waits until nothing of the submission is left in the box.

    Returns whether the box can take another, and the examination's process, which takes a moment to vanish: it is
    given as ``before`` with the next job, and buried when that one is at work.
    """
    deadline = time.monotonic() + job.limits.total_seconds + GRACE_SECONDS
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        examine(sandbox, job, writing)
    os.close(writing)
    if isinstance(sandbox, Ahead):
        sandbox.hand_over()
        sandbox.prepare()
    if before:
        os.waitpid(before, 0)
    text = b""
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while b"\n" not in text and select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
            chunk = pipe.read(2**20)
            if not chunk:
                break
            text += chunk
        said, _, box = text.partition(b"\n")
        try:
            answer(json.loads(said))
        except ValueError:
            os.kill(child, signal.SIGKILL)
            answer({"fault": "the examination did not end in time or ended without a word."})
        return (box or pipe.read(1)) == FREE, child


def die_with_parent() -> None:
    """However the parent ends, this process ends with it."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


@functools.cache
def warm_up(imports: str, checks: tuple[str, ...] = ()) -> None:
    """Imports all that every examination would import anew."""
    import torch

    for module in checks:
        with contextlib.suppress(ImportError):  # the check that names it will tell
            importlib.import_module(module)
    torch.set_num_threads(1)
    one = torch.ones((), requires_grad=True)
    one.exp().backward()
    with contextlib.suppress(Exception):  # what cannot be imported, the examinations will tell
        exec(compile(imports, "<imports>", "exec"), {"__name__": "__judge__"})


def main() -> None:
    """Reads one set-up and then one job a line from standard input; answers each with a line."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever prints by mistake must not be taken for an answer

    def answer(record: dict[str, str]) -> None:
        answers.write(json.dumps(record) + "\n")
        answers.flush()

    die_with_parent()
    setup = json.loads(sys.stdin.readline())
    warmth = setup["imports"], tuple(setup["checks"])
    warming = threading.Thread(target=warm_up, args=warmth)  # while the worker in the box gets warm too
    warming.start()
    try:
        make = gpu_sandbox if setup["gpu"] else choose
        with make(setup["sandbox"], Path(setup["root"]), tuple(setup["given"]), Limits(**setup["limits"])) as sandbox:
            warming.join()
            warm_up(*warmth)  # at once, unless the thread failed: then its error is raised here
            gc.freeze()  # a fork that collects garbage would copy the pages of everything that was made before it
            answer({"ready": "yes"})
            room = Ahead(sandbox) if isinstance(sandbox, Sandbox) else sandbox
            free, child = True, 0
            while free and (line := sys.stdin.readline()):
                free, child = examine_in_fork(room, read_job(json.loads(line)), answer, child)
    except SandboxUnavailable as error:
        answer({"unavailable": error.reason})


if __name__ == "__main__":
    main()
    os._exit(0)  # an interpreter that has loaded torch takes half a second to end in order
