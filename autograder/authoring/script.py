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

from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

KEYS = {"answer", "omit", "check", "points", "hidden", "given", "show", "question", "tags"}
LAYOUT = ("lines_to_next_cell", "lines_to_end_of_cell_marker")  # set by jupytext: numbers of empty lines


class ScriptError(Exception):
    """The script breaks the format; the message names the file and says what to write instead."""


@dataclass(frozen=True)
class Header:
    """The script's metadata, under ``course:`` in its YAML header."""

    assignment: str
    title: str
    chapters: tuple[int, ...]
    given: tuple[str, ...]  # module files that the learner's code may import while it is graded
    gpu: bool = False  # answers may use a GPU: each runs in a fresh process, one at a time


@dataclass(frozen=True)
class Script:
    path: Path
    header: Header
    cells: list[NotebookNode]  # markdown and code; the metadata of a code cell says what it is


def read_script(path: Path) -> Script:
    """Read one script.

    Raises:
        ScriptError: the header or a cell's metadata breaks the format.
    """
    import jupytext  # imports Jupyter's server (0.25 s), which assignments without a script avoid

    form = {"extension": ".py", "format_name": "percent", "root_level_metadata_as_raw_cell": False}
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt=form)
    outer = notebook.metadata.get("jupytext", {}).get("root_level_metadata", {})
    course = notebook.metadata.get("course") or outer.get("course")
    header = _header(path, course)
    for cell in notebook.cells:
        for key in LAYOUT:
            cell.metadata.pop(key, None)
        _expect_known_keys(path, cell)
    return Script(path, header, notebook.cells)


def _header(path: Path, course: object) -> Header:
    if not isinstance(course, dict):
        raise ScriptError(f"{path.name}: the YAML header has no `course:` with title and given modules.")
    unknown = set(course) - {"assignment", "title", "chapters", "given", "gpu"}
    if unknown:
        raise ScriptError(f"{path.name}: unknown keys under `course:`: {', '.join(sorted(map(str, unknown)))}.")
    assignment = str(course.get("assignment", path.stem))
    if assignment != path.stem:
        raise ScriptError(f"{path.name}: assignment is {assignment!r}, expected the script's own name {path.stem!r}.")
    gpu = course.get("gpu", False)
    if not isinstance(gpu, bool):
        raise ScriptError(f"{path.name}: gpu is {gpu!r} under `course:`, expected true or false.")
    return Header(
        assignment=assignment,
        title=str(course.get("title", assignment)),
        chapters=tuple(course.get("chapters", ())),
        given=tuple(course.get("given", ())),
        gpu=gpu,
    )


def _expect_known_keys(path: Path, cell: NotebookNode) -> None:
    unknown = set(cell.metadata) - KEYS
    if unknown:
        raise ScriptError(
            f"{path.name}: a cell has {', '.join(sorted(unknown))} in its header, "
            f"expected some of {', '.join(sorted(KEYS))}. The cell begins: {cell.source[:60]!r}"
        )
