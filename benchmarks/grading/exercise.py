"""A small torch exercise of six checks and twenty points, as an instructor writes it for plain nbgrader.

It imports nothing of the course, so that stock nbgrader and our grader run the very same notebooks.
"""

import inspect
import random
from pathlib import Path

from nbformat import NotebookNode, v4, writes

from benchmarks.grading import right, wrong

NAME = "tensors"
SETUP = """%matplotlib inline
import math

import matplotlib.pyplot as plt
import torch
from torch import Tensor, nn"""
POINTS = {"masked_mean": 3, "softmax": 3, "dot_scores": 3, "context": 3, "Additive": 4, "positions": 4}
CHECKS = {
    "masked_mean": """x, mask = torch.randn(4, 7), torch.arange(7) < torch.tensor([[7], [3], [1], [5]])
assert torch.allclose(masked_mean(x, mask)[1], x[1, :3].mean()), "the mean is over real tokens only\"""",
    "softmax": """x = 40 * torch.randn(5, 6)
assert torch.allclose(softmax(x), x.softmax(-1)), "each row sums to one\"""",
    "dot_scores": """query, keys = torch.randn(3, 8), torch.randn(3, 5, 8)
expected = (keys @ query.unsqueeze(2)).squeeze(2)
assert torch.allclose(dot_scores(query, keys), expected, atol=1e-5), "a dot product for each key\"""",
    "context": """weights, values = torch.rand(3, 5), torch.randn(3, 5, 4)
expected = sum(weights[:, [k]] * values[:, k] for k in range(5))
assert torch.allclose(context(weights, values), expected, atol=1e-5), "a weighted sum of the values\"""",
    "Additive": """answer, query, keys = Additive(6, 8, 10), torch.randn(3, 6), torch.randn(3, 5, 8)
scores = answer(query, keys)
assert scores.shape == (3, 5), "one score for each key"
scores.sum().backward()
assert all(parameter.grad is not None for parameter in answer.parameters()), "every parameter learns\"""",
    "positions": """table = positions(9, 6)
assert table.shape == (9, 6), "a row for each position"
assert math.isclose(table[2, 2].item(), math.sin(2 / 10000 ** (2 / 6)), abs_tol=1e-5), "sine at even places\"""",
}


def source_notebook() -> NotebookNode:
    """The instructor's notebook, answers between nbgrader's markers."""
    cells = [_code(SETUP, "setup", locked=True)]
    for name, points in POINTS.items():
        head, _, body = inspect.getsource(getattr(right, name)).rstrip().partition("\n")
        marked = f"{head}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION"
        cells.append(_code(marked, name.lower(), solution=True))
        cells.append(_code(CHECKS[name], f"check_{name.lower()}", grade=True, locked=True, points=points))
    return v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})


def is_wrong(number: int) -> dict[str, bool]:
    """Task → does this learner get it wrong? About one answer in six is."""
    draw = random.Random(number)
    return {name: draw.random() < 1 / 6 for name in POINTS}


def expected_points(number: int) -> int:
    return sum(points for name, points in POINTS.items() if not is_wrong(number)[name])


def submission(number: int) -> NotebookNode:
    """The work of one learner: the same for the same number, another for another."""
    notebook, mistaken = source_notebook(), is_wrong(number)
    cells = {cell.id: cell for cell in notebook.cells}
    for name in POINTS:
        answer = inspect.getsource(getattr(wrong if mistaken[name] else right, name))
        cells[name.lower()].source = f"# learner {number}\n{answer.rstrip()}"
    return notebook


def student(number: int) -> str:
    return f"learner{number:04}"


def write_class(folder: Path, numbers: range) -> None:
    """``folder/<student>/tensors/tensors.ipynb``, a student for each number."""
    for number in numbers:
        path = folder / student(number) / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(writes(submission(number), version=4), encoding="utf-8")


def _code(source: str, name: str, **settings: object) -> NotebookNode:
    known = {"schema_version": 3, "grade": False, "locked": False, "solution": False, "task": False, "grade_id": name}
    return v4.new_code_cell(source, id=name, metadata={"nbgrader": known | settings})
