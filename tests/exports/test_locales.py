"""Rosters of other countries: Excel's line for the delimiter, decimals after a comma, a byte order mark."""

import pytest
from small_course import NAME

from autograder.exports.canvas import CanvasExporter
from autograder.exports.moodle import MoodleExporter
from autograder.exports.spreadsheet import read_sheet
from autograder.submissions.roster import Person, Roster

TABLES = {
    CanvasExporter: f"""\
Student;ID;SIS User ID;SIS Login ID;Section;{NAME} (4711);Average
    Points Possible;;;;;5,00;(read only)
"Lovelace, Ada";101;S1;ada@uni.example;A;;
""",
    MoodleExporter: """\
Identifier;"Full name";"Email address";Status;Grade;"Maximum Grade";"Last modified (grade)"
"Participant 901";"Ada Lovelace";ada@uni.example;"Submitted for grading";;5,00;-
""",
}


@pytest.mark.parametrize("declaration", ["sep=;\n", "sep=;\r\n", '"sep=;"\n', "SEP=;\n", ""])
@pytest.mark.parametrize("mark", ["\ufeff", ""])
@pytest.mark.parametrize("kind", TABLES)
def test_a_roster_is_filled_in_in_the_format_that_it_came_in(desk, gradebook, kind, mark, declaration):
    roster = desk.folder / "roster.csv"
    roster.write_bytes((mark + declaration + TABLES[kind]).encode())
    desk.make(kind, roster=str(roster)).deliver(gradebook)
    text = desk.out.read_text(encoding="utf-8")
    assert text.startswith(mark + ("sep=;\n" if declaration else "") + TABLES[kind].split(";")[0])
    assert ";5,00;" in text.splitlines()[-1]
    assert "5.00" not in text


DECIMALS = {"5,00;2": "3,50", "5.00;2": "3.50", "5;2": "3.50", "5,00;2.5": "3.50", "1,000;2": "3.50", "7,5 %;2": "3,50"}


@pytest.mark.parametrize("cells", DECIMALS)
def test_decimals_are_written_as_the_file_writes_its_own(tmp_path, cells):
    (tmp_path / "roster.csv").write_text(f"a;b\n{cells}\n", encoding="utf-8")
    assert read_sheet(tmp_path / "roster.csv").points(3.5) == DECIMALS[cells]


@pytest.mark.parametrize("sign", ",\t|")
def test_the_delimiter_is_the_one_that_is_declared(tmp_path, sign):
    text = f"sep={sign}\nName; first{sign}Id\na;b{sign}1\n"
    (tmp_path / "roster.csv").write_text(text, encoding="utf-8")
    sheet = read_sheet(tmp_path / "roster.csv")
    assert (sheet.rows, sheet.text) == ([["Name; first", "Id"], ["a;b", "1"]], text)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("sign", ",;\t")
def test_a_table_of_any_encoding_is_read_alike_as_a_sheet_and_as_a_roster(tmp_path, encoding, sign):
    path = tmp_path / "roster.csv"
    path.write_bytes(f"student_id{sign}Full name\nal1{sign}Zoë Müller\n".encode(encoding))
    assert read_sheet(path).rows == [["student_id", "Full name"], ["al1", "Zoë Müller"]]
    assert Roster.read(path).find(["Zoë Müller"]) == Person("al1")
