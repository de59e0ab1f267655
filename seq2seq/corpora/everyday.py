"""Everyday: 100 short sentences in English and French, written for this course, of the kind that Tatoeba has.

Nearly all of their words occur five times or more in the pairs of :func:`seq2seq.corpora.tatoeba.tatoeba`; no sentence
is among them.
They have what a grammar cannot show well: negation in two parts, pronouns that change places, verbs of two words
against one, idioms.
One is about the phrase of Bahdanau et al. (2015, figure 3), *European Economic Area*.
Two annotators linked the words by the guideline in ``everyday.md``; ``everyday_links_1.txt`` and
``everyday_links_2.txt`` are what they wrote, unchanged. Both are runs of a language model that read the guideline and
the sentences and nothing else, so they agree more than people would.
Sentences and links are dedicated to the public domain, under CC0 1.0.
"""

from pathlib import Path

from seq2seq.corpora.hansards import AlignedPair, marked_links

FILE = Path(__file__).with_name("everyday.tsv")
ANNOTATORS = (1, 2)


def everyday(lowercase: bool = True) -> list[AlignedPair]:
    """The pairs English to French, in the order of the file, with the gold links of Och and Ney (2003, section 4.1).

    Sure is what both annotators call sure; possible is what either calls sure or possible.

    The words and punctuation marks are those into which the loader of Tatoeba cuts a sentence.
    """
    annotated = (annotation(annotator, lowercase) for annotator in ANNOTATORS)
    return [
        AlignedPair(first.source, first.target, first.links & second.links, first.possible | second.possible)
        for first, second in zip(*annotated, strict=True)
    ]


def annotation(annotator: int, lowercase: bool = True) -> list[AlignedPair]:
    """The same pairs, with the links of one annotator, 1 or 2.

    Raises:
        ValueError: there is no such annotator.
    """
    if annotator not in ANNOTATORS:
        raise ValueError(f"annotator: got {annotator}, expected one of {ANNOTATORS}.")
    text = FILE.read_text(encoding="utf-8-sig")
    sentences = (text.lower() if lowercase else text).splitlines()
    marks = FILE.with_name(f"everyday_links_{annotator}.txt").read_text(encoding="utf-8-sig").splitlines()
    return [
        linked(pair, line, number) for number, (pair, line) in enumerate(zip(sentences, marks, strict=True), start=1)
    ]


def linked(sentences: str, marks: str, number: int) -> AlignedPair:
    """A pair from ``source<TAB>target`` and ``number<TAB>0-0 1?2``: ``-`` makes a sure link, ``?`` a possible one.

    Raises:
        ValueError: the marks are those of another pair, or one is no link between two words of this pair.
    """
    source, target = (tuple(side.split()) for side in sentences.split("\t"))
    pair, _, rest = marks.partition("\t")
    if pair != str(number):
        raise ValueError(f"marks: got those of pair {pair}, expected those of {number}; a line is missing or moved.")
    links = list(marked_links(rest, "?", f"pair {number}"))
    sure = frozenset((i, j) for _, i, j, is_sure in links if is_sure)
    return AlignedPair(source, target, sure, frozenset((i, j) for _, i, j, _ in links))
