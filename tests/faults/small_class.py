"""Classes of the small course, and what a grading run left behind, in a form that can be compared."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from autograder.grading.grading_run import Run
from autograder.store.state import NAME as STATE
from autograder.store.verdicts import Store
from tests import small_course
from tests.gradebooks import dump
from tests.small_course import FakeJudge, hand_in

NAME = small_course.NAME
RIGHT = "return x + x"
FULL, REST = 4.5, 2.5  # the other answers of the notebook are right, whatever ``double`` does


class Kind(NamedTuple):
    """One way to answer: what it deserves, and another last line of ``double`` or another file."""

    points: float
    line: str = RIGHT
    file: Callable[[str], str] = str


KINDS = {
    "right": Kind(FULL),
    "another way": Kind(FULL, "return 2 * x"),
    "wrong": Kind(REST, "return x"),
    "raises": Kind(REST, "raise ValueError('no')"),
    "cut off": Kind(0.0, file=lambda text: text[: len(text) // 2]),
    "kills": Kind(REST, "import os; os.kill(0, 9); os.abort()"),
    "slow": Kind(FULL, f"import time; time.sleep(0.3); {RIGHT}"),
    "byte order mark": Kind(FULL, file=lambda text: "\ufeff" + text),
    "empty": Kind(0.0, file=lambda text: ""),
    "leaves": Kind(REST, "import os; os._exit(3)"),
    "crashes": Kind(REST, "import ctypes; ctypes.string_at(0)"),
    "takes all memory": Kind(REST, "return bytearray(64 << 30)"),
    "fills the disk": Kind(REST, "open('/tmp/full', 'wb').write(bytes(1 << 30))"),
    "floods": Kind(FULL, f"print('flood ' * 10**6); {RIGHT}"),
    "leaves a daemon": Kind(FULL, f"import os; os.fork() or __import__('time').sleep(999); {RIGHT}"),
    "claims to be equal": Kind(REST, "return type('All', (), {'__eq__': lambda *a: True, 'tolist': lambda s: s})()"),
    "never ends": Kind(REST, "while True: pass"),
}


class Counting(FakeJudge):
    """Counts what it judges."""

    judged = 0

    def run(self, job):
        Counting.judged += 1
        return super().run(job)


def solved(root: Path) -> str:
    return (root / "build" / "source" / NAME / f"{NAME}.ipynb").read_text("utf-8")


def make_pair(root: Path, folder: Path) -> Path:
    """A class of two, ada whose work is right, and ben whose work is not."""
    hand_in(folder, "ada", solved(root))
    return hand_in(folder, "ben", solved(root).replace(RIGHT, "return x  # half right"))


def make_class(root: Path, folder: Path, kinds: Iterable[str]) -> dict[str, str]:
    """Hands in for one student of each of these kinds; returns the kind of each."""
    students = {f"s{number:04}": kind for number, kind in enumerate(kinds)}
    for student, name in students.items():
        kind = KINDS[name]
        hand_in(folder, student, kind.file(solved(root).replace(RIGHT, f"{kind.line}  # {student}")))
    return students


def grade(course: Path, folder: Path, output: Path, seed: int = 7) -> int:
    """Grades the class with a judge that needs no sandbox; returns how many submissions were judged anew."""
    Counting.judged = 0
    Run(course, output, seed=seed, maker=Counting).grade(folder)
    return Counting.judged


def rows(output: Path, query: str) -> list[tuple]:
    """What another program reads in the grader's state meanwhile."""
    if not (output / STATE).is_file():
        return []
    with closing(sqlite3.connect(f"file:{output / STATE}?mode=ro", uri=True, timeout=60)) as connection:
        return connection.execute(query).fetchall()


def stored(output: Path) -> dict[str, int]:
    """Key of each verdict → a number that it gets whenever it is stored."""
    return dict(rows(output, "SELECT key, number FROM verdict"))


def outcome(output: Path) -> dict[str, object]:
    """Everything that a grading run is for: gradebook, verdicts, pages and graded notebooks; times and ids aside."""
    with Store(output) as store:
        verdicts = {key: json.loads(store.get(key).to_json()) for key in store.all_keys()}
        seed = str(store.seed())
    for record in verdicts.values():
        for part in (record, *record["cells"]):
            part.pop("seconds", None)
    texts = {
        path.relative_to(output).as_posix(): re.sub(r"[0-9a-f]{32}", "id", path.read_text("utf-8"))
        for folder in ("feedback", "autograded")
        for path in (output / folder).rglob("*")
        if path.is_file()
    }
    return {"gradebook": dump(output / "gradebook.db"), "seed": seed} | verdicts | texts


def differences(output: Path, whole: dict[str, object]) -> list[str]:
    """What there is in another way than after an undisturbed run, and what may not be left: half files, journals."""
    parts = outcome(output)
    faults = [f"{name} differs" for name in {*parts, *whole} if parts.get(name) != whole.get(name)]
    return faults + [f"{name} was left" for name in unfinished(output)]


def unfinished(output: Path) -> list[str]:
    """Half files, locks, and SQLite's journals."""
    names = [path.relative_to(output).as_posix() for path in output.rglob("*")]
    left = re.compile(r"(.*/)?\..*|.*-(journal|wal|shm)|lock")
    return [name for name in names if left.fullmatch(name)]
