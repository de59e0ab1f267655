"""The process that evaluates one job: a fork of the judge process, so that evaluations share no state.

It is forked while the previous one still waits for its submission to end, and starts when told to.
"""

import json
import os
import select
import signal
import time
from typing import Any

from autograder.finding import Finding
from autograder.judging.judge import GRACE_SECONDS
from autograder.records.job import Job
from autograder.records.verdict import Verdict
from autograder.sandbox.confinement import die_with_parent
from autograder.sandbox.sandboxes import ColdSandbox, Sandbox

BEGIN = b"b"
ENDLESS = (
    "not graded: what an answer returned kept the grader busy for too long; is it a range or number that is too large?"
)
FREE, SPOILED = b"f", b"s"  # whether the box can be reused, sent once the submission's processes are gone


class ForkedEvaluation:
    """Call ``begin()``, ``answer()`` and ``reap()``; or just ``dismiss()``."""

    def __init__(self, sandbox: ColdSandbox, job: Job) -> None:
        self.job = job
        reading, writing = os.pipe()
        waiting, beginning = os.pipe()
        self.process = os.fork()
        if not self.process:
            try:
                die_with_parent()
                os.close(reading)
                os.close(beginning)
                if os.read(waiting, 1) == BEGIN:
                    examine(sandbox, job, writing)
            finally:
                os._exit(0)
        os.close(waiting)
        os.close(writing)
        self.beginning = beginning
        self.pipe = os.fdopen(reading, "rb", buffering=0)
        self.box = b""  # the state of the box, if it arrived together with the answer
        self.deadline = 0.0

    def begin(self) -> None:
        self.deadline = time.monotonic() + self.job.limits.total_seconds + GRACE_SECONDS
        os.write(self.beginning, BEGIN)
        os.close(self.beginning)

    def dismiss(self) -> None:
        """Ends a fork that has not begun."""
        os.close(self.beginning)
        self.reap()

    def answer(self) -> dict[str, str]:
        """The verdict, or the fault that prevented one."""
        text = b""
        while b"\n" not in text and select.select([self.pipe], [], [], max(0.0, self.deadline - time.monotonic()))[0]:
            chunk = self.pipe.read(2**20)
            if not chunk:
                break
            text += chunk
        said, _, self.box = text.partition(b"\n")
        try:
            return json.loads(said)
        except ValueError:
            os.kill(self.process, signal.SIGKILL)
            return self.unfinished()

    def unfinished(self) -> dict[str, str]:
        """A verdict if the answers made the fork exceed its CPU limit; otherwise a fault of ours."""
        how = os.waitid(os.P_PID, self.process, os.WEXITED | os.WNOWAIT)
        if how is None or how.si_code == os.CLD_EXITED or how.si_status != signal.SIGXCPU:
            return {"fault": "the evaluation timed out or ended without a reply."}
        finding = Finding(mistake="stopped", got=ENDLESS)
        verdict = Verdict.without_points("timeout", self.job.seed, self.job.checks, ENDLESS, finding)
        return {"verdict": verdict.to_json()}

    def free(self) -> bool:
        """Waits until the submission's processes are gone; returns whether the box can take another submission."""
        if not self.pipe.closed:
            with self.pipe:
                self.box = self.box or self.pipe.read(1)
        return self.box == FREE

    def reap(self) -> None:
        """Also waits for the process itself, which exits a moment after its last message."""
        self.free()
        os.waitpid(self.process, 0)


def examine(sandbox: ColdSandbox, job: Job, writing: int) -> None:
    """Writes the answer to one job; then, when the learner's processes have ended, whether the box can be reused."""
    from autograder.judging.evaluation import Evaluation
    from autograder.judging.judge_limits import bound_process

    bound_process(job.limits)
    evaluation = Evaluation(sandbox, job)
    try:
        answer: dict[str, Any] = {"verdict": evaluation.verdict().to_json()}
    except Exception as error:
        answer = {"fault": f"{type(error).__name__}: {error}"}
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(json.dumps(answer).encode() + b"\n")
        pipe.flush()
        evaluation.close()
        pipe.write(SPOILED if isinstance(sandbox, Sandbox) and sandbox.box.spoiled else FREE)
