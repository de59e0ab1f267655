import pytest

from autograder.submissions.reading import Unreadable, read_cells

PERCENT = """# ---
# jupyter: {a: &a x, b: [*a, *a]}
# ---

# %% [markdown]
# # Title
#
# text

# %% nbgrader={"grade": false, "grade_id": "double", "solution": true}
def double(x):
    return 2 * x

# %%
# !pip install torch
double(3)
"""


def read(text):
    cells, notes = read_cells(text.encode())
    return [(cell.kind, cell.source) for cell in cells], notes


def test_a_percent_script_is_read_cell_by_cell():
    cells, notes = read(PERCENT)
    assert cells == [
        ("markdown", "# Title\n\ntext"),
        ("code", "def double(x):\n    return 2 * x"),
        ("code", "# !pip install torch\ndouble(3)"),
    ]
    assert notes == ["The file is a Python script, not a notebook; its 3 parts were read as cells."]


def test_grade_ids_in_a_percent_script_are_kept():
    cells, _ = read_cells(PERCENT.encode())
    assert [cell.grade_id for cell in cells] == ["", "double", ""]


def test_code_above_the_first_mark_is_a_cell():
    cells, _ = read("import torch\n\n# %%\nx = 1\n")
    assert [source for _, source in cells] == ["import torch", "x = 1"]


@pytest.mark.parametrize(
    "text",
    [
        "#!/usr/bin/env python\n# coding: utf-8\n\n# In[1]:\n\n\nx = 1\n\n\n# In[ ]:\n\n\ny = 2\n",
        "# Databricks notebook source\nx = 1\n\n# COMMAND ----------\n\ny = 2\n",
        "#%%\nx = 1\n#%% a title\ny = 2\n",
    ],
    ids=["nbconvert", "Databricks", "Spyder"],
)
def test_other_marks_are_known(text):
    assert read(text)[0] == [("code", "x = 1"), ("code", "y = 2")]


def test_a_script_without_marks_is_one_cell():
    cells, notes = read("import torch\n\ndef double(x):\n    return 2 * x\n")
    assert len(cells) == 1
    assert notes == ["The file is a Python script, not a notebook; its one part was read as a cell."]


@pytest.mark.parametrize(
    "text", ["Dear teacher,\nhere is my work.", "<p>import torch</p>", '{"cells": [\nimport torch']
)
def test_what_is_no_python_is_no_script(text):
    with pytest.raises(Unreadable):
        read(text)
