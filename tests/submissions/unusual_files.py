"""The solved notebook as other programs write it, in other formats and encodings, under other names, as a script."""

import json

import jupytext
import nbformat
import notebook_changes as nb
from notebook_changes import NAME, Change, Folder, Notebook, dumped, each, encoded, put, replaced, text

NAN = float("nan")
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
    "no metadata and no ids": lambda notebook: nb.without_ids(nb.without_metadata(notebook), 4),
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
    tail = nb.own("<a style='text-align:right' href='https://deepnote.com'>Created in Deepnote</a>", "markdown")
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
    "format 4.0": lambda notebook: nb.without_ids(notebook, 0),
    "format 4.4": lambda notebook: nb.without_ids(notebook, 4),
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


def percent_script(notebook: Notebook) -> bytes:
    return jupytext.writes(read(notebook), fmt="py:percent").encode()


def nbconvert_script(notebook: Notebook) -> Folder:
    body = "".join(f"\n\n# In[{number}]:\n\n\n{source}\n" for number, source in enumerate(nb.code(notebook), 1))
    return {f"{NAME}.py": ("#!/usr/bin/env python\n# coding: utf-8\n" + body).encode()}


def databricks_script(notebook: Notebook) -> Folder:
    body = "\n\n# COMMAND ----------\n\n".join(nb.code(notebook))
    return {f"{NAME}.py": f"# Databricks notebook source\n{body}".encode()}


def helper_module(notebook: Notebook) -> Folder:
    answers = [text(nb.find(notebook, name)) for name in ("masked_softmax", "weighted_sum", "attend")]
    module = "import torch\nfrom torch import Tensor\n\n" + "\n\n".join(answers).replace("def attend(", "def whole(")
    nb.find(notebook, "attend")["source"] = "from mine import whole\n\ndef attend(*a):\n    return whole(*a)\n"
    return {f"{NAME}.ipynb": dumped(notebook), "mine.py": module.encode()}


def data_file(notebook: Notebook) -> Folder:
    reads = nb.prefixed("attend", "import json\nbias = json.load(open('data/bias.json'))['bias']\n\n")
    return {f"{NAME}.ipynb": dumped(reads(notebook)), "data/bias.json": b'{"bias": 0}'}


ENDS = (" (1).ipynb", ".ipynb.txt", ".ipynb.json", ".IPYNB", "-checkpoint.ipynb", f"/{NAME}.ipynb")
PLACES: dict[str, Change] = {
    name: lambda notebook, name=name: {name: dumped(notebook)}
    for name in (f".ipynb_checkpoints/{NAME}-checkpoint.ipynb", *(NAME + end for end in ENDS))
}
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
