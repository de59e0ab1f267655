"""Grades a large class of learners of every kind while judges and sandboxes are killed at random.

    python -m tests.faults.soak --submissions 1000

Status 0: everybody got the points that they deserve, and memory, descriptors and processes did not grow.
"""

import argparse
import contextlib
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import psutil

from autograder.commands.cli import FAILED, NO_SANDBOX
from tests.faults.crash import Grading
from tests.faults.processes import adopt_orphans, below, kill
from tests.faults.small_class import KINDS, NAME, make_course, stored
from tests.gradebook_dump import dump

MIB = 2**20
MOST_RUNS = 4  # whoever was hit by our kills three times in a row, or while starting, is graded by the next run
SUBMISSIONS_PER_KILL = 30
SAMPLE_SECONDS = 0.25
SETTLED = 10  # verdicts, or a fifth of the class, before what is held is measured
GROWTH = {"grader, MiB": 16, "judge, MiB": 24, "sandbox, MiB": 24, "descriptors": 4, "processes": 4}  # see growth()


class Soak(Grading):
    """One class, graded under fire."""

    def __init__(self, scratch: Path, course: Path, kinds: list[str], chance: random.Random, kills: int) -> None:
        super().__init__(scratch, course, "sandbox", kinds)
        self.chance, self.output = chance, scratch / "out"
        self.shots = sorted(chance.sample(range(len(kinds) - 1), kills))  # after how many verdicts somebody is killed
        self.samples: dict[str, list[float]] = defaultdict(list)

    def run(self) -> list[str]:
        """What was not as it should be."""
        status = FAILED
        while status in (FAILED, NO_SANDBOX) and self.runs < MOST_RUNS:
            status = self.grade()
        if status != 0:
            self.note(f"status {status}: {self.log()}")
        else:
            book = dump(self.output / "gradebook.db")
            scores = {student: book.get(f"{NAME}/{student}", {}).get("score") for student in self.students}
            wrong = {who: score for who, score in scores.items() if score != KINDS[self.students[who]].points}
            self.note(*(f"{who}, who {self.students[who]!r}, got {score}" for who, score in wrong.items()))
        grown = {name: growth(self.samples[name]) for name in GROWTH}
        self.note(*(f"{name} grew by {grown[name]}" for name, most in GROWTH.items() if grown[name] > most))
        return self.faults

    def grade(self) -> int:
        process = self.start(self.output)
        while process.poll() is None:
            with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                done = len(stored(self.output))
                if done >= max(SETTLED, len(self.students) // 5):
                    self.sample(process)
                if self.shots and done >= self.shots[0]:
                    self.shoot(process)
            time.sleep(SAMPLE_SECONDS)
        return self.end(process)

    def sample(self, process: psutil.Popen) -> None:
        values = {"grader, MiB": process.memory_info().rss / MIB, "descriptors": process.num_fds()}
        for kind in ("judge", "sandbox"):
            values[f"{kind}, MiB"] = max([0.0, *(one.memory_info().rss / MIB for one in below(process, kind))])
        values["processes"] = len(below(process))
        for name, value in values.items():
            self.samples[name].append(value)

    def shoot(self, process: psutil.Popen) -> None:
        kind = self.chance.choice(["judge", "sandbox"])
        if victims := below(process, kind):
            kill(self.chance.choice(victims))
            self.killed[kind] += 1
            self.shots.pop(0)

    def figures(self) -> dict[str, object]:
        held = {name: [round(statistics.median(values), 1), max(values)] for name, values in self.samples.items()}
        kinds = Counter(self.students.values())
        return {"kinds": kinds, "killed": self.killed, "runs": self.runs, "median and peak": held}


def growth(values: list[float]) -> float:
    """How much more there is in the second half than in the first.

    Compared are the lower quartiles: what is killed grows up again, and processes come and go with what learners
    start, but what leaks is there at every moment.
    """
    half = len(values) // 2
    if half < 2:
        return 0.0
    return statistics.quantiles(values[half:])[0] - statistics.quantiles(values[:half])[0]


def draw(students: int, chance: random.Random) -> list[str]:
    """The kinds of a class, each of them if there are students enough."""
    kinds = list(KINDS)
    kinds += chance.choices(kinds, [kind.weight for kind in KINDS.values()], k=max(0, students - len(kinds)))
    chance.shuffle(kinds)
    return kinds[:students]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--submissions", type=int, default=1000, help="default: 1000")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="of class and kills")
    options = parser.parse_args()
    print(f"class and kills of --seed {options.seed}", flush=True)
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="soak") as scratch:
        chance = random.Random(options.seed)
        kinds, kills = draw(options.submissions, chance), max(2, options.submissions // SUBMISSIONS_PER_KILL)
        soak = Soak(Path(scratch) / "class", make_course(Path(scratch) / "course"), kinds, chance, kills)
        faults = soak.run()
    print(json.dumps(soak.figures() | {"faults": faults}, indent=1))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
