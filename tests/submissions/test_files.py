"""A file becomes cells: its form, which of several it is, and what lies beside it."""

import json
import zipfile

import pytest
from downloads import inner

from autograder.notebook_files import bundle, file_text
from autograder.notebook_files.bundle import beside, unpacked
from autograder.notebook_files.content import Content, look
from autograder.notebook_files.file_text import Unreadable, json_of, text_of
from autograder.notebook_files.which_notebook import chosen
from autograder.submissions.reading import read_cells
from tests.catalogue.lesson import ROOT, names

COMMA = ["The file had a comma too many; it was left out."]
TAIL = ["There was text after the end of the notebook; it was left out."]
MENDED = {
    '{"a": [1, 2,], }': ({"a": [1, 2]}, COMMA),
    '{"a": [1, 2\n , ]}': ({"a": [1, 2]}, COMMA),
    r'{"a": "x[:, ]\" ,}",}': ({"a": 'x[:, ]" ,}'}, COMMA),
    '{"a": 1}\n}\n': ({"a": 1}, TAIL),
    '{"a": 1}{}': ({"a": 1}, TAIL),
    '{"a": 1}<html>': ({"a": 1}, TAIL),
    '{"a": 1}' + "\0" * 512: ({"a": 1}, []),  # what a full disk left behind
}


