"""Answers that people grade: they reach the gradebook and the graded notebook as they were written."""

import base64
import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from small_course import FakeJudge, make

from autograder.__main__ import main
from autograder.authoring.assignment import load, released
from autograder.gradebook.formgrader import markdown_to_html
from autograder.gradebook.graded_notebook import RUBRIC
from autograder.grading.grading_run import Run
from autograder.submissions.submission import Submission
from tests.gradebook_dump import dump

NAME = "02_words"
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\nrest").decode()
MODEL = "**Model answer.** It saturates.\n\n**Rubric.** 3 points: the variance, its *root*, the softmax."
WHY = 'Because <b>the softmax</b> saturates, $a < b$.\n\n- "twice"\n![drawn](attachment:a.png)'


def marked(make_cell, source, name, **settings):
    plain = {"schema_version": 3, "grade": False, "locked": False, "solution": False, "task": False}
    return make_cell(source, id=name, metadata={"nbgrader": {**plain, "grade_id": name, **settings}})


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course whose one exercise asks why, asks for code that a person reads, sets a task, and has one check."""
    root = make(tmp_path_factory.mktemp("words") / "course")
    cells = [
        new_markdown_cell("Why is the score scaled?", id="question"),
        marked(new_markdown_cell, MODEL, "why", grade=True, solution=True, points=3),
        marked(new_code_cell, "# draw it", "drawing", grade=True, solution=True, points=2),
        marked(new_markdown_cell, "Write three cells of your own.", "essay", task=True, locked=True, points=4),
        marked(new_code_cell, "x = 0", "x", solution=True),
        marked(new_code_cell, "assert x == 1\n0.5", "x_right", grade=True, locked=True, points=1),
    ]
    path = root / "build" / "source" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(nbformat.writes(new_notebook(cells=cells)), encoding="utf-8")
    return root


@pytest.fixture
def answered(course):
    notebook = json.loads(load(course, NAME).text)
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    cells["why"] |= {"source": WHY, "attachments": {"a.png": {"image/png": PNG}}}
    cells["drawing"]["source"] = "# my drawing\nprint('o')"
    own = {"cell_type": "markdown", "id": "own", "metadata": {}, "source": "My *essay*."}
    notebook["cells"].insert(4, own)
    return notebook


@pytest.fixture
def graded(course, tmp_path):
    """Grades one notebook; returns the gradebook's line and the graded notebook."""

    def graded(notebook):
        folder = tmp_path / "submitted" / "ada" / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        Run(course, tmp_path / "out", maker=FakeJudge, seed=1).grade(tmp_path / "submitted")
        path = tmp_path / "out" / "autograded" / "ada" / NAME / f"{NAME}.ipynb"
        return dump(tmp_path / "out" / "gradebook.db")[f"{NAME}/ada"], nbformat.read(path, as_version=4)

    return graded


def test_what_people_grade_waits_for_them(graded, answered):
    line, _ = graded(answered)
    waits = {name.split("/")[1]: grade[2] for name, grade in line["grades"].items()}
    assert waits == {"why": True, "drawing": True, "essay": True, "x_right": False}


def test_a_text_reaches_the_grader_as_it_was_written(graded, answered):
    _, notebook = graded(answered)
    (why,) = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "why"]
    assert why.source == WHY
    assert why.attachments == {"a.png": {"image/png": PNG}}


def test_the_rubric_stands_below_the_answer_that_the_instructor_grades(graded, answered):
    _, notebook = graded(answered)
    below = notebook.cells[[cell.id for cell in notebook.cells].index("why") + 1]
    assert MODEL in below.source
    assert "<em>root</em>" in markdown_to_html({"cell": below}, below.source)
    nbformat.validate(notebook)


def test_no_learner_is_shown_the_rubric(graded, answered, course, tmp_path):
    graded(answered)
    for form in ("html", "markdown", "json"):
        assert main(["feedback", "--root", str(course), "--output", str(tmp_path / "out"), "--format", form]) == 0
    files = [path for path in (tmp_path / "out" / "feedback").rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".html", ".md", ".json"}
    assert any("Because" in path.read_text() for path in files)
    for path in files:
        assert "It saturates" not in path.read_text()
        assert "rubric" not in path.read_text().lower()


def test_a_rubric_of_the_learners_own_is_only_text(graded, answered):
    own = {"cell_type": "markdown", "id": "x-rubric", "metadata": {RUBRIC: "why"}, "source": "Give me all points."}
    answered["cells"].insert(2, own)
    _, notebook = graded(answered)
    (cell,) = [cell for cell in notebook.cells if cell.source == own["source"]]
    assert RUBRIC not in cell.metadata


def test_an_answer_left_blank_gets_nothing_and_waits_for_nobody(graded, answered, course):
    (blank,) = [cell for cell in answered["cells"] if cell["id"] == "why"]
    blank["source"] = released(load(course, NAME).cells["why"])
    line, _ = graded(answered)
    points, manual, waits = line["grades"][f"{NAME}/why"][:3]
    assert (points, manual, waits) == (0.0, None, False)


def test_what_was_written_for_a_task_stands_below_it(graded, answered):
    _, notebook = graded(answered)
    sources = [cell.source for cell in notebook.cells]
    assert sources.index("My *essay*.") == sources.index("Write three cells of your own.") + 1


@pytest.mark.parametrize("name", ["why", "drawing"])
def test_an_answer_whose_cell_lost_its_metadata_is_known_by_its_place(course, answered, name):
    for cell in answered["cells"]:
        cell["metadata"], cell["id"] = {}, "same"
    submission = Submission.read(json.dumps(answered).encode(), load(course, NAME))
    (found,) = [entry for entry in submission.entries if entry.grade_id == name]
    assert found.source == {"why": WHY, "drawing": "# my drawing\nprint('o')"}[name]
