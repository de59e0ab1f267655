"""A report as Markdown: text of learners in it is only text, wherever it is rendered."""

from autograder.gradebook.report import Report, Told
from autograder.gradebook.summary import number, plain

SIGNS = {"passed": "✓", "partial": "◐", "failed": "✗", "not run": "–", "by hand": "✎", "to be graded": "…"}


def to_markdown(report: Report) -> str:
    """Points first, then what happened, a table of checks, and each check that lost points in full."""
    lines = [f"# {plain(report.assignment)}: feedback for {plain(report.student)}", ""]
    lines += [f"**{points_line(report)}** {report.said}".rstrip(), ""]
    lines += [*(f"- {plain(note)}" for note in report.notes), ""] if report.notes else []
    lines += ["## Checks", "", "| | check | points |", "|:-:|:--|--:|"]
    for check in report.checks:
        points = f"{number(check.points)} / {number(check.max_points)}"
        lines.append(f"| {SIGNS[check.status]} {check.status} | {plain(check.cell)} | {points} |")
    lines.append("")
    for check in report.checks:
        if check.message or check.status in ("by hand", "to be graded"):
            lines += [*_section(check), ""]
    if report.comments:
        lines += ["## Comments", ""]
        lines += [f"- {plain(cell)}: {plain(text)}" for cell, text in report.comments.items()]
        lines.append("")
    return "\n".join(lines)


def points_line(report: Report) -> str:
    """The points that count, and the late penalty where there is one."""
    counted = f"{number(report.score)} of {number(report.max_points)} points."
    late = f" {report.lateness[0].upper()}{report.lateness[1:]}." if report.lateness else ""
    if report.late_penalty:
        late = f" {number(report.points)} less a late penalty of {number(report.late_penalty)} ({report.lateness})."
    return counted + late


def _section(check: Told) -> list[str]:
    lines = [f"### {plain(check.cell)}: {number(check.points)} of {number(check.max_points)}", ""]
    if check.about:
        lines += [plain(check.about), ""]
    if check.status == "by hand":
        lines += ["These points were given by the instructor.", ""]
    if check.status == "to be graded":
        lines += ["The instructor has still to grade this.", ""]
    if check.got:
        lines += [f"- {name}: {plain(text)}" for name, text in details(check).items()]
    elif check.message:
        lines.append(plain(check.message))
    return lines


def details(check: Told) -> dict[str, str]:
    """The parts of the check's message that there are, under the names that people read."""
    parts = {
        "looked at": check.tried,
        "got": check.got,
        "expected": check.expected,
        "likely mistake": check.likely_mistake,
    }
    return {name: text for name, text in parts.items() if text}
