"""The lexicon: nouns, adjectives, verbs and function words, read from their tables into objects."""

from dataclasses import dataclass

from seq2seq.corpora.grammar import adjectives, nouns, verbs
from seq2seq.corpora.grammar.conjugation import Paradigm, conjugate
from seq2seq.corpora.grammar.morphology import english_ing, english_past, english_s, french_feminine, french_plural


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun; ``english`` and ``french`` hold the singular and the plural, each a tuple of words."""

    english: tuple[tuple[str, ...], tuple[str, ...]]
    french: tuple[tuple[str, ...], tuple[str, ...]]
    gender: str
    kind: str


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective; ``french`` in the order m, f, m plural, f plural.

    ``before``: it precedes its noun; ``junction`` is its underlying m form there (beau / bel).
    """

    english: str
    comparative: str
    french: tuple[str, str, str, str]
    before: bool
    junction: str


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb; the columns of :mod:`verbs` with the forms spelled out.

    ``particle`` holds the English words after the verb; ``preposition`` the underlying French one before the object.
    ``tail`` is what follows the French verb: ``besoin``.
    """

    english: tuple[str, str, str, str, str]  # see, sees, saw, seeing, seen
    particle: tuple[str, ...]
    french: Paradigm
    tail: tuple[str, ...]
    preposition: str
    frame: str
    subjects: str
    objects: tuple[str, ...]
    auxiliary: str
    reflexive: bool
    core: bool
    state: bool
    progressive: bool
    passive: bool
    pronoun: bool


def rows(table: str) -> list[list[str]]:
    """The rows of a semicolon-separated table."""
    return [row.split() for row in table.split(";")]


def words(entry: str) -> tuple[str, ...]:
    return tuple(entry.split("_"))


def read_noun(row: list[str], kind: str) -> Noun:
    english, french, gender = row
    singular, _, plural = english.partition("/")
    *first, last = words(singular)
    head, *tail = words(french.partition("/")[0])
    heads = french.partition("/")[2] or french_plural(head)
    return Noun(((*first, last), (*first, plural or english_s(last))), ((head, *tail), (heads, *tail)), gender, kind)


def read_adjective(row: list[str], before: bool) -> Adjective:
    english, _, comparative = row[0].partition("/")
    masculine = row[1]
    feminine = row[2] if len(row) > 2 else french_feminine(masculine)
    forms = (masculine, feminine, french_plural(masculine), feminine + "s")
    junction = masculine.upper() if masculine in {"beau", "vieux", "nouveau"} else masculine
    return Adjective(english, comparative, forms, before, junction)


def read_verb(row: list[str]) -> Verb:
    english, pasts, french, frame, subjects, objects, *marks = row
    base, *particle = words(english)
    past, _, participle = pasts.partition("/")
    past = english_past(base) if past == "-" else past
    reflexive = french.startswith("se_")
    infinitive, *tail = words(french.removeprefix("se_"))
    third = {"have": "has"}.get(base) or english_s(base)
    return Verb(
        (base, third, past, english_ing(base), participle or past),
        tuple(particle),
        conjugate(infinitive),
        tuple(tail),
        {"à": "À", "to": "À", "de": "DE"}.get(frame, ""),
        frame,
        subjects,
        tuple(objects.split(",")),
        "être" if "être" in marks else "avoir",
        reflexive,
        "core" in marks,
        "state" in marks,
        not {"state", "still"} & set(marks),
        "passive" in marks,
        "only" not in marks and frame in {"object", "gift", "à"},
    )


def read_chain(row: list[str]) -> Verb:
    english, pasts, french, preposition, mark = row
    base = words(english)[0]
    past, _, participle = pasts.partition("/")
    past = english_past(base) if past == "-" else past
    return Verb(
        (base, english_s(base), past, english_ing(base), participle or past), ("to",), conjugate(french), (),
        {"à": "À", "de": "DE"}.get(preposition, ""), "chain", "A", (), "avoir", False, False, mark == "state",
        False, False, False,
    )  # fmt: skip


def by_kind(table: tuple[tuple[str, str], ...], before: bool) -> dict[str, tuple[Adjective, ...]]:
    """Adjectives by the kind of noun that they describe; one object for each English word."""
    known: dict[str, Adjective] = {}
    result: dict[str, list[Adjective]] = {kind: [] for kind in NOUNS}
    for kinds, entries in table:
        for row in rows(entries):
            adjective = known.setdefault(row[0], read_adjective(row, before))
            for kind in kinds.split():
                if adjective not in result[kind]:
                    result[kind].append(adjective)
    return {kind: tuple(found) for kind, found in result.items()}


NOUNS = {kind: tuple(read_noun(row, kind) for row in rows(table)) for kind, table in nouns.NOUNS.items()}
NOUN = {"_".join(noun.english[0]): noun for kind in NOUNS.values() for noun in kind}
MATERIALS = {"history": "histoire", "music": "musique"}
NAMES = tuple(Noun(((name,),) * 2, ((name,),) * 2, gender, "person") for name, gender in rows(nouns.NAMES))
CITIES = tuple((words(english), ("à", french)) for english, french in rows(nouns.CITIES))
COUNTRIES = tuple((words(english), (preposition, french)) for english, preposition, french in rows(nouns.COUNTRIES))
COMPOUNDS: dict[str, list[Noun]] = {}  # the first nouns that go with a noun: history book
for material, head in rows(nouns.COMPOUNDS):
    first = NOUN.get(material) or read_noun([material, MATERIALS[material], "f"], "stuff")
    COMPOUNDS.setdefault(head, []).append(first)
BEFORE = by_kind(adjectives.BEFORE, before=True)
AFTER = by_kind(adjectives.AFTER, before=False)
DOMAIN = tuple(read_adjective(row, before=False) for row in rows(adjectives.DOMAIN))
REGION = tuple(read_adjective(row, before=False) for row in rows(adjectives.REGION))
ADJECTIVE = {a.english: a for table in (BEFORE, AFTER) for kind in table.values() for a in kind}
ADJECTIVE |= {a.english: a for a in (*DOMAIN, *REGION)}
VERBS = tuple(read_verb(row.split()) for row in verbs.VERBS.strip().splitlines())
VERB = {"_".join((verb.english[0], *verb.particle)): verb for verb in VERBS}
CHAINS = tuple(read_chain(row.split()) for row in verbs.CHAINS.strip().splitlines())
CHAIN = {chain.english[0]: chain for chain in CHAINS}
BE, HAVE, GO, CAN, MUST = (conjugate(infinitive) for infinitive in ("être", "avoir", "aller", "pouvoir", "devoir"))
