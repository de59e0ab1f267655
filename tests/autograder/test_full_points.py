"""A task that proved faulty gives its points to all who handed in, as long as the class's table says so."""

import pytest
from autumn import OWN, TABLE, scores
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory

from autograder import folders
from autograder.__main__ import main
from autograder.settings import Log, configured

FAULTY = TABLE.replace("weight = 1,", 'weight = 1, full_points = ["centred"],')


def test_all_have_the_points_until_the_table_changes_again_and_nothing_is_judged_again(graded_autumn, capsys):
    before = scores(graded_autumn)
    page, report = (f"grades/{path}{OWN}.html" for path in (f"feedback/cleo/{OWN}/", "report/"))
    note = "Everybody has all points of “Task 1: take off the mean”, whatever was written."
    assert before["cleo"][0] < before["ada"][0]
    for table, cleo in {FAULTY: before["ada"], TABLE: before["cleo"]}.items():
        (graded_autumn / folders.TABLE).write_text(table)
        assert main(["grade", "submitted"]) == 0
        assert "3 submissions, 0 judged now" in capsys.readouterr().out
        assert scores(graded_autumn) == before | {"cleo": cleo}
        assert (note in (graded_autumn / page).read_text(encoding="utf-8")) == (table == FAULTY)
        assert main(["report"]) == 0
        assert "or the gradebook was edited" not in (graded_autumn / report).read_text(encoding="utf-8")
        assert main(["syllabus"]) == 0
        assert (f"All who hand in {OWN} have all points of centred." in capsys.readouterr().out) == (table == FAULTY)


def test_nbgraders_own_command_gives_them_too(graded_autumn):
    before = scores(graded_autumn)
    (graded_autumn / folders.TABLE).write_text(FAULTY)
    config, log = configured(graded_autumn, graded_autumn / "grades"), Log().logger
    config.CourseDirectory.assignment_id, config.Autograde.force = OWN, True
    Autograde(coursedir=CourseDirectory(config=config, log=log), config=config, log=log).start()
    assert scores(graded_autumn) == before | {"cleo": before["ada"]}


@pytest.mark.parametrize("command", [["syllabus"], ["grade", "submitted"]])
def test_a_task_that_there_is_not_has_no_points_to_give(graded_autumn, capsys, command):
    (graded_autumn / folders.TABLE).write_text(FAULTY.replace("centred", "centered"))
    assert main(command) == 2
    assert f"the full_points of {OWN} name 'centered', expected some of centred." in capsys.readouterr().err
