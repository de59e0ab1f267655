"""What the documents of the top level name is there."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
ROOMS = {path.name: path for package in ("seq2seq", "autograder") for path in (ROOT / package).iterdir()}
DOCUMENTS = ("ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md")
NAMED = re.compile(r"`([\w./-]+/[\w./-]*|[\w-]+\.(?:md|py|toml|txt|yml))`")
MADE = ("_build/", "build/", "grades/", "submitted/", ".venv")  # by commands, or by the reader


def named(document: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return sorted({name for name in NAMED.findall(text) if not name.startswith(MADE) and "<" not in name})


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_place_that_it_names_is_there(document):
    places, folders = named(document), [ROOT, ROOT / "seq2seq", ROOT / "autograder"]
    assert places, f"{document} names no place: has its form changed?"
    assert [name for name in places if not any((folder / name).exists() for folder in folders)] == []


def test_the_architecture_names_every_room_and_at_most_ten_nouns():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = {name for name, path in ROOMS.items() if path.is_dir() and name != "__pycache__"}
    assert {room for room in rooms if f"{room}/" not in text} == set()
    nouns = text.partition("## Ten nouns")[2].partition("##")[0]
    assert 0 < nouns.count("\n| ") - 1 <= 10


@pytest.mark.parametrize("file", [".pre-commit-config.yaml", "CITATION.cff"])
def test_it_can_be_read(file):
    assert yaml.safe_load((ROOT / file).read_text(encoding="utf-8"))
