"""One rule for values, in the notebook and over the wire: of every harmless kind they are what they were."""

import math

import torch

from autograder import expect
from autograder.checking.checker import found
from autograder.checking.definition import from_source
from autograder.checking.edits import edit
from autograder.checking.observe import Subject
from autograder.checking.task import Task, hidden, mistake, visible
from autograder.records.job import Cell, Job

IMPORTS = "import collections, dataclasses, datetime, decimal, enum, fractions, pathlib, uuid\n"
IMPORTS += "import numpy as np\nimport torch\n"
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
EQUAL = [  # what is equal to what it was made as
    *("np.datetime64('2020-01-01')", "{1,2}", "frozenset('ab')", "b'ab'", "bytearray(b'a')", "1+2j", "10**40", "..."),
    *("fractions.Fraction(1,3)", "collections.OrderedDict(a=1)", "slice(1,2)", "torch.float32", "int", "set()"),
    *("datetime.datetime(2020,1,2,3)", "datetime.datetime(2020,1,2,tzinfo=datetime.timezone.utc)", "-2**63"),
    "NotImplemented",
]
VALUES = [  # (how a learner makes it, what an instructor asserts of it)
    *((value, f"x == {value} and type(x) is type({value})") for value in EQUAL),
    ("np.int64(3)", "x == 3 and x.dtype == np.int64"),
    ("np.arange(6.).reshape(2,3)", "x.sum() == 15 and isinstance(x, np.ndarray) and x.shape==(2,3)"),
    *(("np.float32(.5)", "isinstance(x, np.float32)"), ("np.bool_(True)", "bool(x)")),
    *(("np.array(['a','b'])", "x.tolist()==['a','b']"), ("np.array([1j])", "x[0]==1j")),
    *(("np.arange(3, dtype=np.uint16)", "x.dtype==np.uint16"), ("range(3)", "list(x)==[0,1,2] and x==range(3)")),
    ("decimal.Decimal('1.10')", "str(x)=='1.10'"),
    ("collections.Counter('aab')", "x['a']==2 and x.most_common(1)==[('a',2)] and x['z']==0"),
    ("collections.defaultdict(list,{'a':[1]})", "x['a']==[1] and x=={'a':[1]}"),
    ("{1:'a',(1,2):'b',None:0,True:1}", "x[(1,2)]=='b'"),
    ("collections.deque([1,2],maxlen=5)", "x==collections.deque([1,2]) and x.maxlen==5"),
    *(("datetime.date(2020,1,2)", "x.year==2020"), ("datetime.time(3)", "x.hour==3")),
    ("datetime.timedelta(hours=3)", "x.total_seconds()==10800"),
    ("pathlib.Path('a/b')", "x==pathlib.Path('a/b') and x.name=='b'"),
    *(("P(1,2)", "x==(1,2) and x.a==1 and x.b==2"), ("D(1,'z')", "x.a==1 and x.b=='z'")),
    ("E.A", "x.name=='A' and x.value==1"),
    ("[{'a':1}.keys(), {'a':1}.values(), {'a':1}.items()]", "[*map(list, x)]==[['a'],[1],[('a',1)]]"),
    (
        "[map(str,[1]), zip([1],[2]), enumerate('a'), reversed([1,2])]",
        "[*map(list, x)]==[['1'],[(1,2)],[(0,'a')],[2,1]]",
    ),
    *(("(i for i in [1,2])", "list(x)==[1,2]"), ("S('a')", "x=='a'"), ("L([1])", "x==[1]")),
    *(("torch.tensor([1j])", "x[0]==1j"), ("torch.zeros(2,3).shape", "x==(2,3)")),
    *(("torch.device('cpu')", "x.type=='cpu'"), ("__import__('array').array('d',[1.])", "list(x)==[1.]")),
    *(("memoryview(b'a')", "bytes(x)==b'a'"), ("uuid.UUID(int=5)", "x.int==5")),
    *(("{'a':{1,2},'b':[np.arange(3)]}", "x['a']=={1,2} and x['b'][0].sum()==3"), ("I.A", "x==1")),
    *(("ValueError('x')", "str(x)=='x'"), ("np.matrix([[1]])", "x.sum()==1")),
    *(("__import__('types').SimpleNamespace(a=1)", "x.a==1"), ("O()", "x.a==1 and x.m()==2")),
    *(("{'b':1,'a':2}", "list(x)==['b','a']"), ("float('nan')", "x!=x"), ("np.array(3.)", "x==3 and x.shape==()")),
    *(("np.ma.array([1,2],mask=[0,1])", "x.sum()==1"), ("collections.ChainMap({'a':1})", "x['a']==1")),
    ("np.array([(1,2.)],dtype=[('a','i4'),('b','f8')])", "x['a'][0]==1"),
    ("__import__('types').MappingProxyType({'a':1})", "x['a']==1"),
    ("np.array([1,'a',None],dtype=object)", "x.tolist()==[1,'a',None]"),
    ("(n for n in __import__('itertools').count())", "next(x) == 0 and next(x) == 1"),
    ("__import__('re').match('(a)b', 'ab')", "x.group(1) == 'a'"),
    ("[np.float64(0.25), np.mean([1, 2])]", "{*map(type, x)} <= {float, np.float64} and x == [0.25, 1.5]"),
    ("torch.eye(3).max(dim=0)", "(x[0] == 1).all() and [*x][1].tolist() == [0, 1, 2]"),
    ("O()", "not hasattr(x, 'nothing')"),
]
WRONG = [  # the learner's objects say what they like; no value of ours is equal to them, and none has their attributes
    *(("O()", "x == 3"), ("O()", "x - 3 == 0"), ("O()", "x.nothing"), ("len", "f.nothing")),
]


TASK_CHECK = """
from tests.autograder.test_kinds import {name} as task
from autograder.checking.observe import Subject
from autograder.checking.checker import found
from autograder.expect import CheckFailed

finding = found(task, Subject(answer), False)
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


def test_the_wire_says_what_the_notebook_says(judge):
    expect.seed = 0
    missed = []
    for task, source, expected in ANSWERS:
        cells = (Cell("answer", "code", source), Cell("check", "check", TASK_CHECK.format(name=task), 1.0))
        (check,) = judge.run(Job(cells, seed=0)).checks
        here = found(globals()[task], Subject(from_source(source, "answer", {"__name__": "__main__"})), False)
        mistake_here = here.mistake.partition(":")[0] if here else ""
        if mistake_here != expected or check.finding != (here or check.finding) or check.points != float(not expected):
            missed.append((task, source, expected, here, check))
    assert missed == []
