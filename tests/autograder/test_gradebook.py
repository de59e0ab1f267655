"""A graded class: what gradebook, pages and graded notebooks have of each work, and what a second run does."""

import json
import re
from dataclasses import replace
from datetime import UTC

import nbformat
import pytest
import small_course
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook, GradeCell, Notebook, SolutionCell, SourceCell
from nbgrader.utils import determine_grade
from small_course import NAME, FakeJudge, hand_in_all

from autograder.assignments.assignment import load
from autograder.finding import Finding
from autograder.gradebook import register
from autograder.gradebook.feedback import to_page
from autograder.gradebook.learner_report import read_report
from autograder.gradebook.markdown import to_markdown
from autograder.gradebook.rows import Rows
from autograder.gradebook.summary import RECORD, plain
from autograder.grading.grading_run import Run
from autograder.records.verdict import CheckVerdict
from autograder.store.verdicts import Store
from autograder.submissions.safe_outputs import check_outputs, safe_outputs
from tests.gradebooks import dump, opened

HIDDEN_NOTE = "More sizes, which you do not see."
TALK = "<script>evil()</script>"
PICTURE = {"image/png": "iVBORw0KGgo="}


class Talkative(FakeJudge):
    """Reports outputs that a hostile learner would like to see on the page."""

    def run(self, job):
        verdict = super().run(job)
        for cell in verdict.cells:
            data = {"text/html": TALK, "text/plain": "<b>shown as text</b>"}
            cell.outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
        return verdict


def with_texts(solved):
    notebook = nbformat.reads(solved, as_version=4)
    texts = [TALK, "<img src=x onerror=evil()>", "[x](javascript:evil())", "**fine**"]
    notebook.cells += [nbformat.v4.new_markdown_cell(text, id=f"m{number}") for number, text in enumerate(texts)]
    return nbformat.writes(notebook)


MARKS = ("double(torch.ones(2))\\n", "x"), ("### BEGIN SOLUTION", "### BEGIN HIDDEN TESTS")
CLASS = {  # learner: (the work, the score, words of the page)
    "ada": (lambda solved, blank: solved, 4.5, [HIDDEN_NOTE, "&lt;b&gt;shown as text&lt;/b&gt;"]),
    "ben": (lambda solved, blank: blank, 0.0, ["not written yet"]),
    "cas": (lambda solved, blank: solved.replace("x + x", "x + x  # half right"), 2.25, ["half right</td>"]),
    "dan": (lambda solved, blank: solved.replace("x + x", "x  # loops"), 4.5, ["double ran out of time"]),
    "eva": (lambda solved, blank: "{", 0.0, ["could not be read as a notebook"]),
    "fay": (lambda solved, blank: "\ufeff", 0.0, ["could not be read as a notebook"]),
    "gil": (lambda solved, blank: "\ufeff" + solved, 4.5, ["byte order mark"]),
    "hal": (lambda solved, blank: solved.replace(*MARKS[0]).replace(*MARKS[1]), 4.5, ["4.5 of 4.5", "mine.ipynb"]),
    "ida": (lambda solved, blank: with_texts(solved), 4.5, ["<strong>fine</strong>"]),
}


@pytest.fixture(scope="module")
def graded(course, solved, blank, tmp_path_factory):
    """The output of grading the class, in which Ada handed in at a recorded time."""
    top = tmp_path_factory.mktemp("class")
    works = {student: work(solved, blank) for student, (work, *_) in CLASS.items()}
    folder = hand_in_all(top, works, ada="2026-11-21 10:00:00 UTC")
    (folder / "hal" / NAME / f"{NAME}.ipynb").rename(folder / "hal" / NAME / "mine.ipynb")
    Run(course, top / "grades", maker=Talkative, seed=1).grade(folder)
    return top / "grades"


@pytest.fixture(scope="module")
def book(graded):
    return dump(graded / "gradebook.db")


