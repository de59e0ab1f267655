import datetime
import json
import stat
import struct
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.submissions import archive
from autograder.submissions.attempts import DownloadError, Rules, collect
from autograder.submissions.roster import Roster, RosterError

NAMES = ("05_scorers", "06_decoders")
NOTEBOOK = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
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


@pytest.fixture
def pack(tmp_path):
    """A zip of names and contents: pack({"a.ipynb": b"..."})."""

    def pack(files, name="download.zip"):
        path = tmp_path / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            for entry, data in files.items() if isinstance(files, dict) else files:
                file.writestr(entry, data)
        return path

    return pack


@pytest.fixture
def got(tmp_path, pack):
    """What collecting these files gives: got({...}, "canvas") → haul; files lie below tmp_path / "submitted"."""

    def got(files, lms="", **rules):
        path = files if hasattr(files, "exists") else pack(files)
        return collect([path], tmp_path / "submitted", lms, Rules(**{"assignments": NAMES, **rules}))

    return got


def laid(tmp_path):
    root = tmp_path / "submitted"
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def inner(files):
    import io

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name, data in files.items():
            file.writestr(name, data)
    return stream.getvalue()


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
    haul = got({name: NOTEBOOK}, "canvas")
    assert [(one.student, one.assignment) for one in haul.submissions] == [(student, "05_scorers")]
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
    haul = got({"Ada Lovelace_1_assignsubmission_onlinetext_/onlinetext.html": b"<p>"}, "moodle")
    assert haul.left_out == [("Ada Lovelace_1_assignsubmission_onlinetext_/onlinetext.html", "it is no notebook")]


def test_gradescope_metadata_say_who_and_when(got, tmp_path):
    files = {
        "assignment_9_export/submission_metadata.yml": METADATA,
        "assignment_9_export/submission_111/05_scorers.ipynb": NOTEBOOK,
        "assignment_9_export/submission_222/sub/06_decoders.ipynb": NOTEBOOK,
    }
    haul = got(files)
    assert haul.lms == "gradescope"
    assert [(one.student, one.time) for one in haul.submissions] == [
        ("1234", "2026-11-18 21:30:00.250000 UTC"),
        ("77", "2026-11-18 23:00:00.000000 UTC"),
        ("ben@example.org", "2026-11-18 23:00:00.000000 UTC"),
    ]
    stamp = tmp_path / "submitted" / "1234" / "05_scorers" / "timestamp.txt"
    assert stamp.read_text() == "2026-11-18 21:30:00.250000 UTC\n"


def test_nbgrader_and_our_reader_take_the_timestamp(got, tmp_path):
    from nbgrader.utils import parse_utc

    from autograder.submissions.collected import collected

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
        haul = got(files, "gradescope")
    except DownloadError as error:
        said = str(error)
    else:
        said = haul.left_out[0][0]
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
    haul = got({"eve_66_99_work.zip": forged, "ada_1_2_05_scorers.ipynb": NOTEBOOK})
    assert haul.lms == "canvas"
    assert [one.student for one in haul.submissions] == ["ada"]


def test_zips_within_the_zip_are_opened(got, tmp_path):
    got({"lovelaceada_1_2_work.zip": inner({"a/05_scorers.ipynb": NOTEBOOK})})
    assert laid(tmp_path) == ["lovelaceada/05_scorers/05_scorers.ipynb"]


