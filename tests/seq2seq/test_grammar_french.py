"""The French of the grammar corpus, by regular expressions."""

import re

import pytest

from seq2seq.corpora.grammar import corpus

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
# How often a pattern occurs at least, so that the rule is met in practice; 0: never.
RULES = {
    "words that elide do so before a vowel": {rf" (le|la|de|que|ne|je|me|se) {VOWEL}\w+": 0},
    "elided words stand only before a vowel": {rf" (l|d|qu|n|j|m|s)' (?!{VOWEL})\w+": 0},
    "h aspiré forbids elision": {r"' (héros|hibou|haricot)": 0, r" (le|du|un|ce) (héros|hibou|haricot) ": 5},
    "h muet demands elision": {r" l' (homme|hôtel|hôpital|horloge|histoire) ": 5},
    "si elides before il and ils alone": {r" si ils? ": 0, r" s' ils? ": 5, r" si elles? ": 5},
    "de and à contract with the article": {
        rf" (de|à) le {BEFORE}({M}|{F}) ": 0,
        rf" (de|à) les {BEFORE}({M}|{F})[sx] ": 0,
        r" (de|à) les? (?!\w+(er|ir|re) )": 0,
        **{f" {contracted} ": 5 for contracted in ("du", "des", "au", "aux")},
    },
    "a pronoun does not contract": {
        r" (du|des|au|aux) (voir|aider|inviter|appeler|suivre|attendre|chercher|regarder|écouter|dessiner) ": 0,
        r" (de|à) (le|la|l'|les) \w+(er|ir|re) ": 1,
    },
    "cet, bel, vieil, nouvel stand before a vowel alone": {
        rf" (cet|bel|vieil|nouvel) (?!{VOWEL})": 0,
        rf" ce {VOWEL}\w+": 0,
        **{f" {word} ": 1 for word in ("cet", "bel", "vieil", "nouvel")},
    },
    "mon and son stand before a feminine vowel": {
        rf" (ma|sa) {VOWEL}\w+": 0,
        r" (mon|son) (histoire|épée|horloge|épouse|usine|orange) ": 5,
    },
    "an adjective before a vowel has its form": {rf" (beau|vieux|nouveau) ({VOWEL_NOUNS}) ": 0},
    "a masculine noun has masculine words before it": {
        rf" (une|la|ma|sa|cette) {BEFORE}({M}) ": 0,
        rf" (belle|vieille|nouvelle|bonne|mauvaise|grande|petite|jolie|longue) ({M}) ": 0,
        rf" (un|le|ce|du|au) {BEFORE}({M}) ": 500,
    },
    "a feminine noun has feminine words before it": {
        rf" (un|le|ce|cet|du|au) {BEFORE}({F}) ": 0,
        rf" (beau|bel|vieux|vieil|nouveau|bon|mauvais|grand|petit|joli|long) ({F}) ": 0,
        rf" (une|la|cette) {BEFORE}({F}) ": 500,
    },
    "a noun has the number of its determiner": {
        rf" (les|des|aux|ces|mes|ses|nos|vos|leurs|deux|trois|plusieurs|quelques) ({'|'.join(STEMS)}) ": 0,
        rf" (le|la|un|une|du|au|ce|cet|cette|mon|ma|son|sa|notre|votre|leur|chaque) ({PLURALS}) ": 0,
    },
    "an adjective after its noun agrees": {  # not after de, as in écoles de village européennes
        rf"(?<! de)(?<! d') ({M}) ({'|'.join(AFTER_FEMININE + AFTER_PLURAL)}) ": 0,
        rf"(?<! de)(?<! d') ({F}) ({'|'.join(AFTER_MASCULINE + AFTER_PLURAL)}) ": 0,
    },
    "the plural indefinite is de before an adjective": {
        r" de (beaux|belles|nouveaux|nouvelles|grands|grandes|petits|petites|vieux|vieilles) \w+": 20
    },
    "an indefinite object becomes de under negation": {
        r" (ne|n') (mange|mangent|boit|vend|achète|trouve|porte) (pas|jamais|plus) (un|une|des|du) ": 0,
        r" (ne|n') \w+ (pas|jamais|plus) (de|d') \w+": 30,
    },
    "object pronouns stand before the verb": {
        r" (lui|leur) \.": 0,
        r" (lui|leur) (donne|répond|montre|prête|offre|envoie|parle|obéit)\w* ": 5,
        r" l' (a|ai|ont|avons|avez) (vue?|aidée?|\w+é|\w+ée) ": 5,
    },
    "the participle of être agrees with its subject": {
        r" elle (n' )?est (pas |souvent |jamais )?(tombé|allé|arrivé|resté|sorti|revenu|retourné) ": 0,
        r" elles (ne )?sont (pas |souvent |jamais )?(\w+[éiu]|\w+[éiu]s) (?=[,.;])": 0,
        r" il (n' )?est (pas |souvent |jamais )?\w+(ée|ie|ue)s? (?=[,.;])(?<!malade )": 0,
    },
    "no word is left in its underlying form": {r"[A-ZÀ-Ý]": 0, r"\S  ": 0},
}


@pytest.mark.parametrize("rule", RULES)
def test_the_french_follows_its_rules(french, rule):
    for pattern, least in RULES[rule].items():
        met = [match.group() for text in french for match in re.finditer(pattern, f" {text} ")]
        assert len(met) >= least if least else not met, (pattern, met[:5])


def test_every_ne_has_its_second_word_and_every_pas_its_ne(french):
    clitic = r"(?:(?:me|m'|se|s'|le|la|l'|les|lui|leur|nous|vous) )?"
    for text in french:
        second = re.findall(rf"\b(?:pas|jamais)\b|\b(?:ne|n') {clitic}[\w'-]+ plus\b", text)
        assert len(re.findall(r"\b(?:ne |n' )", text)) == len(second), text


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


ENDINGS = {
    **{"nous": ("ons", "sommes"), "vous": ("ez", "êtes", "dites"), "ils": ("nt",), "elles": ("nt",)},
    **{"il": ("e", "a", "t", "d", "y"), "elle": ("e", "a", "t", "d"), "je": ("e", "s", "x", "i")},
    "j'": ("e", "s", "i"),
}


@pytest.mark.parametrize("subject", ENDINGS)
def test_a_verb_agrees_with_its_pronoun_subject(french, subject):
    """As an object, *nous* and *vous* follow another word; as a subject here, a conjunction or nothing."""
    clitics = r"(?:(?:ne|n'|me|m'|se|s'|le|la|l'|les|lui|leur|nous|vous|y) )*+"
    start = r"(?:^|, (?:et |mais |donc )?|; |que |qu' |si |s' |quand )"
    verbs = [match for text in french for match in re.findall(rf"{start}{subject} {clitics}([\w-]+)", text)]
    assert len(verbs) > 50
    assert {verb for verb in verbs if not verb.endswith(ENDINGS[subject])} == set()
