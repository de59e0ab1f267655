"""Gradescope: a results.json for each submission, and a table in the columns of its own grade export.

``results.json`` is what an autograder writes for one submission; its fields and values are those of
https://gradescope-autograders.readthedocs.io/en/latest/specs/ ("Output format").
Outputs have the format ``text``, so that learners' text is not interpreted; messages of hidden checks are shown once
grades are published.
"""

import json
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook

from autograder.errors import UsageError
from autograder.exports.grades import GradesExporter, Line
from autograder.exports.spreadsheet import points, written
from autograder.gradebook.learner_report import CheckReport, Report
from autograder.gradebook.markdown import points_line
from autograder.progress.overview import number as count

COLUMNS = (
    *("First Name", "Last Name", "SID", "Email", "Total Score", "Max Points", "Status"),
    *("Submission ID", "Submission Time", "Lateness (H:M:S)"),
)


class GradescopeExporter(GradesExporter):
    """Below the folder: ``<assignment>.csv`` and ``<assignment>/<student>/results.json``."""

    default_to = "gradescope"

    def deliver(self, gradebook: Gradebook) -> None:
        lines = self.lines(gradebook)
        for line in lines:
            if Path(line.student).name != line.student:
                raise UsageError(f"the student id {line.student!r} cannot be the name of a folder.")
        for name in dict.fromkeys(line.assignment for line in lines):
            of_it = [line for line in lines if line.assignment == name]
            done = {line.student: self.report(gradebook, line) for line in of_it if line.submitted}
            for student, report in done.items():
                text = json.dumps(results(report), indent=2, ensure_ascii=False) + "\n"
                self.write(self.destination / name / student / "results.json", text)
            self.write(self.destination / f"{name}.csv", written(_table(of_it, done)))


def results(report: Report) -> dict[str, Any]:
    """One submission in the form of results.json."""
    lines = [points_line(report), report.result, *report.notes]
    lines += [f"{cell}: {text}" for cell, text in report.comments.items()]
    return {
        "score": round(report.score, 4),
        "output": "\n".join(filter(None, lines)),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [_test(number, check) for number, check in enumerate(report.checks, 1)],
        "extra_data": {"assignment": report.assignment, "status": report.status, "late_penalty": report.late_penalty},
    }


def _test(number: int, check: CheckReport) -> dict[str, Any]:
    about = {"name": check.cell, "name_format": "text", "number": str(number)}
    if check.status == "to be graded":  # without points, or it would look as if they were lost
        by_hand = f"{count(check.max_points)} points are given by hand: a person reads this answer."
        return {**about, "output": by_hand, "output_format": "text", "visibility": "visible"}
    return {
        **about,
        "score": round(check.points, 4),
        "max_score": check.max_points,
        "status": "passed" if check.points >= check.max_points else "failed",
        "output": "\n".join(filter(None, (check.about, check.message or check.status))),
        "output_format": "text",
        "visibility": "after_published" if check.hidden else "visible",
    }


def _table(lines: list[Line], done: dict[str, Report]) -> list[list[object]]:
    checks = {check.cell: check.max_points for report in done.values() for check in report.checks}
    titles = [f"{number}: {cell} ({most:.1f} pts)" for number, (cell, most) in enumerate(checks.items(), 1)]
    rows: list[list[object]] = [[*COLUMNS, *titles]]
    for line in sorted(lines, key=lambda line: not line.submitted):
        who, grade, report = line.person, line.grade, done.get(line.student)
        row = [who.first_name, who.last_name, line.student, who.email]
        if report is None:
            rows.append([*row, "", points(grade.max_score), "Missing", "", "", "", *("" for _ in checks)])
            continue
        gained = {check.cell: points(check.points) for check in report.checks}
        when = "" if grade.timestamp is None else f"{grade.timestamp:%Y-%m-%d %H:%M:%S} +0000"
        minutes, seconds = divmod(int(report.seconds_late), 60)
        late = f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
        row += [points(grade.score), points(grade.max_score), "Graded", "", when, late]
        rows.append([*row, *(gained.get(cell, "") for cell in checks)])
    return rows
