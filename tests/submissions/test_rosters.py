"""Rosters: who is behind the names of a download."""

import pytest
from downloads import NOTEBOOK

from autograder.errors import UsageError
from autograder.submissions.students import Roster

CANVAS_ROSTER = 'Student,ID,SIS User ID,SIS Login ID,Section\n"Lovelace, Ada",1234,s1,al1,A\n"Smith, Ann",7,s2,as2,A\n'
MOODLE_ROSTER = (
    "Identifier,Full name,Email address,Last modified (submission)\n"
    'Participant 123456,Ada Lovelace,ada@example.org,"Wednesday, 18 November 2026, 9:30 PM"\n'
)


@pytest.fixture
def roster(tmp_path):
    def roster(text):
        (tmp_path / "roster.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
        return Roster.read(tmp_path / "roster.csv")

    return roster


@pytest.mark.parametrize("name", ["lovelaceada_1234_9_05_scorers.ipynb", "lovelaceada_99_9_05_scorers.ipynb"])
def test_canvas_gradebook_is_a_roster_by_number_or_name(got, roster, name):
    assert got({name: NOTEBOOK}, roster=roster(CANVAS_ROSTER)).submissions[0].student == "al1"


@pytest.mark.parametrize("name", ["Ada Lovelace", "Participant"])
def test_moodles_worksheet_is_a_roster_and_knows_the_time(got, roster, name):
    result = got({f"{name}_123456_assignsubmission_file_/05_scorers.ipynb": NOTEBOOK}, roster=roster(MOODLE_ROSTER))
    (one,) = result.submissions
    assert (one.student, one.time) == ("ada@example.org", "2026-11-18 21:30:00.000000 UTC")


def test_who_is_not_in_the_roster_is_kept_and_told(got, roster):
    result = got({"eve_5_9_05_scorers.ipynb": NOTEBOOK}, roster=roster(CANVAS_ROSTER))
    assert result.submissions[0].student == "eve"
    assert "eve: the roster does not have this name or number; kept as eve." in result.notes


def test_whom_the_roster_has_twice_is_not_guessed(got, roster):
    text = "student_id,name\nann1,Ann Smith\nann2,Ann Smith\n"
    result = got({"annsmith_5_9_05_scorers.ipynb": NOTEBOOK}, roster=roster(text))
    assert result.submissions[0].student == "annsmith"
    assert any("ann1, ann2" in note for note in result.notes)


def test_numbers_in_other_columns_make_nobody(got, roster):
    text = "student_id,name,score\nada,Ada,77\n"
    assert got({"eve_77_9_05_scorers.ipynb": NOTEBOOK}, roster=roster(text)).submissions[0].student == "eve"


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", b"\xff\xfe\x00", "\x00"])
def test_a_roster_without_names_is_one_line(roster, text):
    with pytest.raises(UsageError, match="has no column with the students' names") as caught:
        roster(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["student_id;name\nada;Ada L\n", "\ufeffstudent_id\tname\nada\tAda L\n"])
def test_a_roster_may_be_cut_by_semicolons_or_tabs(roster, text):
    assert roster(text).find(["adal"]).student == "ada"
