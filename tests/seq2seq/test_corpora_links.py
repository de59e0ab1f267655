"""The links of the grammar corpus, against a dictionary written by hand and sentences aligned by hand."""

import re

import pytest
from corpora_dictionary import ARTICLES, AUXILIARIES, PARTICLES, PROFESSIONS, read_content, read_function

from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.grammar import determiner as d
from seq2seq.corpora.grammar import function_words as f
from seq2seq.corpora.grammar.clause import Clause, Existence, Sentence
from seq2seq.corpora.grammar.lexicon import ADJECTIVE, CHAIN, NAMES, NOUN, VERB
from seq2seq.corpora.grammar.noun_phrase import Coordination, Description, NounPhrase, Phrase, Prepositional
from seq2seq.corpora.grammar.predicate import Comparison, Copula, Feeling, Passive, Profession, Quality, VerbPhrase
from seq2seq.corpora.grammar.relative import ObjectRelative, OwnerRelative, SubjectRelative
from seq2seq.corpora.grammar.sentences import pair
from seq2seq.corpora.grammar.verb_group import VerbGroup

CONTENT, FUNCTION = read_content(), read_function()
HELPING = {"do", "does", "did", "will", "be", "is", "are", "am", "was", "were", "going"}


@pytest.fixture(scope="module")
def pairs():
    return corpus(1500, seed=11, lengths=(3, 60))


def licensed(english: str, french: str) -> bool:
    """Whether the dictionary lets the French word translate the English one."""
    if french in FUNCTION.get(english, ()):
        return True
    if any(french.startswith(beginning) for beginning in CONTENT.get(english, ())):
        return True
    if english in HELPING:  # an auxiliary carries the person of the French verb
        return re.fullmatch(r"(a|ai|été|\w+(e|s|t|ai|a|nt|ez|x|d))", french) is not None
    if french.startswith(PARTICLES.get(english, "?")) or (english == "to" and french.endswith(("er", "ir", "re"))):
        return True
    if english in ("a", "an") and french in PROFESSIONS.split():  # is a doctor: est médecin
        return True
    # an article that English leaves out, and the auxiliary that a past in one word becomes
    return english in CONTENT and french in (*ARTICLES.split(), *AUXILIARIES.split())


def test_every_word_of_both_sides_is_linked(pairs):
    for found in pairs:
        assert {source for source, _ in found.links} == set(range(len(found.source)))
        assert {target for _, target in found.links} == set(range(len(found.target)))


def test_every_link_is_in_the_dictionary(pairs):
    wrong = {
        (found.source[source], found.target[target])
        for found in pairs
        for source, target in found.links
        if not licensed(found.source[source], found.target[target])
    }
    assert not wrong


def test_every_english_word_is_in_the_dictionary(pairs):
    words = {word for found in pairs for word in found.source}
    assert not words - CONTENT.keys() - FUNCTION.keys() - HELPING


def test_every_content_word_is_linked_to_its_translation(pairs):
    """Where a word and its translation each occur once, the link must be there: no content link is missing."""
    checked = 0
    for found in pairs[:800]:
        for source, english in enumerate(found.source):
            beginnings = {b for b in CONTENT.get(english, ()) if len(b) > 3}
            rivals = [w for w in found.source if beginnings & CONTENT.get(w, set())]
            candidates = [t for t, french in enumerate(found.target) if french.startswith(tuple(beginnings))]
            if english not in FUNCTION and len(rivals) == len(candidates) == 1 and "beaucoup" not in found.target:
                checked += 1
                assert (source, candidates[0]) in found.links, (found, english)
    assert checked > 3_000


def name(word):
    return NounPhrase(next(n for n in NAMES if n.english[0] == (word,)), d.NONE)


def the(word, plural=False, determiner=d.THE, adjectives=(), **rest):
    described = tuple(Description(ADJECTIVE[adjective]) for adjective in adjectives)
    return NounPhrase(NOUN[word], determiner, plural, adjectives=described, **rest)


def does(verb, tense="present", negation="", *, target=None, recipient=None, clause=None, adjuncts=(), **group):
    return VerbPhrase(VerbGroup(VERB[verb], tense, negation, **group), target, recipient, clause, adjuncts)


