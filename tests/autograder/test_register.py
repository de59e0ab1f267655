"""An assignment is registered again only where the gradebook has something else."""

import pytest
from nbgrader.api import Gradebook, GradeCell, Notebook, SolutionCell, SourceCell
from small_course import NAME

from autograder.authoring.assignment import load
from autograder.gradebook import register
from tests.gradebook_dump import dump


@pytest.fixture
def url(course, tmp_path):
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    register.register(url, load(course, NAME))
    return url


def test_what_is_there_already_is_not_written_again(url, course, monkeypatch):
    before = dump(url)
    monkeypatch.setattr(register, "SaveCells", None)
    register.register(url, load(course, NAME))
    assert dump(url) == before


CHANGES = {
    "points": (GradeCell, "max_score", 17.0),
    "type": (GradeCell, "cell_type", "markdown"),
    "source": (SourceCell, "source", "changed"),
    "checksum": (SourceCell, "checksum", "changed"),
    "lock": (SourceCell, "locked", False),
    "kernel": (Notebook, "kernelspec", "{}"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_differs_is_put_right(url, course, change):
    before = set(cells(url))
    kind, column, value = CHANGES[change]
    with Gradebook(url) as gradebook:
        found = next(one for one in gradebook.db.query(kind) if getattr(one, column) not in (value, None))
        setattr(found, column, value)
        gradebook.db.commit()
    assert set(cells(url)) != before
    register.register(url, load(course, NAME))
    assert set(cells(url)) == before


def test_a_cell_that_is_gone_comes_back(url, course):
    before = set(cells(url))
    with Gradebook(url) as gradebook:
        gradebook.db.delete(gradebook.db.query(SolutionCell).first())
        gradebook.db.commit()
    register.register(url, load(course, NAME))
    assert set(cells(url)) == before


def cells(url):
    with Gradebook(url) as gradebook:
        yield from register._cells_in(gradebook, NAME)
