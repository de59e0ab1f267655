"""Honest notebooks under other names, in other places, as scripts, with other files beside them."""

import jupytext
from unusual.notebook import NAME, cell, dumped, honest, prefixed, read, text


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
