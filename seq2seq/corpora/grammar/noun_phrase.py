"""Noun phrases: each is built once and generates English and French together."""

from dataclasses import dataclass
from typing import Protocol

from seq2seq.corpora.grammar.lexicon import LEXICON
from seq2seq.corpora.grammar.morphology import Token, english_article
from seq2seq.corpora.grammar.words import Adjective, Determiner, Noun, Writer


class Nominal(Protocol):
    """A possible subject; ``person`` and ``agreement`` are the numbers of :mod:`seq2seq.corpora.grammar.words`."""

    @property
    def person(self) -> int: ...

    @property
    def agreement(self) -> int: ...

    def say(self, writer: Writer, noun: "Nominal | None" = None, negated: bool = False) -> list[Token]: ...


class Agreeing(Protocol):
    """What may agree with a noun: a predicate, an attribute, a relative clause; or need not: a place, a time."""

    def say(self, writer: Writer, noun: Nominal) -> list[Token]: ...


class Together:
    """Parts one after the other, which agree with the same noun: *behind* and *the house*, *that* and *fell*."""

    def __init__(self, *parts: Agreeing) -> None:
        self.parts = parts

    def say(self, writer: Writer, noun: Nominal) -> list[Token]:
        return [token for part in self.parts for token in part.say(writer, noun)]


@dataclass(slots=True)
class Description:
    """An adjective, perhaps with *very*, after *be* or beside its noun."""

    adjective: Adjective
    very: bool = False

    def say(self, writer: Writer, noun: Nominal, beside: bool = False) -> list[Token]:
        very = [("très", writer.say("very"))] if self.very else []
        adjective, agreement = self.adjective, noun.agreement
        junction = agreement == 0 and beside and adjective.before
        form = adjective.junction if junction else adjective.french[agreement]
        return [*very, (form, writer.say(adjective.english))]


@dataclass(slots=True)
class NounPhrase:
    """Determiner, number, adjectives and noun; ``material`` is the first noun of *history book*.

    ``owner`` is the phrase before 's: *the teacher 's sister* becomes *la sœur du professeur*.
    """

    noun: Noun
    determiner: Determiner = LEXICON.determiners["the"]
    plural: bool = False
    number: Determiner | None = None
    adjectives: tuple[Description, ...] = ()
    material: Noun | None = None
    owner: Nominal | None = None
    complement: Agreeing | None = None

    @property
    def agreement(self) -> int:
        return self.noun.feminine + 2 * self.plural

    @property
    def person(self) -> int:
        return 4 if self.plural else 1

    def say(self, writer: Writer, noun: Nominal | None = None, negated: bool = False) -> list[Token]:
        heads = self.determiner.french[self.agreement]
        owner: list[Token] = []
        if self.owner is None:
            opening = writer.say(*self.determiner.english)
        else:
            owner = self.owner.say(writer)
            opening = writer.say("'s")
            owner.insert(0, ("DE", opening))
        number = [] if self.number is None else [(self.number.french[2][0], writer.say(*self.number.english))]
        before: list[Token] = []
        after: list[Token] = []
        for description in self.adjectives:
            described = description.say(writer, self, beside=True)
            if description.adjective.before:
                before += described
            else:
                after[:0] = described  # in French the first stands last
        material: list[Token] = []
        if self.material is not None:
            links = writer.say(*self.material.english[0])
            material = [("DE", links), (self.material.french[0][0], links)]
        links = writer.say(*self.noun.english[self.plural])
        if self.determiner.english == ("a",):
            writer.source[opening[0]] = english_article(writer.source[opening[0] + 1])
        if negated and "weak" in self.determiner.marks:
            heads = ("DE",)
        elif heads == ("DES",):
            heads = ("DE",) if before else ("des",)
        opening = opening or links
        apart = len(opening) == len(heads) > 1
        return [
            *((head, opening[i : i + 1] if apart else opening) for i, head in enumerate(heads)),
            *number,
            *before,
            *((form, links) for form in self.noun.french[self.plural]),
            *material,
            *after,
            *owner,
            *(self.complement.say(writer, self) if self.complement is not None else ()),
        ]


@dataclass(slots=True)
class Coordination:
    """Two noun phrases joined by *and*: plural, and feminine only if both are."""

    first: Nominal
    second: Nominal
    person: int = 4

    @property
    def agreement(self) -> int:
        return 3 if self.first.agreement % 2 and self.second.agreement % 2 else 2

    def say(self, writer: Writer, noun: Nominal | None = None, negated: bool = False) -> list[Token]:
        return Together(self.first, LEXICON.phrase["and"], self.second).say(writer, self)
