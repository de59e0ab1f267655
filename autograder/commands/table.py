"""The results of a grading run, as a table and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.gradebook.book import Book
from autograder.gradebook.summary import number, stopped_cells
from autograder.grading.grading_run import Graded, Run
from autograder.records.verdict import Verdict

if TYPE_CHECKING:
    from autograder.gradebook.class_scores import Score

CurrentGrades = dict[tuple[str, str], "Score"]  # by student and assignment


def in_gradebook(graded: Sequence[Graded], book: Book) -> CurrentGrades:
    """The gradebook's current entries for the graded submissions."""
    from autograder.gradebook.class_scores import current_scores

    names = {one.handed.assignment for one in graded}
    return {(student, name): line for name in names for student, line in current_scores(book, name).items()}


def table(graded: Sequence[Graded], output: Path, book: Book, found: CurrentGrades, width: int = 72) -> str:
    rows = [("student", "assignment", "status", "points", "")]
    for one in graded:
        line = found.get((one.handed.student, one.handed.assignment))
        remark = "; ".join(filter(None, (*_remarks(line), _first_message(one.verdict))))
        remark = remark if len(remark) <= width else remark[: width - 1] + "…"
        score, most = (line.score, line.max_score) if line else (one.verdict.points, one.verdict.max_points)
        points = f"{number(score)} / {number(most)}"
        rows.append((one.handed.student, one.handed.assignment, one.verdict.status, points, remark))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = []
    for row in rows:
        cells = [cell.ljust(size) for cell, size in zip(row[:3], widths, strict=False)]
        lines.append("  ".join([*cells, row[3].rjust(widths[3]), row[4]]).rstrip())
    lines.insert(1, "  ".join("─" * size for size in widths))
    reused = sum(one.reused for one in graded)
    lines += [
        "",
        f"{len(graded)} submissions, {len(graded) - reused} judged now, {reused} unchanged since an earlier run.",
        f"gradebook  {book}",
        f"feedback   {output / 'feedback'}/<student>/<assignment>/<assignment>.html",
    ]
    return "\n".join(lines)


def record(graded: Sequence[Graded], job: Run, found: CurrentGrades) -> dict[str, object]:
    return {
        "output": str(job.output),
        "left_out": job.left_out,
        "submissions": [
            {
                "student": one.handed.student,
                "assignment": one.handed.assignment,
                "status": one.verdict.status,
                "points": one.verdict.points,
                "max_points": one.verdict.max_points,
                "gradebook": line.record()
                if (line := found.get((one.handed.student, one.handed.assignment)))
                else None,
                "notes": one.verdict.notes,
                "checks": checks(one.verdict),
            }
            for one in graded
        ],
    }


def checks(verdict: Verdict) -> list[dict[str, object]]:
    return [
        {
            "check": one.cell,
            "points": one.points,
            "max_points": one.max_points,
            "message": one.message,
            "finding": asdict(one.finding),
        }
        for one in verdict.checks
    ]


def _remarks(line: "Score | None") -> list[str]:
    """What the checks do not cover."""
    late = f"{number(line.penalty)} taken off for lateness" if line and line.penalty else ""
    return [late, "an answer needs manual grading" if line and line.waits else ""]


def _first_message(verdict: Verdict) -> str:
    lost = [f"{check.cell}: {check.message}" for check in verdict.checks if check.message and check.points == 0]
    if verdict.status in ("unreadable", "infrastructure"):
        lost = verdict.notes[-1:]
    return " ".join([*lost, *verdict.notes, *stopped_cells(verdict), ""][0].split())
