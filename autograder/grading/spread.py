"""Over what the judging is spread: judges on this machine, or the workers of a dask scheduler."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from autograder.authoring.assignment import Assignment
from autograder.grading.scheduler import Scheduler
from autograder.judging.bench import JudgeMaker, make_judge
from autograder.judging.verdict import Verdict
from autograder.submissions.collected import Handed


@dataclass(frozen=True)
class Spread:
    """The same verdicts, however the work is spread."""

    root: Path
    workers: int = 1
    scheduler: Scheduler | None = None
    maker: JudgeMaker = make_judge

    def verdicts(
        self, handed: Sequence[Handed], assignment: Assignment, seed: int, seconds: Sequence[float]
    ) -> Iterator[tuple[int, Verdict]]:
        """Index and verdict of each submission, as they come in.

        Begun are those first that took longest before, by ``seconds`` (0: not known). Close the iterator to end the
        judging early.
        """
        if not handed:
            return
        order = sorted(range(len(handed)), key=lambda index: -seconds[index])
        with self._judges([handed[index] for index in order], assignment, seed) as judges:
            for place, verdict in judges:
                yield order[place], verdict

    def _judges(
        self, handed: Sequence[Handed], assignment: Assignment, seed: int
    ) -> AbstractContextManager[Iterable[tuple[int, Verdict]]]:
        if self.scheduler is None:
            from autograder.grading.pool import Pool

            return Pool(handed, assignment, self.root, seed, self.workers, self.maker)
        from autograder.grading.cluster import Cluster

        return Cluster(handed, assignment, self.root, seed, self.scheduler, self.maker)
