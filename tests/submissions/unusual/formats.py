"""Honest notebooks in old, future and broken formats."""

import json

import nbformat
from unusual.notebook import honest, read, text, without_ids


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
