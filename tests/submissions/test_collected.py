"""Nothing in a download writes elsewhere, harms another learner or ends in a traceback, and the last attempt counts."""

import datetime
import errno
import os
import tempfile
from functools import partial
from pathlib import Path

import pytest
from downloads import ADA, METADATA, NAMES, NOTEBOOK, OTHERS, at, inner, laid, locked, many, students
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbgrader.utils import parse_utc

from autograder.__main__ import main
from autograder.collect import archive, lms_import
from autograder.collect.lms_import import Rules, collect
from autograder.errors import UsageError
from autograder.submissions.roster import Roster
from autograder.submissions.submitted_files import submissions_below

OF_FOLDERS = ("..", "...", "~", "CON", "a/../../b", "-rf", "\u202eevil", "\n", "a" * 300)
FORMULAS = ("=cmd()", "+1", "@sum", "-x", "\t=1", "＝1")
PIECES = (
    *("ada", "_", "1", "77", "LATE", "anon_x", "05_scorers", ".ipynb", ".zip", "/", "..", "\\", ":", " ", "-2", "(1)"),
    *("_assignsubmission_file_", "submission_5", "submission_metadata.yml", "é", "\u202e", "~", "$HOME", "\n"),
)
NAMED = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join)
ENTRIES = st.lists(st.tuples(NAMED, st.binary(max_size=40)), max_size=6)


def test_nbgrader_and_our_reader_take_the_timestamp_which_a_replaced_submission_does_not_keep(got, tmp_path):
    got({"submission_metadata.yml": METADATA, "submission_111/05_scorers.ipynb": b"old"})
    stamp = tmp_path / "submitted" / "1234" / "05_scorers" / "timestamp.txt"
    assert stamp.read_text() == "2026-11-18 21:30:00.250000 UTC\n"
    (submitted,) = submissions_below(tmp_path / "submitted")
    assert parse_utc(submitted.timestamp) == datetime.datetime(2026, 11, 18, 21, 30, 0, 250000)
    assert submitted.notes == ()
    got({"1234_1_2_x.ipynb": b""})
    got({"x1234_1234_2_05_scorers.ipynb": b"new"}, replace=True, roster=Roster([{"student_id": "1234"}]))
    assert laid(tmp_path) == [at("1234")]


@pytest.mark.parametrize(
    "text", ["", "[1, 2]", "a: [", "a: &x [*x]", "submission_111: 3", "submission_111: {':submitters': 5}", "\x00"]
)
def test_strange_metadata_is_one_line_and_never_a_traceback(got, text):
    try:
        result = got({"submission_metadata.yml": text, "submission_111/05_scorers.ipynb": NOTEBOOK}, "gradescope")
        line = result.left_out[0][0]
    except UsageError as error:
        line = str(error)
    assert line.startswith(("submission_metadata.yml", "submission_111/05_scorers.ipynb"))
    assert "\n" not in line


def test_the_later_time_counts_whatever_the_number_and_of_one_name_the_last(got, pack, tmp_path):
    text = METADATA.replace(":name: Ben O'Neil\n    :sid:", ":name: Ada Lovelace\n    :sid: '1234'")
    files = {f"submission_{number}/05_scorers.ipynb": data for number, data in ((111, b"later"), (222, b"earlier"))}
    got({"submission_metadata.yml": text.replace("2026-11-18 21:30", "2026-11-20 21:30"), **files})
    assert (tmp_path / "submitted" / at("1234")).read_bytes() == b"later"
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = pack([("ada_1_2_05_scorers.ipynb", b"first"), ("ada_1_2_05_scorers.ipynb", b"last")])
    got(path)
    assert (tmp_path / "submitted" / at("ada")).read_bytes() == b"last"


def test_a_name_like_one_of_an_earlier_download_is_noted(got):
    got(ADA)
    result = got({"\N{CYRILLIC SMALL LETTER A}da_7_3_05_scorers.ipynb": NOTEBOOK})
    assert any("'ada', 'аda' look alike" in note for note in result.notes)