def test_a_folder_that_was_unpacked_is_read_too(got, tmp_path):
    folder = tmp_path / "download"
    folder.mkdir()
    (folder / "lovelaceada_1_2_05_scorers.ipynb").write_bytes(NOTEBOOK)
    (folder / "lovelaceada_1_3_06_decoders.ipynb").symlink_to("/etc/passwd")
    haul = got(folder)
    assert laid(tmp_path) == ["lovelaceada/05_scorers/05_scorers.ipynb"]
    assert haul.left_out == [("lovelaceada_1_3_06_decoders.ipynb", "it is a link or a device, not a file")]


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
    haul = got(dict(reversed(files.items())) if turned else files)
    assert (tmp_path / "submitted/ada/05_scorers/05_scorers.ipynb").read_bytes() == b"last"
    assert haul.left_out == [(names[0], "an earlier attempt")]
    assert any("2 attempts at 05_scorers" in note and names[1] in note for note in haul.notes)


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
    haul = got({"ada_1_2_essay.ipynb": data})
    assert haul.submissions == []
    assert haul.left_out == [("ada_1_2_essay.ipynb", "it is none of 05_scorers, 06_decoders")]


def test_an_assignment_can_be_said(got, tmp_path):
    got({"ada_1_2_essay.ipynb": NOTEBOOK}, assignment="06_decoders")
    assert laid(tmp_path) == ["ada/06_decoders/06_decoders.ipynb"]


def test_a_longer_assignments_name_is_not_a_copy_of_a_shorter_one(got, tmp_path):
    got({"ada_1_2_05_scorers_2.ipynb": NOTEBOOK}, assignments=("05_scorers", "05_scorers_2"))
    assert laid(tmp_path) == ["ada/05_scorers_2/05_scorers_2.ipynb"]


def test_two_of_one_name_are_kept_apart(got, tmp_path):
    files = {"smithann_1_2_05_scorers.ipynb": b"one", "smithann_7_3_05_scorers.ipynb": b"other"}
    haul = got(files)
    assert [one.student for one in haul.submissions] == ["smithann_1", "smithann_7"]
    assert any("several are called smithann" in note for note in haul.notes)


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
    haul = got({"ada_LATE_1_2_05_scorers.ipynb": NOTEBOOK, "ben_2_3_05_scorers.ipynb": NOTEBOOK})
    assert any("late by Canvas's word: ada." in note for note in haul.notes)
    assert any("no time of submission is known for 2 of 2" in note for note in haul.notes)


@pytest.mark.parametrize(
    "name", ["../../ada_1_2_05_scorers.ipynb", "/etc/ada_1_2_05_scorers.ipynb", "C:\\ada_1_2_05_scorers.ipynb"]
)
def test_names_that_point_outside_are_left_out(got, tmp_path, name):
    before = set(tmp_path.parent.rglob("*"))
    haul = got({name: NOTEBOOK})
    assert haul.submissions == []
    assert haul.left_out[0][1] == "its name points out of the archive"
    assert {path for path in set(tmp_path.parent.rglob("*")) - before if path.suffix == ".ipynb"} == set()


@pytest.mark.parametrize("name", ["..", "...", "~", "CON", "a/../../b", "-rf", "‮evil", "\n", "a" * 300])
def test_a_students_name_is_only_ever_a_folder(got, tmp_path, name):
    roster = Roster([{"student_id": name, "name": "ada"}])
    got({"ada_1_2_05_scorers.ipynb": NOTEBOOK}, roster=roster)
    (path,) = laid(tmp_path)
    assert path.count("/") == 2
    assert path[0] not in ".-_"
    assert path.isprintable()


def test_links_in_a_zip_are_left_out(got, pack, tmp_path):
    link = zipfile.ZipInfo("ada_1_2_05_scorers.ipynb")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    haul = got(pack([(link, b"/etc/passwd")]))
    assert haul.left_out == [("ada_1_2_05_scorers.ipynb", "it is a link or a device, not a file")]


def test_nothing_is_written_through_a_link(got, tmp_path):
    (tmp_path / "submitted").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "submitted" / "ada").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DownloadError, match="is a link"):
        got({"ada_1_2_05_scorers.ipynb": NOTEBOOK})
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_bomb_is_left_out_and_the_next_is_read(got, monkeypatch):
    monkeypatch.setattr(archive, "MAX_BYTES", 2**20)
    haul = got({"eve_1_2_05_scorers.ipynb": bytes(2**20 + 1), "ada_1_3_05_scorers.ipynb": NOTEBOOK})
    assert haul.left_out == [("eve_1_2_05_scorers.ipynb", "it has more than 1 MiB")]
    assert [one.student for one in haul.submissions] == ["ada"]


