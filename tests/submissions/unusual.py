"""Honest notebooks of unusual form: changes to the solved notebook of the sample class, all of which leave it right.

Each entry of ``KINDS`` takes the notebook as a dictionary and returns the changed one, the bytes of the file, or all
that lies in the submission's folder: name → bytes.
"""

import copy
import json
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any

import jupytext
import nbformat

Notebook = dict[str, Any]
Folder = dict[str, bytes]
Change = Callable[[Notebook], Notebook | bytes | Folder]
NAME = "00_attention"
NAN = float("nan")
RELEASE = Path(__file__).resolve().parents[2] / "sample_class" / "released" / f"{NAME}.ipynb"
RELEASED = {cell["id"]: "".join(cell["source"]) for cell in json.loads(RELEASE.read_text(encoding="utf-8"))["cells"]}


def folder(change: Change, solved: Notebook) -> Folder:
    """The files of one entry."""
    changed = change(copy.deepcopy(solved))
    if isinstance(changed, dict) and "cells" not in changed and "worksheets" not in changed:
        return changed
    return {f"{NAME}.ipynb": changed if isinstance(changed, bytes) else dumped(changed)}


def dumped(notebook: Notebook, **options: Any) -> bytes:
    return json.dumps(notebook, indent=1, **options).encode()


def encoded(notebook: Notebook, encoding: str) -> bytes:
    return json.dumps(notebook, indent=1, ensure_ascii=False).encode(encoding, "replace")


def settings(cell: dict[str, Any]) -> dict[str, Any]:
    return cell["metadata"].get("nbgrader", {})


def at(notebook: Notebook, grade_id: str) -> int:
    return [settings(cell).get("grade_id") for cell in notebook["cells"]].index(grade_id)


def find(notebook: Notebook, grade_id: str) -> dict[str, Any]:
    return notebook["cells"][at(notebook, grade_id)]


