"""The grammar corpus: as data, its French by regexes, its links by a dictionary and sentences aligned by hand."""

import os
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from seq2seq.corpora.grammar import corpus, sample_pair, splits
from seq2seq.corpora.grammar import determiner as d
from seq2seq.corpora.grammar import function_words as f
from seq2seq.corpora.grammar.clause import Clause, Existence, Sentence
from seq2seq.corpora.grammar.lexicon import ADJECTIVE, CHAIN, NAMES, NOUN, VERB
from seq2seq.corpora.grammar.noun_phrase import Coordination, Description, NounPhrase, Phrase, Prepositional
from seq2seq.corpora.grammar.predicate import Comparison, Copula, Feeling, Passive, Profession, Quality, VerbPhrase
from seq2seq.corpora.grammar.relative import ObjectRelative, OwnerRelative, SubjectRelative
from seq2seq.corpora.grammar.sentences import pair
from seq2seq.corpora.grammar.verb_group import VerbGroup

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def pairs():
    return corpus(3000, seed=7, lengths=(4, 60))


def test_lengths_are_within_the_range_and_roughly_uniform(pairs):
    counts = Counter(len(pair.source) for pair in pairs)
    assert set(counts) == set(range(4, 61))
    expected = len(pairs) / 57
    assert all(0.5 * expected < count < 1.6 * expected for count in counts.values())


@pytest.mark.parametrize("length", [3, 4, 5, 9, 17, 33, 60, 90])
def test_a_single_length_is_met_exactly(length):
    rng = Random(length)
    assert all(len(sample_pair(rng, (length, length)).source) == length for _ in range(40))


def test_words_are_many_lower_case_and_rarely_too_rare_to_be_learned(pairs):
    """At 60,000 pairs four words of five occur sixty times or more."""
    for side in ("source", "target"):
        counts = Counter(word for sentence in pairs for word in getattr(sentence, side))
        assert len(counts) > 500
        assert all(word == word.lower() and word.split() == [word] for word in counts)
        assert sum(count >= 3 for count in counts.values()) > 0.8 * len(counts) or side == "source"
        sentences = [getattr(sentence, side) for sentence in pairs]
        assert all(words.index(".") == len(words) - 1 for words in sentences)
    assert len({sentence.source for sentence in pairs}) == len(pairs)


def test_one_english_sentence_has_one_translation_and_one_alignment():
    """Short sentences repeat often when drawn anew, so that a second translation would show."""
    rng = Random(5)
    known, repeated = {}, 0
    for _ in range(10_000):
        pair = sample_pair(rng, (3, 6))
        if pair.source in known:
            repeated += 1
            assert known[pair.source] == pair
        known[pair.source] = pair
    assert repeated > 800


def test_a_seed_repeats_the_corpus_whatever_the_hash_seed():
    code = "from seq2seq.corpora.grammar import corpus; print(corpus(60, 9, (4, 40))[-1].target)"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {f"{corpus(60, 9, (4, 40))[-1].target}\n"}


def test_splits_share_no_source_sentence_and_the_test_may_be_longer():
    parts = splits(1500, 300, 300, seed=4, lengths=(4, 7))
    assert [len(part) for part in parts] == [1500, 300, 300]
    sources = [sentence.source for part in parts for sentence in part]
    assert len(set(sources)) == len(sources)
    train, validation, test = splits(50, 20, 50, seed=4, lengths=(4, 20), test_lengths=(30, 40))
    assert max(len(sentence.source) for sentence in train + validation) <= 20
    assert min(len(sentence.source) for sentence in test) >= 30


@pytest.mark.parametrize(
    ("size", "lengths", "message"),
    [(1, (2, 5), "lengths: got"), (1, (9, 8), "lengths: got"), (100_000, (3, 3), "size: no new sentence of 3 words")],
)
def test_impossible_lengths_and_more_sentences_than_there_are_are_refused(size, lengths, message):
    with pytest.raises(ValueError, match=message):
        corpus(size, seed=0, lengths=lengths)


def test_a_corpus_of_sixty_thousand_takes_less_than_a_minute_of_one_core():
    """A loose bound, extrapolated, so that a slow machine passes; it takes a fifth of that."""
    started = time.process_time()
    corpus(1000, seed=3, lengths=(4, 50))
    assert 60 * (time.process_time() - started) < 60


