"""Honest notebooks of unusual form: everything in them is right, and each must get all of its points.

Each entry of ``HONEST`` takes the solved notebook of the sample class, 00_attention, as a dictionary and returns what
lies in the submission's folder: name of the file → bytes, or the changed notebook alone.
"""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jupytext
import nbformat

Notebook = dict[str, Any]
Folder = dict[str, bytes]
NAME = "00_attention"
RELEASE = Path(__file__).resolve().parents[2] / "sample_class" / "released" / f"{NAME}.ipynb"
RELEASED = {one["id"]: "".join(one["source"]) for one in json.loads(RELEASE.read_text(encoding="utf-8"))["cells"]}
HONEST: dict[str, Callable[[Notebook], Notebook | bytes | Folder]] = {}


def honest(change: Callable[[Notebook], Notebook | bytes | Folder]) -> Callable:
    HONEST[change.__name__] = change
    return change


def folder(name: str, solved: Notebook) -> Folder:
    """The files of one entry."""
    made = HONEST[name](copy.deepcopy(solved))
    if isinstance(made, dict) and "cells" not in made and "worksheets" not in made:
        return made
    return {f"{NAME}.ipynb": made if isinstance(made, bytes) else dumped(made)}


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


# How the file was written


@honest
def byte_order_mark(notebook):
    return b"\xef\xbb\xbf" + dumped(notebook)


@honest
def utf_16_with_a_mark(notebook):
    return dumped(notebook, ensure_ascii=False).decode().encode("utf-16")


@honest
def utf_16_without_a_mark(notebook):
    return dumped(notebook, ensure_ascii=False).decode().encode("utf-16-le")


@honest
def utf_32(notebook):
    return dumped(notebook, ensure_ascii=False).decode().encode("utf-32")


@honest
def latin_1(notebook):
    return dumped(put(notebook, "# déjà vu", before="attend"), ensure_ascii=False).decode().encode("latin-1", "replace")


@honest
def windows_1252(notebook):
    notebook["cells"].append(own("“Quotes” – and a dash", "markdown"))
    return dumped(notebook, ensure_ascii=False).decode().encode("cp1252", "replace")


@honest
def windows_line_ends(notebook):
    for one in notebook["cells"]:
        one["source"] = text(one).replace("\n", "\r\n")
    return dumped(notebook).replace(b"\n", b"\r\n")


@honest
def old_mac_line_ends(notebook):
    cell(notebook, "dot_scorer")["source"] = text(cell(notebook, "dot_scorer")).replace("\n", "\r")
    return notebook


@honest
def zeros_after_the_end(notebook):
    return dumped(notebook) + b"\0" * 512


@honest
def text_after_the_end(notebook):
    return dumped(notebook) + b"\n}\n"


@honest
def a_comma_too_many(notebook):
    return dumped(notebook).replace(b'"nbformat_minor": 5\n}', b'"nbformat_minor": 5,\n}')


@honest
def not_a_number_in_the_metadata(notebook):
    notebook["metadata"]["score"] = float("nan")
    return notebook


@honest
def lines_joined_without_newlines(notebook):
    for one in notebook["cells"]:
        one["source"] = text(one).split("\n")  # a converter forgot that each line keeps its newline
    return notebook


# Formats


@honest
def format_3(notebook):
    return nbformat.writes(nbformat.convert(read(notebook), 3)).encode()


@honest
def format_2(notebook):
    cells = [
        {"cell_type": "code", "input": text(one), "language": "python", "outputs": [], "collapsed": False}
        if one["cell_type"] == "code"
        else {"cell_type": "markdown", "source": text(one)}
        for one in notebook["cells"]
    ]
    return {"worksheets": [{"cells": cells}], "metadata": {"name": ""}, "nbformat": 2}


@honest
def format_4_0(notebook):
    return without_ids(notebook, 0)


@honest
def format_4_4(notebook):
    return without_ids(notebook, 4)


@honest
def format_4_99(notebook):
    return notebook | {"nbformat_minor": 99}


@honest
def format_9(notebook):
    return notebook | {"nbformat": 9}


@honest
def format_in_words(notebook):
    return notebook | {"nbformat": "4", "nbformat_minor": None}


@honest
def no_format_at_all(notebook):
    return {"cells": notebook["cells"], "metadata": {}}


