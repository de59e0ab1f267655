"""The results of a grading run, for people and for programs."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from autograder.gradebook.summary import number, stopped_cells
from autograder.grading.run import Graded, Run
from autograder.judging.verdict import Verdict


def table(graded: Sequence[Graded], output: Path, width: int = 72) -> str:
    rows = [("student", "assignment", "status", "points", "")]
    for one in graded:
        said = _first_message(one.verdict)
        said = said if len(said) <= width else said[: width - 1] + "…"
        points = f"{number(one.verdict.points)} / {number(one.verdict.max_points)}"
        rows.append((one.handed.student, one.handed.assignment, one.verdict.status, points, said))
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
        f"gradebook  {output / 'gradebook.db'}",
        f"feedback   {output / 'feedback'}/<student>/<assignment>/<assignment>.html",
    ]
    return "\n".join(lines)


def record(graded: Sequence[Graded], job: Run) -> dict[str, object]:
    return {
        "output": str(job.output),
        "submissions": [
            {
                "student": one.handed.student,
                "assignment": one.handed.assignment,
                "status": one.verdict.status,
                "points": one.verdict.points,
                "max_points": one.verdict.max_points,
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


def _first_message(verdict: Verdict) -> str:
    lost = [f"{check.cell}: {check.message}" for check in verdict.checks if check.message and check.points == 0]
    if verdict.status in ("unreadable", "infrastructure"):
        lost = verdict.notes[-1:]
    return " ".join([*lost, *verdict.notes, *stopped_cells(verdict), ""][0].split())