def sentences():
    """Sentences with their translations and, for each French word, the English positions behind it."""
    yield (
        Clause(the("area", adjectives=("european", "economic")), Copula(Quality(Description(ADJECTIVE["new"])))),
        "the european economic area is new .",
        "la zone économique européenne est nouvelle .",
        "0 3 2 1 4 5 6",
    )
    yield (
        Clause(name("marie"), does("eat", "present", "not", target=the("apple", determiner=d.A))),
        "marie does not eat an apple .",
        "marie ne mange pas de pomme .",
        "0 2 1+3 2 4 5 6",
    )
    yield (
        Clause(f.SPEAKER, does("see", "past", "not", target=f.HER)),
        "i did not see her .",
        "je ne l' ai pas vue .",
        "0 2 4 1 2 3 5",
    )
    yield (
        Clause(the("man", determiner=d.THIS, adjectives=("old",)), does("give", recipient=f.US, target=the("book"))),
        "this old man gives us the book .",
        "ce vieil homme nous donne le livre .",
        "0 1 2 4 3 5 6 7",
    )
    yield (
        Clause(the("girl", True), does("go", "past", adjuncts=(Prepositional(f.TO, the("museum")),))),
        "the girls went to the museum .",
        "les filles sont allées au musée .",
        "0 1 2 2 3+4 5 6",
    )
    yield (
        Clause(the("sister", owner=the("teacher")), Copula(Profession(NOUN["doctor"]), "past")),
        "the teacher 's sister was a doctor .",
        "la sœur du professeur était médecin .",
        "2 3 2+0 1 4 5+6 7",
    )
    letter = the("letter", True)
    letter.complement = ObjectRelative("that", name("paul"), VerbGroup(VERB["write"], "past"))
    yield (
        Clause(name("anna"), does("look_for", target=letter)),
        "anna looks for the letters that paul wrote .",
        "anna cherche les lettres que paul a écrites .",
        "0 1+2 3 4 5 6 7 7 8",
    )
    yield (
        Clause(f.WE, does("sleep", chain=CHAIN["try"], tense="past")),
        "we tried to sleep .",
        "nous avons essayé de dormir .",
        "0 1 1 2 3 4",
    )
    yield (
        Clause(the("treaty", True), Passive(VERB["reject"], "past", "not", the("government"))),
        "the treaties were not rejected by the government .",
        "les traités n' ont pas été rejetés par le gouvernement .",
        "0 1 3 2 3 2 4 5 6 7 8",
    )
    woman = the("woman")
    brother = NounPhrase(NOUN["brother"], d.WHOSE)
    woman.complement = OwnerRelative(brother, does("work"))
    yield (
        Clause(woman, Copula(Feeling("afraid", "peur", the("dog")), "present", "not")),
        "the woman whose brother works is not afraid of the dog .",
        "la femme dont le frère travaille n' a pas peur du chien .",
        "0 1 2 2 3 4 6 5 6 7 8+9 10 11",
    )
    yield (
        Clause(name("alice"), Copula(Comparison(ADJECTIVE["old"], "er", the("friend", determiner=d.POSSESSIVES[0])))),
        "alice is older than my friend .",
        "alice est plus vieille que mon ami .",
        "0 1 2 2 3 4 5 6",
    )
    yield (
        Existence(the("horse", True, d.SOME, ("beautiful",)), Phrase(("in", "canada"), ("au", "canada"), ((0,), (1,)))),
        "there are some beautiful horses in canada .",
        "il y a de beaux chevaux au canada .",
        "0 0 1 2 3 4 5 6 7",
    )
    yield (
        Clause(f.HE, does("need", target=the("water", determiner=d.THE), negation="no longer")),
        "he no longer needs the water .",
        "il n' a plus besoin de l' eau .",
        "0 1+2 3 1+2 3 3 4 5 6",
    )
    yield (
        Clause(name("julie"), does("say", clause=Clause(Coordination(name("anna"), the("aunt")), does("rest")))),
        "julie says that anna and the aunt rest .",
        "julie dit qu' anna et la tante se reposent .",
        "0 1 2 3 4 5 6 7 7 8",
    )
    dog = the("dog")
    dog.complement = SubjectRelative("that", does("fall", "past"))
    yield (
        Clause(dog, does("swim", "past", adjuncts=(f.TIMES["past"][3][0],))),
        "the dog that fell swam two days ago .",
        "le chien qui est tombé a nagé il y a deux jours .",
        "0 1 2 3 3 4 4 7 7 7 5 6 8",
    )


CASES = list(sentences())


@pytest.mark.parametrize(("clause", "english", "french", "links"), CASES, ids=[case[1] for case in CASES])
def test_a_sentence_aligned_by_hand(clause, english, french, links):
    found = pair(Sentence([clause, f.FULL_STOP]))
    expected = {(int(i), j) for j, sources in enumerate(links.split()) for i in sources.split("+")}
    assert " ".join(found.source) == english
    assert " ".join(found.target) == french
    assert found.links == expected
