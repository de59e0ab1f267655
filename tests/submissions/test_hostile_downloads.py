"""Downloads that are damaged, too large, or name places outside."""

import stat
import struct
import tempfile
import zipfile
from pathlib import Path

import pytest
from downloads import NAMES, NOTEBOOK, inner, laid
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.errors import UsageError
from autograder.submissions import archive
from autograder.submissions.lms_import import Rules, collect
from autograder.submissions.students import Roster


@pytest.mark.parametrize(
    "name", ["../../ada_1_2_05_scorers.ipynb", "/etc/ada_1_2_05_scorers.ipynb", "C:\\ada_1_2_05_scorers.ipynb"]
)
def test_names_that_point_outside_are_left_out(got, tmp_path, name):
    before = set(tmp_path.parent.rglob("*"))
    result = got({name: NOTEBOOK})
    assert result.submissions == []
    assert result.left_out[0][1] == "its name points outside the archive"
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
    result = got(pack([(link, b"/etc/passwd")]))
    assert result.left_out == [("ada_1_2_05_scorers.ipynb", "it is a link or a device, not a file")]


def test_nothing_is_written_through_a_link(got, tmp_path):
    (tmp_path / "submitted").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "submitted" / "ada").symlink_to(tmp_path / "elsewhere")
    result = got({"ada_1_2_05_scorers.ipynb": NOTEBOOK})
    assert result.without == ["ada (1)"]
    assert "it is a link, expected a folder" in result.left_out[0][1]
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_bomb_is_left_out_and_the_next_is_read(got, monkeypatch):
    monkeypatch.setattr(archive, "MAX_BYTES", 2**20)
    result = got({"eve_1_2_05_scorers.ipynb": bytes(2**20 + 1), "ada_1_3_05_scorers.ipynb": NOTEBOOK})
    assert result.left_out == [("eve_1_2_05_scorers.ipynb", "it has more than 1 MiB")]
    assert [one.student for one in result.submissions] == ["ada"]


def test_a_bomb_that_lies_about_its_size_is_left_out(got, pack, monkeypatch):
    monkeypatch.setattr(archive, "MAX_BYTES", 2**20)
    path = pack({"eve_1_2_05_scorers.ipynb": bytes(2**22)})
    data = path.read_bytes().replace(struct.pack("<L", 2**22), struct.pack("<L", 10))
    path.write_bytes(data)
    result = got(path)
    assert result.submissions == []
    assert result.left_out[0][0] == "eve_1_2_05_scorers.ipynb"


def test_a_download_that_is_too_much_in_all_is_refused_file_by_file(got, monkeypatch):
    monkeypatch.setattr(archive, "MAX_TOTAL", 3 * 2**20)
    result = got({f"s_{number}_2_05_scorers.ipynb": bytes(2**20) for number in range(6)})
    assert len(result.submissions) == 3
    assert len(result.left_out) == 3


def test_zips_within_zips_within_zips_end_somewhere(got):
    data = inner({"05_scorers.ipynb": NOTEBOOK})
    for _ in range(6):
        data = inner({"more.zip": data})
    result = got({"eve_1_2_x.zip": data})
    assert result.submissions == []
    assert "this deep" in result.left_out[0][1]


def test_a_zip_with_a_giant_list_of_names_is_not_opened(got, monkeypatch):
    monkeypatch.setattr(archive, "MAX_DIRECTORY", 1000)
    result = got({"eve_1_2_x.zip": inner({f"{number}.txt": b"" for number in range(100)})})
    assert result.left_out == [("eve_1_2_x.zip", "its list of file names is too long")]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"nonsense", b"PK\x05\x06" + b"\xff" * 18])
def test_a_damaged_zip_within_is_left_out(got, data):
    result = got({"eve_1_2_x.zip": data, "ada_1_3_05_scorers.ipynb": NOTEBOOK})
    assert result.left_out[0][0] == "eve_1_2_x.zip"
    assert len(result.submissions) == 1


@pytest.mark.parametrize("data", [b"", b"nonsense", b"PK\x05\x06" + b"\xff" * 18])
def test_a_damaged_download_is_one_line(got, tmp_path, data):
    (tmp_path / "bad.zip").write_bytes(data)
    with pytest.raises(UsageError, match="cannot be read"):
        got(tmp_path / "bad.zip")


def test_a_missing_download_is_one_line(got, tmp_path):
    with pytest.raises(UsageError, match=r"cannot be read: No such file"):
        got(tmp_path / "nowhere.zip")


def test_damaged_bytes_are_left_out(got, pack):
    path = pack({"ada_1_2_05_scorers.ipynb": NOTEBOOK * 50})
    data = bytearray(path.read_bytes())
    data[60:70] = b"\xff" * 10
    path.write_bytes(data)
    result = got(path)
    assert "damaged" in result.left_out[0][1]


def test_a_locked_file_is_left_out(got, pack):
    path = pack({"ada_1_2_05_scorers.ipynb": NOTEBOOK})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    assert got(path).left_out == [("ada_1_2_05_scorers.ipynb", "it is protected by a password")]


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
    result = got(files)
    assert (result.housekeeping, result.left_out) == (2, [])


def test_an_entry_without_a_name_is_left_out(got, pack):
    path = pack({"@.ipynb": NOTEBOOK, "ada_1_2_05_scorers.ipynb": NOTEBOOK})
    path.write_bytes(path.read_bytes().replace(b"@.ipynb", b"\x00.ipynb"))
    result = got(path)
    assert result.left_out == [("?", "it has no name")]
    assert len(result.submissions) == 1


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
            result = collect([path], to, lms, Rules(NAMES))
        except UsageError:
            return
        written = {str(one.relative_to(to)) for one in to.rglob("*.ipynb")}
        assert written == {f"{one.student}/{one.assignment}/{one.assignment}.ipynb" for one in result.submissions}
        assert {one.name for one in Path(folder).iterdir()} <= {"a", "download.zip"}
