"""The forms of words: plurals, feminines, conjugation, and French elision and contraction.

The grammar writes words that change before a vowel in an underlying form, in capitals.
``surface`` turns them into written forms, from right to left, because each depends on the word that follows.

An elided form is a token of its own that keeps its apostrophe: ``l' homme``, ``qu' elle``, ``n' a``.
A contraction is one token that keeps the links of both its parts: ``du`` is linked to *of* and to *the*.
"""

from dataclasses import dataclass

Words = tuple[str, ...]
Token = tuple[str, tuple[int, ...]]  # a French form and the source positions that it translates

VOWELS = frozenset("aeiouâàäéèêëîïôöûùœæ")
ASPIRATED = frozenset({"héros", "hibou", "hiboux", "haricot", "haricots"})  # the h that forbids elision
FORMS = {  # underlying form: before a consonant, before a vowel
    **{"LE": ("le", "l'"), "LA": ("la", "l'"), "LES": ("les", "les"), "DE": ("de", "d'"), "À": ("à", "à")},
    **{"HIM": ("le", "l'"), "HER": ("la", "l'")},  # the pronouns le, la, les never contract
    **{"QUE": ("que", "qu'"), "NE": ("ne", "n'"), "JE": ("je", "j'"), "ME": ("me", "m'"), "SE": ("se", "s'")},
    **{"CE": ("ce", "cet"), "MA": ("ma", "mon"), "SA": ("sa", "son")},
    **{"BEAU": ("beau", "bel"), "VIEUX": ("vieux", "vieil"), "NOUVEAU": ("nouveau", "nouvel")},
}
CONTRACTIONS = {("DE", "LE"): "du", ("DE", "LES"): "des", ("À", "LE"): "au", ("À", "LES"): "aux"}


def french_vowel(word: str) -> bool:
    """Whether a French word starts with a vowel sound, so that the word before it elides."""
    return word[0] in VOWELS or word == "y" or (word[0] == "h" and word not in ASPIRATED)


def surface(tokens: list[Token]) -> list[Token]:
    """The tokens as they are written; those that contract become one."""
    result: list[Token] = []
    following, contracting = ".", ""
    vowel = False
    for form, links in reversed(tokens):
        if contracting and (form, contracting) in CONTRACTIONS:
            _, others = result.pop()
            form, links, contracting = CONTRACTIONS[form, contracting], (*links, *others), ""
        else:
            contracting = form if form == "LES" or (form == "LE" and not vowel) else ""
            if form in FORMS:
                form = FORMS[form][vowel]
            elif form == "SI":
                form = "s'" if following in {"il", "ils"} else "si"
        result.append((form, links))
        following, vowel = form, french_vowel(form)
    result.reverse()
    return result


def french_plural(word: str) -> str:
    """The plural of a noun or a masculine adjective: chevaux, gâteaux, souris, livres."""
    if word.endswith(("s", "x", "z")):
        return word
    if word.endswith("al"):
        return word[:-2] + "aux"
    if word.endswith(("eau", "eu")) and word != "bleu":
        return word + "x"
    return word + "s"


def french_feminine(word: str) -> str:
    """The feminine of an adjective: heureuse, chère, européenne, industrielle, rouge."""
    if word.endswith("e"):
        return word
    if word.endswith("eux"):
        return word[:-1] + "se"
    if word.endswith("er"):
        return word[:-2] + "ère"
    if word.endswith(("en", "el")):
        return word + word[-1] + "e"
    return word + "e"


def agreeing(masculine: str, feminine: str) -> Words:
    """The forms of an adjective or a participle: m, f, m plural, f plural."""
    return masculine, feminine, french_plural(masculine), feminine + "s"


@dataclass(frozen=True, slots=True)
class Paradigm:
    """The forms of a French verb: of each tense by person (``past`` is the imparfait), of its participle by agreement.

    Persons are je 0, il/elle 1, nous 2, vous 3, ils/elles 4; the familiar *tu* is not used.
    """

    infinitive: str
    forms: dict[str, Words]
    participles: Words


def regular(infinitive: str) -> tuple[str, str, str]:
    """The present, the participle and the stem of the future of a regular verb.

    Raises:
        ValueError: it does not end in -er or -dre.
    """
    stem = infinitive[:-2]
    if infinitive.endswith("er"):
        soft = stem + "e" if stem.endswith("g") else stem[:-1] + "ç" if stem.endswith("c") else stem  # before an o
        return f"{stem}e {stem}e {soft}ons {stem}ez {stem}ent", stem + "é", infinitive
    if infinitive.endswith("dre"):
        return f"{stem}s {stem} {stem}ons {stem}ez {stem}ent", stem + "u", infinitive[:-1]
    raise ValueError(
        f"french: got {infinitive!r}, expected a verb in -er or -dre, or one with a conjugation line above, "
        "because other verbs do not follow a rule"
    )


def conjugate(infinitive: str, present: str, participle: str, future: str) -> Paradigm:
    """The paradigm from its principal parts; the imparfait is built on the *nous* form, except for être."""
    persons = tuple(present.split())
    stem = "ét" if infinitive == "être" else persons[2][:-3]
    soft = stem[:-1] + "c" if stem.endswith("ç") else stem[:-1] if stem.endswith("ge") else stem  # before an i
    forms = {
        "present": persons,
        "past": (stem + "ais", stem + "ait", soft + "ions", soft + "iez", stem + "aient"),
        "future": tuple(future + ending for ending in ("ai", "a", "ons", "ez", "ont")),
    }
    return Paradigm(infinitive, forms, agreeing(participle, participle.replace("û", "u") + "e"))


def before_ending(word: str) -> str:
    """A word to which *s* or *d* is put: citie, studie, play."""
    return word[:-1] + "ie" if word.endswith("y") and word[-2:-1] not in "aeiou" else word


def english_s(word: str) -> str:
    """The plural of a noun and the third person of a verb: boxes, cities, carries, plays."""
    if word == "have":
        return "has"
    return before_ending(word) + ("es" if word.endswith(("s", "x", "ch", "sh", "o")) else "s")


def english_past(word: str) -> str:
    """The regular past: loved, studied, walked."""
    stem = before_ending(word)
    return stem + ("d" if stem.endswith("e") else "ed")


def english_ing(word: str, doubled: bool) -> str:
    """The present participle: writing, seeing, and running with its last letter doubled."""
    if doubled:
        return word + word[-1] + "ing"
    return (word[:-1] if word.endswith("e") and not word.endswith("ee") else word) + "ing"


def english_article(following: str) -> str:
    """``a`` or ``an``, by the sound of the following word."""
    if following.startswith(("eu", "uni", "use")):
        return "a"
    return "an" if following[0] in "aeiou" or following.startswith("hones") else "a"
