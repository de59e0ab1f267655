"""What only a newer Python can read is named with the Python that it needs and the one that graded."""

import ast

import pytest
from notebook_changes import prefixed

from autograder.submissions.cells import NotebookCell
from autograder.submissions.newer_syntax import NEWER, newer_syntax

SOURCES = {
    'print(f"{names["a"]}")': "3.12",
    "print(f'{names['a']}')": "3.12",
    "def first[T](items: list[T]) -> T:\n    return items[0]": "3.12",
    "class Box[T]:\n    pass": "3.12",
    "type Weights = list": "3.12",
    "try:\n    pass\nexcept ValueError, TypeError:\n    pass": "3.14",
    "shown = t'{names}'": "3.14",
    "def f(:": "",
    'print(f"{names[")': "",
    "print(f\"{names['a']}\")": "",
    "type = 3\nclass Box:\n    pass": "",
    "% not python [": "",
}


def is_python(source):
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


@pytest.mark.parametrize("source", SOURCES)
def test_the_python_that_is_needed_and_the_one_that_graded_are_named(source):
    notes = newer_syntax([NotebookCell("code", source, "attend")], (3, 11))
    if is_python(source) or not SOURCES[source]:
        assert notes == []
        return
    (note,) = notes
    assert note.startswith("attend has ")
    assert f"needs Python {SOURCES[source]} or newer; it was graded by Python 3.11, which cannot read" in note


def test_a_python_that_is_new_enough_says_nothing():
    newest = max(least for least, *_ in NEWER)
    assert newer_syntax([NotebookCell("code", source) for source in SOURCES], newest) == []


@pytest.mark.parametrize("source", [source for source, least in SOURCES.items() if least])
def test_a_submission_is_told_it_wherever_its_python_is_older(read, source):
    told = [
        note
        for note in read(prefixed("dot_scorer", f"{source}\n")).notes
        if f"needs Python {SOURCES[source]} or newer" in note
    ]
    assert len(told) == (not is_python(source))
