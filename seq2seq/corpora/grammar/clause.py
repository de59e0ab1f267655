"""Clauses, and the sentences they form."""

from __future__ import annotations

from dataclasses import dataclass, field

from seq2seq.corpora.grammar.elision import Token
from seq2seq.corpora.grammar.lexicon import HAVE
from seq2seq.corpora.grammar.noun_phrase import Nominal, Phrase, Prepositional
from seq2seq.corpora.grammar.predicate import Predicate
from seq2seq.corpora.grammar.verb_group import be
from seq2seq.corpora.grammar.writer import Writer


@dataclass(slots=True)
class Clause:
    """A subject and its predicate."""

    subject: Nominal
    predicate: Predicate

    def say(self, writer: Writer) -> list[Token]:
        subject = self.subject.say(writer)
        return subject + self.predicate.say(writer, self.subject)


@dataclass(slots=True)
class Existence:
    """*there is a cat in the garden*: *il y a un chat dans le jardin*."""

    object: Nominal
    place: Prepositional | Phrase
    past: bool = False

    def say(self, writer: Writer) -> list[Token]:
        there = (writer.say("there"),)
        verb = (writer.say(be("past" if self.past else "present", self.object)),)
        forms = HAVE.imparfait if self.past else HAVE.present
        return [("il", there), ("y", there), (forms[1], verb), *self.object.say(writer), *self.place.say(writer)]


@dataclass(slots=True)
class Sentence:
    """Clauses with the words that join them, in order, ended by a full stop."""

    parts: list[Clause | Existence | Phrase] = field(default_factory=list)

    def say(self, writer: Writer) -> list[Token]:
        french: list[Token] = []
        for part in self.parts:
            french += part.say(writer)
        return french
