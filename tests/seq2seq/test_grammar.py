"""The grammar corpus: as data, and its links by a dictionary and by sentences aligned by hand."""

import re
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from seq2seq.corpora.grammar import corpus, sample_pair, splits
from seq2seq.corpora.grammar.clause import (
    Clause,
    Comparison,
    Copula,
    Existence,
    Feeling,
    ObjectRelative,
    OwnerRelative,
    Passive,
    Profession,
    VerbPhrase,
    pair,
)
from seq2seq.corpora.grammar.lexicon import LEXICON
from seq2seq.corpora.grammar.noun_phrase import Coordination, Description, NounPhrase, Together
from seq2seq.corpora.grammar.verb_group import VerbGroup


@pytest.fixture(scope="module")
def pairs():
    return corpus(3000, seed=7, lengths=(4, 60))


def test_lengths_are_within_the_range_and_roughly_uniform(pairs):
    counts = Counter(len(pair.source) for pair in pairs)
    assert set(counts) == set(range(4, 61))
    expected = len(pairs) / 57
    assert all(0.5 * expected < count < 1.6 * expected for count in counts.values())


def test_a_single_length_is_met_exactly():
    for length in (3, 4, 5, 9, 17, 33, 60, 90):
        rng = Random(length)
        assert {len(sample_pair(rng, (length, length)).source) for _ in range(40)} == {length}


def test_words_are_many_lower_case_and_rarely_too_rare_to_be_learned(pairs):
    """At 60,000 pairs four words of five occur sixty times or more."""
    for side in ("source", "target"):
        sentences = [getattr(sentence, side) for sentence in pairs]
        counts = Counter(word for words in sentences for word in words)
        assert len(counts) > 500
        assert all(word == word.lower() and word.split() == [word] for word in counts)
        assert sum(count >= 3 for count in counts.values()) > 0.8 * len(counts) or side == "source"
        assert all(words.index(".") == len(words) - 1 for words in sentences)
    assert len({sentence.source for sentence in pairs}) == len(pairs)


def test_one_english_sentence_has_one_translation_and_one_alignment():
    """Short sentences repeat often when drawn anew, so that a second translation would show."""
    rng, known = Random(5), {}
    for _ in range(10_000):
        pair = sample_pair(rng, (3, 6))
        assert known.setdefault(pair.source, pair) == pair
    assert len(known) < 9_200


def test_splits_share_no_source_sentence_and_the_test_may_be_longer():
    parts = splits(1500, 300, 300, seed=4, lengths=(4, 7))
    assert [len(part) for part in parts] == [1500, 300, 300]
    sources = [sentence.source for part in parts for sentence in part]
    assert len(set(sources)) == len(sources)
    train, validation, test = splits(50, 20, 50, seed=4, lengths=(4, 20), test_lengths=(30, 40))
    assert max(len(sentence.source) for sentence in train + validation) <= 20
    assert min(len(sentence.source) for sentence in test) >= 30


def test_a_corpus_of_sixty_thousand_takes_less_than_a_minute_of_one_core():
    """A loose bound, extrapolated, so that a slow machine passes; it takes a fifth of that."""
    started = time.process_time()
    corpus(1000, seed=3, lengths=(4, 50))
    assert 60 * (time.process_time() - started) < 60


HELPING = {"do", "does", "did", "will", "be", "is", "are", "am", "was", "were", "going"}
PARTICLES = {"for": ("cherch", "attend"), "to": ("écout",)}  # look for, wait for, listen to
PROFESSIONS = """professeur étudiant médecin infirmière fermier boulanger soldat écrivain avocat peintre actrice
danseuse ministre maire ingénieur ouvrier"""
ARTICLES = "le la les l' du des au aux un une de d'"
AUXILIARIES = "ai a avons avez ont est sont suis sommes êtes"  # of the passé composé


def read_dictionary():
    """English word forms → beginnings of their French forms, and English function words → their French forms."""
    text = (Path(__file__).parent / "dictionary.txt").read_text("utf-8")
    _, content, function = re.split(r"^(?:CONTENT|FUNCTION)\n", text, flags=re.MULTILINE)
    beginnings, words = {}, {";": {";"}}
    for entry in content.split("\n"):
        english, _, french = entry.partition("=")
        for form in (form for word in english.split() for form in inflected(word)):
            beginnings.setdefault(form, set()).update(french.strip().split(","))
    for entry in function.strip().split("\n"):
        english, _, french = entry.partition("=")
        words.setdefault(english, set()).update(french.rstrip(";").split())
    return beginnings, words


