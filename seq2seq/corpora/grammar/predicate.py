"""Predicates: a verb with its objects, *be* with an attribute, a passive, or two of these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from seq2seq.corpora.grammar.elision import Token
from seq2seq.corpora.grammar.function_words import AND_VERB, BY, THAT, TO
from seq2seq.corpora.grammar.lexicon import BE, HAVE, Adjective, Noun, Verb
from seq2seq.corpora.grammar.noun_phrase import Description, Nominal, Phrase, Prepositional, Pronoun
from seq2seq.corpora.grammar.verb_group import NEGATIONS, VerbGroup, be
from seq2seq.corpora.grammar.writer import Writer


class Predicate(Protocol):
    """What follows the subject and agrees with it."""

    def say(self, writer: Writer, subject: Nominal) -> list[Token]: ...


class Said(Protocol):
    """A clause after *that*."""

    def say(self, writer: Writer) -> list[Token]: ...


@dataclass(slots=True)
class VerbPhrase:
    """A verb group, its object, its recipient or clause, and adjuncts of place and time.

    A pronoun as the object or the recipient follows the verb in English and stands before it in French.
    """

    group: VerbGroup
    object: Nominal | None = None
    recipient: Nominal | None = None
    clause: Said | None = None
    adjuncts: tuple[Prepositional | Phrase, ...] = ()

    def say(self, writer: Writer, subject: Nominal) -> list[Token]:
        group, verb, target = self.group, self.group.verb, self.object
        links = group.say(writer, subject)
        pronoun = target if isinstance(target, Pronoun) else None
        clitics: list[Token] = []
        rest: list[Token] = []
        agreement = 0
        joint = links.main(group)[-1:]  # links of the French preposition if no English word corresponds
        if verb.particle:
            particle = writer.say_all(verb.particle)
            links.particle = particle[:-1] if verb.preposition else particle
            joint = particle[-1:]
        if isinstance(self.recipient, Pronoun):
            clitics = [(self.recipient.indirect, (writer.say(self.recipient.english),))]
        if pronoun is not None and verb.preposition:
            clitics = [(pronoun.indirect, (*(joint if verb.particle else ()), writer.say(pronoun.english)))]
        elif pronoun is not None:
            clitics = [(pronoun.direct, (writer.say(pronoun.english),))]
            agreement = pronoun.agreement
        elif target is not None:
            if verb.preposition:
                rest.append((verb.preposition, joint))
            negated = bool(group.negation) and not verb.preposition
            rest += target.say(writer, negated)
        if self.recipient is not None and not clitics:
            rest += Prepositional(TO, self.recipient).say(writer)
        if self.clause is not None:
            rest += THAT.say(writer)
            rest += self.clause.say(writer)
        for adjunct in self.adjuncts:
            rest += adjunct.say(writer)
        return [*group.french(links, subject, clitics, agreement), *rest]


@dataclass(slots=True)
class Quality:
    """An adjective that describes the subject."""

    description: Description

    def say(self, writer: Writer, subject: Nominal) -> list[Token]:
        return self.description.say(writer, subject.agreement, beside=False)


@dataclass(slots=True)
class Comparison:
    """*older than paul*, *more curious than paul*, *as rich as paul*; ``degree`` is er, more, less or as."""

    adjective: Adjective
    degree: str
    other: Nominal

    def say(self, writer: Writer, subject: Nominal) -> list[Token]:
        form = self.adjective.french[subject.agreement]
        if self.degree == "er":
            links = (writer.say(self.adjective.comparative),)
            french: list[Token] = [("plus", links), (form, links)]
        else:
            word = {"more": "plus", "less": "moins", "as": "aussi"}[self.degree]
            french = [(word, (writer.say(self.degree),)), (form, (writer.say(self.adjective.english),))]
        french.append(("QUE", (writer.say("as" if self.degree == "as" else "than"),)))
        return french + self.other.say(writer)


@dataclass(slots=True)
class Profession:
    """*is a teacher*, in French without an article: *est professeur*."""

    noun: Noun

    def say(self, writer: Writer, subject: Nominal) -> list[Token]:
        plural = subject.person == 4
        word = self.noun.english[plural][0]
        links = () if plural else (writer.say("an" if word[0] in "aeiou" else "a"),)
        return [(self.noun.french[plural][0], (*links, writer.say(word)))]


@dataclass(slots=True)
class Feeling:
    """*is hungry*, in French with *avoir*: *a faim*; only *afraid* has an object."""

    english: str
    french: str
    object: Nominal | None = None

    def say(self, writer: Writer, subject: Nominal) -> list[Token]:
        french: list[Token] = [(self.french, (writer.say(self.english),))]
        if self.object is not None:
            french.append(("DE", (writer.say("of"),)))
            french += self.object.say(writer)
        return french


def say_be(writer: Writer, subject: Nominal, tense: str, negation: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """*is*, *was not*, *will not be*; the positions of the verb and of the negation."""
    finite: tuple[int, ...] = (writer.say("will" if tense == "future" else be(tense, subject)),)
    no = writer.say_all(tuple(negation.split()))
    if tense == "future":
        finite += (writer.say("be"),)
    return finite, no


def around(form: str, finite: tuple[int, ...], negation: str, no: tuple[int, ...]) -> list[Token]:
    """A finite verb, between *ne* and *pas* if negated."""
    if not negation:
        return [(form, finite)]
    return [("NE", no), (form, finite), (NEGATIONS[negation], no)]


@dataclass(slots=True)
class Copula:
    """*be* and its attribute; ``tense`` is present, past or future."""

    attribute: Quality | Comparison | Profession | Feeling | Prepositional | Phrase
    tense: str = "present"
    negation: str = ""
    adjuncts: tuple[Prepositional | Phrase, ...] = ()

    def say(self, writer: Writer, subject: Nominal) -> list[Token]:
        paradigm = HAVE if isinstance(self.attribute, Feeling) else BE
        finite, no = say_be(writer, subject, self.tense, self.negation)
        forms = {"present": paradigm.present, "past": paradigm.imparfait, "future": paradigm.future}[self.tense]
        french = around(forms[subject.person], finite, self.negation, no)
        french += self.attribute.say(writer, subject)
        for adjunct in self.adjuncts:
            french += adjunct.say(writer)
        return french


@dataclass(slots=True)
class Passive:
    """*was written by paul*: *a été écrit par paul*, with the participle agreeing with the subject."""

    verb: Verb
    tense: str = "past"
    negation: str = ""
    agent: Nominal | None = None
    adjuncts: tuple[Prepositional | Phrase, ...] = ()

    def say(self, writer: Writer, subject: Nominal) -> list[Token]:
        person = subject.person
        finite, no = say_be(writer, subject, self.tense, self.negation)
        paradigm = HAVE if self.tense == "past" else BE
        form = (paradigm.future if self.tense == "future" else paradigm.present)[person]
        french = around(form, finite, self.negation, no)
        if self.tense == "past":
            french.append(("été", finite))
        french.append((self.verb.french.participles[subject.agreement], (writer.say(self.verb.english[4]),)))
        if self.agent is not None:
            french += Prepositional(BY, self.agent).say(writer)
        for adjunct in self.adjuncts:
            french += adjunct.say(writer)
        return french


@dataclass(slots=True)
class TwoPredicates:
    """One subject, two predicates: *eats an apple and sings*."""

    first: Predicate
    second: Predicate

    def say(self, writer: Writer, subject: Nominal) -> list[Token]:
        return [*self.first.say(writer, subject), *AND_VERB.say(writer), *self.second.say(writer, subject)]
