"""Lists of a class: as many queries for a large one as for a small one, and formgrader's with nbgrader's answers."""

import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from small_course import NAME, ROOT, FakeJudge, hand_in_all
from sqlalchemy import event
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SAWarning

from autograder.exports.plain_csv import PlainExporter
from autograder.gradebook import lists
from autograder.gradebook.book import Book
from autograder.gradebook.class_scores import automatic_scores, seconds_late
from autograder.gradebook.rows import Rows
from autograder.grading.grading_run import Run
from autograder.report.classwork import classwork
from autograder.settings import settings
from benchmarks.grading.gradebook import fill, student
from tests.gradebooks import opened

ASSIGNMENTS = ["05_scorers", "06_masking", "07_bahdanau"]
FIRST = ASSIGNMENTS[0]
CLASSES = [40, pytest.param(2000, marks=pytest.mark.long("every way to grade"))]
ORIGINALS = {
    name: getattr(Gradebook, name) for name in ("submission_dicts", "notebook_submission_dicts", "student_dicts")
}


@pytest.fixture(autouse=True)
def ours(monkeypatch):
    """Ours in the place of nbgrader's, for a test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)
        for name in (*ORIGINALS, "notebook_submissions"):
            monkeypatch.setattr(Gradebook, name, getattr(lists, name))
        yield


@pytest.fixture(scope="module")
def classes(tmp_path_factory):
    """Makes a course with so many learners, each of whom handed in everything; its folder."""
    folders = {}

    def classes(learners):
        if learners not in folders:
            root = folders[learners] = tmp_path_factory.mktemp("class")
            Book.below(root / "grades").create()
            fill(f"sqlite:///{root / 'grades' / 'gradebook.db'}", learners, ASSIGNMENTS, root / "grades")
            for name in ASSIGNMENTS:
                (root / "build" / "source" / name).mkdir(parents=True)
                for number in range(learners):
                    folder = root / "submitted" / student(number) / name
                    folder.mkdir(parents=True)
                    (folder / "timestamp.txt").write_text("2026-11-20 12:00:00 UTC\n")
        return folders[learners]

    return classes


def api(root):
    config = settings(root, root / "grades")
    return NbGraderAPI(CourseDirectory(config=config), config=config)


def every_row(gradebook):
    """All that feedback asks of each learner."""
    notebooks = Rows(gradebook, FIRST).notebooks
    for notebook in notebooks.values():
        assert {float(grade.max_score) for grade in notebook.grades} == {1.0}
        assert notebook.late_submission_penalty is None
        assert [comment.comment for comment in notebook.comments] == []
    return notebooks


def asks(question):
    def rows(of):
        with of.gradebook as gradebook:
            return question(gradebook)

    return rows


PAGES = {
    "export": asks(lambda gradebook: {line.student for line in PlainExporter().lines(gradebook)}),
    "feedback": asks(every_row),
    "grade": asks(lambda gradebook: {student for student, _ in automatic_scores(gradebook, FIRST)}),
    "lateness": asks(lambda gradebook: seconds_late(gradebook, FIRST)),
    "report": lambda of: classwork(Path(of.coursedir.root) / "grades", FIRST).works,
    "manage submissions": lambda of: of.get_submissions(FIRST),
    "manual grading": lambda of: of.get_notebook_submissions(FIRST, FIRST),
    "one submission": lambda of: of.get_notebook_submission_indices(FIRST, FIRST),
    "manage students": lambda of: of.get_students(),
}


@pytest.mark.parametrize("learners", CLASSES)
def test_a_large_class_takes_no_more_queries(learners, classes):
    counts = {}
    for size in (3, learners):
        for page, rows in PAGES.items():
            queries = []
            listen = lambda *arguments, queries=queries: queries.append(arguments[2])  # noqa: E731
            of = api(classes(size))
            event.listen(Engine, "before_cursor_execute", listen)
            try:
                assert len(rows(of)) == size, page
            finally:
                event.remove(Engine, "before_cursor_execute", listen)
            counts[page, size] = len(queries)
    more = {page: counts[page, learners] - counts[page, 3] for page in PAGES}
    at_once = 500  # rows for which SQLAlchemy loads a relation; feedback has two
    assert {page for page, number in more.items() if number} <= {"feedback"}
    assert more["feedback"] in (0, 2 * (learners // at_once - 1))
    assert 0 < min(counts.values()) <= max(counts.values()) < 60


@pytest.fixture
def graded(course, solved, blank, tmp_path):
    """A small class, with points by hand, extra credit and a flag in its gradebook; another assignment beside it."""
    folder = hand_in_all(tmp_path, {"ada": solved, "ben": blank, "cas": solved.replace("x + x", "x")})
    Run(course, tmp_path / "out", maker=FakeJudge, seed=1).grade(folder)
    with opened(tmp_path / "out") as gradebook:
        grade = gradebook.find_grade("double_right", NAME, NAME, "ben")
        grade.manual_score, grade.extra_credit = 1.25, 0.5
        gradebook.find_grade("double_right", NAME, NAME, "ada").needs_manual_grade = True
        gradebook.find_submission_notebook(NAME, NAME, "cas").flagged = True
        gradebook.add_assignment("other")
        gradebook.add_notebook("words", "other")
        gradebook.add_grade_cell("why", "words", "other", max_score=3, cell_type="markdown")
        gradebook.add_task_cell("essay", "words", "other", max_score=4, cell_type="markdown")
        gradebook.add_student("dan")
        for name in ("ada", "dan"):
            gradebook.add_submission("other", name)
        gradebook.find_grade("essay", "words", "other", "dan").manual_score = 2.5
        gradebook.db.commit()
        yield gradebook


def test_they_say_what_nbgraders_own_say(graded):
    rows_of = [("submission_dicts", (of,), count) for of, count in ((NAME, 3), ("other", 2), ("none", 0))]
    rows_of += [("notebook_submission_dicts", of, count) for of, count in (((NAME, NAME), 3), (("words", "other"), 2))]
    for name, arguments, count in [*rows_of, ("student_dicts", (), 4)]:
        theirs, rows = ORIGINALS[name](graded, *arguments), getattr(lists, name)(graded, *arguments)
        assert sorted(rows, key=lambda row: row["id"]) == sorted(theirs, key=lambda row: row["id"]), (name, arguments)
        assert len(rows) == count


def test_formgrader_makes_its_lists_by_them():
    code = "import autograder.gradebook.formgrader\nfrom nbgrader.api import Gradebook\n"
    code += "print(Gradebook.submission_dicts.__module__)"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "autograder.gradebook.lists", done.stderr


def test_an_assignment_that_was_never_built_is_listed_once_it_is_graded(course, hand_in, solved, tmp_path):
    root = shutil.copytree(course, tmp_path / "course", ignore=shutil.ignore_patterns("build"))
    Run(root, root / "grades", maker=FakeJudge, seed=1).grade(hand_in("ada", solved))
    assert [assignment["name"] for assignment in api(root).get_assignments()] == [NAME]
