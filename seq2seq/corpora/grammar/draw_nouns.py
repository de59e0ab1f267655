"""Randomly drawn noun phrases and places, of exactly the requested number of English words."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import TypeVar

from seq2seq.corpora.grammar.lexicon import LEXICON, RANKS
from seq2seq.corpora.grammar.noun_phrase import Agreeing, Coordination, Description, Nominal, NounPhrase, Together
from seq2seq.corpora.grammar.words import Adjective, Determiner, Noun, Phrase

Choice = TypeVar("Choice")

PEOPLE = ("person", "kin")
ALIVE = (*PEOPLE, "animal")
MASS = ("stuff", "drink")
CIVIC = ("theme", "trouble", "body")  # nouns that domain and region adjectives describe
THE, ALL_THE, SEVERAL, A_FEW = (LEXICON.determiners[word] for word in ("the", "all the", "several", "a few"))
HIS = tuple(LEXICON.determiners[word] for word in ("my", "his", "your"))
NUMBERS = tuple(determiner for determiner in LEXICON.determiners.values() if "number" in determiner.marks)
NAMES = tuple(LEXICON.names.values())
IN, OF, FOR = (LEXICON.phrase[word] for word in ("in", "of", "for"))
NEARBY = tuple(LEXICON.phrase[word] for word in ("near", "behind", "in front of", "next to"))
COUNTRIES = LEXICON.phrases["country"]
NAMED_PLACES = LEXICON.phrases["city"] + COUNTRIES


class Misfit(Exception):
    """This draw gave no phrase of the required length; the caller draws again."""


@cache
def heads(role: str, kind: str, plural: bool) -> tuple[Determiner, ...]:
    """The determiners that may begin a noun phrase, each as often as it is drawn."""
    if kind in MASS:
        return LEXICON.heads[f"{role} mass"]
    number = "plural" if plural else "singular"
    heads = LEXICON.heads[f"{role} {number}"] if kind != "kin" or role == "new" else ()
    if role == "new":
        return heads
    possessives = LEXICON.heads.get(f"possessive {kind}", LEXICON.heads["possessive"])
    return LEXICON.heads[f"common {number}"] + possessives + heads


@cache
def qualities(kind: str) -> list[Adjective]:
    """What a noun of this kind may be: its adjectives but those of region and domain."""
    return [adjective for rank in ("before", "after") for adjective in LEXICON.adjectives.get((rank, kind), ())]


class Nouns:
    """Draws noun phrases; ``role`` is subject, object, negated, definite
    (after *de*: no *some*), known (after *to*: no *a* either) or new (after *there is*)."""

    def __init__(self, rng: Random) -> None:
        self.random = rng.random

    def pick(self, choices: Sequence[Choice]) -> Choice:
        return choices[int(self.random() * len(choices))]

    def chance(self, probability: float) -> bool:
        return self.random() < probability

    def between(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + int(self.random() * (high - low + 1))

    def noun_phrase(self, n: int, kind: str, role: str, depth: int, plain: bool = False) -> Nominal:
        """A phrase of ``n`` English words; ``plain`` excludes relative clauses."""
        if n == 1:
            return self.one_word(kind, role)
        if n >= 3 and kind in PEOPLE and role not in ("negated", "new") and self.chance(0.08):
            return self.coordination(n, kind, role)
        if n >= 5 and kind not in PEOPLE and kind not in MASS and role == "object" and self.chance(0.1):
            return self.coordination(n, kind, role)
        if n >= 3 and LEXICON.owners[kind] and role not in ("new", "negated") and self.chance(0.12):
            return self.owned(n, kind)
        longest = 4 if kind not in CIVIC else 5
        size = n
        if n > longest or (n == 5 and self.chance(0.7)) or (n == 4 and self.chance(0.3)):
            size = self.between(2, min(longest, n - 2)) if self.chance(0.5) else 2
        phrase = self.simple(size, kind, role)
        if n > size:
            phrase.complement = self.complement(n - size, phrase, depth, plain)
        return phrase

    def one_word(self, kind: str, role: str) -> NounPhrase:
        """A name, or a bare plural or substance as an object."""
        if kind in PEOPLE and role != "new":
            return NounPhrase(self.pick(NAMES), LEXICON.determiners["none"])
        if role not in ("object", "negated") or kind == "kin":
            raise Misfit
        nouns = [noun for noun in LEXICON.nouns[kind] if len(noun.english[0]) == 1]
        return NounPhrase(self.pick(nouns), LEXICON.determiners["bare"], plural=kind not in MASS)

    def noun(self, kind: str, room: int) -> Noun:
        """A noun of at most ``room`` English words."""
        noun = self.pick(LEXICON.nouns[kind])
        while len(noun.english[0]) > room:
            noun = self.pick(LEXICON.nouns[kind])
        return noun

    def simple(self, n: int, kind: str, role: str) -> NounPhrase:
        """Determiner, number, adjectives, noun: ``n`` words, 2 to 5."""
        noun = self.noun(kind, n - 1)
        plural = kind not in MASS and role != "negated" and self.chance(0.35)
        if role == "negated" and kind not in MASS:
            plural = self.chance(0.5)
        if "single" in noun.marks:
            plural = False
        head = self.pick(heads(role, kind, plural))
        room = n - 1 - len(noun.english[0])
        if "his" in noun.marks:
            head = self.pick(HIS)
        phrase = NounPhrase(noun, head, plural)
        if room and plural and head is THE and self.chance(0.4):
            if self.chance(0.5):
                phrase.determiner = ALL_THE
            else:
                phrase.number = self.pick(NUMBERS)
            room -= 1
        elif room and plural and head is SEVERAL:
            phrase.determiner = A_FEW
            room -= 1
        materials = LEXICON.compounds.get(noun.english[0][0]) if room else None
        if materials and self.chance(0.5):
            phrase.material = self.pick(materials)
            room -= 1
        if room:
            phrase.adjectives = self.adjectives(room, kind)
        return phrase

    def adjectives(self, room: int, kind: str) -> tuple[Description, ...]:
        """Adjectives and *very* that fill ``room`` words, in English order."""
        pools = [pool for rank in RANKS if (pool := LEXICON.adjectives.get((rank, kind)))]
        if room == 1:
            return (Description(self.pick(self.pick(pools))),)
        if room == 2 and self.chance(0.35):
            adjective = self.pick(qualities(kind))
            if "constant" not in adjective.marks:
                return (Description(adjective, very=True),)
        if len(pools) < room:
            raise Misfit
        if room == 2 and kind in CIVIC and self.chance(0.5):
            pools = pools[-2:]
        while len(pools) > room:
            pools.pop(int(self.random() * len(pools)))
        return tuple(Description(self.pick(pool)) for pool in pools)

    def coordination(self, n: int, kind: str, role: str) -> Coordination:
        """Two short phrases joined by *and*."""
        size = 1 if n < 5 and kind in PEOPLE else 2
        if kind in PEOPLE and n - 1 - size > 3:
            size = min(3, n - 4)
        if n - 1 - size > 4:
            raise Misfit
        first, second = self.flat(size, kind, role), self.flat(n - 1 - size, kind, role)
        if first.noun is second.noun:
            raise Misfit
        return Coordination(first, second)

    def flat(self, n: int, kind: str, role: str) -> NounPhrase:
        return self.one_word(kind, role) if n == 1 else self.simple(n, kind, role)

    def owned(self, n: int, kind: str) -> NounPhrase:
        """*the teacher 's sister*: ``n`` words, at least 3."""
        kinds = LEXICON.owners[kind]
        rest = self.between(1, min(2, n - 2)) if n > 3 else 1
        room = n - 1 - rest
        if room > 4 or (room == 1 and kinds[0] not in PEOPLE):
            raise Misfit
        owner = self.flat(room, self.pick(kinds), "definite")
        noun = self.noun(kind, rest)
        if "his" in noun.marks:
            raise Misfit
        plural = self.chance(0.3) and "single" not in noun.marks
        phrase = NounPhrase(noun, THE, plural, owner=owner)
        if rest > len(noun.english[0]):
            phrase.adjectives = self.adjectives(1, kind)
        return phrase

    def complement(self, m: int, phrase: NounPhrase, depth: int, plain: bool) -> Agreeing:
        """What follows a noun, in ``m`` words, at least 2: a relative clause, *of* or a place."""
        kind = phrase.noun.kind
        relative = 0.0 if plain or depth >= 2 or m > 9 else 0.6 if m >= 3 else 0.45
        if self.chance(relative):
            return self.relative(m, phrase, depth)
        if "his" in phrase.noun.marks:
            raise Misfit
        owners = LEXICON.owners[kind]
        if owners and (self.chance(0.7) or (kind in ("place", "goal") and m > 2)):
            owner = self.pick(owners)
            if m >= 3 or owner in PEOPLE:
                if "possessive" in phrase.determiner.marks:
                    phrase.determiner = THE
                return Together(OF, self.noun_phrase(m - 1, owner, "definite", depth + 1, plain))
        if kind in ("theme", "trouble", "event") and m >= 3:
            return Together(FOR, self.noun_phrase(m - 1, "person", "definite", depth + 1, plain))
        if kind == "town":
            if m not in (2, 4):
                raise Misfit
            return self.named_place(m, COUNTRIES)
        return self.place(m, depth + 1, plain)

    def relative(self, m: int, phrase: NounPhrase, depth: int) -> Agreeing:
        """Of a clause, which :mod:`seq2seq.corpora.grammar.draw_sentences` draws."""
        raise NotImplementedError

    def named_place(self, n: int, places: Sequence[Phrase]) -> Phrase:
        """*in paris*, *in france*, *in the united states*: 2 or 4 words."""
        return self.pick([place for place in places if len(place.english) == n])

    def place(self, n: int, depth: int, plain: bool) -> Agreeing:
        """Where: *in paris*, *behind the house*, in ``n`` words, at least 2."""
        if n == 2 or (n == 4 and self.chance(0.1)):
            return self.named_place(n, NAMED_PLACES)
        preposition = self.pick((IN,) * 3 + NEARBY[:2] if n == 3 else (IN,) * 4 + NEARBY)
        return self.prepositional(n, preposition, self.pick(("place", "town", "goal")), depth, plain)

    def prepositional(
        self, n: int, preposition: Phrase, kind: str, depth: int, plain: bool, role: str = "definite"
    ) -> Together:
        """A preposition and its phrase, ``n`` words together."""
        room = n - len(preposition.english)
        if room < (1 if kind in PEOPLE else 2):
            raise Misfit
        phrase = self.noun_phrase(room, kind, role, depth, plain)
        if preposition is IN and isinstance(phrase, NounPhrase) and "open" in phrase.noun.marks:
            raise Misfit
        return Together(preposition, phrase)
