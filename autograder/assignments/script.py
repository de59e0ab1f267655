"""An exercise as its author writes it: a Python script in the py:percent format, in ``solutions/``.

Marks in a cell's header give its role for nbgrader:

- ``# %% given="setup"``: runs as written here, even if a learner changed it;
- ``# %% answer="function"`` or ``answer="Class.method"``: imports the answer, which is cut out of the library;
- ``# %% check="name" points=1`` and, for a test that learners never see, ``hidden=true``;
- ``# %% tags=["demonstration"]``: demonstrates an answer; in grading it runs only if other code reads its names;
- ``# %% [markdown] question="why_name" points=2``: an answer in words, which people grade.
  The cell holds ``**Model answer.** …`` and ``**Rubric.** …``; learners get an empty answer, and graders see both
  below the learner's text.
"""

import ast
from functools import cache
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from autograder.class_table import read
from autograder.errors import UsageError
from autograder.folders import COURSE, TABLE
from autograder.settings import SAMPLES, SCRIPTS

KEYS = {"answer", "omit", "check", "points", "hidden", "given", "show", "question", "tags"}
LAYOUT = ("lines_to_next_cell", "lines_to_end_of_cell_marker")  # set by jupytext: numbers of empty lines


def scripts(root: Path, folder: Path = SCRIPTS) -> list[Path]:
    """The scripts of the course at ``root``; of a class its own, and those of the course that its table names.

    Raises:
        UsageError: the table names an exercise that there is not, or a script of the class has the name of another.
    """
    at_root, table = sorted((root / folder).glob("[!_]*.py")), read(root)
    if table is None:
        return at_root
    installed = sorted((COURSE / folder).glob("[!_]*.py"))
    if folder == SAMPLES:
        return installed
    by_name = {path.stem: path for path in (*installed, *at_root)}
    if twice := sorted({path.stem for path in installed} & {path.stem for path in at_root}):
        raise UsageError(f"{root / folder / twice[0]}.py has the name of the course's own exercise: give it another.")
    if unknown := [name for name in table.exercises if name not in by_name]:
        raise UsageError(f"{root / TABLE}: there is no exercise {unknown[0]!r}, expected of {', '.join(by_name)}.")
    return sorted((path for name, path in by_name.items() if name in table.exercises or path in at_root), key=_stem)


def _stem(path: Path) -> str:
    return path.stem


def read_script(path: Path) -> NotebookNode:
    """One script as a notebook: its metadata has ``course``, and that of a cell says what the cell is.

    Raises:
        UsageError: the header or a cell's metadata breaks the format.
    """
    import jupytext  # imports Jupyter's server (0.25 s), which assignments without a script avoid

    form = {"extension": ".py", "format_name": "percent", "root_level_metadata_as_raw_cell": False}
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt=form)
    outer = notebook.metadata.get("jupytext", {}).get("root_level_metadata", {})
    notebook.metadata["course"] = _course(path, notebook.metadata.get("course") or outer.get("course"))
    for cell in notebook.cells:
        for key in LAYOUT:
            cell.metadata.pop(key, None)
        unknown = set(cell.metadata) - KEYS
        if unknown:
            raise UsageError(
                f"{path.name}: a cell has {', '.join(sorted(unknown))} in its header, "
                f"expected some of {', '.join(sorted(KEYS))}. The cell begins: {cell.source[:60]!r}"
            )
    return notebook


def _course(path: Path, written: object) -> dict[str, Any]:
    """What the YAML header says under ``course:``, with defaults.

    given: module files that the learner's code may import while it is graded;
    gpu: answers may use a GPU, so each runs in a fresh process, one at a time;
    shared: of a class's own exercise: its task, with the reference, is in the learners' package.
    """
    if not isinstance(written, dict):
        raise UsageError(f"{path.name}: the YAML header has no `course:` with title and given modules.")
    defaults = {"assignment": path.stem, "title": path.stem, "chapters": [], "given": [], "gpu": False, "shared": False}
    unknown = set(written) - set(defaults)
    if unknown:
        raise UsageError(f"{path.name}: unknown keys under `course:`: {', '.join(sorted(map(str, unknown)))}.")
    course = defaults | written
    name = course["assignment"]
    if name != path.stem:
        raise UsageError(f"{path.name}: assignment is {name!r}, expected the script's own name {path.stem!r}.")
    for key in ("gpu", "shared"):
        if not isinstance(course[key], bool):
            raise UsageError(f"{path.name}: {key} is {course[key]!r} under `course:`, expected true or false.")
    return course


@cache
def answers(root: Path) -> dict[str, str]:
    """Dotted name → the exercise that asks for it, or the first of several."""
    exercises: dict[str, str] = {}
    for path in scripts(root):
        for cell in read_script(path).cells:
            wanted = str(cell.metadata.get("answer", "")).split()
            if wanted:
                imports = [node for node in ast.parse(cell.source).body if isinstance(node, ast.ImportFrom)]
                modules = {alias.name: node.module for node in imports for alias in node.names}
                for name in wanted:
                    exercises.setdefault(f"{modules[name.split('.')[0]]}.{name}", path.stem)
    return exercises


def given_away(root: Path, name: str) -> dict[str, str]:
    """The graded answers that showing ``name``, a module, class, function or method, would show."""
    return {
        answer: exercise
        for answer, exercise in answers(root).items()
        if answer == name or answer.startswith(f"{name}.") or name.startswith(f"{answer}.")
    }
