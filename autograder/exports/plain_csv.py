"""nbgrader's own CSV, with names that contain commas quoted and formulas neutralised.

Columns as in https://nbgrader.readthedocs.io/en/stable/user_guide/managing_the_database.html, "Exporting grades".
"""

from nbgrader.api import Gradebook

from autograder.exports.grades import GradesExporter
from autograder.exports.spreadsheet import written

COLUMNS = (
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score"),
)


class PlainExporter(GradesExporter):
    """One row per student and assignment; students who submitted nothing have 0, as in nbgrader."""

    default_to = "grades.csv"

    def deliver(self, gradebook: Gradebook) -> None:
        rows: list[tuple[object, ...]] = [COLUMNS]
        for line in self.lines(gradebook):
            who, grade = line.person, line.grade
            about = (line.assignment, line.duedate, grade.timestamp, who.id, who.last_name, who.first_name, who.email)
            rows.append((*about, grade.points, grade.penalty, grade.score, grade.max_score))
        self.write(self.destination, written(rows))
