"""``{exercises}``: what is graded, read from ``solutions/`` by the grader's own modules, never typed."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from autograder.assignments.assignment import Assignment, is_check, is_solution, is_written_answer, load, minutes
from autograder.assignments.cutting import BEGIN_HIDDEN
from autograder.settings import SCRIPTS

HEADING = re.compile(r"^#{1,2} (.+)$", re.MULTILINE)
CALLED = re.compile(
    r'^from autograder\.tasks\.(\w+) import \w+$.*?^check(?:_(\w+)\(|\("(\w+)")', re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class TaskEntry:
    """A task in code, with its checks, or a question in words, which a person grades."""

    name: str  # the grade id
    title: str  # the heading above it
    points: float
    checks: tuple[str, ...] = ()  # file.task of its definition

    @property
    def in_words(self) -> bool:
        return not self.checks


@dataclass(frozen=True)
class Exercise:
    """What the book shows of one assignment."""

    name: str
    title: str
    chapters: tuple[int, ...]
    tasks: dict[str, TaskEntry]
    visible: float
    hidden: float
    minutes: int

    @property
    def in_words(self) -> float:
        return sum(task.points for task in self.tasks.values() if task.in_words)

    @property
    def points(self) -> float:
        return self.visible + self.hidden + self.in_words

    @property
    def number(self) -> int:
        return int(self.name.split("_")[0])


def names(root: Path) -> list[str]:
    return sorted(path.stem for path in (root / SCRIPTS).glob("[!_]*.py"))


@cache
def exercise(root: Path, name: str, written: int = 0) -> Exercise:
    """The exercise ``name``; ``written``, its script's modification time, invalidates the cache."""
    assignment = load(root, name)
    course = assignment.notebook.metadata["course"]
    points = [0.0, 0.0]
    for check, most in assignment.checks.items():
        points[BEGIN_HIDDEN in assignment.cells[check].source] += most
    (visible, hidden), chapters = points, tuple(course["chapters"])
    return Exercise(name, course["title"], chapters, _tasks(assignment), visible, hidden, minutes(assignment))


def _tasks(assignment: Assignment) -> dict[str, TaskEntry]:
    tasks, title = {}, ""
    for cell in assignment.notebook.cells:
        if is_solution(cell):
            name = cell.metadata.nbgrader["grade_id"]
            if is_written_answer(cell):
                tasks[name] = TaskEntry(name, title, float(cell.metadata.nbgrader["points"]))
            else:
                checks = [assignment.cells[f"{name}_{which}"] for which in ("visible", "hidden")]
                called = CALLED.findall(checks[0].source)
                most = sum(float(check.metadata.nbgrader["points"]) for check in checks)
                tasks[name] = TaskEntry(
                    name, title, most, tuple(f"{module}.{suffix or task}" for module, suffix, task in called)
                )
        elif cell.cell_type == "markdown" and not is_check(cell):
            headings = HEADING.findall(cell.source)
            title = re.sub(r" \(\d+ points\)$", "", headings[-1]) if headings else title
    return tasks


def every(root: Path) -> dict[str, Exercise]:
    """All exercises by name, in order."""
    stamps = {name: (root / SCRIPTS / f"{name}.py").stat().st_mtime_ns for name in names(root)}
    return {name: exercise(root, name, stamp) for name, stamp in stamps.items()}


class FromMarkdown(SphinxDirective):
    """A directive that generates Markdown from files and depends on them."""

    def written(self, text: str, sources: list[Path]) -> list[nodes.Node]:
        for path in sources:
            self.env.note_dependency(str(path))
        box = nodes.container()
        self.state.nested_parse(StringList(text.splitlines(), self.get_source_info()[0]), self.content_offset, box)
        return box.children

    @property
    def root(self) -> Path:
        return Path(self.env.srcdir)

    @property
    def scripts(self) -> list[Path]:
        return sorted((self.root / SCRIPTS).glob("*.py"))


class Exercises(FromMarkdown):
    """A row for each exercise with its chapter, tasks, points and minutes, and a row of sums."""

    def run(self) -> list[nodes.Node]:
        exercises = list(every(self.root).values())
        minutes = sum(entry.minutes for entry in exercises)
        lines = [
            ":::{table} What is graded: tasks in code and questions in words; their points, for visible checks, for "
            "hidden ones, for answers in words and in all; and the minutes they take, "
            f"{minutes / 60:.0f} hours in all",
            ":name: tab-instructors-exercises",
            ":class: exercises",
            "",
            "| exercise | chapter | tasks | questions | visible | hidden | in words | points | minutes |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
        ]
        for entry in exercises:
            link = f"{{download}}`{entry.number} · {entry.title} <../exercises/{entry.name}/{entry.name}.ipynb>`"
            chapters = ", ".join(f"[{chapter}]({chapter_page(self.root, chapter)}.md)" for chapter in entry.chapters)
            lines.append(_row(link, chapters, [entry], str(entry.minutes)))
        lines += [_row("**all**", "", exercises, f"{minutes:,}"), ":::"]
        written = self.written("\n".join(lines), self.scripts)
        for box in written:
            for role in box.findall(addnodes.download_reference):
                role.children = [nodes.inline("", role.astext())]  # the title; the role would show the file's name
        return written


def chapter_page(root: Path, chapter: int) -> str:
    [page] = (root / "book").glob(f"{chapter:02}_*.md")
    return page.stem


def _row(name: str, chapters: str, exercises: list[Exercise], time: str) -> str:
    questions = sum(task.in_words for entry in exercises for task in entry.tasks.values())
    tasks = sum(len(entry.tasks) for entry in exercises) - questions
    points = (sum(getattr(entry, kind) for entry in exercises) for kind in ("visible", "hidden", "in_words", "points"))
    cells = [name, chapters or "1–15", tasks, questions, *(f"{value:g}" for value in points), time]
    return "| " + " | ".join(map(str, cells)) + " |"


def setup(app: Sphinx) -> None:
    app.add_directive("exercises", Exercises)
