"""Composes the sample class: an exercise of its own, `solutions/00_attention.py`, filled in by made-up students.

    python sample_class/make.py            write sample_class/released/ and sample_class/submitted/
    python sample_class/make.py --check    write nothing; exit 1 and name each file that is not current

A student is a script in ``answers/``. Its first cell says who it is, and with ``like="ada"`` that everything not
written below is Ada's. A plain code cell holds definitions: each body goes where the exercise has its stub.
A cell marked ``after="dot_scorer"`` is a cell of the student's own, put after that one; ``instead="dot_scorer"``
replaces a whole cell. What happened to the file on its way is in ``DAMAGE``.
"""

import ast
import json
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jupytext

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ASSIGNMENT = "00_attention"
RELEASE = HERE / "released" / f"{ASSIGNMENT}.ipynb"
STUB = "# YOUR CODE HERE"

Notebook = dict[str, Any]


def student(name: str) -> tuple[dict[str, str], dict[str, list[str]], dict[str, str]]:
    """Answer → body, grade id → cells after it, grade id → cell instead of it."""
    bodies: dict[str, str] = {}
    after: dict[str, list[str]] = {}
    instead: dict[str, str] = {}
    for cell in jupytext.read(HERE / "answers" / f"{name}.py", fmt="py:percent").cells:
        if "like" in cell.metadata:
            bodies, after, instead = student(cell.metadata["like"])
        if cell.cell_type != "code":
            continue
        if "after" in cell.metadata:
            after.setdefault(cell.metadata["after"], []).append(cell.source)
        elif "instead" in cell.metadata:
            instead[cell.metadata["instead"]] = cell.source
        else:
            bodies |= definitions(cell.source)
    return bodies, after, instead


def definitions(source: str) -> dict[str, str]:
    """ "attend" or "DotScorer.score" → the text of its body."""
    lines, bodies = source.splitlines(), {}
    for node in ast.parse(source).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for function in inner:
            first = function.lineno
            while not lines[first - 1].rstrip().endswith(":"):
                first += 1
            bodies[prefix + function.name] = textwrap.dedent("\n".join(lines[first : function.end_lineno]))
    return bodies


def fill(source: str, bodies: dict[str, str]) -> str:
    """The cell with the stub of each answer that the student wrote replaced by the body."""
    for node in reversed(ast.parse(source).body):
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for function in reversed(inner):
            body = bodies.get(prefix + getattr(function, "name", ""))
            if body is not None:
                lines = source.splitlines()
                stub = next(n for n in range(function.lineno, function.end_lineno) if STUB in lines[n])
                indent = lines[stub][: lines[stub].index("#")]
                lines[stub : stub + 2] = textwrap.indent(body, indent).splitlines()
                source = "\n".join(lines)
    return source


def compose(name: str) -> Notebook:
    """The student's notebook, before anything happened to the file."""
    bodies, after, instead = student(name)
    notebook = json.loads(RELEASE.read_text(encoding="utf-8"))
    cells = []
    for cell in notebook["cells"]:
        settings = cell["metadata"].get("nbgrader", {})
        if settings.get("solution"):
            source = instead.get(cell["id"], fill("".join(cell["source"]), bodies))
            cell["source"] = source.splitlines(keepends=True)
        cells.append(cell)
        for number, source in enumerate(after.get(cell["id"], []), 1):
            extra = {"cell_type": "code", "execution_count": None, "id": f"{name}-{cell['id']}-{number}", "outputs": []}
            cells.append({**extra, "metadata": {}, "source": source.splitlines(keepends=True)})
    return {**notebook, "cells": cells}


def to_bytes(notebook: Notebook) -> bytes:
    return (json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def cut_off(notebook: Notebook) -> bytes:
    """The upload broke off."""
    return to_bytes(notebook)[:9000]


def with_byte_order_mark(notebook: Notebook) -> bytes:
    """Saved by an editor that marks its UTF-8."""
    return b"\xef\xbb\xbf" + to_bytes(notebook)


def without_a_check(notebook: Notebook) -> bytes:
    """One check was deleted, another one made to pass always."""
    cells = [cell for cell in notebook["cells"] if cell["id"] != "dot_scorer_hidden"]
    for cell in cells:
        if cell["id"] == "additive_scorer_visible":
            cell["source"] = ["print('all fine')"]
    return to_bytes({**notebook, "cells": cells})


def with_a_copy(notebook: Notebook) -> bytes:
    """A cell was copied, with its id, and left twice in a notebook that asks for another kernel."""
    cells = []
    for cell in notebook["cells"]:
        cells += [cell, cell] if cell["id"] == "masked_softmax" else [cell]
    kernel = {"display_name": "R", "language": "R", "name": "ir"}
    return to_bytes({**notebook, "cells": cells, "metadata": {**notebook["metadata"], "kernelspec": kernel}})


DAMAGE: dict[str, Callable[[Notebook], bytes]] = {
    "kofi": cut_off,
    "lena": with_byte_order_mark,
    "mateo": without_a_check,
    "rosa": with_a_copy,
}


def released() -> bytes:
    """The exercise as learners would receive it."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from autograder.assignments.build import releases, sources
    from autograder.settings import SAMPLES

    return releases(sources(ROOT, SAMPLES))[ASSIGNMENT].encode()


def submissions() -> dict[Path, bytes]:
    files = {}
    for script in sorted((HERE / "answers").glob("*.py")):
        name = script.stem
        path = HERE / "submitted" / name / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
        files[path] = DAMAGE.get(name, to_bytes)(compose(name))
    return files


def main(check: bool) -> int:
    release = released()
    if not check:
        RELEASE.parent.mkdir(exist_ok=True)
        RELEASE.write_bytes(release)
    files = {RELEASE: release, **submissions()}
    there = {path for folder in ("released", "submitted") for path in (HERE / folder).rglob("*") if path.is_file()}
    stale = [path for path, data in files.items() if not path.exists() or path.read_bytes() != data]
    for path in sorted([*stale, *(there - set(files))]):
        print(f"{path.relative_to(HERE.parent)}: not what sample_class/make.py makes now" if check else f"wrote {path}")
    if check:
        return 1 if stale or there - set(files) else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[path])
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
