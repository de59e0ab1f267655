"""One rule for values, in the notebook and over the wire: data are what they were, and objects stay where they are."""

import linecache
import math

import torch

from autograder.checking import draw
from autograder.checking.checker import examine
from autograder.checking.edits import edit
from autograder.checking.observation import Candidate
from autograder.checking.task import Task, hidden, mistake, visible
from autograder.records.job import Cell, Job

IMPORTS = "import collections, dataclasses, enum, fractions, uuid\nimport numpy as np\nimport torch\n"
CLASSES = """
P = collections.namedtuple("P", "a b")
@dataclasses.dataclass
class D:
    a: int
    b: str
class E(enum.Enum):
    A = 1
class I(enum.IntEnum):
    A = 1
class S(str):
    pass
class L(list):
    pass
class O:
    a = 1
    def m(self):
        return 2
    def __add__(self, other):
        return self
    def __sub__(self, other):
        return 0
    def __eq__(self, other):
        return True
"""
CROSS = [  # what crosses the wire as what it is
    *("{1, 2}", "frozenset('ab')", "b'ab'", "1 + 2j", "10**40", "-2**63", "set()", "None", "''", "[1, (2.5, None)]"),
    "{'b': {1: 'a', (1, 2): 'b', None: 0}, 'a': []}",
]
VALUES = [  # (how a learner makes it, what an instructor asserts of it)
    *((value, f"x == {value} and type(x) is type({value})") for value in CROSS),
    *(("np.int64(3)", "x == 3"), ("np.float32(.5)", "x == 0.5 and type(x) is float"), ("np.bool_(True)", "x is True")),
    ("np.arange(6.).reshape(2,3)", "x.sum() == 15 and isinstance(x, np.ndarray) and x.shape == (2, 3)"),
    *(("np.array([1j])", "x[0] == 1j"), ("np.arange(3, dtype=np.uint16)", "x.dtype == np.uint16")),
    *(("torch.tensor([1j])", "x[0] == 1j"), ("torch.zeros(2, 3).shape", "x == (2, 3)")),
    ("torch.nn.Parameter(torch.ones(2))", "x.tolist() == [1, 1] and not x.requires_grad"),
    ("torch.eye(3).max(dim=0)", "(x[0] == 1).all() and x[1].tolist() == [0, 1, 2]"),
    *(("S('a')", "x == 'a' and type(x) is str"), ("L([1])", "x == [1] and type(x) is list"), ("I.A", "x == 1")),
    *(("collections.Counter('aab')", "x == {'a': 2, 'b': 1}"), ("P(1, 2)", "x == (1, 2)")),
    *(("collections.OrderedDict(b=1, a=2)", "list(x) == ['b', 'a']"), ("float('nan')", "x != x")),
    *(("D(1, 'z')", "x.a == 1 and x.b == 'z'"), ("E.A", "x.name == 'A' and x.value == 1")),
    *(("fractions.Fraction(1, 3)", "(x.numerator, x.denominator) == (1, 3)"), ("uuid.UUID(int=5)", "x.int == 5")),
    *(("O()", "x.a == 1 and x.m() == 2"), ("O()", "not hasattr(x, 'nothing')"), ("[O()]", "x[0].m() == 2")),
    *(("{len: 1}", "list(x.values()) == [1]"), ("{len}", "len(x) == 1")),
]
WRONG = [  # the learner's objects say what they like; no value of ours is equal to them, and none has their attributes
    *(("O()", "x == 3"), ("O()", "x - 3 == 0"), ("O()", "x.nothing"), ("len", "f.nothing"), ("O()", "3 == x")),
    *(("O()", "not x != 3"), ("O()", "3 in [x]"), ("O()", "x in [3]"), ("D(1, 'z')", "x")),
]


TASK_CHECK = """
from tests.autograder.test_kinds import {name} as task
from autograder.checking.observation import Candidate
from autograder.checking.checker import examine
from autograder.finding import CheckFailed

finding = examine(task, Candidate(answer), False)
if finding is not None:
    raise CheckFailed.of(finding)
"""


def count(words: list[str]) -> int:
    return len(words)


def tally(words: list[str]) -> dict[str, int]:
    return {word: words.count(word) for word in words}


def share(size: int) -> float:
    return 1 / math.sqrt(size)


