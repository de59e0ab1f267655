"""Judging on this machine: several judges, each fed by a thread; no learner's code or check runs in this process."""

import queue
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.assignments.assignment import Assignment
from autograder.judging.judge import Dismissed, JudgeMaker, RetryingJudge, make_judge
from autograder.records.verdict import Verdict
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.reader import READER
from autograder.submissions.limited_reading import read
from autograder.submissions.submitted_files import SubmittedFile

SLOW_SECONDS = 3.0  # beyond this a submission does not hold up the others: another thread is opened
FIRST_SECONDS = 10.0  # the same for the first submission, which includes preparing the checks
POLL_SECONDS = 0.2
END_SECONDS = 2.0
WORTH_SECONDS = 5.0  # of work left to justify another judge, which needs 2 to 3 s to warm up


class Pool:
    """``with Pool(...) as pool: for index, verdict in pool: ...``, in order of completion.

    Leaving the block, even by an exception, kills every judge at once.
    """

    def __init__(
        self,
        handed: Sequence[SubmittedFile],
        assignment: Assignment,
        root: Path,
        seed: int,
        workers: int,
        maker: JudgeMaker = make_judge,
    ) -> None:
        self.handed, self.assignment, self.root, self.seed, self.maker = handed, assignment, root, seed, maker
        self.workers = 1 if assignment.gpu else max(1, min(workers, len(handed)))
        self.waiting = deque(range(len(handed)))
        self.results: queue.SimpleQueue[tuple[int, Verdict] | BaseException] = queue.SimpleQueue()
        self.threads: list[JudgeThread] = []
        self.arrivals: list[float] = []  # times of verdicts

    def __enter__(self) -> "Pool":
        READER.prepare("read")
        self.open_thread()
        return self

    def __exit__(self, *reason: object) -> None:
        self.waiting.clear()
        for thread in self.threads:
            thread.judge.kill()
        if any(thread.reading for thread in self.threads):
            READER.kill()
        for thread in self.threads:
            thread.join(END_SECONDS)

    def __iter__(self) -> Iterator[tuple[int, Verdict]]:
        """Raises SandboxUnavailable if a judge cannot start."""
        for _ in self.handed:
            result = None
            while result is None:
                try:
                    result = self.results.get(timeout=POLL_SECONDS)
                except queue.Empty:
                    self.relieve_slow()
            if isinstance(result, BaseException):
                raise result
            self.grow()
            yield result

    def open_thread(self) -> None:
        thread = JudgeThread(self)
        self.threads.append(thread)
        thread.start()

    def grow(self) -> None:
        """Opens another thread, up to one per worker, if the remaining work is worth it at the current pace."""
        at_work = sum(thread.is_alive() for thread in self.threads)
        times = tuple(self.arrivals)
        pace = (times[-1] - times[0]) / (len(times) - 1) if len(times) > 1 else 0.0  # the first includes warming up
        if at_work < self.workers and len(self.waiting) * pace > WORTH_SECONDS:
            self.open_thread()

    def relieve_slow(self) -> None:
        """Opens another thread to replace one that is held up by a slow submission.

        The limit is 1.5 times the workers, because time limits are in wall time.
        """
        at_work = [thread for thread in self.threads if thread.is_alive()]
        budget = SLOW_SECONDS if self.arrivals else FIRST_SECONDS
        slow = [thread for thread in at_work if time.monotonic() - thread.since > budget]
        most = self.workers + (self.workers + 1) // 2
        if self.waiting and slow and not self.assignment.gpu and len(at_work) < min(self.workers + len(slow), most):
            self.open_thread()


class JudgeThread(threading.Thread):
    """Feeds one judge from the pool's queue until the queue is empty."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(daemon=True)
        self.pool = pool
        self.judge: RetryingJudge = RetryingJudge(pool.assignment, pool.root, pool.maker)
        self.since = float("inf")  # start of the current submission
        self.reading = False

    def run(self) -> None:
        pool = self.pool
        try:
            with self.judge:
                while True:
                    try:
                        index = pool.waiting.popleft()
                    except IndexError:
                        return
                    self.since = time.monotonic()
                    pool.results.put((index, self.verdict(index)))
                    pool.arrivals.append(time.monotonic())
                    self.since = float("inf")
        except Dismissed:
            return
        except BaseException as error:
            if not self.judge.killed:
                pool.results.put(error)

    def verdict(self, index: int) -> Verdict:
        """An internal error costs only this submission its verdict."""
        pool, submitted = self.pool, self.pool.handed[index]
        try:
            self.reading = True
            submission = read(submitted.data(), pool.assignment, submitted.notes, submitted.problem)
            self.reading = False
            return self.judge.verdict(submission, pool.seed)
        except (SandboxUnavailable, Dismissed):
            raise
        except Exception as error:
            self.judge.close()
            return Verdict.of_fault(error, pool.seed, pool.assignment.checks)
