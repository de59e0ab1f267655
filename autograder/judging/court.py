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
import pkgutil
import select
import signal
import sys
import threading
import time
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
SPOILED = 1


def read_job(record: dict[str, Any]) -> Job:
    cells = tuple(Cell(**cell) for cell in record["cells"])
    return Job(cells, record["seed"], record["imports"], Limits(**record["limits"]))


def examine(sandbox: Room, job: Job, writing: int) -> None:
    """Writes the answer to one job, its verdict or the fault that kept it from one, and ends this process.

    The answer does not wait for the end of the learner's processes; the end of this process does, and says by its
    status whether the box can take another.
    """
    from autograder.judging.examination import Examination

    die_with_parent()
    code = SPOILED
    try:
        examination = Examination(sandbox, job)
        try:
            answer = {"verdict": examination.verdict().to_json()}
        except Exception as error:
            answer = {"fault": f"{type(error).__name__}: {error}"}
        with os.fdopen(writing, "w") as pipe:
            json.dump(answer, pipe)
        examination.hang_up()
        code = SPOILED if isinstance(sandbox, Ahead) and sandbox.spoiled else 0
    finally:
        os._exit(code)


def examine_in_fork(sandbox: Room, job: Job) -> tuple[dict[str, str], int]:
    """The answer to one job, and the process to wait for."""
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
    chunks: list[bytes] = []
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
            chunk = pipe.read(2**20)
            if not chunk:
                break
            chunks.append(chunk)
        else:
            os.kill(child, signal.SIGKILL)
    try:
        return json.loads(b"".join(chunks)), child
    except ValueError:
        return {"fault": "the examination did not end in time or ended without a word."}, child


def die_with_parent() -> None:
    """However the parent ends, this process ends with it."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


@functools.cache
def warm_up(imports: str) -> None:
    """Imports all that every examination would import anew."""
    import torch

    import autograder.checks
    import autograder.judging.examination

    for module in pkgutil.iter_modules(autograder.checks.__path__):
        importlib.import_module(f"autograder.checks.{module.name}")
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
    warming = threading.Thread(target=warm_up, args=[setup["imports"]])  # while the worker in the box gets warm too
    warming.start()
    try:
        make = gpu_sandbox if setup["gpu"] else choose
        with make(setup["sandbox"], Path(setup["root"]), tuple(setup["given"]), Limits(**setup["limits"])) as sandbox:
            warming.join()
            warm_up(setup["imports"])  # at once, unless the thread failed: then its error is raised here
            gc.freeze()  # a fork that collects garbage would copy the pages of everything that was made before it
            answer({"ready": "yes"})
            room = Ahead(sandbox) if isinstance(sandbox, Sandbox) else sandbox
            for line in sys.stdin:
                said, child = examine_in_fork(room, read_job(json.loads(line)))
                answer(said)
                if os.waitpid(child, 0)[1]:  # killed, or it has found the box to be of no further use
                    break
    except SandboxUnavailable as error:
        answer({"unavailable": error.reason})


if __name__ == "__main__":
    main()
    os._exit(0)  # an interpreter that has loaded torch takes half a second to end in order
