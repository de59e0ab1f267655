"""A report as Markdown; text written by learners is escaped."""

import re

from autograder.gradebook.learner_report import CheckReport, Report
from autograder.gradebook.summary import with_code
from autograder.progress.overview import number

SIGNS = {
    "passed": "✓",
    "partial": "◐",
    "failed": "✗",
    "not run": "–",
    "by hand": "✎",
    "to be graded": "…",
    "to be graded again": "…",
    "not answered": "–",
}
HAND_GRADED = {
    "by hand": "These points were given by the instructor.",
    "to be graded": "The instructor has yet to grade this.",
    "to be graded again": "The instructor gave these points before something was changed, and will grade it again.",
}


def to_markdown(report: Report) -> str:
    """Points first, then what happened, a table of checks, and each check that lost points in full."""
    lines = [f"# {text(report.name)}: feedback for {text(report.student)}", ""]
    lines += [f"**{points_line(report)}** {report.result}".rstrip(), ""]
    lines += [*(f"- {text(note)}" for note in report.notes), ""] if report.notes else []
    lines += ["## Checks", "", "| | check | points |", "|:-:|:--|--:|"]
    for check in report.checks:
        points = f"{number(check.points)} / {number(check.max_points)}"
        lines.append(f"| {SIGNS[check.status]} {check.status} | {code(check.cell)} | {points} |")
    lines.append("")
    for check in report.checks:
        if check.message or check.status in HAND_GRADED:
            lines += [*_section(check), ""]
    if report.comments:
        lines += ["## Comments", ""]
        lines += [f"- {code(cell)}: {text(comment)}" for cell, comment in report.comments.items()]
        lines.append("")
    return "\n".join(lines)


def points_line(report: Report) -> str:
    """The final score, and the late penalty if there is one."""
    counted = f"{number(report.score)} of {number(report.max_points)} points."
    late = f" {report.lateness[0].upper()}{report.lateness[1:]}." if report.lateness else ""
    if report.late_penalty:
        late = f" {number(report.points)} less a late penalty of {number(report.late_penalty)} ({report.lateness})."
    return counted + late


def _section(check: CheckReport) -> list[str]:
    lines = [f"### {code(check.cell)}: {number(check.points)} of {number(check.max_points)}", ""]
    if check.about:
        lines += [text(check.about), ""]
    if check.status in HAND_GRADED:
        lines += [HAND_GRADED[check.status], ""]
    if check.finding.what:
        lines += [f"- {name}: {text(part)}" for name, part in details(check).items()]
    elif check.message:
        lines.append(text(check.message))
    return lines


def details(check: CheckReport) -> dict[str, str]:
    """The parts of the check's finding, by display name."""
    finding = check.finding
    reason = {"values": "the mistake", "property": "likely mistake"}.get(finding.sure, "note")
    parts = {"looked at": finding.label, "got": finding.got, "expected": finding.expected, reason: finding.why}
    return {name: part for name, part in parts.items() if part}


def text(words: str) -> str:
    """The words on one line, with all Markdown markup escaped except `code`."""
    return with_code(words, _escaped, code)


def code(words: str) -> str:
    return f"`{words}`" if words.strip() and not set("`|\n") & set(words) else _escaped(words)


def _escaped(words: str) -> str:
    marked = re.sub(r"[\\`*_\[\]|~$!]", r"\\\g<0>", words).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"^(\d*)([-+#>=.)])", r"\1\\\2", marked)
