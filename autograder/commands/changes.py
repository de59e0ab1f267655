"""What a regrade changed, as a table and as JSON."""

from collections.abc import Sequence

from autograder.gradebook.book import Book
from autograder.gradebook.summary import number
from autograder.grading.regrade import Regraded


def table(regraded: Sequence[Regraded], gradebook: Book | None) -> str:
    """One row per check whose result changed, and how many submissions are unchanged."""
    rows: list[tuple[str, ...]] = [("student", "assignment", "check", "before", "after", "why")]
    for one in regraded:
        why = reason(one)
        for check, before, after in one.changes:
            points = [("–" if value is None else number(value)) for value in (before, after)]
            what = f"message only; {why}" if before == after else why
            rows.append((one.handed.student, one.handed.assignment, check, *points, what))
    lines = []
    if len(rows) > 1:
        widths = [max(len(row[column]) for row in rows) for column in range(5)]
        for row in rows:
            cells = [cell.ljust(size) for cell, size in zip(row[:3], widths, strict=False)]
            cells += [row[3].rjust(widths[3]), "→", row[4].ljust(widths[4]), row[5]]
            lines.append("  ".join(cells).rstrip())
        lines.insert(1, "  ".join("─" * size for size in [*widths[:4], 1, *widths[4:]]))
        lines.append("")
    same = sum(one.same for one in regraded)
    other = sum(bool(one.changes) for one in regraded)
    counts = f"{len(regraded)} judged again: {same} identical byte for byte, {other} with different results"
    rest = len(regraded) - same - other
    lines.append(counts + (f", {rest} with the same results but a different seed or notes." if rest else "."))
    lines.append(f"gradebook  {gradebook}" if gradebook else "nothing was written (--dry-run)")
    return "\n".join(lines)


def record(regraded: Sequence[Regraded], gradebook: Book | None) -> dict[str, object]:
    return {
        "gradebook": str(gradebook) if gradebook else None,
        "submissions": [
            {
                "student": one.handed.student,
                "assignment": one.handed.assignment,
                "seed": one.after.seed,
                "same": one.same,
                "status": [one.before.status if one.before else None, one.after.status],
                "points": [one.before.points if one.before else None, one.after.points],
                "changes": [{"check": c, "before": before, "after": after} for c, before, after in one.changes],
                "why": list(one.why),
            }
            for one in regraded
        ],
    }


def reason(one: Regraded) -> str:
    """Why a verdict changed; if nothing is known to differ, the cause is the learner's code or the machine's load."""
    return "; ".join(one.why) or "nothing changed: does the answer depend on time or chance?"
