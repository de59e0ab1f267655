"""``{source}`` shows what is defined, and nothing that is not."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book" / "_ext"))

from course.source import SourceError, excerpt, locate  # noqa: E402

MODULE = '''
import functools


class Box:
    """A box.

    With more to say.
    """

    size = 1

    @functools.cache
    def open(self):
        """Open it."""

        # slowly
        return self.size


def close(box):
    return None
'''


@pytest.fixture
def module(tmp_path: Path) -> Path:
    package = tmp_path / "boxes"
    package.mkdir()
    (package / "wooden.py").write_text(MODULE)
    return tmp_path


def show(root: Path, name: str, docstring: bool = False) -> str:
    path, inside = locate(root, name)
    return excerpt(path, inside, name, docstring)


def test_function_is_shown_alone(module: Path) -> None:
    assert show(module, "boxes.wooden.close") == "def close(box):\n    return None"


def test_method_moves_to_the_margin_with_its_decorators_and_comments(module: Path) -> None:
    expected = "@functools.cache\ndef open(self):\n    # slowly\n    return self.size"
    assert show(module, "boxes.wooden.Box.open") == expected


def test_docstrings_are_left_out_of_a_class(module: Path) -> None:
    shown = show(module, "boxes.wooden.Box")
    assert '"""' not in shown
    assert shown.startswith("class Box:\n    size = 1\n")


def test_docstrings_are_shown_on_request(module: Path) -> None:
    assert "With more to say." in show(module, "boxes.wooden.Box", docstring=True)


def test_unknown_name_says_where_it_ended(module: Path) -> None:
    with pytest.raises(SourceError, match="'lid'"):
        show(module, "boxes.wooden.Box.lid")


def test_unknown_module_is_named(module: Path) -> None:
    with pytest.raises(SourceError, match="crates"):
        show(module, "crates.wooden")