@pytest.mark.parametrize("sign", ["\u200b", "\u200d", "\u200f", "\u202e", "\u00ad"])
def test_nobodys_name_has_characters_that_cannot_be_seen(got, tmp_path, sign):
    result = got({f"Ada{sign}L_5_assignsubmission_file_/05_scorers.ipynb": NOTEBOOK}, "moodle")
    (tmp_path / "by hand" / f"Ada{sign}L" / "05_scorers").mkdir(parents=True)
    (handed,) = submissions_below(tmp_path / "by hand")
    assert handed.student == result.submissions[0].student == "AdaL"
    (tmp_path / "by hand" / "AdaL").mkdir()
    assert "another folder's name looks the same, 'AdaL'" in " ".join(map(str, submissions_below(tmp_path / "by hand")))


@pytest.mark.parametrize("name", [*OF_FOLDERS, *FORMULAS])
def test_a_students_name_is_only_ever_a_folder_and_begins_no_formula(got, tmp_path, name):
    got(ADA, roster=Roster([{"student_id": name, "name": "ada"}]))
    (path,) = laid(tmp_path)
    assert path.count("/") == 2
    assert path[0].isalnum()
    assert path.isprintable()


def test_a_folder_that_was_unpacked_is_read_too_without_links_and_deep_folders(got, tmp_path):
    folder = tmp_path / "download"
    (folder / "eve_5_5_work" / "/".join("a" * 60)).mkdir(parents=True)
    (folder / "ada_1_2_05_scorers.ipynb").write_bytes(NOTEBOOK)
    (folder / "ada_1_3_06_decoders.ipynb").symlink_to("/etc/passwd")
    result = got(folder)
    assert laid(tmp_path) == [at("ada")]
    (_, reason), link = result.left_out
    assert "folders are nested more than 30 deep" in reason
    assert link == ("ada_1_3_06_decoders.ipynb", "it is a link or a device, not a file")


def test_a_download_of_which_nothing_can_be_read_is_one_line_with_what_to_do(got, pack, tmp_path):
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        got(tmp_path / "bad.zip")
    whole, again = pack(ADA).read_bytes(), "is not a zip, or is damaged .*; download it again"
    words = dict.fromkeys((b"", b"nonsense", b"PK\x05\x06" + b"\xff" * 18, whole[:-9]), again)
    words |= {locked(whole): "protected by a password; unpack it", inner({}): "nothing in it; download it again"}
    (tmp_path / "one.ipynb").write_bytes(NOTEBOOK)
    with pytest.raises(UsageError, match="one notebook: put it into a folder called like its learner"):
        got(tmp_path / "one.ipynb")
    for data, why in words.items():
        (tmp_path / "bad.zip").write_bytes(data)
        with pytest.raises(UsageError, match=rf"download \S*bad\.zip .*{why}"):
            got(tmp_path / "bad.zip")


def test_downloads_of_two_systems_or_a_file_where_the_class_should_lie_are_refused_at_once(pack, tmp_path):
    of_canvas, moodle, file = pack(ADA), tmp_path / "moodle.zip", tmp_path / "file"
    moodle.write_bytes(inner({"Ben B_7_assignsubmission_file_/05_scorers.ipynb": NOTEBOOK}))
    with pytest.raises(UsageError, match=r"Canvas: \S*download\.zip; Moodle: \S*moodle\.zip: collect those of one"):
        collect([of_canvas, moodle], tmp_path / "submitted", "", Rules(NAMES))
    assert not (tmp_path / "submitted").exists()
    file.touch()
    for to in (file, file / "below"):
        with pytest.raises(UsageError, match="because there is a file of that name: name another"):
            collect([of_canvas], to, "", Rules(NAMES))


def test_a_script_of_any_name_is_collected_where_it_is_said_which_exercise_it_is_of(got, tmp_path):
    files = {"ada_1_2_final.py": b"#%% md\n# Text.\n#%%\nx = 1\n"}
    assert got(files).unidentified == ["ada_1_2_final.py"]
    assert students(got(files, assignment="05_scorers")) == ["ada"]
    (submitted,) = submissions_below(tmp_path / "submitted", NAMES)
    assert (submitted.assignment, submitted.problem) == ("05_scorers", "")


def test_what_is_left_out_leaves_nothing_on_the_disk(tmp_path, pack, monkeypatch):
    monkeypatch.setattr(archive, "MAX_FILES", 3)
    to = tmp_path / "taken"
    to.mkdir()
    inside = inner({"1.ipynb": NOTEBOOK, "a.zip": many(9)})
    unpacking = archive.Unpacking(to, lambda name: name.endswith(".ipynb"), lambda parts: parts[0])
    unpacking.take(pack({"eve.zip": inside, "ada.ipynb": NOTEBOOK}))
    assert [file.name for file in unpacking.files] == ["ada.ipynb"]
    assert len(list(to.iterdir())) == 1