def inflected(word):
    """A word with the regular endings of English."""
    forms = {word, word + "s", word + "es", word + "ed", word + "d", word + "ing"}
    if word.endswith("e"):
        forms.add(word[:-1] + "ing")
    if word.endswith("y"):
        forms |= {word[:-1] + "ies", word[:-1] + "ied"}
    return forms


CONTENT, FUNCTION = read_dictionary()


def licensed(english: str, french: str) -> bool:
    """Whether the dictionary lets the French word translate the English one."""
    if french in FUNCTION.get(english, ()) or french.startswith(tuple(CONTENT.get(english, ()))):
        return True
    if english in HELPING:  # an auxiliary carries the person of the French verb
        return re.fullmatch(r"(a|ai|été|\w+(e|s|t|ai|a|nt|ez|x|d))", french) is not None
    return (
        french.startswith(PARTICLES.get(english, "?"))
        or (english == "to" and french.endswith(("er", "ir", "re")))
        or (english in ("a", "an") and french in PROFESSIONS.split())  # is a doctor: est médecin
        # an article that English leaves out, and the auxiliary that a past in one word becomes
        or (english in CONTENT and french in (*ARTICLES.split(), *AUXILIARIES.split()))
    )


def test_every_word_is_in_the_dictionary_and_linked_and_every_link_is_in_the_dictionary(pairs):
    unlicensed = set()
    for sentence in pairs:
        assert {source for source, _ in sentence.links} == set(range(len(sentence.source)))
        assert {target for _, target in sentence.links} == set(range(len(sentence.target)))
        words = {(sentence.source[source], sentence.target[target]) for source, target in sentence.links}
        unlicensed |= {link for link in words if not licensed(*link)}
    assert not unlicensed
    assert not {word for s in pairs for word in s.source} - CONTENT.keys() - FUNCTION.keys() - HELPING


def test_every_content_word_is_linked_to_its_translation(pairs):
    """Where a word and its translation each occur once, the link must be there: no content link is missing."""
    checked = 0
    for sentence in pairs[:800]:
        for source, english in enumerate(sentence.source):
            beginnings = {b for b in CONTENT.get(english, ()) if len(b) > 3}
            rivals = [w for w in sentence.source if beginnings & CONTENT.get(w, set())]
            candidates = [t for t, french in enumerate(sentence.target) if french.startswith(tuple(beginnings))]
            if english not in FUNCTION and len(rivals) == len(candidates) == 1 and "beaucoup" not in sentence.target:
                checked += 1
                assert (source, candidates[0]) in sentence.links, (sentence, english)
    assert checked > 3_000


DETERMINERS, TO = LEXICON.determiners, LEXICON.phrase["to"]
[_, WHICH], [_, THAT] = LEXICON.phrases["relative subject"], LEXICON.phrases["relative object"]
ME, WE, HE = (LEXICON.subjects[word][0] for word in ("i", "we", "he"))
HER, US = LEXICON.objects["her"], LEXICON.objects["us"]


def name(word):
    return NounPhrase(LEXICON.names[word], DETERMINERS["none"])


def the(word, plural=False, determiner="the", adjectives=(), **rest):
    described = tuple(Description(LEXICON.adjective[adjective]) for adjective in adjectives)
    return NounPhrase(LEXICON.noun[word], DETERMINERS[determiner], plural, adjectives=described, **rest)


def does(verb, tense="present", negation="", *, target=None, recipient=None, clause=None, adjuncts=(), **group):
    used = VerbGroup(LEXICON.verbs[verb], tense, negation, **group)
    return VerbPhrase(used, target, recipient, clause, adjuncts)


