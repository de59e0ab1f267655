"""One submission's bytes → its verdict: reading, judging, and trying again where the fault is not the learner's."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Protocol

from autograder.authoring.assignment import Assignment
from autograder.judging.job import Job
from autograder.judging.verdict import Verdict
from autograder.submissions.submission import Submission

ATTEMPTS = 3  # for infrastructure faults only


class Judging(Protocol):
    """What is asked of a judge; :class:`autograder.judging.judge.Judge` is the one that grades."""

    def run(self, job: Job) -> Verdict: ...
    def __enter__(self) -> "Judging": ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...


JudgeMaker = Callable[[Assignment, Path], Judging]


def make_judge(assignment: Assignment, root: Path) -> Judging:
    """A judge for the assignment, not yet started; starting it raises SandboxUnavailable where it cannot."""
    from autograder.judging.judge import Judge

    return Judge(given=assignment.given, root=root)


def new_seed() -> int:
    return secrets.randbits(63)


class Bench:
    """A judge that is started once, serves many submissions, and is replaced after an infrastructure fault."""

    def __init__(self, assignment: Assignment, root: Path, maker: JudgeMaker = make_judge) -> None:
        self.assignment, self.root, self.maker = assignment, root, maker
        self.judge: Judging | None = None

    def __enter__(self) -> "Bench":
        self.judge = self.maker(self.assignment, self.root).__enter__()
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        if self.judge is not None:
            judge, self.judge = self.judge, None
            judge.__exit__(None, None, None)

    def verdict(self, submission: Submission, seed: int, hidden: bool = True) -> Verdict:
        """The verdict on one submission, repairs among its notes."""
        if submission.unreadable:
            return submission.unreadable_verdict(seed)
        job = submission.job(seed, hidden)
        for attempt in range(ATTEMPTS):
            if attempt or self.judge is None:
                self.close()
                self.__enter__()
            verdict = self.judge.run(job)
            if verdict.status != "infrastructure":
                break
        return replace(verdict, notes=[*submission.notes, *verdict.notes])
