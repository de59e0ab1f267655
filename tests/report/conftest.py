"""A graded class without a grader: verdicts in a store, and a gradebook beside them."""

import warnings

import pytest
from graded_class import CHECKS, NAME
from nbgrader.api import Gradebook
from sqlalchemy.exc import SAWarning

from autograder.judging.state import GradedCopies
from autograder.judging.store import Provenance, Store
from autograder.records.verdict import Verdict
from autograder.submissions.submitted_files import SubmittedFile


@pytest.fixture(scope="session")
def empty_gradebook(tmp_path_factory):
    """An nbgrader gradebook that knows the assignment; made once, for it takes a second."""
    path = tmp_path_factory.mktemp("book") / "gradebook.db"
    with Gradebook(f"sqlite:///{path}") as book:
        book.add_assignment(NAME)
        book.add_notebook(NAME, NAME)
        for check in CHECKS:
            book.add_grade_cell(check, NAME, NAME, max_score=1, cell_type="code")
    return path


@pytest.fixture
def graded(tmp_path, empty_gradebook):
    """Puts verdicts into an output folder: graded(ada=verdict(...)); ``automatic`` overrides the gradebook's points."""

    def graded(automatic=None, enrolled=(), late=None, manual=(), **verdicts):
        output = tmp_path / "grades"
        output.mkdir(exist_ok=True)
        (output / "gradebook.db").write_bytes(empty_gradebook.read_bytes())
        with Store(output) as store:
            staged = GradedCopies(store.state)
            for number, (student, one) in enumerate(verdicts.items()):
                key = f"{number:064d}"
                store.put(key, one, Provenance(seconds=one.seconds, cells={"first": 0.1, "cell 7": one.seconds}))
                staged.stage(SubmittedFile(student, NAME, None), b"")
                staged.mark(NAME, student, key)
        with Gradebook(f"sqlite:///{output / 'gradebook.db'}") as book:
            for student in enrolled:
                book.add_student(student)
            for student, one in {**verdicts, **(automatic or {})}.items():
                book.add_student(student)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", SAWarning)  # nbgrader builds rows before it adds them
                    submission = book.add_submission(NAME, student)
                points = [check.points for check in one.checks] if isinstance(one, Verdict) else one
                for check, got in zip(CHECKS, points, strict=True):
                    grade = book.find_grade(check, NAME, NAME, student)
                    grade.auto_score = got
                    grade.needs_manual_grade = student in manual
                submission.notebooks[0].late_submission_penalty = (late or {}).get(student)
            book.db.commit()
        return output

    return graded
