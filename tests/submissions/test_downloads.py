"""Downloads of Canvas, Moodle and Gradescope: whose each file is, of which assignment, which attempt counts."""

import datetime
import json

import pytest
from downloads import NOTEBOOK, inner, laid

from autograder.errors import UsageError
from autograder.submissions.students import Roster

METADATA = """---
submission_111:
  :submitters:
  - :name: Ada Lovelace
    :sid: '1234'
    :email: ada@example.org
  :created_at: 2026-11-18 21:30:00.250000000 Z
  :score: 0.0
  :history: []
submission_222:
  :submitters:
  - :name: Ben O'Neil
    :sid:
    :email: ben@example.org
  - :name: Cy Young
    :sid: '77'
    :email: cy@example.org
  :created_at: 2026-11-19 01:00:00.000000000 +02:00
"""


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("lovelaceada_1234_56789_05_scorers.ipynb", "lovelaceada"),
        ("lovelaceada_LATE_1234_56789_05_scorers-2.ipynb", "lovelaceada"),
        ("o_neilben_1234_56789_05_scorers.ipynb", "o_neilben"),
        ("user12_1234_56789_05_scorers.ipynb", "user12"),
        ("anon_x7Yz1_56789_05_scorers.ipynb", "anon_x7Yz1"),
        ("LATE_anon_x7Yz1_56789_05_scorers.ipynb", "anon_x7Yz1"),
        ("lovelaceada_1234_56789_05_scorers (1).ipynb", "lovelaceada"),
        ("lovelaceada_1234_56789_05_scorers-Copy1.ipynb", "lovelaceada"),
        ("lovelaceada_1234_56789_Copy of 05_Scorers.ipynb", "lovelaceada"),
        ("submissions/müllerjürgen_1_2_05_scorers.ipynb", "müllerjürgen"),
    ],
)
def test_canvas_names_are_understood(got, tmp_path, name, student):
    result = got({name: NOTEBOOK}, "canvas")
    assert [(one.student, one.assignment) for one in result.submissions] == [(student, "05_scorers")]
    assert laid(tmp_path) == [f"{student}/05_scorers/05_scorers.ipynb"]


@pytest.mark.parametrize(
    "name",
    [
        "Ada Lovelace_123456_assignsubmission_file_/05_scorers.ipynb",
        "Ada Lovelace_123456_assignsubmission_file/05_scorers.ipynb",
        "Ada Lovelace_123456_assignsubmission_file_/work/05_scorers (2).ipynb",
        "Ada Lovelace_123456_assignsubmission_file_05_scorers.ipynb",
    ],
)
def test_moodle_names_are_understood(got, tmp_path, name):
    got({name: NOTEBOOK}, "moodle")
    assert laid(tmp_path) == ["Ada_Lovelace/05_scorers/05_scorers.ipynb"]


def test_moodle_texts_are_left_out(got):
    result = got({"Ada Lovelace_1_assignsubmission_onlinetext_/onlinetext.html": b"<p>"}, "moodle")
    assert result.left_out == [("Ada Lovelace_1_assignsubmission_onlinetext_/onlinetext.html", "it is not a notebook")]


def test_gradescope_metadata_say_who_and_when(got, tmp_path):
    files = {
        "assignment_9_export/submission_metadata.yml": METADATA,
        "assignment_9_export/submission_111/05_scorers.ipynb": NOTEBOOK,
        "assignment_9_export/submission_222/sub/06_decoders.ipynb": NOTEBOOK,
    }
    result = got(files)
    assert result.lms == "gradescope"
    assert [(one.student, one.time) for one in result.submissions] == [
        ("1234", "2026-11-18 21:30:00.250000 UTC"),
        ("77", "2026-11-18 23:00:00.000000 UTC"),
        ("ben@example.org", "2026-11-18 23:00:00.000000 UTC"),
    ]
    stamp = tmp_path / "submitted" / "1234" / "05_scorers" / "timestamp.txt"
    assert stamp.read_text() == "2026-11-18 21:30:00.250000 UTC\n"


