"""The benchmark of the book's build changes what it says it changes."""

import shutil
from pathlib import Path

import pytest

from benchmarks import book_build


def test_a_changed_chapter_has_other_cells(tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    shutil.copy(book_build.ROOT / book_build.CHANGED, tmp_path / "book")
    before = (tmp_path / book_build.CHANGED).read_text()
    book_build.change(tmp_path)
    after = (tmp_path / book_build.CHANGED).read_text()
    assert [line for line in after.splitlines() if line not in before.splitlines()] == ["# changed"]


def test_a_chapter_without_cells_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / book_build.CHANGED).write_text("# Title\n")
    with pytest.raises(ValueError, match="no cell without options"):
        book_build.change(tmp_path)