@pytest.mark.parametrize("obstacle", ["link", "file", "file within"])
def test_a_place_that_cannot_be_written_costs_its_learner_alone(got, tmp_path, obstacle):
    folder, elsewhere = tmp_path / "submitted" / "ada", tmp_path / "elsewhere"
    elsewhere.mkdir()
    if obstacle == "link":
        folder.parent.mkdir()
        folder.symlink_to(elsewhere)
    else:
        file = folder / "05_scorers" if obstacle == "file within" else folder
        file.parent.mkdir(parents=True)
        file.touch()
    result = got({**OTHERS, "lea_1_2_05_scorers.ipynb": NOTEBOOK})
    assert (students(result), result.without) == (["lea", "zoe"], ["ada (1)"])
    (reason,) = [reason for _, reason in result.left_out]
    assert "submitted/ada/05_scorers cannot be written" in reason
    assert obstacle != "link" or "it is a link, expected a folder" in reason
    assert list(elsewhere.iterdir()) == []


def full(*_, number=errno.ENOSPC):
    raise OSError(number, os.strerror(number))


@pytest.mark.parametrize("is_there", [True, False])
def test_a_class_that_cannot_be_written_is_one_line_that_comes_first(pack, tmp_path, monkeypatch, capsys, is_there):
    to = tmp_path / "locked" / "submitted"
    (to if is_there else to.parent).mkdir(parents=True)
    monkeypatch.setattr(lms_import, "_write", partial(full, number=errno.EACCES))  # root may write everywhere
    monkeypatch.setattr(os, "access", lambda path, mode: "locked" not in str(path))
    assert main(["collect", str(pack(OTHERS)), "--to", str(to)]) == 2
    line = f"collect: --to {to} cannot be written: Permission denied; name another folder.\n"
    assert capsys.readouterr() == ("", line)


def test_a_full_disk_is_one_line_and_no_damaged_file(got, pack, monkeypatch):
    path, opened = pack(OTHERS), archive.Path.open
    with monkeypatch.context() as patch:
        patch.setattr(lms_import, "_write", full)
        with pytest.raises(UsageError, match=r"submitted/ada/05_scorers cannot be written: No space left on device"):
            got(path)
    to_write = lambda path, mode="r", *rest: full() if mode == "wb" else opened(path, mode, *rest)  # noqa: E731
    monkeypatch.setattr(archive.Path, "open", to_write)
    with pytest.raises(UsageError, match=r"No space left on device; set TMPDIR to another folder"):
        got(path)


def test_somebody_left_out_is_exit_status_1_by_name(pack, tmp_path, capsys):
    path = pack({"ada_1_2_\x1b[31m.pdf": b"", "ben_3_4_05_scorers.ipynb": NOTEBOOK})
    assert main(["collect", str(path), "--to", str(tmp_path / "to")]) == 1
    out, err = capsys.readouterr()
    assert main(["collect", str(pack({"Ada - 05_scorers.ipynb": NOTEBOOK})), "--to", str(tmp_path / "to")]) == 1
    assert "collect: nothing was collected for ada (1)." in err
    assert "\x1b" not in out + err


def test_a_roster_may_have_odd_times_but_not_no_names(roster):
    odd = Roster([{"student_id": "ada", "submitted_at": "0001-01-01 00:00:00 +0900"}])
    assert odd.find(["ada"]).time is None
    for text in ("", "a,b\n1,2\n", b"\xff\xfe\x00", "\x00"):
        with pytest.raises(UsageError, match=r"has no column with the students' names|is no text") as caught:
            roster(text)
        assert "\n" not in str(caught.value)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ENTRIES, st.sampled_from(["", "canvas", "moodle", "gradescope"]))
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_whatever_the_names_nothing_is_written_but_notebooks_in_their_places(tmp_path, entries, lms):
    with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
        to, path = Path(folder, "a", "submitted"), Path(folder, "download.zip")
        path.write_bytes(inner(entries))
        try:
            result = collect([path], to, lms, Rules(NAMES))
        except UsageError:
            return
        written = {str(path.relative_to(to)) for path in to.rglob("*.ipynb")}
        assert written == {at(submission.student, submission.assignment) for submission in result.submissions}
        assert {path.name for path in Path(folder).iterdir()} <= {"a", "download.zip"}