def test_a_file_outside_all_folders_may_be_named_too(got, tmp_path):
    got({"submission_metadata.yml": "'': {':submitters': [{':sid': '7'}]}", "05_scorers.ipynb": NOTEBOOK}, "gradescope")
    assert laid(tmp_path) == ["7/05_scorers/05_scorers.ipynb"]


def test_nbgrader_and_our_reader_take_the_timestamp(got, tmp_path):
    from nbgrader.utils import parse_utc

    from autograder.submissions.submitted_files import collected

    got({"submission_metadata.yml": METADATA, "submission_111/05_scorers.ipynb": NOTEBOOK})
    (handed,) = collected(tmp_path / "submitted")
    assert parse_utc(handed.timestamp) == datetime.datetime(2026, 11, 18, 21, 30, 0, 250000)
    assert handed.notes == ()


@pytest.mark.parametrize(
    "text", ["", "[1, 2]", "a: [", "a: &x [*x]", "submission_111: 3", "submission_111: {':submitters': 5}", "\x00"]
)
def test_strange_metadata_is_one_line_and_never_a_traceback(got, text):
    files = {"submission_metadata.yml": text, "submission_111/05_scorers.ipynb": NOTEBOOK}
    said = ""
    try:
        result = got(files, "gradescope")
    except UsageError as error:
        said = str(error)
    else:
        said = result.left_out[0][0]
    assert said.startswith(("submission_metadata.yml", "submission_111/05_scorers.ipynb"))
    assert "\n" not in said


def test_metadata_that_a_learner_handed_in_is_not_believed(got):
    forged = METADATA.replace("1234", "77")
    files = {
        "x/submission_111/submission_metadata.yml": forged,
        "x/submission_111/05_scorers.ipynb": NOTEBOOK,
        "x/submission_metadata.yml": METADATA,
    }
    assert [one.student for one in got(files).submissions] == ["1234"]


def test_a_name_within_a_learners_zip_makes_nobody_else(got):
    forged = inner({"boris_1_2_05_scorers.ipynb": NOTEBOOK, "submission_metadata.yml": METADATA})
    result = got({"eve_66_99_work.zip": forged, "ada_1_2_05_scorers.ipynb": NOTEBOOK})
    assert result.lms == "canvas"
    assert [one.student for one in result.submissions] == ["ada"]


def test_zips_within_the_zip_are_opened(got, tmp_path):
    got({"lovelaceada_1_2_work.zip": inner({"a/05_scorers.ipynb": NOTEBOOK})})
    assert laid(tmp_path) == ["lovelaceada/05_scorers/05_scorers.ipynb"]


def test_a_folder_that_was_unpacked_is_read_too(got, tmp_path):
    folder = tmp_path / "download"
    folder.mkdir()
    (folder / "lovelaceada_1_2_05_scorers.ipynb").write_bytes(NOTEBOOK)
    (folder / "lovelaceada_1_3_06_decoders.ipynb").symlink_to("/etc/passwd")
    result = got(folder)
    assert laid(tmp_path) == ["lovelaceada/05_scorers/05_scorers.ipynb"]
    assert result.left_out == [("lovelaceada_1_3_06_decoders.ipynb", "it is a link or a device, not a file")]


