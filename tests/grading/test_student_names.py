"""Whatever a student's folder is called: it is graded, or named with a reason; nobody else is left ungraded."""

import csv
import json
import os
import shutil
from pathlib import Path

import pytest
from small_course import NAME

from autograder.gradebook.penalties import Penalties
from autograder.notebook_files.which_notebook import ITSELF
from autograder.submissions.student_names import alike
from autograder.submissions.submitted_files import UNNAMED, LeftOut, submissions_below
from tests.gradebooks import dump, opened


@pytest.fixture
def grade(command):
    """Grades the class with the command: exit status, who was graded, and what was said."""

    def grade(folder, *options):
        status, out, err = command("grade", folder, "--seed", "7", *options)
        return status, out, err.replace("\r", "\n")

    return grade


def graded(out):
    return [line.split()[0] for line in out.splitlines() if NAME in line]


UNPRINTABLE = "its name has characters that cannot be printed"
UNFIT = {
    "b" * 251: "its name has 251 characters, at most 128 fit into a gradebook",
    "b" * 255: "its name has 255 characters, at most 128 fit into a gradebook",
    "ä" * 120: "its name has 240 bytes, at most 200 fit into the names of files",
    os.fsdecode(b"b\xff"): "its name is not UTF-8",
    os.fsdecode("b\ud800".encode("utf-8", "surrogatepass")): "its name is not UTF-8",
    **dict.fromkeys(["b\nen", "b\ten", "b\x1b[31men"], UNPRINTABLE),
    ".cleo": "its name begins with a dot, like a hidden folder's",
    "<img src=x onerror=go()>": "its name has < >, which a page would take for its own code",
    'b"en\\': 'its name has " \\, which a page would take for its own code',
}


def test_names_that_nothing_can_be_called_by_cost_their_owners_alone(hand_in, solved, grade, tmp_path):
    status, _, err = grade(hand_in("b\nen", solved))
    assert (status, "no submissions in " in err) == (2, True)
    assert rf"Left out 'b\nen': {UNPRINTABLE}; rename the folder." in err
    (tmp_path / "class" / "ada" / "hw4").mkdir(parents=True)
    (tmp_path / "class" / "ada" / "hw4" / "mine.ipynb").write_text("{}")
    assert f"Not an exercise of the course: ada/hw4; it has {NAME}." in grade(tmp_path / "class")[2]
    folder = hand_in(["ada", *UNFIT, "zoe"], solved)
    status, out, err = grade(folder)
    assert status == 1
    assert graded(out) == ["ada", "zoe"]
    left_out = [work for work in submissions_below(folder) if isinstance(work, LeftOut)]
    assert {work.path: work.reason.removesuffix("; rename the folder") for work in left_out} == UNFIT
    lines = sorted(line for line in err.splitlines() if "left out" in line)
    assert lines == sorted(f"grade: left out {work}." for work in left_out)
    for name in UNFIT:
        assert any(name[:40] in str(work) for work in left_out) == name.isprintable()
    assert not {"\x1b", "\t"} & set(out + err)
    assert json.loads(grade(folder, "--json")[1])["left_out"] == [str(work) for work in left_out]


FORMULAS = ["=1+1", "+ben", "@sum", "-x"]
OTHERS = ["_ben", "=ben", "@ben", "-ben", "b en", "ä" * 100, "王小明", *FORMULAS]


def test_other_names_are_graded_and_spreadsheets_get_them_as_text(hand_in, solved, grade, command, tmp_path):
    status, out, _ = grade(hand_in(OTHERS, solved))
    assert status == 0
    assert [name for name in OTHERS if f"\n{name} " not in out] == []
    for system in ("csv", "canvas", "moodle", "gradescope"):
        assert command("export", "--to", system)[0] == 0
        tables = list((tmp_path / "grades" / "exports").rglob("*.csv"))
        lines = [line for table in tables for line in table.read_text("utf-8-sig").splitlines()]
        shutil.rmtree(tmp_path / "grades" / "exports")
        cells = {cell for row in csv.reader(lines) for cell in row}
        assert {f"'{name}" for name in FORMULAS} <= cells, system
        assert not set(FORMULAS) & cells, system


