"""Relative clauses: qui, que, où, dont."""

from dataclasses import dataclass

from seq2seq.corpora.grammar.clause import Clause
from seq2seq.corpora.grammar.elision import Token
from seq2seq.corpora.grammar.noun_phrase import Nominal, NounPhrase
from seq2seq.corpora.grammar.predicate import Predicate
from seq2seq.corpora.grammar.verb_group import VerbGroup
from seq2seq.corpora.grammar.writer import Writer


@dataclass(slots=True)
class SubjectRelative:
    """*who sleeps*, *that fell*: *qui dort*, *qui est tombé*; the verb agrees with the noun."""

    pronoun: str
    predicate: Predicate

    def say(self, writer: Writer, noun: Nominal) -> list[Token]:
        return [("qui", (writer.say(self.pronoun),)), *self.predicate.say(writer, noun)]


@dataclass(slots=True)
class ObjectRelative:
    """*that the boy bought*: *que le garçon a achetée*; the participle agrees with the noun."""

    pronoun: str
    subject: Nominal
    group: VerbGroup

    def say(self, writer: Writer, noun: Nominal) -> list[Token]:
        links = (writer.say(self.pronoun),)
        subject = self.subject.say(writer)
        verb = self.group.say(writer, self.subject)
        verb.particle = writer.say_all(self.group.verb.particle)
        agreement = noun.agreement
        return [("QUE", links), *subject, *self.group.french(verb, self.subject, [], agreement)]


@dataclass(slots=True)
class PlaceRelative:
    """*where the king lives*: *où le roi dort*."""

    clause: Clause

    def say(self, writer: Writer, noun: Nominal) -> list[Token]:
        return [("où", (writer.say("where"),)), *self.clause.say(writer)]


@dataclass(slots=True)
class OwnerRelative:
    """*whose sister sings*: *dont la sœur chante*; *whose* is linked to *dont* and to the article."""

    subject: NounPhrase
    predicate: Predicate

    def say(self, writer: Writer, noun: Nominal) -> list[Token]:
        links = (writer.say("whose"),)
        (article, _), *subject = self.subject.say(writer)
        return [("dont", links), (article, links), *subject, *self.predicate.say(writer, self.subject)]
