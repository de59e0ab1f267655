"""Evaluates submissions, retrying after faults that are not the learner's."""

import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from autograder.authoring.assignment import Assignment
from autograder.records.job import Job
from autograder.records.verdict import Verdict
from autograder.sandbox.errors import SandboxUnavailable
from autograder.submissions.submission import Submission

ATTEMPTS = 3  # for infrastructure faults only
PAUSE_SECONDS = 0.5  # and twice that before the third attempt: memory may be free again by then


class Judging(Protocol):
    """The interface of a judge; :class:`autograder.judging.judge.Judge` implements it."""

    def run(self, job: Job) -> Verdict: ...
    def kill(self) -> None: ...  # from any thread, at any time; a running job ends with a fault
    def __enter__(self) -> "Judging": ...
    def __exit__(self, kind: None, error: None, traceback: None, /) -> None: ...


JudgeMaker = Callable[[Assignment, Path], Judging]


def make_judge(assignment: Assignment, root: Path) -> Judging:
    """A judge for the assignment, not yet started; starting it may raise SandboxUnavailable."""
    from autograder.judging.judge import Judge

    return Judge(
        assignment.given,
        root,
        gpu=assignment.gpu,
        imports=assignment.imports,
        checks=assignment.check_modules,
        slow_imports=assignment.slow_imports,
    )


def new_seed() -> int:
    return secrets.randbits(63)


class Dismissed(Exception):
    """The judge was killed; there is no verdict."""


class RetryingJudge:
    """A judge that is started once, serves many submissions, and is replaced after an infrastructure fault."""

    def __init__(self, assignment: Assignment, root: Path, maker: JudgeMaker = make_judge) -> None:
        self.assignment, self.root, self.maker = assignment, root, maker
        self.judge: Judging | None = None
        self.killed = False

    def __enter__(self) -> "RetryingJudge":
        for attempt in range(1, ATTEMPTS + 1):
            if self.killed:
                raise Dismissed
            time.sleep(PAUSE_SECONDS * (attempt - 1))
            self.judge = self.maker(self.assignment, self.root)
            try:
                self.judge.__enter__()
                break
            except BaseException as error:
                self.judge = None
                if attempt == ATTEMPTS or not isinstance(error, SandboxUnavailable):
                    raise  # otherwise it may have been killed while starting, for lack of memory
        if self.killed:  # while it started
            self.kill()
            raise Dismissed
        return self

    @property
    def started(self) -> bool:
        return self.judge is not None

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