@honest
def bare_list_of_cells(notebook):
    return json.dumps(notebook["cells"]).encode()


# Names and places


@honest
def copy_of_the_browser(notebook):
    return {f"{NAME} (1).ipynb": dumped(notebook)}


@honest
def two_downloads(notebook):
    return {f"{NAME} (1).ipynb": dumped(notebook), f"{NAME} (2).ipynb": dumped(notebook)}


@honest
def text_file(notebook):
    return {f"{NAME}.ipynb.txt": dumped(notebook)}


@honest
def json_file(notebook):
    return {f"{NAME}.ipynb.json": dumped(notebook)}


@honest
def capital_suffix(notebook):
    return {f"{NAME}.IPYNB": dumped(notebook)}


@honest
def checkpoint_alone(notebook):
    return {f".ipynb_checkpoints/{NAME}-checkpoint.ipynb": dumped(notebook)}


@honest
def checkpoint_name(notebook):
    return {f"{NAME}-checkpoint.ipynb": dumped(notebook)}


@honest
def folder_in_a_folder(notebook):
    return {f"{NAME}/{NAME}.ipynb": dumped(notebook)}


@honest
def with_a_scratch_notebook(notebook):
    return {f"{NAME}.ipynb": dumped(notebook), "scratch.ipynb": b"{}"}


@honest
def percent_script(notebook):
    return jupytext.writes(read(notebook), fmt="py:percent").encode()


@honest
def percent_script_by_name(notebook):
    return {f"{NAME}.py": jupytext.writes(read(notebook), fmt="py:percent").encode()}


@honest
def nbconvert_script(notebook):
    code = [text(one) for one in notebook["cells"] if one["cell_type"] == "code"]
    body = "".join(f"\n\n# In[{number}]:\n\n\n{source}\n" for number, source in enumerate(code, 1))
    return {f"{NAME}.py": ("#!/usr/bin/env python\n# coding: utf-8\n" + body).encode()}


@honest
def databricks_script(notebook):
    code = [text(one) for one in notebook["cells"] if one["cell_type"] == "code"]
    return {f"{NAME}.py": ("# Databricks notebook source\n" + "\n\n# COMMAND ----------\n\n".join(code)).encode()}


@honest
def helper_module(notebook):
    solution = text(cell(notebook, "attend"))
    cell(notebook, "attend")["source"] = (
        "from mine import attend_whole\n\ndef attend(*a):\n    return attend_whole(*a)\n"
    )
    softmax = text(cell(notebook, "masked_softmax")) + "\n\n" + text(cell(notebook, "weighted_sum"))
    module = (
        "import torch\nfrom torch import Tensor\n\n" + softmax + "\n\n" + solution.replace("attend", "attend_whole")
    )
    return {f"{NAME}.ipynb": dumped(notebook), "mine.py": module.encode()}


@honest
def data_file(notebook):
    prefixed(notebook, "attend", "import json\nbias = json.load(open('data/bias.json'))['bias']\n\n")
    return {f"{NAME}.ipynb": dumped(notebook), "data/bias.json": b'{"bias": 0}'}


# Kernels and editors


def kernel(**spec):
    def change(notebook):
        notebook["metadata"] = {"kernelspec": spec} if spec else {}
        return notebook

    return change


HONEST["kernel_of_r"] = kernel(display_name="R", language="R", name="ir")
HONEST["kernel_of_julia"] = kernel(display_name="Julia 1.10", language="julia", name="julia-1.10")
HONEST["kernel_of_a_conda_environment"] = kernel(display_name="conda (dl)", language="python", name="conda-env-dl-py")
HONEST["no_kernel"] = kernel()


@honest
def metadata_that_is_a_text(notebook):
    return notebook | {"metadata": "Python"}


@honest
def colab(notebook):
    for number, one in enumerate(notebook["cells"]):
        one.pop("id")
        one["metadata"] = {"id": f"aB{number}", "colab": {"base_uri": "https://localhost:8080/"}, "outputId": "x"}
        one["metadata"]["executionInfo"] = {"status": "ok", "elapsed": 4, "user": {"displayName": "A", "userId": "1"}}
    notebook["metadata"] = {
        "colab": {"provenance": [], "gpuType": "T4"},
        "accelerator": "GPU",
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
    }
    return notebook | {"nbformat_minor": 0}


