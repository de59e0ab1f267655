"""Corpora in files: checked downloads, from a server of this process, and what the loaders make of small files."""

import gzip
import hashlib
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from seq2seq.alignment import aer, diagonal_links
from seq2seq.corpora import multi30k as multi30k_module
from seq2seq.corpora import tatoeba as tatoeba_module
from seq2seq.corpora.download import DownloadError, data_folder, fetch
from seq2seq.corpora.everyday import ANNOTATORS, annotation, everyday, linked
from seq2seq.corpora.hansards import AlignedPair, hansards
from seq2seq.corpora.multi30k import BASE, LANGUAGES, SHA256, SPLITS, multi30k, words
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.tatoeba import tatoeba

BYTES = bytes(range(256)) * 700  # more than two chunks
DIGEST = hashlib.sha256(BYTES).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves BYTES under every path but /missing, and writes down the ranges that were asked for."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.ranges = []
        self.honours_ranges = True
        self.breaks_after = None  # bytes
        self.chunked = False

    def address(self, name):
        return f"http://127.0.0.1:{self.server_port}/{name}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        asked = self.headers.get("Range")
        self.server.ranges.append(asked)
        self.close_connection = True
        if self.path == "/missing":
            self.send_error(404)
            return
        first = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and self.server.honours_ranges else 0
        if first >= len(BYTES):
            self.send_error(416)
            return
        self.send_response(206 if first else 200)
        body = BYTES[first : self.server.breaks_after]
        if self.server.chunked:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(f"{len(body):x}\r\n".encode() + body + b"\r\n")  # and no last chunk of size 0
        else:
            self.send_header("Content-Length", str(len(BYTES) - first))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def fetched(server, tmp_path):
    """``fetched()`` fetches the file of BYTES into the folder of the test."""
    return lambda digest=DIGEST: fetch(server.address("corpus.gz"), digest, tmp_path)


def test_a_file_is_downloaded_whole_and_not_fetched_again(server, tmp_path):
    for _ in range(2):
        path = fetch(server.address("corpus.gz"), DIGEST, tmp_path / "new" / "folder")
        assert path == tmp_path / "new" / "folder" / "corpus.gz"
        assert path.read_bytes() == BYTES
        assert names(path.parent) == ["corpus.gz"]
    assert server.ranges == [None]
    (tmp_path / "corpus.gz").write_bytes(BYTES)  # put there by hand
    assert fetch("http://127.0.0.1:1/corpus.gz", DIGEST, tmp_path).read_bytes() == BYTES


def test_a_wrong_file_that_lay_there_is_refused_and_left(server, fetched, tmp_path):
    (tmp_path / "corpus.gz").write_bytes(b"something else")
    with pytest.raises(DownloadError, match=r"corpus\.gz: SHA-256 .* expected .*; move .* away"):
        fetched()
    assert (tmp_path / "corpus.gz").read_bytes() == b"something else"
    assert server.ranges == []


@pytest.mark.parametrize(
    ("part", "honours_ranges", "asked"),
    [(1000, True, "bytes=1000-"), (1000, False, "bytes=1000-"), (None, True, "bytes=")],
)
def test_a_download_that_broke_off_goes_on_by_range_or_from_its_start(
    server, fetched, tmp_path, part, honours_ranges, asked
):
    server.honours_ranges = honours_ranges
    (tmp_path / "corpus.gz.part").write_bytes(BYTES[:part])
    assert fetched().read_bytes() == BYTES
    assert names(tmp_path) == ["corpus.gz"]
    assert server.ranges[0].startswith(asked)


def test_wrong_bytes_are_refused_and_removed_so_that_the_next_try_starts_anew(fetched, tmp_path):
    with pytest.raises(DownloadError, match=f"SHA-256 {DIGEST}, expected {'0' * 64}; the download was removed"):
        fetched("0" * 64)
    assert names(tmp_path) == []
    (tmp_path / "corpus.gz.part").write_bytes(b"x" * 1000)
    with pytest.raises(DownloadError, match="the download was removed"):
        fetched()
    assert fetched().read_bytes() == BYTES