def zeros(like: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(like)


def helper(x: torch.Tensor) -> torch.Tensor:
    return x + 1


def doubled(x: torch.Tensor) -> torch.Tensor:
    return 2 * helper(x)


def guarded(size: int) -> int:
    if size < 0:
        raise ValueError("size: got a negative one")
    return size


COUNT = Task(count, "count", [visible(words=["a", "b"]), hidden("none", words=[])], gradients=False)
TALLY = Task(tally, "tally", [visible(words=["a"]), visible("more", words=["a", "b"])], gradients=False)
SHARE = Task(share, "share", [visible(size=7)], gradients=False)
ZEROS = Task(zeros, "zeros", [visible()], lambda draw: {"like": draw.normal(2, 3)}, gradients=False, again=False)
NO_FACTOR = mistake("no_factor", "the factor is missing", edit("2 * {x}", "{x}"))
DRAWN = {"inputs": lambda draw: {"x": draw.normal(2, 3)}, "earlier": (helper,), "mistakes": [NO_FACTOR]}
DOUBLED = Task(doubled, "doubled", [visible()], **DRAWN)
NEGATIVE = visible("negative", size=-1, raises="ValueError")
GUARDED = Task(guarded, "guarded", [visible(size=3), NEGATIVE], gradients=False)
OBJECT_KEY = "class Key:\n    def __str__(self): return 'a'\nKEY = Key()\ndef answer(words): return {KEY: 1}"

ANSWERS = [
    ("COUNT", "def answer(words): return len(words)", ""),
    ("COUNT", "import numpy as np\ndef answer(words): return np.int64(len(words))", ""),
    ("COUNT", "import torch\ndef answer(words): return torch.tensor(len(words))", ""),
    ("COUNT", "def answer(words): return float(len(words)) + 0.5", "values"),
    ("COUNT", "def answer(words):\n    n = len(words)\n    words.pop()\n    return n", "changed_in_place"),
    *(("COUNT", "def answer(words): return str(len(words))", "kind"), ("TALLY", OBJECT_KEY, "values")),
    ("SHARE", "import numpy as np\ndef answer(size): return np.float32(size) ** -0.5", ""),
    ("SHARE", "import numpy as np\ndef answer(size): return np.array(size ** -0.5)", ""),
    ("ZEROS", "import torch\ndef answer(like): return torch.zeros(like.shape, device=like.device)", ""),
    ("ZEROS", "import torch\ndef answer(like): return torch.zeros(like.shape, device='meta')", "device"),
    ("DOUBLED", "def helper(x): return x + 1\ndef answer(x): return 2 * helper(x)", ""),
    ("DOUBLED", "def helper(x): raise NotImplementedError\ndef answer(x): return helper(x) + helper(x)", "not_written"),
    ("DOUBLED", "def helper(x): return x + 1\ndef answer(x): return helper(x)", "no_factor"),
    ("GUARDED", "def answer(size):\n    if size < 0: raise ValueError\n    return size", ""),
    ("GUARDED", "class Mine(ValueError): pass\ndef answer(size):\n    if size < 0: raise Mine\n    return size", ""),
    ("GUARDED", "def answer(size):\n    assert size >= 0\n    return size", "error_wrong"),
    ("GUARDED", "def answer(size): return size", "error_missing"),
]


def test_an_honest_result_is_what_it_was_and_what_an_object_says_of_itself_earns_nothing(judge):
    """By a call, and by the name of a value."""
    cells, expected = [Cell("classes", "code", IMPORTS + CLASSES)], {}
    for number, (source, asserted) in enumerate(VALUES + WRONG):
        cells.append(Cell(f"{number}", "code", f"def f{number}(): return {source}\nv{number} = f{number}()"))
        for value in (f"f{number}()", f"v{number}"):
            check = f"x, f = {value}, f{number}\nassert {asserted}"
            cells.append(Cell(f"{source}: {value}", "check", check, 1.0))
            expected[f"{source}: {value}"] = float(number < len(VALUES))
    checks = {check.cell: check for check in judge.run(Job(tuple(cells), 0, IMPORTS)).checks}
    assert list(checks) == list(expected)
    assert [(name, check.message) for name, check in checks.items() if check.points != expected[name]] == []


def from_source(source, name, space):
    """What a cell defines under this name; its lines are registered so that tracebacks show them."""
    file = f"<answer {len(linecache.cache)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), space)
    return space[name]


def test_the_wire_says_what_the_notebook_says(judge):
    draw.seed = 0
    missed = []
    for task, source, expected in ANSWERS:
        cells = (Cell("answer", "code", source), Cell("check", "check", TASK_CHECK.format(name=task), 1.0))
        (check,) = judge.run(Job(cells, seed=0)).checks
        here = examine(globals()[task], Candidate(from_source(source, "answer", {"__name__": "__main__"})), False)
        mistake_here = here.mistake.partition(":")[0] if here else ""
        if mistake_here != expected or check.finding != (here or check.finding) or check.points != float(not expected):
            missed.append((task, source, expected, here, check))
    assert missed == []
