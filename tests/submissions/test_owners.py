"""What lies within a submission is its submitter's, whatever it is called."""

import pytest
from downloads import NOTEBOOK, inner

from autograder.submissions.downloads import owner

CANVAS, MOODLE = "mallory_66_99_", "Mallory M_66_assignsubmission_file_"
METADATA = """
submission_5:
  ':submitters': [{':name': Ada, ':sid': ada, ':email': ada@example.org}]
  ':created_at': 2026-11-18 21:30:00 Z
"""
PRETENDED = ("ada_1_2_05_scorers.ipynb", "Ada_1_assignsubmission_file_05_scorers.ipynb")
FOLDERS = (
    "ada_1_2_work/05_scorers.ipynb",
    "Ada_1_assignsubmission_file_/05_scorers.ipynb",
    "submission_5/05_scorers.ipynb",
)


@pytest.mark.parametrize("lms", ["", "canvas", "moodle"])
@pytest.mark.parametrize("name", [*PRETENDED, *FOLDERS])
def test_a_member_of_a_zip_is_its_submitters(got, name, lms):
    forged = inner({name: NOTEBOOK, "submission_metadata.yml": METADATA.encode()})
    for outer in (f"{CANVAS}work.zip", f"{MOODLE}work.zip", f"{MOODLE}/work.zip"):
        students = {one.student for one in got({outer: forged}, lms).submissions}
        assert students <= {"mallory", "Mallory_M"}, outer


@pytest.mark.parametrize("name", PRETENDED)
def test_a_file_is_its_submitters(got, name):
    for outer in (f"{CANVAS}{name}", f"{MOODLE}{name}", f"{MOODLE}/{name}"):
        assert {one.student for one in got({outer: NOTEBOOK}).submissions} <= {"mallory", "Mallory_M"}, outer


def test_metadata_within_a_moodle_submission_make_it_no_gradescope_download(got):
    files = {
        f"{MOODLE}/submission_metadata.yml": METADATA,
        f"{MOODLE}/work.zip": inner({"submission_5/05_scorers.ipynb": NOTEBOOK}),
        "Ben B_7_assignsubmission_file_/05_scorers.ipynb": NOTEBOOK,
    }
    result = got(files)
    assert result.lms == "moodle"
    assert [one.student for one in result.submissions] == ["Ben_B", "Mallory_M"]


def test_one_zip_of_moodles_names_does_not_turn_a_class_of_canvas(got):
    forged = {f"Ada_{number}_assignsubmission_file_05_scorers.ipynb": NOTEBOOK for number in range(20)}
    forged = inner({**forged, "05_scorers.ipynb": NOTEBOOK})
    files = {"ada_1_2_05_scorers.ipynb": NOTEBOOK, "ben_2_3_05_scorers.ipynb": NOTEBOOK, f"{CANVAS}x.zip": forged}
    assert [one.student for one in got(files).submissions] == ["ada", "ben", "mallory"]


def test_a_text_typed_into_moodle_is_not_searched_for_other_names(got):
    typed = "Mallory M_66_assignsubmission_onlinetext_/Ada_1_assignsubmission_file_/05_scorers.ipynb"
    result = got({typed: NOTEBOOK, "Ben B_7_assignsubmission_file_/05_scorers.ipynb": NOTEBOOK})
    assert [one.student for one in result.submissions] == ["Ben_B"]
    assert result.without == ["Mallory M (66)"]


@pytest.mark.parametrize(
    ("parts", "whose"),
    [
        (("ada_1_2_x.ipynb",), "ada (1)"),
        (("all", "ada_LATE_1_2_x.ipynb"), "ada (1)"),
        (("anon_x7_2_x.ipynb",), "anon_x7"),
        (("Ada L_5_assignsubmission_file_", "x.ipynb"), "Ada L (5)"),
        (("export", "submission_5", "x.ipynb"), "submission_5"),
        (("export", "submission_metadata.yml"), ""),
        (("work.zip", "ada_1_2_x.ipynb"), ""),
        (("ada_1_2_x_3_assignsubmission_file_y.ipynb",), "ada (1)"),
    ],
)
def test_the_outermost_name_says_whose_it_is(parts, whose):
    assert owner(parts) == whose
