"""The learner's progress: what is done and what is next, as one line of text and as HTML."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Literal

from autograder.progress.tasks import TaskCell, Tasks

TaskState = Literal["done", "not right yet", "to do"]
SIGNS: dict[TaskState, str] = {"done": "✓", "not right yet": "✗", "to do": "○"}


@dataclass(frozen=True)
class TaskResult:
    """A task's state, its points if done, and what the check said."""

    title: str
    state: TaskState
    points: float
    message: str = ""

    @property
    def earned(self) -> float:
        return self.points if self.state == "done" else 0.0

    @property
    def line(self) -> str:
        return f"{self.title}: {self.state}, {number(self.earned)} of {number(self.points)}"

    def __str__(self) -> str:
        line = f"{SIGNS[self.state]} {self.line}"
        return f"{line}\n    {self.message}" if self.message else line


@dataclass(frozen=True)
class Progress:
    """How far an exercise is; ``hidden`` and ``in_words``: points that no check in the notebook can give."""

    tasks: tuple[TaskResult, ...]
    hidden: float
    in_words: float

    @classmethod
    def of(cls, tasks: Tasks, passed: Mapping[str, bool]) -> "Progress":
        """``passed``: check → whether its last run passed."""
        results = tuple(TaskResult(task.title, _state(task, passed), task.points) for task in tasks.tasks)
        return cls(results, tasks.hidden, tasks.in_words)

    @property
    def points(self) -> float:
        return sum(task.earned for task in self.tasks)

    @property
    def max_points(self) -> float:
        return sum(task.points for task in self.tasks)

    @property
    def done(self) -> int:
        return sum(task.state == "done" for task in self.tasks)

    @property
    def following(self) -> TaskResult | None:
        """The first task that is not done."""
        return next((task for task in self.tasks if task.state != "done"), None)

    @property
    def summary(self) -> str:
        points = f"{number(self.points)} of {number(self.max_points)} points"
        return f"{self.done} of {len(self.tasks)} tasks done, {points}"

    @property
    def advice(self) -> str:
        if self.following is None:
            return "All checks that you can run have passed."
        again = " (not right yet)" if self.following.state == "not right yet" else ""
        return f"Next: {self.following.title}{again}."

    @property
    def rest(self) -> str:
        """The points that no check in the notebook can give."""
        parts = ((self.hidden, "hidden checks"), (self.in_words, "answers in words"))
        others = [f"{where} give up to {number(points)}" for points, where in parts if points]
        return f"When your work is graded, {' and '.join(others)} points more." if others else ""

    def text(self) -> str:
        return f"Progress: {self.summary}. {self.advice} {'' if self.following else self.rest}".strip()

    def html(self) -> str:
        """A bar, a sentence and a collapsible list; states are shown by words and signs, not by colour."""
        count = len(self.tasks)
        share = 100 * self.done / count
        items = "".join(map(_item, self.tasks))
        return (
            f'<div role="group" aria-label="Your progress" style="{BOX}">'
            f'<div style="{LINE}"><strong>{escape(self.summary)}</strong> · {escape(self.advice)}</div>'
            f'<div role="progressbar" aria-label="Tasks done" aria-valuemin="0" aria-valuemax="{count}" '
            f'aria-valuenow="{self.done}" aria-valuetext="{escape(self.summary)}" style="{TRACK}">'
            f'<div style="{FILL};width:{share:.0f}%"></div></div>'
            f'<details style="{LINE}"><summary style="cursor:pointer">All tasks</summary>'
            f'<ul style="list-style:none;margin:4px 0;padding:0">{items}</ul>'
            f"<div>{escape(self.rest)}</div></details></div>"
        )


def number(points: float) -> str:
    return f"{points:g}"


def _state(task: TaskCell, passed: Mapping[str, bool]) -> TaskState:
    results = [passed.get(check) for check in task.checks]
    if all(results):
        return "done"
    return "not right yet" if False in results else "to do"


def _item(task: TaskResult) -> str:
    return (
        f'<li style="{LINE}"><span aria-hidden="true" style="font-weight:bold">{SIGNS[task.state]}</span> '
        f"{escape(task.line)}</li>"
    )


# JupyterLab's theme colours; elsewhere, those of the surrounding text.
TEXT = "var(--jp-content-font-color1, currentColor)"
BOX = f"color:{TEXT};font-family:var(--jp-ui-font-family, sans-serif);max-width:52em;margin:6px 0"
LINE = "line-height:1.5;white-space:normal"
TRACK = f"height:8px;border:1px solid {TEXT};border-radius:5px;margin:3px 0;overflow:hidden"
FILL = "height:100%;background:var(--jp-brand-color1, currentColor)"
