"""Who hands in too much, or under a name that no disk takes, is named and left out; the others are collected."""

import errno
import os

import pytest
from downloads import NOTEBOOK, inner, laid

from autograder.__main__ import main
from autograder.errors import UsageError
from autograder.submissions import archive, lms_import
from autograder.submissions.students import Roster

OTHERS = {"ada_1_2_05_scorers.ipynb": NOTEBOOK, "zoe_9_9_05_scorers.ipynb": NOTEBOOK}


def students(result):
    return [one.student for one in result.submissions]


def test_a_zip_of_many_files_costs_its_learner_alone(got, monkeypatch):
    many = inner({f"{number}.txt": b"" for number in range(archive.MAX_FILES + 1)})
    result = got({"eve_5_5_work.zip": many, **OTHERS})
    assert students(result) == ["ada", "zoe"]
    assert result.without == ["eve (5)"]
    assert result.left_out == [
        ("eve_5_5_work.zip", "eve (5) has more than 5000 files; it and those after it are left out")
    ]


def test_many_files_in_a_folder_are_told_in_one_line(got, monkeypatch):
    monkeypatch.setattr(archive, "MAX_FILES", 5)
    files = {f"Eve_5_assignsubmission_file_/{number}.ipynb": NOTEBOOK for number in range(20)}
    result = got({**files, "Ada_1_assignsubmission_file_/05_scorers.ipynb": NOTEBOOK})
    assert students(result) == ["Ada"]
    told = [name for name, reason in result.left_out if "more than 5 files" in reason]
    assert told == ["Eve_5_assignsubmission_file_/5.ipynb"]


def test_a_zip_in_a_zip_counts_for_the_same_learner(got, monkeypatch):
    monkeypatch.setattr(archive, "MAX_FILES", 30)
    half = inner({f"{number}.txt": b"" for number in range(20)})
    result = got({"eve_5_5_work.zip": inner({"a.zip": half, "b.zip": half, "05_scorers.ipynb": NOTEBOOK}), **OTHERS})
    assert students(result) == ["ada", "zoe"]
    assert [name for name, _ in result.left_out if "eve" in name and name.count("/") == 0] == ["eve_5_5_work.zip"]


def test_much_data_costs_its_learner_alone(got, monkeypatch):
    monkeypatch.setattr(archive, "MAX_SUBMISSION", 3 * 2**20)
    big = inner({f"{number}.ipynb": bytes(2**20) for number in range(5)})
    result = got({"eve_5_5_work.zip": big, **OTHERS})
    assert students(result) == ["ada", "zoe"]
    assert [name for name, reason in result.left_out if "more than 3 MiB" in reason] == ["eve_5_5_work.zip"]


def test_a_download_over_the_total_leaves_no_later_learner_out(got, monkeypatch):
    monkeypatch.setattr(archive, "MAX_TOTAL", 4 * 2**20)
    big = inner({f"{number}.ipynb": bytes(2**20) for number in range(6)})
    files = {"aaa_5_5_work.zip": big, "aab_6_6_work.zip": big, **OTHERS}
    result = got(files)
    assert students(result) == ["ada", "zoe"]
    assert result.without == ["aaa (5)", "aab (6)"]


def test_what_is_left_out_leaves_nothing_on_the_disk(tmp_path, pack, monkeypatch):
    monkeypatch.setattr(archive, "MAX_FILES", 3)
    to = tmp_path / "taken"
    to.mkdir()
    inside = inner({"1.ipynb": NOTEBOOK, "a.zip": inner({f"{number}.txt": b"" for number in range(9)})})
    unpacking = archive.Unpacking(to, lambda name: name.endswith(".ipynb"), lambda parts: parts[0])
    unpacking.take(pack({"eve.zip": inside, "ada.ipynb": NOTEBOOK}))
    assert [file.name for file in unpacking.files] == ["ada.ipynb"]
    assert len(list(to.iterdir())) == 1


def test_a_name_of_a_thousand_folders_is_left_out(got):
    result = got({f"eve_5_5_work/{'a/' * 1000}05_scorers.ipynb": NOTEBOOK, **OTHERS})
    assert students(result) == ["ada", "zoe"]
    assert result.without == ["eve (5)"]


def test_a_learners_deep_folders_are_left_out(got, tmp_path):
    folder = tmp_path / "download"
    (folder / "eve_5_5_work" / "/".join("a" * 60)).mkdir(parents=True)
    (folder / "ada_1_2_05_scorers.ipynb").write_bytes(NOTEBOOK)
    result = got(folder)
    assert students(result) == ["ada"]
    assert "folders are nested more than 30 deep" in result.left_out[0][1]


