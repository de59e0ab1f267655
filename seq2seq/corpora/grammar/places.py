"""Randomly drawn places and companions: a preposition and its phrase, of exactly the requested number of words."""

from __future__ import annotations

from seq2seq.corpora.grammar import function_words as f
from seq2seq.corpora.grammar.draw import Draw, Misfit
from seq2seq.corpora.grammar.lexicon import CITIES, COUNTRIES
from seq2seq.corpora.grammar.noun_phrase import Nominal, NounPhrase, Phrase, Preposition, Prepositional

PEOPLE = ("person", "kin")
NOT_IN = {"beach", "farm"}  # no "dans": dans la plage


class Places(Draw):
    """Draws *in paris*, *behind the house*, *with marie*."""

    def named_place(self, n: int, places: tuple) -> Phrase:
        """*in paris*, *in france*, *in the united states*: 2 or 4 words."""
        where, what = self.pick([place for place in places if len(place[0]) == n - 1])
        return Phrase(("in", *where), what, ((0, 1) if n == 4 else (0,), tuple(range(1, n))))

    def place(self, n: int, depth: int, plain: bool) -> Prepositional | Phrase:
        """Where: *in paris*, *behind the house*, in ``n`` words, at least 2."""
        if n == 2 or (n == 4 and self.chance(0.1)):
            return self.named_place(n, CITIES + COUNTRIES)
        if n == 3:
            preposition = self.pick((f.IN, f.IN, f.IN, f.NEAR, f.BEHIND))
        else:
            preposition = self.pick((f.IN, f.IN, f.IN, f.IN, *f.PLACES))
        return self.prepositional(n, preposition, self.pick(("place", "town", "goal")), depth, plain)

    def prepositional(
        self, n: int, preposition: Preposition, kind: str, depth: int, plain: bool, role: str = "definite"
    ) -> Prepositional:
        """A preposition and its phrase, ``n`` words together."""
        room = n - len(preposition.english)
        if room < (1 if kind in PEOPLE else 2):
            raise Misfit
        phrase = self.noun_phrase(room, kind, role, depth, plain)
        if preposition is f.IN and isinstance(phrase, NounPhrase) and phrase.noun.english[0][0] in NOT_IN:
            raise Misfit
        return Prepositional(preposition, phrase)

    def noun_phrase(self, n: int, kind: str, role: str, depth: int, plain: bool = False) -> Nominal:
        raise NotImplementedError
