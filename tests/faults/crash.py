"""The command that grades a class, in processes of its own, some of which are killed on the way."""

import contextlib
import os
import random
import shutil
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import psutil

from autograder.commands.cli import FAILED, NO_SANDBOX
from autograder.sandbox.reader import READER
from tests.faults.processes import below, kill, kill_tree, orphans
from tests.faults.small_class import KINDS, NAME, differences, grade, make_class, outcome, rows, stored
from tests.gradebooks import dump

ROOT = Path(__file__).resolve().parents[2]
RUN_SECONDS = 600.0
SETTLE_SECONDS = 60.0  # for the tree to die with its parent
START_SECONDS = 3.0  # about as long as it takes until there is a first verdict
WHOM = {"tree": 4, "grader": 3, "judge": 2, "sandbox": 2}  # and how often
JUDGES = {"sandbox": "autograder", "fake": "tests.faults.fake_grade"}
MIB = 2**20
MOST_RUNS = 4  # whoever was hit by our kills three times in a row, or while starting, is graded by the next run
SETTLED = 10  # verdicts, or a fifth of the class, before what is held is measured
LOADED = 50 * 2**20  # bytes of a process that has imported torch
GROWTH = {"grader, MiB": 16, "judge, MiB": 24, "sandbox, MiB": 24, "descriptors": 4, "processes": 4}  # see growth()


class Grading:
    """The command for one class; what was not as it should be."""

    def __init__(self, scratch: Path, course: Path, judge: str, kinds: list[str]) -> None:
        self.scratch, self.course, self.judge = scratch, course, judge
        self.folder, self.temporary = scratch / "submitted", scratch / "tmp"
        self.temporary.mkdir(parents=True)
        self.students = make_class(course, self.folder, kinds)
        self.killed: Counter[str] = Counter()
        self.runs = 0
        self.faults: list[str] = []

    def run(self, output: Path, watch: Callable[[psutil.Popen], None] = lambda process: None) -> int:
        """The status of one run; ``watch`` is called again and again meanwhile."""
        self.runs += 1
        command = [sys.executable, "-W", "ignore", "-m", JUDGES[self.judge], "grade", str(self.folder), "--seed", "7"]
        command += ["--root", str(self.course), "--output", str(output), "--workers", "2"]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(self.temporary), "OMP_NUM_THREADS": "1"}
        with (self.scratch / "log").open("wb") as log:
            process = psutil.Popen(command, cwd=self.course, env=environment, stdout=log, stderr=log)
        end = time.monotonic() + RUN_SECONDS
        while process.poll() is None and time.monotonic() < end:
            with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                watch(process)
            time.sleep(0.05)
        kill_tree(process)  # one that hangs
        status = process.wait()
        self.note(*(f"{line} was left" for line in orphans(SETTLE_SECONDS)))
        return status

    def note(self, *faults: str) -> None:
        self.faults += [f"run {self.runs}, killed so far {dict(self.killed)}: {fault}" for fault in faults]

    def log(self) -> str:
        text = (self.scratch / "log").read_text("utf-8", "replace")
        return text[max(0, text.rfind("grade: ")) :][:500].strip()

    def kill(self, whom: str, process: psutil.Popen, chance: random.Random) -> bool:
        """Whether there was one of this kind."""
        victims = below(process, whom) if whom in ("judge", "sandbox") else [process]
        if victims:
            (kill_tree if whom == "tree" else kill)(chance.choice(victims))
            self.killed[whom] += 1
        return bool(victims)


