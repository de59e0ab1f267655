"""Grades a large class of learners of every kind while judges and sandboxes are killed at random.

    python -m tests.faults.soak --submissions 1000 --record tests/faults/soak.json

Status 0: everybody got the points that they deserve, and memory, descriptors and processes did not grow.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil

from autograder.commands.cli import FAILED, NO_SANDBOX
from tests.faults.crash import stored
from tests.faults.gauge import Gauge
from tests.faults.processes import adopt_orphans, below, kill, kill_tree, orphans
from tests.faults.small_class import NAME, make_course
from tests.faults.soak_class import KINDS, make_class
from tests.gradebook_dump import dump

ROOT = Path(__file__).resolve().parents[2]
MOST_RUNS = 4  # whoever was hit by our kills three times in a row, or while starting, is graded by the next run
SUBMISSIONS_PER_KILL = 30
SAMPLE_SECONDS = 0.25
GROWTH = {"grader, MiB": 32.0, "largest judge, MiB": 48.0, "largest sandbox, MiB": 48.0}  # over the whole run
MORE = {"grader, descriptors": 8.0, "processes": 4.0}


class Soak:
    """One class, graded under fire."""

    def __init__(self, scratch: Path, submissions: int, seed: int) -> None:
        self.scratch, self.chance = scratch, random.Random(seed)
        self.course, self.folder, self.output = make_course(scratch / "course"), scratch / "submitted", scratch / "out"
        self.kinds = make_class(self.course, self.folder, submissions, self.chance)
        shots = self.chance.sample(range(1, submissions), max(2, submissions // SUBMISSIONS_PER_KILL))
        self.shots = sorted(shots)  # after how many verdicts somebody is killed
        self.killed: Counter[str] = Counter()
        self.gauge = Gauge()
        self.seconds = 0.0
        self.runs = 0
        self.faults: list[str] = []

    def run(self) -> None:
        start = time.monotonic()
        status = FAILED
        while status in (FAILED, NO_SANDBOX) and self.runs < MOST_RUNS:
            status = self.grade()
        self.seconds = time.monotonic() - start
        self.faults += [f"still running: {line}" for line in orphans(15)]
        if status != 0:
            self.faults.append(f"run {self.runs} ended with status {status}: {self.said()}")
        else:
            self.compare()
        limits = GROWTH | MORE
        figures = self.gauge.figures()
        self.faults += [f"{name} grew by {figures[name]['growth']}" for name in limits if self.grew(name)]

    def grew(self, name: str) -> bool:
        return self.gauge.growth(name) > (GROWTH | MORE)[name]

    def grade(self) -> int:
        self.runs += 1
        command = [sys.executable, "-W", "ignore", "-m", "autograder", "grade", str(self.folder), "--workers", "2"]
        command += ["--root", str(self.course), "--output", str(self.output)]
        with (self.scratch / "log").open("wb") as log:
            process = subprocess.Popen(command, cwd=self.course, env=os.environ, stdout=log, stderr=log)
        top = psutil.Process(process.pid)
        try:
            while process.poll() is None:
                done = len(stored(self.output))
                self.gauge.take(top, done)
                if self.shots and done >= self.shots[0]:
                    self.shots.pop(0)
                    self.shoot(top)
                time.sleep(SAMPLE_SECONDS)
        finally:
            kill_tree(top)
        return process.wait()

    def shoot(self, top: psutil.Process) -> None:
        whom = self.chance.choice(["judge", "sandbox"])
        if victims := below(top)[whom]:
            kill(self.chance.choice(victims))
            self.killed[whom] += 1

    def said(self) -> str:
        text = (self.scratch / "log").read_text("utf-8", "replace")
        return text[max(0, text.rfind("grade: ")) :][:500].strip()

    def compare(self) -> None:
        book = dump(self.output / "gradebook.db")
        for student, kind in self.kinds.items():
            score = book.get(f"{NAME}/{student}", {}).get("score")
            if score != KINDS[kind].points:
                self.faults.append(f"{student}, who {kind!r}: {score} points, expected {KINDS[kind].points}")

    def record(self, command: str) -> dict[str, object]:
        return {
            "command": command,
            "cores": os.cpu_count(),
            "submissions": len(self.kinds),
            "kinds": dict(Counter(self.kinds.values()).most_common()),
            "killed": dict(self.killed),
            "runs": self.runs,
            "seconds": round(self.seconds),
            "held": self.gauge.figures(),
            "faults": self.faults,
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--submissions", type=int, default=1000, help="default: 1000")
    parser.add_argument("--seed", type=int, help="of the class and the faults (default: drawn, and printed)")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write the figures there, too")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if options.seed is None else options.seed
    print(f"class and faults of --seed {seed}", flush=True)
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="soak") as scratch:
        soak = Soak(Path(scratch), options.submissions, seed)
        soak.run()
    figures = soak.record(f"python -m tests.faults.soak --submissions {options.submissions} --seed {seed}")
    print(json.dumps(figures, indent=1))
    if options.record:
        options.record.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 1 if soak.faults else 0


if __name__ == "__main__":
    sys.exit(main())
