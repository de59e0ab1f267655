"""Judging on this machine: a few judges, each fed by a thread; no learner's code and no check runs in this process."""

import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.authoring.assignment import Assignment
from autograder.grading.task import fault
from autograder.judging.bench import Bench, Dismissed, JudgeMaker, make_judge
from autograder.judging.verdict import Verdict
from autograder.reader.process import READER
from autograder.sandbox.refusal import SandboxUnavailable
from autograder.submissions.collected import Handed
from autograder.submissions.limited import read

SLOW_SECONDS = 3.0  # a submission that takes longer no longer holds up the others: its place in the queue is lent out
FIRST_SECONDS = 10.0  # the same of the first of all, for which the checks are made ready
LOOK_SECONDS = 0.2
SWITCH_SECONDS = 0.0005  # in which who writes lets those on who feed the judges: each has little to do, and often
END_SECONDS = 2.0
WORTH_SECONDS = 5.0  # of work left: a further judge costs two or three before it is warm


class Pool:
    """``with Pool(...) as pool: for index, verdict in pool: ...``, in the order in which verdicts come in.

    Leaving the block, however it is left, ends every judge at once.
    """

    def __init__(
        self,
        handed: Sequence[Handed],
        assignment: Assignment,
        root: Path,
        seed: int,
        workers: int,
        maker: JudgeMaker = make_judge,
    ) -> None:
        self.handed, self.assignment, self.root, self.seed, self.maker = handed, assignment, root, seed, maker
        self.workers = 1 if assignment.gpu else max(1, min(workers, len(handed)))
        self.waiting = deque(range(len(handed)))
        self.said: queue.SimpleQueue[tuple[int, Verdict] | BaseException] = queue.SimpleQueue()
        self.lanes: list[Lane] = []
        self.came: list[float] = []  # when verdicts did

    def __enter__(self) -> "Pool":
        sys.setswitchinterval(SWITCH_SECONDS)
        READER.prepare("read")
        self.open_lane()
        return self

    def __exit__(self, *reason: object) -> None:
        self.waiting.clear()
        for lane in self.lanes:
            lane.bench.kill()
        if any(lane.reading for lane in self.lanes):
            READER.kill()
        for lane in self.lanes:
            lane.join(END_SECONDS)

    def __iter__(self) -> Iterator[tuple[int, Verdict]]:
        """Raises SandboxUnavailable if a judge cannot start."""
        for _ in self.handed:
            said = None
            while said is None:
                try:
                    said = self.said.get(timeout=LOOK_SECONDS)
                except queue.Empty:
                    self.lend()
            if isinstance(said, BaseException):
                raise said
            self.grow()
            yield said

    def open_lane(self) -> None:
        lane = Lane(self)
        self.lanes.append(lane)
        lane.start()

    def grow(self) -> None:
        """Opens a further lane, up to one for each worker, if what is left is worth it at the pace so far."""
        at_work = sum(lane.is_alive() for lane in self.lanes)
        came = tuple(self.came)
        pace = (came[-1] - came[0]) / (len(came) - 1) if len(came) > 1 else 0.0  # the first comes late: it warms up
        if at_work < self.workers and len(self.waiting) * pace > WORTH_SECONDS:
            self.open_lane()

    def lend(self) -> None:
        """Opens a further lane in the place of one that has been with a slow submission for long.

        At most half as many again, because limits are in seconds of wall time.
        """
        at_work = [lane for lane in self.lanes if lane.is_alive()]
        patience = SLOW_SECONDS if self.came else FIRST_SECONDS
        slow = [lane for lane in at_work if time.monotonic() - lane.since > patience]
        most = self.workers + (self.workers + 1) // 2
        if self.waiting and slow and not self.assignment.gpu and len(at_work) < min(self.workers + len(slow), most):
            self.open_lane()


class Lane(threading.Thread):
    """Feeds one judge from the pool's queue until that is empty."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(daemon=True)
        self.pool = pool
        self.bench: Bench = Bench(pool.assignment, pool.root, pool.maker)
        self.since = float("inf")  # when the submission at hand was begun
        self.reading = False

    def run(self) -> None:
        pool = self.pool
        try:
            with self.bench:
                while True:
                    try:
                        index = pool.waiting.popleft()
                    except IndexError:
                        return
                    self.since = time.monotonic()
                    pool.said.put((index, self.verdict(index)))
                    pool.came.append(time.monotonic())
                    self.since = float("inf")
        except Dismissed:
            return
        except BaseException as error:
            if not self.bench.killed:
                pool.said.put(error)

    def verdict(self, index: int) -> Verdict:
        """A fault of ours costs this submission its verdict, and nobody else anything."""
        pool, one = self.pool, self.pool.handed[index]
        try:
            self.reading = True
            submission = read(one.data(), pool.assignment, one.notes, one.problem)
            self.reading = False
            return self.bench.verdict(submission, pool.seed)
        except (SandboxUnavailable, Dismissed):
            raise
        except Exception as error:
            self.bench.close()
            return fault(pool.assignment, pool.seed, error)
