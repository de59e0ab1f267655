"""Judging on many machines: each worker of a dask scheduler runs its own judges.

Submissions are sent as bytes, verdicts come back as JSON. Neither learners' code nor checks run in a dask worker: it
feeds judges as :mod:`autograder.grading.pool` does, and each judge has its own sandbox.
"""

import contextlib
import logging
import queue
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from distributed import Client, Future, KilledWorker
from distributed.client import ClosedClientError

from autograder.assignments.assignment import Assignment
from autograder.errors import UsageError
from autograder.grading.scheduler import Scheduler
from autograder.grading.worker_judges import Course, dismiss, judged, prepared, versions_at
from autograder.judging.judge import ATTEMPTS, JudgeMaker, make_judge
from autograder.records.verdict import Verdict
from autograder.sandbox.errors import SandboxUnavailable
from autograder.store.versions import GRADER, differences, versions
from autograder.submissions.submitted_files import SubmittedFile

CONNECT_SECONDS = 10
WORKER_SECONDS = 30  # to wait for the first one
PREPARE_SECONDS = 180
ALONE_SECONDS = 60  # without any worker, before the run fails
POLL_SECONDS = 0.5
IN_FLIGHT = 3  # submissions sent ahead, for each thread of a worker
GPU = "gpu"
DISMISS_SECONDS = 1.0


class Cluster:
    """``with Cluster(...) as cluster: for index, verdict in cluster: ...``, in order of completion.

    When a worker dies, dask gives its submissions to other workers, including those that join later.
    Submissions on which several workers died are retried at the end, one at a time: only a submission that kills a
    worker on its own gets no verdict, not those that were sent along with it.
    """

    def __init__(
        self,
        handed: Sequence[SubmittedFile],
        assignment: Assignment,
        root: Path,
        seed: int,
        scheduler: Scheduler,
        maker: JudgeMaker = make_judge,
    ) -> None:
        self.handed, self.seed, self.scheduler = handed, seed, scheduler
        folder = None if root.resolve() == GRADER.parent else str(root.resolve())
        self.course = Course(assignment, folder, versions(root), maker)
        self.completed: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self.indices: dict[Future, int] = {}

    def __enter__(self) -> "Cluster":
        """Raises UsageError if the scheduler does not answer, has no workers, or a worker has different versions."""
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors are reported here, in one line
        address, security = self.scheduler.address, self.scheduler.security()
        try:
            self.client = Client(address, security=security, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise UsageError(
                f"no dask scheduler answers at {self.scheduler.address} ({_line(error)}); "
                "start one with `dask scheduler`, and workers with `dask worker`, as `grade --help` explains."
            ) from None
        try:
            self._prepare()
        except BaseException:
            self.client.close()
            raise
        return self

    def __exit__(self, *reason: object) -> None:
        with contextlib.suppress(Exception):  # a lost scheduler must not hide the original error
            self.client.cancel(list(self.indices), asynchronous=False)
            self.client.run(dismiss, self.course, on_error="ignore", nanny=False)
        self.client.close(DISMISS_SECONDS)

    def __iter__(self) -> Iterator[tuple[int, Verdict]]:
        """Raises UsageError if the scheduler or all workers are lost, SandboxUnavailable if a worker has no sandbox."""
        ahead = max(2, IN_FLIGHT * sum(worker["nthreads"] for worker in self._workers().values()))
        resources = self._resources()
        waiting = deque(range(len(self.handed)))
        suspects: deque[int] = deque()
        alone = False
        while waiting or self.indices or suspects:
            if not waiting and not self.indices:
                alone, ahead, waiting, suspects = True, 1, suspects, deque()
            while waiting and len(self.indices) < ahead:
                index = waiting.popleft()
                try:
                    data = self.handed[index].data()
                except OSError as error:  # deleted or unreadable
                    yield index, Verdict.of_fault(error, self.seed, self.course.assignment.checks)
                else:
                    self._send(index, data, resources)
            if not self.indices:
                continue
            future = self._next()
            index = self.indices.pop(future)
            if future.cancelled():  # not by this process
                raise self._gone()
            try:
                verdict = Verdict.from_json(future.result())
            except UsageError:
                raise
            except SandboxUnavailable as error:
                raise type(error)(f"{error.reason} (on a worker)", error.remedy) from None
            except Exception as error:
                if isinstance(error, KilledWorker) and not alone:
                    suspects.append(index)
                    continue
                verdict = Verdict.of_fault(error, self.seed, self.course.assignment.checks)
            future.release()
            yield index, verdict

    def _send(self, index: int, data: bytes, resources: dict[str, float] | None) -> None:
        submitted = self.handed[index]
        sent = (self.course, data, submitted.notes, submitted.problem, self.seed)
        try:
            future = self.client.submit(judged, *sent, pure=False, retries=ATTEMPTS - 1, resources=resources)
        except ClosedClientError:
            raise self._gone() from None
        self.indices[future] = index
        future.add_done_callback(self.completed.put)

    def _next(self) -> Future:
        alone = 0.0
        while True:
            try:
                return self.completed.get(timeout=POLL_SECONDS)
            except queue.Empty:
                pass
            try:
                alone = 0.0 if self._workers() else alone + POLL_SECONDS
            except (OSError, ClosedClientError):
                raise self._gone() from None
            if self.client.status != "running":
                raise self._gone()
            if alone > ALONE_SECONDS:
                raise UsageError(
                    f"the scheduler at {self.scheduler.address} has no workers left; what was judged is kept. "
                    "Start workers and run the same command again."
                )

    def _gone(self) -> UsageError:
        return UsageError(f"the scheduler at {self.scheduler.address} is gone; what was judged is kept.")

    def _prepare(self) -> None:
        """Compares every worker's versions with ours and starts a judge on it."""
        try:
            self.client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError:
            raise UsageError(
                f"the scheduler at {self.scheduler.address} has no workers; "
                f"start some with `dask worker {self.scheduler.address}`, in the course's folder."
            ) from None
        by_worker = self.client.run(versions_at, self.course.root, on_error="return")
        for worker, theirs in by_worker.items():  # first: a worker without our modules cannot unpickle a Course
            if isinstance(theirs, BaseException):
                raise UsageError(
                    f"the worker {worker} does not have this course's grader ({_line(theirs)}); "
                    "start `dask worker` in the course's folder, with the course's own Python."
                ) from None
            if theirs != self.course.versions:
                raise UsageError(
                    f"the worker {worker} would judge differently from this machine: "
                    f"{'; '.join(differences(self.course.versions, theirs))}. "
                    "Give it the same code and the same packages, and start it again."
                )
        preparing = {
            worker: self.client.submit(prepared, self.course, pure=False, workers=[worker]) for worker in by_worker
        }
        for worker, future in preparing.items():
            try:
                future.result(timeout=PREPARE_SECONDS)
            except SandboxUnavailable as error:
                raise type(error)(f"{error.reason} (on the worker {worker})", error.remedy) from None
            except TimeoutError:
                raise UsageError(f"the worker {worker} did not start a judge in {PREPARE_SECONDS} s.") from None

    def _workers(self) -> dict[str, Any]:
        return self.client.scheduler_info(n_workers=-1)["workers"]

    def _resources(self) -> dict[str, float] | None:
        """Answers that use a GPU wait for a worker that offers one; if none does, they are judged on CPUs."""
        offered = any(worker.get("resources", {}).get(GPU, 0) >= 1 for worker in self._workers().values())
        return {GPU: 1} if self.course.assignment.gpu and offered else None


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
