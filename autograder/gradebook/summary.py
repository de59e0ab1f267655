"""The first cell of a graded notebook: the result, and what happened while grading."""

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict

from nbformat import NotebookNode

from autograder.progress.overview import number
from autograder.records.verdict import Verdict
from autograder.submissions.cells import markdown_cell

RECORD = "verdict"  # metadata key of the summary cell under which the verdict is kept
RESULTS = {
    "ok": "Every check passed.",
    "failed": "Some checks did not pass.",
    "timeout": "The notebook ran out of time.",
    "memory": "The notebook ran out of memory.",
    "crashed": "The notebook crashed the Python process that it ran in.",
    "tampered": "Something other than answers came from the notebook's process; the checks affected got no points.",
    "unreadable": "The file could not be read as a notebook.",
    "infrastructure": "The notebook could not be graded, through no fault of yours.",
}
STOPPED = {"timeout": "ran out of time", "memory": "ran out of memory", "crashed": "crashed the Python process"}


def summary_cell(verdict: Verdict, waiting: Mapping[str, str]) -> NotebookNode:
    """Each check's points and message, repairs, and stopped cells, as Markdown with all text escaped.

    ``waiting``: the answers that a person grades, grade id → heading. Their points are the gradebook's alone: here they
    would soon be out of date.
    """
    links = [f"[{plain(name)}](#{name}) ↓ {plain(title)}".rstrip() for name, title in waiting.items()]
    lines = [f"**Graded by a person:** {' · '.join(links)}", ""] if links else []
    points = f"{number(verdict.points)} of {number(verdict.max_points)} points from the checks"
    lines += [f"**{points}.** {RESULTS[verdict.status]}", ""]
    notes = [*verdict.notes, *stopped_cells(verdict)]
    lines += [f"- {plain(note)}" for note in notes]
    lines += [""] if notes else []
    lines += ["| check&emsp; | points&emsp; | what it says |", "|:--|--:|:--|"]  # formgrader leaves no gaps
    for check in verdict.checks:
        message = check.status if check.message in ("", *notes) else plain(check.message)
        points = f"{number(check.points)} / {number(check.max_points)}"
        lines.append(f"| [{plain(check.cell)}](#{check.cell})&emsp; | {points}&emsp; | {message} |")
    # What feedback needs, as plain data; the same verdict gives the same bytes.
    record = {"status": verdict.status, "notes": notes, "checks": [asdict(check) for check in verdict.checks]}
    return markdown_cell("\n".join(lines), "summary", {RECORD: record})


def stopped_cells(verdict: Verdict) -> list[str]:
    """One line per stopped cell that no note of the verdict mentions."""
    stopped = [result for result in verdict.cells if result.status in STOPPED]
    return [
        f"{result.cell} {STOPPED[result.status]}."
        for result in stopped
        if not any(note.startswith(f"{result.cell} ") for note in verdict.notes)
    ]


def plain(text: str) -> str:
    """The text on one line, with Markdown, HTML and MathJax markup escaped; `code` becomes code."""
    return with_code(text, _escaped, lambda part: f"<code>{_escaped(part)}</code>")


def with_code(text: str, escape: Callable[[str], str], code: Callable[[str], str]) -> str:
    """The text on one line, escaped; what is between two backticks by ``code``, unless a backtick is left over."""
    parts = " ".join(text.split()).split("`")
    if len(parts) % 2 == 0:
        return escape("`".join(parts))
    return "".join(code(part) if index % 2 else escape(part) for index, part in enumerate(parts))


def _escaped(text: str) -> str:
    escaped = html.escape(text, quote=False)
    return re.sub(r"([\\`*_{}\[\]()+!|$~^-]|#(?!\d))", lambda match: f"&#{ord(match[0])};", escaped)
