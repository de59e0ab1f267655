"""Randomly drawn noun phrases of exactly the requested number of English words."""

from __future__ import annotations

from seq2seq.corpora.grammar import determiner as d
from seq2seq.corpora.grammar import function_words as f
from seq2seq.corpora.grammar.draw import Misfit
from seq2seq.corpora.grammar.heads import HEADS, MASS, STUFFS
from seq2seq.corpora.grammar.lexicon import AFTER, BEFORE, COMPOUNDS, COUNTRIES, DOMAIN, NAMES, NOUNS, REGION, Noun
from seq2seq.corpora.grammar.noun_phrase import (
    Complement,
    Coordination,
    Description,
    Nominal,
    NounPhrase,
    Prepositional,
)
from seq2seq.corpora.grammar.places import PEOPLE, Places

CIVIC = ("theme", "trouble", "body")  # nouns that domain and region adjectives describe
ALIVE = (*PEOPLE, "animal")
# possible owners of each kind of noun: of the king, 's
OWNERS = {
    "kin": ("person",),
    "part": ("place", "goal"),
    "theme": ("body",),
    "body": ("town",),
    "goal": ("town",),
    "text": ("person",),
    "thing": PEOPLE,
    "clothes": PEOPLE,
    "vehicle": PEOPLE,
    "animal": PEOPLE,
    "place": ("person",),
    "event": ("body",),
}
SAME_DEGREE = {"red", "blue", "green", "white", "black", "yellow", "broken", "empty", "free", "open", "delicious"}
SAME_DEGREE |= {"necessary", "new", "cultural", *(a.english for a in (*DOMAIN, *REGION))}  # no *very*, no *more*
NATIONS = tuple(a for a in REGION if a.english in {"european", "french", "american", "german"})
OUTER = {
    "theme": REGION,
    "trouble": REGION,
    "body": REGION,
    "person": NATIONS,
    "stuff": NATIONS,
    "goal": NATIONS,
    "vehicle": NATIONS,
}

HIS = tuple(word for word in d.POSSESSIVES if word.english[0] in ("my", "his", "your"))
NOT_OF = {"wife"}  # only with a possessive: his wife
ONE_EACH = {"mother", "father", "wife"}  # no plural: my wives


