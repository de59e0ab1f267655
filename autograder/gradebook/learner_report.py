"""A learner's report on one submission: the verdict, with the gradebook's manual points and comments."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import takewhile
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_raw_cell
from nbgrader.api import Grade

from autograder.assignments.assignment import nbgrader_settings
from autograder.assignments.cutting import BEGIN_HIDDEN
from autograder.finding import NOTHING, UNWRITTEN, Finding
from autograder.gradebook.rows import NO_RESPONSE, Rows
from autograder.gradebook.summary import RECORD, RESULTS
from autograder.progress.overview import number
from autograder.progress.tasks import last_heading
from autograder.records.plain_data import typed

ABOVE = Finding(got="see above")  # in place of what a note says already
LONGEST = 100  # characters of a heading


@dataclass(frozen=True)
class CheckReport:
    """One graded cell: the gradebook's points, and its check's finding."""

    cell: str  # grade id
    points: float
    max_points: float
    status: str  # one of those in markdown.SIGNS
    about: str = ""  # the cell's opening comment
    finding: Finding = NOTHING  # empty if there is none
    hidden: bool = False  # learners never see the test itself
    in_words: bool = False  # an answer graded by a person, not a check
    task: str = ""  # the heading above the cell

    @property
    def message(self) -> str:
        return str(self.finding)

    @property
    def title(self) -> str:
        """What a learner calls it: the task's heading; the cell's id if there is none."""
        return f"{self.task}{' (hidden check)' if self.hidden else ''}" if self.task else self.cell


@dataclass(frozen=True)
class Report:
    """One submission. ``points`` are before the late penalty; ``score`` is after it, and never negative."""

    student: str
    assignment: str
    status: str  # of the verdict; empty if there is none
    points: float
    max_points: float
    late_penalty: float
    seconds_late: float
    checks: list[CheckReport]
    comments: dict[str, str]  # grade id of an answer → what the instructor wrote, or NO_RESPONSE
    notes: list[str]  # repairs and stopped cells
    title: str = ""  # the exercise's own name
    moments: str = ""  # when it was handed in and when it was due, with the zone; empty if either is unknown

    @property
    def name(self) -> str:
        return self.title or self.assignment

    @property
    def score(self) -> float:
        return max(0.0, self.points - self.late_penalty)

    @property
    def result(self) -> str:
        """The result in a sentence or two; manually changed points take precedence."""
        sentences = [RESULTS.get(self.status, "")]
        checks = [check for check in self.checks if not check.in_words and check.status != "to be graded"]
        if self.status in ("", "ok", "failed"):
            passed = all(check.points >= check.max_points for check in checks)
            sentences = [RESULTS["ok"] if passed else RESULTS["failed"]] if checks else []
        if waiting := sum(check.max_points - check.points for check in self.checks if check.status == "to be graded"):
            points = "point waits" if waiting == 1 else "points wait"
            sentences.append(f"{number(waiting)} {points} to be graded by hand.")
        if any(check.status == "to be graded again" for check in self.checks):
            sentences.append("Points were given by hand before something was changed, and will be given again.")
        if count := sum(check.status == "not answered" for check in self.checks):
            sentences.append("A question is not answered." if count == 1 else f"{count} questions are not answered.")
        return " ".join(filter(None, sentences))

    @property
    def lateness(self) -> str:
        """How late it was, in words; empty if on time."""
        if self.seconds_late <= 0:
            return ""
        seconds, minutes = (int(-(-self.seconds_late // unit)) for unit in (1, 60))
        parts = {"day": minutes // 1440, "hour": minutes // 60 % 24, "minute": minutes % 60}
        parts = {"second": seconds} if seconds < 60 else parts
        words = [f"{count} {unit}{'s' if count > 1 else ''}" for unit, count in parts.items() if count]
        return " ".join(words[:2]) + " late" + (f": {self.moments}" if self.moments else "")

    @property
    def remarks(self) -> list[str]:
        """One line each: what happened, each check that lost points, and what a person wrote."""
        lost = [check for check in self.checks if check.points < check.max_points]
        if self.status == "unreadable":  # the notes say why nothing was run
            lost = [check for check in lost if check.message]
        points = {check.cell: f"{number(check.points)}/{number(check.max_points)}" for check in lost}
        lines = [f"{check.title} ({points[check.cell]}): {check.message or check.status}" for check in lost]
        titles = {check.cell.removesuffix("_visible"): check.title for check in self.checks}  # an answer's too
        written = {cell: text for cell, text in self.comments.items() if text != NO_RESPONSE}
        lines += [f"{titles.get(cell, cell)}: {text}" for cell, text in written.items()]
        return [" ".join(line.split()) for line in (*self.notes, *lines)]

    def record(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        checks = [asdict(check) | {"message": check.message} for check in self.checks]
        return {**vars(self), "checks": checks, "score": self.score, "said": self.result, "title": self.name}


def read_report(notebook: NotebookNode, rows: Rows, student: str, zone: tzinfo) -> Report:
    """The report on a graded notebook: its stored verdict, and the gradebook's points, comments and penalty.

    ``zone``: in which times are told.

    Raises:
        nbgrader.api.MissingEntry: the gradebook has no such submission.
    """
    row = rows.notebook(student)
    verdict = notebook.cells[0].metadata.get(RECORD, {}) if notebook.cells else {}  # empty if stock nbgrader graded it
    cells = {settings["grade_id"]: cell for cell in notebook.cells if (settings := nbgrader_settings(cell))}
    recorded = {check["cell"]: check for check in verdict.get("checks", ())}
    default = {"status": "not run"} if verdict.get("status") == "unreadable" else {}  # an answer that nobody has seen
    graded = {grade.name: grade for grade in row.grades}
    names = [*(name for name in cells if name in graded), *(name for name in graded if name not in cells)]
    lost = new_raw_cell()  # stands in for a cell missing from the notebook: its points still count
    tasks = headings(notebook)
    checks = [
        _check_report(name, graded[name], recorded.get(name, default), cells.get(name, lost), tasks.get(name, ""))
        for name in names
    ]
    notes = list(verdict.get("notes", ()))
    instead = NOTHING if verdict.get("status") == "unreadable" else ABOVE
    checks = [replace(check, finding=instead) if check.message in notes else check for check in checks]
    return Report(
        student=student,
        assignment=rows.assignment,
        status=verdict.get("status", ""),
        points=sum(check.points for check in checks),
        max_points=sum(check.max_points for check in checks),
        late_penalty=float(row.late_submission_penalty or 0.0),
        seconds_late=float(row.assignment.total_seconds_late),
        checks=checks,
        comments={
            comment.name: comment.comment
            for comment in row.comments
            if comment.manual_comment or (comment.auto_comment and not default)
        },
        notes=notes,
        title=str(notebook.metadata.get("title", "")),
        moments=_moments(row.assignment.timestamp, row.assignment.duedate, zone),
    )


def _moments(submitted: datetime | None, due: datetime | None, zone: tzinfo) -> str:
    """The gradebook's times, which are in UTC, in this zone; to the minute unless they are nearer to each other."""
    if not submitted or not due:
        return ""
    near = abs(submitted - due) < timedelta(minutes=1)
    local = [time.replace(tzinfo=UTC).astimezone(zone) for time in (submitted, due)]
    times = [f"{time.replace(tzinfo=None) if near else f'{time:%Y-%m-%d %H:%M}'} {time:%Z}" for time in local]
    return f"handed in {times[0]}, due {times[1]}"