def text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def code(notebook: Notebook) -> list[str]:
    return [text(cell) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def own(source: str, kind: str = "code") -> dict[str, Any]:
    """A cell of the learner's own."""
    cell: dict[str, Any] = {"cell_type": kind, "id": f"own-{sum(source.encode())}", "metadata": {}}
    return cell | ({"execution_count": 3, "outputs": []} if kind == "code" else {}) | {"source": source}


def in_turn(*changes: Change) -> Change:
    """One change after the other."""
    return lambda notebook: reduce(lambda changed, change: change(changed), changes, notebook)


def put(source: str, before: str = "", after: str = "") -> Change:
    """One more cell."""

    def change(notebook: Notebook) -> Notebook:
        place = at(notebook, before) if before else at(notebook, after) + 1
        notebook["cells"].insert(place, own(source))
        return notebook

    return change


def edited(grade_id: str, edit: Callable[[str], str]) -> Change:
    """Another source of a cell, made from its own."""

    def change(notebook: Notebook) -> Notebook:
        cell = find(notebook, grade_id)
        cell["source"] = edit(text(cell))
        return notebook

    return change


def prefixed(grade_id: str, source: str) -> Change:
    return edited(grade_id, lambda before: source + before)


def blanked(grade_id: str) -> Change:
    return edited(grade_id, lambda before: RELEASED[grade_id])


def replaced(grade_id: str, old: str, new: str) -> Change:
    def edit(source: str) -> str:
        assert old in source
        return source.replace(old, new)

    return edited(grade_id, edit)


def each(of: str = "", **fields: Any) -> Change:
    """Every cell, or one, has these fields; ``None`` takes a field away."""

    def change(notebook: Notebook) -> Notebook:
        for number, cell in enumerate([find(notebook, of)] if of else notebook["cells"]):
            for field, value in fields.items():
                cell[field] = copy.deepcopy(value(number, cell) if callable(value) else value)
                if value is None:
                    del cell[field]
        return notebook

    return change


def without_ids(notebook: Notebook, minor: int) -> Notebook:
    return each(id=None)(notebook) | {"nbformat_minor": minor}


without_metadata = each(metadata={}, id=lambda number, cell: f"n{number}")


OWN_CELLS = [
    *("this is a note, not code!", "from multiprocessing import Pool\nwith Pool(2) as p: print(p.map(abs, [-1, 2]))"),
    *("1 / 0", "import logging; logging.basicConfig(level=0); logging.error('x')", "def f():\n    breakpoint()\nf()"),
    *("!pip install torch", "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()", "%conda install numpy"),
    *("%pip install einops", "from tqdm.notebook import tqdm\nfor i in tqdm(range(3)): pass", "%xmode Minimal\n%who"),
    *("!ls -la | head", "from ipywidgets import interact\ninteract(lambda x: x, x=3)", "import pdb; pdb.set_trace()"),
    *("%%bash\nls", "open('x.txt', 'w').write('x'); print(open('x.txt').read())", "for i in range(10**6): print(i)"),
    *("%%html\n<b>bold</b>", "import os; os.makedirs('a', exist_ok=True); os.chdir('a')", "torch.set_num_threads(4)"),
    *("%%timeit -n 2 -r 2\nsum(range(10))", "from tqdm import tqdm\nfor i in tqdm(range(3)): pass", "torch.softmax?"),
    *("name = input('Your name? ')", "import warnings; warnings.simplefilter('error')", "import sys; sys.exit(0)"),
    *("quit()", "from google.colab import files\nfiles.upload()", "import subprocess; subprocess.run(['true'])"),
    *("import os; os._exit(0)", "import warnings; warnings.warn('careful')", "open('/content/drive/MyDrive/x.csv')"),
    *("%nosuchmagic 3", "import asyncio\nawait asyncio.sleep(0)", "torch.set_default_dtype(torch.float64)"),
    *("%load_ext autoreload\n%autoreload 2", "import sys; sys.stdout.close()", "torch.set_grad_enabled(False)"),
    *("torch.manual_seed(3)", "%%javascript\nalert(1)", "list = [1]; sum = 3", "while True: pass", "%%R\nx <- 3"),
]
SCRATCH: dict[str, Change] = {f"own cell: {source}": put(source, before="dot_scorer") for source in OWN_CELLS}
FIRST_LINES = [
    *("%%time", "device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')", "%load_ext tensorboard"),
    *("%%capture", "from google.colab import drive\ndrive.mount('/content/drive')", "%cd /content/drive/MyDrive"),
    *("!pip install einops", "table = open('/kaggle/input/table.csv').read()", "from __future__ import annotations"),
    *("%matplotlib widget", "import pandas as pd\nimport seaborn as sns", "size = int(input('How many? '))"),
    *("%matplotlib notebook", "from seq2seq.batch import Batch", "print('hello')"),
]
ABOVE: dict[str, Change] = {f"answer below: {line}": prefixed("dot_scorer", f"{line}\n") for line in FIRST_LINES}
ABOVE["answer that prints and warns"] = replaced(
    "weighted_sum",
    "    return ",
    "    import sys, warnings\n    warnings.warn('careful')\n    print(1, file=sys.stderr)\n    return ",
)

EDITORS: dict[str, Change] = {
    f"kernel of {name}": lambda notebook, spec=spec: notebook | {"metadata": {"kernelspec": spec}}
    for name, spec in {
        "R": {"display_name": "R", "language": "R", "name": "ir"},
        "Julia": {"display_name": "Julia 1.10", "language": "julia", "name": "julia-1.10"},
        "a conda environment": {"display_name": "conda (dl)", "language": "python", "name": "conda-env-dl-py"},
    }.items()
}
EDITORS |= {
    "no kernel": lambda notebook: notebook | {"metadata": {}},
    "metadata that is a text": lambda notebook: notebook | {"metadata": "Python"},
    "VS Code": each(metadata={"vscode": {"languageId": "python"}}, id=lambda number, cell: f"n{number}"),
    "one id for all": each(id="same"),
    "ids with blanks": each(id=lambda number, cell: f"cell number {number} / {'x' * 80}"),
    "no metadata and no ids": lambda notebook: without_ids(without_metadata(notebook), 4),
}


def colab(notebook: Notebook) -> Notebook:
    info = {"status": "ok", "elapsed": 4, "user": {"displayName": "A", "userId": "1"}}
    more = {"colab": {"base_uri": "https://localhost:8080/"}, "outputId": "x", "executionInfo": info}
    each(id=None, metadata=lambda number, cell: {"id": f"aB{number}", **more})(notebook)
    notebook["metadata"] = {"colab": {"provenance": [], "gpuType": "T4"}, "accelerator": "GPU"}
    notebook["metadata"]["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    return notebook | {"nbformat_minor": 0}


def jupyterlab_4(notebook: Notebook) -> Notebook:
    more = {"execution": {"iopub.status.busy": "2026-11-21T10:00:00.0Z"}, "editable": True, "trusted": True}
    return each(metadata=lambda _, cell: cell["metadata"] | more | {"slideshow": {"slide_type": ""}})(notebook)


def kaggle(notebook: Notebook) -> Notebook:
    uuid = "8f2839f25d086af736a60e9eeb907d3b93b6e0e5"
    each(metadata={"_uuid": uuid, "_cell_guid": "b1076dfc", "trusted": True})(notebook)
    notebook["metadata"] = {"kaggle": {"accelerator": "none", "dataSources": [], "isGpuEnabled": False}}
    return each(id=None)(notebook)


def deepnote(notebook: Notebook) -> Notebook:
    more = {"block_group": "9dd9", "outputs_reference": "s3:deepnote-cell-outputs-production/1"}
    each(metadata=lambda number, cell: {"cell_id": f"{number}", "deepnote_cell_type": cell["cell_type"]}, **more)(
        notebook
    )
    tail = own("<a style='text-align:right' href='https://deepnote.com'>Created in Deepnote</a>", "markdown")
    each(id=None)(notebook)["cells"].append(tail | {"metadata": {"created_in_deepnote_cell": True}})
    notebook["metadata"] = {"deepnote": {}, "deepnote_notebook_id": "a", "deepnote_execution_queue": []}
    return notebook


def databricks(notebook: Notebook) -> Notebook:
    more = {"cellMetadata": {}, "inputWidgets": {}, "nuid": "0-1-2", "showTitle": False, "title": ""}
    each(metadata={"application/vnd.databricks.v1+cell": more})(notebook)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":  # some exports keep texts as code cells of a magic
            cell |= {"cell_type": "code", "source": "%md\n" + text(cell), "outputs": [], "execution_count": 0}
    notebook["metadata"] = {"application/vnd.databricks.v1+notebook": {"language": "python", "dashboards": []}}
    return each(id=None)(notebook)


EDITORS |= {"Colab": colab, "JupyterLab 4": jupyterlab_4, "Kaggle": kaggle}
EDITORS |= {"Deepnote": deepnote, "Databricks": databricks}


def read(notebook: Notebook) -> nbformat.NotebookNode:
    return nbformat.reads(dumped(notebook).decode(), as_version=4)


def format_2(notebook: Notebook) -> Notebook:
    more = {"language": "python", "outputs": [], "collapsed": False}
    cells = [
        {"cell_type": "code", "input": text(cell), **more}
        if cell["cell_type"] == "code"
        else {"cell_type": "markdown", "source": text(cell)}
        for cell in notebook["cells"]
    ]
    return {"worksheets": [{"cells": cells}], "metadata": {"name": ""}, "nbformat": 2}


FILES: dict[str, Change] = {
    "format 2": format_2,
    "format 3": lambda notebook: nbformat.writes(nbformat.convert(read(notebook), 3)).encode(),
    "format 4.0": lambda notebook: without_ids(notebook, 0),
    "format 4.4": lambda notebook: without_ids(notebook, 4),
    "format 4.99": lambda notebook: notebook | {"nbformat_minor": 99},
    "format 9": lambda notebook: notebook | {"nbformat": 9},
    "format in words": lambda notebook: notebook | {"nbformat": "4", "nbformat_minor": None},
    "no format at all": lambda notebook: {"cells": notebook["cells"], "metadata": {}},
    "bare list of cells": lambda notebook: json.dumps(notebook["cells"]).encode(),
    "byte order mark": lambda notebook: b"\xef\xbb\xbf" + dumped(notebook),
    "UTF-16 with a mark": lambda notebook: encoded(notebook, "utf-16"),
    "UTF-16 without a mark": lambda notebook: encoded(notebook, "utf-16-le"),
    "UTF-32": lambda notebook: encoded(notebook, "utf-32"),
    "Latin-1": lambda notebook: encoded(put("# déjà vu", before="attend")(notebook), "latin-1"),
    "Windows-1252": lambda notebook: encoded(put("# “Quotes” – and a dash", after="attend_hidden")(notebook), "cp1252"),
    "line ends of Windows": lambda notebook: dumped(notebook).replace(rb"\n", rb"\r\n").replace(b"\n", b"\r\n"),
    "line ends of old Macs": replaced("dot_scorer", "\n", "\r"),
    "lines joined without newlines": each(source=lambda _, cell: text(cell).split("\n")),  # by a converter that forgot
    "zeros after the end": lambda notebook: dumped(notebook) + b"\0" * 512,
    "text after the end": lambda notebook: dumped(notebook) + b"\n}\n",
    "a comma too many": lambda notebook: dumped(notebook).replace(b'_minor": 5\n}', b'_minor": 5,\n}'),
    "not a number in the metadata": lambda notebook: notebook | {"metadata": notebook["metadata"] | {"score": NAN}},
}

ENDS = (" (1).ipynb", ".ipynb.txt", ".ipynb.json", ".IPYNB", "-checkpoint.ipynb", f"/{NAME}.ipynb")
PLACES: dict[str, Change] = {
    name: lambda notebook, name=name: {name: dumped(notebook)}
    for name in (f".ipynb_checkpoints/{NAME}-checkpoint.ipynb", *(NAME + end for end in ENDS))
}


def percent_script(notebook: Notebook) -> bytes:
    return jupytext.writes(read(notebook), fmt="py:percent").encode()


def nbconvert_script(notebook: Notebook) -> Folder:
    body = "".join(f"\n\n# In[{number}]:\n\n\n{source}\n" for number, source in enumerate(code(notebook), 1))
    return {f"{NAME}.py": ("#!/usr/bin/env python\n# coding: utf-8\n" + body).encode()}


def databricks_script(notebook: Notebook) -> Folder:
    body = "\n\n# COMMAND ----------\n\n".join(code(notebook))
    return {f"{NAME}.py": f"# Databricks notebook source\n{body}".encode()}


def helper_module(notebook: Notebook) -> Folder:
    answers = [text(find(notebook, name)) for name in ("masked_softmax", "weighted_sum", "attend")]
    module = "import torch\nfrom torch import Tensor\n\n" + "\n\n".join(answers).replace("def attend(", "def whole(")
    find(notebook, "attend")["source"] = "from mine import whole\n\ndef attend(*a):\n    return whole(*a)\n"
    return {f"{NAME}.ipynb": dumped(notebook), "mine.py": module.encode()}


def data_file(notebook: Notebook) -> Folder:
    reads = prefixed("attend", "import json\nbias = json.load(open('data/bias.json'))['bias']\n\n")
    return {f"{NAME}.ipynb": dumped(reads(notebook)), "data/bias.json": b'{"bias": 0}'}


PLACES |= {
    "two downloads": lambda notebook: {f"{NAME} ({n}).ipynb": dumped(notebook) for n in (1, 2)},
    "beside a scratch notebook": lambda notebook: {f"{NAME}.ipynb": dumped(notebook), "scratch.ipynb": b"{}"},
    "percent script": percent_script,
    "percent script by name": lambda notebook: {f"{NAME}.py": percent_script(notebook)},
    "script of nbconvert": nbconvert_script,
    "script of Databricks": databricks_script,
    "helper module": helper_module,
    "data file": data_file,
}

LOWEST = "torch.finfo(scores.dtype).min"
HELPER = "def lowest_of(scores):\n    return torch.finfo(scores.dtype).min\n"
BROKEN = "class DotScorer(Scorer):\n    def score(self, query, projected_keys):\n        return {}\n"
FUNCTIONAL = "import torch.nn.functional as F"
FENCE = "```python\n{}\n```"
TABLE = "LOWEST = {kind: torch.finfo(kind).min for kind in (torch.float16, torch.float32, torch.float64)}"
IMPORTED_CHECK = 'from autograder.tasks.scorers import check\ncheck("dot_scorer", DotScorer)\n'
NEEDS_HELPER = replaced("masked_softmax", LOWEST, "lowest_of(scores)")
NEEDS_IMPORT = replaced("masked_softmax", "torch.softmax", "F.softmax")


def with_a_helper(**place: str) -> Change:
    return in_turn(NEEDS_HELPER, put(HELPER, **place))


def with_the_answer_elsewhere(grade_id: str, **place: str) -> Change:
    return lambda notebook: in_turn(put(text(find(notebook, grade_id)), **place), blanked(grade_id))(notebook)


def merged(into: str, *grade_ids: str, above: bool = False) -> Change:
    """These cells leave the notebook; their sources stand in another, below its own or above it."""

    def change(notebook: Notebook) -> Notebook:
        sources = [text(notebook["cells"].pop(at(notebook, grade_id))) for grade_id in grade_ids]
        return edited(into, lambda own: "\n\n".join([*sources, own] if above else [own, *sources]))(notebook)

    return change


def with_a_blank_copy(place: Callable[[Notebook], int]) -> Change:
    def change(notebook: Notebook) -> Notebook:
        blank = copy.deepcopy(find(notebook, "dot_scorer")) | {"id": "kept", "source": RELEASED["dot_scorer"]}
        notebook["cells"].insert(place(notebook), blank)
        return notebook

    return change


def is_answer(cell: dict[str, Any]) -> bool:
    return bool(settings(cell).get("solution"))


def only(wanted: Callable[[dict[str, Any]], bool]) -> Change:
    return lambda notebook: notebook | {"cells": list(filter(wanted, notebook["cells"]))}


def split_between_class_and_import(notebook: Notebook) -> Notebook:
    half = copy.deepcopy(find(notebook, "masked_softmax")) | {"source": HELPER, "id": "half"}
    notebook["cells"].insert(at(notebook, "masked_softmax"), half)
    return notebook


def answer_cell_pasted_anew(notebook: Notebook) -> Notebook:
    place = at(notebook, "dot_scorer")
    notebook["cells"][place] = own(text(notebook["cells"][place]))
    return notebook


MOVED: dict[str, Change] = {
    **{"helper above": with_a_helper(before="masked_softmax"), "helper below": with_a_helper(after="masked_softmax")},
    "helper below the checks": with_a_helper(after="masked_softmax_hidden"),
    "helper at the very end": with_a_helper(after="attend_hidden"),
    "constant below the checks": in_turn(
        replaced("masked_softmax", LOWEST, "LOWEST[scores.dtype]"), put(TABLE, after="masked_softmax_hidden")
    ),
    "import below the checks": in_turn(NEEDS_IMPORT, put(FUNCTIONAL, after="masked_softmax_hidden")),
    "imports added to the setup": in_turn(NEEDS_IMPORT, edited("setup", lambda source: f"{source}\n{FUNCTIONAL}")),
    "imports above the setup": in_turn(put(FUNCTIONAL, before="setup"), prefixed("attend", "F.softmax\n")),
    "module by writefile": in_turn(
        NEEDS_HELPER,
        prefixed("masked_softmax", "from lowest import lowest_of\n"),
        put(f"%%writefile lowest.py\nimport torch\n{HELPER}", before="masked_softmax"),
    ),
    "answer in a new cell above": with_the_answer_elsewhere("dot_scorer", before="dot_scorer"),
    "answer in a new cell below": with_the_answer_elsewhere("dot_scorer", after="dot_scorer"),
    "answer in a new cell below the checks": with_the_answer_elsewhere("dot_scorer", after="dot_scorer_hidden"),
    "answer in a new cell at the end": with_the_answer_elsewhere("masked_softmax", after="attend_hidden"),
    "no metadata and the answer elsewhere": in_turn(
        with_the_answer_elsewhere("dot_scorer", after="attend_hidden"), without_metadata
    ),
    "no metadata and a helper below": in_turn(with_a_helper(after="attend_hidden"), without_metadata),
    "broken versions above": in_turn(*(put(BROKEN.format(number), before="dot_scorer") for number in range(2))),
    "class twice in a cell": prefixed("dot_scorer", BROKEN.format(0) + "\n\n"),
    "two answers in a cell": merged("dot_scorer", "scaled_dot_scorer"),
    "merged downwards": merged("scaled_dot_scorer", "dot_scorer", above=True),
    "merged with its checks": merged("dot_scorer", "dot_scorer_visible", "dot_scorer_hidden"),
    "merged into the setup": merged("setup", "dot_scorer"),
    "merged into a check": merged("dot_scorer_visible", "dot_scorer", above=True),
    "merged across checks": merged(
        "weighted_sum_loop",
        *("weighted_sum_loop_visible", "weighted_sum_loop_hidden"),
        *("weighted_sum", "weighted_sum_visible", "weighted_sum_hidden"),
    ),
    "everything in one cell": lambda notebook: notebook | {"cells": [own("\n\n\n".join(code(notebook)))]},
    "code cells alone": only(lambda cell: cell["cell_type"] == "code"),
    "check edited for debugging": prefixed("dot_scorer_visible", "print(DotScorer)\n"),
    "all checks deleted": only(lambda cell: not settings(cell).get("grade")),
    "all answers at the top": lambda notebook: (
        notebook | {"cells": sorted(notebook["cells"], key=lambda cell: not is_answer(cell))}
    ),
    "all answers at the end": lambda notebook: notebook | {"cells": sorted(notebook["cells"], key=is_answer)},
    "check run once more": prefixed("masked_softmax", IMPORTED_CHECK),
    "answer split in two cells": in_turn(NEEDS_HELPER, split_between_class_and_import),
    "answer in the cell of another": lambda notebook: in_turn(
        prefixed("scaled_dot_scorer", text(find(notebook, "dot_scorer")) + "\n\n\n"), blanked("dot_scorer")
    )(notebook),
    "answer cell deleted and pasted anew": answer_cell_pasted_anew,
    "blank copy below": with_a_blank_copy(lambda notebook: at(notebook, "dot_scorer") + 1),
    "blank copy at the end": with_a_blank_copy(lambda notebook: len(notebook["cells"])),
    "answer of type raw": each("attend", cell_type="raw"),
    "answer fenced in markdown": each("attend", cell_type="markdown", source=lambda _, cell: FENCE.format(text(cell))),
}

KINDS = {"scratch": SCRATCH, "above": ABOVE, "editors": EDITORS, "files": FILES, "places": PLACES, "moved": MOVED}
HONEST = {name: change for changes in KINDS.values() for name, change in changes.items()}
