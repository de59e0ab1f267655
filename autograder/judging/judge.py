"""The judge: a clean process, warm with torch and the checks, that examines one submission after another.

It owns the sandbox of one exercise. Each submission is examined by a fork of its own, so that nothing of one
examination is left to the next. ``Judge`` is the caller's side; ``python -m autograder.judging.judge`` is the process.
Both speak JSON over pipes.
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
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.judging.job import Cell, Job
from autograder.judging.verdict import CheckVerdict, Verdict
from autograder.sandbox.choice import gpu_sandbox
from autograder.sandbox.choice import sandbox as choose
from autograder.sandbox.limits import Limits
from autograder.sandbox.names import chosen
from autograder.sandbox.refusal import SandboxUnavailable
from autograder.sandbox.warm import Sandbox

PR_SET_PDEATHSIG = 1
# What the judge, and a container engine that it starts, need to know of where they are.
PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "XDG_RUNTIME_DIR", "AUTOGRADER_", "DOCKER_", "CONTAINER")
GRACE_SECONDS = 60.0  # beyond a submission's own limit, before the examination itself counts as lost


class Judge:
    """``with Judge(given, root) as judge: verdict = judge.run(job)``; one exercise, one sandbox, many submissions."""

    def __init__(self, given: tuple[str, ...], root: Path, limits: Limits | None = None, gpu: bool = False) -> None:
        self.given, self.root, self.limits, self.gpu = tuple(given), Path(root), limits or Limits(), gpu
        self.process: subprocess.Popen[str] | None = None
        self.killed = False

    def __enter__(self) -> "Judge":
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def start(self) -> None:
        """Starts the process and waits until its sandbox is warm; raises SandboxUnavailable where it cannot be."""
        package = Path(__file__).resolve().parents[2]
        environment = {key: value for key, value in os.environ.items() if key.startswith(PASSED_ON)}
        environment |= {"PYTHONPATH": str(package), "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
        setup = {"given": self.given, "root": str(self.root), "limits": asdict(self.limits), "gpu": self.gpu}
        setup["sandbox"] = chosen()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "autograder.judging.judge"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
            process_group=0,  # Ctrl-C is for the process that grades, which then ends this one
        )
        if self.killed:
            self.kill()
        answer = self.ask(setup, 120)
        if "ready" not in answer:
            self.stop()
            raise SandboxUnavailable(answer.get("unavailable", "the judge's own process did not start."))

    def stop(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # what was still to be said to a process that is gone
                    pipe.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def kill(self) -> None:
        """Ends the process and its examinations at once, for good; from any thread. The sandbox dies with them."""
        self.killed = True
        if self.process is not None and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def run(self, job: Job) -> Verdict:
        """Examines one submission. A fault of ours gives a verdict of status "infrastructure": try a fresh judge."""
        answer = self.ask(asdict(job), job.limits.total_seconds + 2 * GRACE_SECONDS)
        if "verdict" in answer:
            return Verdict.from_json(answer["verdict"])
        if not answer:
            self.process.kill()  # what it says later must not be taken for the answer to something else
        reason = answer.get("fault", "the judge's process ended.")
        checks = [
            CheckVerdict(cell.name, 0.0, cell.max_points, "not run", "the grader failed; this will be graded again.")
            for cell in job.cells
            if cell.kind == "check"
        ]
        return Verdict("infrastructure", job.seed, checks, [], [f"the grader failed: {reason}"])

    def ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        """One line there, one line back; an empty answer if there is none in time."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except OSError:
            return {}
        readable, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline() if readable else ""
        return json.loads(line) if line else {}


def read_job(record: dict[str, Any]) -> Job:
    cells = tuple(Cell(**cell) for cell in record["cells"])
    return Job(cells, record["seed"], record["imports"], Limits(**record["limits"]))


def examine_in_fork(sandbox: Sandbox, job: Job) -> dict[str, str]:
    """The answer to one job: its verdict, or the fault that kept it from one."""
    from autograder.judging.examination import Examination

    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        die_with_parent()
        code = 1
        try:
            os.close(reading)
            try:
                answer = {"verdict": Examination(sandbox, job).verdict().to_json()}
            except Exception as error:
                answer = {"fault": f"{type(error).__name__}: {error}"}
            with os.fdopen(writing, "w") as pipe:
                json.dump(answer, pipe)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    deadline = time.monotonic() + job.limits.total_seconds + GRACE_SECONDS
    chunks: list[bytes] = []
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
            chunk = pipe.read(2**20)
            if not chunk:
                break
            chunks.append(chunk)
        else:
            os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    try:
        return json.loads(b"".join(chunks))
    except ValueError:
        return {"fault": "the examination did not end in time or ended without a word."}


def die_with_parent() -> None:
    """However the parent ends, this process ends with it."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def warm_up() -> None:
    """Imports all that every examination would import anew."""
    import torch

    import autograder.checks
    import autograder.judging.examination

    for module in pkgutil.iter_modules(autograder.checks.__path__):
        importlib.import_module(f"autograder.checks.{module.name}")
    torch.set_num_threads(1)
    one = torch.ones((), requires_grad=True)
    torch.autograd.grad(one.exp(), one)  # the first imports 486 modules: once here, not in every examination's fork
    torch.testing.assert_close(one, one)


@functools.cache
def import_once(imports: str) -> None:
    """Runs the instructor's imports here, so that the forks find them done; what cannot be imported they will tell."""
    with contextlib.suppress(Exception):
        exec(compile(imports, "<imports>", "exec"), {"__name__": "__judge__"})
    gc.collect()
    gc.freeze()


def main() -> None:
    """Reads one set-up and then one job a line from standard input; answers each with a line."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever prints by mistake must not be taken for an answer

    def answer(record: dict[str, str]) -> None:
        answers.write(json.dumps(record) + "\n")
        answers.flush()

    die_with_parent()
    setup = json.loads(sys.stdin.readline())
    warming = threading.Thread(target=warm_up)  # while the worker in the box gets warm too
    warming.start()
    try:
        make = gpu_sandbox if setup["gpu"] else choose
        with make(setup["sandbox"], Path(setup["root"]), tuple(setup["given"]), Limits(**setup["limits"])) as sandbox:
            warming.join()
            warm_up()  # at once, unless the thread failed: then its error is raised here
            answer({"ready": "yes"})
            for line in sys.stdin:
                job = read_job(json.loads(line))
                import_once(job.imports)
                answer(examine_in_fork(sandbox, job))
    except SandboxUnavailable as error:
        answer({"unavailable": error.reason})


if __name__ == "__main__":
    main()
    os._exit(0)  # an interpreter that has loaded torch takes half a second to end in order
