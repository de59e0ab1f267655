"""Changes to the solved notebook of the sample class, 00_attention, which leave everything in it right.

Each entry of ``HONEST``, made in the modules beside this one, takes it as a dictionary and returns what lies in the
submission's folder: name of the file → bytes, or the changed notebook alone.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat

Notebook = dict[str, Any]
Folder = dict[str, bytes]
NAME = "00_attention"
RELEASE = Path(__file__).resolve().parents[3] / "sample_class" / "released" / f"{NAME}.ipynb"
RELEASED = {one["id"]: "".join(one["source"]) for one in json.loads(RELEASE.read_text(encoding="utf-8"))["cells"]}
HONEST: dict[str, Callable[[Notebook], Notebook | bytes | Folder]] = {}


def honest(change: Callable[[Notebook], Notebook | bytes | Folder]) -> Callable:
    HONEST[change.__name__] = change
    return change


def dumped(notebook: Notebook, **options: Any) -> bytes:
    return json.dumps(notebook, indent=1, **options).encode()


def read(notebook: Notebook) -> nbformat.NotebookNode:
    return nbformat.reads(dumped(notebook).decode(), as_version=4)


def at(notebook: Notebook, grade_id: str) -> int:
    return next(
        index
        for index, cell in enumerate(notebook["cells"])
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == grade_id
    )


def cell(notebook: Notebook, grade_id: str) -> dict[str, Any]:
    return notebook["cells"][at(notebook, grade_id)]


def text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def own(source: str, kind: str = "code") -> dict[str, Any]:
    """A cell of the learner's own."""
    made: dict[str, Any] = {"cell_type": kind, "id": f"own-{abs(hash(source)) % 10**9}", "metadata": {}}
    return made | ({"execution_count": 3, "outputs": []} if kind == "code" else {}) | {"source": source}


def put(notebook: Notebook, source: str, before: str = "", after: str = "") -> Notebook:
    """The notebook with one more cell."""
    place = at(notebook, before) if before else at(notebook, after) + 1
    notebook["cells"].insert(place, own(source))
    return notebook


def prefixed(notebook: Notebook, grade_id: str, source: str) -> Notebook:
    """The notebook with lines put before those of a cell."""
    one = cell(notebook, grade_id)
    one["source"] = source + text(one)
    return notebook


def without_metadata(notebook: Notebook) -> Notebook:
    for number, one in enumerate(notebook["cells"]):
        one["metadata"], one["id"] = {}, f"n{number}"
    return notebook


def without_ids(notebook: Notebook, minor: int) -> Notebook:
    for one in notebook["cells"]:
        one.pop("id", None)
    return notebook | {"nbformat_minor": minor}
