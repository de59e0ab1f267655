"""Grades a small class again and again, kills what grades it at random moments, and compares what comes out.

    python -m tests.faults.crash --kills 50

Killed by SIGKILL are the whole tree of processes, the grader alone, a judge or a sandbox. Then the same command is
given again, until it ends by itself. Half of the runs judge in the real sandbox, half with a judge that needs none,
which leaves more of the moments to the writing. Status 0: each of them ended as an undisturbed run, no stored verdict
was judged again, and neither a process nor half a file was left.
"""

import argparse
import contextlib
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil

import autograder
from autograder.reader.process import READER
from tests.faults.processes import adopt_orphans, below, kill, kill_tree, orphans
from tests.faults.small_class import KINDS, differences, grade, make_class, make_course, outcome, rows, stored

ROOT = Path(__file__).resolve().parents[2]
STUDENTS = list(KINDS)[:6]
RUN_SECONDS = 600.0
SETTLE_SECONDS = 15.0  # for the tree to die with its parent
START_SECONDS = 3.0  # about as long as it takes until there is a first verdict
WHOM = {"tree": 4, "grader": 3, "judge": 2, "sandbox": 2}  # and how often
JUDGES = {"sandbox": "autograder", "fake": "tests.faults.fake_grade"}


class Grading:
    """The command that grades one class, in processes of its own."""

    def __init__(self, scratch: Path, course: Path, judge: str, kinds: list[str]) -> None:
        self.scratch, self.course, self.judge = scratch, course, judge
        self.folder, self.temporary = scratch / "submitted", scratch / "tmp"
        self.temporary.mkdir(parents=True)
        self.students = make_class(course, self.folder, kinds)
        self.killed: Counter[str] = Counter()
        self.runs = 0
        self.faults: list[str] = []

    def start(self, output: Path) -> psutil.Popen:
        self.runs += 1
        command = [sys.executable, "-W", "ignore", "-m", JUDGES[self.judge], "grade", str(self.folder), "--seed", "7"]
        command += ["--root", str(self.course), "--output", str(output), "--workers", "2"]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(self.temporary), "OMP_NUM_THREADS": "1"}
        with (self.scratch / "log").open("wb") as log:
            return psutil.Popen(command, cwd=self.course, env=environment, stdout=log, stderr=log)

    def note(self, *faults: str) -> None:
        self.faults += [f"run {self.runs}, killed so far {dict(self.killed)}: {fault}" for fault in faults]

    def end(self, process: psutil.Popen) -> int:
        """Waits for it; notes what it leaves running."""
        with contextlib.suppress(psutil.TimeoutExpired):
            process.wait(RUN_SECONDS)
        kill_tree(process)  # one that hangs
        status = process.wait()
        self.note(*(f"{line} was left" for line in orphans(SETTLE_SECONDS)))
        return status

    def log(self) -> str:
        text = (self.scratch / "log").read_text("utf-8", "replace")
        return text[max(0, text.rfind("grade: ")) :][:500].strip()


class Campaign(Grading):
    """Kills it at random moments."""

    def __init__(
        self, scratch: Path, course: Path, judge: str, chance: random.Random, kinds: list[str] = STUDENTS
    ) -> None:
        super().__init__(scratch, course, judge, kinds)
        self.chance = chance
        if judge == "fake":
            grade(course, self.folder, scratch / "whole")
            READER.close()  # is a process of ours, and would count as one that was left
        elif self.end(self.start(scratch / "whole")) != 0:
            raise RuntimeError(f"the undisturbed run failed: {self.log()}")
        self.whole = outcome(scratch / "whole")

    def fight(self, kills: int) -> list[str]:
        """Runs until so many kills have hit, and the last run has ended by itself; what was not as it should be."""
        while self.killed.total() < kills and not self.faults:
            output = self.scratch / f"out{self.runs}"
            while self.run(output, kills) and not self.faults:
                pass
            self.note(*differences(output, self.whole), *os.listdir(self.temporary))
            shutil.rmtree(output)
        return self.faults

    def run(self, output: Path, kills: int) -> bool:
        """One run, disturbed if there are kills to come; whether it must be run again."""
        before = stored(output)
        process = self.start(output)
        whom = self.strike(process, output) if self.killed.total() < kills else ""
        status = self.end(process)
        after = stored(output)
        self.note(*(f"{key} was judged again" for key, number in before.items() if after.get(key) != number))
        if status != 0 and whom not in ("tree", "grader"):
            self.note(f"status {status} although {whom or 'nobody'} was killed: {self.log()}")
        return status != 0

    def strike(self, process: psutil.Popen, output: Path) -> str:
        """Kills somebody during the start, or just after some verdict or page; whom, or nobody if the run has ended."""
        target = self.chance.randrange(-len(self.students) // 2, 2 * len(self.students))
        while process.poll() is None and progress(output) < target:
            time.sleep(0.01)
        time.sleep(self.chance.uniform(0, 0.1 if target > 0 else START_SECONDS))
        if process.poll() is not None:
            return ""
        whom = self.chance.choices(list(WHOM), list(WHOM.values()))[0]
        if victims := below(process, whom) if whom in ("judge", "sandbox") else []:
            kill(self.chance.choice(victims))
        elif whom == "grader":
            kill(process)
        else:  # all of them, or of this kind there is none
            whom = "tree"
            kill_tree(process)
        self.killed[whom] += 1
        return whom


def progress(output: Path) -> int:
    """Verdicts that are stored, and pages that are done."""
    return len(stored(output)) + len(rows(output, "SELECT student FROM entry WHERE mark <> ''"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50, help="default: 50")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="of the moments")
    options = parser.parse_args()
    print(f"random moments of --seed {options.seed}", flush=True)
    adopt_orphans()
    faults = []
    with tempfile.TemporaryDirectory(prefix="crash") as scratch:
        course = make_course(Path(scratch) / "course")
        autograder.__file__ = str(course / "autograder" / "__init__.py")  # an edit meanwhile must not change the keys
        for judge, kills in (("sandbox", options.kills - options.kills // 2), ("fake", options.kills // 2)):
            campaign = Campaign(Path(scratch) / judge, course, judge, random.Random(f"{options.seed} {judge}"))
            faults += campaign.fight(kills)
            print(f"judge {judge}: killed {dict(campaign.killed)} in {campaign.runs} runs", flush=True)
    print(*faults, f"{len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