def test_a_bomb_that_lies_about_its_size_is_left_out(got, pack, monkeypatch):
    monkeypatch.setattr(archive, "MAX_BYTES", 2**20)
    path = pack({"eve_1_2_05_scorers.ipynb": bytes(2**22)})
    data = path.read_bytes().replace(struct.pack("<L", 2**22), struct.pack("<L", 10))
    path.write_bytes(data)
    haul = got(path)
    assert haul.submissions == []
    assert haul.left_out[0][0] == "eve_1_2_05_scorers.ipynb"


def test_a_download_that_is_too_much_in_all_is_refused_file_by_file(got, monkeypatch):
    monkeypatch.setattr(archive, "MAX_TOTAL", 3 * 2**20)
    haul = got({f"s_{number}_2_05_scorers.ipynb": bytes(2**20) for number in range(6)})
    assert len(haul.submissions) == 3
    assert len(haul.left_out) == 3


def test_zips_within_zips_within_zips_end_somewhere(got):
    data = inner({"05_scorers.ipynb": NOTEBOOK})
    for _ in range(6):
        data = inner({"more.zip": data})
    haul = got({"eve_1_2_x.zip": data})
    assert haul.submissions == []
    assert "this deep" in haul.left_out[0][1]


def test_a_zip_with_a_giant_list_of_names_is_not_opened(got, monkeypatch):
    monkeypatch.setattr(archive, "MAX_DIRECTORY", 1000)
    haul = got({"eve_1_2_x.zip": inner({f"{number}.txt": b"" for number in range(100)})})
    assert haul.left_out == [("eve_1_2_x.zip", "the list of its names is too long")]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"nonsense", b"PK\x05\x06" + b"\xff" * 18])
def test_a_damaged_zip_within_is_left_out(got, data):
    haul = got({"eve_1_2_x.zip": data, "ada_1_3_05_scorers.ipynb": NOTEBOOK})
    assert haul.left_out[0][0] == "eve_1_2_x.zip"
    assert len(haul.submissions) == 1


@pytest.mark.parametrize("data", [b"", b"nonsense", b"PK\x05\x06" + b"\xff" * 18])
def test_a_damaged_download_is_one_line(got, tmp_path, data):
    (tmp_path / "bad.zip").write_bytes(data)
    with pytest.raises(DownloadError, match="cannot be read"):
        got(tmp_path / "bad.zip")


def test_a_missing_download_is_one_line(got, tmp_path):
    with pytest.raises(DownloadError, match=r"cannot be read: No such file"):
        got(tmp_path / "nowhere.zip")


def test_damaged_bytes_are_left_out(got, pack):
    path = pack({"ada_1_2_05_scorers.ipynb": NOTEBOOK * 50})
    data = bytearray(path.read_bytes())
    data[60:70] = b"\xff" * 10
    path.write_bytes(data)
    haul = got(path)
    assert "damaged" in haul.left_out[0][1]


def test_a_locked_file_is_left_out(got, pack):
    path = pack({"ada_1_2_05_scorers.ipynb": NOTEBOOK})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    assert got(path).left_out == [("ada_1_2_05_scorers.ipynb", "it is locked with a password")]


def test_utf8_names_without_the_flag_are_read_as_utf8(got, pack, tmp_path):
    path = pack({"m@@llerj_1_2_05_scorers.ipynb": NOTEBOOK})
    path.write_bytes(path.read_bytes().replace(b"m@@ller", "müller".encode()))
    got(path)
    assert laid(tmp_path) == ["müllerj/05_scorers/05_scorers.ipynb"]


def test_two_entries_of_one_name_are_two_attempts(got, pack, tmp_path):
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = pack([("ada_1_2_05_scorers.ipynb", b"first"), ("ada_1_2_05_scorers.ipynb", b"last")])
    got(path)
    assert (tmp_path / "submitted/ada/05_scorers/05_scorers.ipynb").read_bytes() == b"last"