class Phrases(Places):
    """Draws noun phrases; ``role`` is subject, object, negated, definite
    (after *de*: no *some*), known (after *to*: no *a* either) or new (after *there is*)."""

    def noun_phrase(self, n: int, kind: str, role: str, depth: int, plain: bool = False) -> Nominal:
        """A phrase of ``n`` English words; ``plain`` excludes relative clauses."""
        if n == 1:
            return self.one_word(kind, role)
        if n >= 3 and kind in PEOPLE and role not in ("negated", "new") and self.chance(0.08):
            return self.coordination(n, kind, role)
        if n >= 5 and kind not in PEOPLE and kind not in MASS and role == "object" and self.chance(0.1):
            return self.coordination(n, kind, role)
        if n >= 3 and kind in OWNERS and role not in ("new", "negated") and self.chance(0.12):
            return self.owned(n, kind, depth)
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
            return NounPhrase(self.pick(NAMES), d.NONE)
        if role not in ("object", "negated") or kind == "kin":
            raise Misfit
        nouns = [noun for noun in NOUNS[kind] if len(noun.english[0]) == 1]
        if kind in MASS:
            return NounPhrase(self.pick(nouns), d.BARE_STUFF)
        return NounPhrase(self.pick(nouns), d.BARE, plural=True)

    def noun(self, kind: str, room: int) -> Noun:
        """A noun of at most ``room`` English words."""
        noun = self.pick(NOUNS[kind])
        while len(noun.english[0]) > room:
            noun = self.pick(NOUNS[kind])
        return noun

    def simple(self, n: int, kind: str, role: str) -> NounPhrase:
        """Determiner, number, adjectives, noun: ``n`` words, 2 to 5."""
        noun = self.noun(kind, n - 1)
        plural = kind not in MASS and role != "negated" and self.chance(0.35)
        if role == "negated" and kind not in MASS:
            plural = self.chance(0.5)
        if noun.english[0][0] in ONE_EACH:
            plural = False
        head = self.pick(STUFFS[role] if kind in MASS else HEADS[role, kind][plural])
        room = n - 1 - len(noun.english[0])
        if noun.english[0][0] in NOT_OF:
            head = self.pick(HIS)
        phrase = NounPhrase(noun, head, plural)
        if room and plural and head is d.THE and self.chance(0.4):
            if self.chance(0.5):
                phrase.determiner = d.ALL_THE
            else:
                phrase.number = self.pick(d.NUMBERS)
            room -= 1
        elif room and plural and head is d.SEVERAL:
            phrase.determiner = d.A_FEW
            room -= 1
        materials = COMPOUNDS.get(noun.english[0][0]) if room else None
        if materials and self.chance(0.5):
            phrase.material = self.pick(materials)
            room -= 1
        if room:
            phrase.adjectives = self.adjectives(room, kind)
        return phrase

    def adjectives(self, room: int, kind: str) -> tuple[Description, ...]:
        """Adjectives and *very* that fill ``room`` words, in English order."""
        before, after, outer = BEFORE[kind], AFTER[kind], OUTER.get(kind, ())
        pools = [pool for pool in (before, after, outer, DOMAIN if kind in CIVIC else ()) if pool]
        if room == 1:
            return (Description(self.pick(self.pick(pools))),)
        if room == 2 and self.chance(0.35):
            adjective = self.pick(before + after)
            if adjective.english not in SAME_DEGREE:
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
        first = 1 if n < 5 and kind in PEOPLE else 2
        if kind in PEOPLE and n - 1 - first > 3:
            first = min(3, n - 4)
        if n - 1 - first > 4:
            raise Misfit
        one, two = self.flat(first, kind, role), self.flat(n - 1 - first, kind, role)
        if one.noun is two.noun:
            raise Misfit
        return Coordination(one, two)

    def flat(self, n: int, kind: str, role: str) -> NounPhrase:
        return self.one_word(kind, role) if n == 1 else self.simple(n, kind, role)

    def owned(self, n: int, kind: str, depth: int) -> NounPhrase:
        """*the teacher 's sister*: ``n`` words, at least 3."""
        kinds = OWNERS[kind]
        rest = self.between(1, min(2, n - 2)) if n > 3 else 1
        room = n - 1 - rest
        if room > 4 or (room == 1 and kinds[0] not in PEOPLE):
            raise Misfit
        owner_kind = self.pick(kinds)
        owner = self.flat(room, owner_kind, "definite")
        noun = self.noun(kind, rest)
        if noun.english[0][0] in NOT_OF:
            raise Misfit
        plural = self.chance(0.3) and noun.english[0][0] not in ONE_EACH
        phrase = NounPhrase(noun, d.THE, plural, owner=owner)
        if rest > len(noun.english[0]):
            phrase.adjectives = self.adjectives(1, kind)
        return phrase

    def complement(self, m: int, phrase: NounPhrase, depth: int, plain: bool) -> Complement:
        """What follows a noun, in ``m`` words, at least 2: a relative clause, *of* or a place."""
        kind = phrase.noun.kind
        relative = 0.0 if plain or depth >= 2 or m > 9 else 0.6 if m >= 3 else 0.45
        if self.chance(relative):
            return self.relative(m, phrase, depth)
        if phrase.noun.english[0][0] in NOT_OF:
            raise Misfit
        if kind in OWNERS and (self.chance(0.7) or (kind in ("place", "goal") and m > 2)):
            owner = self.pick(OWNERS[kind])
            if m >= 3 or owner in PEOPLE:
                if phrase.determiner in d.POSSESSIVES:
                    phrase.determiner = d.THE
                return Prepositional(f.OF, self.noun_phrase(m - 1, owner, "definite", depth + 1, plain))
        if kind in ("theme", "trouble", "event") and m >= 3:
            return Prepositional(f.FOR, self.noun_phrase(m - 1, "person", "definite", depth + 1, plain))
        if kind == "town":
            if m not in (2, 4):
                raise Misfit
            return self.named_place(m, COUNTRIES)
        return self.place(m, depth + 1, plain)

    def relative(self, m: int, phrase: NounPhrase, depth: int) -> Complement:
        raise NotImplementedError