# the French


VOWEL = r"(?=[aeiouyâàéèêîôûœ]|h(?!éros|ibou|aricot))"
MASCULINE_NOUNS = """
garçon homme enfant professeur médecin fermier roi soldat avocat peintre ministre ingénieur père frère oncle ami
chien chat cheval oiseau lapin loup hibou gâteau œuf oignon haricot pain fromage lait café thé vin livre journal
poème tableau téléphone ordinateur parapluie sac couteau outil cadeau jouet bijou chapeau manteau vélo bateau
train avion jardin village magasin marché musée hôpital hôtel parc château toit mur gouvernement comité conseil
parlement rapport accord problème projet programme débat système plan traité modèle
"""
MASCULINE = MASCULINE_NOUNS.split()
FEMININE_NOUNS = """
fille femme infirmière reine actrice danseuse dame mère sœur tante épouse vache chèvre pomme poire orange
carotte fraise viande eau lettre histoire chanson clé table chaise lampe boîte bouteille horloge fleur épée
chemise robe chaussure voiture maison ville forêt cuisine ferme usine tour école plage gare bibliothèque église
université porte fenêtre entrée entreprise banque agence union armée équipe zone politique loi décision crise
réforme stratégie idée proposition situation réunion élection conférence exposition
"""
FEMININE = FEMININE_NOUNS.split()
BEFORE = (
    "beau bel belle vieux vieil vieille nouveau nouvel nouvelle bon bonne mauvais mauvaise grand grande petit petite"
)
BEFORE = f"(?:(?:{'|'.join([*BEFORE.split(), 'joli', 'jolie', 'jeune', 'long', 'longue', 'très'])}) )*"


@pytest.fixture(scope="module")
def french():
    return [" ".join(pair.target) for pair in corpus(2500, seed=21, lengths=(4, 60))]