@pytest.mark.parametrize("chunked", [False, True])
def test_a_connection_that_ends_early_leaves_no_file_under_the_name_and_is_resumed(server, fetched, tmp_path, chunked):
    server.breaks_after, server.chunked = 100_000, chunked
    with pytest.raises(DownloadError, match="the partial download is kept"):
        fetched()
    assert names(tmp_path) == ["corpus.gz.part"]
    server.breaks_after, server.chunked = None, False
    assert fetched().read_bytes() == BYTES
    assert server.ranges[1].removeprefix("bytes=") != "0-"


def test_what_is_not_to_be_had_is_named_with_what_to_do(server, tmp_path):
    url = server.address("corpus.gz").replace(str(server.server_port), "1")  # nobody listens on port 1
    with pytest.raises(DownloadError, match=r"corpus\.gz: not downloaded from .*put the file into .*SEQ2SEQ_DATA"):
        fetch(url, DIGEST, tmp_path)
    with pytest.raises(DownloadError, match=r"missing: not downloaded from .*404"):
        fetch(server.address("missing"), DIGEST, tmp_path)
    assert names(tmp_path) == []
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(DownloadError, match="not downloaded"):
        fetch(server.address("corpus.gz"), DIGEST, tmp_path / "file")


def test_the_folder_is_the_one_of_the_environment_or_in_the_cache_of_the_home(monkeypatch, tmp_path):
    monkeypatch.setenv("SEQ2SEQ_DATA", str(tmp_path))
    (tmp_path / "corpus.gz").write_bytes(BYTES)
    assert data_folder() == tmp_path
    assert fetch("http://127.0.0.1:1/corpus.gz", DIGEST) == tmp_path / "corpus.gz"
    monkeypatch.delenv("SEQ2SEQ_DATA")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".cache" / "seq2seq"


# Multi30k


