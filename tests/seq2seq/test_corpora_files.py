"""Corpora in files: what the loaders make of small ones, and the everyday sentences."""

import gzip
import hashlib
import zipfile

import pytest

from seq2seq.corpora import everyday as everyday_module
from seq2seq.corpora import multi30k as multi30k_module
from seq2seq.corpora import tatoeba as tatoeba_module
from seq2seq.corpora.download import DownloadError
from seq2seq.corpora.everyday import ANNOTATORS, annotation, everyday, linked
from seq2seq.corpora.hansards import AlignedPair, hansards
from seq2seq.corpora.multi30k import SHA256, multi30k, words
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.tatoeba import tatoeba

LINES = "".join(
    f"Sentence {number}.\tPhrase {number} {ending}\tCC-BY 2.0 (France) Attribution: nobody\n"
    for number in range(20)
    for ending in ("!", "?", ".")[: 1 + number % 3]
)


@pytest.fixture
def put(monkeypatch, tmp_path):
    """``put(name, text)``: a file of that name in the folder, accepted by the loader."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(multi30k_module, "BASE", "http://127.0.0.1:1")  # nobody listens there

    def write(name, text):
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
        monkeypatch.setitem(SHA256, name, hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())

    return write


@pytest.mark.parametrize(
    ("german", "english", "expected"),
    [
        ("Der Hund.\nZwei, eins.\n", "The dog.\nTwo, one.\n", ["der hund .|the dog .", "zwei , eins .|two , one ."]),
        ("eins\n\n   \ndrei\nvier\n", "one\ntwo\n\n\nfour\n", ["eins|one", "vier|four"]),  # no side is empty
        ("ein\u2028Hund\rrennt\r\nzwei\r\n", "a dog runs\ntwo\n", ["ein hund rennt|a dog runs", "zwei|two"]),
    ],
)
def test_lines_become_pairs_in_their_order(put, tmp_path, german, english, expected):
    put("val.de.gz", german)
    put("val.en.gz", english)
    assert [f"{' '.join(pair.source)}|{' '.join(pair.target)}" for pair in multi30k("val", folder=tmp_path)] == expected


def test_languages_and_case_are_those_asked_for(put, tmp_path):
    for name, text in {"val.fr.gz": "un chien", "val.de.gz": "Ein Hund", "val.en.gz": "A Dog"}.items():
        put(name, text)
    assert multi30k("val", "en", "fr", tmp_path) == [Pair(("a", "dog"), ("un", "chien"), frozenset())]
    assert multi30k("val", folder=tmp_path, lowercase=False) == [Pair(("Ein", "Hund"), ("A", "Dog"), frozenset())]


def test_what_is_no_split_of_multi30k_is_refused(put, tmp_path):
    put("val.de.gz", "eins\nzwei\n")
    with pytest.raises(DownloadError, match=r"val\.en\.gz: not downloaded"):
        multi30k("val", folder=tmp_path)
    put("val.en.gz", "one\ntwo\nthree\n")
    with pytest.raises(ValueError, match="val: 2 lines of de, 3 of en"):
        multi30k("val", folder=tmp_path)
    with pytest.raises(ValueError, match=r"split: got 'valid', expected one of .*'val'"):
        multi30k("valid")
    for languages in (("cs", "en"), ("de", "cs")):
        with pytest.raises(ValueError, match="language: got 'cs'"):
            multi30k("val", *languages)
    (tmp_path / "val.de.gz").write_bytes(gzip.compress(b"changed\n"))
    with pytest.raises(DownloadError, match=r"val\.de\.gz: SHA-256"):
        multi30k("val", folder=tmp_path)


def test_words_are_cut_as_sacrebleu_does():
    assert words("It's 1,000 km (or so): Yes!") == ["it's", "1,000", "km", "(", "or", "so", ")", ":", "yes", "!"]


@pytest.fixture
def zipped(tmp_path):
    def write(text, member="fra.txt"):
        with zipfile.ZipFile(tmp_path / "fra-eng.zip", "w") as archive:
            archive.writestr("_about.txt", "about")
            archive.writestr(member, text)
        return tmp_path / "fra-eng.zip"

    return write


def test_a_line_becomes_a_pair(zipped):
    """With or without attribution; in its case where asked; all translations are kept, a line twice is not."""
    for attribution in ("", "\tCC-BY 2.0 (France)"):
        splits = tatoeba(zipped(f"Don't go!\tN'y va pas\u202f!{attribution}\r\n"), held_out=0)
        expected = Pair(("don't", "go", "!"), ("n'y", "va", "pas", "!"), frozenset())
        assert splits == {"train": [expected], "val": [], "test": []}
    assert tatoeba(zipped("Go.\tVa !\n"), held_out=0, lowercase=False)["train"][0].source == ("Go", ".")
    pairs = tatoeba(zipped("Hi.\tSalut.\nHi.\tBonjour.\n\n  \nhi .\tSalut.\n"), held_out=0)["train"]
    assert [pair.target for pair in pairs] == [("salut", "."), ("bonjour", ".")]
    assert len(tatoeba(zipped("<skipped>\tRien.\nHi.\tSalut.\n"), held_out=0)["train"]) == 1


def test_no_english_sentence_is_in_two_splits_and_a_seed_repeats_them(zipped):
    path = zipped(LINES)
    splits = tatoeba(path, seed=3, held_out=4)
    sources = {name: {pair.source for pair in pairs} for name, pairs in splits.items()}
    assert {name: len(held) for name, held in sources.items()} == {"train": 12, "val": 4, "test": 4}
    assert len(set.union(*sources.values())) == 20
    assert tatoeba(path, seed=3, held_out=4) == splits != tatoeba(path, seed=4, held_out=4)


def test_capital_letters_make_no_other_sentence(zipped):
    path = zipped("".join(f"word {n}\tmot {n}\nWORD {n}\tMOT {n}\n" for n in range(9)))
    for pairs in tatoeba(path, held_out=3, lowercase=False).values():
        assert len(pairs) == 6
        assert len({" ".join(pair.source).lower() for pair in pairs}) == 3


@pytest.mark.parametrize("line", ["Go. Va !", "Go.\t", "\tVa !"])
def test_a_line_of_one_column_is_named(zipped, line):
    with pytest.raises(ValueError, match=r"fra\.txt, line 2: got .* expected an English and a French sentence"):
        tatoeba(zipped(f"Hi.\tSalut.\n{line}\n"))


def test_what_is_no_zip_of_tatoeba_is_refused(zipped, tmp_path):
    (tmp_path / "fra.txt").write_text(LINES)
    with pytest.raises(ValueError, match="not a zip file"):
        tatoeba(tmp_path / "fra.txt")
    with pytest.raises(FileNotFoundError, match="no such file; leave out the path"):
        tatoeba(tmp_path / "fra-eng.zip")
    with pytest.raises(ValueError, match=r"has \['_about.txt', 'deu.txt'\], expected fra.txt"):
        tatoeba(zipped(LINES, "deu.txt"))
    for held_out in (10, -1):
        with pytest.raises(ValueError, match=f"held_out: got {held_out} .* 20 English sentences"):
            tatoeba(zipped(LINES), held_out=held_out)


def test_without_a_path_the_checked_file_of_the_data_folder_is_taken(zipped, monkeypatch, tmp_path):
    path = zipped(LINES)
    monkeypatch.setenv("SEQ2SEQ_DATA", str(tmp_path))
    with pytest.raises(DownloadError, match=r"fra-eng\.zip: SHA-256"):
        tatoeba()
    monkeypatch.setattr(tatoeba_module, "SHA256", hashlib.sha256(path.read_bytes()).hexdigest())
    assert tatoeba(held_out=4) == tatoeba(path, held_out=4)


@pytest.fixture
def files(tmp_path):
    def write(sentences, gold):
        paths = tmp_path / "pairs.src-tgt", tmp_path / "pairs.gold"
        for path, text in zip(paths, (sentences, gold), strict=True):
            path.write_text(text, encoding="utf-8")
        return paths

    return write


def test_sure_and_possible_links_count_from_0_and_pairs_keep_their_place(files):
    (pair,) = hansards(*files("the old mill   ||| le vieux moulin là  \n", "1-1 2p3 3-3 3p4\n"))
    sure = frozenset({(0, 0), (2, 2)})
    assert pair == AlignedPair(("the", "old", "mill"), ("le", "vieux", "moulin", "là"), sure, sure | {(1, 2), (2, 3)})
    (pair,) = hansards(*files("a b ||| c\n", "1-1 2p1\n"))
    assert isinstance(pair, Pair)
    assert pair.links == {(0, 0)}
    (pair,) = hansards(*files("a ||| c\n", "1p1 1-1\n"))  # both sure and possible
    assert pair.links == pair.possible == {(0, 0)}
    assert [len(pair.links) for pair in hansards(*files("a ||| c\nb ||| d\n", "\n1-1\n"))] == [0, 1]
    assert len(hansards(*files("a ||| c", "1-1"))) == 1  # no newline at the end


def test_a_text_that_is_not_in_utf_8_is_named(files, zipped):
    sentences, gold = files("", "1-1\n")
    for encoding in ("latin-1", "utf-16"):
        sentences.write_bytes("là ||| là\n".encode(encoding))
        with pytest.raises(ValueError, match=r"src-tgt: byte . is not UTF-8"):
            hansards(sentences, gold)
        with pytest.raises(ValueError, match=r"fra-eng.zip, fra.txt: byte . is not UTF-8"):
            tatoeba(zipped("là\tlà\n".encode(encoding)))


@pytest.mark.parametrize(
    ("sentences", "gold", "message"),
    [
        ("a ||| c\nb ||| d\n", "1-1\n", r"2 lines, .*gold: 1; they must pair up"),
        *((f"{line}\n", "\n", r"line 1 of .*: got .* expected a word at least") for line in ("a ||| ", " ||| b")),
        *((f"{line}\n", "1-1\n", r"line 1 of .*: got .* expected `source") for line in ("a c", "a ||| b ||| c", "1-1")),
        *(
            ("a ||| c\nb ||| d\n", f"1-1\n{mark}\n", f"line 2 of .*: got the link '{mark}'")
            for mark in ("1_1", "1-", "p1", "1-1-1", "-1-1")
        ),
        *(
            ("a b ||| c d e\n", f"{mark}\n", rf"got the link '{mark}', expected 1 to 2 and 1 to 3.*counted from 1")
            for mark in ("0-1", "1-0", "3-1", "1p4")
        ),
    ],
)
def test_lines_that_do_not_pair_up_or_hold_no_link_are_named(files, sentences, gold, message):
    with pytest.raises(ValueError, match=message):
        hansards(*files(sentences, gold))


def test_a_hundred_everyday_pairs_of_4_to_16_words_of_tatoebas_tokeniser():
    pairs = everyday()
    assert len({pair.source for pair in pairs}) == len({pair.target for pair in pairs}) == len(pairs) == 100
    for lowercase in (True, False):
        for pair in everyday(lowercase):
            for side in (pair.source, pair.target):
                assert tuple(words(" ".join(side), lowercase)) == side
                assert 4 <= sum(word not in set(".,?!") for word in side) <= 16, pair
    for pair in pairs:  # every final mark is linked to its counterpart
        assert (len(pair.source) - 1, len(pair.target) - 1) in pair.links


def test_the_phrase_of_the_paper_is_there_and_crosses():
    (pair,) = (pair for pair in everyday() if "economic" in pair.source)
    english, french = ("european", "economic", "area"), ("zone", "économique", "européenne")
    assert " ".join(english) in " ".join(pair.source)
    assert " ".join(french) in " ".join(pair.target)
    translations = zip(english, french[::-1], strict=True)
    places = [(pair.source.index(word), pair.target.index(translation)) for word, translation in translations]
    assert pair.links >= set(places)


def test_sure_is_what_both_say_and_possible_what_either_says():
    rows = list(zip(everyday(), *(annotation(annotator) for annotator in ANNOTATORS), strict=True))
    for pair, first, second in rows:
        assert pair.links == first.links & second.links
        assert pair.possible == first.possible | second.possible
    assert any(first != second for _, first, second in rows)


def test_marks_become_sure_and_possible_links_or_are_refused():
    pair = linked("A red car .\tUne voiture rouge .", "7\t0-0 1-2 2-1 0?1 3-3", 7)
    assert pair.links == {(0, 0), (1, 2), (2, 1), (3, 3)}
    assert pair.possible - pair.links == {(0, 1)}
    for marks, message in [
        *(("8\t0-0", "got those of pair 8, expected those of 7"), ("7\t0p0", "pair 7: got the link '0p0'")),
        *(("7\t0-0-0", "pair 7: got"), ("7\t0-1", "a target position")),
    ]:
        with pytest.raises(ValueError, match=message):
            linked("A\tUn", marks, 7)


def test_a_byte_order_mark_as_windows_writes_it_is_no_part_of_the_first_word(put, zipped, files, monkeypatch, tmp_path):
    mark = "\ufeff"
    put("val.en.gz", f"{mark}the cat\n")
    put("val.fr.gz", f"{mark}le chat\n")
    for name, text in {"everyday.txt": "the cat\tle chat\n", "everyday_links_1.txt": "1\t0-0\n"}.items():
        (tmp_path / name).write_text(f"{mark}{text}", encoding="utf-8")
    monkeypatch.setattr(everyday_module, "FILE", tmp_path / "everyday.txt")
    for [pair] in (
        multi30k("val", "en", "fr", tmp_path),
        tatoeba(zipped(f"{mark}the cat\tle chat\n"), held_out=0)["train"],
        hansards(*files(f"{mark}the cat ||| le chat\n", f"{mark}1-1 2-2\n")),
        annotation(1),
    ):
        assert (pair.source, pair.target) == (("the", "cat"), ("le", "chat"))