@honest
def vs_code(notebook):
    for one in without_metadata(notebook)["cells"]:
        one["metadata"] = {"vscode": {"languageId": "python"}}
    return notebook


@honest
def jupyterlab_4(notebook):
    for one in notebook["cells"]:
        one["metadata"] |= {
            "execution": {"iopub.status.busy": "2026-11-21T10:00:00.0Z"},
            "editable": True,
            "trusted": True,
        }
        one["metadata"]["slideshow"] = {"slide_type": ""}
    return notebook


@honest
def kaggle(notebook):
    for one in without_ids(notebook, 4)["cells"]:
        one["metadata"] = {
            "_uuid": "8f2839f25d086af736a60e9eeb907d3b93b6e0e5",
            "_cell_guid": "b1076dfc",
            "trusted": True,
        }
    notebook["metadata"] = {"kaggle": {"accelerator": "none", "dataSources": [], "isGpuEnabled": False}}
    return notebook


@honest
def deepnote(notebook):
    for number, one in enumerate(without_ids(notebook, 2)["cells"]):
        one["metadata"] = {"cell_id": f"0000{number}", "deepnote_cell_type": one["cell_type"], "tags": []}
        one["block_group"] = "9dd9"
        one["outputs_reference"] = "s3:deepnote-cell-outputs-production/1"
    tail = own("<a style='text-align:right' href='https://deepnote.com'>Created in Deepnote</a>", "markdown")
    notebook["cells"].append(tail | {"metadata": {"created_in_deepnote_cell": True}})
    notebook["metadata"] = {"deepnote": {}, "deepnote_notebook_id": "a", "deepnote_execution_queue": []}
    return notebook


@honest
def databricks(notebook):
    for one in without_ids(notebook, 0)["cells"]:
        more = {"cellMetadata": {}, "inputWidgets": {}, "nuid": "0-1-2", "showTitle": False, "title": ""}
        one["metadata"] = {"application/vnd.databricks.v1+cell": more}
        if one["cell_type"] == "markdown":  # some exports keep texts as code cells of a magic
            one |= {"cell_type": "code", "source": "%md\n" + text(one), "outputs": [], "execution_count": 0}
    notebook["metadata"] = {"application/vnd.databricks.v1+notebook": {"language": "python", "dashboards": []}}
    return notebook


@honest
def no_metadata_and_no_ids(notebook):
    return without_ids(without_metadata(notebook), 4)


@honest
def ids_with_blanks(notebook):
    for number, one in enumerate(notebook["cells"]):
        one["id"] = f"cell number {number} / {'x' * 80}"
    return notebook


@honest
def one_id_for_all(notebook):
    for one in notebook["cells"]:
        one["id"] = "same"
    return notebook


# Cells moved, split, merged and copied


@honest
def split_between_class_and_import(notebook):
    one = cell(notebook, "masked_softmax")
    helper = "def lowest_of(scores):\n    return torch.finfo(scores.dtype).min\n"
    source = text(one).replace("torch.finfo(scores.dtype).min", "lowest_of(scores)")
    assert "lowest_of" in source
    first = copy.deepcopy(one) | {"source": helper, "id": "half"}
    one["source"] = source
    notebook["cells"].insert(at(notebook, "masked_softmax"), first)
    return notebook


def with_a_helper(notebook, **place):
    one = cell(notebook, "masked_softmax")
    one["source"] = text(one).replace("torch.finfo(scores.dtype).min", "lowest_of(scores)")
    return put(notebook, "def lowest_of(scores):\n    return torch.finfo(scores.dtype).min\n", **place)


@honest
def helper_in_a_cell_above(notebook):
    return with_a_helper(notebook, before="masked_softmax")


@honest
def helper_in_a_cell_below(notebook):
    return with_a_helper(notebook, after="masked_softmax")


@honest
def helper_below_the_checks(notebook):
    return with_a_helper(notebook, after="masked_softmax_hidden")


@honest
def helper_at_the_very_end(notebook):
    return with_a_helper(notebook, after="attend_hidden")


