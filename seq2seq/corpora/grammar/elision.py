"""French elision (l'homme), contraction (du), and forms before a vowel (cet, bel, mon amie).

The grammar writes words that change before a vowel in an underlying form, in capitals.
``surface`` turns them into written forms, from right to left, because each depends on the word that follows.

An elided form is a token of its own that keeps its apostrophe: ``l' homme``, ``qu' elle``, ``n' a``.
A contraction is one token that keeps the links of both its parts: ``du`` is linked to *of* and to *the*.
"""

from seq2seq.corpora.grammar.morphology import french_vowel

Token = tuple[str, tuple[int, ...]]  # a French form and the source positions that it translates

# underlying form: before a consonant, before a vowel
FORMS = {
    "LE": ("le", "l'"),
    "LA": ("la", "l'"),
    "LES": ("les", "les"),
    "HIM": ("le", "l'"),  # the pronouns le, la, les never contract
    "HER": ("la", "l'"),
    "DE": ("de", "d'"),
    "À": ("à", "à"),
    "QUE": ("que", "qu'"),
    "NE": ("ne", "n'"),
    "JE": ("je", "j'"),
    "ME": ("me", "m'"),
    "SE": ("se", "s'"),
    "CE": ("ce", "cet"),
    "MA": ("ma", "mon"),
    "SA": ("sa", "son"),
    "BEAU": ("beau", "bel"),
    "VIEUX": ("vieux", "vieil"),
    "NOUVEAU": ("nouveau", "nouvel"),
}
CONTRACTIONS = {("DE", "LE"): "du", ("DE", "LES"): "des", ("À", "LE"): "au", ("À", "LES"): "aux"}


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
