"""The words that begin a noun phrase: articles, possessives, demonstratives, quantities, numbers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Determiner:
    """A determiner; ``french`` in the order m, f, m plural, f plural, each a tuple of underlying forms.

    Each French word is linked to the English word at the same index, or to all if the counts differ.
    ``gives_way`` means that *de* replaces it under negation: "a", "some", "any" and the bare noun.
    """

    english: tuple[str, ...]
    french: tuple[tuple[str, ...], ...]
    gives_way: bool = False


def singular(english: str, masculine: str, feminine: str, gives_way: bool = False) -> Determiner:
    return Determiner((english,), ((masculine,), (feminine,), (), ()), gives_way)


def plural(english: str, *french: str, gives_way: bool = False) -> Determiner:
    return Determiner(tuple(english.split()), ((), (), french, french), gives_way)


def possessive(english: str, masculine: str, feminine: str, plural: str) -> Determiner:
    return Determiner((english,), ((masculine,), (feminine,), (plural,), (plural,)))


THE = Determiner(("the",), (("LE",), ("LA",), ("LES",), ("LES",)))
A = singular("a", "un", "une", gives_way=True)
SOME = plural("some", "DES", gives_way=True)
ANY = plural("any", "DES", gives_way=True)
BARE = plural("", "DES", gives_way=True)  # "" splits into no word
SOME_STUFF = Determiner(("some",), (("DE", "LE"), ("DE", "LA"), (), ()), True)
ANY_STUFF = Determiner(("any",), (("DE", "LE"), ("DE", "LA"), (), ()), True)
BARE_STUFF = Determiner((), (("DE", "LE"), ("DE", "LA"), (), ()), True)
NONE = Determiner((), ((), (), (), ()))
WHOSE = Determiner((), (("LE",), ("LA",), ("LES",), ("LES",)))
POSSESSIVES = (
    possessive("my", "mon", "MA", "mes"),
    possessive("his", "son", "SA", "ses"),
    possessive("her", "son", "SA", "ses"),
    possessive("our", "notre", "notre", "nos"),
    possessive("your", "votre", "votre", "vos"),
    possessive("their", "leur", "leur", "leurs"),
)
THIS = singular("this", "CE", "cette")
THESE = plural("these", "ces")
EVERY = singular("every", "chaque", "chaque")
MANY = plural("many", "beaucoup", "DE")
SEVERAL = plural("several", "plusieurs")
A_FEW = plural("a few", "quelques")
ALL_THE = Determiner(("all", "the"), ((), (), ("tous", "LES"), ("toutes", "LES")))
NUMBERS = tuple(
    plural(english, french)
    for english, french in (("two", "deux"), ("three", "trois"), ("four", "quatre"), ("five", "cinq"), ("ten", "dix"))
)
