"""``learn submit``: a zip for the LMS, after a check that the notebook opens, runs, and has no task forgotten."""

import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from autograder.notebook_files.bundle import MAX_BESIDE, beside, files_below, may_be_beside, unpacked
from autograder.notebook_files.bundle import packed as zipped
from autograder.notebook_files.content import look
from autograder.notebook_files.file_text import Unreadable
from autograder.notebook_files.which_notebook import OPENED, assignment_of, listed
from learn.exercises import of_notebook, released_ids
from learn.record import FILE as RECORD
from learn.results import Results
from learn.running import NotRun, cells_at

IMPORT = re.compile(r"^[ \t>]*(?:from|import)[ \t].*", re.MULTILINE)


def forgotten(results: Results) -> list[str]:
    """What is still to do, one line each."""
    lines = [f"not written yet: {title}" for title in results.unwritten]
    lines += [f"not right yet: {task.title}" for task in results.tasks if task.state == "not right yet"]
    if results.unanswered:
        lines.append(f"answers in words that are still empty: {results.unanswered}")
    return lines


def packed(notebook: Path) -> tuple[Path, tuple[str, ...]]:
    """Writes ``<exercise>.zip`` beside the notebook, with the modules and data beside it that it names; and notes."""
    exercise = of_notebook(notebook)
    name = exercise.name if exercise else notebook.stem
    needed, unnamed = _needed(notebook)
    names, notes = beside(needed, notebook.name)
    if unnamed:
        what = f"Not packed, because no cell names them: {listed(unnamed)}"
        notes += (f"{what}; if the notebook needs one of them, write its name in a cell.",)
    inside = f"{name}.py" if notebook.suffix == ".py" else f"{name}.ipynb"
    files = [(inside, notebook.read_bytes()), *((path, (notebook.parent / path).read_bytes()) for path in names)]
    target = notebook.with_name(f"{name}.zip")
    fresh = target.with_suffix(".new")
    fresh.write_bytes(zipped(inside, files, zipfile.ZIP_DEFLATED))
    fresh.replace(target)
    return target, notes


@contextmanager
def opened(path: Path) -> Iterator[Path]:
    """The notebook of a zip that `learn submit` has packed, laid out with what is beside it until the block is left.

    Raises:
        NotRun: it cannot be opened, or nothing says which exercise it is.
    """
    data = path.read_bytes()
    name = assignment_of(path.name, look(data), released_ids())
    try:
        notebook, files, _ = unpacked(data, name, released_ids())
    except Unreadable as error:
        raise NotRun(f"{path}: {error}") from None
    with TemporaryDirectory(prefix="learn-") as folder:
        for inside, content in {**files, f"{name or path.stem}.ipynb": notebook}.items():
            target = Path(folder, inside)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        yield Path(folder, f"{name or path.stem}.ipynb")


def _needed(notebook: Path) -> tuple[dict[str, int], list[str]]:
    """Path → size of the files beside the notebook that its cells name or import; and the names of the others."""
    below = files_below(notebook.parent)
    candidates = {
        name: path for name, path in below.items() if name not in (notebook.name, RECORD) and may_be_beside(name)
    }
    text = "\n".join(cell["source"] for cell in cells_at(notebook))
    needed: dict[str, int] = {}
    while more := [name for name in candidates if name not in needed and _is_named(PurePosixPath(name), text)]:
        needed |= {name: candidates[name].stat().st_size for name in more}
        modules = [candidates[name] for name in more if name.endswith(".py") and needed[name] <= MAX_BESIDE]
        text += "".join(f"\n{path.read_text(encoding='utf-8', errors='replace')}" for path in modules)
    return needed, [name for name in candidates if name not in needed and not name.endswith(OPENED)]


def _is_named(path: PurePosixPath, text: str) -> bool:
    imported = set(re.findall(r"\w+", " ".join(IMPORT.findall(text))))
    if path.suffix == ".py" and imported & {*path.parts[:-1], path.stem}:
        return True
    return path.name in text or any(
        named in text for folder in path.parts[:-1] for named in (f"{folder}/", f"'{folder}'", f'"{folder}"')
    )
