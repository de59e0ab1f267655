"""``python -m autograder`` with a judge that needs no sandbox and takes its time: for tests that kill it on the way."""

import sys
import time

import autograder.judging.judge
import autograder.sandbox.proof
from autograder.__main__ import main
from autograder.records.job import Job
from autograder.records.verdict import Verdict
from tests.small_course import FakeJudge

SECONDS = 0.05


class SlowJudge(FakeJudge):
    def run(self, job: Job) -> Verdict:
        time.sleep(SECONDS)
        return super().run(job)


if __name__ == "__main__":
    autograder.judging.judge.Judge = SlowJudge
    autograder.sandbox.proof.require_fit = lambda *folders: None
    sys.exit(main())