@pytest.fixture
def put(monkeypatch, tmp_path):
    """``put(name, text)``: a file of that name in the folder, accepted by the loader."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(multi30k_module, "BASE", "http://127.0.0.1:1")  # nobody listens there: nothing is downloaded

    def write(name, text):
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
        monkeypatch.setitem(SHA256, name, hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())

    return write


GERMAN_AND_ENGLISH = {
    "pairs in the order of the files": (
        "Ein Hund rennt.\nZwei Männer, eine Leiter.\n",
        "A dog runs.\nTwo men, one ladder.\n",
        [("ein hund rennt .", "a dog runs ."), ("zwei männer , eine leiter .", "two men , one ladder .")],
    ),
    "a pair with an empty side is left out": (
        "eins\n\n   \ndrei\nvier\n",
        "one\ntwo\n\n\nfour\n",
        [("eins", "one"), ("vier", "four")],
    ),
    "other signs that may end a line do not": (
        "ein\u2028Hund\rrennt\r\nzwei\r\n",
        "a dog runs\ntwo\n",
        [("ein hund rennt", "a dog runs"), ("zwei", "two")],
    ),
}


@pytest.mark.parametrize("case", GERMAN_AND_ENGLISH)
def test_lines_become_pairs(put, tmp_path, case):
    german, english, expected = GERMAN_AND_ENGLISH[case]
    put("val.de.gz", german)
    put("val.en.gz", english)
    pairs = [Pair(tuple(source.split()), tuple(target.split()), frozenset()) for source, target in expected]
    assert multi30k("val", folder=tmp_path) == pairs


def test_languages_and_case_are_those_asked_for(put, tmp_path):
    put("val.fr.gz", "un chien\n")
    put("val.en.gz", "a dog\n")
    assert multi30k("val", "en", "fr", tmp_path) == [Pair(("a", "dog"), ("un", "chien"), frozenset())]
    put("val.de.gz", "Ein Hund\n")
    put("val.en.gz", "A Dog\n")
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


def test_every_split_is_there_in_every_language_at_one_fixed_version():
    assert set(SHA256) == {f"{split}.{language}.gz" for split in SPLITS for language in LANGUAGES}
    assert SPLITS[:3] == ("test_2016_flickr", "test_2017_flickr", "test_2017_mscoco")
    assert "/raw/a3d2e0d/" in BASE


# Tatoeba


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


def test_lines_of_tatoeba(zipped):
    """Case is kept where asked; all translations are kept, a line twice is not; empty lines are passed over."""
    assert tatoeba(zipped("Go.\tVa !\n"), held_out=0, lowercase=False)["train"][0].source == ("Go", ".")
    pairs = tatoeba(zipped("Hi.\tSalut.\nHi.\tBonjour.\nhi .\tSalut.\n"), held_out=0)["train"]
    assert [pair.target for pair in pairs] == [("salut", "."), ("bonjour", ".")]
    assert len(tatoeba(zipped("\nHi.\tSalut.\n\n  \nGo.\tVa !\n"), held_out=0)["train"]) == 2


def test_no_english_sentence_is_in_two_splits_and_a_seed_repeats_them(zipped):
    path = zipped(LINES)
    splits = tatoeba(path, seed=3, held_out=4)
    sources = {name: {pair.source for pair in pairs} for name, pairs in splits.items()}
    assert {name: len(kept) for name, kept in sources.items()} == {"train": 12, "val": 4, "test": 4}
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


# hansards


@pytest.fixture
def files(tmp_path):
    def write(sentences, gold):
        paths = tmp_path / "pairs.src-tgt", tmp_path / "pairs.gold"
        for path, text in zip(paths, (sentences, gold), strict=True):
            path.write_text(text, encoding="utf-8")
        return paths

    return write


def test_sure_and_possible_links_count_from_0(files):
    paths = files("the old mill   ||| le vieux moulin là  \n", "1-1 2p3 3-3 3p4\n")
    assert hansards(*paths) == [
        AlignedPair(
            ("the", "old", "mill"),
            ("le", "vieux", "moulin", "là"),
            frozenset({(0, 0), (2, 2)}),
            frozenset({(0, 0), (1, 2), (2, 2), (2, 3)}),
        )
    ]


def test_pairs_have_their_sure_links_and_keep_their_place(files):
    (pair,) = hansards(*files("a b ||| c\n", "1-1 2p1\n"))
    assert isinstance(pair, Pair)
    assert pair.links == {(0, 0)}
    (pair,) = hansards(*files("a ||| c\n", "1p1 1-1\n"))  # both sure and possible
    assert pair.links == pair.possible == {(0, 0)}
    assert [len(pair.links) for pair in hansards(*files("a ||| c\nb ||| d\n", "\n1-1\n"))] == [0, 1]
    assert len(hansards(*files("a ||| c", "1-1"))) == 1  # no newline at the end


def test_the_error_rate_of_the_pairs_by_hand(files):
    pairs = hansards(*files("a b c ||| d e f\na b ||| d e\n", "1-1 2p2\n1p2\n"))
    predicted = [diagonal_links(len(pair.source), len(pair.target)) for pair in pairs]
    # five predicted links, one sure link, which is found; two of the five are possible
    error = aer(predicted, [pair.links for pair in pairs], [pair.possible for pair in pairs])
    assert error == pytest.approx(1 - (1 + 2) / (5 + 1))


@pytest.mark.parametrize(
    ("sentences", "gold", "message"),
    [
        ("a ||| c\nb ||| d\n", "1-1\n", r"2 lines, .*gold: 1; they must pair up"),
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


def test_links_are_possible_and_join_two_words(tmp_path):
    with pytest.raises(ValueError, match=r"possible: lacks \[\(0, 0\)\]"):
        AlignedPair(("a",), ("c",), frozenset({(0, 0)}), frozenset())
    with pytest.raises(ValueError, match="links: got"):
        AlignedPair(("a",), ("c",), frozenset(), frozenset({(0, 1)}))
    with pytest.raises(FileNotFoundError, match=r"enfr\.src-tgt"):
        hansards(tmp_path / "enfr.src-tgt", tmp_path / "enfr.gold")


# everyday sentences


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
        ("8\t0-0", "got those of pair 8, expected those of 7"),
        ("7\t0p0", "pair 7: got the link '0p0'"),
        ("7\t0-0-0", "pair 7: got"),
        ("7\t0-1", "a target position"),
    ]:
        with pytest.raises(ValueError, match=message):
            linked("A\tUn", marks, 7)
