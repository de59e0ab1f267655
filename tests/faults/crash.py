"""Grades a small class again and again, kills what grades it at random moments, and compares what comes out.

    python -m tests.faults.crash --kills 50

Killed by SIGKILL are the whole tree of processes, the grader alone, a judge or a sandbox. Then the same command is
given again, until it ends by itself. Half of the runs judge in the real sandbox, half with a judge that needs none,
which leaves more of the moments to the writing. Status 0: each of them ended as an undisturbed run, no stored verdict
was judged again, and neither a process nor half a file was left.
"""

import argparse
import itertools
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from autograder.judging.state import NAME
from tests.faults.processes import adopt_orphans, below, kill, kill_tree, orphans
from tests.faults.small_class import make_class, make_course, outcome, unfinished

ROOT = Path(__file__).resolve().parents[2]
STUDENTS = 6
SETTLE_SECONDS = 15.0  # for the tree to die with its parent
RUN_SECONDS = 300.0
MOST_FAULTS = 20  # then it gives up
WHOM = {"tree": 4, "grader": 3, "judge": 2, "sandbox": 2}  # and how often
JUDGES = {"sandbox": "autograder", "fake": "tests.faults.fake_grade"}


@dataclass
class Campaign:
    """Kills the grading of one class, with one kind of judge."""

    scratch: Path
    course: Path
    judge: str
    chance: random.Random
    kills: Counter[str] = field(default_factory=Counter)
    moments: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    runs: int = 0

    def __post_init__(self) -> None:
        self.folder, self.temporary = self.scratch / "submitted", self.scratch / "tmp"
        self.temporary.mkdir(parents=True)
        make_class(self.course, self.folder, STUDENTS)
        start, output = time.monotonic(), self.scratch / "whole"
        process = self.start(output)
        while process.poll() is None and progress(output) == 0:
            time.sleep(0.01)
        self.start_seconds = time.monotonic() - start
        if (status := process.wait(RUN_SECONDS)) != 0:
            raise RuntimeError(f"the undisturbed run ended with status {status}: {self.said()}")
        self.whole = outcome(output)

    def start(self, output: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-W", "ignore", "-m", JUDGES[self.judge], "grade", str(self.folder), "--seed", "7"]
        command += ["--root", str(self.course), "--output", str(output), "--workers", "2"]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(self.temporary), "OMP_NUM_THREADS": "1"}
        with (self.scratch / "log").open("wb") as log:
            return subprocess.Popen(command, cwd=self.course, env=environment, stdout=log, stderr=log)

    def said(self) -> str:
        text = (self.scratch / "log").read_text("utf-8", "replace")
        return text[max(0, text.rfind("grade: ")) :][:500].strip()

    def fight(self, kills: int) -> None:
        """Runs until so many kills have hit, and the last run has ended by itself."""
        for number in itertools.count(1):
            output = self.scratch / f"out{number}"
            while self.run(output, disturbed=self.kills.total() < kills):
                pass
            self.compare(output)
            if self.kills.total() >= kills or len(self.faults) >= MOST_FAULTS:
                return

    def run(self, output: Path, disturbed: bool) -> bool:
        """One run, killed at a random moment; true if it must be run again."""
        self.runs += 1
        before = stored(output)
        process = self.start(output)
        whom = ""
        if disturbed:
            self.wait(process, output)
            whom = self.kill(process, output)
        try:
            status = process.wait(RUN_SECONDS)
        except subprocess.TimeoutExpired:
            self.faults.append(f"run {self.runs} did not end in {RUN_SECONDS:g} s after {whom or 'nobody'} was killed")
            kill_tree(psutil.Process(process.pid))
            status = process.wait()
        left = orphans(SETTLE_SECONDS)
        self.faults += [f"run {self.runs}, {whom or 'nobody'} killed: {line} was left" for line in left]
        again = [name for name, when in before.items() if stored(output).get(name) != when]
        self.faults += [f"run {self.runs}: the stored verdict {name} was judged again" for name in again]
        if whom in ("tree", "grader"):
            return True
        if status != 0:
            self.faults.append(f"run {self.runs}, {whom or 'nobody'} killed: status {status}: {self.said()}")
        return status != 0 and len(self.faults) < MOST_FAULTS

    def wait(self, process: subprocess.Popen[bytes], output: Path) -> None:
        """For a random moment: one in the course of the start, or one just after some verdict or page."""
        target = self.chance.randrange(-STUDENTS // 2, 2 * STUDENTS)
        while target > 0 and process.poll() is None and progress(output) < target:
            time.sleep(0.002)
        time.sleep(self.chance.uniform(0, 0.1 if target > 0 else self.start_seconds))

    def kill(self, process: subprocess.Popen[bytes], output: Path) -> str:
        """Kills somebody, and says whom; nobody if the run has ended."""
        if process.poll() is not None:
            return ""
        top = psutil.Process(process.pid)
        whom = self.chance.choices(list(WHOM), list(WHOM.values()))[0]
        victims = below(top).get(whom, [])
        if victims:
            kill(self.chance.choice(victims))
        elif whom == "grader":
            kill(top)
        else:  # all of them, or of this kind there is none
            whom = "tree"
            kill_tree(top)
        self.kills[whom] += 1
        self.moments[moment(output)] += 1
        return whom

    def compare(self, output: Path) -> None:
        found = outcome(output)
        differ = [name for name in {*found, *self.whole} if found.get(name) != self.whole.get(name)]
        self.faults += [f"run {self.runs}: {name} differs from the undisturbed run's" for name in differ]
        left = [*unfinished(output), *(path.name for path in self.temporary.iterdir())]
        self.faults += [f"run {self.runs}: {name} was left" for name in left]
        shutil.rmtree(output)


def stored(output: Path) -> dict[str, int]:
    """Key of each verdict → a number that it gets whenever it is stored."""
    return dict(rows(output, "SELECT key, number FROM verdict"))


def written(output: Path) -> int:
    """How many pages are done."""
    return len(rows(output, "SELECT student FROM entry WHERE mark <> ''"))


def rows(output: Path, query: str) -> list[tuple]:
    """What another program reads meanwhile."""
    path = output / NAME
    if not path.is_file():
        return []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)) as connection:
        return connection.execute(query).fetchall()


