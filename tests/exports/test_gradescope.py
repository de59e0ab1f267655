import csv
import io
import json

import pytest
from three_students import NAME

from autograder.errors import UsageError
from autograder.exports.gradescope import GradescopeExporter


@pytest.fixture
def results(desk, gradebook, graded_notebook):
    desk.make(GradescopeExporter).deliver(gradebook)
    return lambda student: json.loads((desk.out / NAME / student / "results.json").read_text(encoding="utf-8"))


def test_the_score_and_a_test_for_each_check(results):
    made = results("ben")
    assert made["score"] == 3.0
    assert [(test["name"], test["score"], test["max_score"]) for test in made["tests"]] == [
        ("one", 2, 2),
        ("two", 1, 3),
    ]
    assert [test["status"] for test in made["tests"]] == ["passed", "failed"]


def test_hidden_checks_wait_for_publication_and_are_described(results):
    visible, hidden = results("ben")["tests"]
    assert (visible["visibility"], hidden["visibility"]) == ("visible", "after_published")
    assert hidden["output"].startswith("Other sizes.\ntwo: =HYPERLINK")
    assert "secret" not in json.dumps(results("ben"))


def test_all_text_is_of_format_text(results):
    made = results("ben")
    assert {made["output_format"], *(test["output_format"] for test in made["tests"])} == {"text"}


def test_repairs_and_lateness_are_in_the_output(results):
    assert results("ben")["output"].splitlines()[0] == "3 of 5 points. 1 hour 30 minutes late."
    assert "The cell `two` was missing; it was put back." in results("ben")["output"]


def test_points_count_where_the_graded_notebook_is_gone(results):
    made = results("ada")
    assert (made["score"], len(made["tests"])) == (5.0, 2)


def test_the_table_has_gradescopes_columns(results, desk):
    rows = list(csv.DictReader(io.StringIO((desk.out / f"{NAME}.csv").read_text(encoding="utf-8"))))
    by_id = {row["SID"]: row for row in rows}
    assert by_id["ada"] | {"Total Score": "5.00", "Status": "Graded", "Lateness (H:M:S)": "01:30:00"} == by_id["ada"]
    assert by_id["ben"]["2: two (3.0 pts)"] == "1.00"
    assert (by_id["cas"]["Status"], by_id["cas"]["Total Score"]) == ("Missing", "")
    assert by_id["ben"]["First Name"].startswith("'=")


def test_a_student_id_that_would_leave_the_folder_is_refused(desk, gradebook):
    gradebook.add_student("../x")
    with pytest.raises(UsageError, match="cannot be the name of a folder"):
        desk.make(GradescopeExporter).deliver(gradebook)
