"""An exercise as its author writes it: a script, from which answers are cut out and notebooks made."""

import shutil
import subprocess

import nbformat
import pytest
import small_course
from small_course import NAME, ROOT

from autograder.assignments import build
from autograder.assignments.assignment import Assignment, load, released
from autograder.assignments.cutting import answer_cell
from autograder.assignments.notebooks import source_notebook, to_text
from autograder.errors import UsageError
from autograder.settings import TEXT_STUB

MODULE = '''
def told(x: int = 1, *, y: str = "a: b") -> int:  # a remark: here
    """What it does.

    Over lines.
    """

    # why
    z = x

    return z  # so

class Thing:
    @staticmethod
    def first(x):
        return x

    def second(
        self,
        x,
    ):
        return x

def one_line(x): return x
'''


@pytest.fixture
def cut(tmp_path):
    """The cell of an answer that is cut out of MODULE."""
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "mod.py").write_text(MODULE)

    def cut(answers, omit="", source="", show=()):
        name = (answers or "told").split()[0].split(".")[0]
        return answer_cell(source or f"from pkg.mod import {name}", answers.split(), omit.split(), tmp_path, show)

    return cut


def test_a_body_and_the_comments_above_it_are_marked_an_omitted_method_leaves_and_shown_code_is_whole(cut):
    head, body = cut("told").split("    ### BEGIN SOLUTION\n")
    assert head.endswith('Over lines.\n    """\n\n')
    assert body == "    # why\n    z = x\n\n    return z  # so\n    ### END SOLUTION"
    text = cut("Thing.second", omit="Thing.first")
    assert text.count("BEGIN SOLUTION") == 1
    assert not {"first", "staticmethod"} & set(text.replace("@", " ").split())
    text = cut("", source="import math\nfrom pkg.mod import told\n\ntold(2)", show=["told"])
    assert text.startswith("import math\ndef told(")
    assert text.endswith("    # why\n    z = x\n\n    return z  # so\n\ntold(2)")


@pytest.mark.parametrize(
    ("answers", "source", "show", "message"),
    [
        *(("Thing", "", (), "name the methods"), ("Thing.third", "", (), r"mod\.py defines no third")),
        *(("one_line", "", (), "lines of its own"), ("plain", "x = 1", (), "does not import plain")),
        ("", "x = 1", ["plain"], "show='plain' does not import plain"),
    ],
)
def test_what_cannot_be_cut_out_is_refused(cut, answers, source, show, message):
    with pytest.raises(UsageError, match=message):
        cut(answers, source=source, show=show)


QUESTION = """
# %% [markdown]
# Why twice?

# %% [markdown] question="why_twice" points=2
# **Model answer.** Once is too little.
#
# **Rubric.** 1 point: once; 1 point: too little.
"""


@pytest.fixture
def make(tmp_path):
    """Makes a course whose script is changed: make(old, new) → the course; ``more`` stands at the script's end."""

    def make(old="", new="", more=""):
        root = small_course.make(tmp_path / "course")
        script = small_course.SCRIPT + more
        assert old in script
        (root / "solutions" / f"{NAME}.py").write_text(script.replace(old, new) if old else script, encoding="utf-8")
        return root

    return make


SPACES = [("(2))\n\n", "(2))\n\n\n\n\n"), ("\n\n# %%", "\n# %%"), ("# Small", "# Small\n\n")]


@pytest.mark.parametrize(("old", "new"), SPACES)
def test_empty_lines_between_cells_are_nobodys_fault(make, old, new):
    assert len(load(make(old, new), NAME).notebook.cells) == 8


def test_a_script_makes_the_same_notebook_each_time_with_ids_points_modules_and_imports(course, assignment):
    path = course / "solutions" / f"{NAME}.py"
    assert to_text(source_notebook(path, course)) == to_text(source_notebook(path, course))
    ids = ["text-01", "setup", "double", "code-04", "double_right", "halver", "halver_right", "halver_hidden"]
    assert [cell.id for cell in assignment.notebook.cells] == ids
    assert released(assignment.cells["halver_hidden"]) == "# More sizes, which you do not see."
    assert assignment.checks == {"double_right": 2.0, "halver_right": 1.0, "halver_hidden": 1.5}
    assert (assignment.given, assignment.imports) == (("seq2seq/__init__.py",), "import torch")


def test_a_question_in_words_is_nbgraders_manually_graded_answer_and_learners_get_an_empty_one(make):
    root = make(more=QUESTION)
    assignment = load(root, NAME)
    marks = {"schema_version": 3, "grade": True, "solution": True, "locked": False, "task": False}
    assert assignment.cells["why_twice"].metadata.nbgrader == marks | {"grade_id": "why_twice", "points": 2}
    assert assignment.checks == {"double_right": 2.0, "halver_right": 1.0, "halver_hidden": 1.5}
    (path,) = build.build(root)
    (cell,) = [cell for cell in nbformat.read(path, as_version=4).cells if cell.id == "why_twice"]
    assert cell.source == released(assignment.cells["why_twice"]) == TEXT_STUB
    assert "Once is too little" not in path.read_text("utf-8")
    assert "Rubric" not in path.read_text("utf-8")


