"""Canvas's gradebook CSV.

The columns and the row "Points Possible" are those that Canvas writes and its import expects:
https://github.com/instructure/canvas-lms/blob/master/lib/gradebook_exporter.rb (``csv_data``) and
https://github.com/instructure/canvas-lms/blob/master/lib/gradebook_importer.rb (``process_student``).
The import finds a student by ``ID``, else by ``SIS User ID`` or ``SIS Login ID``, and an assignment by the number in
``Name (id)``, else by its title; it shows all changes before saving.
A file exported by Canvas and given as the roster has all of these: this is the safe way.
"""

import re
import shlex

from nbgrader.api import Gradebook
from traitlets import Dict

from autograder.errors import UsageError, several
from autograder.exports.grades import Line
from autograder.exports.roster import RosterExporter
from autograder.exports.spreadsheet import Sheet, points

WHO = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
POINTS_POSSIBLE = "    Points Possible"
ID = re.compile(r" \(\d+\)\Z")  # after an assignment's title


class CanvasExporter(RosterExporter):
    """A file for Canvas's "Import Grades": a new one, or Canvas's own export with our columns filled in."""

    default_to = "canvas.csv"
    columns = Dict(help="Assignment → its title in Canvas, if different.").tag(config=True)

    def deliver(self, gradebook: Gradebook) -> None:
        known = [assignment.name for assignment in gradebook.assignments]
        for name, title in self.columns.items():
            if name not in known:
                rule = f"--column is NAME=TITLE, the assignment and then its title in Canvas, but {name!r} is"
                instead = f"turn it round: --column {shlex.quote(f'{title}={name}')}" if title in known else ""
                raise UsageError(f"{rule} no assignment; {instead or f'the gradebook has {several(known)}'}.")
        super().deliver(gradebook)

    def fresh(self, gradebook: Gradebook, lines: list[Line]) -> list[list[str]]:
        most = {line.assignment: points(line.grade.max_score) for line in lines}
        rows = [
            [*WHO, *(self.columns.get(name, name) for name in most)],
            [POINTS_POSSIBLE, "", "", "", "", *most.values()],
        ]
        scores = {(line.student, line.assignment): points(line.grade.score) for line in lines if line.submitted}
        for line in {line.student: line for line in lines if line.submitted}.values():
            who = [line.name, line.person.lms_user_id or "", "", line.student, ""]
            rows.append(who + [scores.get((line.student, name), "") for name in most])
        return rows

    def fill(self, sheet: Sheet, gradebook: Gradebook, lines: list[Line]) -> None:
        header = sheet.rows[0]
        if "ID" not in header or "Section" not in header:
            raise UsageError(f"the roster has no columns ID and Section; is it Canvas's own export? {header[:6]}")
        possible = next((row for row in sheet.rows[1:4] if "Points Possible" in row[0]), [""] * len(header))
        indices = self._indices(header, possible, list(dict.fromkeys(line.assignment for line in lines)))
        lines = [line for line in lines if line.assignment in indices]
        for line, row in self.matched(sheet, lines, "roster"):
            self.enter(sheet, row, indices[line.assignment], line)
        for name, most in {line.assignment: line.grade.max_score for line in lines}.items():
            self.compare_maximum(name, "Canvas", possible[indices[name]], most)

    def _indices(self, header: list[str], possible: list[str], names: list[str]) -> dict[str, int]:
        """Each assignment's column in the roster; those without one are reported and left out."""
        indices: dict[str, int] = {}
        for name in names:
            title = self.columns.get(name, name)
            hits = [index for index, cell in enumerate(header) if title in (cell, ID.sub("", cell))]
            if len(hits) == 1 and "read only" not in possible[hits[0]]:
                indices[name] = hits[0]
                continue
            if hits:
                why = f"{len(hits)} columns {title!r}, or Canvas computes it; name one with its id."
            else:
                titles = ", ".join(repr(cell) for cell in header if ID.search(cell)) or "no assignment at all"
                why = f"no column {title!r}; it has {titles}. Say which: --column {name}=TITLE."
            if len(names) == 1:
                raise UsageError(f"the roster has {why}")
            self.log.warning("%s is left out: the roster has %s", name, why)
        if not indices:
            raise UsageError(f"the roster has no column for any of {', '.join(names)}; see --column.")
        return indices
