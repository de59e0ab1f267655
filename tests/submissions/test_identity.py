"""In a class, everybody's work is that of their id on its roster, by whichever table the LMS identifies them."""

import re

import pytest
from downloads import NOTEBOOK, at, inner, laid
from small_course import ROOT

from autograder.__main__ import main

CLASS = """\
student_id,id,first_name,last_name,email
s001,4321,Ada,Lovelace,ada@uni.example
s002,,Wei,Zhang,wei@uni.example
s003,,Wei,Zhang,
s004,,Øyvind,Åberg,
9000005,,Eve,Young,
"""
WORKSHEET = "Identifier,Full name,Email address\n"
GRADES = "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"
OF_MOODLE, OF_CANVAS = "{}_7_assignsubmission_file_/05_scorers.ipynb", "{}_88_1_05_scorers.ipynb"
OTHER = "student_id,id\ns002,99\n"
# What identifies somebody → the name in the download, the LMS's table, whose it is, and whom the roster does not have.
TABLES = {
    "the address": (OF_MOODLE.format("A L"), f"{WORKSHEET}Participant 7,A L,Ada@uni.example\n", "s001", ""),
    "before the @": (OF_MOODLE.format("A L"), f"{WORKSHEET}Participant 7,A L,s001@b.example\n", "s001", ""),
    "SIS id": (OF_CANVAS.format("la"), f'{GRADES}"L, A",88,s001,al@login,A\n', "s001", ""),
    "login": (OF_CANVAS.format("la"), f'{GRADES}"L, A",88,,ada@uni.example,A\n', "s001", ""),
    "number": (OF_CANVAS.format("la").replace("88", "4321"), f'{GRADES}"L, A",4321,u7,al@login,A\n', "s001", ""),
    "whom the table lacks, by the class's number": (OF_CANVAS.format("la").replace("88", "4321"), OTHER, "s001", ""),
    "whom the table lacks, by the class's name": (OF_MOODLE.format("Oyvind Aberg"), OTHER, "s004", ""),
    "another's name beside a number": (OF_MOODLE.format("Wei Zhang").replace("7", "4321"), OTHER, "Wei_Zhang", ""),
    "own table": (OF_CANVAS.format("la"), "student_id,id\ns001,88\n", "s001", ""),
    "full name": (OF_MOODLE.format("Oyvind Aberg"), f"{WORKSHEET}Participant 7,Oyvind Aberg,a@b.example\n", "s004", ""),
    "namesakes in the class": (
        OF_MOODLE.format("Wei Zhang"),
        f"{WORKSHEET}Participant 7,Wei Zhang,x@b.example\n",
        "x@b.example",
        "1 of 1 in .*: x@b.example",
    ),
    "namesakes in the LMS": (
        OF_MOODLE.format("Ada Lovelace"),
        f"{WORKSHEET}Participant 7,Ada Lovelace,x@b.example\nParticipant 8,Ada Lovelace,y@b.example\n",
        "x@b.example",
        "2 of 2 in .*: x@b.example, y@b.example",
    ),
    "a namesake of whom the address identifies": (
        OF_MOODLE.format("Ada Lovelace"),
        f"{WORKSHEET}Participant 7,Ada Lovelace,x@b.example\nParticipant 8,A L,ada@uni.example\n",
        "x@b.example",
        "1 of 2 in .*: x@b.example",
    ),
    "Moodle's number is that of no student": (
        OF_MOODLE.format("Lea Last").replace("7", "9000005"),
        "Identifier,ID number,Email address\nParticipant 9000005,,ada@uni.example\nParticipant 8,9000005,e@b.example\n",
        "s001",
        "",
    ),
}


@pytest.fixture
def collect(tmp_path, capsys):
    """Collects files in a class with a roster, by the LMS's table → status, stdout, stderr."""
    (tmp_path / "class.toml").write_text('time_zone = "UTC"\n[exercises]\n05_scorers = {}\n', encoding="utf-8")
    (tmp_path / "roster.csv").write_text(CLASS, encoding="utf-8")

    def collect(files, table, *arguments):
        (tmp_path / "download.zip").write_bytes(inner(files))
        (tmp_path / "table.csv").write_text(table, encoding="utf-8")
        places = {"--root": tmp_path, "--to": tmp_path / "submitted", "--roster": tmp_path / "table.csv"}
        options = [str(part) for pair in places.items() for part in pair]
        return main(["collect", str(tmp_path / "download.zip"), *options, *arguments]), *capsys.readouterr()

    return collect


