"""Everyday: 100 short sentences in English and French, written for this course, of the kind that Tatoeba has.

Nearly all of their words occur five times or more in the pairs of :func:`seq2seq.corpora.tatoeba.tatoeba`; no sentence
is among them.
They have what a grammar cannot show well: negation in two parts, pronouns that change places, verbs of two words
against one, idioms.
One is about the phrase of Bahdanau et al. (2015, figure 3), *European Economic Area*.
The sentences are dedicated to the public domain, under CC0 1.0.
"""

from pathlib import Path

from seq2seq.corpora.pair import Pair

FILE = Path(__file__).with_name("everyday.tsv")


def everyday(lowercase: bool = True) -> list[Pair]:
    """The pairs English to French, without links, in the order of the file.

    The words and punctuation marks are those into which the loader of Tatoeba cuts a sentence.
    """
    text = FILE.read_text(encoding="utf-8")
    rows = (line.split("\t") for line in (text.lower() if lowercase else text).splitlines())
    return [Pair(tuple(source.split()), tuple(target.split()), frozenset()) for source, target in rows]