M, F = "|".join(MASCULINE), "|".join(FEMININE)
STEMS = [noun for noun in MASCULINE + FEMININE if not noun.endswith(("s", "x"))]
PLURALS = "|".join([*(s + "s" for s in STEMS), *(s + "x" for s in STEMS), "chevaux", "journaux", "hôpitaux"])
VOWEL_NOUNS = "homme|ami|oncle|oiseau|ours|éléphant|œuf|oignon|ordinateur|outil|avion|hôpital|hôtel|aéroport|accord"
MASCULINE_ENDINGS = "vert blanc noir cassé lourd fatigué heureux curieux européen français"
FEMININE_ENDINGS = """
verte blanche noire cassée lourde fatiguée heureuse curieuse européenne française financière industrielle sociale
nationale chère fraîche
"""
AFTER_MASCULINE, AFTER_FEMININE = MASCULINE_ENDINGS.split(), FEMININE_ENDINGS.split()
AFTER_PLURAL = [f"{word}s" for word in AFTER_FEMININE]
AFTER_PLURAL += ["verts", "blancs", "noirs", "sociaux", "nationaux", "européens"]
# What never occurs, and what occurs at least so many times: a rule is met in practice.
RULES = {
    "words that elide do so before a vowel": ([rf" (le|la|de|que|ne|je|me|se) {VOWEL}\w+"], {}),
    "elided words stand only before a vowel": ([rf" (l|d|qu|n|j|m|s)' (?!{VOWEL})\w+"], {}),
    "h aspiré forbids elision": (
        [r"' (héros|hibou|haricot)"],
        {r" (le|du|un|ce) (héros|hibou|haricot) ": 5},
    ),
    "h muet demands elision": ([], {r" l' (homme|hôtel|hôpital|horloge|histoire) ": 5}),
    "si elides before il and ils alone": ([r" si ils? "], {r" s' ils? ": 5, r" si elles? ": 5}),
    "de and à contract with the article": (
        [
            rf" (de|à) le {BEFORE}({M}|{F}) ",
            rf" (de|à) les {BEFORE}({M}|{F})[sx] ",
            r" (de|à) les? (?!\w+(er|ir|re) )",
        ],
        {" du ": 5, " des ": 5, " au ": 5, " aux ": 5},
    ),
    "a pronoun does not contract": (
        [r" (du|des|au|aux) (voir|aider|inviter|appeler|suivre|attendre|chercher|regarder|écouter|dessiner) "],
        {r" (de|à) (le|la|l'|les) \w+(er|ir|re) ": 1},
    ),
    "cet, bel, vieil, nouvel stand before a vowel alone": (
        [rf" (cet|bel|vieil|nouvel) (?!{VOWEL})", rf" ce {VOWEL}\w+"],
        {" cet ": 1, " bel ": 1, " vieil ": 1, " nouvel ": 1},
    ),
    "mon and son stand before a feminine vowel": (
        [rf" (ma|sa) {VOWEL}\w+"],
        {r" (mon|son) (histoire|épée|horloge|épouse|usine|orange) ": 5},
    ),
    "an adjective before a vowel has its form": ([rf" (beau|vieux|nouveau) ({VOWEL_NOUNS}) "], {}),
    "a masculine noun has masculine words before it": (
        [
            rf" (une|la|ma|sa|cette) {BEFORE}({M}) ",
            rf" (belle|vieille|nouvelle|bonne|mauvaise|grande|petite|jolie|longue) ({M}) ",
        ],
        {rf" (un|le|ce|du|au) {BEFORE}({M}) ": 500},
    ),
    "a feminine noun has feminine words before it": (
        [
            rf" (un|le|ce|cet|du|au) {BEFORE}({F}) ",
            rf" (beau|bel|vieux|vieil|nouveau|bon|mauvais|grand|petit|joli|long) ({F}) ",
        ],
        {rf" (une|la|cette) {BEFORE}({F}) ": 500},
    ),
    "a noun has the number of its determiner": (
        [
            rf" (les|des|aux|ces|mes|ses|nos|vos|leurs|deux|trois|plusieurs|quelques) ({'|'.join(STEMS)}) ",
            rf" (le|la|un|une|du|au|ce|cet|cette|mon|ma|son|sa|notre|votre|leur|chaque) ({PLURALS}) ",
        ],
        {},
    ),
    # after "de" the adjective may belong to the noun before: écoles de village européennes
    "an adjective after its noun agrees": (
        [
            rf"(?<! de)(?<! d') ({M}) ({'|'.join(AFTER_FEMININE + AFTER_PLURAL)}) ",
            rf"(?<! de)(?<! d') ({F}) ({'|'.join(AFTER_MASCULINE + AFTER_PLURAL)}) ",
        ],
        {},
    ),
    "the plural indefinite is de before an adjective": (
        [],
        {r" de (beaux|belles|nouveaux|nouvelles|grands|grandes|petits|petites|vieux|vieilles) \w+": 20},
    ),
    "an indefinite object becomes de under negation": (
        [r" (ne|n') (mange|mangent|boit|vend|achète|trouve|porte) (pas|jamais|plus) (un|une|des|du) "],
        {r" (ne|n') \w+ (pas|jamais|plus) (de|d') \w+": 30},
    ),
    "object pronouns stand before the verb": (
        [r" (lui|leur) \."],
        {
            r" (lui|leur) (donne|répond|montre|prête|offre|envoie|parle|obéit)\w* ": 5,
            r" l' (a|ai|ont|avons|avez) (vue?|aidée?|\w+é|\w+ée) ": 5,
        },
    ),
    "the participle of être agrees with its subject": (
        [
            r" elle (n' )?est (pas |souvent |jamais )?(tombé|allé|arrivé|resté|sorti|revenu|retourné) ",
            r" elles (ne )?sont (pas |souvent |jamais )?(\w+[éiu]|\w+[éiu]s) (?=[,.;])",
            r" il (n' )?est (pas |souvent |jamais )?\w+(ée|ie|ue)s? (?=[,.;])(?<!malade )",
        ],
        {},
    ),
    "no word is left in its underlying form": ([r"[A-ZÀ-Ý]", r"\S  "], {}),
}


@pytest.mark.parametrize("rule", RULES)
def test_the_french_follows_its_rules(french, rule):
    never, often = RULES[rule]
    for pattern in never:
        met = [match.group() for text in french for match in re.finditer(pattern, f" {text} ")]
        assert not met, met[:5]
    for pattern, least in often.items():
        assert sum(len(re.findall(pattern, f" {text} ")) for text in french) >= least, pattern


