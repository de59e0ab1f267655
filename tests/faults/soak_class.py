"""A class of learners of every kind: what each hands in, and the points that each deserves."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.faults.small_class import NAME, hand_in, solved

RIGHT = "return x + x"


@dataclass(frozen=True)
class Kind:
    """One way to answer: another last line of ``double``, or another file."""

    points: float
    weight: float
    line: str = RIGHT
    file: Callable[[str], str] = str


FULL, REST = 4.5, 2.5  # the other answers of the notebook are right, whatever ``double`` does

KINDS = {
    "right": Kind(FULL, 30),
    "another way": Kind(FULL, 20, "return 2 * x"),
    "wrong": Kind(REST, 15, "return x"),
    "raises": Kind(REST, 8, "raise ValueError('no')"),
    "slow": Kind(FULL, 4, f"import time; time.sleep(0.3); {RIGHT}"),
    "byte order mark": Kind(FULL, 3, file=lambda text: "\ufeff" + text),
    "cut off": Kind(0.0, 3, file=lambda text: text[: len(text) // 2]),
    "empty": Kind(0.0, 1, file=lambda text: ""),
    "leaves": Kind(REST, 2, "import os; os._exit(3)"),
    "crashes": Kind(REST, 2, "import ctypes; ctypes.string_at(0)"),
    "kills": Kind(REST, 2, "import os; os.kill(0, 9); os.abort()"),
    "takes all memory": Kind(REST, 2, "return bytearray(64 << 30)"),
    "fills the disk": Kind(REST, 2, "open('/tmp/full', 'wb').write(bytes(1 << 30))"),
    "floods": Kind(FULL, 2, f"print('flood ' * 10**6); {RIGHT}"),
    "leaves a daemon": Kind(FULL, 2, f"import os; os.fork() or __import__('time').sleep(999); {RIGHT}"),
    "claims to be equal": Kind(REST, 2, "return type('All', (), {'__eq__': lambda *a: True, 'tolist': lambda s: s})()"),
    "never ends": Kind(REST, 0.2, "while True: pass"),
}


def make_class(root: Path, folder: Path, students: int, chance: Random) -> dict[str, str]:
    """Hands in for so many students; returns the kind of each. Each kind is there if there are students enough."""
    right = solved(root)
    names, weights = list(KINDS), [kind.weight for kind in KINDS.values()]
    kinds = [*names, *chance.choices(names, weights, k=max(0, students - len(names)))][:students]
    chance.shuffle(kinds)
    given = {}
    for number, name in enumerate(kinds):
        student, kind = f"s{number:04}", KINDS[name]
        text = right.replace(RIGHT, f"{kind.line}  # {student}")
        if text == right:
            raise ValueError(f"the notebook of {NAME} has no line {RIGHT!r} to replace")
        hand_in(folder, student, kind.file(text))
        given[student] = name
    return given
