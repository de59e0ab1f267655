"""Honest notebooks of unusual form: changes to the solved notebook of the sample class, all of which leave it right.

Each entry of ``KINDS`` takes the notebook as a dictionary and returns the changed one, the bytes of the file, or all
that lies in the submission's folder: name → bytes.
"""

import copy
from functools import partial

import notebook_changes as nb
from notebook_changes import NAME, at, dumped, each, edited, find, in_turn, prefixed, put, replaced, text

ADDED_CELLS = [
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
SCRATCH = {f"own cell: {source}": put(source, before="dot_scorer") for source in ADDED_CELLS}
FIRST_LINES = [
    *("%%time", "device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')", "%load_ext tensorboard"),
    *("%%capture", "from google.colab import drive\ndrive.mount('/content/drive')", "%cd /content/drive/MyDrive"),
    *("!pip install einops", "table = open('/kaggle/input/table.csv').read()", "from __future__ import annotations"),
    *("%matplotlib widget", "import pandas as pd\nimport seaborn as sns", "size = int(input('How many? '))"),
    *("%%time\nsize = int(input('How many? '))", "%%capture out\nname = input('Your name? ')", "print('hello')"),
    *("%matplotlib notebook", "from seq2seq.batch import Batch", "%%prun\nimport nowhere"),
]
ABOVE = {f"answer below: {line}": prefixed("dot_scorer", f"{line}\n") for line in FIRST_LINES}
ABOVE["answer that prints, warns and shows its progress, which starts a thread of the library's"] = replaced(
    "weighted_sum",
    "    return ",
    "    import warnings\n    from tqdm import tqdm\n    warnings.warn('careful')\n    print(*tqdm([1]))\n    return ",
)

LOWEST = "torch.finfo(scores.dtype).min"
HELPER = "def lowest_of(scores):\n    return torch.finfo(scores.dtype).min\n"
BROKEN = "class DotScorer(Scorer):\n    def score(self, query, projected_keys):\n        return {}\n"
FUNCTIONAL = "import torch.nn.functional as F"
BLANK = nb.RELEASED["dot_scorer"]
FENCE = "```python\n{}\n```"
TABLE = "LOWEST = {kind: torch.finfo(kind).min for kind in (torch.float16, torch.float32, torch.float64)}"
IMPORTED_CHECK = 'from autograder.tasks.scorers import check\ncheck("dot_scorer", DotScorer)\n'
NEEDS_HELPER = replaced("masked_softmax", LOWEST, "lowest_of(scores)")
NEEDS_IMPORT = replaced("masked_softmax", "torch.softmax", "F.softmax")


def with_a_helper(**position):
    return in_turn(NEEDS_HELPER, put(HELPER, **position))


def with_the_answer_elsewhere(grade_id, **position):
    return lambda notebook: in_turn(put(text(find(notebook, grade_id)), **position), nb.blanked(grade_id))(notebook)


def merged(into, *grade_ids, above=False):
    """These cells leave the notebook; their sources stand in another, below its own or above it."""

    def change(notebook):
        sources = [text(notebook["cells"].pop(at(notebook, grade_id))) for grade_id in grade_ids]
        return edited(into, lambda source: "\n\n".join([*sources, source] if above else [source, *sources]))(notebook)

    return change


def with_a_copy(grade_id, source, position):
    """One more cell of this grade id, with another source."""

    def change(notebook):
        cell = copy.deepcopy(find(notebook, grade_id)) | {"id": "copy", "source": source}
        notebook["cells"].insert(position(notebook), cell)
        return notebook

    return change


def is_answer(cell):
    return bool(nb.settings(cell).get("solution"))


def only(wanted):
    return lambda notebook: notebook | {"cells": list(filter(wanted, notebook["cells"]))}


MOVED = {
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
        with_the_answer_elsewhere("dot_scorer", after="attend_hidden"), nb.without_metadata
    ),
    "no metadata and a helper below": in_turn(with_a_helper(after="attend_hidden"), nb.without_metadata),
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
    "everything in one cell": lambda notebook: notebook | {"cells": [nb.added_cell("\n\n\n".join(nb.code(notebook)))]},
    "code cells alone": only(lambda cell: cell["cell_type"] == "code"),
    "check edited for debugging": prefixed("dot_scorer_visible", "print(DotScorer)\n"),
    "all checks deleted": only(lambda cell: not nb.settings(cell).get("grade")),
    "all answers at the top": lambda notebook: (
        notebook | {"cells": sorted(notebook["cells"], key=lambda cell: not is_answer(cell))}
    ),
    "all answers at the end": lambda notebook: notebook | {"cells": sorted(notebook["cells"], key=is_answer)},
    "check run once more": prefixed("masked_softmax", IMPORTED_CHECK),
    "answer split in two cells": in_turn(
        NEEDS_HELPER, with_a_copy("masked_softmax", HELPER, partial(at, grade_id="masked_softmax"))
    ),
    "answer in the cell of another": lambda notebook: in_turn(
        prefixed("scaled_dot_scorer", text(find(notebook, "dot_scorer")) + "\n\n\n"),
        nb.blanked("dot_scorer"),
    )(notebook),
    "answer cell deleted and pasted anew": each("dot_scorer", id="own", metadata={}),
    "blank copy below": with_a_copy("dot_scorer", BLANK, lambda notebook: at(notebook, "dot_scorer") + 1),
    "blank copy at the end": with_a_copy("dot_scorer", BLANK, lambda notebook: len(notebook["cells"])),
    "answer of type raw": each("attend", cell_type="raw"),
    "answer fenced in markdown": each("attend", cell_type="markdown", source=lambda _, cell: FENCE.format(text(cell))),
}