def test_every_ne_has_its_second_word_and_every_pas_its_ne(french):
    for text in french:
        first = len(re.findall(r"\b(?:ne |n' )", text))
        second = len(re.findall(r"\b(?:pas|jamais)\b", text))
        second += len(
            re.findall(r"\b(?:ne|n') (?:(?:me|m'|se|s'|le|la|l'|les|lui|leur|nous|vous) )?[\w'-]+ plus\b", text)
        )
        assert first == second, text


def test_the_participle_of_avoir_agrees_with_an_object_before_it(french):
    subject = r"(?:j'|il|elle|nous|vous|paul|marie|thomas|julie|(?:le|la|un|une|mon|ma|son|sa|votre|notre) \w+)"
    relative = rf" (\w+) (?:que|qu') {subject} (?:ai|a|avons|avez) (\w+)"
    objects = [match for text in french for match in re.findall(relative, text)]
    feminine = [participle for noun, participle in objects if noun in FEMININE]
    masculine = [participle for noun, participle in objects if noun in MASCULINE]
    assert len(feminine) > 2
    assert len(masculine) > 2
    assert all(participle.endswith("e") for participle in feminine)
    assert not any(participle.endswith(("ée", "ue", "s")) for participle in masculine if participle != "compris")


@pytest.mark.parametrize(
    ("subject", "endings"),
    [
        ("nous", ("ons", "sommes")),
        ("vous", ("ez", "êtes", "dites")),
        ("ils", ("nt",)),
        ("elles", ("nt",)),
        ("il", ("e", "a", "t", "d", "y")),
        ("elle", ("e", "a", "t", "d")),
        ("je", ("e", "s", "x", "i")),
        ("j'", ("e", "s", "i")),
    ],
)
def test_a_verb_agrees_with_its_pronoun_subject(french, subject, endings):
    """As an object, *nous* and *vous* follow another word; as a subject here, a conjunction or nothing."""
    clitics = r"(?:(?:ne|n'|me|m'|se|s'|le|la|l'|les|lui|leur|nous|vous|y) )*+"
    start = r"(?:^|, (?:et |mais |donc )?|; |que |qu' |si |s' |quand )"
    verbs = [match for text in french for match in re.findall(rf"{start}{subject} {clitics}([\w-]+)", text)]
    assert len(verbs) > 50
    assert all(verb.endswith(endings) for verb in verbs), {verb for verb in verbs if not verb.endswith(endings)}


# the links


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


@pytest.fixture(scope="module")
def linked():
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


def test_every_word_is_in_the_dictionary_and_linked_and_every_link_is_in_the_dictionary(linked):
    unlicensed = set()
    for sentence in linked:
        assert {source for source, _ in sentence.links} == set(range(len(sentence.source)))
        assert {target for _, target in sentence.links} == set(range(len(sentence.target)))
        words = {(sentence.source[source], sentence.target[target]) for source, target in sentence.links}
        unlicensed |= {link for link in words if not licensed(*link)}
    assert not unlicensed
    assert not {word for s in linked for word in s.source} - CONTENT.keys() - FUNCTION.keys() - HELPING


def test_every_content_word_is_linked_to_its_translation(linked):
    """Where a word and its translation each occur once, the link must be there: no content link is missing."""
    checked = 0
    for sentence in linked[:800]:
        for source, english in enumerate(sentence.source):
            beginnings = {b for b in CONTENT.get(english, ()) if len(b) > 3}
            rivals = [w for w in sentence.source if beginnings & CONTENT.get(w, set())]
            candidates = [t for t, french in enumerate(sentence.target) if french.startswith(tuple(beginnings))]
            if english not in FUNCTION and len(rivals) == len(candidates) == 1 and "beaucoup" not in sentence.target:
                checked += 1
                assert (source, candidates[0]) in sentence.links, (sentence, english)
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
    built = pair(Sentence([clause, f.FULL_STOP]))
    expected = {(int(i), j) for j, sources in enumerate(links.split()) for i in sources.split("+")}
    assert " ".join(built.source) == english
    assert " ".join(built.target) == french
    assert built.links == expected
