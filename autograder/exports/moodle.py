"""Moodle: the assignment's offline grading worksheet, filled in, or a table for the gradebook's CSV import.

The worksheet (Assignment → Submissions → Download grading worksheet, with "Offline grading worksheet" and "Feedback
comments" among the feedback types) is uploaded with "Upload grading worksheet".
Moodle reads its columns ``Identifier``, ``Grade``, ``Last modified (grade)`` and ``Feedback comments``:
https://github.com/moodle/moodle/blob/main/mod/assign/feedback/offline/importgradeslib.php (``init``, ``next``).
``Last modified (grade)`` is kept: Moodle uses it to detect a grade that was changed in the meantime
(``process_import_grades`` in locallib.php beside it).
Without a worksheet the identifiers are unknown outside Moodle; the table then has one row per student for
Grades → Import → CSV file, where each column is mapped to a grade item or its feedback:
https://github.com/moodle/moodle/blob/main/grade/import/csv/classes/load_data.php (``prepare_import_grade_data``).
"""

from html import escape
from pathlib import Path

from nbgrader.api import Gradebook
from traitlets import Unicode

from autograder.exports.grades import GradesExporter, Line
from autograder.exports.matching_rows import local_part, matched
from autograder.exports.spreadsheet import ExportError, points, read_sheet, written
from autograder.gradebook.learner_report import Report
from autograder.gradebook.markdown import points_line

GRADE, COMMENTS, IDENTIFIER, MODIFIED = "grade", "feedback comments", "identifier", "last modified (grade)"

COLUMNS = {
    "username": lambda line: (line.student,),
    "id number": lambda line: (line.student, line.lms_user_id),
    "email address": lambda line: (line.email, line.student),
    IDENTIFIER: lambda line: (f"Participant {line.lms_user_id}",) if line.lms_user_id else (),
    "address before the @": lambda line: (line.student,),
}


class MoodleExporter(GradesExporter):
    """With a roster, a worksheet for one assignment; else a table of all, for the gradebook's import."""

    default_to = "moodle.csv"
    roster = Unicode("", help="Grading worksheet as downloaded from Moodle, to be filled in.").tag(config=True)

    def deliver(self, gradebook: Gradebook) -> None:
        lines = self.lines(gradebook)
        self.write(self.destination, self._filled(gradebook, lines) if self.roster else self._fresh(gradebook, lines))

    def _fresh(self, gradebook: Gradebook, lines: list[Line]) -> str:
        names = list(dict.fromkeys(line.assignment for line in lines))
        cells = {
            (line.student, line.assignment): (points(line.score), comments(self.report(gradebook, line)))
            for line in lines
            if line.handed_in
        }
        titles = [title for name in names for title in (name, f"{name} feedback")]
        rows = [["Username", "ID number", "Full name", "Email address", *titles]]
        for line in {line.student: line for line in lines if line.handed_in}.values():
            grades = [cell for name in names for cell in cells.get((line.student, name), ("", ""))]
            rows.append([line.student, line.lms_user_id, line.name, line.email, *grades])
        return written(rows)

    def _filled(self, gradebook: Gradebook, lines: list[Line]) -> str:
        names = list(dict.fromkeys(line.assignment for line in lines))
        if len(names) > 1:
            raise ExportError(f"a worksheet belongs to one assignment; pick one with --assignment: {', '.join(names)}.")
        sheet = read_sheet(Path(self.roster))
        header = [title.strip().casefold() for title in sheet.rows[0]]
        missing = [title for title in (IDENTIFIER, GRADE, MODIFIED) if header.count(title) != 1]
        if missing:
            raise ExportError(
                f"the worksheet has no column {missing[0]!r}; it has {', '.join(sheet.rows[0])}. "
                "Download it as a grading worksheet, in English."
            )
        rows = [dict(zip(header, row, strict=False)) for row in sheet.rows[1:]]
        for row in rows:
            row["address before the @"] = local_part(row.get("email address", ""))
        present = {*header, "address before the @"}
        found = matched(rows, lines, {name: keys for name, keys in COLUMNS.items() if name in present})
        for line in lines:
            if line.student not in found:
                self.log.warning("%s is not in the worksheet: left out.", line.student)
            elif line.handed_in:
                cells = sheet.rows[1 + found[line.student]]
                cells[header.index(GRADE)] = points(line.score)
                if COMMENTS in header:
                    cells[header.index(COMMENTS)] = comments(self.report(gradebook, line))
                self._compare_points(rows[found[line.student]], line)
        return ("\ufeff" if sheet.encoding == "utf-8-sig" else "") + written(sheet.rows, sheet.delimiter)

    def _compare_points(self, row: dict[str, str], line: Line) -> None:
        """Warns of grades above Moodle's maximum, which Moodle leaves out silently."""
        most = row.get("maximum grade", "").replace(",", ".")
        if most.replace(".", "", 1).isdigit() and line.score > float(most):
            self.log.warning("%s has %g points; Moodle's maximum is %s.", line.student, line.score, most)


def comments(report: Report) -> str:
    """The report as HTML for Moodle's feedback comments; learners' text is escaped."""
    items = [*report.notes]
    for check in report.checks:
        if check.points < check.max_points:
            items.append(f"{check.cell} ({check.points:g}/{check.max_points:g}): {check.message or check.status}")
    items += [f"{cell}: {text}" for cell, text in report.comments.items()]
    summary = escape(" ".join(filter(None, (points_line(report), report.said))))
    listed = "".join(f"<li>{escape(' '.join(item.split()))}</li>" for item in items)
    return f"<p>{summary}</p>" + (f"<ul>{listed}</ul>" if items else "")