def crash(grading: Grading, kills: int, chance: random.Random) -> list[str]:
    """Whole trees, graders, judges and sandboxes are killed at random moments, and the command is given again."""
    if grading.judge == "fake":
        grade(grading.course, grading.folder, grading.scratch / "whole")
        READER.close()  # is a process of ours, and would count as one that was left
    elif grading.run(grading.scratch / "whole") != 0:
        grading.note(f"the undisturbed run failed: {grading.log()}")
    whole = outcome(grading.scratch / "whole")
    status = 0
    while not grading.faults and (status != 0 or grading.killed.total() < kills):
        output = grading.scratch / "out"
        before, victims = stored(output), []
        target = chance.randrange(-len(grading.students) // 2, 2 * len(grading.students))

        def strike(process: psutil.Popen, output=output, victims=victims, target=target) -> None:
            """Kills somebody during the start, or just after some verdict or page."""
            if not victims and grading.killed.total() < kills and progress(output) >= target:
                time.sleep(chance.uniform(0, 0.1 if target > 0 else START_SECONDS))
                whom = chance.choices(list(WHOM), list(WHOM.values()))[0]
                if process.poll() is None:
                    victims.append(whom if grading.kill(whom, process, chance) else "tree")
                    if victims != [whom]:
                        grading.kill("tree", process, chance)

        status = grading.run(output, strike)
        after = stored(output)
        grading.note(*(f"{key} was judged again" for key, number in before.items() if after.get(key) != number))
        if status == 0:
            grading.note(*differences(output, whole), *os.listdir(grading.temporary))
            shutil.rmtree(output)
        elif not {"tree", "grader"} & set(victims):
            grading.note(f"status {status} although {victims or 'nobody'} was killed: {grading.log()}")
    return grading.faults


def progress(output: Path) -> int:
    """Verdicts that are stored, and pages that are done."""
    return len(stored(output)) + len(rows(output, "SELECT student FROM entry WHERE mark <> ''"))


def soak(grading: Grading, kills: int, chance: random.Random) -> list[str]:
    """Judges and sandboxes are killed while the class is graded."""
    output, size = grading.scratch / "out", len(grading.students)
    shots = sorted(chance.sample(range(size - 1), kills))  # after how many verdicts somebody is killed
    samples: dict[str, list[float]] = defaultdict(list)

    def watch(process: psutil.Popen) -> None:
        done = len(stored(output))
        # Before the measurements: a process that ends during one raises, which ends this call.
        if shots and done >= shots[0] and grading.kill(chance.choice(["judge", "sandbox"]), process, chance):
            shots.pop(0)
        if done >= max(SETTLED, size // 5):
            samples["grader, MiB"].append(process.memory_info().rss / MIB)
            samples["descriptors"].append(process.num_fds())
            samples["processes"].append(len(below(process)))
            for kind in ("judge", "sandbox"):
                ages = [(child.create_time(), child.memory_info().rss) for child in below(process, kind)]
                memory = [size for _, size in sorted(ages) if size > LOADED]  # the first is forked for each submission
                samples[f"{kind}, MiB"].append(memory[0] / MIB if memory else 0.0)

    while (status := grading.run(output, watch)) in (FAILED, NO_SANDBOX) and grading.runs < MOST_RUNS:
        pass
    if status != 0:
        grading.note(f"status {status}: {grading.log()}")
    book = dump(output / "gradebook.db")
    for who, kind in grading.students.items():
        if (score := book.get(f"{NAME}/{who}", {}).get("score")) != KINDS[kind].points:
            grading.note(f"{who}, who {kind!r}, got {score}")
    grown = {name: growth(samples[name], 2 if "MiB" in name else 0) for name in GROWTH}
    grading.note(*(f"{name} grew by {grown[name]}" for name, most in GROWTH.items() if grown[name] > most))
    return grading.faults


def growth(values: list[float], quartile: int) -> float:
    """How much more there is in the second half than in the first, by a quartile.

    Processes come and go with what learners start, but what leaks is there at every moment: the lower one. A process
    that is killed and starts again is small for a while, and no smaller later for that: the upper one of its memory.
    """
    half = len(values) // 2
    first, second = (
        statistics.quantiles(part)[quartile] if half > 1 else 0.0 for part in (values[:half], values[half:])
    )
    return second - first