@pytest.mark.parametrize("there", ["link", "file", "file within"])
def test_a_place_that_cannot_be_written_costs_its_learner_alone(got, tmp_path, there):
    place = tmp_path / "submitted" / "ada"
    place.parent.mkdir()
    if there == "link":
        (tmp_path / "elsewhere").mkdir()
        place.symlink_to(tmp_path / "elsewhere")
    elif there == "file":
        place.touch()
    else:
        place.mkdir()
        (place / "05_scorers").touch()
    result = got({**OTHERS, "lea_1_2_05_scorers.ipynb": NOTEBOOK})
    assert students(result) == ["lea", "zoe"]
    assert result.without == ["ada (1)"]
    assert any("submitted/ada/05_scorers cannot be written" in reason for _, reason in result.left_out)
    assert not (tmp_path / "elsewhere").exists() or list((tmp_path / "elsewhere").iterdir()) == []


def test_a_full_disk_is_one_line(got, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(lms_import, "_write", full)
    with pytest.raises(UsageError, match=r"submitted/ada/05_scorers cannot be written: No space left on device"):
        got(OTHERS)


def test_no_room_to_unpack_is_no_damaged_file(got, pack, monkeypatch):
    path, opened = pack(OTHERS), archive.Path.open

    def full(path, mode="r", *rest):
        if mode == "wb":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return opened(path, mode, *rest)

    monkeypatch.setattr(archive.Path, "open", full)
    with pytest.raises(UsageError, match=r"No space left on device; set TMPDIR to another folder"):
        got(path)


def test_long_names_in_any_alphabet_fit_and_stay_apart(got, tmp_path):
    long = "王" * 120
    result = got({f"{long}一_1_2_05_scorers.ipynb": b"one", f"{long}二_2_3_05_scorers.ipynb": b"other"})
    assert len({one.student for one in result.submissions}) == 2
    assert len(laid(tmp_path)) == 2


def test_two_of_the_roster_whose_names_make_one_folder_stay_apart(got, tmp_path):
    roster = Roster([{"student_id": "a b", "id": "1"}, {"student_id": "a_b", "id": "2"}])
    result = got({"x_1_2_05_scorers.ipynb": b"one", "y_2_3_05_scorers.ipynb": b"other"}, roster=roster)
    assert len(result.submissions) == 2
    assert "a_b" in students(result)


@pytest.mark.parametrize("name", ["=cmd()", "+1", "@sum", "-x", "\t=1", "＝1"])
def test_no_name_begins_a_formula(got, tmp_path, name):
    roster = Roster([{"student_id": name, "name": "ada"}])
    (one,) = got({"ada_1_2_05_scorers.ipynb": NOTEBOOK}, roster=roster).submissions
    assert one.student[0].isalnum()


@pytest.mark.parametrize("other", ["Ada", "\N{CYRILLIC SMALL LETTER A}da", "ad\N{GREEK SMALL LETTER ALPHA}", "ａda"])
def test_names_that_look_alike_are_told(got, other):
    result = got({"ada_1_2_05_scorers.ipynb": NOTEBOOK, f"{other}_7_3_05_scorers.ipynb": NOTEBOOK})
    assert len({one.student for one in result.submissions}) == 2
    assert any("look alike" in note or "several are called" in note for note in result.notes)


def test_a_name_like_one_that_was_collected_before_is_told(got):
    got({"ada_1_2_05_scorers.ipynb": NOTEBOOK})
    result = got({"\N{CYRILLIC SMALL LETTER A}da_7_3_05_scorers.ipynb": NOTEBOOK})
    assert any("'ada', 'аda' look alike" in note for note in result.notes)


@pytest.mark.parametrize(
    "time", ["0001-01-01 00:00:00 +09:00", "'0001-01-01T00:00:00+09:00'", "'9999-12-31T23:59:59-09:00'"]
)
def test_a_time_out_of_range_is_none(got, time):
    metadata = f"submission_1:\n  ':submitters': [{{':sid': ada}}]\n  ':created_at': {time}\n"
    assert students(got({"submission_metadata.yml": metadata, "submission_1/05_scorers.ipynb": NOTEBOOK})) == ["ada"]


def test_a_time_of_the_roster_out_of_range_is_none():
    roster = Roster([{"student_id": "ada", "submitted_at": "0001-01-01 00:00:00 +0900"}])
    assert roster.find(["ada"]).time is None


def test_somebody_left_out_is_exit_status_1_by_name(pack, tmp_path, capsys):
    path = pack({"ada_1_2_\x1b[31m.pdf": b"", "ben_3_4_05_scorers.ipynb": NOTEBOOK})
    assert main(["collect", str(path), "--to", str(tmp_path / "to")]) == 1
    out, err = capsys.readouterr()
    assert "collect: nothing was collected for ada (1)." in err
    assert "\x1b" not in out + err
