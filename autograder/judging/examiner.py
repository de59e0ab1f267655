"""The process that examines one job: a fork of the court, so that nothing of one examination is left to the next.

It is made while the one before it still waits for the end of its submission, and begins when it is told to.
"""

import json
import os
import select
import signal
import time
from typing import Any

from autograder.finding import Finding
from autograder.judging.ahead import Ahead, Room
from autograder.judging.job import Job
from autograder.judging.judge import GRACE_SECONDS
from autograder.judging.verdict import CheckVerdict, Verdict
from autograder.sandbox.confinement import die_with_parent

BEGIN = b"b"
ENDLESS = (
    "not judged: what an answer gave back kept the grader busy without end; is it a range or a number far too large?"
)
FREE, SPOILED = b"f", b"s"  # what an examination says of the box when nothing of the submission is left in it


class Examiner:
    """``begin()``, ``answer()`` and ``bury()``; or, in the place of these, ``dismiss()``."""

    def __init__(self, room: Room, job: Job) -> None:
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
                    examine(room, job, writing)
            finally:
                os._exit(0)
        os.close(waiting)
        os.close(writing)
        self.beginning = beginning
        self.pipe = os.fdopen(reading, "rb", buffering=0)
        self.box = b""  # what it said of the box, as far as that came along with the answer
        self.deadline = 0.0

    def begin(self) -> None:
        self.deadline = time.monotonic() + self.job.limits.total_seconds + GRACE_SECONDS
        os.write(self.beginning, BEGIN)
        os.close(self.beginning)

    def dismiss(self) -> None:
        """Ends what has not begun."""
        os.close(self.beginning)
        self.bury()

    def answer(self) -> dict[str, str]:
        """The verdict, or the fault that kept it from one."""
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
        """A verdict where the answers kept the judge busy beyond its limit; else a fault of ours."""
        how = os.waitid(os.P_PID, self.process, os.WEXITED | os.WNOWAIT)
        if how is None or how.si_code == os.CLD_EXITED or how.si_status != signal.SIGXCPU:
            return {"fault": "the examination did not end in time or ended without a word."}
        checks = [
            CheckVerdict(cell.name, 0.0, cell.max_points, "not run", Finding(mistake="stopped", got=ENDLESS))
            for cell in self.job.cells
            if cell.kind == "check"
        ]
        return {"verdict": Verdict("timeout", self.job.seed, checks, [], [ENDLESS]).to_json()}

    def free(self) -> bool:
        """Waits until nothing of the submission is left in the box; whether that can take another."""
        if not self.pipe.closed:
            with self.pipe:
                self.box = self.box or self.pipe.read(1)
        return self.box == FREE

    def bury(self) -> None:
        """Waits for its process, too, which takes a moment to vanish after it has said its last word."""
        self.free()
        os.waitpid(self.process, 0)


def examine(room: Room, job: Job, writing: int) -> None:
    """Writes the answer to one job, and when the learner's processes have ended, whether the box can take another."""
    from autograder.judging.effort import bound_process
    from autograder.judging.examination import Examination

    bound_process(job.limits)
    examination = Examination(room, job)
    try:
        answer: dict[str, Any] = {"verdict": examination.verdict().to_json()}
    except Exception as error:
        answer = {"fault": f"{type(error).__name__}: {error}"}
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(json.dumps(answer).encode() + b"\n")
        pipe.flush()
        examination.hang_up()
        pipe.write(SPOILED if isinstance(room, Ahead) and room.spoiled else FREE)
