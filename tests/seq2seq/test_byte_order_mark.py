"""A byte order mark, as Windows writes it, is no part of a corpus's first word."""

import gzip
import zipfile

import pytest

from seq2seq.corpora import everyday, multi30k, tatoeba
from seq2seq.corpora.hansards import hansards

MARK = "\ufeff"


def from_hansards(folder, monkeypatch):
    (folder / "sentences").write_text(f"{MARK}the cat ||| le chat\n", encoding="utf-8")
    (folder / "gold").write_text(f"{MARK}1-1 2-2\n", encoding="utf-8")
    return hansards(folder / "sentences", folder / "gold")


def from_tatoeba(folder, monkeypatch):
    with zipfile.ZipFile(folder / "fra-eng.zip", "w") as archive:
        archive.writestr(tatoeba.MEMBER, f"{MARK}the cat\tle chat\n")
    return tatoeba.tatoeba(folder / "fra-eng.zip", held_out=0)["train"]


def from_multi30k(folder, monkeypatch):
    def fetch(url, sha256, folder_of_data):
        path = folder / "file.gz"
        path.write_bytes(gzip.compress(f"{MARK}{'the cat' if url.endswith('en.gz') else 'le chat'}\n".encode()))
        return path

    monkeypatch.setattr(multi30k, "fetch", fetch)
    return multi30k.multi30k("val", source="en", target="fr")


def from_everyday(folder, monkeypatch):
    (folder / "everyday.txt").write_text(f"{MARK}the cat\tle chat\n", encoding="utf-8")
    (folder / "everyday_links_1.txt").write_text(f"{MARK}1\t0-0\n", encoding="utf-8")
    monkeypatch.setattr(everyday, "FILE", folder / "everyday.txt")
    return everyday.annotation(1)


@pytest.mark.parametrize("read", [from_hansards, from_tatoeba, from_multi30k, from_everyday])
def test_the_first_word_has_no_mark(read, tmp_path, monkeypatch):
    (pair,) = read(tmp_path, monkeypatch)
    assert (pair.source, pair.target) == (("the", "cat"), ("le", "chat"))
