"""Results of every harmless kind, in an instructor's own plain assertions: over the wire they are what they were."""

import json
from fractions import Fraction
from pathlib import Path

import numpy
import pytest

from autograder.judging.judge import Judge
from autograder.records.job import Cell, Job
from autograder.sandbox import kinds
from autograder.sandbox.kinds import KINDS, put_together, taken_apart
from autograder.sandbox.wire import Kind, WireError, decode, encode

ROOT = Path(__file__).resolve().parents[2]
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
VALUES = {  # what it is: (how a learner makes it, what an instructor asserts of it)
    "np int": ("np.int64(3)", "x == 3 and x.dtype == np.int64"),
    "np array": ("np.arange(6.).reshape(2,3)", "x.sum() == 15 and isinstance(x, np.ndarray) and x.shape==(2,3)"),
    "np f32": ("np.float32(.5)", "isinstance(x, np.float32)"),
    "np bool": ("np.bool_(True)", "bool(x)"),
    "np str": ("np.array(['a','b'])", "x.tolist()==['a','b']"),
    "np complex": ("np.array([1j])", "x[0]==1j"),
    "np uint16": ("np.arange(3, dtype=np.uint16)", "x.dtype==np.uint16"),
    "np dt": ("np.datetime64('2020-01-01')", "x==np.datetime64('2020-01-01')"),
    "set": ("{1,2}", "x=={1,2}"),
    "frozenset": ("frozenset('ab')", "x==frozenset('ab')"),
    "bytes": ("b'ab'", "x==b'ab'"),
    "bytearray": ("bytearray(b'a')", "x==bytearray(b'a')"),
    "range": ("range(3)", "list(x)==[0,1,2] and x==range(3)"),
    "complex": ("1+2j", "x==1+2j"),
    "Fraction": ("fractions.Fraction(1,3)", "x==fractions.Fraction(1,3)"),
    "Decimal": ("decimal.Decimal('1.10')", "str(x)=='1.10'"),
    "Counter": ("collections.Counter('aab')", "x['a']==2 and x.most_common(1)==[('a',2)] and x['z']==0"),
    "OrderedDict": ("collections.OrderedDict(a=1)", "x==collections.OrderedDict(a=1)"),
    "defaultdict": ("collections.defaultdict(list,{'a':[1]})", "x['a']==[1] and x=={'a':[1]}"),
    "int keys": ("{1:'a',(1,2):'b',None:0,True:1}", "x[(1,2)]=='b'"),
    "deque": ("collections.deque([1,2],maxlen=5)", "x==collections.deque([1,2]) and x.maxlen==5"),
    "big": ("10**40", "x==10**40"),
    "neg big": ("-2**63", "x==-2**63"),
    "datetime": ("datetime.datetime(2020,1,2,3)", "x==datetime.datetime(2020,1,2,3)"),
    "date": ("datetime.date(2020,1,2)", "x.year==2020"),
    "time": ("datetime.time(3)", "x.hour==3"),
    "timedelta": ("datetime.timedelta(hours=3)", "x.total_seconds()==10800"),
    "tz": (
        "datetime.datetime(2020,1,2,tzinfo=datetime.timezone.utc)",
        "x==datetime.datetime(2020,1,2,tzinfo=datetime.timezone.utc)",
    ),
    "Path": ("pathlib.Path('a/b')", "x==pathlib.Path('a/b') and x.name=='b'"),
    "slice": ("slice(1,2)", "x==slice(1,2)"),
    "Ellipsis": ("...", "x is ..."),
    "NotImplemented": ("NotImplemented", "x is NotImplemented"),
    "namedtuple": ("P(1,2)", "x==(1,2) and x.a==1 and x.b==2"),
    "dataclass": ("D(1,'z')", "x.a==1 and x.b=='z'"),
    "enum": ("E.A", "x.name=='A' and x.value==1"),
    "keys": ("{'a':1}.keys()", "set(x)=={'a'}"),
    "values": ("{'a':1}.values()", "list(x)==[1]"),
    "items": ("{'a':1}.items()", "list(x)==[('a',1)]"),
    "map": ("map(str,[1])", "list(x)==['1']"),
    "zip": ("zip([1],[2])", "list(x)==[(1,2)]"),
    "generator": ("(i for i in [1,2])", "list(x)==[1,2]"),
    "enumerate": ("enumerate('a')", "list(x)==[(0,'a')]"),
    "reversed": ("reversed([1,2])", "list(x)==[2,1]"),
    "strsub": ("S('a')", "x=='a'"),
    "listsub": ("L([1])", "x==[1]"),
    "complex tensor": ("torch.tensor([1j])", "x[0]==1j"),
    "torch size": ("torch.zeros(2,3).shape", "x==(2,3)"),
    "dtype": ("torch.float32", "x==torch.float32"),
    "device": ("torch.device('cpu')", "x.type=='cpu'"),
    "type": ("int", "x is int"),
    "array": ("__import__('array').array('d',[1.])", "list(x)==[1.]"),
    "memoryview": ("memoryview(b'a')", "bytes(x)==b'a'"),
    "uuid": ("uuid.UUID(int=5)", "x.int==5"),
    "nested": ("{'a':{1,2},'b':[np.arange(3)]}", "x['a']=={1,2} and x['b'][0].sum()==3"),
    "intenum": ("I.A", "x==1"),
    "exception": ("ValueError('x')", "str(x)=='x'"),
    "polynomial": ("np.matrix([[1]])", "x.sum()==1"),
    "simplens": ("__import__('types').SimpleNamespace(a=1)", "x.a==1"),
    "plain object": ("O()", "x.a==1 and x.m()==2"),
    "str keyed order": ("{'b':1,'a':2}", "list(x)==['b','a']"),
    "emptyset": ("set()", "x==set() and not x"),
    "nan": ("float('nan')", "x!=x"),
    "np 0d": ("np.array(3.)", "x==3 and x.shape==()"),
    "masked": ("np.ma.array([1,2],mask=[0,1])", "x.sum()==1"),
    "chainmap": ("collections.ChainMap({'a':1})", "x['a']==1"),
    "np struct": ("np.array([(1,2.)],dtype=[('a','i4'),('b','f8')])", "x['a'][0]==1"),
    "mappingproxy": ("__import__('types').MappingProxyType({'a':1})", "x['a']==1"),
    "np obj": ("np.array([1,'a',None],dtype=object)", "x.tolist()==[1,'a',None]"),
    "an endless generator": ("(n for n in __import__('itertools').count())", "next(x) == 0 and next(x) == 1"),
    "a match": ("__import__('re').match('(a)b', 'ab')", "x.group(1) == 'a'"),
    "an object's attribute": ("O()", "not hasattr(x, 'nothing')"),
}
WRONG = {  # the learner's objects say what they like; no value of ours is equal to them
    "equal to everything": ("O()", "x == 3"),
    "no difference": ("O()", "x - 3 == 0"),
    "no such attribute": ("O()", "x.nothing"),
    "no such attribute of a function": ("len", "f.nothing"),
}


