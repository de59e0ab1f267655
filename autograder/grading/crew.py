"""What a dask worker does: it keeps judges warm and feeds them; no learner's code and no check runs in its process."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.authoring.assignment import Assignment
from autograder.grading.refusal import UsageError
from autograder.judging.bench import Bench, Dismissed, JudgeMaker, make_judge
from autograder.judging.versions import GRADER, differences, digest, versions
from autograder.reader.process import READER
from autograder.submissions.limited import read

LOADED = digest(GRADER)  # the code that this process runs, whatever lies on its disk later


@dataclass(frozen=True)
class Course:
    """What a worker must know to judge: an assignment, where the course is, and in which versions."""

    assignment: Assignment
    place: str | None  # none: where the worker's own grader is
    versions: dict[str, str]
    maker: JudgeMaker = make_judge

    @cached_property
    def key(self) -> tuple[object, ...]:
        return (self.assignment, self.place, tuple(sorted(self.versions.items())), self.maker)


def root_at(place: str | None) -> Path:
    return GRADER.parent if place is None else Path(place)


class Crew:
    """The judges of one worker for one course: as many as its threads ask for at the same time."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.idle: list[Bench] = []
        self.busy: set[Bench] = set()
        self.lock = threading.Lock()
        self.dismissed = False
        self.users = 0  # calls at work for it; see crew_for
        self.fits = False  # the worker is known to judge as the machine that asks would

    @contextmanager
    def bench(self) -> Iterator[Bench]:
        """A judge that nobody else uses meanwhile; after an error it is not used again."""
        with self.lock:
            if self.dismissed:
                raise Dismissed
            new = not self.idle
            course = self.course
            bench = Bench(course.assignment, root_at(course.place), course.maker) if new else self.idle.pop()
            self.busy.add(bench)
        try:
            if new:
                bench.__enter__()
            yield bench
        except BaseException:
            bench.kill()
            bench.close()
            raise
        else:
            with self.lock:
                keeps = not self.dismissed
                if keeps:
                    self.idle.append(bench)
            if not keeps:
                bench.close()
        finally:
            with self.lock:
                self.busy.discard(bench)

    def dismiss(self) -> None:
        with self.lock:
            self.dismissed = True
            for bench in [*self.idle, *self.busy]:
                bench.kill()
            for bench in self.idle:  # those that are busy are closed by whom they keep busy
                bench.close()
            self.idle = []


_crews: dict[tuple[object, ...], Crew] = {}
_changing = threading.Lock()


@contextmanager
def crew_for(course: Course) -> Iterator[Crew]:
    """This worker's crew for the course, whose judges stay warm; one that nobody keeps busy makes room for it."""
    with _changing:
        if course.key not in _crews:
            for key in [key for key, crew in _crews.items() if not crew.users]:
                _crews.pop(key).dismiss()
            _crews[course.key] = Crew(course)
        crew = _crews[course.key]
        crew.users += 1
    try:
        yield crew
    finally:
        with _changing:
            crew.users -= 1


def dismiss(course: Course) -> None:
    """Ends this worker's judges for the course, and what they are judging."""
    with _changing:
        if course.key in _crews:
            _crews.pop(course.key).dismiss()


def versions_at(place: str | None) -> dict[str, str]:
    """Of the course on this machine; the grader's is that of the code that runs, if the disk has another by now."""
    found = versions(root_at(place))
    return found if found["autograder"] == LOADED else {**found, "autograder": f"{LOADED} (started before an update)"}


def prepared(course: Course) -> None:
    """Starts a judge; raises SandboxUnavailable if it cannot start on this machine."""
    READER.prepare("read")
    with crew_for(course) as crew, crew.bench():
        pass


def judged(course: Course, data: bytes, notes: Sequence[str], problem: str, seed: int) -> str:
    """The verdict on one submission, as JSON.

    Raises:
        UsageError: this worker would judge otherwise than the machine that asks; it came later than the others.
    """
    with crew_for(course) as crew:
        if not crew.fits:
            here = versions_at(course.place)
            if here != course.versions:
                raise UsageError(f"a worker would judge otherwise: {'; '.join(differences(course.versions, here))}.")
            crew.fits = True
        with crew.bench() as bench:
            return bench.verdict(read(data, course.assignment, notes, problem), seed).to_json()
