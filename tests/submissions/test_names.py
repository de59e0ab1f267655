import time

import pytest

from autograder.submissions.defined_names import KNOWN, MAX_SOURCE, names_of


@pytest.mark.parametrize(
    ("source", "bound"),
    [
        ("def f(a, b=c):\n    d = 1", {"f"}),
        ("async def f(): pass", {"f"}),
        ("class A(B):\n    x = 1\n    def g(self): y = 1", {"A"}),
        ("import torch.nn.functional as F, math", {"F", "math"}),
        ("import torch.nn", {"torch"}),
        ("from a.b import (c, d as e)", {"c", "e"}),
        ("a, (b, c) = 1, (2, 3)\nd: int = 4\ne += 1", {"a", "b", "c", "d", "e"}),
        ("x.y = 1\nz[i] = 2\nf(k=3)", set()),
        ("if True:\n    a = 1\ntry:\n    import b\nexcept E as e:\n    pass", {"a", "b", "e"}),
        ("for i, j in pairs:\n    k = i", {"i", "j", "k"}),
        ("with open(x) as file, (n := 3): pass", {"file", "n"}),
        ("def f():\n    x = 1\ny = 2", {"f", "y"}),
        ("%matplotlib inline\n!pip install x\nimport math", {"math"}),
    ],
)
def test_what_a_cell_binds_at_its_top(source, bound):
    assert names_of(source).bound == bound


@pytest.mark.parametrize(
    ("source", "free"),
    [
        ("def f(scores):\n    return helper(scores, dim=0).dim", {"helper"}),
        ("def f(x):\n    LOW = 1\n    return x + LOW + HIGH", {"HIGH"}),
        ("[helper(i) for i in things]", {"helper", "things"}),
        ("lambda i: i + j", {"j"}),
        ("x = 1\nx += y", {"y"}),
        ("total += 1", {"total"}),
        ("%time helper()\nfiles = !ls\nhelper?", {"time", "helper", "files", "ls"}),
        ("x = (", {"x"}),
        ('"helper"  # helper\nprint(len([]))', set()),
        ("class A(B):\n    @C.d\n    def e(self) -> 'T': return super().e()", {"B", "C"}),
    ],
)
def test_what_a_cell_needs_from_others(source, free):
    assert names_of(source).free - KNOWN == free


@pytest.mark.parametrize(
    "source", ["def f(:\n  x = (", "'''", "  a\n b", "\0", "-" * 10_000 + "1", "(" * 10_000, "x = §"]
)
def test_what_is_no_python_does_no_harm(source):
    start = time.monotonic()
    names_of(source)
    assert time.monotonic() - start < 1


def test_a_very_long_cell_has_no_names():
    assert names_of("x = 1\n" * 10_000).bound == set()


@pytest.mark.parametrize(
    "part",
    ["for ", "lambda ", "for x ", "x as ", "x:=", "from ", "import a,", "= ", "def ", "[", "a.", "x=for ", "'", "\\\n"],
)
def test_a_long_cell_is_read_in_a_time_that_grows_with_its_length(part):
    """One that grows with its square took two seconds of the processor for some."""
    source = (part * MAX_SOURCE)[:MAX_SOURCE]
    start = time.process_time()
    names_of(source)
    assert time.process_time() - start < 0.5