def test_commas_too_many_and_what_follows_are_left_out_and_noted_but_another_kind_or_half_is_refused(monkeypatch):
    for text, (content, expected) in MENDED.items():
        assert (json_of(text, notes := []), notes) == (content, expected), text
    for data in (b"PK\x03\x04x", b"\x1f\x8bx", b"%PDF-1.7"):
        with pytest.raises(Unreadable, match=r"hand in the \.ipynb file itself"):
            text_of(data, [])
    with pytest.raises(Unreadable, match="cut off"):
        json_of(json.dumps({"cells": ["x" * 1000]})[:500], [])
    monkeypatch.setattr(file_text, "MAX_PARTS", 1000)
    with pytest.raises(Unreadable, match="more than 1000 parts"):
        json_of("[" + "[]," * 1000 + "[]]", [])


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("sources_first", [False, True], ids=["as Jupyter saves", "sources before metadata"])
def test_a_notebook_is_blank_until_one_answer_is_written_and_cells_of_two_methods_count_once(name, sources_first):
    notebook = json.loads((ROOT / "exercises" / name / f"{name}.ipynb").read_text(encoding="utf-8"))
    if sources_first:
        keys = ("cell_type", "source", "outputs", "execution_count", "id", "metadata")
        notebook["cells"] = [{key: cell[key] for key in keys if key in cell} for cell in notebook["cells"]]
    assert look(json.dumps(notebook).encode()).is_blank
    answers = [cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")]
    for written, cell in enumerate(answers, 1):
        before, cell["source"] = cell["source"], "written = 1"
        content = look(json.dumps(notebook).encode())
        assert (content.is_blank, content.written) == (False, 1), cell["id"]
        cell["source"] = before if written < len(answers) else "written = 1"
    assert len(answers) == content.answers


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
TWO = [("code", "x = 1"), ("code", "y = 2")]
SCRIPTS = {
    PERCENT: [
        ("markdown", "# Title\n\ntext"),
        ("code", "def double(x):\n    return 2 * x"),
        ("code", "# !pip install torch\ndouble(3)"),
    ],
    "import torch\n\n# %%\nx = 1\n": [("code", "import torch"), ("code", "x = 1")],
    "x = 1\n\n# %%\ny = 2\n": TWO,
    "#!/usr/bin/env python\n# coding: utf-8\n\n# In[1]:\n\n\nx = 1\n\n\n# In[ ]:\n\n\ny = 2\n": TWO,  # of nbconvert
    "# # Title\n\n# In[1]:\n\n\nx = 1\n\n\n# z = 3\n\n\n# # Why?\n# \n# So.\n\n# End.\n\n# In[ ]:\n\n\n# y\n\n\n\n": [
        TWO[0],
        *(("markdown", "z = 3"), ("markdown", "# Why?\n\nSo."), ("markdown", "End."), ("code", "# y")),
    ],
    "# Databricks notebook source\nx = 1\n\n# COMMAND ----------\n\ny = 2\n": TWO,
    "# Databricks notebook source\n# MAGIC %md\n# MAGIC So.\n\n# COMMAND ----------\n\n# MAGIC %pip install a\n": [
        *(("markdown", "So."), ("code", "%pip install a")),
    ],
    "#%%\nx = 1\n#%% a title\ny = 2\n": TWO,  # of Spyder
    "#%% md\n# So.\n#%%\nx = 1\n": [("markdown", "So."), TWO[0]],  # of PyCharm
    "import torch\n\nx = 1": [("code", "import torch\n\nx = 1")],
}


def test_a_script_is_read_cell_by_cell_with_its_grade_ids_and_what_is_no_python_is_none():
    read = {text: read_cells(text.encode()) for text in SCRIPTS}
    assert {text: [(cell.kind, cell.source) for cell in cells] for text, (cells, _) in read.items()} == SCRIPTS
    assert [cell.grade_id for cell in read[PERCENT][0]] == ["", "double", ""]
    note = "The file is a Python script, not a notebook; its {}."
    assert read[PERCENT][1] == [note.format("3 parts were read as cells")]
    assert read["import torch\n\nx = 1"][1] == [note.format("one part was read as a cell")]
    for text in ("Dear teacher,\nhere is my work.", "<p>import torch</p>", '{"cells": [\nimport torch'):
        with pytest.raises(Unreadable):
            read_cells(text.encode())


CHOSEN = {
    **{("a.ipynb",): "a.ipynb", ("a.ipynb", "a (1).ipynb", "scratch.ipynb", "a.py"): "a.ipynb"},
    **{(".ipynb_checkpoints/a-checkpoint.ipynb", "a.ipynb"): "a.ipynb", ("a (1).ipynb", "a (2).ipynb"): "a (2).ipynb"},
    **{("a-Copy9.ipynb", "a-Copy10.ipynb"): "a-Copy10.ipynb", ("a (1).ipynb", "mine.ipynb"): "a (1).ipynb"},
    **{("mine.ipynb", "x/a.ipynb"): "mine.ipynb", ("x/a.ipynb", "x/mine.ipynb"): "x/a.ipynb"},
    **{(name, "data.csv"): name for name in ("a/a.ipynb", "x/y/mine.ipynb", "x/a.py", "a_(2).ipynb", "a(copy).ipynb")},
    **{(name,): name for name in (".ipynb_checkpoints/a-checkpoint.ipynb", "a-checkpoint.ipynb", "a.py")},
}
UNCLEAR = [("b.ipynb", "c.ipynb"), ("x/a.ipynb", "y/a.ipynb"), ("A.ipynb", "a.IPYNB")]
NONE = [(), ("readme.txt",), ("other.py",), ("__MACOSX/._a.ipynb",), (".a.ipynb",), (".git/a.ipynb",)]


def test_the_file_that_is_meant_is_chosen_and_noted_and_none_where_none_is_or_two_equally():
    assert {names: chosen(names, "a").name for names in CHOSEN} == CHOSEN
    assert chosen(["a.py", "data.csv"], "a").notes == ("The notebook was called 'a.py'; it was read as 'a.ipynb'.",)
    of_cells = lambda name: Content(has_cells=name.endswith(".py"))  # noqa: E731
    assert [chosen([*more, "b.py", "c.csv"], "a", of_cells).name for more in ([], ["x.ipynb"])] == ["b.py", "x.ipynb"]
    notes = chosen(["a.ipynb", "scratch.ipynb", "helpers.py"], "a").notes
    assert notes == ("Only 'a.ipynb' was graded; also handed in: 'scratch.ipynb'.",)
    assert [names for names in UNCLEAR if "None of the notebooks" not in chosen(names, "a").problem] == []
    assert [names for names in NONE if not chosen(names, "a").problem.startswith("No notebook was handed in")] == []


ODD = ["../a.py", "/etc/passwd", "a\\b.py", ".hidden", "x/../../b.py", "C:/x.py"]
ODD += ["timestamp.txt", "submission_secret.txt"]


def test_what_lies_elsewhere_or_is_odd_or_large_is_not_beside_it():
    assert beside({"x/a.ipynb": 1, "x/b.py": 1, "c.py": 1, "y/d.py": 1}, "x/a.ipynb") == (["x/b.py"], ())
    assert [name for name in ODD if beside({"a.ipynb": 1, name: 1}, "a.ipynb")[0] != []] == []
    names, notes = beside({"a.ipynb": 1, "big.bin": 2**20, "small.py": 10}, "a.ipynb")
    assert names in (["big.bin"], ["small.py"])
    assert "Not available when the notebook ran: 'small.py'; the limit is 50 files and 1 MiB in total." in notes


TWO_NOTEBOOKS = inner({"b.ipynb": "x", "c.ipynb": "y"})
PARCELS = [b"PK\x03\x04rest", inner({"a.ipynb": "{}"})[:-30], inner({"b.txt": "x"}), TWO_NOTEBOOKS]
PARCELS += [inner({"a.ipynb": "{}" * 500}).replace(b"{}{}{}", b"{}[]{}")]  # damaged


def test_no_parcel_and_a_bomb_are_refused_before_they_are_unpacked_and_a_giant_list_before_it_is_read(monkeypatch):
    for data in PARCELS:
        with pytest.raises(Unreadable, match=r"The (file is a )?zip"):
            unpacked(data, "a")
    bomb = inner({"a.ipynb": b"\0" * 2**24}, zipfile.ZIP_DEFLATED)
    monkeypatch.setattr(bundle, "MAX_BYTES", 2**20)
    with pytest.raises(Unreadable, match="more than 1 MiB"):
        unpacked(bomb, "a")
    monkeypatch.setattr(bundle, "MAX_DIRECTORY", 1000)
    monkeypatch.delattr(zipfile.ZipFile, "infolist")
    with pytest.raises(Unreadable, match="a zip of too many files"):
        unpacked(inner({f"{number}.txt": b"" for number in range(100)}), "a")
