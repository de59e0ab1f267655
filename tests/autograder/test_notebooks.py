import nbformat
import pytest
import small_course

from autograder.authoring import build
from autograder.authoring.assignment import Assignment, load, released
from autograder.authoring.notebooks import source_notebook, to_text
from autograder.errors import UsageError
from autograder.settings import TEXT_STUB


@pytest.fixture
def write(tmp_path):
    """Makes a course whose script is changed: write(old, new) → the notebook's maker."""

    def write(old, new):
        root = small_course.make(tmp_path / "course")
        path = root / "solutions" / f"{small_course.NAME}.py"
        assert old in small_course.SCRIPT
        path.write_text(small_course.SCRIPT.replace(old, new), encoding="utf-8")
        return lambda: source_notebook(path, root)

    return write


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("double(torch.ones(2))\n\n", "double(torch.ones(2))\n\n\n\n\n"),
        ("\n\n# %%", "\n# %%"),
        ("# Small", "# Small\n\n"),
    ],
)
def test_empty_lines_between_cells_are_nobodys_fault(write, old, new):
    assert len(write(old, new)().cells) == 8


def test_the_same_script_gives_the_same_bytes(course):
    path = course / "solutions" / f"{small_course.NAME}.py"
    assert to_text(source_notebook(path, course)) == to_text(source_notebook(path, course))


def test_ids_are_the_grade_ids_or_kind_and_position(assignment):
    ids = [cell.id for cell in assignment.notebook.cells]
    assert ids == ["text-01", "setup", "double", "code-04", "double_right", "halver", "halver_right", "halver_hidden"]


def test_a_hidden_check_shows_its_leading_comment_alone(assignment):
    assert released(assignment.cells["halver_hidden"]) == "# More sizes, which you do not see."


def test_points_go_to_the_checks(assignment):
    assert assignment.checks == {"double_right": 2.0, "halver_right": 1.0, "halver_hidden": 1.5}


def test_given_modules_and_imports_come_from_the_script(assignment):
    assert assignment.given == ("seq2seq/__init__.py",)
    assert assignment.imports == "import torch"


QUESTION = """
# %% [markdown]
# Why twice?

# %% [markdown] question="why_twice" points=2
# **Model answer.** Once is too little.
#
# **Rubric.** 1 point: once; 1 point: too little.
"""


@pytest.fixture
def asking(tmp_path):
    """A course whose exercise asks a question in words as well; asking(old, new) → that course's exercise."""

    def asking(old="", new=""):
        root = small_course.make(tmp_path / "course")
        path = root / "solutions" / f"{small_course.NAME}.py"
        path.write_text(small_course.SCRIPT + QUESTION.replace(old, new), encoding="utf-8")
        return root, load(root, small_course.NAME)

    return asking


def test_a_question_in_words_is_nbgraders_manually_graded_answer(asking):
    _, assignment = asking()
    settings = assignment.cells["why_twice"].metadata.nbgrader
    marks = {"grade": True, "solution": True, "locked": False, "task": False}
    assert settings == marks | {"schema_version": 3, "grade_id": "why_twice", "points": 2}
    assert assignment.checks == {"double_right": 2.0, "halver_right": 1.0, "halver_hidden": 1.5}


def test_nbgrader_puts_our_empty_answer_in_the_place_of_the_model_answer(asking):
    root, assignment = asking()
    (path,) = build.build(root)
    (cell,) = [cell for cell in nbformat.read(path, as_version=4).cells if cell.id == "why_twice"]
    assert cell.source == released(assignment.cells["why_twice"]) == TEXT_STUB
    assert "Once is too little" not in path.read_text("utf-8")
    assert "Rubric" not in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (" points=2", "", "question 'why_twice' has points=None"),
        (" points=2", " points=-1", "points=-1"),
        (" points=2", " points=true", "points=True"),
        ("why_twice", "why twice", "may contain only"),
        ("why_twice", "double", "'double' is used twice"),
        ("**Rubric.** ", "", "has no .*Rubric"),
        ("**Model answer.** ", "", "has no .*Model answer"),
        ('[markdown] question="why_twice"', 'question="why_twice"', "is a code cell"),
    ],
)
def test_a_fault_of_a_question_is_named(asking, old, new, message):
    with pytest.raises(UsageError, match=message):
        asking(old, new)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("course:", "curse:", "no `course:`"),
        ("  title: Small", "  titel: Small", "unknown keys under `course:`: titel"),
        ("  title: Small", "  assignment: 02_other", "expected the script's own name"),
        ('check="double_right" points=2', 'check="double_right"', "points=None"),
        ('check="double_right" points=2', 'check="double" points=2', "'double' is used twice"),
        ('check="double_right"', 'check="double right"', "may contain only"),
        ('check="double_right" points=2', 'chek="double_right" points=2', "a cell has chek"),
        ("from seq2seq.small import double", "from seq2seq.smal import double", "no module smal.py"),
    ],
)
def test_a_fault_of_the_script_is_named(write, old, new, message):
    make = write(old, new)
    with pytest.raises(UsageError, match=message):
        make()


def test_a_notebook_made_without_a_script_is_an_assignment_too(course, tmp_path):
    folder = tmp_path / "build" / "source" / "02_other"
    folder.mkdir(parents=True)
    text = (course / "build" / "source" / small_course.NAME / f"{small_course.NAME}.ipynb").read_text("utf-8")
    (folder / "02_other.ipynb").write_text(text, encoding="utf-8")
    assert load(tmp_path, "02_other").text == text


def test_of_the_given_imports_the_judge_makes_those_that_a_check_has_a_name_of():
    def cell(source, name, **marks):
        settings = {"schema_version": 3, "grade": False, "locked": True, "solution": False, "grade_id": name, **marks}
        return nbformat.v4.new_code_cell(source, id=name, metadata={"nbgrader": settings})

    setup = "%matplotlib inline\nimport matplotlib.pyplot as plt\nimport os.path\nfrom math import pi, tau as turn"
    check = cell("assert turn > 6\nos.path.join('a')", "check", grade=True, points=1)
    notebook = nbformat.v4.new_notebook(cells=[cell(setup, "setup"), cell("from json import *", "more"), check])
    imports = Assignment("any", nbformat.writes(notebook)).imports
    assert imports.splitlines() == ["import os.path", "from math import pi, tau as turn", "from json import *"]