@pytest.mark.parametrize("student", CLASS)
def test_points_and_why_reach_gradebook_and_page_and_nothing_hidden_or_hostile_does(graded, book, student):
    _, score, words = CLASS[student]
    assert book[f"{NAME}/{student}"]["score"] == score
    assert book[f"{NAME}/ben"]["comments"][f"{NAME}/double"] == ("No response.", None)
    assert book[f"{NAME}/eva"]["comments"][f"{NAME}/double"] == ("No response.", None)
    assert book[f"{NAME}/ada"]["timestamp"] == "2026-11-21 10:00:00"
    page = (graded / "feedback" / student / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    body = page.split("<body>", 1)[1]
    assert [word for word in words if word not in body] == []
    assert not re.search(r"<script>evil|onerror|href=.javascript|secret", body.replace("&lt;img", ""))
    assert "HIDDEN TESTS" not in body or student == "hal"
    assert "evil()" not in body or student == "ida"


def test_the_graded_notebook_keeps_the_hidden_test_for_the_instructor_and_the_report_describes_it_alone(graded):
    reports = {}
    with opened(graded) as gradebook:
        for student in CLASS:
            notebook = nbformat.read(graded / "autograded" / student / NAME / f"{NAME}.ipynb", as_version=4)
            reports[student] = read_report(notebook, Rows(gradebook, NAME), student, UTC)
            assert "secret" in notebook.cells[-1].source or student == "ida"
            if student == "cas":
                notebook.cells[0].metadata[RECORD]["notes"] = ["half right"]
                noted = read_report(notebook, Rows(gradebook, NAME), student, UTC)
    hidden = reports["ada"].checks[-1]
    assert (hidden.hidden, hidden.about) == (True, HIDDEN_NOTE)
    assert "secret" not in json.dumps(reports["ada"].record())
    assert [check.message for check in reports["cas"].checks] == ["half right"] * 3
    assert {check.message for check in noted.checks} == {"see above"}
    assert reports["cas"].points == 2.25
    assert "double ran out of time." in reports["dan"].notes
    assert "byte order mark" in reports["gil"].notes[0]
    assert (reports["ada"].name, reports["ada"].assignment) == ("Small", NAME)
    assert to_markdown(reports["ada"]).startswith("# Small: feedback for ada")


def test_why_a_file_could_not_be_read_is_said_once_and_the_blank_exercise_is_left_out_but_for_comments(graded):
    path = graded / "autograded" / "fay" / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    (reason,) = notebook.cells[0].metadata[RECORD]["notes"]
    assert notebook.cells[0].source.count(plain(reason)) == 1
    page = (graded / "feedback" / "fay" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert page.count(str(plain(reason))) == 1
    assert [text for text in ('id="notebook"', "#notebook", "#cell-", "<pre") if text in page] == []
    with opened(graded) as gradebook:
        report = read_report(notebook, Rows(gradebook, NAME), "fay", UTC)
    (told,) = BeautifulSoup(to_page(notebook, replace(report, comments={"double": "Send it."})), "html.parser").select(
        "aside"
    )
    assert "Send it." in told.text
    assert told.find_previous(id=True)["id"] == "cell-double"


def test_a_picture_is_kept_a_learners_result_cannot_be_points_and_long_text_is_cut_off():
    result = {"output_type": "execute_result", "data": {"text/plain": "20"}, "execution_count": 1}
    picture = {"output_type": "display_data", "data": PICTURE | {"text/html": TALK}, "metadata": {}}
    stream = {"output_type": "stream", "name": "stdout", "text": "x" * 10**6}
    shown, stream, picture = safe_outputs([result, stream, picture])
    assert picture.data == PICTURE
    assert shown.output_type == "display_data"
    assert len(stream.text) < 21_000


def test_nbgrader_gives_a_check_without_a_verdict_nothing_and_a_failure_is_shown_in_its_words():
    settings = {"grade": True, "solution": False, "points": 3.0, "grade_id": "c"}
    cell = nbformat.v4.new_code_cell("", outputs=check_outputs(None), metadata={"nbgrader": settings})
    assert determine_grade(cell) == (0, 3.0)
    (output,) = check_outputs(CheckVerdict("c", 0.0, 1.0, "failed", Finding(what="scores", got="wrong")))
    assert output.traceback == ["scores: wrong."]


@pytest.fixture
def url(course, tmp_path):
    """A gradebook in which the small course's exercise is registered."""
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    register.register(url, load(course, NAME))
    return url


def cells(url):
    with Gradebook(url) as gradebook:
        return set(register._cells_in(gradebook, NAME))


CHANGES = {
    **{"points": (GradeCell, "max_score", 17.0), "type": (GradeCell, "cell_type", "markdown")},
    **{"source": (SourceCell, "source", "changed"), "checksum": (SourceCell, "checksum", "changed")},
    **{"lock": (SourceCell, "locked", False), "kernel": (Notebook, "kernelspec", "{}")},
    "a cell that is gone": (SolutionCell, "", None),
}


@pytest.mark.parametrize(("kind", "column", "value"), CHANGES.values(), ids=CHANGES)
def test_whatever_differs_from_the_assignment_is_put_right_and_what_does_not_is_not_written_again(
    url, course, tmp_path, monkeypatch, kind, column, value
):
    before, rows = cells(url), dump(tmp_path / "gradebook.db")
    with monkeypatch.context() as patch:
        patch.setattr(register, "SaveCells", None)
        register.register(url, load(course, NAME))
    assert dump(tmp_path / "gradebook.db") == rows
    with Gradebook(url) as gradebook:
        if column:
            row = next(row for row in gradebook.db.query(kind) if getattr(row, column) not in (value, None))
            setattr(row, column, value)
        else:
            gradebook.db.delete(gradebook.db.query(kind).first())
        gradebook.db.commit()
    assert cells(url) != before
    register.register(url, load(course, NAME))
    assert cells(url) == before


def test_an_exercise_without_a_kernel_is_not_written_again_either(course, tmp_path, monkeypatch):
    assignment, url = load(course, NAME), f"sqlite:///{tmp_path / 'gradebook.db'}"
    del assignment.notebook.metadata["kernelspec"]
    register.register(url, assignment)
    monkeypatch.setattr(register, "SaveCells", None)
    register.register(url, assignment)
    assert ("kernel", "{}") in cells(url)


def test_a_second_run_judges_only_what_changed_and_another_seed_everything(course, hand_in, solved, blank, tmp_path):
    def run(**options):
        return Run(course, tmp_path / "out", maker=FakeJudge, **options)

    pair = hand_in_all(tmp_path, {"ada": solved, "ben": blank})
    (pair / "ada" / "99_other").mkdir()
    files = [path for path in pair.rglob("*") if path.is_file()]
    before = [(path.read_bytes(), path.stat().st_mtime_ns) for path in files]
    job = run()
    first = job.grade(pair)
    assert job.skipped == ["ada/99_other"]
    with Store(tmp_path / "out") as store:
        assert {submission.verdict.seed for submission in first} == {store.seed()}  # drawn once and recorded
    FakeJudge.started = 0
    assert all(submission.reused for submission in run().grade(pair))
    assert FakeJudge.started == 0
    assert [(path.read_bytes(), path.stat().st_mtime_ns) for path in files] == before
    hand_in("ada", solved.replace("return x + x", "return 2 * x  # half right"))
    assert [submission.handed.student for submission in run().grade(pair) if not submission.reused] == ["ada"]
    assert dump(tmp_path / "out" / "gradebook.db")[f"{NAME}/ada"]["score"] == 2.25
    assert not any(submission.reused for submission in run(seed=first[0].verdict.seed + 1).grade(pair))


def test_an_exercise_with_other_checks_asks_for_a_fresh_gradebook(hand_in, solved, tmp_path):
    root = small_course.make(tmp_path / "course")
    folder = hand_in(["ada", "ben", "cas"], solved)
    Run(root, tmp_path / "out", maker=FakeJudge).grade(folder)
    path = root / "solutions" / f"{NAME}.py"
    path.write_text(path.read_text("utf-8").replace('"halver_right"', '"halver_other"'), encoding="utf-8")
    run, done = Run(root, tmp_path / "out", maker=FakeJudge), []
    run.step = lambda what, count, of: done.append(count)
    with pytest.raises(Exception, match=r"fresh --output, to which nothing that was given by hand is carried over"):
        run.grade(folder)
    assert done == [0]  # what nobody can enter is judged for nobody else
