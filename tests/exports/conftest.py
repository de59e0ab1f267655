"""A gradebook of one assignment and three students, made without grading anything."""

import datetime
import shutil
import warnings
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.coursedir import CourseDirectory
from small_course import EVIL, NAME
from sqlalchemy.exc import SAWarning
from traitlets.config import Config, LoggingConfigurable

from autograder.exports.grades import GradesExporter
from autograder.gradebook.summary import RECORD
from autograder.settings import Log
from tests.gradebooks import opened


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    folder = tmp_path_factory.mktemp("template")
    with warnings.catch_warnings(), opened(folder) as gradebook:
        warnings.simplefilter("ignore", SAWarning)  # nbgrader builds rows before it adds them
        gradebook.add_assignment(NAME, duedate="2026-11-20 12:00:00")
        gradebook.add_notebook(NAME, NAME)
        for cell, most in {"one": 2.0, "two": 3.0}.items():
            gradebook.add_grade_cell(cell, NAME, NAME, max_score=most, cell_type="code")
        gradebook.add_solution_cell("answer", NAME, NAME)
        gradebook.add_student("ada", first_name="Ada", last_name="Lovelace, Lady", email="ada@uni.example")
        gradebook.add_student("ben", first_name=EVIL, last_name="", email="ben@uni.example", lms_user_id="77")
        gradebook.add_student("cas")
        for student, points in {"ada": (2.0, 3.0), "ben": (2.0, 1.0)}.items():
            submission = gradebook.add_submission(NAME, student)
            submission.timestamp = datetime.datetime(2026, 11, 20, 13, 30)
            for cell, gained in zip(("one", "two"), points, strict=True):
                grade = gradebook.find_grade(cell, NAME, NAME, student)
                grade.auto_score, grade.needs_manual_grade = gained, False
    return folder / "gradebook.db"


@pytest.fixture
def gradebook(template, tmp_path):
    shutil.copy(template, tmp_path / "gradebook.db")
    with opened(tmp_path) as gradebook:
        yield gradebook


class Desk(LoggingConfigurable):
    """Stands where nbgrader's application stands: it knows the course's folders."""


@pytest.fixture
def desk(tmp_path):
    """Makes an exporter of the class, as an application would; ``desk.log`` has what it warned of."""
    log = Log()
    parent = Desk(log=log.logger)
    parent.coursedir = CourseDirectory(config=Config({"CourseDirectory": {"root": str(tmp_path)}}), parent=parent)

    def make(kind: type[GradesExporter], **options):
        return kind(parent=parent, to=str(tmp_path / "out"), **options)

    return SimpleNamespace(make=make, log=log, out=tmp_path / "out", folder=tmp_path)


@pytest.fixture
def graded_notebook(tmp_path):
    """Ben's graded notebook, with the verdict that came with it and a message that a learner has worded."""
    finding = {"what": "two", "got": f"{EVIL} <b>"}
    check = {"cell": "two", "points": 1.0, "max_points": 3.0, "status": "partial", "finding": finding}
    verdict = {"status": "failed", "notes": ["The cell `two` was missing; it was put back."], "checks": [check]}
    settings = {"grade": True, "solution": False, "locked": True, "schema_version": 3}
    cells = [new_markdown_cell("", metadata={RECORD: verdict})]
    for name in ("one", "two"):
        source = "# Other sizes.\n### BEGIN HIDDEN TESTS\nsecret" if name == "two" else "check(one)"
        cells.append(new_code_cell(source, metadata={"nbgrader": {"grade_id": name, **settings}}))
    folder = tmp_path / "autograded" / "ben" / NAME
    folder.mkdir(parents=True)
    nbformat.write(new_notebook(cells=cells), folder / f"{NAME}.ipynb")