FAULTS = [
    ("course:", "curse:", "no `course:`"),
    ("  title: Small", "  titel: Small", "unknown keys under `course:`: titel"),
    ("  title: Small", "  assignment: 02_other", "expected the script's own name"),
    ('check="double_right" points=2', 'check="double_right"', "points=None"),
    ('check="double_right" points=2', 'check="double" points=2', "'double' is used twice"),
    ('check="double_right"', 'check="double right"', "may contain only"),
    ('check="double_right" points=2', 'chek="double_right" points=2', "a cell has chek"),
    ("from seq2seq.small import double", "from seq2seq.smal import double", "no module smal.py"),
    ('"why_twice" points=2', '"why_twice"', "question 'why_twice' has points=None"),
    ('"why_twice" points=2', '"why_twice" points=-1', "points=-1"),
    ('"why_twice" points=2', '"why_twice" points=true', "points=True"),
    *(("why_twice", "why twice", "may contain only"), ("why_twice", "double", "'double' is used twice")),
    *(("**Rubric.** ", "", "has no .*Rubric"), ("**Model answer.** ", "", "has no .*Model answer")),
    ('[markdown] question="why_twice"', 'question="why_twice"', "is a code cell"),
]


@pytest.mark.parametrize(("old", "new", "message"), FAULTS)
def test_a_fault_of_the_script_is_named(make, old, new, message):
    root = make(old, new, QUESTION)
    with pytest.raises(UsageError, match=message):
        source_notebook(root / "solutions" / f"{NAME}.py", root)


def test_a_notebook_without_a_script_is_an_assignment_too_whose_checks_get_the_imports_that_they_name(solved, tmp_path):
    folder = tmp_path / "build" / "source" / "02_other"
    folder.mkdir(parents=True)
    (folder / "02_other.ipynb").write_text(solved, encoding="utf-8")
    assert load(tmp_path, "02_other").text == solved

    def cell(source, name, **marks):
        settings = {"schema_version": 3, "grade": False, "locked": True, "solution": False, "grade_id": name, **marks}
        return nbformat.v4.new_code_cell(source, id=name, metadata={"nbgrader": settings})

    setup = "%matplotlib inline\nimport matplotlib.pyplot as plt\nimport os.path\nfrom math import pi, tau as turn"
    check = cell("assert turn > 6\nos.path.join('a')", "check", grade=True, points=1)
    notebook = nbformat.v4.new_notebook(cells=[cell(setup, "setup"), cell("from json import *", "more"), check])
    imports = Assignment("any", nbformat.writes(notebook)).imports
    assert imports.splitlines() == ["import os.path", "from math import pi, tau as turn", "from json import *"]


def test_a_second_build_writes_nothing_and_a_change_by_hand_is_found_and_mended(make):
    build.build(root := make())
    assert build.build(root) == []
    path = root / "exercises" / NAME / f"{NAME}.ipynb"
    path.write_text(path.read_text("utf-8").replace("Twice", "Thrice"), encoding="utf-8")
    (path.parent / "notes.txt").write_text("mine")
    assert build.stale(root) == [
        "exercises/01_small/01_small.ipynb: not what solutions/01_small.py generates",
        "exercises/01_small/notes.txt: not generated by any script in solutions/",
    ]
    assert build.build(root) == [path]


LEARNERS = [  # what is learners' work, in the project and in a course of one's own
    *("submitted/ada/05_scorers/05_scorers.ipynb", "downloaded/05_scorers/archive/class.zip", "grades/gradebook.db"),
    *("grades/spring/state.db", "grades/feedback/ada/05_scorers/05_scorers.html", "grades/exports/canvas.csv"),
    *("grades.csv", "import.csv", "canvas.csv", "moodle.csv", "worksheet.csv", "Grades-course.csv"),
    *("gradescope/05_scorers/ada/results.json", "jplag/05_scorers/base/x.py", "dolos/05_scorers/base/x.py"),
    *("results.json", "report.json", "gradebook.db", "gradebook.db-journal", "state.db-wal"),
]


def git(folder, *arguments):
    return subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True, text=True).stdout


def test_learners_work_is_not_published_and_what_an_instructor_ignores_is_left_as_it_is(make, tmp_path):
    build.build(course := make())
    (tmp_path / "project").mkdir()
    shutil.copy(ROOT / ".gitignore", tmp_path / "project")
    for root in (tmp_path / "project", course):
        git(root, "init", "-q")
        for name in (*LEARNERS, "solutions/own.py"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("learner's")
        git(root, "add", "--all")
        added = set(git(root, "ls-files").splitlines())
        assert "solutions/own.py" in added
        assert added & set(LEARNERS) == set()
    (course / "solutions" / "own.py").unlink()
    (course / ".gitignore").write_text("mine\n")
    build.build(course)
    assert (course / ".gitignore").read_text() == "mine\n"
    assert git(ROOT, "ls-files", "--ignored", "--cached", "--exclude-standard") == ""
