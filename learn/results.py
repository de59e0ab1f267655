"""What is done in a notebook, task by task: from a run of it, or from the outputs saved in it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.finding import UNWRITTEN
from autograder.progress.overview import Progress, TaskResult, TaskState
from autograder.progress.tasks import read
from learn.exercises import of_notebook
from learn.running import CellRun, NotRun, cells_at


@dataclass(frozen=True)
class Results(Progress):
    """An exercise's state. ``unanswered``: how many questions in words have no answer yet."""

    unanswered: int
    digest: str  # of the notebook's sources

    @property
    def unwritten(self) -> list[str]:
        return [task.title for task in self.tasks if task.state == "to do"]

    @property
    def next(self) -> str:
        """What to do next, in a sentence."""
        if self.following is not None:
            return f"Next: {self.following.title}."
        if self.unanswered:
            questions = "question" if self.unanswered == 1 else "questions"
            return f"Next: {self.unanswered} {questions} to answer in words."
        return "All that you can check is done: `learn submit` packs it."

    def __str__(self) -> str:
        lines = [*map(str, self.tasks), f"{self.summary}.", self.rest, self.next]
        return "\n".join(filter(None, lines))


def of_run(notebook: Path, runs: Sequence[CellRun]) -> Results:
    """The results of a run of the notebook."""
    return _results(notebook, {run.id: _state(run) for run in runs}, "the check's cell is missing")


def as_json(every: Mapping[Path, Results]) -> str:
    """The results of several notebooks for programs to read."""
    exercises = []
    for path, results in every.items():
        exercise = of_notebook(path)
        tasks = [
            {"title": task.title, "state": task.state, "points": task.earned, "max_points": task.points}
            | {"message": task.message}
            for task in results.tasks
        ]
        later = {"hidden_points": results.hidden, "points_in_words": results.in_words, "unanswered": results.unanswered}
        about = {"exercise": exercise.name if exercise else "", "notebook": path.name}
        exercises.append(about | {"points": results.points, "max_points": results.max_points, "tasks": tasks} | later)
    return json.dumps({"exercises": exercises}, indent=1, ensure_ascii=False) + "\n"


def as_saved(notebook: Path) -> Results:
    """The results that the notebook's saved outputs show; nothing is run."""
    states: dict[str, tuple[TaskState, str]] = {}
    for cell in cells_at(notebook):
        name, outputs = cell["metadata"]["nbgrader"].get("grade_id", ""), cell["outputs"]
        failed = any(output.get("output_type") == "error" for output in outputs)
        passed = any("✓" in "".join(output.get("text", "")) for output in outputs)
        states[name] = ("not right yet", "") if failed else ("done", "") if passed else ("to do", "")
    return _results(notebook, states)


def _unanswered(notebook: Path) -> int:
    """How many answers in words are as the exercise was released."""
    exercise = of_notebook(notebook)
    released = _in_words(exercise.path) if exercise else {}
    return sum(text.strip() in ("", released.get(name, "").strip()) for name, text in _in_words(notebook).items())


def _in_words(notebook: Path) -> dict[str, str]:
    """Grade id → text of the Markdown cells for answers."""
    cells = [cell for cell in cells_at(notebook) if cell["cell_type"] == "markdown"]
    words = [cell for cell in cells if cell["metadata"]["nbgrader"].get("solution")]
    return {cell["metadata"]["nbgrader"]["grade_id"]: cell["source"] for cell in words}


def digest(notebook: Path) -> str:
    """Of the sources of the cells alone: outputs do not matter."""
    return hashlib.sha256(json.dumps([cell["source"] for cell in cells_at(notebook)]).encode()).hexdigest()


def _results(notebook: Path, states: Mapping[str, tuple[TaskState, str]], missing: str = "") -> Results:
    """``states``: grade id → state of the check in this cell, and its message; ``missing``: that of any other check."""
    tasks = read(notebook)
    if tasks is None:
        raise NotRun(f"{notebook} has no checks: is it one of the course's exercises?")
    states_of = ((task, *states.get(task.cell, ("to do", missing))) for task in tasks.tasks)
    results = tuple(TaskResult(task.title, state, task.points, message) for task, state, message in states_of)
    return Results(results, tasks.hidden, tasks.in_words, _unanswered(notebook), digest(notebook))


def _state(run: CellRun) -> tuple[TaskState, str]:
    if not run.kind:
        return "done", ""
    if run.mistake == UNWRITTEN:
        return "to do", ""
    message = run.message if run.kind == "CheckFailed" else f"{run.kind}: {run.message}"
    return "not right yet", f"{message} {run.cause}".rstrip()
