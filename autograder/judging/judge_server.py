"""The judge process: with torch and the checks already imported, it evaluates one submission after another.

It owns the sandbox of one exercise and forks for each submission (:mod:`autograder.judging.forked_evaluation`). Jobs
and answers are JSON, one per line.
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

from autograder.judging.check_cell import compiled, define, execute
from autograder.judging.forked_evaluation import ForkedEvaluation
from autograder.records.job import Cell, Job, Limits
from autograder.sandbox.confinement import die_with_parent
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.sandboxes import ColdSandbox, Sandbox
from autograder.sandbox.sandboxes import sandbox as choose

Answer = Callable[[dict[str, str]], None]


def read_job(record: dict[str, Any]) -> Job:
    cells = tuple(Cell(**cell) for cell in record["cells"])
    return Job(cells, record["seed"], record["imports"], Limits(**record["limits"]))


def serve(sandbox: ColdSandbox, answer: Answer) -> None:
    """Answers jobs until the input ends or the box is spoiled.

    Jobs sent to a spoiled box get no reply; the caller retries with another judge.
    """
    for number, line in enumerate(iter(sys.stdin.readline, ""), 1):
        job = read_job(json.loads(line))
        prepare_checks(job)
        forked = ForkedEvaluation(sandbox, job)
        if number == 2:  # saves a fifth of the time of partly wrong submissions; the first one must not wait for it
            prepare_checks(job, "DIAGNOSE")
        answer(forked.answer())
        if not forked.reap():
            break


def prepare_checks(job: Job, what: str = "ACCEPT") -> None:
    """Compiles checks before forking, and computes what they compare with: it is the same for this seed's submissions.

    What a check raises here is raised again, and reported, when it is run.
    """
    for cell in job.cells:
        if cell.kind == "check":
            with contextlib.suppress(Exception):
                compiled(cell.source)
                if "autograder.tasks" in cell.source:
                    prepare_check(cell, job.seed, what)


@functools.lru_cache(maxsize=1024)
def prepare_check(cell: Cell, seed: int, what: str) -> None:
    """``what``: the name of a member of :class:`autograder.checking.trial.Prepare`."""
    from autograder.checking import draw
    from autograder.checking.trial import Prepare

    draw.seed = seed
    with contextlib.suppress(Exception), contextlib.redirect_stdout(None):  # suppress: cached after an error, too
        execute(cell, {}, dict.fromkeys(compiled(cell.source).names, Prepare[what]))


@functools.cache
def warm_up(imports: str, checks: tuple[str, ...] = ()) -> None:
    """Imports what every evaluation would otherwise import again."""
    import torch

    importlib.import_module("autograder.judging.evaluation")  # needs torch: import torch first
    for module in checks:
        with contextlib.suppress(ImportError):  # reported by the check that uses it
            importlib.import_module(module)
    torch.set_num_threads(1)
    one = torch.ones((), requires_grad=True)
    one.exp().backward()
    with contextlib.suppress(Exception):  # reported by the evaluations
        define(imports, {"__name__": "__judge__"})


def main() -> None:
    """Reads the set-up and then jobs, one per line, from standard input; answers each with a line."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # stray prints must not be taken for answers

    def answer(record: dict[str, str]) -> None:
        answers.write(json.dumps(record) + "\n")
        answers.flush()

    die_with_parent()
    setup = json.loads(sys.stdin.readline())
    warm_up_arguments = setup["imports"], tuple(setup["checks"])
    warming = threading.Thread(target=warm_up, args=warm_up_arguments)  # in parallel with the worker in the box
    try:
        root, given = Path(setup["root"]), tuple(setup["given"])
        made = choose(setup["sandbox"], root, given, Limits(**setup["limits"]), setup["gpu"])
        made.begin()  # first: importing torch blocks all other threads for a third of a second
        warming.start()
        with made as sandbox:
            if isinstance(sandbox, Sandbox):
                sandbox.make_imports(setup["slow_imports"])
            warming.join()
            warm_up(*warm_up_arguments)  # returns at once, unless the thread failed: then its error is raised here
            gc.freeze()  # else garbage collection in a fork would copy the pages of all earlier objects
            answer({"ready": "yes"})
            serve(sandbox, answer)
    except SandboxUnavailable as error:
        answer({"unavailable": error.reason, "remedy": error.remedy})


if __name__ == "__main__":
    main()
    os._exit(0)  # a normal exit takes half a second once torch is loaded
