import io
import zipfile

import pytest

from autograder.submissions import bundle
from autograder.submissions.bundle import beside, laid_out, packed, unpacked
from autograder.submissions.file_text import Unreadable


def zipped(files, kind=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", kind) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def test_what_is_packed_is_unpacked():
    data = packed("a.ipynb", [("a.ipynb", b"{}"), ("mine.py", b"x = 1"), ("data/x.csv", b"1,2")])
    assert unpacked(data, "a") == (b"{}", {"data/x.csv": b"1,2", "mine.py": b"x = 1"}, [])


def test_the_same_files_are_the_same_bytes():
    files = [("a.ipynb", b"{}"), ("mine.py", b"x = 1")]
    assert packed("a.ipynb", files) == packed("a.ipynb", files)


def test_a_notebook_alone_is_itself():
    assert unpacked(b"{}", "a") == (b"{}", {}, [])


def test_a_zip_that_a_learner_made_is_read():
    notebook, files, notes = unpacked(
        zipped({"work/a.ipynb": "{}", "work/mine.py": "x", "__MACOSX/._a.ipynb": ""}), "a"
    )
    assert (notebook, files) == (b"{}", {"mine.py": b"x"})
    assert notes == ["The notebook was called 'work/a.ipynb'; it was read as 'a.ipynb'."]


def test_files_outside_the_notebooks_folder_are_not_beside_it():
    assert beside({"x/a.ipynb": 1, "x/b.py": 1, "c.py": 1, "y/d.py": 1}, "x/a.ipynb") == (["x/b.py"], ())


@pytest.mark.parametrize(
    "name",
    [
        "../a.py",
        "/etc/passwd",
        "a\\b.py",
        ".hidden",
        "x/../../b.py",
        "C:/x.py",
        "timestamp.txt",
        "submission_secret.txt",
    ],
)
def test_odd_paths_are_not_beside_it(name):
    assert beside({"a.ipynb": 1, name: 1}, "a.ipynb")[0] == []


def test_large_files_are_left_out_and_told():
    names, notes = beside({"a.ipynb": 1, "big.bin": 2**20, "small.py": 10}, "a.ipynb")
    assert names == ["big.bin"] or names == ["small.py"]
    assert "Not available when the notebook ran: 'small.py'; the limit is 50 files and 1 MiB in total." in notes


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04rest",
        zipped({"a.ipynb": "{}"})[:-30],
        zipped({"b.txt": "x"}),
        zipped({"b.ipynb": "x", "c.ipynb": "x"}),
        zipped({"a.ipynb": "{}" * 500}, zipfile.ZIP_STORED).replace(b"{}{}{}", b"{}[]{}"),
    ],
    ids=["no zip", "cut off", "no notebook", "two notebooks", "damaged"],  # a zip holds the time: workers must agree
)
def test_a_zip_that_is_no_parcel_is_refused(data):
    with pytest.raises(Unreadable, match=r"The (file is a )?zip"):
        unpacked(data, "a")


def test_a_zip_bomb_is_refused_before_it_is_unpacked(monkeypatch):
    monkeypatch.setattr(bundle, "MAX_BYTES", 2**20)
    with pytest.raises(Unreadable, match="more than 1 MiB"):
        unpacked(zipped({"a.ipynb": b"\0" * 2**24}), "a")


def test_files_are_laid_out_where_the_cell_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(laid_out({"mine.py": b"x = 1", "data/x.bin": b"\0\xff"}), names)
    assert (tmp_path / "mine.py").read_bytes() == b"x = 1"
    assert (tmp_path / "data" / "x.bin").read_bytes() == b"\0\xff"
    assert set(names) == {"__builtins__"}


def test_a_zip_with_a_giant_list_of_names_is_refused_before_the_list_is_read(monkeypatch):
    data = zipped({f"{number}.txt": b"" for number in range(100)} | {"a.ipynb": b"{}"})
    monkeypatch.setattr(bundle, "MAX_DIRECTORY", 1000)
    monkeypatch.delattr(zipfile.ZipFile, "infolist")
    with pytest.raises(Unreadable, match="a zip of too many files"):
        unpacked(data, "a")
