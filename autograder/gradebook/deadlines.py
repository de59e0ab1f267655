"""A class's due dates, extensions and penalties, as its table has them, in nbgrader's terms."""

import math
from datetime import timedelta

from nbgrader.api import Gradebook
from nbgrader.plugins import BasePlugin
from traitlets import Float

from autograder.class_table import ClassTable

DAY = timedelta(days=1).total_seconds()


class PerDay(BasePlugin):
    """Takes off the same share of the points for each day that has begun since the work was due."""

    per_cent = Float(0.0, help="Per cent of the points for each day begun.").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """Called by nbgrader for work that is late."""
        return score * min(1.0, math.ceil(total_seconds_late / DAY) * self.per_cent / 100)


def enter_deadlines(gradebook: Gradebook, table: ClassTable, assignment: str) -> bool:
    """Enters when the assignment is due, and the extensions; one that the table does not give is none.

    What has no due date in the table is left as it is in the gradebook, and the answer is False.
    """
    weighted = table.exercises.get(assignment)
    if weighted is None or weighted.due is None:
        return False
    row = gradebook.find_assignment(assignment)
    row.duedate = weighted.due.replace(tzinfo=None)  # nbgrader's are in UTC, and do not say so
    for submission in row.submissions:
        submission.extension = table.extension(submission.student_id, assignment)
    gradebook.db.commit()
    return True
