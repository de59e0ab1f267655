import csv
import io

import pytest
from three_students import EVIL, NAME

from autograder.errors import UsageError
from autograder.exports.moodle import MoodleExporter

SENT, CHANGED = '"Friday, 20 November 2026, 1:30 PM"', '"Friday, 20 November 2026, 2:00 PM"'
WORKSHEET = f"""\
Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",\
"Last modified (submission)","Last modified (grade)","Feedback comments"
"Participant 901","Ada Lovelace",ada@uni.example,"Submitted for grading",,5.00,Yes,{SENT},-,
"Participant 77",Ben,private@home.example,"Submitted for grading",1.00,5.00,Yes,{SENT},{CHANGED},old
"Participant 903",Dora,dora@uni.example,"No submission",,5.00,Yes,-,-,
"""


@pytest.fixture
def fill(desk, gradebook):
    def fill(text=WORKSHEET, **options):
        (desk.folder / "worksheet.csv").write_text(text, encoding="utf-8")
        desk.make(MoodleExporter, roster=str(desk.folder / "worksheet.csv"), **options).deliver(gradebook)
        return rows(desk)

    return fill


def rows(desk):
    return list(csv.reader(io.StringIO(desk.out.read_text(encoding="utf-8-sig"))))


def test_the_worksheet_gets_grades_and_comments_and_otherwise_stays(fill, graded_notebook):
    made, before = fill(), list(csv.reader(io.StringIO(WORKSHEET)))
    assert [row[4] for row in made] == ["Grade", "5.00", "3.00", ""]
    assert [row[:4] + row[5:9] for row in made] == [row[:4] + row[5:9] for row in before]
    assert made[3] == before[3]


def test_a_student_is_found_by_address_or_by_moodles_number(fill, desk, graded_notebook):
    fill()
    assert desk.log.lines == ["cas is not in the worksheet: left out."]


def test_comments_are_html_in_which_a_learners_text_is_text(fill, graded_notebook):
    text = fill()[2][9]
    assert text.startswith("<p>3 of 5 points. 1 hour 30 minutes late.")
    assert "two (1/3): two: =HYPERLINK" in text
    assert "&lt;b&gt;" in text
    assert "<b>" not in text


def test_a_grade_above_moodles_maximum_is_warned_of(fill, desk):
    fill(WORKSHEET.replace("5.00,Yes", "4.00,Yes"))
    assert "ada has 5 points; Moodle's maximum is 4.00." in desk.log.lines


def test_a_worksheet_without_its_columns_is_refused(fill, desk):
    with pytest.raises(UsageError, match=r"no column 'grade'.*in English"):
        fill(WORKSHEET.replace("Grade,", "Bewertung,", 1))
    assert not desk.out.exists()


def test_a_worksheet_is_for_one_assignment(fill, gradebook):
    gradebook.add_assignment("02_more")
    with pytest.raises(UsageError, match=f"--assignment: {NAME}, 02_more"):
        fill()


def test_without_a_worksheet_there_is_a_row_for_each_student(desk, gradebook, graded_notebook):
    desk.make(MoodleExporter).deliver(gradebook)
    header, ada, ben = rows(desk)
    assert header == ["Username", "ID number", "Full name", "Email address", NAME, f"{NAME} feedback"]
    assert ada[:5] == ["ada", "", "Lovelace, Lady, Ada", "ada@uni.example", "5.00"]
    assert ben[:5] == ["ben", "77", f"'{EVIL}", "ben@uni.example", "3.00"]
