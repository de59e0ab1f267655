"""The process that evaluates one job: a fork of the judge process, so that evaluations share no state."""

import json
import multiprocessing
import signal
import sys
import time
from multiprocessing.connection import Connection
from typing import Any

from autograder.finding import Finding
from autograder.judging.judge_limits import GRACE_SECONDS, bound_process
from autograder.records.job import Job
from autograder.records.verdict import Verdict
from autograder.sandbox.confinement import die_with_parent
from autograder.sandbox.sandboxes import ColdSandbox, Sandbox

ENDLESS = (
    "not graded: what an answer returned kept the grader busy for too long; is it a range or number that is too large?"
)
FORK = multiprocessing.get_context("fork")
FREE, SPOILED = 0, 3  # exit statuses: whether the box can be reused, once the submission's processes are gone


class ForkedEvaluation:
    """Call ``answer()``, then ``reap()``."""

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
