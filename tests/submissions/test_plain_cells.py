import pytest
from nbformat import v4, validate

from autograder.finding import Finding
from autograder.records.verdict import CheckVerdict
from autograder.submissions.cells import code_cell, markdown_cell
from autograder.submissions.safe_outputs import check_outputs, safe_outputs

PAIRS = [
    (code_cell("x = 1", "one", {"nbgrader": {"grade": True}}), v4.new_code_cell, ("x = 1",)),
    (markdown_cell("*x*", "two", {}), v4.new_markdown_cell, ("*x*",)),
]
OUTPUTS = [
    {"output_type": "stream", "name": "stderr", "text": "no\n"},
    {"output_type": "display_data", "data": {"text/plain": "1"}},
    {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t"]},
]
CHECKS = [CheckVerdict("c", points, 3.0, "partial", Finding(got="a part")) for points in (0.0, 1.5, 3.0)]


@pytest.mark.parametrize(("ours", "make", "arguments"), PAIRS)
def test_cells_are_those_of_nbformat(ours, make, arguments):
    assert ours == make(*arguments, id=ours.id, metadata=ours.metadata)


@pytest.mark.parametrize("fields", OUTPUTS)
def test_outputs_are_those_of_nbformat(fields):
    assert safe_outputs([fields]) == [v4.new_output(**fields)]


def test_points_are_a_result_of_nbformats():
    assert check_outputs(CHECKS[1])[-1] == v4.new_output("execute_result", {"text/plain": "1.5"})


def test_a_notebook_of_them_is_valid():
    code = code_cell("", "three", {})
    code.outputs = safe_outputs(OUTPUTS) + [output for check in (None, *CHECKS) for output in check_outputs(check)]
    validate(v4.new_notebook(cells=[code, *(ours for ours, _, _ in PAIRS)]))
