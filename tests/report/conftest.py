"""Graded classes without a grader: verdicts in a store, and a gradebook beside them."""

import warnings

import pytest
from graded_class import CHECKS, NAME, VERDICTS
from sqlalchemy.exc import SAWarning

from autograder.records.verdict import Verdict
from autograder.store.state import GradedCopies
from autograder.store.verdicts import Provenance, Store
from autograder.submissions.submitted_files import SubmittedFile
from tests.gradebooks import opened


@pytest.fixture(scope="session")
def lay(tmp_path_factory):
    """Puts verdicts into an output folder; ``automatic`` overrides the gradebook's points, ``by_hand`` adds to them."""
    empty = tmp_path_factory.mktemp("book") / "gradebook.db"
    with opened(empty.parent) as book:
        book.add_assignment(NAME)
        book.add_notebook(NAME, NAME)
        for check in CHECKS:
            book.add_grade_cell(check, NAME, NAME, max_score=1, cell_type="code")

    def lay(output, automatic=None, by_hand=None, enrolled=None, late=None, manual=(), **verdicts):
        output.mkdir(exist_ok=True)
        (output / "gradebook.db").write_bytes(empty.read_bytes())
        with Store(output) as store:
            staged = GradedCopies(store.state)
            for number, (student, verdict) in enumerate(verdicts.items()):
                cells = {"first": 0.1, "cell 7": verdict.seconds}
                store.put(f"{number:064d}", verdict, Provenance(seconds=verdict.seconds, cells=cells))
                staged.stage(SubmittedFile(student, NAME, None), b"")
                staged.mark(NAME, student, f"{number:064d}")
        with opened(output) as book:
            for student, names in (enrolled or {}).items():
                book.add_student(student, **names)
            for student, given in {**verdicts, **(automatic or {})}.items():
                book.add_student(student)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", SAWarning)  # nbgrader builds rows before it adds them
                    submission = book.add_submission(NAME, student)
                points = [check.points for check in given.checks] if isinstance(given, Verdict) else given
                for check, gained in zip(CHECKS, points, strict=True):
                    grade = book.find_grade(check, NAME, NAME, student)
                    grade.auto_score, grade.needs_manual_grade = gained, student in manual
                    grade.manual_score = (by_hand or {}).get((student, check))
                submission.notebooks[0].late_submission_penalty = (late or {}).get(student)
        return output

    return lay


@pytest.fixture
def graded(tmp_path_factory, lay):
    """A class of a test's own: graded(ada=verdict(...))."""
    return lambda **class_: lay(tmp_path_factory.mktemp("class") / "grades", **class_)


@pytest.fixture(scope="session")
def whole_class(tmp_path_factory, lay):
    """A class with a learner of each kind, graded once; not to be changed."""
    return lay(
        tmp_path_factory.mktemp("class") / "grades",
        automatic={"hal": [0, 0, 1], "zoe": [1, 1, 0]},
        by_hand={("ben", "second"): 0.75},
        enrolled={"max": {"first_name": "Max", "last_name": "Weber"}},
        late={"ada": 0.5},
        manual=["gil"],
        **VERDICTS,
    )
