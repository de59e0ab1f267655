"""The solved notebook as other programs write it, in other formats, with a module beside it."""

import notebook_changes as nb
from notebook_changes import NAME, dumped, each, text

NAN = float("nan")
EDITORS = {
    "no kernel": lambda notebook: notebook | {"metadata": {}},
    "metadata that is a text": lambda notebook: notebook | {"metadata": "Python"},
    "VS Code": each(metadata={"vscode": {"languageId": "python"}}, id=lambda number, cell: f"n{number}"),
    "ids with blanks": each(id=lambda number, cell: f"cell number {number} / {'x' * 80}"),
    "no metadata and no ids": lambda notebook: nb.without_ids(nb.without_metadata(notebook), 4),
}


def saved_by(about, metadata, minor=5, **fields):
    """Cells have no ids, and metadata of this program in the place of the course's."""

    def change(notebook):
        return each(id=None, metadata=metadata, **fields)(notebook) | {"metadata": about, "nbformat_minor": minor}

    return change


def texts_as_magics(notebook):
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell |= {"cell_type": "code", "source": "%md\n" + text(cell), "outputs": [], "execution_count": 0}
    return notebook


def created_in_deepnote(notebook):
    tail = nb.own("<a style='text-align:right' href='https://deepnote.com'>Created in Deepnote</a>", "markdown")
    notebook["cells"].append(tail | {"metadata": {"created_in_deepnote_cell": True}})
    return notebook


RUN = {"status": "ok", "elapsed": 4, "user": {"displayName": "A", "userId": "1"}}
COLAB = {"colab": {"base_uri": "https://localhost:8080/"}, "outputId": "x", "executionInfo": RUN}
IN_COLAB = {"colab": {"provenance": [], "gpuType": "T4"}, "accelerator": "GPU"}
LAB = {"execution": {"iopub.status.busy": "2026-11-21T10:00:00.0Z"}, "editable": True, "slideshow": {"slide_type": ""}}
IN_KAGGLE = {"kaggle": {"accelerator": "none", "dataSources": [], "isGpuEnabled": False}}
IN_DEEPNOTE = {"deepnote": {}, "deepnote_notebook_id": "a", "deepnote_execution_queue": []}
BLOCK = {"block_group": "9dd9", "outputs_reference": "s3:deepnote-cell-outputs-production/1"}
DATABRICKS = {"application/vnd.databricks.v1+cell": {"cellMetadata": {}, "inputWidgets": {}, "nuid": "0-1-2"}}
IN_DATABRICKS = {"application/vnd.databricks.v1+notebook": {"language": "python", "dashboards": []}}
EDITORS |= {
    "Colab": saved_by(IN_COLAB, lambda number, cell: {"id": f"aB{number}"} | COLAB, minor=0),
    "JupyterLab 4": each(metadata=lambda number, cell: cell["metadata"] | LAB),
    "Kaggle": saved_by(IN_KAGGLE, {"_uuid": "8f2839f2", "_cell_guid": "b1076dfc", "trusted": True}),
    "Deepnote": nb.in_turn(created_in_deepnote, saved_by(IN_DEEPNOTE, lambda n, cell: {"cell_id": f"{n}"}, **BLOCK)),
    "Databricks": nb.in_turn(texts_as_magics, saved_by(IN_DATABRICKS, DATABRICKS)),  # as some of its exports do
}


def format_2(notebook):
    more = {"language": "python", "outputs": [], "collapsed": False}
    cells = [
        {"cell_type": "code", "input": text(cell), **more}
        if cell["cell_type"] == "code"
        else {"cell_type": "markdown", "source": text(cell)}
        for cell in notebook["cells"]
    ]
    return {"worksheets": [{"cells": cells}], "metadata": {"name": ""}, "nbformat": 2}


FILES = {
    "format 2": format_2,
    "format 4.0": lambda notebook: nb.without_ids(notebook, 0),
    "format 4.4": lambda notebook: nb.without_ids(notebook, 4),
    "format 4.99": lambda notebook: notebook | {"nbformat_minor": 99},
    "format in words": lambda notebook: notebook | {"nbformat": "4", "nbformat_minor": None},
    "no format at all": lambda notebook: {"cells": notebook["cells"], "metadata": {}},
    "line ends of Windows": lambda notebook: dumped(notebook).replace(rb"\n", rb"\r\n").replace(b"\n", b"\r\n"),
    "not a number in the metadata": lambda notebook: notebook | {"metadata": notebook["metadata"] | {"score": NAN}},
}


def helper_module(notebook):
    answers = [text(nb.find(notebook, name)) for name in ("masked_softmax", "weighted_sum", "attend")]
    module = "import torch\nfrom torch import Tensor\n\n" + "\n\n".join(answers).replace("def attend(", "def whole(")
    nb.find(notebook, "attend")["source"] = "from mine import whole\n\ndef attend(*a):\n    return whole(*a)\n"
    return {f"{NAME}.ipynb": dumped(notebook), "mine.py": module.encode()}


FILES["helper module"] = helper_module