# As other programs write it, and in other formats.
NAN = float("nan")
EDITORS = {
    "kernel of R": lambda notebook: notebook | {"metadata": {"kernelspec": {"language": "R", "name": "ir"}}},
    "one id for all": each(id="same"),
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
    tail = nb.added_cell("<a style='text-align:right' href='https://deepnote.com'>Created in Deepnote</a>", "markdown")
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
    "Deepnote": in_turn(created_in_deepnote, saved_by(IN_DEEPNOTE, lambda n, cell: {"cell_id": f"{n}"}, **BLOCK)),
    "Databricks": in_turn(texts_as_magics, saved_by(IN_DATABRICKS, DATABRICKS)),  # as some of its exports do
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
    "format 9": lambda notebook: notebook | {"nbformat": 9},
    "bare list of cells": lambda notebook: dumped(notebook["cells"]),
    "format in words": lambda notebook: notebook | {"nbformat": "4", "nbformat_minor": None},
    "no format at all": lambda notebook: {"cells": notebook["cells"], "metadata": {}},
    "line ends of Windows": lambda notebook: dumped(notebook).replace(rb"\n", rb"\r\n").replace(b"\n", b"\r\n"),
    "not a number in the metadata": lambda notebook: notebook | {"metadata": notebook["metadata"] | {"score": NAN}},
}


def helper_module(notebook):
    answers = [text(find(notebook, name)) for name in ("masked_softmax", "weighted_sum", "attend")]
    module = "import torch\nfrom torch import Tensor\n\n" + "\n\n".join(answers).replace("def attend(", "def whole(")
    find(notebook, "attend")["source"] = "from mine import whole\n\ndef attend(*a):\n    return whole(*a)\n"
    return {f"{NAME}.ipynb": dumped(notebook), "mine.py": module.encode()}


FILES["helper module"] = helper_module

KINDS = {"scratch": SCRATCH, "above": ABOVE, "editors": EDITORS, "files": FILES, "moved": MOVED}
HONEST = {name: change for changes in KINDS.values() for name, change in changes.items()}
