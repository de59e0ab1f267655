"""Judging in order, or by a crew of worker processes: the same verdicts either way."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster, WorkerPlugin, as_completed, get_worker

from autograder.authoring.assignment import Assignment
from autograder.judging.bench import ATTEMPTS, Bench, JudgeMaker, make_judge
from autograder.judging.verdict import CheckVerdict, Verdict
from autograder.submissions.collected import Handed
from autograder.submissions.submission import Submission

QUIET = {
    "distributed.logging": {"distributed": "critical"},
    "distributed.scheduler.allowed-failures": ATTEMPTS - 1,
    "distributed.worker.daemon": False,
    "distributed.dashboard.link": "",
}


def read(data: bytes, notes: Sequence[str], problem: str, assignment: Assignment) -> Submission:
    submission = Submission.missing(problem, assignment) if problem else Submission.read(data, assignment)
    return submission.with_notes(*notes)


def judge_in_order(
    handed: Sequence[Handed], assignment: Assignment, root: Path, seed: int, maker: JudgeMaker = make_judge
) -> Iterator[tuple[int, Verdict]]:
    """Index and verdict of each submission, one after the other in this process's one judge."""
    with Bench(assignment, root, maker) as bench:
        for index, one in enumerate(handed):
            yield index, bench.verdict(read(one.data(), one.notes, one.problem, assignment), seed)


def judge_in_parallel(
    handed: Sequence[Handed],
    assignment: Assignment,
    root: Path,
    seed: int,
    workers: int,
    maker: JudgeMaker = make_judge,
) -> Iterator[tuple[int, Verdict]]:
    """The same, as verdicts come in from ``workers`` processes with one judge each.

    Submissions travel as bytes and verdicts as JSON; no learner's code runs in a worker, only in its sandbox.
    """
    import dask

    def submit(index: int) -> Any:
        one = handed[index]
        arguments = (one.data(), one.notes, one.problem, seed)
        future = client.submit(judge_on_worker, *arguments, pure=False, retries=ATTEMPTS - 1)
        indices[future] = index
        return future

    indices: dict[Any, int] = {}
    with (
        dask.config.set(QUIET),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,
            dashboard_address="127.0.0.1:0",  # any free port: two runs at once must not fight for one
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):
        client.register_plugin(BenchPlugin(assignment, root, maker), name="bench")
        window = min(len(handed), 4 * workers)
        running = as_completed([submit(index) for index in range(window)])
        for waiting, future in enumerate(running, window):
            if waiting < len(handed):
                running.add(submit(waiting))
            index = indices.pop(future)
            if future.status == "finished":
                yield index, Verdict.from_json(future.result())
            else:
                yield index, fault(assignment, seed, str(future.exception()))
            future.release()


class BenchPlugin(WorkerPlugin):
    """Gives a worker its judge; a sandbox that cannot start is reported to whoever hired the crew."""

    def __init__(self, assignment: Assignment, root: Path, maker: JudgeMaker) -> None:
        self.assignment, self.root, self.maker = assignment, root, maker

    def setup(self, worker: Any) -> None:
        worker.bench = Bench(self.assignment, self.root, self.maker).__enter__()

    def teardown(self, worker: Any) -> None:
        worker.bench.close()


def judge_on_worker(data: bytes, notes: Sequence[str], problem: str, seed: int) -> str:
    bench: Bench = get_worker().bench
    return bench.verdict(read(data, notes, problem, bench.assignment), seed).to_json()


def fault(assignment: Assignment, seed: int, reason: str) -> Verdict:
    """The verdict where the grader itself failed: nothing is stored and nobody loses points by it."""
    checks = [CheckVerdict(name, 0.0, points, "not run") for name, points in assignment.checks.items()]
    return Verdict("infrastructure", seed, checks, [], [f"The grader failed: {reason}"])
