"""The caller's side of a judge: starts its process (:mod:`autograder.judging.judge_server`), sends jobs, and ends it.

Nothing here imports torch, so that processes that only wait for verdicts need not load it.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.finding import Finding
from autograder.records.job import Job
from autograder.records.limits import Limits
from autograder.records.verdict import Verdict
from autograder.sandbox.errors import KILLED, SandboxUnavailable
from autograder.sandbox.option import chosen

# Environment variables that the judge process, and a container engine that it starts, need.
PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "XDG_RUNTIME_DIR", "AUTOGRADER_", "DOCKER_", "CONTAINER")
# After a submission's own limit, before the evaluation itself counts as lost; autograder.judging.time_budget may
# grant half of it to the submission.
GRACE_SECONDS = 120.0
FAILED = Finding(mistake="infrastructure", got="the grader failed; this will be graded again.")


class Judge:
    """``with Judge(given, root) as judge: verdict = judge.run(job)``: one exercise, one sandbox, many submissions."""

    def __init__(
        self,
        given: tuple[str, ...],
        root: Path,
        limits: Limits | None = None,
        gpu: bool = False,
        imports: str = "",
        checks: tuple[str, ...] = (),
        slow_imports: tuple[str, ...] = (),
    ) -> None:
        """``imports``: the instructor's; ``checks``: the modules of the checks; ``slow_imports``: what answers import.

        All are imported while the judge warms up, so that no evaluation has to.
        """
        self.limits = limits or Limits()
        self.setup = {"given": given, "root": str(root), "limits": asdict(self.limits), "gpu": gpu}
        self.setup |= {"imports": imports, "checks": checks, "slow_imports": slow_imports}
        self.process: subprocess.Popen[str] | None = None
        self.killed = False

    def __enter__(self) -> "Judge":
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def start(self) -> None:
        """Starts the process and waits until its sandbox is warm; raises SandboxUnavailable if it cannot be started."""
        package = Path(__file__).resolve().parents[2]
        environment = {key: value for key, value in os.environ.items() if key.startswith(PASSED_ON)}
        environment |= {"PYTHONPATH": str(package), "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
        environment |= {"MALLOC_ARENA_MAX": "1"}  # what a thread imports shares one arena with the rest
        setup = self.setup | {"sandbox": chosen()}
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
            self.stop()
            if "unavailable" in answer:
                raise SandboxUnavailable(answer["unavailable"])
            ended = self.process.returncode
            by = signal.Signals(-ended).name if ended < 0 else f"with exit status {ended}"
            raise SandboxUnavailable(f"the judge's own process was ended while it started ({by}).", KILLED)

    def stop(self) -> None:
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
