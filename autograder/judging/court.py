"""The judge's own process: clean, warm with torch and the checks, it examines one submission after another.

It owns the sandbox of one exercise. Each submission is examined by a fork of its own
(:mod:`autograder.judging.examiner`). Jobs come as JSON, one a line, and so go the answers.
"""

import contextlib
import functools
import gc
import importlib
import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.judging.ahead import Ahead, Room
from autograder.judging.check_cell import compiled, define, execute
from autograder.judging.examiner import Examiner
from autograder.judging.job import Cell, Job
from autograder.sandbox.choice import gpu_sandbox
from autograder.sandbox.choice import sandbox as choose
from autograder.sandbox.confinement import die_with_parent
from autograder.sandbox.limits import Limits
from autograder.sandbox.refusal import SandboxUnavailable
from autograder.sandbox.warm import Sandbox

Answer = Callable[[dict[str, str]], None]


def read_job(record: dict[str, Any]) -> Job:
    cells = tuple(Cell(**cell) for cell in record["cells"])
    return Job(cells, record["seed"], record["imports"], Limits(**record["limits"]))


def serve(room: Room, answer: Answer) -> None:
    """Answers the jobs that come, until no more do or the box can take none.

    A job that has come to such a box is left without an answer: who asks gets another judge for it.
    """
    before: Examiner | None = None
    for number, line in enumerate(iter(sys.stdin.readline, ""), 1):
        job = read_job(json.loads(line))
        compile_checks(job)
        prepare_checks(job)
        examiner = Examiner(room, job)
        if before is not None and not before.free():
            examiner.dismiss()
            break
        examiner.begin()
        if isinstance(room, Ahead):
            room.hand_over()
            room.prepare()
        if before is not None:
            before.bury()
        before = examiner
        if number == 2:  # half-wrong ones take a fifth less for it; the first of all must not wait
            prepare_checks(job, "DIAGNOSE")
        answer(examiner.answer())
    if before is not None:
        before.bury()


def compile_checks(job: Job) -> None:
    """Here, so that each is compiled once; its forks find it done."""
    for cell in job.cells:
        if cell.kind == "check":
            with contextlib.suppress(Exception):  # raised again, and told, where the check is examined
                compiled(cell.source)


def prepare_checks(job: Job, what: str = "ACCEPT") -> None:
    """Here too: what the checks of tasks compare with, which is the same for every submission of this seed."""
    for cell in job.cells:
        if cell.kind == "check" and "autograder.tasks" in cell.source:
            prepare_check(cell, job.seed, what)


@functools.lru_cache(maxsize=1024)
def prepare_check(cell: Cell, seed: int, what: str) -> None:
    """``what`` is the name of one of :class:`autograder.checking.playing.Prepare`."""
    from autograder.checking.playing import Prepare
    from autograder.expect import set_seed

    set_seed(seed)
    with contextlib.suppress(Exception), contextlib.redirect_stdout(None):
        execute(cell, {}, dict.fromkeys(compiled(cell.source).names, Prepare[what]))


@functools.cache
def warm_up(imports: str, checks: tuple[str, ...] = ()) -> None:
    """Imports all that every examination would import anew."""
    import torch

    importlib.import_module("autograder.judging.examination")  # torch is what it needs, and so not sooner
    for module in checks:
        with contextlib.suppress(ImportError):  # the check that names it will tell
            importlib.import_module(module)
    torch.set_num_threads(1)
    one = torch.ones((), requires_grad=True)
    one.exp().backward()
    with contextlib.suppress(Exception):  # what cannot be imported, the examinations will tell
        define(imports, {"__name__": "__judge__"})


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
    try:
        make = gpu_sandbox if setup["gpu"] else choose
        made = make(setup["sandbox"], Path(setup["root"]), tuple(setup["given"]), Limits(**setup["limits"]))
        made.begin()  # first: for a third of a second, loading torch lets no other thread run
        warming.start()
        with made as sandbox:
            if isinstance(sandbox, Sandbox):
                sandbox.make_imports(setup["slow_imports"])
            warming.join()
            warm_up(*warmth)  # at once, unless the thread failed: then its error is raised here
            gc.freeze()  # a fork that collects garbage would copy the pages of everything that was made before it
            answer({"ready": "yes"})
            room = Ahead(sandbox) if isinstance(sandbox, Sandbox) else sandbox
            serve(room, answer)
            if isinstance(room, Ahead):
                room.close()
    except SandboxUnavailable as error:
        answer({"unavailable": error.reason})


if __name__ == "__main__":
    main()
    os._exit(0)  # an interpreter that has loaded torch takes half a second to end in order
