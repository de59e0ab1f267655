"""Which cells do not run for a grade: demonstrations as released, whose names nothing else reads."""

import json
from pathlib import Path

import pytest
from nbformat import v4, writes

from autograder.authoring.assignment import Assignment, known, load
from autograder.submissions.submission import Submission

ROOT = Path(__file__).resolve().parents[2]

SHOWN = "picture = answer(3)\nprint(picture)"


def assignment(*shown: str) -> Assignment:
    settings = {"schema_version": 3, "grade": False, "locked": False, "solution": True, "grade_id": "answer"}
    cells = [v4.new_code_cell("def answer(x): ...", id="answer", metadata={"nbgrader": settings})]
    cells += [
        v4.new_code_cell(source, id=f"shown-{number}", metadata={"tags": ["demonstration"]})
        for number, source in enumerate(shown)
    ]
    return Assignment("small", writes(v4.new_notebook(cells=cells), version=4))


def run(of: Assignment, *sources: str) -> list[str]:
    """The sources that run of a notebook of these cells."""
    notebook = v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources])
    return [cell.source for cell in Submission.read(writes(notebook, version=4).encode(), of).job(0).cells]


def test_a_demonstration_as_released_does_not_run():
    assert SHOWN not in run(assignment(SHOWN), SHOWN, "mine = 1")


def test_one_that_was_changed_runs():
    assert SHOWN + "\nmore = 1" in run(assignment(SHOWN), SHOWN + "\nmore = 1")


@pytest.mark.parametrize(
    "reader",
    [
        "picture + 1",
        "def f():\n    return picture",
        "class A:\n    size = picture",
        "picture += 1",
        "del picture",
        "%time picture",
        "largest = max(one for one in picture)",
    ],
)
def test_one_whose_names_are_read_runs(reader):
    assert SHOWN in run(assignment(SHOWN), SHOWN, reader)


@pytest.mark.parametrize(
    "other",
    ["picture = 2\npicture + 1", "def f(picture):\n    return picture", "for picture in [1]:\n    print(picture)"],
)
def test_one_whose_names_others_bind_themselves_does_not_run(other):
    assert SHOWN not in run(assignment(SHOWN), SHOWN, other)


def test_one_that_another_one_needs_runs_where_that_runs():
    second = "print(picture)\nlast = 3"
    assert SHOWN in run(assignment(SHOWN, second), SHOWN, second, "last")
    assert SHOWN not in run(assignment(SHOWN, second), SHOWN, second)


@pytest.mark.parametrize("name", [name for name in known(ROOT) if name[0] in "01"])
def test_every_exercise_has_demonstrations_that_need_not_run(name):
    of = load(ROOT, name)
    idle = [entry for entry in Submission.read(of.text.encode(), of).entries if entry.idle]
    shown = [cell for cell in json.loads(of.text)["cells"] if "demonstration" in cell["metadata"].get("tags", [])]
    assert len(idle) >= len(shown) - 2
    assert shown
