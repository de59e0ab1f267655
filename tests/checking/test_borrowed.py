"""An answer that is right only where a package is that its box lacks."""

import pytest

from autograder.checking.borrowed import THERE, package_used
from autograder.finding import CheckFailed
from autograder.sandbox.distributions import packages
from autograder.tasks.masking import check as masking

CELLS = {
    "import pluggy": "pluggy.__name__",
    "import pluggy as tool": "tool.__name__",
    "from pluggy import PluginManager as Tool": "Tool.__name__",
    "def tool():\n    import pluggy._manager": "tool()",
    "import numpy, math, matplotlib.pyplot as plot": "(numpy.pi, math.pi, plot.__name__)",
    "class Tool: pass": "(Tool, torch.nn.Linear, Tensor)",
}
RIGHT = """
import torch
from torch import Tensor
def masked_softmax(scores, source_mask, temperature=1.0):
    {used}
    mask = source_mask.expand_as(scores)
    weights = (scores / temperature).masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1)
    return weights.masked_fill(~mask, 0.0)
"""


@pytest.mark.parametrize("cell", CELLS)
def test_who_uses_a_package_that_the_box_lacks_is_told_its_name_where_it_is_there(cell):
    notebook = {"__name__": "__main__"}
    exec(cell + RIGHT.format(used=CELLS[cell]), notebook)
    answer = notebook["masked_softmax"]
    assert package_used(answer) == ("pluggy" if "pluggy" in cell else "")
    if "pluggy" in cell:
        with pytest.raises(CheckFailed, match=r"`pluggy` is used.*NumPy.*not there when your work is graded"):
            masking("masked_softmax", answer)
    else:
        masking("masked_softmax", answer)


def test_what_an_answer_may_import_is_in_its_box():
    in_the_box = {name.removesuffix(".py") for name in packages().entries}
    assert THERE - in_the_box == {"seq2seq", "autograder"}
