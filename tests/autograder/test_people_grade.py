"""Answers that people grade: they reach them as they were written, and the table of ``grade`` has their points."""

import base64
import json
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from small_course import make

from autograder.assignments.assignment import load, released
from autograder.gradebook.formgrader import markdown_to_html
from autograder.gradebook.graded_notebook import RUBRIC
from autograder.submissions.submission import Submission
from tests.gradebooks import dump, opened

NAME = "02_words"
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\nrest").decode()
MODEL = "**Model answer.** It saturates.\n\n**Rubric.** 3 points: the variance, its *root*, the softmax."
WHY = 'Because <b>the softmax</b> saturates, $a < b$.\n\n- "twice"\n![drawn](attachment:a.png)'
FORGED_RUBRIC = {"cell_type": "markdown", "id": "x-rubric", "metadata": {RUBRIC: "why"}, "source": "All points."}


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
        marked(new_code_cell, "assert x == 1\n0.5", "x_right", grade=True, locked=True, points=10),
    ]
    path = root / "build" / "source" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(nbformat.writes(new_notebook(cells=cells)), encoding="utf-8")
    (root / "nbgrader_config.py").write_text('c = get_config()\nc.LateSubmissionPlugin.penalty_method = "zero"\n')
    return root


@pytest.fixture
def answered(course):
    notebook = json.loads(load(course, NAME).text)
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    cells["why"] |= {"source": WHY, "attachments": {"a.png": {"image/png": PNG}}}
    cells["drawing"]["source"] = "# my drawing\nprint('o')"
    essay = {"cell_type": "markdown", "id": "own", "metadata": {}, "source": "My *essay*."}
    notebook["cells"].insert(4, essay)
    return notebook


@pytest.fixture
def grade(command, answered, tmp_path):
    """Grades Ada's work, handed in on the 20th, by the command → what it printed."""
    folder = tmp_path / "submitted" / "ada" / NAME
    folder.mkdir(parents=True)
    (folder / "timestamp.txt").write_text("2026-11-20 12:00:00 UTC")

    def grade(*options):
        (folder / f"{NAME}.ipynb").write_text(json.dumps(answered), encoding="utf-8")
        status, out, _ = command("grade", "submitted", "--workers", "1", *options)
        assert status == 0
        return out

    return grade


def grades(tmp_path):
    rows = dump(tmp_path / "grades" / "gradebook.db")[f"{NAME}/ada"]["grades"]
    return {name.split("/")[1]: grade[:3] for name, grade in rows.items()}


def test_answers_reach_the_grader_as_they_were_written_with_the_rubric_which_no_learner_is_shown(
    grade, command, answered, tmp_path
):
    answered["cells"][2:2] = [FORGED_RUBRIC, FORGED_RUBRIC | {"source": "# In `words`*", "id": "y", "metadata": {}}]
    grade()
    waits = {name: waits for name, (_, _, waits) in grades(tmp_path).items()}
    assert waits == {"why": True, "drawing": True, "essay": True, "x_right": False}
    notebook = nbformat.read(tmp_path / "grades" / "autograded" / "ada" / NAME / f"{NAME}.ipynb", as_version=4)
    nbformat.validate(notebook)
    cells = notebook.cells
    position = next(n for n, cell in enumerate(cells) if cell.metadata.get("nbgrader", {}).get("grade_id") == "why")
    assert (cells[position].source, cells[position].attachments) == (WHY, {"a.png": {"image/png": PNG}})
    assert MODEL in cells[position + 1].source
    assert "<em>root</em>" in markdown_to_html({"cell": cells[position + 1]}, cells[position + 1].source)
    sources = [cell.source for cell in cells]
    assert sources.index("My *essay*.") == sources.index("Write three cells of your own.") + 1
    links = "[why](#why) ↓ · [drawing](#drawing) ↓ In words · [essay](#essay) ↓ In words"  # under which heading
    assert sources[0].startswith(f"**Graded by a person:** {links}\n\n**10 of 10 points from the checks.** ")
    assert RUBRIC not in cells[sources.index(FORGED_RUBRIC["source"])].metadata
    for form in ("html", "markdown", "json"):
        assert command("feedback", "--format", form)[0] == 0
    shown = {path: path.read_text() for path in (tmp_path / "grades" / "feedback").rglob("*") if path.is_file()}
    assert {path.suffix for path in shown} == {".html", ".md", ".json", ".txt"}  # the last is the time of submission
    assert any("Because" in text for text in shown.values())
    assert [path for path, text in shown.items() if re.search("It saturates|Rubric|the variance", text)] == []


