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

from autograder.exports.grades import GradesExporter, Line
from autograder.exports.spreadsheet import ExportError, points, written
from autograder.gradebook.learner_report import CheckReport, Report
from autograder.gradebook.markdown import points_line

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
                raise ExportError(f"the student id {line.student!r} cannot be the name of a folder.")
        for name in dict.fromkeys(line.assignment for line in lines):
            done = {line: self.report(gradebook, line) for line in lines if line.assignment == name and line.handed_in}
            for line, report in done.items():
                text = json.dumps(results(report), indent=2, ensure_ascii=False) + "\n"
                self.write(self.destination / name / line.student / "results.json", text)
            missing = [line for line in lines if line.assignment == name and not line.handed_in]
            self.write(self.destination / f"{name}.csv", written(_table(done, missing)))


def results(report: Report) -> dict[str, Any]:
    """One submission in the form of results.json."""
    lines = [points_line(report), report.said, *report.notes]
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
    return {
        "name": check.cell,
        "name_format": "text",
        "number": str(number),
        "score": round(check.points, 4),
        "max_score": check.max_points,
        "status": "passed" if check.points >= check.max_points else "failed",
        "output": "\n".join(filter(None, (check.about, check.message or check.status))),
        "output_format": "text",
        "visibility": "after_published" if check.hidden else "visible",
    }


def _table(done: dict[Line, Report], missing: list[Line]) -> list[list[object]]:
    checks = {check.cell: check.max_points for report in done.values() for check in report.checks}
    titles = [f"{number}: {cell} ({most:.1f} pts)" for number, (cell, most) in enumerate(checks.items(), 1)]
    rows: list[list[object]] = [[*COLUMNS, *titles]]
    for line, report in done.items():
        gained = {check.cell: points(check.points) for check in report.checks}
        when = "" if line.timestamp is None else f"{line.timestamp:%Y-%m-%d %H:%M:%S} +0000"
        seconds = int(report.seconds_late)
        late = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        who = [line.first_name, line.last_name, line.student, line.email]
        grade = [points(line.score), points(line.max_score), "Graded", "", when, late]
        rows.append([*who, *grade, *(gained.get(cell, "") for cell in checks)])
    for line in missing:
        who = [line.first_name, line.last_name, line.student, line.email]
        rows.append([*who, "", points(line.max_score), "Missing", "", "", "", *("" for _ in checks)])
    return rows
