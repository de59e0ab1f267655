"""What the sandbox lacks costs the statement that asks for it, and nothing else of its cell."""

import ast

import pytest
from IPython.core.interactiveshell import InteractiveShell

from autograder.sandbox.shell import run_rest

# IPython speaks of whichever environment happens to be active in the shell.
pytestmark = pytest.mark.filterwarnings("ignore:Attempting to work in a virtualenv")

FILE = "<ipython-input-1>"
BELOW = "\ndef answer():\n    return 42\n"


def run(source):
    """Runs a cell up to its error, then what is left; returns its names and what was said."""
    names = {"get_ipython": lambda: None}
    statements = InteractiveShell().transform_cell(source)
    try:
        for node in ast.parse(statements).body:
            exec(compile(ast.Module([node], []), FILE, "exec"), names)
    except Exception as error:
        return names, run_rest(statements, names, error)
    raise AssertionError("the cell raised nothing")


@pytest.mark.parametrize(
    "source",
    [
        "import nowhere_to_be_found",
        "from google.colab import drive\ndrive.mount('/content/drive')",
        "table = open('/content/drive/table.csv')\nprint(table.read())",
        "if True:\n    import nowhere_to_be_found",
        "%matplotlib widget",
        "%load_ext nowhere",
    ],
)
def test_definitions_below_what_is_lacking_are_there(source):
    names, said = run(source + BELOW)
    assert names["answer"]() == 42
    assert "the rest of the cell did" in said


@pytest.mark.parametrize("source", ["1 / 0", "assert False", "nothing_of_this_name", "raise SystemError"])
def test_an_error_of_the_learners_own_ends_the_cell_as_ever(source):
    names, said = run(source + BELOW)
    assert "answer" not in names
    assert said == ""


def test_what_stands_above_does_not_run_again():
    names, _ = run("runs = []\nruns.append(1)\nimport nowhere_to_be_found\nruns.append(2)")
    assert names["runs"] == [1, 2]


def test_a_second_error_below_costs_itself_alone():
    names, _ = run("import nowhere_to_be_found as n\nn.x()\n1 / 0" + BELOW)
    assert names["answer"]() == 42
