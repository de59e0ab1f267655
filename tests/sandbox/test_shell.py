"""The shell in the sandbox: plain Python is not transformed, and everything else is what IPython makes of it."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from learners import ROOT

from autograder.authoring.assignment import known, load
from autograder.sandbox.shell import Shell

ODD = [
    *("", "x", "x;", "x?", "?x", "%time 1", "!ls", "a = !ls", "a = %pwd", "%%time\nx", "a %b", "a%%b", "await x"),
    *("In [1]: x", "...: x", ">>> x\n... y", "  x = 1\n  y", "\n\nx", "x\n\n\n", "\tx", "# c", "x\\\n", "\\\nx"),
    *("if x:\n    %time 1", "f'''\n%time\n'''", "'''\n?\n'''\nx?", "x\n?", "f(\n  a\n%b)", "[1\n  !2]", "x\rprint(2)"),
    *("print(1)\r\nprint(2)\r\n", "x = 1  # ?", "def f():\n    return 1\n\n\n", "x\x0cy", "(" * 500 + ")" * 500),
]


@pytest.fixture(scope="module")
def shells():
    return Shell(), InteractiveShell()


@pytest.mark.parametrize("source", ODD, ids=repr)
def test_what_is_not_plain_python_is_transformed(shells, source):
    ours, theirs = (shell.transform_cell(source) for shell in shells)
    assert ours == theirs


@pytest.mark.parametrize("name", known(ROOT))
def test_the_cells_of_the_exercises_are_as_ipython_has_them(shells, name):
    for cell in load(ROOT, name).notebook.cells:
        if cell.cell_type == "code":
            ours, theirs = (shell.transform_cell(cell.source) for shell in shells)
            assert ours == theirs
