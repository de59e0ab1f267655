"""Inflection of English and French words."""

VOWELS = frozenset("aeiouâàäéèêëîïôöûùœæ")
ASPIRATED = frozenset({"héros", "hibou", "hiboux", "haricot", "haricots"})  # the h that forbids elision


def french_vowel(word: str) -> bool:
    """Whether a French word starts with a vowel sound, so that the word before it elides."""
    return word[0] in VOWELS or word == "y" or (word[0] == "h" and word not in ASPIRATED)


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


def english_s(word: str) -> str:
    """The plural of a noun and the third person of a verb: boxes, cities, carries, plays."""
    if word.endswith(("s", "x", "ch", "sh", "o")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def english_past(word: str) -> str:
    """The regular past: loved, studied, walked."""
    if word.endswith("e"):
        return word + "d"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ied"
    return word + "ed"


def english_ing(word: str) -> str:
    """The present participle: writing, running, seeing."""
    if word in {"run", "swim", "forget", "begin", "get", "travel"}:
        return word + word[-1] + "ing"
    if word.endswith("e") and not word.endswith("ee"):
        return word[:-1] + "ing"
    return word + "ing"


def english_article(following: str) -> str:
    """``a`` or ``an``, by the sound of the following word."""
    if following.startswith(("eu", "uni", "use")):
        return "a"
    return "an" if following[0] in "aeiou" or following.startswith("hones") else "a"
