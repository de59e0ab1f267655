"""An LMS's own table as the roster: its rows are found by ids and addresses, never by names or guesses."""

import re
from pathlib import Path

from nbgrader.api import Gradebook
from traitlets import List, Unicode

from autograder.errors import several
from autograder.exports.grades import GradesExporter, Line
from autograder.exports.spreadsheet import NUMBER, Sheet, read_sheet
from autograder.submissions.identity import COLUMNS, Identity, cells, rows_of


class RosterExporter(GradesExporter):
    """Fills in the LMS's table, or makes a new one if there is none."""

    roster = Unicode("", help="Table as exported from the LMS, to be filled in.").tag(config=True)
    replaced: "List[str]" = List()  # grades of the table that have changed

    def deliver(self, gradebook: Gradebook) -> None:
        lines = self.lines(gradebook)
        sheet = read_sheet(Path(self.roster)) if self.roster else Sheet(self.fresh(gradebook, lines))
        if self.roster:
            self.fill(sheet, gradebook, lines)
        if self.replaced:
            self.notices.append(f"grades in the roster that have changed: {several(self.replaced, 5)}.")
        self.write(self.destination, sheet.text)
        for path, data in self.beside.items():
            self.write(path, data)

    def fresh(self, gradebook: Gradebook, lines: list[Line]) -> list[list[str]]:
        """The rows of a new table."""
        raise NotImplementedError

    def fill(self, sheet: Sheet, gradebook: Gradebook, lines: list[Line]) -> None:
        """Enter the grades into the roster."""
        raise NotImplementedError

    def matched(self, sheet: Sheet, lines: list[Line], name: str) -> list[tuple[Line, list[str]]]:
        """The lines of work that was handed in, each with its row of the sheet; students without a row are named.

        Raises:
            UsageError: two rows could be one student, or one row two students.
        """
        people = {line.student: line.person for line in lines}
        identities = [Identity(student, person.email, person.lms_user_id) for student, person in people.items()]
        indices = {student: index for student, (index,) in rows_of(sheet.rows, identities, once=True).items()}
        everything = {cell for column in COLUMNS for cell in cells(sheet.rows, column)}
        for line in {line.student: line for line in lines}.values():
            if line.student not in indices:
                bare = line.student.lstrip("0")
                is_cut = bare != line.student and bare in everything - {""}
                hint = f" It has {bare}: a spreadsheet may have taken the zeros off; put them back." if is_cut else ""
                self.log.warning("%s is not in the %s: left out.%s", line.student, name, hint)
        lines = [line for line in lines if line.student in indices and line.submitted]
        return [(line, sheet.rows[indices[line.student]]) for line in lines]

    def compare_maximum(self, assignment: str, system: str, theirs: str, most: float) -> None:
        """Warn where the system counts from another maximum, since points are entered as they are."""
        number = theirs.replace(",", ".")
        if re.fullmatch(r"\d+(\.\d*)?", number) and float(number) != most:
            self.log.warning("%s: %s has %s points possible, the gradebook %g.", assignment, system, number, most)

    def enter(self, sheet: Sheet, row: list[str], column: int, line: Line, is_open: bool = True) -> bool:
        """Put the points into their cell, and say whether this was done.

        What is no number there, such as Canvas's EX for somebody excused, is kept and named.
        """
        old = row[column].strip()
        if not is_open or (old and old != "-" and not NUMBER.fullmatch(old)):
            why = "may not be changed" if not is_open else f"is {old!r}"
            self.log.warning("%s: the grade of %s %s in the roster, and was kept.", line.student, line.assignment, why)
            return False
        row[column] = sheet.points(line.grade.score)
        if old not in ("", "-") and sheet.points(float(old.rstrip("%").replace(",", "."))) != row[column]:
            self.replaced.append(f"{line.student} {old} → {row[column]}")
        return True
