"""What a learner is told of one submission: the verdict, joined with what the gradebook adds to it by hand."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_raw_cell
from nbgrader.api import BaseCell, Comment, Grade, Gradebook, GradeCell, SubmittedNotebook, TaskCell

from autograder.authoring.assignment import nbgrader_settings
from autograder.authoring.notebooks import BEGIN_HIDDEN
from autograder.finding import NOTHING, Finding
from autograder.gradebook.summary import RECORD, SAID

STATUSES = ("passed", "partial", "failed", "not run", "by hand", "to be graded")


@dataclass(frozen=True)
class Told:
    """One graded cell: its points as the gradebook has them, and what its check said."""

    cell: str  # grade id
    points: float
    max_points: float
    status: str  # one of STATUSES
    about: str = ""  # what the cell says of itself in its first comment
    finding: Finding = NOTHING  # empty where there is nothing to say
    hidden: bool = False  # learners never see the test itself

    @property
    def message(self) -> str:
        return str(self.finding)


@dataclass(frozen=True)
class Report:
    """One submission. ``points`` are before the late penalty, ``score`` is what counts: never below zero."""

    student: str
    assignment: str
    status: str  # of the verdict; empty where there is none
    points: float
    max_points: float
    late_penalty: float
    seconds_late: float
    checks: list[Told]
    comments: dict[str, str]  # grade id of an answer → what the instructor wrote, or nbgrader's "No response."
    notes: list[str]  # repairs, cells that were stopped

    @property
    def score(self) -> float:
        return max(0.0, self.points - self.late_penalty)

    @property
    def said(self) -> str:
        """The one sentence on how it went; points that were changed by hand have the last word."""
        if self.status in ("", "ok", "failed") and self.checks:
            return SAID["ok"] if all(check.points >= check.max_points for check in self.checks) else SAID["failed"]
        return SAID.get(self.status, "")

    @property
    def lateness(self) -> str:
        """How late it came, for people; empty when it came in time."""
        if self.seconds_late <= 0:
            return ""
        minutes = int(-(-self.seconds_late // 60))
        parts = {"day": minutes // 1440, "hour": minutes // 60 % 24, "minute": minutes % 60}
        words = [f"{count} {unit}{'s' if count > 1 else ''}" for unit, count in parts.items() if count]
        return " ".join(words[:2]) + " late"

    def record(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        checks = [asdict(check) | {"message": check.message} for check in self.checks]
        return {**asdict(self), "checks": checks, "score": self.score, "said": self.said}


def read_report(notebook: NotebookNode, gradebook: Gradebook, assignment: str, student: str) -> Report:
    """The report on a graded notebook: its stored verdict, and the gradebook's points, comments and penalty.

    Raises:
        nbgrader.api.MissingEntry: the gradebook has no such submission.
    """
    row = gradebook.find_submission_notebook(assignment, assignment, student)
    verdict = _verdict(notebook)
    cells = {settings["grade_id"]: cell for cell in notebook.cells if (settings := nbgrader_settings(cell))}
    said = {check["cell"]: check for check in verdict.get("checks", ())}
    graded = _grades(gradebook, row)
    names = [*(name for name in cells if name in graded), *(name for name in graded if name not in cells)]
    lost = new_raw_cell()  # stands for a cell that the notebook does not have: its points count all the same
    checks = [_told(name, *graded[name], said.get(name, {}), cells.get(name, lost)) for name in names]
    return Report(
        student=student,
        assignment=assignment,
        status=verdict.get("status", ""),
        points=sum(check.points for check in checks),
        max_points=sum(check.max_points for check in checks),
        late_penalty=float(row.late_submission_penalty or 0.0),
        seconds_late=float(row.assignment.total_seconds_late),
        checks=checks,
        comments=_comments(gradebook, row),
        notes=list(verdict.get("notes", ())),
    )


def _verdict(notebook: NotebookNode) -> Mapping[str, Any]:
    """What the summary cell keeps of the verdict; nothing where stock nbgrader graded."""
    return notebook.cells[0].metadata.get(RECORD, {}) if notebook.cells else {}


def _grades(gradebook: Gradebook, row: SubmittedNotebook) -> dict[str, tuple[Grade, float]]:
    graded = {}
    for kind in (GradeCell, TaskCell):
        rows = gradebook.db.query(kind.name, kind.max_score, Grade).join(Grade, Grade.cell_id == kind.id)
        graded |= {name: (grade, float(most)) for name, most, grade in rows.filter(Grade.notebook_id == row.id)}
    return graded


def _comments(gradebook: Gradebook, row: SubmittedNotebook) -> dict[str, str]:
    rows = gradebook.db.query(BaseCell.name, Comment.comment).join(Comment, Comment.cell_id == BaseCell.id)
    return {name: text for name, text in rows.filter(Comment.notebook_id == row.id) if text}


def _told(name: str, grade: Grade, most: float, said: Mapping[str, Any], cell: NotebookNode) -> Told:
    if grade.manual_score is not None or grade.extra_credit:
        status = "by hand"
    elif grade.needs_manual_grade:
        status = "to be graded"
    else:
        status = said.get("status") or ("passed" if grade.score >= most else "failed")
    finding = Finding.of(said.get("finding", {}))
    return Told(name, float(grade.score), most, status, _about(cell), finding, BEGIN_HIDDEN in cell.source)


def _about(cell: NotebookNode) -> str:
    """The comment that the cell begins with: learners see it even where the test below it is hidden."""
    lines = []
    for line in cell.source.splitlines() if cell.cell_type == "code" else ():
        if not line.startswith("#") or line.startswith("###"):
            break
        lines.append(line.lstrip("# ").rstrip())
    return " ".join(lines)