@pytest.fixture(scope="module")
def told():
    """What an assertion on a value says: by a call, and by the name of a value."""
    cells = [Cell("classes", "code", IMPORTS + CLASSES)]
    for place, (made, asserted) in enumerate((VALUES | WRONG).values()):
        cells.append(Cell(f"made {place}", "code", f"def f{place}(): return {made}\nv{place} = f{place}()"))
        cells.append(Cell(f"{place} called", "check", f"x, f = f{place}(), f{place}\nassert {asserted}", 1.0))
        cells.append(Cell(f"{place} named", "check", f"x, f = v{place}, f{place}\nassert {asserted}", 1.0))
    with Judge((), ROOT, imports=IMPORTS) as judge:
        verdict = judge.run(Job(tuple(cells), 0, IMPORTS))
    return {check.cell: (check.points, check.message) for check in verdict.checks}


@pytest.mark.sandbox
@pytest.mark.parametrize("how", ["called", "named"])
@pytest.mark.parametrize("name", VALUES)
def test_an_honest_result_is_what_it_was(told, name, how):
    assert told[f"{list(VALUES).index(name)} {how}"] == (1.0, "")


@pytest.mark.sandbox
@pytest.mark.parametrize("name", WRONG)
def test_what_a_learners_object_says_of_itself_earns_nothing(told, name):
    place = list(VALUES | WRONG).index(name)
    assert [told[f"{place} {how}"][0] for how in ("called", "named")] == [0.0, 0.0]


