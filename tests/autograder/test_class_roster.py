"""Who is in a class: its roster, in whatever form, and the people of its gradebook."""

import shutil

import pytest
from autumn import TABLE, people
from small_course import ROOT

from autograder import folders
from autograder.__main__ import main
from tests.gradebooks import opened


def test_the_class_has_its_own_roster(autumn, tmp_path, capsys):
    (autumn / "roster.csv").write_text("student_id,first_name,last_name,email\nal815,Ada,Lovelace,ada@example.org\n")
    download = tmp_path / "download"
    download.mkdir()
    notebook = (ROOT / "exercises" / "05_scorers" / "05_scorers.ipynb").read_bytes()
    (download / "lovelaceada_1234_56789_05_scorers.ipynb").write_bytes(notebook)
    assert main(["collect", str(download)]) == 0
    assert (autumn / "submitted" / "al815" / "05_scorers" / "05_scorers.ipynb").read_bytes() == notebook


def test_everybody_on_the_roster_is_in_the_gradebook_by_name(graded_autumn):
    """However the names are written; a learner who is on no roster stays, and names that change are entered again."""
    roster = graded_autumn / "roster.csv"
    roster.write_text("student_id,first_name,last_name,email\nada,Ada,Lovelace,ada@example.org\ndora,Dora,Maar,\n")
    assert main(["grade", "submitted"]) == 0
    assert people(graded_autumn) == {"ada": "Lovelace, Ada", "ben": None, "cleo": None, "dora": "Maar, Dora"}
    roster.write_text('Student,ID,SIS Login ID\n"Countess, Ada<script>go()</script>",4321,ada\nBen van Dyke,,ben\n')
    assert main(["grade", "submitted"]) == 0
    with opened(graded_autumn / "grades") as gradebook:
        assert gradebook.find_student("ada").lms_user_id == "4321"  # by which exports know her too
    ada = "Countess, Ada‹script›go()‹/script›"  # formgrader writes names into its pages as they are
    assert people(graded_autumn) == {"ada": ada, "ben": "Dyke, Ben van", "cleo": None, "dora": "Maar, Dora"}


def test_a_folder_made_by_hand_with_the_id_itself_is_that_persons(graded_autumn):
    """Whether it is there from the beginning or comes later; nobody is in the gradebook twice."""
    roster = graded_autumn / "roster.csv"
    roster.write_text("student_id,first_name,last_name\n\"O'Neil, Jo\",Jo,O'Neil\nO_Neil Jo,Joan,O'Neill\nada,Ada,L\n")
    assert main(["grade", "submitted"]) == 0
    assert people(graded_autumn).keys() == {"ada", "ben", "cleo", "O_Neil_Jo"}
    for student in ("O'Neil, Jo", "O_Neil Jo"):
        shutil.copytree(graded_autumn / "submitted" / "ada", graded_autumn / "submitted" / student)
    assert main(["grade", "submitted"]) == 0
    known = people(graded_autumn)
    assert (known["O'Neil, Jo"], known["O_Neil Jo"], len(known)) == ("O'Neil, Jo", "O'Neill, Joan", 5)
    assert main(["grade", "submitted"]) == 0
    assert people(graded_autumn) == known


def test_who_is_not_on_the_roster_is_named_with_who_may_be_meant(graded_autumn, capsys):
    (graded_autumn / "roster.csv").write_text("student_id,first_name\nadda,Ada\nben,Ben\ncleo,Cleo\n")
    (graded_autumn / folders.TABLE).write_text(TABLE.replace("ben.", "bem."), encoding="utf-8")
    extended = "more time in class.toml for people who are not on roster.csv: bem (did you mean ben?).\n"
    submitted = graded_autumn / "submitted"
    shutil.copytree(submitted / "cleo", submitted / "cleo2")  # who left; cleo is not meant
    assert main(["syllabus"]) == 0
    assert capsys.readouterr().err == f"syllabus: {extended}"
    assert main(["grade", "submitted"]) == 0
    shown = capsys.readouterr().err
    assert f"grade: {extended}" in shown
    assert shown.endswith("grade: graded, but not on roster.csv: ada (did you mean adda?), cleo2.\n")
    assert main(["build", "--variant", "x9", "--for", "clio", "--output", "clio"]) == 2
    assert "clio (did you mean cleo?) is not on roster.csv" in capsys.readouterr().err
    assert not (graded_autumn / "variants.json").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Name,Mail\nAda,ada@example.org\n", "it has name, mail."),
        ("", "it has nothing."),
        ("ada,Ada,Lovelace\n", "it has ada, ada, lovelace."),
        (
            "student_id,name\nada,Ada Lovelace\nben,Ben\nada,Ada Byron\n",
            "has ada in the rows 2 and 4, for Ada Lovelace and Ada Byron: give each an id of their own",
        ),
    ],
)
def test_a_roster_that_does_not_say_who_is_who_is_refused_by_all_alike(graded_autumn, tmp_path, capsys, text, message):
    (graded_autumn / "roster.csv").write_text(text)
    (tmp_path / "download").mkdir()
    for line in (["syllabus"], ["grade", "submitted"], ["collect", str(tmp_path / "download")]):
        assert main(line) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("again", "message"),
    [("STUDENT ID,First_Name,last name\n", ""), ("first_name,student_id,last_name\n", "another order")],
)
def test_two_lists_pasted_together_are_one_or_refused(graded_autumn, capsys, again, message):
    roster = graded_autumn / "roster.csv"
    roster.write_text(f"student_id,first_name,last_name\nada,Ada,L\n\n{again}ben,Ben,M\n")
    assert main(["grade", "submitted"]) == (2 if message else 0)
    assert message in capsys.readouterr().err
    assert message or people(graded_autumn) == {"ada": "L, Ada", "ben": "M, Ben", "cleo": None}
