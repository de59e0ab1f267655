"""The verb with its tense, negation, adverb and modal: from "does not want to eat" to "ne veut pas manger"."""

from __future__ import annotations

from dataclasses import dataclass

from seq2seq.corpora.grammar.conjugation import Paradigm
from seq2seq.corpora.grammar.elision import Token
from seq2seq.corpora.grammar.lexicon import BE, CAN, GO, HAVE, MUST, Verb
from seq2seq.corpora.grammar.noun_phrase import Nominal, Phrase
from seq2seq.corpora.grammar.writer import Writer

Links = tuple[int, ...]

NEGATIONS = {"not": "pas", "never": "jamais", "no longer": "plus"}
MODALS: dict[str, tuple[Paradigm, str]] = {"can": (CAN, "present"), "must": (MUST, "present"), "could": (CAN, "past")}
REFLEXIVES = ("ME", "SE", "nous", "vous", "SE")


def be(tense: str, subject: Nominal) -> str:
    """The form of *be* in the present or the past."""
    if tense.startswith("past"):
        return "was" if subject.person in (0, 1) else "were"
    return "am" if subject.person == 0 else "is" if subject.person == 1 else "are"


@dataclass(slots=True)
class VerbGroup:
    """A verb in use: ``tense`` is present, progressive, past, past progressive, future or going to.

    ``modal`` is can, must or could; ``chain`` a verb that takes an infinitive, such as *want to*.
    ``say`` writes the English words and returns the links; ``french`` then orders the French words, because an object
    pronoun follows the verb in English and precedes it in French.
    """

    verb: Verb
    tense: str = "present"
    negation: str = ""
    adverb: Phrase | None = None
    modal: str = ""
    chain: Verb | None = None

    def say(self, writer: Writer, subject: Nominal) -> VerbLinks:
        """The English words; an object may follow."""
        links = VerbLinks()
        negation = self.negation
        finite = self.chain or self.verb
        base, third, past, ing, _ = finite.english
        if self.modal:
            self.say_modal(writer, links)
        elif self.tense in ("progressive", "past progressive", "going to"):
            links.finite = (writer.say(be(self.tense, subject)),)
            if negation:
                links.negation = (writer.say("not"),)
            if self.tense == "going to":
                links.finite += (writer.say("going"),)
                links.infinitive = (writer.say("to"), writer.say(base))
            else:
                links.finite += (writer.say(ing),)
        elif self.tense == "future":
            links.finite = (writer.say("will"),)
            if negation:
                links.negation = (writer.say("not"),)
            links.finite += (writer.say(base),)
        elif negation == "not":
            does = "did" if self.tense == "past" else "does" if subject.person == 1 else "do"
            links.finite = (writer.say(does),)
            links.negation = (writer.say("not"),)
            links.infinitive = (writer.say(base),)
            if self.compound:
                links.participle = links.infinitive
            else:
                links.finite += links.infinitive
        else:
            if negation:
                links.negation = writer.say_all(tuple(negation.split()))
            if self.adverb is not None:
                links.adverb = (writer.say(self.adverb.english[0]),)
            form = past if self.tense == "past" else third if subject.person == 1 else base
            links.finite = links.participle = (writer.say(form),)
        if self.chain is not None:
            to = links.preposition = (writer.say("to"),)
            verb = (writer.say(self.verb.english[0]),)
            links.infinitive = verb if self.chain.preposition else to + verb
        return links

    def say_modal(self, writer: Writer, links: VerbLinks) -> None:
        """*can*, *cannot*, *must not* and the infinitive."""
        if self.modal == "can" and self.negation:
            links.finite = links.negation = (writer.say("cannot"),)
        else:
            links.finite = (writer.say(self.modal),)
            if self.negation:
                links.negation = (writer.say("not"),)
        links.infinitive = (writer.say(self.verb.english[0]),)

    @property
    def compound(self) -> bool:
        """Whether the finite verb is in the passé composé: an auxiliary and a participle."""
        return self.tense == "past" and not self.modal and not (self.chain or self.verb).state

    @property
    def has_infinitive(self) -> bool:
        return bool(self.modal) or self.chain is not None or self.tense == "going to"

    def french(self, links: VerbLinks, subject: Nominal, clitics: list[Token], agreement: int = 0) -> list[Token]:
        """The French words; ``agreement`` is that of an object before the verb, with which the participle agrees."""
        verb, person = self.verb, subject.person
        main = links.main(self)
        if verb.reflexive:
            clitics = [(REFLEXIVES[person], links.own(self))]
        tail = [(form, links.own(self)) for form in verb.tail]
        negative = [("NE", links.negation)] if self.negation else []
        middle = [(NEGATIONS[self.negation], links.negation)] if self.negation else []
        if self.adverb is not None:
            middle.append((self.adverb.french[0], links.adverb))
        finite = self.chain or verb
        ending: list[Token] = []
        if self.has_infinitive:
            if self.chain is not None and self.chain.preposition:
                ending.append((self.chain.preposition, links.preposition))
            ending += [*clitics, (verb.french.infinitive, main), *tail]
            tail, clitics = [], []
        if self.compound:
            auxiliary = BE if finite.auxiliary == "être" else HAVE
            if finite.auxiliary == "être":
                agreement = subject.agreement
            participle_links = links.participle if self.chain is not None else main
            participle = finite.french.participles[agreement if not self.has_infinitive else 0]
            first = (auxiliary.present[person], links.finite)
            return [*negative, *clitics, first, *middle, (participle, participle_links), *tail, *ending]
        first = (self.finite_form(person), links.finite if self.has_infinitive else main)
        return [*negative, *clitics, first, *middle, *tail, *ending]

    def finite_form(self, person: int) -> str:
        """The finite French verb of a one-word tense."""
        if self.modal:
            paradigm, tense = MODALS[self.modal]
            return (paradigm.present if tense == "present" else paradigm.imparfait)[person]
        paradigm = (self.chain or self.verb).french
        if self.tense in ("past", "past progressive"):
            return paradigm.imparfait[person]
        if self.tense == "future":
            return paradigm.future[person]
        return (GO if self.tense == "going to" else paradigm).present[person]


@dataclass(slots=True)
class VerbLinks:
    """The source positions of each part of a French verb; ``particle`` those of English words after the verb."""

    finite: Links = ()
    infinitive: Links = ()
    participle: Links = ()
    preposition: Links = ()
    negation: Links = ()
    adverb: Links = ()
    particle: Links = ()

    def main(self, group: VerbGroup) -> Links:
        """The links of the verb itself: infinitive, participle or finite form."""
        if group.has_infinitive:
            return self.infinitive + self.particle
        return (self.participle if group.compound else self.finite) + self.particle

    def own(self, group: VerbGroup) -> Links:
        """The links of the verb without its auxiliaries: what *se* and *besoin* translate."""
        return (self.infinitive if group.has_infinitive else self.finite)[-1:] + self.particle