@pytest.mark.parametrize(
    "names",
    [
        ("ada_1_20_05_scorers.ipynb", "ada_1_30_05_scorers.ipynb"),
        ("ada_1_20_05_scorers-1.ipynb", "ada_1_20_05_scorers-2.ipynb"),
        ("ada_1_20_05_scorers-9.ipynb", "ada_1_20_05_scorers-10.ipynb"),
        ("ada_1_9_05_scorers-3.ipynb", "ada_LATE_1_10_05_scorers.ipynb"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_the_last_attempt_counts_and_is_told(got, tmp_path, names, turned):
    files = {names[0]: b"first", names[1]: b"last"}
    result = got(dict(reversed(files.items())) if turned else files)
    assert (tmp_path / "submitted/ada/05_scorers/05_scorers.ipynb").read_bytes() == b"last"
    assert result.left_out == [(names[0], "an earlier attempt")]
    assert any("2 attempts at 05_scorers" in note and names[1] in note for note in result.notes)


def test_the_later_time_counts_whatever_the_number(got, tmp_path):
    text = METADATA.replace(":name: Ben O'Neil\n    :sid:", ":name: Ada Lovelace\n    :sid: '1234'")
    text = text.replace("2026-11-18 21:30", "2026-11-20 21:30")
    files = {
        "submission_metadata.yml": text,
        "submission_111/05_scorers.ipynb": b"later",
        "submission_222/05_scorers.ipynb": b"earlier",
    }
    got(files)
    assert (tmp_path / "submitted/1234/05_scorers/05_scorers.ipynb").read_bytes() == b"later"


def test_a_notebook_says_itself_which_assignment_it_is(got, tmp_path):
    text = json.dumps({"cells": [], "metadata": {"course": {"assignment": "06_decoders"}}})
    got({"ada_1_2_final really.ipynb": text})
    assert laid(tmp_path) == ["ada/06_decoders/06_decoders.ipynb"]


@pytest.mark.parametrize("data", [NOTEBOOK, b"\xff", b"[" * 100_000, b'{"metadata": {"course": {"assignment": [1]}}}'])
def test_a_notebook_of_no_assignment_is_left_out(got, data):
    result = got({"ada_1_2_essay.ipynb": data})
    assert result.submissions == []
    assert result.left_out == [("ada_1_2_essay.ipynb", "it is none of 05_scorers, 06_decoders")]


def test_an_assignment_can_be_said(got, tmp_path):
    got({"ada_1_2_essay.ipynb": NOTEBOOK}, assignment="06_decoders")
    assert laid(tmp_path) == ["ada/06_decoders/06_decoders.ipynb"]


def test_a_longer_assignments_name_is_not_a_copy_of_a_shorter_one(got, tmp_path):
    got({"ada_1_2_05_scorers_2.ipynb": NOTEBOOK}, assignments=("05_scorers", "05_scorers_2"))
    assert laid(tmp_path) == ["ada/05_scorers_2/05_scorers_2.ipynb"]


def test_two_of_one_name_are_kept_apart(got, tmp_path):
    files = {"smithann_1_2_05_scorers.ipynb": b"one", "smithann_7_3_05_scorers.ipynb": b"other"}
    result = got(files)
    assert [one.student for one in result.submissions] == ["smithann_1", "smithann_7"]
    assert any("several are called smithann" in note for note in result.notes)


def test_a_different_submission_is_kept_unless_told(got, tmp_path):
    got({"ada_1_2_05_scorers.ipynb": b"old"})
    target = tmp_path / "submitted/ada/05_scorers/05_scorers.ipynb"
    assert got({"ada_1_2_05_scorers.ipynb": b"old"}).submissions[0].outcome == "unchanged"
    assert got({"ada_1_9_05_scorers.ipynb": b"new"}).submissions[0].outcome == "kept"
    assert target.read_bytes() == b"old"
    assert got({"ada_1_9_05_scorers.ipynb": b"new"}, replace=True).submissions[0].outcome == "replaced"
    assert target.read_bytes() == b"new"


def test_a_replaced_submission_does_not_keep_the_old_time(got, tmp_path):
    got({"submission_metadata.yml": METADATA, "submission_111/05_scorers.ipynb": b"old"})
    got({"1234_1_2_x.ipynb": b""})
    got({"x1234_1234_2_05_scorers.ipynb": b"new"}, replace=True, roster=Roster([{"student_id": "1234"}]))
    assert laid(tmp_path) == ["1234/05_scorers/05_scorers.ipynb"]


def test_late_by_canvas_is_told(got):
    result = got({"ada_LATE_1_2_05_scorers.ipynb": NOTEBOOK, "ben_2_3_05_scorers.ipynb": NOTEBOOK})
    assert "late according to Canvas: ada." in result.untimed
    assert "no time of submission is known for 2 of 2" in result.untimed
