import pytest
from nbformat import v4, validate

from autograder.submissions import cells

PAIRS = [
    (cells.code_cell("x = 1", "one", {"nbgrader": {"grade": True}}), v4.new_code_cell, ("x = 1",)),
    (cells.markdown_cell("*x*", "two", {}), v4.new_markdown_cell, ("*x*",)),
]
OUTPUTS = [
    (cells.stream("stderr", "no\n"), {"output_type": "stream", "name": "stderr", "text": "no\n"}),
    (cells.display({"text/plain": "1"}), {"output_type": "display_data", "data": {"text/plain": "1"}}),
    (cells.result("1.5"), {"output_type": "execute_result", "data": {"text/plain": "1.5"}}),
    (cells.error("E", "v", ["t"]), {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t"]}),
]


@pytest.mark.parametrize(("ours", "make", "arguments"), PAIRS)
def test_cells_are_those_of_nbformat(ours, make, arguments):
    assert ours == make(*arguments, id=ours.id, metadata=ours.metadata)


@pytest.mark.parametrize(("ours", "fields"), OUTPUTS)
def test_outputs_are_those_of_nbformat(ours, fields):
    assert ours == v4.new_output(**fields)


def test_a_notebook_of_them_is_valid():
    code = cells.code_cell("", "three", {})
    code.outputs = [ours for ours, _ in OUTPUTS]
    validate(v4.new_notebook(cells=[code, *(ours for ours, _, _ in PAIRS)]))
