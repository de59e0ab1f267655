"""The loader of hand-made alignments, on small files of the same format."""

import pytest

from seq2seq.alignment import aer, diagonal_links
from seq2seq.corpora.hansards import AlignedPair, hansards
from seq2seq.corpora.pair import Pair


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


def test_what_it_gives_is_a_pair_with_its_sure_links(files):
    (pair,) = hansards(*files("a b ||| c\n", "1-1 2p1\n"))
    assert isinstance(pair, Pair)
    assert pair.links == {(0, 0)}


def test_a_link_both_sure_and_possible_is_sure(files):
    (pair,) = hansards(*files("a ||| c\n", "1p1 1-1\n"))
    assert pair.links == pair.possible == {(0, 0)}


def test_lines_without_links_keep_their_place(files):
    pairs = hansards(*files("a ||| c\nb ||| d\n", "\n1-1\n"))
    assert [len(pair.links) for pair in pairs] == [0, 1]


def test_a_file_needs_no_newline_at_its_end(files):
    assert len(hansards(*files("a ||| c", "1-1"))) == 1


def test_the_error_rate_of_the_pairs_by_hand(files):
    pairs = hansards(*files("a b c ||| d e f\na b ||| d e\n", "1-1 2p2\n1p2\n"))
    predicted = [diagonal_links(len(pair.source), len(pair.target)) for pair in pairs]
    # five predicted links, one sure link, which is found; two of the five are possible
    error = aer(predicted, [pair.links for pair in pairs], [pair.possible for pair in pairs])
    assert error == pytest.approx(1 - (1 + 2) / (5 + 1))


def test_files_of_unequal_length_are_refused(files):
    with pytest.raises(ValueError, match=r"2 lines, .*gold: 1; they must pair up"):
        hansards(*files("a ||| c\nb ||| d\n", "1-1\n"))


@pytest.mark.parametrize("line", ["a c", "a ||| b ||| c", "1-1"])
def test_a_line_without_two_sides_is_named(files, line):
    with pytest.raises(ValueError, match=r"line 1 of .*: got .* expected `source"):
        hansards(*files(f"{line}\n", "1-1\n"))


@pytest.mark.parametrize("mark", ["1_1", "1-", "p1", "1-1-1", "-1-1"])
def test_a_word_that_is_no_link_is_named(files, mark):
    with pytest.raises(ValueError, match=f"line 2 of .*: got the link '{mark}'"):
        hansards(*files("a ||| c\nb ||| d\n", f"1-1\n{mark}\n"))


@pytest.mark.parametrize("mark", ["0-1", "1-0", "3-1", "1p4"])
def test_a_link_to_no_word_is_named(files, mark):
    with pytest.raises(ValueError, match=rf"got the link '{mark}', expected 1 to 2 and 1 to 3.*counted from 1"):
        hansards(*files("a b ||| c d e\n", f"{mark}\n"))


def test_a_sure_link_must_be_possible():
    with pytest.raises(ValueError, match=r"possible: lacks \[\(0, 0\)\]"):
        AlignedPair(("a",), ("c",), frozenset({(0, 0)}), frozenset())


def test_a_possible_link_must_join_two_words():
    with pytest.raises(ValueError, match="links: got"):
        AlignedPair(("a",), ("c",), frozenset(), frozenset({(0, 1)}))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"enfr\.src-tgt"):
        hansards(tmp_path / "enfr.src-tgt", tmp_path / "enfr.gold")