def progress(output: Path) -> int:
    return len(stored(output)) + written(output)


def moment(output: Path) -> str:
    """How far the run has come, in words."""
    if progress(output) == 0:
        return "before the first verdict"
    if len(stored(output)) < STUDENTS:
        return "judging"
    return "writing" if written(output) < STUDENTS else "all written"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50, help="default: 50")
    parser.add_argument("--seed", type=int, help="of the moments (default: drawn, and printed)")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if options.seed is None else options.seed
    print(f"random moments of --seed {seed}", flush=True)
    adopt_orphans()
    faults = 0
    with tempfile.TemporaryDirectory(prefix="crash") as scratch:
        course = make_course(Path(scratch) / "course")
        for judge, share in (("sandbox", options.kills - options.kills // 2), ("fake", options.kills // 2)):
            start = time.monotonic()
            campaign = Campaign(Path(scratch) / judge, course, judge, random.Random(f"{seed} {judge}"))
            campaign.fight(share)
            faults += len(campaign.faults)
            for fault in campaign.faults:
                print(f"  {fault}")
            killed = ", ".join(f"{whom} {count}" for whom, count in campaign.kills.most_common())
            when = ", ".join(f"{what} {count}" for what, count in campaign.moments.most_common())
            print(f"judge {judge}: {campaign.kills.total()} kills in {campaign.runs} runs", end=", ")
            print(f"{time.monotonic() - start:.0f} s\n  killed: {killed}\n  when: {when}", flush=True)
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