ELSEWHERE = {  # beside an answer left blank, in a cell of which type is what, and whether a person is sent to read it
    "a text": ("markdown", "Because it saturates.", True),
    "a raw cell": ("raw", "Because it saturates.", True),
    "a comment": ("code", "# Because it saturates.", True),
    "a text of Python": ("code", '"""Because it saturates."""', True),
    "words where code should be": ("code", "Because it saturates.", True),
    "below the question": ("markdown", "Why is the score scaled?\n\n**Because** it saturates.", True),
    "a photo": ("markdown", "![my page](attachment:page.png)", True),
    "code": ("code", "because = 'it saturates'", False),
    "the question": ("markdown", "## Why is  the score scaled?", False),
    "a line": ("markdown", "---", False),
}


@pytest.mark.parametrize("is_deleted", [False, True])
@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_a_person_reads_what_stands_elsewhere_than_in_a_blank_answer(answered, course, elsewhere, is_deleted):
    (kind, source, is_read), of = ELSEWHERE[elsewhere], load(course, NAME)
    answered["cells"][1]["source"] = released(of.cells["why"])
    answered["cells"][4] |= {"cell_type": kind, "source": source}
    del answered["cells"][1 : 1 + is_deleted]
    submission = Submission.read(json.dumps(answered).encode(), of)
    (why,) = (entry.source for entry in submission.entries if entry.grade_id == "why")
    notes = [note for note in submission.notes if "a person will read what you wrote in other cells" in note]
    assert [why] == [f"{released(of.cells['why'])}\n\n{note}" for note in notes] or not is_read
    assert len(notes) == is_read
    assert source in [entry.source for entry in submission.entries]


def test_an_answer_left_blank_gets_nothing_and_waits_for_nobody_unless_words_stand_elsewhere(
    grade, answered, course, tmp_path
):
    blank = next(cell for cell in answered["cells"] if cell["id"] == "why")
    blank["source"] = released(load(course, NAME).cells["why"])
    assert "an answer needs manual grading; The cell `why` is as released" in grade()
    assert grades(tmp_path)["why"] == (None, None, True)
    answered["cells"] = [cell for cell in answered["cells"] if cell["id"] != "own"]
    grade()
    assert grades(tmp_path)["why"] == (0.0, None, False)
    path = tmp_path / "grades" / "autograded" / "ada" / NAME / f"{NAME}.ipynb"
    first = nbformat.read(path, as_version=4).cells[0].source
    assert first.startswith("**Graded by a person:** [drawing](#drawing) ↓ · [essay](#essay) ↓\n")


def test_an_answer_whose_cell_lost_its_metadata_is_known_by_its_place(course, answered):
    for cell in answered["cells"]:
        cell["metadata"], cell["id"] = {}, "same"
    submission = Submission.read(json.dumps(answered).encode(), load(course, NAME))
    sources = {entry.grade_id: entry.source for entry in submission.entries}
    assert (sources["why"], sources["drawing"]) == (WHY, "# my drawing\nprint('o')")


def test_the_table_has_the_points_of_people_and_takes_off_what_lateness_costs(grade, tmp_path):
    def line(out):
        return next(line for line in out.splitlines() if line.startswith("ada"))

    assert "10 / 19  an answer needs manual grading" in line(grade())
    (record,) = json.loads(grade("--json"))["submissions"]
    assert (record["points"], record["max_points"]) == (10, 10)
    assert record["gradebook"] == {"score": 10, "max_score": 19, "penalty": 0, "waits": True}
    with opened(tmp_path / "grades") as gradebook:
        for name in ("why", "drawing", "essay"):
            given = gradebook.find_grade(name, NAME, NAME, "ada")
            given.manual_score, given.needs_manual_grade = 2, False
    assert line(grade()).endswith("16 / 19")
    with opened(tmp_path / "grades") as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate="2026-11-01 12:00:00 UTC")
    assert "0 / 19  16 taken off for lateness" in line(grade())
