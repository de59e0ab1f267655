"""Canvas's gradebook CSV.

The columns and the row "Points Possible" are those that Canvas writes and its import expects:
https://github.com/instructure/canvas-lms/blob/master/lib/gradebook_exporter.rb (``csv_data``) and
https://github.com/instructure/canvas-lms/blob/master/lib/gradebook_importer.rb (``process_student``).
The import finds a student by ``ID``, else by ``SIS User ID`` or ``SIS Login ID``, and an assignment by the number in
``Name (id)``, else by its title; it shows all changes before saving.
A file exported by Canvas and given as the roster has all of these: this is the safe way.
"""

import re
from pathlib import Path

from nbgrader.api import Gradebook
from traitlets import Dict, Unicode

from autograder.exports.grades import GradesExporter, Line
from autograder.exports.matching_rows import local_part, matched
from autograder.exports.spreadsheet import ExportError, Sheet, points, read_sheet, written

WHO = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
POINTS_POSSIBLE = "    Points Possible"
WITH_ID = re.compile(r"(.*?) \((\d+)\)")

COLUMNS = {
    "SIS Login ID": lambda line: (line.student, line.email),
    "SIS User ID": lambda line: (line.student, line.lms_user_id),
    "ID": lambda line: (line.lms_user_id,),
    "login before the @": lambda line: (line.student,),
}


class CanvasExporter(GradesExporter):
    """A file for Canvas's "Import Grades": a new one, or Canvas's own export with our columns filled in."""

    default_to = "canvas.csv"
    roster = Unicode("", help="Gradebook as exported from Canvas, to be filled in.").tag(config=True)
    columns = Dict(help="Assignment → its title in Canvas, if different.").tag(config=True)

    def deliver(self, gradebook: Gradebook) -> None:
        lines = self.lines(gradebook)
        if self.roster:
            sheet = self._filled(read_sheet(Path(self.roster)), lines)
        else:
            sheet = Sheet(self._fresh(lines))
        text = written(sheet.rows, sheet.delimiter)
        self.write(self.destination, "\ufeff" + text if sheet.encoding == "utf-8-sig" else text)

    def _fresh(self, lines: list[Line]) -> list[list[str]]:
        most = {line.assignment: points(line.max_score) for line in lines}
        rows = [
            [*WHO, *(self.columns.get(name, name) for name in most)],
            [POINTS_POSSIBLE, "", "", "", "", *most.values()],
        ]
        scores = {(line.student, line.assignment): points(line.score) for line in lines if line.handed_in}
        for line in {line.student: line for line in lines if line.handed_in}.values():
            who = [line.name, line.lms_user_id, "", line.student, ""]
            rows.append(who + [scores.get((line.student, name), "") for name in most])
        return rows

    def _filled(self, sheet: Sheet, lines: list[Line]) -> Sheet:
        header = sheet.rows[0]
        if "ID" not in header or "Section" not in header:
            raise ExportError(f"the roster has no columns ID and Section; is it Canvas's own export? {header[:6]}")
        place = self._places(sheet, list(dict.fromkeys(line.assignment for line in lines)))
        lines = [line for line in lines if line.assignment in place]
        rows = [dict(zip(header, row, strict=False)) for row in sheet.rows[1:]]
        for row in rows:
            row["login before the @"] = local_part(row.get("SIS Login ID", ""))
        found = matched(rows, lines, {name: keys for name, keys in COLUMNS.items() if name in rows[0]})
        for line in lines:
            if line.student not in found:
                self.log.warning("%s is not in the roster: left out.", line.student)
            elif line.handed_in:
                sheet.rows[1 + found[line.student]][place[line.assignment]] = points(line.score)
        self._compare_points(sheet, place, lines)
        return sheet

    def _places(self, sheet: Sheet, names: list[str]) -> dict[str, int]:
        """Each assignment's column in the roster; those without one are reported and left out."""
        place: dict[str, int] = {}
        for name in names:
            try:
                place[name] = self._column(name, sheet)
            except ExportError as error:
                if len(names) == 1:
                    raise
                self.log.warning("%s is left out: %s", name, error)
        if not place:
            raise ExportError(f"the roster has no column for any of {', '.join(names)}; see --column.")
        return place

    def _column(self, name: str, sheet: Sheet) -> int:
        """The assignment's column in the roster."""
        header = sheet.rows[0]
        titles = [found[1] if (found := WITH_ID.fullmatch(cell)) else cell for cell in header]
        title = self.columns.get(name, name)
        hits = [place for place, cell in enumerate(header) if title in (cell, titles[place])]
        possible = self._possible(sheet)
        if len(hits) == 1 and "read only" not in possible[hits[0]]:
            return hits[0]
        if hits:
            raise ExportError(
                f"the roster has {len(hits)} columns {title!r}, or Canvas computes it; name one with its id."
            )
        there = ", ".join(repr(cell) for cell in header if WITH_ID.fullmatch(cell)) or "no assignment at all"
        raise ExportError(f"the roster has no column {title!r}; it has {there}. Say which: --column {name}=TITLE.")

    @staticmethod
    def _possible(sheet: Sheet) -> list[str]:
        """The ``Points Possible`` row."""
        rows = [row for row in sheet.rows[1:4] if "Points Possible" in row[0]]
        return rows[0] if rows else [""] * len(sheet.rows[0])

    def _compare_points(self, sheet: Sheet, place: dict[str, int], lines: list[Line]) -> None:
        possible = self._possible(sheet)
        for name, most in {line.assignment: line.max_score for line in lines}.items():
            theirs = possible[place[name]].replace(",", ".")
            if re.fullmatch(r"\d+(\.\d*)?", theirs) and float(theirs) != most:
                self.log.warning("%s: Canvas has %s points possible, the gradebook %g.", name, theirs, most)