def test_housekeeping_is_counted_not_listed(got):
    files = {"__MACOSX/._ada_1_2_05_scorers.ipynb": b"", "ada_1_2_05_scorers.ipynb": NOTEBOOK, ".DS_Store": b""}
    haul = got(files)
    assert (haul.housekeeping, haul.left_out) == (2, [])


def test_an_entry_without_a_name_is_left_out(got, pack):
    path = pack({"@.ipynb": NOTEBOOK, "ada_1_2_05_scorers.ipynb": NOTEBOOK})
    path.write_bytes(path.read_bytes().replace(b"@.ipynb", b"\x00.ipynb"))
    haul = got(path)
    assert haul.left_out == [("?", "it has no name")]
    assert len(haul.submissions) == 1


PIECES = (
    *("ada", "_", "1", "77", "LATE", "anon_x", "05_scorers", ".ipynb", ".zip", "/", "..", "\\", ":", " ", "-2", "(1)"),
    *("_assignsubmission_file_", "submission_5", "submission_metadata.yml", "é", "\u202e", "~", "$HOME", "\n"),
)
NAMED = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join)
ENTRIES = st.lists(st.tuples(NAMED, st.binary(max_size=40)), max_size=6)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ENTRIES, st.sampled_from(["", "canvas", "moodle", "gradescope"]))
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_whatever_the_names_nothing_is_written_but_notebooks_in_their_places(tmp_path, entries, lms):
    with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
        to, path = Path(folder, "a", "submitted"), Path(folder, "download.zip")
        with zipfile.ZipFile(path, "w") as file:
            for name, data in entries:
                file.writestr(name, data)
        try:
            haul = collect([path], to, lms, Rules(NAMES))
        except DownloadError:
            return
        written = {str(one.relative_to(to)) for one in to.rglob("*.ipynb")}
        assert written == {f"{one.student}/{one.assignment}/{one.assignment}.ipynb" for one in haul.submissions}
        assert {one.name for one in Path(folder).iterdir()} <= {"a", "download.zip"}


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
    haul = got({f"{name}_123456_assignsubmission_file_/05_scorers.ipynb": NOTEBOOK}, roster=roster(MOODLE_ROSTER))
    (one,) = haul.submissions
    assert (one.student, one.time) == ("ada@example.org", "2026-11-18 21:30:00.000000 UTC")


def test_who_is_not_in_the_roster_is_kept_and_told(got, roster):
    haul = got({"eve_5_9_05_scorers.ipynb": NOTEBOOK}, roster=roster(CANVAS_ROSTER))
    assert haul.submissions[0].student == "eve"
    assert "eve: the roster does not have this name or number; kept as eve." in haul.notes


def test_whom_the_roster_has_twice_is_not_guessed(got, roster):
    text = "student_id,name\nann1,Ann Smith\nann2,Ann Smith\n"
    haul = got({"annsmith_5_9_05_scorers.ipynb": NOTEBOOK}, roster=roster(text))
    assert haul.submissions[0].student == "annsmith"
    assert any("ann1, ann2" in note for note in haul.notes)


def test_numbers_in_other_columns_make_nobody(got, roster):
    text = "student_id,name,score\nada,Ada,77\n"
    assert got({"eve_77_9_05_scorers.ipynb": NOTEBOOK}, roster=roster(text)).submissions[0].student == "eve"


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", b"\xff\xfe\x00", "\x00"])
def test_a_roster_without_names_is_one_line(roster, text):
    with pytest.raises(RosterError) as caught:
        roster(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["student_id;name\nada;Ada L\n", "\ufeffstudent_id\tname\nada\tAda L\n"])
def test_a_roster_may_be_cut_by_semicolons_or_tabs(roster, text):
    assert roster(text).find(["adal"]).student == "ada"