@pytest.mark.parametrize("name", TABLES)
def test_the_folder_has_the_id_of_the_classs_roster_or_who_is_not_on_it_is_named(collect, tmp_path, name):
    file, table, student, strangers = TABLES[name]
    status, _, err = collect({file: NOTEBOOK}, table)
    assert (status, laid(tmp_path)) == (0, [at(student)])
    assert err.count("cannot be found in the class's roster.csv") == bool(strangers)
    assert re.search(strangers, err)
    both = "the roster has s001 by this number, and s002, s003 by this name; kept as Wei_Zhang"
    assert err.count(both) == (name == "another's name beside a number")


def test_a_folder_of_no_lms_is_the_learners_whom_the_roster_knows_by_its_name(collect, tmp_path):
    notebook = (ROOT / "exercises" / "05_scorers" / "05_scorers.ipynb").read_bytes()
    left = ["s003/05_scorers.ipynb", "Wei Zhang/hw5.ipynb", "mine.zip/s002/hw5.ipynb", "s004 hw5.ipynb"]
    files = {"mail/Ada Lovelace/hw5.ipynb": notebook, "mail/Ada Lovelace/data.csv": b"1"}
    files |= {"Oyvind Aberg/a.ipynb": notebook}
    assert collect(files, CLASS)[0] == 0
    assert collect(files | {"Zed/a.ipynb": notebook}, CLASS)[0] == 1
    expected = [at("s001"), at("s004"), "s001/05_scorers/data.csv"]
    assert laid(tmp_path) == sorted(expected)
    files |= {left[0]: NOTEBOOK, left[1]: notebook, "mine.zip": inner({"s002/hw5.ipynb": notebook}), left[3]: notebook}
    status, out, err = collect(files, CLASS)
    assert (status, laid(tmp_path)) == (1, sorted(expected))
    assert "nothing was collected for Wei Zhang, s003." in err
    why = ["its cells do not say which exercise it is; --assignment NAME does"]
    why += ["the roster has several matches: s002, s003", *["its name does not say whose it is"] * 2]
    assert all(f"left out {name}: {reason}.\n" in err for name, reason in zip(left, why, strict=True))
    assert "2 submissions from the folders of learners in" in out
    assert "this is no download of" not in err
    assert collect(files, CLASS, "--assignment", "05_scorers")[0] == 1
    assert at("s003") in laid(tmp_path)


@pytest.mark.parametrize(("name", "missed"), [("la_4321_1_a.pdf", "s001"), ("eve_9_1_a.pdf", "eve (9)")])
def test_of_whom_nothing_was_collected_the_id_of_the_class_is_named(collect, name, missed):
    status, _, err = collect({name: b"%PDF", "oa_88_1_05_scorers.ipynb": NOTEBOOK}, "student_id,id\ns004,88\n")
    assert status == 1
    assert f"nothing was collected for {missed}." in err


@pytest.mark.parametrize(
    ("name", "noted"), [("lovelaceada_77_1_", True), ("lovelaceada_4321_1_", False), ("abergoyvind_77_1_", False)]
)
def test_who_is_known_by_the_name_alone_though_the_roster_has_another_number_is_named(collect, name, noted):
    status, _, err = collect({f"{name}05_scorers.ipynb": NOTEBOOK}, CLASS)
    assert status == 0
    assert ("known by the name alone, as the roster has another number: s001 (here 77); check who" in err) == noted


def test_a_row_that_could_be_two_of_the_class_is_refused(collect, tmp_path):
    (tmp_path / "roster.csv").write_text(CLASS.replace("Zhang,\n", "Zhang,wei@uni.example\n"), encoding="utf-8")
    status, _, err = collect({OF_MOODLE.format("W Z"): NOTEBOOK}, f"{WORKSHEET}Participant 7,W Z,wei@uni.example\n")
    assert (status, laid(tmp_path)) == (2, [])
    assert "s003 and s002 could be the same row of the roster" in err