def test_an_exception_of_an_answer_is_caught_as_what_it_is():
    from autograder.judging.sanitise import answer_error

    for kind in (ValueError, KeyError, OSError, UnicodeError, ZeroDivisionError, NotImplementedError):
        with pytest.raises(kind, match="words"):
            raise answer_error(kind.__name__, "words", "", [kind.__name__])
    own = answer_error("Mine", "words", "", ["Mine", "LookupError", "Exception"])
    assert isinstance(own, LookupError)
    assert not isinstance(answer_error("SystemExit", "", "", ["SystemExit"]), SystemExit)
    assert not isinstance(answer_error("StopIteration", "", "", ["StopIteration"]), StopIteration)


FORGED = {
    "unknown kind": ("os.system", "true"),
    "a set of lists": ("set", [[]]),
    "a set that is a text": ("set", "ab"),
    "a fraction of nothing": ("Fraction", (1, 0)),
    "a number of texts": ("complex", ("1", "2")),
    "an object dtype": ("numpy", ("|O", [1], b"12345678")),
    "a dtype that is code": ("numpy", ("f8),__import__('os')", [1], b"12345678")),
    "a shape larger than its bytes": ("numpy", ("<f8", [2], b"12345678")),
    "a huge empty shape": ("numpy", ("<f8", [2**62, 0], b"")),
    "texts of a gigabyte": ("numpy", ("<U1000000000", [1], ["a"])),
    "numbers among texts": ("numpy", ("<U1", [1], [1])),
    "a field that is a keyword": ("record", ("P", ("class",), (1,))),
    "a field that is code": ("record", ("P", ("a=__import__('os')",), (1,))),
    "a record's name that is code": ("record", ("P(object): pass", ("a",), (1,))),
    "more values than fields": ("record", ("P", ("a",), (1, 2))),
    "a class that is no built-in one": ("type", "os"),
    "a factory that is none": ("defaultdict", ("eval", {})),
    "a constant that is none": ("constant", "__debug__"),
    "a long decimal": ("Decimal", "9" * 10_000),
    "a month too many": ("date", (2026, 13, 1)),
    "a moment without hours": ("datetime", ((2026, 11, 1), None, 0)),
    "a time without seconds": ("time", ((12, 30), None, 0)),
    "a code of an array": ("array.array", ("u", b"1234")),
    "a shorter array": ("array.array", ("d", b"1234")),
    "an attribute that is no text": ("SimpleNamespace", [1]),
}


@pytest.mark.parametrize("name", FORGED)
def test_parts_that_are_none_are_refused(name):
    with pytest.raises(ValueError, match=r".*"):
        put_together(*FORGED[name])


def test_bools_of_other_bytes_are_true_or_false():
    made = put_together("numpy", ("|b1", [2], b"\x00\x07"))
    assert made.tolist() == [False, True]
    assert made.view("u1").tolist() == [0, 1]


def test_the_number_of_classes_has_an_end(monkeypatch):
    monkeypatch.setattr(kinds, "_records", {})
    for number in range(kinds.MAX_RECORDS):
        put_together("record", (f"P{number}", ("a",), (1,)))
    with pytest.raises(ValueError, match="record"):
        put_together("record", ("One", ("a",), (1,)))


def test_every_rule_is_for_types_of_its_own():
    kinds = [kind for rule in KINDS.values() for kind in rule.types]
    assert len(set(kinds)) == len(kinds)


@pytest.mark.parametrize("value", [b"", b"short", bytes(range(256)) * 40, 10**3000, -(2**200)])
def test_bytes_and_large_whole_numbers_cross(value):
    buffers = []
    tree = json.loads(json.dumps(encode(value, buffers)))
    assert decode(tree, [memoryview(buffer) for buffer in buffers]) == value


def test_kinds_cross_as_names_and_parts():
    apart = taken_apart(Fraction(1, 3))
    other = decode(encode(apart, []), [])
    assert isinstance(other, Kind)
    assert put_together(other.name, other.parts) == Fraction(1, 3)
    assert taken_apart(numpy.float32(1)).name == "number"
    assert taken_apart(object()) is None
    with pytest.raises(WireError):
        decode(["kind", "set", ["pickle", "x"]], [])
