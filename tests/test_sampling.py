"""`--sample` leaves out what takes long, and nothing else."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.conftest import pytest_collection_modifyitems


class Item:
    def __init__(self, nodeid, **marks):
        self.nodeid, self.marks = nodeid, {name: SimpleNamespace(args=args) for name, args in marks.items()}

    def get_closest_marker(self, name):
        return self.marks.get(name)


def chosen(items, sample):
    gone = []
    hook = SimpleNamespace(pytest_deselected=lambda items: gone.extend(items))
    pytest_collection_modifyitems(SimpleNamespace(getoption=lambda name: sample, hook=hook), items)
    return [item.nodeid for item in items], [item.nodeid for item in gone]


@pytest.fixture
def items():
    many = [Item(f"a.py::many[{number}]", sampled=(3,)) for number in range(7)]
    return [Item("a.py::plain"), *many, Item("a.py::slow", long=()), Item("b.py::one", sampled=(3,))]


def test_without_it_every_test_runs(items):
    assert chosen(items, sample=False) == ([item.nodeid for item in items], [])


def test_with_it_one_in_n_of_each_function_runs_and_nothing_long(items):
    kept, gone = chosen(items, sample=True)
    assert kept == ["a.py::plain", "a.py::many[0]", "a.py::many[3]", "a.py::many[6]", "b.py::one"]
    assert "a.py::slow" in gone
    assert len(kept) + len(gone) == 10
