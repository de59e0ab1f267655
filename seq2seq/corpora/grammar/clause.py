"""Clauses: a subject and what agrees with it, a verb with its objects or *be* with an attribute; relative clauses."""

from __future__ import annotations

from dataclasses import dataclass

from seq2seq.corpora.grammar.lexicon import LEXICON
from seq2seq.corpora.grammar.morphology import Token, english_article, surface
from seq2seq.corpora.grammar.noun_phrase import Agreeing, Nominal, NounPhrase, Together
from seq2seq.corpora.grammar.verb_group import NEGATIONS, VerbGroup, be
from seq2seq.corpora.grammar.words import Adjective, Links, Noun, Phrase, Pronoun, Verb, Writer
from seq2seq.corpora.pair import Pair

BE, HAVE = LEXICON.paradigms["être"], LEXICON.paradigms["avoir"]


@dataclass(slots=True)
class VerbPhrase:
    """A verb group, its object, its recipient or clause, and adjuncts of place and time.

    A pronoun as the object or the recipient follows the verb in English and stands before it in French.
    """

    group: VerbGroup
    object: Nominal | None = None
    recipient: Nominal | None = None
    clause: Clause | None = None
    adjuncts: tuple[Agreeing, ...] = ()

    def say(self, writer: Writer, noun: Nominal) -> list[Token]:
        group, verb, target, recipient = self.group, self.group.verb, self.object, self.recipient
        links = group.say(writer, noun)
        clitics: list[Token] = []
        rest: list[Token] = []
        agreement = 0
        joint = links.main[-1:]  # links of the French preposition if no English word corresponds
        if verb.particle:
            particle = writer.say(*verb.particle)
            links.particle = particle[:-1] if verb.preposition else particle
            joint = particle[-1:]
        if isinstance(recipient, Pronoun):
            clitics = [(recipient.indirect, writer.say(recipient.english))]
        if isinstance(target, Pronoun) and verb.preposition:
            clitics = [(target.indirect, (joint if verb.particle else ()) + writer.say(target.english))]
        elif isinstance(target, Pronoun):
            clitics = target.say(writer)
            agreement = target.agreement
        elif target is not None:
            if verb.preposition:
                rest.append((verb.preposition, joint))
            rest += target.say(writer, negated=bool(group.negation) and not verb.preposition)
        if recipient is not None and not clitics:
            rest += Together(LEXICON.phrase["to"], recipient).say(writer, noun)
        if self.clause is not None:
            rest += Together(LEXICON.phrase["that"], self.clause).say(writer, noun)
        rest += Together(*self.adjuncts).say(writer, noun)
        return [*group.french(links, noun, clitics, agreement), *rest]


@dataclass(slots=True)
class Comparison:
    """*older than paul*, *more curious than paul*, *as rich as paul*; ``degree`` is er, more, less or as."""

    adjective: Adjective
    degree: str
    other: Nominal

    def say(self, writer: Writer, noun: Nominal) -> list[Token]:
        adjective, degree = self.adjective, self.degree
        word = {"er": "plus", "more": "plus", "less": "moins", "as": "aussi"}[degree]
        before = writer.say(adjective.comparative if degree == "er" else degree)
        links = before if degree == "er" else writer.say(adjective.english)
        than = writer.say("as" if degree == "as" else "than")
        return [(word, before), (adjective.french[noun.agreement], links), ("QUE", than), *self.other.say(writer)]


@dataclass(slots=True)
class Profession:
    """*is a teacher*, in French without an article: *est professeur*."""

    noun: Noun

    def say(self, writer: Writer, noun: Nominal) -> list[Token]:
        plural = noun.person == 4
        word = self.noun.english[plural][0]
        links = writer.say(word) if plural else writer.say(english_article(word), word)
        return [(self.noun.french[plural][0], links)]


@dataclass(slots=True)
class Feeling:
    """*is hungry*, in French with *avoir*: *a faim*; only *afraid* has an object."""

    phrase: Phrase
    object: Nominal | None = None

    def say(self, writer: Writer, noun: Nominal) -> list[Token]:
        of = () if self.object is None else (LEXICON.phrase["of"], self.object)
        return Together(self.phrase, *of).say(writer, noun)


