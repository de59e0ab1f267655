import csv
import io

import pytest
from three_students import EVIL, NAME

from autograder.errors import UsageError
from autograder.exports.canvas import CanvasExporter

ROSTER = f"""\
Student,ID,SIS User ID,SIS Login ID,Section,{NAME} (4711),Final Score
,,,,,Manual Posting,
    Points Possible,,,,,5.00,(read only)
"Lovelace, Ada",101,S1,ada@uni.example,A,,
"{EVIL.replace('"', '""')}",102,77,other,A,1.00,20
"Test, Student",103,,,A,,
"""


@pytest.fixture
def fill(desk, gradebook):
    def fill(text=ROSTER, **options):
        (desk.folder / "roster.csv").write_text(text, encoding="utf-8")
        desk.make(CanvasExporter, roster=str(desk.folder / "roster.csv"), **options).deliver(gradebook)
        return rows(desk)

    return fill


def rows(desk, delimiter=","):
    return list(csv.reader(io.StringIO(desk.out.read_text(encoding="utf-8-sig")), delimiter=delimiter))


def test_a_fresh_file_has_canvas_columns_and_points_possible(desk, gradebook):
    desk.make(CanvasExporter).deliver(gradebook)
    header, possible, ada, ben = rows(desk)
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", NAME]
    assert possible == ["    Points Possible", "", "", "", "", "5.00"]
    assert ada == ["Lovelace, Lady, Ada", "", "", "ada", "", "5.00"]
    assert ben == [f"'{EVIL}", "77", "", "ben", "", "3.00"]


def test_canvas_own_file_is_filled_in_and_otherwise_stays(fill):
    made = fill()
    before = list(csv.reader(io.StringIO(ROSTER)))
    assert [row[5] for row in made] == [f"{NAME} (4711)", "Manual Posting", "5.00", "5.00", "3.00", ""]
    assert [row[:1] + row[6:] for row in made[:4]] == [row[:1] + row[6:] for row in before[:4]]


def test_students_are_found_by_login_before_the_at_and_by_sis_id(fill, desk):
    fill()
    assert desk.log.lines == ["cas is not in the roster: left out."]


def test_a_name_is_no_identity(fill, desk):
    fill(ROSTER.replace(",101,S1,ada@uni.example", ",101,S1,someone"))
    assert "ada is not in the roster: left out." in desk.log.lines


def test_one_row_is_never_two_students(fill, gradebook):
    gradebook.find_student("cas").email = "other"
    gradebook.db.commit()
    with pytest.raises(UsageError, match=r"ben and cas could be the same row|cas and ben could be the same row"):
        fill()


def test_two_rows_are_never_one_student(fill):
    with pytest.raises(UsageError, match="ada could be 2 rows"):
        fill(ROSTER.replace("102,77,other", "102,77,ada"))


def test_an_internal_number_of_canvas_is_not_taken_for_a_student_id(fill, gradebook, desk):
    gradebook.add_student("102")
    fill()
    assert "102 is not in the roster: left out." in desk.log.lines


def test_a_title_of_its_own_can_be_named(fill):
    made = fill(ROSTER.replace(f"{NAME} (", "Exercise 1 ("), columns={NAME: "Exercise 1"})
    assert made[3][5] == "5.00"


def test_a_missing_column_names_those_that_there_are(fill, desk):
    with pytest.raises(UsageError, match=r"no column '01_small'; it has 'Exercise 1 \(4711\)'"):
        fill(ROSTER.replace(f"{NAME} (", "Exercise 1 ("))
    assert not desk.out.exists()


@pytest.mark.filterwarnings("ignore:Object of type <Submitted")  # nbgrader builds rows before it adds them
def test_a_column_that_is_missing_keeps_no_other_assignment_back(fill, gradebook, desk):
    gradebook.add_assignment("02_other")
    gradebook.add_submission("02_other", "ada")
    assert [row[5] for row in fill()][3:5] == ["5.00", "3.00"]
    (line,) = [line for line in desk.log.lines if "02_other" in line]
    assert line.startswith("02_other is left out: the roster has no column '02_other'; it has '01_small (4711)'.")


def test_if_no_assignment_has_a_column_nothing_is_written(fill, gradebook, desk):
    gradebook.add_assignment("02_other")
    with pytest.raises(UsageError, match="no column for any of 01_small, 02_other"):
        fill(ROSTER.replace(f"{NAME} (", "Exercise 1 ("))
    assert not desk.out.exists()


def test_a_column_that_canvas_computes_is_not_written(fill):
    with pytest.raises(UsageError, match="computes"):
        fill(columns={NAME: "Final Score"})


def test_other_points_possible_are_warned_of(fill, desk):
    fill(ROSTER.replace("5.00", "10.00"))
    assert f"{NAME}: Canvas has 10.00 points possible, the gradebook 5." in desk.log.lines


def test_semicolons_and_the_byte_order_mark_stay(desk, gradebook):
    text = "Student;ID;SIS Login ID;Section;01_small (4711)\n    Points Possible;;;;5,00\nAda;101;ada;A;\n"
    (desk.folder / "roster.csv").write_text("\ufeff" + text, encoding="utf-8")
    desk.make(CanvasExporter, roster=str(desk.folder / "roster.csv")).deliver(gradebook)
    assert desk.out.read_bytes().startswith(b"\xef\xbb\xbf")
    assert rows(desk, ";")[2][4] == "5.00"


def test_a_table_from_elsewhere_is_refused(fill):
    with pytest.raises(UsageError, match="Canvas's own export"):
        fill("name,points\nada,1\n")
