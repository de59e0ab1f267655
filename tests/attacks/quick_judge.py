"""A judge with little budget, so that a class full of endless loops is soon graded, also on a busy machine."""

from dataclasses import replace
from pathlib import Path

from autograder.authoring.assignment import Assignment
from autograder.judging.judge import Judge
from autograder.records.job import Job, Limits
from autograder.records.verdict import Verdict

LIMITS = Limits(cell_seconds=6.0, total_seconds=180.0, memory=700 * 2**20)


class QuickJudge(Judge):
    def run(self, job: Job) -> Verdict:
        return super().run(replace(job, limits=self.limits))


def quick_judge(assignment: Assignment, root: Path) -> QuickJudge:
    return QuickJudge(given=assignment.given, root=root, limits=LIMITS)
