"""The judge process: with torch and the checks already imported, it evaluates one submission after another.

It owns the sandbox of one exercise, and forks for each submission, so that evaluations share no state. Jobs and answers
are JSON, one per line.
"""

import contextlib
import functools
import gc
import importlib
import json
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from autograder.assignments.class_tasks import include_tasks
from autograder.finding import Finding
from autograder.judging.check_cell import compiled, define, execute
from autograder.judging.judge_limits import GRACE_SECONDS, bound_process
from autograder.records.job import Cell, Job, Limits
from autograder.records.plain_data import typed
from autograder.records.verdict import Verdict
from autograder.sandbox.confinement import die_with_parent
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.sandboxes import ColdSandbox, Sandbox
from autograder.sandbox.sandboxes import sandbox as choose

ENDLESS = (
    "not graded: what an answer returned kept the grader busy for too long; is it a range or number that is too large?"
)
FORK = multiprocessing.get_context("fork")
FREE, SPOILED = 0, 3  # exit statuses: whether the box can be reused, once the submission's processes are gone

Answer = Callable[[dict[str, str]], None]


def serve(sandbox: ColdSandbox, answer: Answer) -> None:
    """Answers jobs until the input ends or the box is spoiled.

    Jobs sent to a spoiled box get no reply; the caller retries with another judge.
    """
    for number, line in enumerate(iter(sys.stdin.readline, ""), 1):
        job = typed(Job, json.loads(line))
        prepare_checks(job)
        gc.freeze()  # what is prepared only now, too
        forked = ForkedEvaluation(sandbox, job)
        if number == 2:  # saves a fifth of the time of partly wrong submissions; the first one must not wait for it
            prepare_checks(job, "DIAGNOSE")
        answer(forked.answer())
        if not forked.reap():
            break


class ForkedEvaluation:
    """The process that evaluates one job, a fork of this one: call ``answer()``, then ``reap()``."""

    def __init__(self, sandbox: ColdSandbox, job: Job) -> None:
        self.job = job
        self.deadline = time.monotonic() + job.limits.total_seconds + GRACE_SECONDS
        self.pipe, writing = FORK.Pipe(duplex=False)
        self.process = FORK.Process(target=examine, args=(sandbox, job, writing))
        with writing:
            self.process.start()

    def answer(self) -> dict[str, str]:
        """The verdict, also one for answers that made the fork exceed its CPU limit; otherwise a fault of ours."""
        try:
            if self.pipe.poll(max(0.0, self.deadline - time.monotonic())):
                return json.loads(self.pipe.recv_bytes())
        except (EOFError, OSError):
            pass  # it ended in the middle
        self.process.kill()
        self.process.join()
        if self.process.exitcode != -signal.SIGXCPU:
            return {"fault": "the evaluation timed out or ended without a reply."}
        finding = Finding(mistake="stopped", got=ENDLESS)
        verdict = Verdict.without_points("timeout", self.job.seed, self.job.checks, ENDLESS, finding)
        return {"verdict": verdict.to_json()}

    def reap(self) -> bool:
        """Waits until the submission's processes are gone; returns whether the box can take another submission."""
        self.process.join()
        self.pipe.close()
        return self.process.exitcode == FREE


def examine(sandbox: ColdSandbox, job: Job, writing: Connection) -> None:
    """Sends the answer to one job, and ends when the learner's processes have; the status says if the box is free."""
    from autograder.judging.evaluation import Evaluation

    die_with_parent()
    bound_process(job.limits)
    evaluation = Evaluation(sandbox, job)
    try:
        answer: dict[str, Any] = {"verdict": evaluation.verdict().to_json()}
    except Exception as error:
        answer = {"fault": f"{type(error).__name__}: {error}"}
    writing.send_bytes(json.dumps(answer).encode())
    evaluation.close()
    sys.exit(SPOILED if isinstance(sandbox, Sandbox) and sandbox.box.spoiled else FREE)


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
    torch.ones((), requires_grad=True).exp().backward()
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
        include_tasks(root)
        box = choose(setup["sandbox"], root, given, Limits(**setup["limits"]), setup["gpu"])
        box.begin()  # first: importing torch blocks all other threads for a third of a second
        warming.start()
        with box as sandbox:
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
