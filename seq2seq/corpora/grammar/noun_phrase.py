"""Noun phrases: each is built once and generates English and French together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from seq2seq.corpora.grammar.determiner import THE, Determiner
from seq2seq.corpora.grammar.elision import Token
from seq2seq.corpora.grammar.lexicon import Adjective, Noun
from seq2seq.corpora.grammar.morphology import english_article
from seq2seq.corpora.grammar.writer import Writer


class Nominal(Protocol):
    """A possible subject: ``person`` is je 0, il/elle 1, nous 2, vous 3, ils/elles 4."""

    @property
    def person(self) -> int: ...

    @property
    def agreement(self) -> int: ...  # 0 m, 1 f, 2 m plural, 3 f plural

    def say(self, writer: Writer, negated: bool = False) -> list[Token]: ...


class Complement(Protocol):
    """What follows a noun and may agree with it: an *of* phrase, a place, a relative clause."""

    def say(self, writer: Writer, noun: Nominal) -> list[Token]: ...


@dataclass(slots=True)
class Description:
    """An adjective, perhaps with *very*, next to its noun or after *be*."""

    adjective: Adjective
    very: bool = False

    def say(self, writer: Writer, agreement: int, beside: bool = True) -> list[Token]:
        french: list[Token] = []
        if self.very:
            french.append(("très", (writer.say("very"),)))
        adjective = self.adjective
        form = adjective.french[agreement]
        if agreement == 0 and beside and adjective.before:
            form = adjective.junction
        french.append((form, (writer.say(adjective.english),)))
        return french


@dataclass(slots=True)
class NounPhrase:
    """Determiner, number, adjectives and noun; ``material`` is the first noun of *history book*.

    ``owner`` is the phrase before 's: *the teacher 's sister* becomes *la sœur du professeur*.
    """

    noun: Noun
    determiner: Determiner = THE
    plural: bool = False
    number: Determiner | None = None
    adjectives: tuple[Description, ...] = ()
    material: Noun | None = None
    owner: Nominal | None = None
    complement: Complement | None = None

    @property
    def agreement(self) -> int:
        return (self.noun.gender == "f") + 2 * self.plural

    @property
    def person(self) -> int:
        return 4 if self.plural else 1

    def say(self, writer: Writer, negated: bool = False) -> list[Token]:
        agreement = (self.noun.gender == "f") + 2 * self.plural
        owned: list[Token] = []
        if self.owner is not None:
            owner = self.owner.say(writer)
            of: tuple[int, ...] = (writer.say("'s"),)
            owned = [("DE", of), *owner]
            heads, opening = self.determiner.french[agreement], of
        else:
            heads, opening = self.determiner.french[agreement], writer.say_all(self.determiner.english)
        number = None if self.number is None else (self.number.french[2][0], (writer.say(self.number.english[0]),))
        before: list[Token] = []
        after: list[Token] = []
        for description in self.adjectives:
            said = description.say(writer, agreement)
            if description.adjective.before:
                before += said
            else:
                after[:0] = said
        noun = self.noun
        of_material: list[Token] = []
        if self.material is not None:
            links = writer.say_all(self.material.english[0])
            of_material = [("DE", links), (self.material.french[0][0], links)]
        links = writer.say_all(noun.english[self.plural])
        if opening and self.determiner.english == ("a",):
            writer.source[opening[0]] = english_article(writer.source[opening[0] + 1])
        if negated and self.determiner.gives_way:
            heads = ("DE",)
        elif heads == ("DES",):
            heads = ("DE",) if before else ("des",)
        if not opening:
            opening = links
        if len(opening) == len(heads) > 1:
            french: list[Token] = [(head, (link,)) for head, link in zip(heads, opening, strict=True)]
        else:
            french = [(head, opening) for head in heads]
        if number is not None:
            french.append(number)
        french += before
        french += [(form, links) for form in noun.french[self.plural]]
        french += of_material
        french += after
        french += owned
        if self.complement is not None:
            french += self.complement.say(writer, self)
        return french


@dataclass(frozen=True, slots=True)
class Pronoun:
    """A pronoun with its subject form, or its object forms before the verb (direct and indirect)."""

    english: str
    person: int
    agreement: int
    french: str = ""
    direct: str = ""
    indirect: str = ""

    def say(self, writer: Writer, negated: bool = False) -> list[Token]:
        return [(self.french, (writer.say(self.english),))]


@dataclass(slots=True)
class Coordination:
    """Two noun phrases joined by *and*: plural, and feminine only if both are."""

    first: Nominal
    second: Nominal
    person: int = 4

    @property
    def agreement(self) -> int:
        return 3 if self.first.agreement % 2 and self.second.agreement % 2 else 2

    def say(self, writer: Writer, negated: bool = False) -> list[Token]:
        return [*self.first.say(writer), ("et", (writer.say("and"),)), *self.second.say(writer)]


@dataclass(frozen=True, slots=True)
class Preposition:
    """A preposition; each French word is linked to all of the English ones."""

    english: tuple[str, ...]
    french: tuple[str, ...]


@dataclass(slots=True)
class Prepositional:
    """A preposition and its noun phrase: *behind the house*, *of the teacher*."""

    preposition: Preposition
    object: Nominal

    def say(self, writer: Writer, noun: Nominal | None = None) -> list[Token]:
        links = writer.say_all(self.preposition.english)
        return [*((form, links) for form in self.preposition.french), *self.object.say(writer)]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A fixed expression with its links: *two days ago* becomes *il y a deux jours*."""

    english: tuple[str, ...]
    french: tuple[str, ...]
    links: tuple[tuple[int, ...], ...]

    def say(self, writer: Writer, noun: Nominal | None = None) -> list[Token]:
        at = writer.say_all(self.english)
        return [(form, tuple(at[i] for i in links)) for form, links in zip(self.french, self.links, strict=True)]
