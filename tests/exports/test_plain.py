import csv
import io

import pytest
from nbgrader.plugins import CsvExportPlugin
from three_students import NAME

from autograder.errors import UsageError
from autograder.exports.plain_csv import PlainExporter


def table(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def exported(desk, gradebook, **options):
    desk.make(PlainExporter, **options).deliver(gradebook)
    return table(desk.out)


def test_the_columns_and_numbers_are_nbgraders(desk, gradebook, tmp_path):
    gradebook.find_student("ada").last_name = "Lovelace"  # nbgrader's own file breaks at a comma
    gradebook.find_student("ben").first_name = "Ben"
    CsvExportPlugin(to=str(tmp_path / "theirs.csv")).export(gradebook)
    theirs = sorted(table(tmp_path / "theirs.csv"), key=lambda row: row["student_id"])
    assert exported(desk, gradebook) == theirs


def test_points_by_hand_extra_credit_and_the_penalty_count(desk, gradebook):
    grade = gradebook.find_grade("two", NAME, NAME, "ben")
    grade.manual_score, grade.extra_credit = 2.5, 0.5
    gradebook.find_submission_notebook(NAME, NAME, "ben").late_submission_penalty = 1.0
    gradebook.db.commit()
    row = exported(desk, gradebook)[1]
    assert (row["raw_score"], row["late_submission_penalty"], row["score"]) == ("5.0", "1.0", "4.0")


def test_a_penalty_above_the_points_gives_zero(desk, gradebook):
    gradebook.find_submission_notebook(NAME, NAME, "ben").late_submission_penalty = 9.0
    gradebook.db.commit()
    assert exported(desk, gradebook)[1]["score"] == "0.0"


def test_a_name_with_a_comma_keeps_its_column(desk, gradebook):
    assert exported(desk, gradebook)[0]["last_name"] == "Lovelace, Lady"


def test_a_formula_in_a_name_is_text(desk, gradebook):
    assert exported(desk, gradebook)[1]["first_name"].startswith("'=HYPERLINK")


def test_one_student_alone(desk, gradebook):
    assert [row["student_id"] for row in exported(desk, gradebook, student=["ben"])] == ["ben"]


@pytest.mark.parametrize("options", [{"student": ["nobody"]}, {"assignment": ["99_none"]}])
def test_an_unknown_name_is_refused_and_nothing_written(desk, gradebook, options):
    with pytest.raises(UsageError, match="it has"):
        exported(desk, gradebook, **options)
    assert not desk.out.exists()


def test_points_that_are_still_to_come_are_warned_of(desk, gradebook):
    gradebook.find_grade("two", NAME, NAME, "ben").needs_manual_grade = True
    gradebook.db.commit()
    exported(desk, gradebook)
    assert desk.log.lines == [f"ben/{NAME} is marked for grading by hand: its points may change."]


def test_nbgrader_itself_gets_one_line_and_a_status(desk, gradebook):
    with pytest.raises(SystemExit, match=r"export: the gradebook has no student 'nobody'"):
        desk.make(PlainExporter, student=["nobody"]).export(gradebook)
