"""The caller's side of a judge: starts its process (:mod:`autograder.judging.judge_server`), sends jobs, and ends it.

After a fault that is not the learner's it tries again with another judge.

Nothing here imports torch, so that processes that only wait for verdicts need not load it.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.assignments.assignment import Assignment
from autograder.finding import Finding
from autograder.judging.judge_limits import GRACE_SECONDS
from autograder.records.job import Job, Limits
from autograder.records.verdict import Verdict
from autograder.sandbox.box import PAGES
from autograder.sandbox.errors import KILLED, SandboxUnavailable
from autograder.sandbox.sandboxes import chosen
from autograder.submissions.submission import Submission

# Environment variables that the judge process, and a container engine that it starts, need.
PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "XDG_RUNTIME_DIR", "AUTOGRADER_", "DOCKER_", "CONTAINER")
ATTEMPTS = 3  # for infrastructure faults only
PATIENCE = 6  # attempts at starting a judge that something outside ends while it starts
PAUSE_SECONDS = 0.5  # before the second attempt, twice that before the third: memory may be free again by then
FAILED = Finding(mistake="infrastructure", got="the grader failed; this will be graded again.")


@dataclass(eq=False)
class Judge:
    """``with Judge(given, root) as judge: verdict = judge.run(job)``: one exercise, one sandbox, many submissions.

    What the last three fields name is imported while the judge warms up, so that no evaluation has to.
    """

    given: tuple[str, ...]
    root: Path
    limits: Limits = field(default_factory=Limits)
    gpu: bool = False
    imports: str = ""  # the instructor's
    checks: tuple[str, ...] = ()  # the modules of the checks
    slow_imports: tuple[str, ...] = ()  # what answers import

    def __post_init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None
        self.killed = False

    def __enter__(self) -> "Judge":
        """Starts the process and waits until its sandbox is warm; raises SandboxUnavailable if it cannot be started."""
        package = Path(__file__).resolve().parents[2]
        environment = {key: value for key, value in os.environ.items() if key.startswith(PASSED_ON)}
        environment |= {"PYTHONPATH": str(package), "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
        environment |= {"MALLOC_ARENA_MAX": "1", **PAGES}  # what a thread imports shares one arena with the rest
        setup = asdict(self) | {"root": str(self.root), "sandbox": chosen()}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "autograder.judging.judge_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
            process_group=0,  # Ctrl-C goes to the grading process, which then ends this one
        )
        if self.killed:
            self.kill()
        answer = self.ask(setup, 120)
        if "ready" not in answer:
            self.__exit__()
            if "unavailable" in answer:
                raise SandboxUnavailable(answer["unavailable"], answer["remedy"])
            ended = self.process.returncode
            by = signal.Signals(-ended).name if ended < 0 else f"with exit status {ended}"
            raise SandboxUnavailable(f"the judge's own process was ended while it started ({by}).", KILLED)
        return self

    def __exit__(self, *exception: object) -> None:
        assert self.process is not None
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # unsent data for a process that is gone
                    pipe.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def kill(self) -> None:
        """Ends the process and its evaluations at once and permanently, from any thread. The sandbox dies with them."""
        self.killed = True
        if self.process is not None and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def run(self, job: Job) -> Verdict:
        """Evaluates one submission. Status "infrastructure" means a fault of ours: retry with a new judge."""
        answer = self.ask(asdict(job), job.limits.total_seconds + 2 * GRACE_SECONDS)
        if "verdict" in answer:
            return Verdict.from_json(answer["verdict"])
        if not answer and self.process is not None:
            self.process.kill()  # a late reply must not be taken for the answer to another job
        reason = answer.get("fault", "the judge's process ended.")
        note = f"the grader failed: {reason}"
        return Verdict.without_points("infrastructure", job.seed, job.checks, note, FAILED)

    def ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Sends one line and reads one line back; an empty dictionary if no reply comes in time."""
        assert self.process is not None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except OSError:
            return {}
        readable, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline() if readable else ""
        return json.loads(line) if line.endswith("\n") else {}


JudgeMaker = Callable[[Assignment, Path], Judge]


def make_judge(assignment: Assignment, root: Path) -> Judge:
    """A judge for the assignment, not yet started; starting it may raise SandboxUnavailable."""
    return Judge(
        assignment.given,
        root,
        gpu=assignment.gpu,
        imports=assignment.imports,
        checks=assignment.check_modules,
        slow_imports=assignment.slow_imports,
    )


class Dismissed(Exception):
    """The judge was killed; there is no verdict."""


class RetryingJudge:
    """A judge that is started once, serves many submissions, and is replaced after an infrastructure fault."""

    def __init__(self, assignment: Assignment, root: Path, maker: JudgeMaker = make_judge) -> None:
        self.assignment, self.root, self.maker = assignment, root, maker
        self.judge: Judge | None = None
        self.killed = False

    def __enter__(self) -> "RetryingJudge":
        for attempt in range(1, PATIENCE + 1):
            if self.killed:
                raise Dismissed
            time.sleep(PAUSE_SECONDS * (attempt - 1))
            self.judge = self.maker(self.assignment, self.root)
            try:
                self.judge.__enter__()
                break
            except BaseException as error:
                self.judge = None
                if not isinstance(error, SandboxUnavailable):
                    raise
                if attempt >= (PATIENCE if error.remedy == KILLED else ATTEMPTS):
                    raise  # otherwise it may have been killed while starting, for lack of memory
        if self.killed:  # while it started
            self.kill()
            raise Dismissed
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        judge, self.judge = self.judge, None
        if judge is not None:
            judge.__exit__(None, None, None)

    def kill(self) -> None:
        """Ends the judge and its running job at once and permanently, from any thread."""
        self.killed = True
        if (judge := self.judge) is not None:
            judge.kill()

    def verdict(self, submission: Submission, seed: int, hidden: bool = True) -> Verdict:
        """The verdict on one submission; its notes include repairs."""
        if submission.unreadable:
            return submission.unreadable_verdict(seed)
        job = submission.job(seed, hidden)
        for attempt in range(ATTEMPTS):
            if attempt or self.judge is None:
                self.close()
                self.__enter__()
            assert self.judge is not None
            verdict = self.judge.run(job)
            if self.killed:
                raise Dismissed
            if verdict.status != "infrastructure":
                break
        return replace(verdict, notes=[*submission.notes, *verdict.notes])
