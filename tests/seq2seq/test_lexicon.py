"""The table of the grammar's words: what it shows is what is said, and a line that cannot be read is named."""

import re

import pytest

from seq2seq.corpora.grammar.clause import Clause, VerbPhrase, pair
from seq2seq.corpora.grammar.lexicon import FILE, LEXICON, Lexicon
from seq2seq.corpora.grammar.verb_group import VerbGroup

TEXT = FILE.read_text(encoding="utf-8")
LINES = TEXT.splitlines()
TENSES = [line.split("\t") for line in LINES if line.startswith("tense\t")]


@pytest.mark.parametrize("columns", TENSES, ids=lambda columns: columns[1])
def test_a_tense_is_what_its_example_shows(columns):
    _, english, french, frame, marks = columns
    weight, *_ = marks.split(", ")
    same = [usage for usage in LEXICON.usages[frame] if usage.cost == len(english.split())]
    adverb, chain = LEXICON.phrase["often"], LEXICON.chains["want to"]
    sentences = []
    for usage in dict.fromkeys(same):
        words = usage.tense, usage.negation, adverb if usage.adverb else None, usage.modal
        group = VerbGroup(LEXICON.verbs["eat"], *words, chain if usage.chained else None)
        sentence = pair([Clause(LEXICON.subjects["he"][0], VerbPhrase(group))])
        sentences += [(" ".join(sentence.source), " ".join(sentence.target))] * same.count(usage)
    assert sentences.count((f"he {english} .", f"il {french} .")) == int(weight)


def test_blanks_and_comments_say_nothing_and_columns_may_be_left_out_or_spaced():
    lexicon = Lexicon("# a comment\n\n  \nkind\tperson\nnoun\t man/men \thomme\tperson\t m \r\n")
    assert lexicon.noun["man"].english == (("man",), ("men",))
    assert lexicon.noun["man"].french == (("homme",), ("hommes",))


BAD = {
    "nuon\tcat\tchat\tanimal\tm": r"class: got 'nuon', expected one of .*noun",
    "noun cat chat": r"class: got 'noun cat chat'",
    "noun": r"got 1 columns, expected 2 to 5: class, english, french, use, marks",
    "noun\tcat\t\tanimal\tm": r"got 'cat' and '', expected English and French; is a tab missing or extra",
    "noun\tcat\tchat\tanimals\tm": r"use: got 'animals', expected one of person, kin, animal",
    "noun\tcat\tchat\tanimal": r"marks: got '', expected exactly one of m, f",
    "noun\tcat\tchat\tanimal\tm jop": r"marks: got 'jop', expected one of m, f, job",
    "noun\t/men\thomme\tperson\tm": r"got '/men', expected a word before the slash",
    "compound\tfish cake\tgâteau": r"english: got 'fish', expected a word of a line above",
    "compound\tcake\tgâteau": r"english: got 'cake', expected two nouns",
    "conjugation\tmove\tmouvoir\tmeus meut\tmû mouvr": r"got 'meus meut' and 'mû mouvr', expected the forms of je, il",
    "verb\tmove\tmouvoir\tpeople alone": r"french: got 'mouvoir', expected a verb in -er or -dre, or one with",
    "verb\tmove\tbouger\tpeople": r"use: got '', expected one of alone, object",
    "verb\tmove\tbouger\tpeople alone\tstate,core": r"marks: got 'state,core', expected one of core, state",
    "determiner\tno\ta/b/c/d/e": r"french: got 5 forms, expected at most m, f, m plural, f plural",
    "heads\tthe*two\t\tsubject plural": r"english: got 'two', expected a whole number",
    "heads\tthat\t\tsubject plural": r"english: got 'that', expected a word of a line above",
    "pronoun\tone\ton\tsubject on\tm": r"use: got 'on', expected one of je, il",
    "time\tat noon\tà midi\tnow": r"use: got 'now', expected one of present, past, future",
    "time\tat noon\tà midi\tpresent\t0": r"marks: got '0', expected for each word of 'à midi' positions in 'at noon'",
    "tense\tate\ta mangé\tpast\tpast": r"marks: got 'past', expected a whole number",
}


@pytest.mark.parametrize("line", BAD)
def test_a_malformed_line_is_named_in_one_sentence(line):
    with pytest.raises(ValueError, match=rf"lexicon\.tsv, line {len(LINES) + 1}: {BAD[line]}") as raised:
        Lexicon(f"{TEXT}{line}\n")
    assert re.fullmatch(r"[^\n]*[^.\n]\.", str(raised.value))
