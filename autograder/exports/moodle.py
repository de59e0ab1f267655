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
With a worksheet the feedback pages are zipped, too, for "Upload multiple feedback files in a zip" (with "Feedback
files" among the feedback types), which finds a learner by the number in the worksheet's identifier:
https://github.com/moodle/moodle/blob/main/mod/assign/feedback/file/importziplib.php
(``is_valid_filename_for_import``).
"""

import zipfile
from html import escape
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.errors import UsageError, several
from autograder.exports.grades import Line
from autograder.exports.roster import RosterExporter
from autograder.exports.spreadsheet import Sheet, points
from autograder.gradebook.learner_report import Report
from autograder.gradebook.markdown import points_line
from autograder.gradebook.summary import with_code
from autograder.notebook_files.bundle import packed
from autograder.submissions.identity import folded

GRADE, COMMENTS, IDENTIFIER, MODIFIED = "grade", "feedback comments", "identifier", "last modified (grade)"
LOCKED = "grade can be changed"


class MoodleExporter(RosterExporter):
    """With a roster, a worksheet for one assignment; else a table of all, for the gradebook's import."""

    default_to = "moodle.csv"

    def fresh(self, gradebook: Gradebook, lines: list[Line]) -> list[list[str]]:
        names = list(dict.fromkeys(line.assignment for line in lines))
        cells = {
            (line.student, line.assignment): (points(line.grade.score), comments(self.report(gradebook, line)))
            for line in lines
            if line.submitted
        }
        titles = [title for name in names for title in (name, f"{name} feedback")]
        rows = [["Username", "ID number", "Full name", "Email address", *titles]]
        for line in {line.student: line for line in lines if line.submitted}.values():
            grades = [cell for name in names for cell in cells.get((line.student, name), ("", ""))]
            rows.append([line.student, line.person.lms_user_id or "", line.name, line.person.email or "", *grades])
        return rows

    def fill(self, sheet: Sheet, gradebook: Gradebook, lines: list[Line]) -> None:
        names = list(dict.fromkeys(line.assignment for line in lines))
        if len(names) > 1:
            raise UsageError(f"a worksheet belongs to one assignment; pick one with --assignment: {', '.join(names)}.")
        header = [folded(title) for title in sheet.rows[0]]
        missing = [title for title in (IDENTIFIER, GRADE, MODIFIED) if header.count(title) != 1]
        if missing:
            raise UsageError(
                f"the worksheet has no column {missing[0]!r}; it has {', '.join(sheet.rows[0])}. "
                "Download it as a grading worksheet, in English."
            )
        rewritten, maxima, pages = list[str](), dict[str, float](), dict[str, Path]()
        for line, row in self.matched(sheet, lines, "worksheet"):
            is_open = dict(zip(header, row, strict=False)).get(LOCKED, "").strip().casefold() != "no"
            if self.enter(sheet, row, header.index(GRADE), line, is_open) and COMMENTS in header:
                before, text = row[header.index(COMMENTS)].strip(), comments(self.report(gradebook, line))
                if before and before != text:
                    rewritten.append(line.student)
                row[header.index(COMMENTS)] = text
            number = row[header.index(IDENTIFIER)].rpartition(" ")[2]  # after "Participant" in the site's language
            if number.isdecimal() and (page := self.page(line)).is_file():
                pages[f"Participant_{number}_assignfeedback_file_/{page.name}"] = page
            most = dict(zip(header, row, strict=False)).get("maximum grade", "").replace(",", ".")
            maxima[most] = line.grade.max_score
            if most.replace(".", "", 1).isdigit() and line.grade.score > float(most):  # Moodle leaves it out silently
                self.log.warning("%s has %g points; Moodle's maximum is %s.", line.student, line.grade.score, most)
        for theirs, most_here in maxima.items():
            self.compare_maximum(names[0], "Moodle", theirs, most_here)
        if rewritten:
            self.notices.append(f"comments in the worksheet that the report has replaced: {several(rewritten, 5)}.")
        if pages:
            zipped = packed("", ((name, page.read_bytes()) for name, page in pages.items()), zipfile.ZIP_DEFLATED)
            self.beside = {self.destination.with_suffix(".feedback.zip"): zipped}

    def page(self, line: Line) -> Path:
        """Where the learner's feedback is."""
        course = self.parent.coursedir
        folder = course.format_path(course.feedback_directory, line.student, line.assignment)
        return Path(folder) / f"{line.assignment}.html"


def comments(report: Report) -> str:
    """The report as HTML for Moodle's feedback comments; learners' text is escaped."""
    summary = escape(" ".join(filter(None, (points_line(report), report.result))))
    items = [with_code(remark, escape, lambda part: f"<code>{escape(part)}</code>") for remark in report.remarks]
    listed = "".join(f"<li>{item}</li>" for item in items)
    return f"<p>{summary}</p>" + (f"<ul>{listed}</ul>" if items else "")
