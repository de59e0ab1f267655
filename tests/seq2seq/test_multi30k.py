"""The Multi30k loader, on small files of the same format."""

import gzip
import hashlib

import pytest

from seq2seq.corpora import multi30k as module
from seq2seq.corpora.download import DownloadError
from seq2seq.corpora.multi30k import BASE, LANGUAGES, SHA256, SPLITS, multi30k, words
from seq2seq.corpora.pair import Pair


@pytest.fixture
def put(monkeypatch, tmp_path):
    """``put(name, text)``: a file of that name in the folder, accepted by the loader."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(module, "BASE", "http://127.0.0.1:1")  # nobody listens there: nothing is downloaded

    def write(name, text):
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
        monkeypatch.setitem(SHA256, name, hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())

    return write


def test_lines_become_pairs_in_the_order_of_the_files(put, tmp_path):
    put("val.de.gz", "Ein Hund rennt.\nZwei Männer, eine Leiter.\n")
    put("val.en.gz", "A dog runs.\nTwo men, one ladder.\n")
    assert multi30k("val", folder=tmp_path) == [
        Pair(("ein", "hund", "rennt", "."), ("a", "dog", "runs", "."), frozenset()),
        Pair(("zwei", "männer", ",", "eine", "leiter", "."), ("two", "men", ",", "one", "ladder", "."), frozenset()),
    ]


def test_the_languages_are_those_asked_for(put, tmp_path):
    put("val.fr.gz", "un chien\n")
    put("val.en.gz", "a dog\n")
    assert multi30k("val", "en", "fr", tmp_path) == [Pair(("a", "dog"), ("un", "chien"), frozenset())]


def test_case_is_kept_where_asked(put, tmp_path):
    put("val.de.gz", "Ein Hund\n")
    put("val.en.gz", "A Dog\n")
    assert multi30k("val", folder=tmp_path, lowercase=False) == [Pair(("Ein", "Hund"), ("A", "Dog"), frozenset())]


def test_a_pair_with_an_empty_side_is_left_out_and_its_neighbours_stay_paired(put, tmp_path):
    put("val.de.gz", "eins\n\n   \ndrei\nvier\n")
    put("val.en.gz", "one\ntwo\n\n\nfour\n")
    assert [(pair.source, pair.target) for pair in multi30k("val", folder=tmp_path)] == [
        (("eins",), ("one",)),
        (("vier",), ("four",)),
    ]


def test_other_signs_that_may_end_a_line_do_not(put, tmp_path):
    put("val.de.gz", "ein\u2028Hund\rrennt\r\nzwei\r\n")
    put("val.en.gz", "a dog runs\ntwo\n")
    assert [pair.source for pair in multi30k("val", folder=tmp_path)] == [("ein", "hund", "rennt"), ("zwei",)]


def test_files_of_unequal_length_are_refused(put, tmp_path):
    put("val.de.gz", "eins\nzwei\n")
    put("val.en.gz", "one\ntwo\nthree\n")
    with pytest.raises(ValueError, match="val: 2 lines of de, 3 of en"):
        multi30k("val", folder=tmp_path)


def test_an_unknown_split_is_refused():
    with pytest.raises(ValueError, match=r"split: got 'valid', expected one of .*'val'"):
        multi30k("valid")


@pytest.mark.parametrize("languages", [("cs", "en"), ("de", "cs")])
def test_an_unknown_language_is_refused(languages):
    with pytest.raises(ValueError, match="language: got 'cs'"):
        multi30k("val", *languages)


def test_a_file_that_is_neither_there_nor_to_be_had_is_named(put, tmp_path):
    put("val.de.gz", "eins\n")
    with pytest.raises(DownloadError, match=r"val\.en\.gz: not downloaded"):
        multi30k("val", folder=tmp_path)


def test_a_file_that_was_changed_is_refused(tmp_path):
    (tmp_path / "val.de.gz").write_bytes(gzip.compress(b"changed\n"))
    with pytest.raises(DownloadError, match=r"val\.de\.gz: SHA-256"):
        multi30k("val", folder=tmp_path)


def test_words_are_cut_as_sacrebleu_does():
    assert words("It's 1,000 km (or so): Yes!") == ["it's", "1,000", "km", "(", "or", "so", ")", ":", "yes", "!"]


def test_every_split_is_there_in_every_language_at_one_fixed_version():
    assert set(SHA256) == {f"{split}.{language}.gz" for split in SPLITS for language in LANGUAGES}
    assert SPLITS[:3] == ("test_2016_flickr", "test_2017_flickr", "test_2017_mscoco")
    assert "/raw/a3d2e0d/" in BASE