THAT_PAUL_WROTE = ObjectRelative(THAT, name("paul"), VerbGroup(LEXICON.verbs["write"], "past"))
WOMAN = the("woman", complement=OwnerRelative(NounPhrase(LEXICON.noun["brother"], DETERMINERS["whose"]), does("work")))
DOG = the("dog", complement=Together(WHICH, does("fall", "past")))
ALIGNED = {  # each French word with the English positions behind it
    "the european economic area is new .": (
        Clause(the("area", adjectives=("european", "economic")), Copula(Description(LEXICON.adjective["new"]))),
        "la/0 zone/3 économique/2 européenne/1 est/4 nouvelle/5 ./6",
    ),
    "marie does not eat an apple .": (
        Clause(name("marie"), does("eat", "present", "not", target=the("apple", determiner="a"))),
        "marie/0 ne/2 mange/1+3 pas/2 de/4 pomme/5 ./6",
    ),
    "i did not see her .": (
        Clause(ME, does("see", "past", "not", target=HER)),
        "je/0 ne/2 l'/4 ai/1 pas/2 vue/3 ./5",
    ),
    "this old man gives us the book .": (
        Clause(the("man", determiner="this", adjectives=("old",)), does("give", recipient=US, target=the("book"))),
        "ce/0 vieil/1 homme/2 nous/4 donne/3 le/5 livre/6 ./7",
    ),
    "the girls went to the museum .": (
        Clause(the("girl", True), does("go", "past", adjuncts=(Together(TO, the("museum")),))),
        "les/0 filles/1 sont/2 allées/2 au/3+4 musée/5 ./6",
    ),
    "the teacher 's sister was a doctor .": (
        Clause(the("sister", owner=the("teacher")), Copula(Profession(LEXICON.noun["doctor"]), "past")),
        "la/2 sœur/3 du/2+0 professeur/1 était/4 médecin/5+6 ./7",
    ),
    "anna looks for the letters that paul wrote .": (
        Clause(name("anna"), does("look for", target=the("letter", True, complement=THAT_PAUL_WROTE))),
        "anna/0 cherche/1+2 les/3 lettres/4 que/5 paul/6 a/7 écrites/7 ./8",
    ),
    "we tried to sleep .": (
        Clause(WE, does("sleep", chain=LEXICON.chains["try to"], tense="past")),
        "nous/0 avons/1 essayé/1 de/2 dormir/3 ./4",
    ),
    "the treaties were not rejected by the government .": (
        Clause(the("treaty", True), Copula(Passive(LEXICON.verbs["reject"], the("government")), "past", "not")),
        "les/0 traités/1 n'/3 ont/2 pas/3 été/2 rejetés/4 par/5 le/6 gouvernement/7 ./8",
    ),
    "the woman whose brother works is not afraid of the dog .": (
        Clause(WOMAN, Copula(Feeling(LEXICON.phrase["afraid"], the("dog")), "present", "not")),
        "la/0 femme/1 dont/2 le/2 frère/3 travaille/4 n'/6 a/5 pas/6 peur/7 du/8+9 chien/10 ./11",
    ),
    "alice is older than my friend .": (
        Clause(name("alice"), Copula(Comparison(LEXICON.adjective["old"], "er", the("friend", determiner="my")))),
        "alice/0 est/1 plus/2 vieille/2 que/3 mon/4 ami/5 ./6",
    ),
    "there are some beautiful horses in canada .": (
        Existence(the("horse", True, "some", ("beautiful",)), LEXICON.phrase["in canada"]),
        "il/0 y/0 a/1 de/2 beaux/3 chevaux/4 au/5 canada/6 ./7",
    ),
    "he no longer needs the water .": (
        Clause(HE, does("need", target=the("water"), negation="no longer")),
        "il/0 n'/1+2 a/3 plus/1+2 besoin/3 de/3 l'/4 eau/5 ./6",
    ),
    "julie says that anna and the aunt rest .": (
        Clause(name("julie"), does("say", clause=Clause(Coordination(name("anna"), the("aunt")), does("rest")))),
        "julie/0 dit/1 qu'/2 anna/3 et/4 la/5 tante/6 se/7 reposent/7 ./8",
    ),
    "the dog that fell swam two days ago .": (
        Clause(DOG, does("swim", "past", adjuncts=(LEXICON.phrase["two days ago"],))),
        "le/0 chien/1 qui/2 est/3 tombé/3 a/4 nagé/4 il/7 y/7 a/7 deux/5 jours/6 ./8",
    ),
}


@pytest.mark.parametrize("english", ALIGNED)
def test_a_sentence_aligned_by_hand(english):
    clause, marked = ALIGNED[english]
    french, places = zip(*(word.split("/") for word in marked.split()), strict=True)
    built = pair([clause])
    assert (built.source, built.target) == (tuple(english.split()), french)
    assert built.links == {(int(i), j) for j, sources in enumerate(places) for i in sources.split("+")}
