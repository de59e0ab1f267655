"""The report as one HTML page without external resources: no script, font or image from elsewhere."""

from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup, escape

from autograder.gradebook.feedback import page_template
from autograder.gradebook.summary import with_code
from autograder.report import figures, statistics
from autograder.report.class_report import ClassReport

STATUS_TEXT = {
    "ok": "every check passed",
    "failed": "some checks did not pass",
    "timeout": "ran out of time; earlier results count",
    "memory": "ran out of memory; earlier results count",
    "crashed": "crashed its Python process; earlier results count",
    "tampered": "sent something other than answers",
    "unreadable": "could not be read as a notebook",
    "infrastructure": "internal error of the grader: run it again",
    "no stored verdict": "graded by nbgrader or formgrader; only the points are known",
}


def page(report: ClassReport, output: Path) -> str:
    """The whole page; ``output`` is the folder of the feedback pages that it links to."""
    template = page_template(Path(__file__).with_name("page.html"), visible=visible, decimal=decimal, code=code)
    drawn = {"scores": figures.histogram(list(report.scores.values()), report.max_score)}
    if report.items and report.counted:
        drawn |= {"outcomes": figures.outcomes(report.items), "quality": figures.quality(report.items)}
    if report.seconds:
        drawn["times"] = figures.times(list(report.seconds.values()))
    students = {*report.scores, *report.missing}
    return template.render(
        report=report,
        figure={name: Markup(svg) for name, svg in drawn.items()},
        status_text=STATUS_TEXT,
        frequent=[(mistake.label, mistake.students) for mistake in report.mistakes[:8]],
        notes=[(note.diagnosis, note.students) for note in report.notes],
        feedback={name: link for name in students if (link := _feedback(report.assignment, name, output))},
        slowest=sorted(report.seconds.items(), key=lambda pair: -pair[1])[:5],
        reach=statistics.interval(0.2, report.counted),
        small=statistics.SMALL,
    )


def _feedback(assignment: str, student: str, output: Path) -> str:
    """The link from the report to a student's feedback page; empty if there is none."""
    path = Path("feedback") / student / assignment / f"{assignment}.html"
    return quote(f"../{path.as_posix()}") if (output / path).is_file() else ""


def visible(text: str) -> str:
    """The text on one line, with every invisible or direction-changing character replaced by a mark."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in " ".join(text.split()))


def code(text: str) -> Markup:
    """The same, with text between backticks set as code."""
    return Markup(with_code(visible(text), escape, lambda part: f"<code>{escape(part)}</code>"))


def decimal(value: float, digits: int = 2) -> str:
    """Rounded, with a true minus sign; a dash for NaN."""
    return "–" if value != value else f"{value:.{digits}f}".replace("-", "−")
