"""One assignment as its answers meet it: what the notebook has made known by then, and its checks."""

import io
import linecache
import re
import sys
from contextlib import redirect_stdout
from functools import cached_property, lru_cache
from pathlib import Path
from types import CodeType

from autograder.assignments import assignment
from autograder.assignments.cutting import grade_id
from autograder.assignments.script import read_script
from autograder.assignments.variants import task_of
from autograder.checking.definition import COMMON
from autograder.checking.task import Task
from autograder.finding import CheckFailed, Finding
from tests.catalogue.answers import SETUP, Answer

ROOT = Path(__file__).resolve().parents[2]


class Lesson:
    """The script ``solutions/<name>.py``: its tasks in order, the library's answers to them, its checks."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.script = read_script(ROOT / "solutions" / f"{name}.py")
        self.assignment = assignment.load(ROOT, name)
        marked = [cell for cell in self.script.cells if "answer" in cell.metadata]
        self.sources = {grade_id(str(cell.metadata["answer"]).split()[0]): cell.source for cell in marked}

    @property
    def tasks(self) -> list[str]:
        return list(self.sources)

    @cached_property
    def reference(self) -> dict[str, dict[str, object]]:
        """Task → what its answer cell imports of the library, by name."""
        bound: dict[str, dict[str, object]] = {task: {} for task in self.sources}
        for task, source in self.sources.items():
            exec(source, {}, bound[task])
        return bound

    @cached_property
    def given(self) -> dict[str, object]:
        """What the given cells make known, and the few names that answers of the catalogue use."""
        space = {"__name__": "__main__"}
        exec(SETUP, space)
        for cell in self.assignment.cells.values():
            if assignment.is_given(cell) and cell.cell_type == "code":
                with redirect_stdout(io.StringIO()):
                    exec(compile(cell.source, f"<{cell.id}>", "exec"), space)
        return space

    def space(self, task: str = "") -> dict[str, object]:
        """What a notebook holds in front of the task: the given cells, and the library's answers to earlier tasks."""
        space = dict(self.given)
        for earlier in self.tasks[: self.tasks.index(task)] if task else self.tasks:
            space |= self.reference[earlier]
        return space

    def run(self, answer: Answer) -> dict[str, object]:
        """What the notebook holds after the answer."""
        space, source = self.space(answer.task), answer.source
        if answer.name.startswith("edit "):  # a printed edit may name what stands in the reference's own module
            task = self.task(answer.task)
            space = COMMON | vars(sys.modules[task.reference.__module__]) | space if task else space
        exec(answer.setup, space)
        name = f"<{answer.task}: {answer.name}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        exec(compile(source, name, "exec"), space)
        return space

    def blank(self, task: str) -> str:
        """The answer cell as learners receive it."""
        return assignment.released(self.assignment.cells[task])

    def task(self, task: str) -> Task | None:
        """The definition of the task that the visible check names; None where its check is of another kind."""
        return task_of(self.assignment.cells[f"{task}_visible"].source)

    def finding(self, task: str, which: str, space: dict[str, object]) -> Finding | None:
        """What the notebook's own check cell says of what the notebook holds."""
        cell = self.assignment.cells[f"{task}_{which}"]
        exec(FORGET, {})
        try:
            with redirect_stdout(io.StringIO()):
                exec(_compiled(cell.source), dict(space))
        except CheckFailed as failure:
            return failure.finding
        return None


# Makes every check forget which answers have failed, as in a notebook that has just been opened.
FORGET = """\
import sys
for name, module in list(sys.modules.items()):
    if name.startswith("autograder.tasks."):
        module.check.failing.clear()
"""


@lru_cache(maxsize=1024)
def _compiled(source: str) -> CodeType:
    return compile(source, "<check>", "exec")


@lru_cache
def lesson(name: str) -> Lesson:
    return Lesson(name)


def names() -> list[str]:
    """Every assignment that has a script."""
    return sorted(path.stem for path in (ROOT / "solutions").glob("[!_]*.py"))


def tasks() -> list[tuple[str, str]]:
    """Every task with its assignment, by the headers of the scripts' cells alone: to collect tests by."""
    headers = re.compile(r'^# %%.*\banswer="([\w.]+)', re.MULTILINE)
    scripts = {name: (ROOT / "solutions" / f"{name}.py").read_text(encoding="utf-8") for name in names()}
    return [(name, grade_id(answer)) for name, script in scripts.items() for answer in headers.findall(script)]


def edits(name: str, *tasks: str) -> list[Answer]:
    """Every mistake of these tasks, or of all of an assignment's, as the answer that makes it."""
    exercise, answers = lesson(name), []
    for id in tasks or exercise.tasks:
        task = exercise.task(id)
        for mistake in task.mistakes if task else ():
            source = task.definition.printed(*mistake.edits)
            answers.append(
                Answer(id, f"edit {mistake.id}", source, caught=mistake.caught, mistakes=(mistake.id,), assignment=name)
            )
    return answers
