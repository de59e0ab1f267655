"""What grading a class and judging it again have in common: where it is, which judges it has, and how to follow it."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from autograder.authoring.assignment import Assignment, known
from autograder.gradebook.database import Step
from autograder.grading.errors import UsageError
from autograder.grading.gradebook_stream import GradebookStream
from autograder.grading.scheduler import Scheduler
from autograder.judging.retrying import JudgeMaker, make_judge
from autograder.records.verdict import Verdict
from autograder.submissions.submitted_files import SubmittedFile


@dataclass
class ClassRun:
    """Submissions are judged on this machine or on the workers of a dask scheduler; the verdicts are the same."""

    root: Path
    output: Path
    workers: int = 1
    seed: int | None = None
    step: Step = lambda name, done, of: None
    maker: JudgeMaker = make_judge
    scheduler: Scheduler | None = None
    database: str = ""  # the gradebook's address; empty for the default
    skipped: list[str] = field(default_factory=list)  # what belongs to no assignment of the course

    def known(self, assignment: str | None) -> list[str]:
        """The course's assignments; raises UsageError if ``assignment`` is none of them."""
        names = known(self.root)
        if assignment is not None and assignment not in names:
            raise UsageError(f"there is no assignment {assignment!r}; the course has {', '.join(names) or 'none'}.")
        return names

    def verdicts(
        self, handed: Sequence[SubmittedFile], assignment: Assignment, seed: int, seconds: Sequence[float]
    ) -> Generator[tuple[int, Verdict], None, None]:
        """Yields the index and verdict of each submission, in order of completion.

        Submissions that took longest before, by ``seconds`` (0: unknown), start first.
        """
        if not handed:
            return
        order = sorted(range(len(handed)), key=lambda index: -seconds[index])
        with self._judges([handed[index] for index in order], assignment, seed) as judges:
            for position, verdict in judges:
                yield order[position], verdict

    def writing(self, assignment: Assignment) -> GradebookStream:
        return GradebookStream(self.root, self.output, assignment, self.step, self.database)

    def _judges(
        self, handed: Sequence[SubmittedFile], assignment: Assignment, seed: int
    ) -> AbstractContextManager[Iterable[tuple[int, Verdict]]]:
        if self.scheduler is None:
            from autograder.grading.pool import Pool

            return Pool(handed, assignment, self.root, seed, self.workers, self.maker)
        from autograder.grading.cluster import Cluster

        return Cluster(handed, assignment, self.root, seed, self.scheduler, self.maker)
