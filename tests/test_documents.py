"""What the documents of the top level name is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = {path.name: path for package in ("seq2seq", "autograder") for path in (ROOT / package).iterdir()}
DOCUMENTS = ("ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md")
NAMED = re.compile(r"`([\w./-]+/[\w./-]*|[\w-]+\.(?:md|py|toml|txt|yml))`")
MADE = ("_build/", "build/", "grades/", "submitted/", ".venv", "class.toml")  # by commands, or by the reader


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_place_that_it_names_is_there(document):
    text, folders = (ROOT / document).read_text("utf-8"), [ROOT, ROOT / "seq2seq", ROOT / "autograder"]
    places = {name for name in NAMED.findall(text) if not name.startswith(MADE)}
    assert places, f"{document} names no place: has its form changed?"
    assert [name for name in places if not any((folder / name).exists() for folder in folders)] == []


def test_the_architecture_names_every_room_and_at_most_ten_nouns():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = {name for name, path in ROOMS.items() if path.is_dir() and name != "__pycache__"}
    assert {room for room in rooms if f"{room}/" not in text} == set()
    nouns = text.partition("## Ten nouns")[2].partition("##")[0]
    assert 0 < nouns.count("\n| ") - 1 <= 10
