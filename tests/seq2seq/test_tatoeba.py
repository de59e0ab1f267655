"""The Tatoeba loader, on small zips of the same format."""

import hashlib
import zipfile

import pytest

from seq2seq.corpora import tatoeba as module
from seq2seq.corpora.download import DownloadError
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.tatoeba import tatoeba

LINES = "".join(
    f"Sentence {number}.\tPhrase {number} {ending}\tCC-BY 2.0 (France) Attribution: nobody\n"
    for number in range(20)
    for ending in ("!", "?", ".")[: 1 + number % 3]
)


@pytest.fixture
def zipped(tmp_path):
    def write(text, member="fra.txt"):
        path = tmp_path / "fra-eng.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("_about.txt", "about")
            archive.writestr(member, text)
        return path

    return write


@pytest.mark.parametrize("attribution", ["", "\tCC-BY 2.0 (France)"])
def test_a_line_becomes_a_pair_with_or_without_the_third_column(zipped, attribution):
    splits = tatoeba(zipped(f"Don't go!\tN'y va pas\u202f!{attribution}\r\n"), held_out=0)
    expected = Pair(("don't", "go", "!"), ("n'y", "va", "pas", "!"), frozenset())
    assert splits == {"train": [expected], "val": [], "test": []}


def test_case_is_kept_where_asked(zipped):
    assert tatoeba(zipped("Go.\tVa !\n"), held_out=0, lowercase=False)["train"][0].source == ("Go", ".")


def test_no_english_sentence_is_in_two_splits(zipped):
    splits = tatoeba(zipped(LINES), held_out=4)
    sources = {name: {pair.source for pair in pairs} for name, pairs in splits.items()}
    assert {name: len(kept) for name, kept in sources.items()} == {"train": 12, "val": 4, "test": 4}
    assert len(set.union(*sources.values())) == 20


def test_capital_letters_make_no_other_sentence(zipped):
    path = zipped("".join(f"word {n}\tmot {n}\nWORD {n}\tMOT {n}\n" for n in range(9)))
    for pairs in tatoeba(path, held_out=3, lowercase=False).values():
        assert len(pairs) == 6
        assert len({" ".join(pair.source).lower() for pair in pairs}) == 3


def test_all_translations_of_a_sentence_are_kept_and_a_line_twice_is_not(zipped):
    path = zipped("Hi.\tSalut.\nHi.\tBonjour.\nhi .\tSalut.\n")
    assert [pair.target for pair in tatoeba(path, held_out=0)["train"]] == [("salut", "."), ("bonjour", ".")]


def test_a_seed_repeats_the_splits_and_another_does_not(zipped):
    path = zipped(LINES)
    assert tatoeba(path, seed=3, held_out=4) == tatoeba(path, seed=3, held_out=4)
    assert tatoeba(path, seed=3, held_out=4) != tatoeba(path, seed=4, held_out=4)


def test_empty_lines_are_passed_over(zipped):
    assert len(tatoeba(zipped("\nHi.\tSalut.\n\n  \nGo.\tVa !\n"), held_out=0)["train"]) == 2


@pytest.mark.parametrize("line", ["Go. Va !", "Go.\t", "\tVa !"])
def test_a_line_of_one_column_is_named(zipped, line):
    with pytest.raises(ValueError, match=r"fra\.txt, line 2: got .* expected an English and a French sentence"):
        tatoeba(zipped(f"Hi.\tSalut.\n{line}\n"))


def test_a_file_that_is_no_zip_is_refused(tmp_path):
    (tmp_path / "fra.txt").write_text(LINES)
    with pytest.raises(ValueError, match="not a zip file"):
        tatoeba(tmp_path / "fra.txt")


def test_a_zip_of_another_language_is_refused(zipped):
    with pytest.raises(ValueError, match=r"has \['_about.txt', 'deu.txt'\], expected fra.txt"):
        tatoeba(zipped(LINES, "deu.txt"))


def test_a_path_without_a_file_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file; leave out the path"):
        tatoeba(tmp_path / "fra-eng.zip")


@pytest.mark.parametrize("held_out", [10, -1])
def test_more_held_out_than_there_is_is_refused(zipped, held_out):
    with pytest.raises(ValueError, match=f"held_out: got {held_out} .* 20 English sentences"):
        tatoeba(zipped(LINES), held_out=held_out)


def test_without_a_path_the_checked_file_of_the_data_folder_is_taken(zipped, monkeypatch, tmp_path):
    path = zipped(LINES)
    monkeypatch.setenv("SEQ2SEQ_DATA", str(tmp_path))
    with pytest.raises(DownloadError, match=r"fra-eng\.zip: SHA-256"):
        tatoeba()
    monkeypatch.setattr(module, "SHA256", hashlib.sha256(path.read_bytes()).hexdigest())
    assert tatoeba(held_out=4) == tatoeba(path, held_out=4)