@dataclass(slots=True)
class Passive:
    """*written by paul*: *écrit par paul*, with the participle agreeing with the subject."""

    verb: Verb
    agent: Nominal | None = None

    def say(self, writer: Writer, noun: Nominal) -> list[Token]:
        by = () if self.agent is None else (LEXICON.phrase["by"], self.agent)
        participle = self.verb.french.participles[noun.agreement], writer.say(self.verb.english[4])
        return [participle, *Together(*by).say(writer, noun)]


@dataclass(slots=True)
class Copula:
    """*be* and its attribute; ``tense`` is present, past or future."""

    attribute: Agreeing
    tense: str = "present"
    negation: str = ""
    adjuncts: tuple[Agreeing, ...] = ()

    def say(self, writer: Writer, noun: Nominal) -> list[Token]:
        finite = writer.say("will" if self.tense == "future" else be(self.tense, noun))
        no = writer.say(*self.negation.split())
        if self.tense == "future":
            finite += writer.say("be")
        compound = isinstance(self.attribute, Passive) and self.tense == "past"  # a été écrit
        forms = (HAVE if compound or isinstance(self.attribute, Feeling) else BE).forms
        french = [(forms["present" if compound else self.tense][noun.person], finite)]
        if self.negation:
            french = [("NE", no), *french, (NEGATIONS[self.negation], no)]
        if compound:
            french.append(("été", finite))
        return [*french, *Together(self.attribute, *self.adjuncts).say(writer, noun)]


@dataclass(slots=True)
class Clause:
    """A subject and its predicate."""

    subject: Nominal
    predicate: Agreeing

    def say(self, writer: Writer, noun: Nominal | None = None) -> list[Token]:
        return [*self.subject.say(writer), *self.predicate.say(writer, self.subject)]


@dataclass(slots=True)
class Existence:
    """*there is a cat in the garden*: *il y a un chat dans le jardin*."""

    object: Nominal
    place: Agreeing
    past: bool = False

    def say(self, writer: Writer, noun: Nominal | None = None) -> list[Token]:
        tense = "past" if self.past else "present"
        opening = writer.say("there")
        verb = writer.say(be(tense, self.object))
        french = [("il", opening), ("y", opening), (HAVE.forms[tense][1], verb)]
        return [*french, *Together(self.object, self.place).say(writer, self.object)]


@dataclass(slots=True)
class ObjectRelative:
    """*that the boy bought*: *que le garçon a achetée*; the participle agrees with the noun."""

    pronoun: Phrase
    subject: Nominal
    group: VerbGroup

    def say(self, writer: Writer, noun: Nominal) -> list[Token]:
        opening = Together(self.pronoun, self.subject).say(writer, noun)
        links = self.group.say(writer, self.subject)
        links.particle = writer.say(*self.group.verb.particle)
        return [*opening, *self.group.french(links, self.subject, [], noun.agreement)]


@dataclass(slots=True)
class OwnerRelative:
    """*whose sister sings*: *dont la sœur chante*; *whose* is linked to *dont* and to the article."""

    subject: NounPhrase
    predicate: Agreeing

    def say(self, writer: Writer, noun: Nominal) -> list[Token]:
        links: Links = writer.say("whose")
        (article, _), *subject = self.subject.say(writer)
        return [("dont", links), (article, links), *subject, *self.predicate.say(writer, self.subject)]


def pair(parts: list[Clause | Existence | Phrase]) -> Pair:
    """Clauses and the words that join them, ended by a full stop: in English, in French, and with links."""
    writer = Writer()
    french = surface([token for part in (*parts, LEXICON.phrase["."]) for token in part.say(writer)])
    links = frozenset((source, target) for target, (_, sources) in enumerate(french) for source in sources)
    return Pair(tuple(writer.source), tuple(form for form, _ in french), links)
