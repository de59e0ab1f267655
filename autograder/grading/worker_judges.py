"""What a dask worker does: it keeps judges warm and feeds them; no learner's code or check runs in its process."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from autograder.assignments.assignment import Assignment
from autograder.errors import UsageError
from autograder.judging.judge import Dismissed, JudgeMaker, RetryingJudge, make_judge
from autograder.sandbox.proof import require_fit
from autograder.sandbox.reader import READER
from autograder.store.versions import GRADER, differences, digest, versions
from autograder.submissions.limited_reading import read

LOADED = digest(GRADER)  # the code that this process runs, even if the disk changes


@dataclass(frozen=True)
class Course:
    """What a worker needs in order to judge: the assignment, the course's folder, and the versions."""

    assignment: Assignment
    root: str | None  # None: the folder of the worker's own grader
    versions: dict[str, str] = field(hash=False)
    maker: JudgeMaker = make_judge


def root_at(root: str | None) -> Path:
    return GRADER.parent if root is None else Path(root)


class WorkerJudges:
    """The judges of one worker for one course: as many as its threads use at the same time."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.idle: list[RetryingJudge] = []
        self.busy: set[RetryingJudge] = set()
        self.lock = threading.Lock()
        self.dismissed = False
        self.users = 0  # calls in progress; see judges_for
        self.checked = False  # the worker's versions are known to match the client's
        self.fit = False  # learners' code is known not to see the course on this machine

    @contextmanager
    def judge(self) -> Iterator[RetryingJudge]:
        """A judge for exclusive use; after an error it is discarded."""
        with self.lock:
            if self.dismissed:
                raise Dismissed
            course = self.course
            warm = self.idle.pop() if self.idle else None
            judge = warm or RetryingJudge(course.assignment, root_at(course.root), course.maker)
            self.busy.add(judge)
        try:
            yield warm or judge.__enter__()
        except BaseException:
            judge.kill()
            raise
        finally:
            with self.lock:
                self.busy.discard(judge)
                reusable = not judge.killed  # else by an error or by dismiss()
                if reusable:
                    self.idle.append(judge)
            if not reusable:
                judge.close()

    def require_fit(self) -> None:
        if not self.fit:
            require_fit(root_at(self.course.root))
            self.fit = True

    def dismiss(self) -> None:
        with self.lock:
            self.dismissed = True
            for judge in [*self.idle, *self.busy]:
                judge.kill()
            for judge in self.idle:  # busy judges are closed by their users
                judge.close()
            self.idle = []


_judges: dict[Course, WorkerJudges] = {}
_changing = threading.Lock()


@contextmanager
def judges_for(course: Course) -> Iterator[WorkerJudges]:
    """This worker's judges for the course, kept warm; a new course replaces those that are not in use."""
    with _changing:
        if course not in _judges:
            for other in [other for other, judges in _judges.items() if not judges.users]:
                _judges.pop(other).dismiss()
            _judges[course] = WorkerJudges(course)
        judges = _judges[course]
        judges.users += 1
    try:
        yield judges
    finally:
        with _changing:
            judges.users -= 1


def dismiss(course: Course) -> None:
    """Kills this worker's judges for the course, even busy ones."""
    with _changing:
        if course in _judges:
            _judges.pop(course).dismiss()


def versions_at(root: str | None) -> dict[str, str]:
    """The course's versions on this machine; the grader's is that of the running code, even if the disk changed."""
    current = versions(root_at(root))
    if current["autograder"] != LOADED:
        current["autograder"] = f"{LOADED} (started before an update)"
    return current


def prepared(course: Course) -> None:
    """Starts a judge; raises SandboxUnavailable if it cannot start on this machine, or would show the course here."""
    READER.prepare("read")
    with judges_for(course) as judges:
        judges.require_fit()
        with judges.judge():
            pass


def judged(course: Course, data: bytes, notes: Sequence[str], problem: str, seed: int) -> str:
    """The verdict on one submission, as JSON.

    Raises:
        UsageError: this worker, which joined late, has other versions than the client.
    """
    with judges_for(course) as judges:
        if not judges.checked:
            ours = versions_at(course.root)
            if ours != course.versions:
                raise UsageError(f"a worker would judge differently: {'; '.join(differences(course.versions, ours))}.")
            judges.require_fit()
            judges.checked = True
        with judges.judge() as judge:
            return judge.verdict(read(data, course.assignment, notes, problem), seed).to_json()