def headings(notebook: NotebookNode) -> dict[str, str]:
    """Grade id → the heading above that cell, as plain text."""
    headings, heading = {}, ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and RECORD not in cell.metadata:
            heading = last_heading(cell.source) or heading
        headings[nbgrader_settings(cell).get("grade_id", "")] = heading[:LONGEST]
    return headings


def _check_report(name: str, grade: Grade, record: Mapping[str, Any], cell: NotebookNode, task: str) -> CheckReport:
    most = float(grade.max_score)
    in_words = bool(nbgrader_settings(cell).get("solution") or nbgrader_settings(cell).get("task"))
    if grade.manual_score is not None or grade.extra_credit:
        status = "to be graded again" if grade.needs_manual_grade else "by hand"
    elif grade.needs_manual_grade:
        status = "to be graded"
    else:
        status = record.get("status") or ("passed" if grade.score >= most else "failed")
    finding = typed(Finding, record.get("finding", {}))
    if status == "failed" and in_words:  # an empty answer needs no grader
        status, finding = "not answered", Finding(mistake=UNWRITTEN)
    hidden = BEGIN_HIDDEN in cell.source
    return CheckReport(name, float(grade.score), most, status, _about(cell), finding, hidden, in_words, task)


def _about(cell: NotebookNode) -> str:
    """The cell's opening comment, which learners see even if the test below it is hidden."""
    lines = cell.source.splitlines() if cell.cell_type == "code" else ()
    comments = takewhile(lambda line: line.startswith("#") and not line.startswith("###"), lines)
    return " ".join(line.lstrip("# ").rstrip() for line in comments)
