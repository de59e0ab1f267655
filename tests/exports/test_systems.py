"""What each system gets: a table of its columns, filled in where it is its own, and text that no spreadsheet runs."""

import csv
import io
import json
import zipfile
from dataclasses import replace

import pytest
from nbgrader.plugins import CsvExportPlugin
from small_course import EVIL, NAME

from autograder.errors import UsageError, several
from autograder.exports.canvas import CanvasExporter
from autograder.exports.gradescope import GradescopeExporter
from autograder.exports.moodle import MoodleExporter, comments
from autograder.exports.plain_csv import PlainExporter
from autograder.exports.spreadsheet import inert, read_sheet, written
from autograder.finding import UNWRITTEN, Finding
from autograder.gradebook.learner_report import CheckReport, Report
from autograder.gradebook.rows import NO_RESPONSE

MOMENTS = "handed in 2026-11-20 13:30 UTC, due 2026-11-20 12:00 UTC"
CANVAS = f"""\
Student,ID,SIS User ID,SIS Login ID,Section,{NAME} (4711),Final Score
,,,,,Manual Posting,
    Points Possible,,,,,5.00,(read only)
"Lovelace, Ada",101,S1,ada@uni.example,A,,
"{EVIL.replace('"', '""')}",102,77,other,A,1.00,20
"Test, Student",103,,,A,,
"""
ELSEWHERE = CANVAS.replace(f"{NAME} (", "Exercise 1 (")
SENT, CHANGED = '"Friday, 20 November 2026, 1:30 PM"', '"Friday, 20 November 2026, 2:00 PM"'
MOODLE = f"""\
Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",\
"Last modified (submission)","Last modified (grade)","Feedback comments"
"Participant 901","Ada Lovelace",ada@uni.example,"Submitted for grading",,5.00,Yes,{SENT},-,
"Participant 77",Ben,private@home.example,"Submitted for grading",1.00,5.00,Yes,{SENT},{CHANGED},old
"Participant 903",Dora,dora@uni.example,"No submission",,5.00,Yes,-,-,
"""
FILLED = [f"{NAME} (4711)", "Manual Posting", "5.00", "5.00", "3.00", ""]
EXCUSED, LOCKED = CANVAS.replace("example,A,,", "example,A,EX,"), MOODLE.replace("1.00,5.00,Yes", "1.00,5.00,No")
WARNED = {
    "ada is not in the roster: left out.": (CanvasExporter, CANVAS.replace("S1,ada@uni.example", "S1,someone")),
    f"{NAME}: Canvas has 10.00 points possible, the gradebook 5.": (CanvasExporter, CANVAS.replace("5.00", "10.00")),
    f"ada: the grade of {NAME} is 'EX' in the roster, and was kept.": (CanvasExporter, EXCUSED),
    f"ben: the grade of {NAME} may not be changed in the roster, and was kept.": (MoodleExporter, LOCKED),
    f"{NAME}: Moodle has 20.00 points possible, the gradebook 5.": (
        MoodleExporter,
        MOODLE.replace("5.00,Y", "20.00,Y"),
    ),
    "ada has 5 points; Moodle's maximum is 4.00.": (MoodleExporter, MOODLE.replace("5.00,Yes", "4.00,Yes")),
}
FORMULAS = ("=1+1", "+1+1", "-1+1", "@SUM(A1)", " =1+1", "\t=1", "\r=1", "＝1+1", "=cmd|' /C calc'!A0")
ORDINARY = ("-1.5", "+3", "7,5", "-", "", "Ada", "ada@uni.example", "50%", "<p>=x</p>")


def table(text):
    return list(csv.reader(io.StringIO(text)))


