"""However large a class is, the gradebook is asked the same few questions for its report and exports."""

from contextlib import contextmanager

import pytest
from graded_class import NAME, verdict
from nbgrader.api import Gradebook
from sqlalchemy import event
from sqlalchemy.engine import Engine

from autograder.exports.plain_csv import PlainExporter
from autograder.gradebook.class_scores import automatic_scores, seconds_late
from autograder.gradebook.rows import Rows
from autograder.report.classwork import classwork


@contextmanager
def counted():
    """The statements that any gradebook was asked meanwhile."""
    asked = []

    def note(connection, cursor, statement, *rest):
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def every_row(gradebook):
    rows = Rows(gradebook, NAME)
    return {
        student: (
            {grade.name: float(grade.max_score) for grade in one.grades},
            {comment.name: comment.comment for comment in one.comments},
            one.late_submission_penalty,
        )
        for student, one in rows.notebooks.items()
    }


QUESTIONS = {
    "report": lambda gradebook, output: classwork(output, NAME).works,
    "export": lambda gradebook, output: PlainExporter().lines(gradebook),
    "feedback": lambda gradebook, output: every_row(gradebook),
    "grade": lambda gradebook, output: {student for student, _ in automatic_scores(gradebook, NAME)},
    "lateness": lambda gradebook, output: seconds_late(gradebook, NAME),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_larger_class_asks_no_more(graded, question):
    asked, found = [], []
    for size in (2, 7):
        output = graded(**{f"s{number}": verdict([1, 0.5, 1]) for number in range(size)})
        with Gradebook(f"sqlite:///{output / 'gradebook.db'}") as gradebook, counted() as statements:
            found.append(len(QUESTIONS[question](gradebook, output)))
        asked.append(len(statements))
    assert found == [2, 7]
    assert asked[0] == asked[1] > 0