@honest
def constant_below_the_checks(notebook):
    one = cell(notebook, "masked_softmax")
    one["source"] = text(one).replace("torch.finfo(scores.dtype).min", "LOWEST[scores.dtype]")
    lowest = "LOWEST = {kind: torch.finfo(kind).min for kind in (torch.float16, torch.float32, torch.float64)}"
    return put(notebook, lowest, after="masked_softmax_hidden")


@honest
def import_below_the_checks(notebook):
    one = cell(notebook, "masked_softmax")
    one["source"] = text(one).replace("torch.softmax", "F.softmax")
    return put(notebook, "import torch.nn.functional as F", after="masked_softmax_hidden")


def with_the_answer_elsewhere(notebook, grade_id, **place):
    one = cell(notebook, grade_id)
    answer, one["source"] = text(one), RELEASED[grade_id]
    return put(notebook, answer, **place)


@honest
def answer_in_a_new_cell_above(notebook):
    return with_the_answer_elsewhere(notebook, "dot_scorer", before="dot_scorer")


@honest
def answer_in_a_new_cell_below(notebook):
    return with_the_answer_elsewhere(notebook, "dot_scorer", after="dot_scorer")


@honest
def answer_in_a_new_cell_below_the_checks(notebook):
    return with_the_answer_elsewhere(notebook, "dot_scorer", after="dot_scorer_hidden")


@honest
def answer_in_a_new_cell_at_the_end(notebook):
    return with_the_answer_elsewhere(notebook, "masked_softmax", after="attend_hidden")


@honest
def answer_in_the_cell_of_another(notebook):
    one, other = cell(notebook, "dot_scorer"), cell(notebook, "scaled_dot_scorer")
    other["source"] = text(one) + "\n\n\n" + text(other)
    one["source"] = RELEASED["dot_scorer"]
    return notebook


@honest
def cells_without_metadata_and_answer_elsewhere(notebook):
    return without_metadata(with_the_answer_elsewhere(notebook, "dot_scorer", after="attend_hidden"))


@honest
def cells_without_metadata_and_helper_below(notebook):
    return without_metadata(with_a_helper(notebook, after="attend_hidden"))


@honest
def answer_cell_deleted_and_pasted_anew(notebook):
    place = at(notebook, "dot_scorer")
    notebook["cells"][place] = own(text(notebook["cells"][place]))
    return notebook


@honest
def blank_copy_kept_below(notebook):
    one = cell(notebook, "dot_scorer")
    blank = copy.deepcopy(one) | {"id": "kept"}
    blank["source"] = RELEASED["dot_scorer"]
    notebook["cells"].insert(at(notebook, "dot_scorer") + 1, blank)
    return notebook


@honest
def blank_copy_kept_at_the_end(notebook):
    blank = copy.deepcopy(cell(notebook, "dot_scorer")) | {"id": "kept", "source": RELEASED["dot_scorer"]}
    notebook["cells"].append(blank)
    return notebook


@honest
def broken_versions_kept_above(notebook):
    broken = "class DotScorer(Scorer):\n    def score(self, query, projected_keys):\n        return 0\n"
    return put(put(notebook, broken, before="dot_scorer"), broken.replace("0", "1"), before="dot_scorer")


@honest
def class_twice_in_one_cell(notebook):
    return prefixed(
        notebook, "dot_scorer", "class DotScorer(Scorer):\n    def score(self, q, k):\n        return 0\n\n\n"
    )


@honest
def two_answers_in_one_cell(notebook):
    first, second = cell(notebook, "dot_scorer"), notebook["cells"].pop(at(notebook, "scaled_dot_scorer"))
    first["source"] = text(first) + "\n\n\n" + text(second)
    return notebook


@honest
def merged_downwards(notebook):
    second = cell(notebook, "scaled_dot_scorer")
    second["source"] = text(cell(notebook, "dot_scorer")) + "\n\n\n" + text(second)
    notebook["cells"].pop(at(notebook, "dot_scorer"))
    return notebook


@honest
def merged_with_its_checks(notebook):
    one = cell(notebook, "dot_scorer")
    for name in ("dot_scorer_visible", "dot_scorer_hidden"):
        one["source"] = text(one) + "\n\n" + text(notebook["cells"].pop(at(notebook, name)))
    return notebook


