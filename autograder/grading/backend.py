"""Where submissions are judged: on this machine, or on the workers of a dask scheduler."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from autograder.authoring.assignment import Assignment
from autograder.grading.scheduler import Scheduler
from autograder.judging.retrying import JudgeMaker, make_judge
from autograder.records.verdict import Verdict
from autograder.submissions.submitted_files import SubmittedFile


@dataclass(frozen=True)
class Backend:
    """Judges locally or on a cluster; the verdicts are the same."""

    root: Path
    workers: int = 1
    scheduler: Scheduler | None = None
    maker: JudgeMaker = make_judge

    def verdicts(
        self, handed: Sequence[SubmittedFile], assignment: Assignment, seed: int, seconds: Sequence[float]
    ) -> Generator[tuple[int, Verdict], None, None]:
        """Yields the index and verdict of each submission, in order of completion.

        Submissions that took longest before, by ``seconds`` (0: unknown), start first. Close the iterator to stop
        early.
        """
        if not handed:
            return
        order = sorted(range(len(handed)), key=lambda index: -seconds[index])
        with self._judges([handed[index] for index in order], assignment, seed) as judges:
            for position, verdict in judges:
                yield order[position], verdict

    def _judges(
        self, handed: Sequence[SubmittedFile], assignment: Assignment, seed: int
    ) -> AbstractContextManager[Iterable[tuple[int, Verdict]]]:
        if self.scheduler is None:
            from autograder.grading.pool import Pool

            return Pool(handed, assignment, self.root, seed, self.workers, self.maker)
        from autograder.grading.cluster import Cluster

        return Cluster(handed, assignment, self.root, seed, self.scheduler, self.maker)
