"""One assignment as the grader sees it: the instructor's cells, their checks, and what they may import."""

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.assignments.class_tasks import include_tasks
from autograder.assignments.cutting import BEGIN, BEGIN_HIDDEN, END, END_HIDDEN
from autograder.assignments.given import relied_on
from autograder.assignments.grade_ids import grade_ids
from autograder.assignments.notebooks import source_notebook, to_text
from autograder.assignments.script import scripts
from autograder.assignments.variants import record
from autograder.errors import UsageError
from autograder.settings import SAMPLES, SCRIPTS, SOURCE, STUB, TEXT_STUB

# A module that is slow at its first use (1 s) → the module that it then imports.
SLOW_IMPORTS = {"torch.optim": "torch._dynamo"}
DEFINITION = re.compile(r"^(?:async\s+def|def|class)\s+(\w+)", re.MULTILINE)
WORDS = 100  # read in a minute, formulas and code around them included
LINE = 1.5  # minutes for a line of the model answer: to think, write, check and fix
QUESTION = 5.0  # minutes for an answer in words
STEP = 5  # minutes; the sum is rounded to a multiple of it
TASK = re.compile(r"^## (?:Task (\d+))?", re.MULTILINE)


@dataclass(frozen=True)
class Assignment:
    """The instructor's source notebook, as text so that it can be sent to another process."""

    name: str
    text: str
    exercises: Mapping[str, frozenset[str]] = field(default_factory=dict, compare=False)  # the course's, by grade ids

    @cached_property
    def notebook(self) -> NotebookNode:
        return nbformat.reads(self.text, as_version=4)

    @property
    def course(self) -> dict[str, Any]:
        """What its script says of it; empty for other source notebooks."""
        return self.notebook.metadata.get("course", {})

    @property
    def given(self) -> tuple[str, ...]:
        """Module files that learners' code may import while it is graded."""
        return tuple(self.course.get("given", ()))

    @property
    def title(self) -> str:
        return str(self.course.get("title", self.name))

    @property
    def gpu(self) -> bool:
        """Whether answers may use a GPU."""
        return bool(self.course.get("gpu", False))

    @cached_property
    def cells(self) -> dict[str, NotebookNode]:
        """Grade id → cell, for nbgrader's cells, in order."""
        return {settings["grade_id"]: cell for cell in self.notebook.cells if (settings := nbgrader_settings(cell))}

    @cached_property
    def checks(self) -> dict[str, float]:
        """Grade id → points, for the check cells."""
        return {name: float(cell.metadata.nbgrader["points"]) for name, cell in self.cells.items() if is_check(cell)}

    @cached_property
    def imports(self) -> str:
        """What given cells define and check cells rely on: imports, helpers and constants."""
        code = [cell for cell in self.cells.values() if cell.cell_type == "code"]
        kinds = (is_given, is_check, is_solution)
        return relied_on(*([cell.source for cell in code if is_kind(cell)] for is_kind in kinds))

    @property
    def slow_imports(self) -> tuple[str, ...]:
        """Slow modules that answers will import, judging by the text: a sandbox imports them once, in advance."""
        return tuple(module for name, module in SLOW_IMPORTS.items() if name in self.text)

    @property
    def check_modules(self) -> tuple[str, ...]:
        """The modules of this grader's checks that the check cells import from."""
        sources = "\n".join(cell.source for cell in self.cells.values() if is_check(cell))
        return tuple(sorted(set(re.findall(r"\bautograder\.tasks\.\w+", sources))))


def load(root: Path, name: str, student: str = "") -> Assignment:
    """The assignment called ``name``: from its script, else from nbgrader's source folder.

    The variant is the one recorded for the class, or for this student; a sample's is always that of the book, in which
    its submissions are written.

    Raises:
        UsageError: there is neither.
    """
    exercises = grade_ids(root)
    include_tasks(root)
    if name not in exercises:
        raise UsageError(f"no assignment {name!r}; the course has {', '.join(exercises) or 'none'}.")
    for folder, key in ((SCRIPTS, record(root).of(student)), (SAMPLES, "")):
        if script := next((path for path in scripts(root, folder) if path.stem == name), None):
            return Assignment(name, to_text(source_notebook(script, root, key)), exercises)
    return Assignment(name, (root / SOURCE / name / f"{name}.ipynb").read_text(encoding="utf-8"), exercises)


def nbgrader_settings(cell: NotebookNode) -> dict:
    """The cell's nbgrader metadata; empty for a plain cell."""
    settings = cell.metadata.get("nbgrader", {})
    return settings if settings.get("grade") or settings.get("solution") or settings.get("locked") else {}


def is_solution(cell: NotebookNode) -> bool:
    return bool(nbgrader_settings(cell).get("solution"))


def is_check(cell: NotebookNode) -> bool:
    settings = nbgrader_settings(cell)
    return bool(cell.cell_type == "code" and settings.get("grade") and not settings.get("solution"))


def is_written_answer(cell: NotebookNode) -> bool:
    """An answer in words, which people grade; in the source notebook the cell holds the model answer."""
    return is_solution(cell) and cell.cell_type == "markdown"


def is_given(cell: NotebookNode) -> bool:
    return bool(nbgrader_settings(cell)) and not is_solution(cell) and not is_check(cell)


def released(cell: NotebookNode) -> str:
    """The source of a cell as learners receive it: answers replaced by the stub, hidden tests removed."""
    if is_written_answer(cell):
        return TEXT_STUB
    return _released(cell.source)


@lru_cache(maxsize=1024)
def _released(source: str) -> str:
    lines: list[str] = []
    inside = False
    begin, end = (mark.strip("# ") for mark in (BEGIN, END))
    for line in source.split("\n"):
        if begin in line:
            inside = True
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + stub for stub in STUB.split("\n")]
        elif BEGIN_HIDDEN in line:
            inside = True
        elif end in line or END_HIDDEN in line:
            inside = False
        elif not inside:
            lines.append(line)
    return "\n".join(lines)


@lru_cache(maxsize=4096)
def defined_names(source: str) -> frozenset[str]:
    """The functions and classes that a cell defines at its top level.

    Uses a regular expression, not ``ast``: hostile text can crash Python's parser and the grader with it.
    """
    return frozenset(DEFINITION.findall(source))


def minutes(assignment: Assignment, tasks: Container[int] | None = None) -> int:
    """The time stated in the exercise, estimated from its text, its lines of code and its questions.

    ``tasks``: the time of these alone, with what stands before the first heading.
    """
    cells, task = [], 0
    for cell in assignment.notebook.cells:
        if cell.cell_type == "markdown" and (heading := TASK.search(cell.source)):
            task = int(heading[1] or -1)
        if tasks is None or task == 0 or task in tasks:
            cells.append(cell)
    texts = [cell.source for cell in cells if cell.cell_type == "markdown" and not is_solution(cell)]
    words = len(re.sub(r"<[^<>]*>", " ", "\n".join(texts)).split())
    questions = sum(is_written_answer(cell) for cell in cells)
    answers = [answer for cell in cells for answer in re.findall(f"{BEGIN}\n(.*?){END}", cell.source, re.DOTALL)]
    lines = sum(bool(line.strip()) for line in "".join(answers).split("\n"))
    return round((words / WORDS + LINE * lines + QUESTION * questions) / STEP) * STEP
