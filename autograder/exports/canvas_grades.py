"""Grades and feedback for Canvas's gradebook, learner by learner, compared with what is there and then sent.

Who is who is decided as for a roster (:mod:`autograder.exports.canvas`): by Canvas's own numbers and ids.
Nothing is sent that is there already, so that a run that was interrupted goes on where it stopped.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nbgrader.api import Gradebook

from autograder.errors import UsageError, several
from autograder.exports.canvas_api import ATTEMPTS, Canvas, CanvasError
from autograder.exports.grades import Line
from autograder.exports.roster import RosterExporter
from autograder.exports.spreadsheet import Sheet, points
from autograder.gradebook.learner_report import Report
from autograder.gradebook.markdown import points_line

COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Grade")
NUMBER, GRADE = COLUMNS.index("ID"), COLUMNS.index("Grade")
EXCUSED = "EX"
WITH = {"include[]": "submission_comments"}


@dataclass(frozen=True)
class Change:
    """What is to be sent for one learner."""

    student: str
    number: str  # of the learner, in Canvas
    before: str  # the grade that Canvas has; empty if it has none
    grade: str
    comment: str  # empty if Canvas has it already
    path: str  # of the submission

    @property
    def is_needed(self) -> bool:
        return self.before != self.grade or bool(self.comment)

    def values(self) -> dict[str, str]:
        values = {"submission[posted_grade]": self.grade} if self.before != self.grade else {}
        return values | ({"comment[text_comment]": self.comment} if self.comment else {})


class CanvasGrades(RosterExporter):
    """Compares the class's grades for one assignment with Canvas's, whose answers take the roster's place."""

    def changes(self, gradebook: Gradebook, canvas: Canvas, course: str, title: str) -> list[Change]:
        """What there is to send, in the order of the students.

        title: the assignment's in Canvas, or its number there.

        Raises:
            UsageError: Canvas has no such assignment, or refuses; the gradebook has no grades.
        """
        lines = [line for line in self.lines(gradebook) if line.submitted]
        if not lines:
            raise UsageError("nobody of these has handed it in: there is nothing to send.")
        assignment = self._assignment(canvas, course, title)
        path = f"courses/{course}/assignments/{assignment['id']}/submissions"
        theirs = list(canvas.listed(path, **{"include[]": ["user", "submission_comments"]}))
        sheet = Sheet([list(COLUMNS), *map(_row, theirs)])
        comments = {str(entry["user_id"]): _comments(entry) for entry in theirs}
        if (theirs_most := assignment.get("points_possible")) is not None:
            self.compare_maximum(title, "Canvas", f"{float(theirs_most):g}", lines[0].grade.max_score)
        return list(self._compared(gradebook, sheet, lines, comments, path))

    def _compared(
        self, gradebook: Gradebook, sheet: Sheet, lines: list[Line], comments: dict[str, set[str]], path: str
    ) -> Iterator[Change]:
        for line, row in self.matched(sheet, lines, "course in Canvas"):
            before = row[GRADE]
            if self.enter(sheet, row, GRADE, line):
                text = comment(self.report(gradebook, line))
                new = "" if text in comments[row[NUMBER]] else text
                yield Change(line.student, row[NUMBER], before, row[GRADE], new, f"{path}/{row[NUMBER]}")

    def _assignment(self, canvas: Canvas, course: str, title: str) -> dict[str, Any]:
        entries = list(canvas.listed(f"courses/{course}/assignments"))
        hits = [entry for entry in entries if title in (str(entry["id"]), entry["name"])]
        if len(hits) == 1:
            return hits[0]
        if hits:
            numbers = " or ".join(str(entry["id"]) for entry in hits)
            raise UsageError(f"Canvas has {len(hits)} assignments {title!r}; say which: --title {numbers}.")
        titles = several([f"{entry['name']!r} ({entry['id']})" for entry in entries]) or "none"
        raise UsageError(f"Canvas has no assignment {title!r}; it has {titles}. Say which: --title.")


def send(canvas: Canvas, change: Change) -> None:
    """Sends one learner's grade and comment; raises CanvasError if Canvas does not take them.

    After an error of Canvas's own some of it may have arrived: what is there is looked at before it is sent again, or
    a comment would be there twice.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            canvas.put(change.path, change.values())
            return
        except CanvasError as error:
            if attempt == ATTEMPTS or 0 < error.status < 500:
                raise
        there = canvas.get(change.path, **WITH)
        text = "" if change.comment in _comments(there) else change.comment
        change = Change(change.student, change.number, _grade(there), change.grade, text, change.path)
        if not change.is_needed:
            return


def comment(report: Report) -> str:
    """The report as plain text, which Canvas shows as it is: each check that lost points, and what a person wrote."""
    return "\n".join([f"{report.name}: {points_line(report)} {report.result}".rstrip(), *report.remarks])


def _row(entry: dict[str, Any]) -> list[str]:
    user = entry.get("user") or {}
    texts = (user.get("sortable_name"), entry["user_id"], user.get("sis_user_id"), user.get("login_id"))
    return [*("" if text is None else str(text) for text in texts), _grade(entry)]


def _grade(entry: dict[str, Any]) -> str:
    if entry.get("excused"):
        return EXCUSED
    return "" if entry.get("score") is None else points(float(entry["score"]))


def _comments(entry: dict[str, Any]) -> set[str]:
    return {str(remark.get("comment", "")).strip() for remark in entry.get("submission_comments") or ()}
