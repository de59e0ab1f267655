"""The Hansards with manual links: English and French sentences of the Canadian parliament (Och & Ney, 2003).

447 pairs of the shared task of Mihalcea & Pedersen (2003), "WPT-03", on which alignment error rates are published.
The files are not part of this project, nor downloaded by it: the task's data names no licence.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from seq2seq.corpora.download import in_utf8
from seq2seq.corpora.pair import Pair

_SEPARATOR = "|||"


@dataclass(frozen=True, slots=True)
class AlignedPair(Pair):
    """A pair whose ``links`` are the sure ones, $S$; ``possible`` are the possible ones, $P$, including the sure.

    Annotators agree on the sure links; a possible link means that two words are loosely related, like all words of an
    idiom.
    """

    possible: frozenset[tuple[int, int]]

    def __post_init__(self) -> None:
        Pair(self.source, self.target, self.possible)  # the same check, on all links
        if not self.links <= self.possible:
            raise ValueError(
                f"possible: lacks {sorted(self.links - self.possible)}, expected every sure link among the possible "
                "ones, because P includes S."
            )


def hansards(sentences: Path, gold: Path) -> list[AlignedPair]:
    """The pairs of two files, source English and target French, for :func:`seq2seq.alignment.aer`.

    A line of `sentences` reads ``source ||| target``, words separated by spaces.
    The same line of `gold` has a link for each pair of words, ``i-j`` sure, ``ipj`` possible: word i of the source,
    word j of the target, counted from 1 in the file and from 0 in the result.

    Raises:
        ValueError: the files differ in their number of lines, a line has no ``|||``, no word on one side of it, an
            invalid link, or a link to a word that does not exist; or a file is not in UTF-8.
        FileNotFoundError: a file does not exist.
    """
    lines, links = _lines(sentences), _lines(gold)
    if len(lines) != len(links):
        raise ValueError(f"{sentences}: {len(lines)} lines, {gold}: {len(links)}; they must pair up.")
    return [
        _pair(line, marks, f"line {number} of {sentences} and {gold}")
        for number, (line, marks) in enumerate(zip(lines, links, strict=True), start=1)
    ]


def marked_links(marks: str, possible: str, line: str) -> Iterator[tuple[str, int, int, bool]]:
    """Each mark of ``1-1 2p3``, its two positions, and whether it is sure; ``possible`` is the sign of one that is not.

    Raises:
        ValueError: a mark is no link; the message names the line.
    """
    for mark in marks.split():
        match = re.fullmatch(rf"(\d+)([-{possible}])(\d+)", mark)
        if match is None:
            raise ValueError(f"{line}: got the link {mark!r}, expected `i-j` (sure) or `i{possible}j` (possible).")
        yield mark, int(match[1]), int(match[3]), match[2] == "-"


def _pair(sentences: str, marks: str, line: str) -> AlignedPair:
    sides = sentences.split(f" {_SEPARATOR} ")
    if len(sides) != 2:
        raise ValueError(f"{line}: got {sentences[:60]!r}, expected `source {_SEPARATOR} target`; is it the gold file?")
    source, target = (tuple(side.split()) for side in sides)
    if not (source and target):
        raise ValueError(f"{line}: got {sentences[:60]!r}, expected a word at least on each side.")
    sure, possible = set(), set()
    for mark, i, j, is_sure in marked_links(marks, "p", line):
        if not (1 <= i <= len(source) and 1 <= j <= len(target)):
            raise ValueError(
                f"{line}: got the link {mark!r}, expected 1 to {len(source)} and 1 to {len(target)}, the words of the "
                "pair counted from 1; does this file count from 0, or is it for the other direction?"
            )
        possible.add((i - 1, j - 1))
        if is_sure:
            sure.add((i - 1, j - 1))
    return AlignedPair(source, target, frozenset(sure), frozenset(possible))


def _lines(path: Path) -> list[str]:
    with in_utf8(path):
        return Path(path).read_text(encoding="utf-8-sig").removesuffix("\n").split("\n")