def test_links_and_files_in_the_place_of_work_are_told(hand_in, solved, grade, tmp_path):
    folder = hand_in("ada", solved)
    (tmp_path / "elsewhere" / NAME).mkdir(parents=True)
    for student in ("fay", "gil"):
        (folder / student).mkdir()
    for place, target in (("dan", "elsewhere"), ("eve", "nowhere"), (f"fay/{NAME}", f"elsewhere/{NAME}")):
        (folder / place).symlink_to(tmp_path / target)
    lying = (f"gil/{NAME}", "hal/answers.pdf", "ida/mine.ipynb", "zoe.ipynb", f"kim/{NAME}/x", f"kim/{NAME}.ipynb")
    for place in map(folder.joinpath, lying):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    shutil.copytree(folder / "ada" / NAME, folder / "leo")
    shutil.copytree(folder / "leo", folder / "max" / f"{NAME} (1)")
    status, out, err = grade(folder)
    assert (status, graded(out)) == (1, ["ada", "kim", "leo"])
    assert [line for line in err.splitlines() if "left out" in line] == [
        "grade: left out 'dan': it is a link, expected a folder.",
        "grade: left out 'eve': it is a link, expected a folder.",
        f"grade: left out 'fay/{NAME}': it is a link, expected a folder.",
        f"grade: left out 'gil/{NAME}': it is a file, expected a folder.",
        f"grade: left out 'hal': it holds no notebook, only 'answers.pdf': {ITSELF}.",
        f"grade: left out 'ida/mine.ipynb': {UNNAMED}.",
        f"grade: left out 'kim/{NAME}.ipynb': there is a folder {NAME} too, which counts; put it there, or remove it.",
        f"grade: left out 'max/{NAME} (1)': its notebook is of {NAME}; rename the folder to that.",
        "grade: left out 'zoe.ipynb': it is a file, expected a student's folder.",
    ]


def test_what_holds_no_submission_is_nobodys_and_a_time_that_overflows_costs_nothing(hand_in, solved, grade):
    hand_in("ben", "0001-01-01 00:00:00 Asia/Tokyo", name="timestamp.txt")
    folder = hand_in(["ada", "ben"], solved)
    for name in (".git/hooks", "__MACOSX/ada", ".ipynb_checkpoints"):
        (folder / name).mkdir(parents=True)
    (folder / "README.md").touch()
    (folder / "ada" / "notes.txt").touch()
    status, out, err = grade(folder)
    assert (status, graded(out)) == (0, ["ada", "ben"])
    assert "left out" not in err


def refuse(path):
    raise PermissionError(13, "Permission denied", str(path))


def test_a_folder_that_cannot_be_read_is_told(hand_in, solved, monkeypatch):
    folder = hand_in(["ada", "ben"], solved)
    listed = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda path: refuse(path) if path.name == "ben" else listed(path))
    readable, unreadable = submissions_below(folder)
    assert readable.student == "ada"
    assert unreadable == LeftOut("ben", "it cannot be read (Permission denied)")


LOOKALIKES = ["Ada", "\N{CYRILLIC SMALL LETTER A}da", "ａda", "adа"]
FORMS = ("Zo\u00e9", "Zoe\u0301")  # of Unicode


def test_names_that_look_alike_are_graded_and_told(hand_in, solved, grade):
    names = ["ada", *LOOKALIKES, *FORMS]
    assert [sorted(group) for group in alike(["ben", *names])] == [sorted(names[:-2]), sorted(FORMS)]
    status, out, err = grade(hand_in(names, solved))
    assert (status, len(graded(out))) == (1, len(names) - 1)
    assert f"{FORMS[0]!r}: another folder's name looks the same, {FORMS[0]!r}; rename the folder." in err
    assert err.count("look alike, and are graded as different learners") == 1


ERRORS = [OverflowError("date value out of range"), UnicodeEncodeError("utf-8", "x", 0, 1, "no")]


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_while_grades_are_entered_names_its_learner_of_whom_nothing_is_entered_and_stops_nobody(
    hand_in, solved, grade, monkeypatch, tmp_path, error
):
    folder = hand_in(["ada", "ben", "zoe"], solved)

    def fails(penalties, student, row):
        if student == "ben":
            raise error

    with monkeypatch.context() as patch:
        patch.setattr(Penalties, "of", fails)
        status, out, err = grade(folder)
    book = tmp_path / "grades" / "gradebook.db"
    with opened(book.parent) as gradebook:
        assert sorted(student.id for student in gradebook.students) == ["ada", "zoe"]
    assert [*dump(book)] == [NAME, f"{NAME}/ada", f"{NAME}/zoe"]
    assert status == 1
    assert [line.split()[2] for line in out.splitlines() if NAME in line] == ["ok", "infrastructure", "ok"]
    assert type(error).__name__ in out
    assert "not graded (internal error): ben;" in err
    assert grade(folder)[0] == 0
    assert len(dump(book)) == 4