@honest
def merged_across_checks(notebook):
    start, end = at(notebook, "weighted_sum_loop"), at(notebook, "weighted_sum_hidden")
    merged = [one for one in notebook["cells"][start : end + 1] if one["cell_type"] == "code"]
    notebook["cells"][start]["source"] = "\n\n".join(text(one) for one in merged)
    del notebook["cells"][start + 1 : end + 1]
    return notebook


@honest
def merged_into_the_setup(notebook):
    setup = cell(notebook, "setup")
    setup["source"] = text(setup) + "\n\n" + text(notebook["cells"].pop(at(notebook, "dot_scorer")))
    return notebook


@honest
def merged_into_a_check(notebook):
    check = cell(notebook, "dot_scorer_visible")
    check["source"] = text(notebook["cells"].pop(at(notebook, "dot_scorer"))) + "\n\n" + text(check)
    return notebook


@honest
def everything_in_one_cell(notebook):
    code = "\n\n\n".join(text(one) for one in notebook["cells"] if one["cell_type"] == "code")
    return notebook | {"cells": [own(code)]}


@honest
def code_cells_alone(notebook):
    return notebook | {"cells": [one for one in notebook["cells"] if one["cell_type"] == "code"]}


@honest
def imports_added_to_the_setup(notebook):
    setup = cell(notebook, "setup")
    setup["source"] = text(setup) + "\nimport torch.nn.functional as F"
    one = cell(notebook, "masked_softmax")
    one["source"] = text(one).replace("torch.softmax", "F.softmax")
    return notebook


@honest
def imports_above_the_setup(notebook):
    return prefixed(put(notebook, "import torch.nn.functional as F", before="setup"), "attend", "F.softmax\n")


@honest
def check_edited_for_debugging(notebook):
    return prefixed(notebook, "dot_scorer_visible", "print(DotScorer)\n")


@honest
def all_checks_deleted(notebook):
    kept = [one for one in notebook["cells"] if not one["metadata"].get("nbgrader", {}).get("grade")]
    return notebook | {"cells": kept}


@honest
def all_answers_at_the_top(notebook):
    answers = [one for one in notebook["cells"] if one["metadata"].get("nbgrader", {}).get("solution")]
    rest = [one for one in notebook["cells"] if one not in answers]
    return notebook | {"cells": answers + rest}


@honest
def all_answers_at_the_end(notebook):
    answers = [one for one in notebook["cells"] if one["metadata"].get("nbgrader", {}).get("solution")]
    rest = [one for one in notebook["cells"] if one not in answers]
    return notebook | {"cells": rest + answers}


@honest
def answer_of_type_raw(notebook):
    one = cell(notebook, "attend")
    one["cell_type"] = "raw"
    return notebook


@honest
def answer_fenced_in_markdown(notebook):
    one = cell(notebook, "attend")
    one |= {"cell_type": "markdown", "source": f"```python\n{text(one)}\n```"}
    return notebook


@honest
def check_run_once_more(notebook):
    return prefixed(
        notebook,
        "masked_softmax",
        "from autograder.checks.scorers import check_dot_scorer\ncheck_dot_scorer(DotScorer)\n",
    )


# What a learner's cells hold


