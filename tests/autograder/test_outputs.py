import base64

import pytest
from nbformat.v4 import new_code_cell
from nbgrader.utils import determine_grade

from autograder.finding import Finding
from autograder.records.verdict import CheckVerdict
from autograder.submissions.safe_outputs import check_outputs, safe_outputs

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\nrest").decode()


def shown(data):
    return safe_outputs([{"output_type": "display_data", "data": data, "metadata": {}}])


def test_html_and_javascript_are_dropped_and_the_text_kept():
    outputs = shown(
        {"text/html": "<script>", "application/javascript": "x", "image/svg+xml": "<svg>", "text/plain": "t"}
    )
    assert [dict(output.data) for output in outputs] == [{"text/plain": "t"}]


def test_pictures_are_kept():
    assert [dict(output.data) for output in shown({"image/png": PNG})] == [{"image/png": PNG}]


@pytest.mark.parametrize("data", ['"><script>alert(1)</script>', base64.b64encode(b"<svg>").decode(), 3, None, [3]])
def test_what_only_says_that_it_is_a_picture_is_dropped(data):
    assert shown({"image/png": data}) == []


def test_a_learners_result_cannot_be_points():
    outputs = safe_outputs([{"output_type": "execute_result", "data": {"text/plain": "20"}, "execution_count": 1}])
    assert [output.output_type for output in outputs] == ["display_data"]


@pytest.mark.parametrize("outputs", [None, "text", [None, 3], [{"output_type": "widget"}], [{"output_type": "error"}]])
def test_malformed_outputs_do_no_harm(outputs):
    for output in safe_outputs(outputs):
        assert output.output_type == "error"


def test_long_text_is_cut_off():
    (output,) = safe_outputs([{"output_type": "stream", "name": "stdout", "text": "x" * 10**6}])
    assert len(output.text) < 21_000


@pytest.mark.parametrize(("points", "message"), [(3.0, ""), (1.25, "a quarter is missing"), (0.0, "wrong"), (0.0, "")])
def test_nbgrader_reads_the_points_of_the_verdict(points, message):
    status = "passed" if points == 3.0 else "partial" if points else "failed"
    check = CheckVerdict("c", points, 3.0, status, Finding(got=message))
    settings = {"grade": True, "solution": False, "points": 3.0, "grade_id": "c"}
    cell = new_code_cell("", outputs=check_outputs(check), metadata={"nbgrader": settings})
    assert determine_grade(cell) == (points, 3.0)


def test_a_check_without_a_verdict_gets_nothing():
    cell = new_code_cell("", outputs=check_outputs(None), metadata={"nbgrader": {"grade": True, "points": 3.0}})
    assert determine_grade(cell) == (0, 3.0)


def test_the_traceback_of_a_failed_check_is_its_message_alone():
    (output,) = check_outputs(CheckVerdict("c", 0.0, 1.0, "failed", Finding(what="scores", got="wrong")))
    assert output.traceback == ["scores: wrong."]
