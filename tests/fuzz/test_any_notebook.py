"""Whatever is handed in is read or refused, the checks stay the instructor's, and what is written holds."""

import nbformat
import pytest
from effort import efforts, fuzz
from fuzzed_course import assignment, solved
from hypothesis import strategies as st
from nbgrader import preprocessors
from notebooks import JSON, NOTEBOOKS, STEPS, after, written

from autograder.gradebook.register import register
from autograder.submissions.submission import Submission


def hold(data):
    """Asserts all that is promised of a submission, whatever ``data`` is."""
    submission = Submission.read(data, assignment())
    notebook = submission.notebook()
    nbformat.validate(notebook)
    assert all(isinstance(note, str) for note in submission.notes)
    if submission.unreadable:
        verdict = submission.unreadable_verdict(0)
        assert (verdict.points, verdict.max_points) == (0, sum(assignment().checks.values()))
    else:
        job = submission.job(0)
        checks = [(cell.name, cell.source, cell.max_points) for cell in job.cells if cell.kind == "check"]
        sources = {name: assignment().cells[name].source for name in assignment().checks}
        assert checks == [(name, sources[name], points) for name, points in assignment().checks.items()]
        names = [cell.name for cell in job.cells]
        assert len(set(names)) == len(names)
    graded = [cell.metadata.nbgrader.grade_id for cell in notebook.cells if "nbgrader" in cell.metadata]
    assert len(set(graded)) == len(graded)
    again = Submission.read(nbformat.writes(notebook).encode(), assignment())
    assert content(again.notebook()) == content(notebook)


def content(notebook):
    parts = ("cell_type", "source", "attachments")
    return [[cell.metadata.get("nbgrader"), *(cell.get(part) for part in parts)] for cell in notebook.cells]


FLIPS = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=4)
MARKS = st.sampled_from(["# %%", "# In[1]:", "import torch", "#%% [md]"])


def damaged(steps, flips, end):
    data = bytearray(written(after(solved(), steps)))
    for position, byte in flips:
        data[position % len(data)] = byte
    return bytes(data[: end % len(data)] if end % 3 == 0 else data)


def script(text, mark):
    return f"{mark}\n{text}\n{mark}\n{text}".encode("utf-8", "replace")


SOURCES = {  # how many examples in the suite, and of what
    "any bytes": (100, st.binary(max_size=400)),
    "any JSON": (60, JSON.map(written)),
    "anything of the shape of a notebook": (100, NOTEBOOKS.map(written)),
    "a real notebook after accidents": (150, STEPS.map(lambda steps: written(after(solved(), steps)))),
    "a real notebook after damage to its bytes": (60, st.builds(damaged, STEPS, FLIPS, st.integers(0))),
    "any script": (40, st.builds(script, st.text(max_size=200) | STEPS.map(str), MARKS)),
}


@efforts
@pytest.mark.parametrize("source", SOURCES)
def test_whatever_is_handed_in_is_read_or_refused(source, effort):
    few, data = SOURCES[source]
    fuzz(hold, effort, few, data=data)


def test_cells_that_are_called_like_checks_change_none():
    hold(written({"cells": [{"cell_type": "code", "id": "halver_right"}, {"cell_type": "code", "id": "setup"}]}))


@efforts
def test_nbgraders_sanitising_finds_nothing_to_mend(effort, tmp_path):
    """Before anything of it would run."""
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    register(url, assignment())
    name = assignment().name
    about = {"notebook": name, "assignment": name, "student": "ada", "db_url": url}

    def check(steps):
        notebook = Submission.read(written(after(solved(), steps)), assignment()).notebook()
        resources = {"nbgrader": about, "unique_key": name}
        sanitised = nbformat.reads(nbformat.writes(notebook), as_version=4)
        for step in ("ClearOutput", "DeduplicateIds", "OverwriteKernelspec", "OverwriteCells", "CheckCellMetadata"):
            sanitised, resources = getattr(preprocessors, step)().preprocess(sanitised, resources)
        assert [cell.source for cell in sanitised.cells] == [cell.source for cell in notebook.cells]

    fuzz(check, effort, 25, steps=STEPS)


def test_an_answer_in_a_cell_that_was_merged_with_one_of_which_there_is_a_copy():
    copy = "def double(x):\n    return x"
    hold(
        damaged(
            [("lose metadata", 7, 25, ""), ("merge", 2, 5, ""), ("delete", 5, 20, ""), ("copy", 16, 20, copy)], [], 1
        )
    )


@pytest.mark.parametrize("depth", [100, 990, 5000, 100_000])
def test_deep_nesting(depth):
    hold(b'{"cells": ' + b"[" * depth + b"]" * depth + b"}")
    hold(b'{"cells": [{"cell_type": "code", "metadata": ' + b'{"a":' * depth + b"1" + b"}" * depth + b"}]}")