SCRATCH = {
    "scratch_that_is_no_python": "this is a note, not code!",
    "scratch_that_fails": "1 / 0",
    "scratch_with_pip": "!pip install torch",
    "scratch_with_pip_magic": "%pip install einops",
    "scratch_with_conda": "%conda install numpy",
    "scratch_with_shell": "!ls -la | head",
    "scratch_with_bash": "%%bash\nls",
    "scratch_with_html": "%%html\n<b>bold</b>",
    "scratch_with_timeit": "%%timeit -n 2 -r 2\nsum(range(10))",
    "scratch_with_help": "torch.softmax?",
    "scratch_with_debugger": "def f():\n    breakpoint()\nf()",
    "scratch_with_set_trace": "import pdb; pdb.set_trace()",
    "scratch_with_input": "name = input('Your name? ')",
    "scratch_with_quit": "quit()",
    "scratch_with_exit": "import sys; sys.exit(0)",
    "scratch_with_os_exit": "import os; os._exit(0)",
    "scratch_with_a_loop": "while True: pass",
    "scratch_with_upload": "from google.colab import files\nfiles.upload()",
    "scratch_with_unknown_magic": "%nosuchmagic 3",
    "scratch_with_await": "import asyncio\nawait asyncio.sleep(0)",
    "scratch_with_plots": "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()",
    "scratch_with_a_missing_file": "open('/content/drive/MyDrive/x.csv')",
    "scratch_with_a_file": "open('x.txt', 'w').write('x'); print(open('x.txt').read())",
    "scratch_with_widgets": "from ipywidgets import interact\ninteract(lambda x: x, x=3)",
    "scratch_with_progress": "from tqdm.notebook import tqdm\nfor i in tqdm(range(3)): pass",
    "scratch_with_progress_on_stderr": "from tqdm import tqdm\nfor i in tqdm(range(3)): pass",
    "scratch_with_warnings": "import warnings; warnings.warn('careful')",
    "scratch_with_warnings_as_errors": "import warnings; warnings.simplefilter('error')",
    "scratch_with_logging": "import logging; logging.basicConfig(level=0); logging.error('x')",
    "scratch_with_autoreload": "%load_ext autoreload\n%autoreload 2",
    "scratch_with_reset": "%xmode Minimal\n%who",
    "scratch_with_a_double_default": "torch.set_default_dtype(torch.float64)",
    "scratch_with_another_seed": "torch.manual_seed(3)",
    "scratch_with_threads": "torch.set_num_threads(4)",
    "scratch_without_gradients": "torch.set_grad_enabled(False)",
    "scratch_with_a_process": "import subprocess; subprocess.run(['true'])",
    "scratch_with_a_pool": "from multiprocessing import Pool\nwith Pool(2) as p: print(p.map(abs, [-1, 2]))",
    "scratch_with_much_output": "for i in range(10**6): print(i)",
    "scratch_with_changed_folder": "import os; os.makedirs('a', exist_ok=True); os.chdir('a')",
    "scratch_that_hides_a_name": "list = [1]; sum = 3",
    "scratch_with_javascript": "%%javascript\nalert(1)",
    "scratch_that_closes_stdout": "import sys; sys.stdout.close()",
    "scratch_with_r": "%%R\nx <- 3",
}


def scratch(source):
    return lambda notebook: put(notebook, source, before="dot_scorer")


HONEST |= {name: scratch(source) for name, source in SCRATCH.items()}

ABOVE_AN_ANSWER = {
    "answer_below_time_magic": "%%time\n",
    "answer_below_capture_magic": "%%capture\n",
    "answer_below_pip": "!pip install einops\n",
    "answer_below_colab": "from google.colab import drive\ndrive.mount('/content/drive')\n",
    "answer_below_colab_folder": "%cd /content/drive/MyDrive\n",
    "answer_below_widget_magic": "%matplotlib widget\n",
    "answer_below_notebook_magic": "%matplotlib notebook\n",
    "answer_below_extension": "%load_ext tensorboard\n",
    "answer_below_input": "size = int(input('How many? '))\n",
    "answer_below_missing_library": "import pandas as pd\nimport seaborn as sns\n",
    "answer_below_missing_file": "table = open('/kaggle/input/table.csv').read()\n",
    "answer_below_the_library": "from seq2seq.batch import Batch\n",
    "answer_below_future_import": "from __future__ import annotations\n",
    "answer_below_a_gpu": "device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n",
    "answer_below_a_print": "print('hello')\n",
}


def above(source):
    return lambda notebook: prefixed(notebook, "dot_scorer", source)


HONEST |= {name: above(source) for name, source in ABOVE_AN_ANSWER.items()}


@honest
def module_by_writefile(notebook):
    source = "%%writefile lowest.py\nimport torch\ndef lowest_of(s):\n    return torch.finfo(s.dtype).min\n"
    put(notebook, source, before="masked_softmax")
    one = cell(notebook, "masked_softmax")
    one["source"] = "from lowest import lowest_of\n" + text(one).replace(
        "torch.finfo(scores.dtype).min", "lowest_of(scores)"
    )
    return notebook


@honest
def answer_that_prints_and_warns(notebook):
    one = cell(notebook, "weighted_sum")
    talk = "    import sys, warnings\n    warnings.warn('careful')\n    print(1, file=sys.stderr)\n    return "
    one["source"] = text(one).replace("    return ", talk)
    return notebook