def by_column(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


@pytest.fixture
def deliver(desk, gradebook):
    """The rows of what an exporter writes; ``text`` is the system's own table: deliver(CanvasExporter, text)."""

    def deliver(kind, text="", **options):
        if text:
            (desk.folder / "roster.csv").write_text(text, encoding="utf-8")
            options["roster"] = str(desk.folder / "roster.csv")
        desk.exporter = desk.make(kind, **options)
        desk.exporter.deliver(gradebook)
        return table(desk.out.read_text(encoding="utf-8"))

    return deliver


NEW_TABLES = {
    CanvasExporter: [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", NAME],
        ["    Points Possible", "", "", "", "", "5.00"],
        ["Lovelace, Lady, Ada", "", "", "ada", "", "5.00"],
        [f"'{EVIL}", "77", "", "ben", "", "3.00"],
    ],
    MoodleExporter: [
        ["Username", "ID number", "Full name", "Email address", NAME],
        ["ada", "", "Lovelace, Lady, Ada", "ada@uni.example", "5.00"],
        ["ben", "77", f"'{EVIL}", "ben@uni.example", "3.00"],
    ],
}


@pytest.mark.parametrize("kind", NEW_TABLES)
def test_without_a_table_of_the_system_there_is_a_row_for_each_who_handed_in(deliver, graded_notebook, kind):
    rows, expected = deliver(kind), NEW_TABLES[kind]
    assert [row[: len(expected[0])] for row in rows] == expected
    assert rows[0][len(expected[0]) :] == ([f"{NAME} feedback"] if kind is MoodleExporter else [])


@pytest.mark.parametrize(
    ("kind", "text", "column", "cells"),
    [
        *((CanvasExporter, text, 5, FILLED) for text in (CANVAS, CANVAS.replace("S1,ada", "S1,\u200fada\u200d"))),
        (MoodleExporter, MOODLE, 4, ["Grade", "5.00", "3.00", ""]),
    ],
)
def test_a_table_of_the_system_is_filled_in_and_otherwise_stays(
    deliver, desk, graded_notebook, kind, text, column, cells
):
    rows, before = deliver(kind, text), [[inert(cell) for cell in row] for row in table(text)]
    assert [row[column] for row in rows] == cells
    stay = slice(column + 1, 9 if kind is MoodleExporter else None)  # but for the comments
    assert [row[:column] + row[stay] for row in rows] == [row[:column] + row[stay] for row in before]
    assert rows[-1] == before[-1]
    assert f"cas is not in the {'roster' if kind is CanvasExporter else 'worksheet'}: left out." in desk.log.lines
    assert len(desk.log.lines) == 1
    notices = ["grades in the roster that have changed: ben 1.00 → 3.00."]
    if kind is MoodleExporter:
        notices.insert(0, "comments in the worksheet that the report has replaced: ben.")
    assert desk.exporter.notices == notices


OTHER_TITLE = {"columns": {NAME: "Final Score"}}
REFUSED = {
    "two rows for one student": (CanvasExporter, CANVAS.replace("77,other", "77,ada"), {}, "ada could be 2 rows"),
    "no column": (CanvasExporter, ELSEWHERE, {}, r"no column '01_small'; it has 'Exercise 1 \(4711\)'"),
    "sides turned round": (CanvasExporter, CANVAS, {"columns": {"HW": NAME}}, f"'HW' is no .* --column {NAME}=HW"),
    "a column that Canvas computes": (CanvasExporter, CANVAS, OTHER_TITLE, "computes"),
    "a table from elsewhere": (CanvasExporter, "name,points\nada,1\n", {}, "Canvas's own export"),
    "another language": (MoodleExporter, MOODLE.replace("Grade,", "Note,", 1), {}, r"no column 'grade'.*in English"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_right_is_refused_and_nothing_written(deliver, desk, name):
    kind, text, options, message = REFUSED[name]
    with pytest.raises(UsageError, match=message):
        deliver(kind, text, **options)
    assert not desk.out.exists()


@pytest.mark.parametrize("line", WARNED)
def test_what_may_be_wrong_is_warned_of(deliver, desk, line):
    deliver(*WARNED[line])
    assert line in desk.log.lines


def test_who_is_not_in_the_table_is_named_once_for_all_exercises(deliver, desk, gradebook):
    gradebook.add_assignment("02_other")
    deliver(CanvasExporter, CANVAS.replace("Final Score", "02_other").replace("(read only)", ""))
    assert desk.log.lines == ["cas is not in the roster: left out."]


def test_one_row_is_never_two_students_and_an_internal_number_of_canvas_no_student_id(deliver, gradebook, desk):
    for student in ("102", "0055", "o\u0308"):
        gradebook.add_student(student)
    deliver(CanvasExporter, f'{CANVAS}"Ö",104,\u00f6,,A,,\n"X",105,,55,A,,\n')
    zeros = "0055 is not in the roster: left out. It has 55: a spreadsheet may have taken the zeros off; put them back."
    warnings = [line for line in desk.log.lines if line[0] in "01o"]
    assert warnings == [zeros, "102 is not in the roster: left out."]
    assert deliver(CanvasExporter, ELSEWHERE, columns={NAME: "Exercise 1"})[3][5] == "5.00"  # a title of its own
    gradebook.find_student("cas").email = "other"
    gradebook.db.commit()
    with pytest.raises(UsageError, match=r"ben and cas could be the same row|cas and ben could be the same row"):
        deliver(CanvasExporter, CANVAS)


@pytest.mark.filterwarnings("ignore:Object of type <Submitted")  # nbgrader builds rows before it adds them
def test_a_column_that_is_missing_keeps_no_other_assignment_back(deliver, gradebook, desk):
    gradebook.add_assignment("02_other")
    gradebook.add_submission("02_other", "ada")
    assert [row[5] for row in deliver(CanvasExporter, CANVAS)][3:5] == ["5.00", "3.00"]
    (line,) = [line for line in desk.log.lines if "02_other" in line]
    assert line.startswith("02_other is left out: the roster has no column '02_other'; it has '01_small (4711)'.")
    desk.out.unlink()
    with pytest.raises(UsageError, match="no column for any of 01_small, 02_other"):
        deliver(CanvasExporter, ELSEWHERE)
    with pytest.raises(UsageError, match=f"--assignment: {NAME}, 02_other"):  # a worksheet is for one assignment
        deliver(MoodleExporter, MOODLE)
    assert not desk.out.exists()


def test_moodle_gets_the_feedback_page_of_each_who_is_in_its_worksheet(deliver, desk):
    for student in ("ada", "cas"):
        page = desk.folder / "feedback" / student / NAME / f"{NAME}.html"
        page.parent.mkdir(parents=True)
        page.write_text(f"for {student}")
    deliver(MoodleExporter, MOODLE.replace("Participant 901", "Teilnehmer/in 901"))
    with zipfile.ZipFile(desk.folder / "out.feedback.zip") as archive:
        assert archive.namelist() == [f"Participant_901_assignfeedback_file_/{NAME}.html"]
        assert archive.read(archive.namelist()[0]) == b"for ada"
    deliver(MoodleExporter)
    assert not desk.exporter.beside


def test_moodles_comments_are_html_in_which_a_learners_text_is_text(deliver, graded_notebook):
    text = deliver(MoodleExporter, MOODLE)[2][9]
    assert text.startswith("<p>3 of 5 points. 1 hour 30 minutes late: handed in ")
    assert "two (1/3): two: =HYPERLINK" in text
    assert "&lt;b&gt;" in text
    assert "<b>" not in text
    assert "<li>The cell <code>two</code> was missing; it was put back.</li>" in text


def test_moodles_comments_call_a_task_as_the_page_does_and_say_once_that_an_answer_is_not_written():
    task, blank = "Task 1: dot scores", Finding(mistake=UNWRITTEN, what="scores", got="not written yet")
    checks = [
        CheckReport("dot_visible", 0, 1, "failed", finding=blank, task=task),
        CheckReport("dot_hidden", 0.5, 1, "partial", task=task, hidden=True),
        CheckReport("why", 2, 2, "by hand", in_words=True, task="Why?"),
    ]
    report = Report("ada", NAME, "failed", 2.5, 4, 0, 0, checks, {"dot": NO_RESPONSE, "why": "Say\n`why`."}, [])
    lost = f"<li>{task} (0/1): scores: not written yet.</li>"
    partial = f"<li>{task} (hidden check) (0.5/1): partial</li>"
    assert comments(report).endswith(f"<ul>{lost}{partial}<li>Why?: Say <code>why</code>.</li></ul>")
    assert f"<li>{task}: See above.</li>" in comments(replace(report, comments={"dot": "See above."}))
    unread = replace(report, status="unreadable", notes=["A PDF."], comments={})
    assert comments(unread).endswith(f"<ul><li>A PDF.</li>{lost}</ul>")


def test_gradescope_gets_a_file_a_learner_and_a_table(desk, gradebook, graded_notebook):
    desk.make(GradescopeExporter).deliver(gradebook)
    ada, ben = (json.loads((desk.out / NAME / name / "results.json").read_text("utf-8")) for name in ("ada", "ben"))
    assert ben["score"] == 3.0
    visible, hidden = ben["tests"]
    first = {"name": "one", "score": 2, "max_score": 2, "status": "passed", "visibility": "visible"}
    second = {"name": "two", "score": 1, "max_score": 3, "status": "failed", "visibility": "after_published"}
    assert (visible, hidden) == (visible | first, hidden | second)
    assert hidden["output"].startswith("Other sizes.\ntwo: =HYPERLINK")
    assert "secret" not in json.dumps(ben)
    assert {ben["output_format"], *(test["output_format"] for test in ben["tests"])} == {"text"}
    assert ben["output"].splitlines()[0] == f"3 of 5 points. 1 hour 30 minutes late: {MOMENTS}."
    assert "The cell `two` was missing; it was put back." in ben["output"]
    assert (ada["score"], len(ada["tests"])) == (5.0, 2)  # points count where the graded notebook is gone

    rows = {row["SID"]: row for row in by_column(desk.out / f"{NAME}.csv")}
    assert rows["ada"] | {"Total Score": "5.00", "Status": "Graded", "Lateness (H:M:S)": "01:30:00"} == rows["ada"]
    assert rows["ben"]["2: two (3.0 pts)"] == "1.00"
    assert (rows["cas"]["Status"], rows["cas"]["Total Score"]) == ("Missing", "")
    assert rows["ben"]["First Name"].startswith("'=")
    gradebook.add_student("../x")
    with pytest.raises(UsageError, match="cannot be the name of a folder"):
        desk.make(GradescopeExporter).deliver(gradebook)


@pytest.fixture
def plain(desk, gradebook):
    def plain(**options):
        gradebook.db.commit()
        desk.exporter = desk.make(PlainExporter, **options)
        desk.exporter.deliver(gradebook)
        return by_column(desk.out)

    return plain


def test_the_plain_columns_and_numbers_are_nbgraders(plain, gradebook, tmp_path):
    ada, ben, _ = plain()
    assert ada["last_name"] == "Lovelace, Lady"
    assert ben["first_name"].startswith("'=HYPERLINK")
    gradebook.find_student("ada").last_name = "Lovelace"  # nbgrader's own file breaks at a comma
    gradebook.find_student("ben").first_name = "Ben"
    CsvExportPlugin(to=str(tmp_path / "theirs.csv")).export(gradebook)
    assert plain() == sorted(by_column(tmp_path / "theirs.csv"), key=lambda row: row["student_id"])


def test_points_by_hand_extra_credit_and_the_penalty_count_down_to_zero(plain, gradebook, desk):
    grade = gradebook.find_grade("two", NAME, NAME, "ben")
    grade.manual_score, grade.extra_credit = 2.5, 0.5
    gradebook.find_submission_notebook(NAME, NAME, "ben").late_submission_penalty = 1.0
    (row,) = plain(student=["ben"])
    assert (row["raw_score"], row["late_submission_penalty"], row["score"]) == ("5.0", "1.0", "4.0")
    gradebook.find_submission_notebook(NAME, NAME, "ben").late_submission_penalty = 9.0
    assert plain()[1]["score"] == "0.0"
    grade.needs_manual_grade = True  # points that are still to come are told, and nobody is left out for it
    plain()
    waiting = f"ben/{NAME} is still to be graded by hand: export again when that is done."
    assert (desk.exporter.notices, desk.log.lines) == ([waiting], [])
    with pytest.raises(SystemExit, match=r"export: the gradebook has no student 'nobody'"):  # nbgrader's own way to end
        desk.make(PlainExporter, student=["nobody"]).export(gradebook)


def test_a_formula_becomes_text_and_all_else_stays():
    assert several(list("abc"), 2) == "a, b and 1 more"
    assert {text: inert(text) for text in FORMULAS} == {text: f"'{text}" for text in FORMULAS}
    assert {text: inert(text) for text in ORDINARY} == {text: text for text in ORDINARY}
    cells = ["a, b", 'say "x"', "two\nlines"]
    assert table(written([cells])) == [cells]


@pytest.mark.parametrize("data", [None, b"", b"\xff\xfe\x00", b"just text\n", b"PK\3\4 [Content_Types].xml \0"])
def test_what_is_no_table_is_refused_in_one_line(tmp_path, data):
    if data is not None:
        (tmp_path / "x.csv").write_bytes(data)
    with pytest.raises(UsageError, match="the roster") as error:
        read_sheet(tmp_path / "x.csv")
    assert "\n" not in str(error.value)
