"""``learn submit``: a zip for the LMS, after a check that the notebook opens, runs, and has no task forgotten."""

import ast
import json
import zipfile
from pathlib import Path

from learn.exercises import of_notebook
from learn.results import Results

LARGEST = 1_000_000  # bytes of a file beside the notebook
EARLIEST = (1980, 1, 1, 0, 0, 0)  # the same work gives the same zip


def forgotten(results: Results) -> list[str]:
    """What is still to do, one line each."""
    lines = [f"not written yet: {title}" for title in results.unwritten]
    lines += [f"not right yet: {task.title}" for task in results.tasks if task.state == "not right yet"]
    if results.unanswered:
        lines.append(f"answers in words that are still empty: {results.unanswered}")
    return lines


def packed(notebook: Path) -> Path:
    """Writes ``<exercise>.zip`` beside the notebook, with the modules beside it that its cells import."""
    exercise = of_notebook(notebook)
    name = exercise.name if exercise else notebook.stem
    target = notebook.with_name(f"{name}.zip")
    fresh = target.with_suffix(".new")
    with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as file:
        for path, arcname in [(notebook, f"{name}.ipynb"), *((one, one.name) for one in _modules(notebook))]:
            file.writestr(zipfile.ZipInfo(arcname, EARLIEST), path.read_bytes(), zipfile.ZIP_DEFLATED)
    fresh.replace(target)
    return target


def _modules(notebook: Path) -> list[Path]:
    imported: set[str] = set()
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            imported |= _imports("".join(cell["source"]))
    beside = [notebook.with_name(f"{name}.py") for name in sorted(imported)]
    return [path for path in beside if path.is_file() and path.stat().st_size <= LARGEST]


def _imports(source: str) -> set[str]:
    plain = "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in source.splitlines())
    try:
        tree = ast.parse(plain)
    except SyntaxError:
        return set()
    names = [one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names]
    names += [
        node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module and not node.level
    ]
    return {name.partition(".")[0] for name in names}
