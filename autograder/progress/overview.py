"""The learner's progress: what is done and what is next, as one line of text and as HTML."""

from dataclasses import dataclass
from html import escape
from typing import Literal

from autograder.progress.tasks import TaskCell, Tasks

TaskState = Literal["done", "not right yet", "to do"]
SIGNS: dict[TaskState, str] = {"done": "✓", "not right yet": "✗", "to do": "○"}


@dataclass(frozen=True)
class Progress:
    tasks: Tasks
    passed: dict[str, bool]  # check → whether its last run passed

    def state(self, task: TaskCell) -> TaskState:
        results = [self.passed.get(check) for check in task.checks]
        if all(results):
            return "done"
        return "not right yet" if False in results else "to do"

    @property
    def done(self) -> list[TaskCell]:
        return [task for task in self.tasks.tasks if self.state(task) == "done"]

    @property
    def points(self) -> float:
        return sum(task.points for task in self.done)

    @property
    def next(self) -> TaskCell | None:
        return next((task for task in self.tasks.tasks if self.state(task) != "done"), None)

    @property
    def summary(self) -> str:
        count = len(self.tasks.tasks)
        return f"{len(self.done)} of {count} tasks done, {number(self.points)} of {number(self.tasks.points)} points"

    @property
    def advice(self) -> str:
        if self.next is None:
            return "All checks that you can run have passed."
        again = " (not right yet)" if self.state(self.next) == "not right yet" else ""
        return f"Next: {self.next.title}{again}."

    @property
    def rest(self) -> str:
        """The points that no check in the notebook can give."""
        others = [
            f"{where} give up to {number(points)}"
            for points, where in ((self.tasks.hidden, "hidden checks"), (self.tasks.in_words, "answers in words"))
            if points
        ]
        return f"When your work is graded, {' and '.join(others)} points more." if others else ""

    def text(self) -> str:
        return f"Progress: {self.summary}. {self.advice} {'' if self.next else self.rest}".strip()

    def html(self) -> str:
        """A bar, a sentence and a collapsible list; states are shown by words and signs, not by colour."""
        count = len(self.tasks.tasks)
        share = 100 * len(self.done) / count
        items = "".join(_item(task, self.state(task)) for task in self.tasks.tasks)
        return (
            f'<div role="group" aria-label="Your progress" style="{BOX}">'
            f'<div style="{LINE}"><strong>{escape(self.summary)}</strong> · {escape(self.advice)}</div>'
            f'<div role="progressbar" aria-label="Tasks done" aria-valuemin="0" aria-valuemax="{count}" '
            f'aria-valuenow="{len(self.done)}" aria-valuetext="{escape(self.summary)}" style="{TRACK}">'
            f'<div style="{FILL};width:{share:.0f}%"></div></div>'
            f'<details style="{LINE}"><summary style="cursor:pointer">All tasks</summary>'
            f'<ul style="list-style:none;margin:4px 0;padding:0">{items}</ul>'
            f"<div>{escape(self.rest)}</div></details></div>"
        )


def number(points: float) -> str:
    return f"{points:g}"


def _item(task: TaskCell, state: TaskState) -> str:
    earned = number(task.points) if state == "done" else "0"
    return (
        f'<li style="{LINE}"><span aria-hidden="true" style="font-weight:bold">{SIGNS[state]}</span> '
        f"{escape(task.title)}: {state}, {earned} of {number(task.points)}</li>"
    )


# JupyterLab's theme colours; elsewhere, those of the surrounding text.
TEXT = "var(--jp-content-font-color1, currentColor)"
BOX = f"color:{TEXT};font-family:var(--jp-ui-font-family, sans-serif);max-width:52em;margin:6px 0"
LINE = "line-height:1.5;white-space:normal"
TRACK = f"height:8px;border:1px solid {TEXT};border-radius:5px;margin:3px 0;overflow:hidden"
FILL = "height:100%;background:var(--jp-brand-color1, currentColor)"
