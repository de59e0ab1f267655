"""What makes pages anew, or their cells run again, although their text is the same."""

from pathlib import Path

import pytest

from book.fingerprint import fingerprint


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "fonts").mkdir()
    (tmp_path / "course.css").write_text("body { color: black }")
    (tmp_path / "fonts" / "serif.woff2").write_bytes(b"wOF2")
    return tmp_path


@pytest.mark.parametrize("name", ["course.css", "fonts/serif.woff2", "course.js"])
def test_a_file_that_is_new_or_other_is_noticed(folder: Path, name: str) -> None:
    before = fingerprint(folder, ["**/*"])
    (folder / name).write_text("something else")
    assert fingerprint(folder, ["**/*"]) != before


def test_a_file_that_is_gone_is_noticed(folder: Path) -> None:
    before = fingerprint(folder, ["**/*"])
    (folder / "course.css").unlink()
    assert fingerprint(folder, ["**/*"]) != before


def test_what_python_compiled_is_not(folder: Path) -> None:
    before = fingerprint(folder, ["**/*"])
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "tidy.cpython-311.pyc").write_bytes(b"compiled")
    assert fingerprint(folder, ["**/*"]) == before
