"""The verb with its tense, negation, adverb and modal: from "does not want to eat" to "ne veut pas manger"."""

from __future__ import annotations

from dataclasses import dataclass

from seq2seq.corpora.grammar.lexicon import LEXICON, MODALS, NEGATIONS
from seq2seq.corpora.grammar.morphology import Token
from seq2seq.corpora.grammar.noun_phrase import Nominal
from seq2seq.corpora.grammar.words import Links, Phrase, Verb, Writer

REFLEXIVES = ("ME", "SE", "nous", "vous", "SE")
SIMPLE = {"progressive": "present", "past progressive": "past"}  # the French tenses of English ones


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
        tense, no, auxiliary = self.tense, self.negation.split(), self.auxiliary(subject)
        base, third, past, ing, _ = (self.chain or self.verb).english
        form = base if auxiliary else past if tense == "past" else third if subject.person == 1 else base
        if auxiliary == "can" and no:
            links.finite = links.negation = writer.say("cannot")
        else:
            links.finite = writer.say(*auxiliary.split())
            links.negation = writer.say(*no)
        if self.adverb is not None:
            links.adverb = writer.say(*self.adverb.english)
        if tense == "going to":
            links.finite += writer.say("going")
            links.infinitive = writer.say("to", base)
        elif self.modal:
            links.infinitive = writer.say(base)
        elif self.compound:
            links.participle = writer.say(form)
            links.finite = links.finite or links.participle
        else:
            links.finite += writer.say(ing if tense.endswith("progressive") else form)
        if self.chain is not None:
            links.preposition = writer.say("to")
            links.infinitive = writer.say(self.verb.english[0])
            if not self.chain.preposition:
                links.infinitive = links.preposition + links.infinitive
        links.main = links.infinitive if self.has_infinitive else links.participle if self.compound else links.finite
        return links

    def auxiliary(self, subject: Nominal) -> str:
        """The English word before *not*, if there is one."""
        if self.modal:
            return self.modal
        if self.tense in ("progressive", "past progressive", "going to"):
            return be(self.tense, subject)
        if self.tense == "future":
            return "will"
        if self.negation == "not":
            return "did" if self.tense == "past" else "does" if subject.person == 1 else "do"
        return ""

    @property
    def compound(self) -> bool:
        """Whether the finite verb is in the passé composé: an auxiliary and a participle."""
        return self.tense == "past" and not self.modal and "state" not in (self.chain or self.verb).marks

    @property
    def has_infinitive(self) -> bool:
        return bool(self.modal) or self.chain is not None or self.tense == "going to"

    def french(self, links: VerbLinks, subject: Nominal, clitics: list[Token], agreement: int = 0) -> list[Token]:
        """The French words; ``agreement`` is that of an object before the verb, with which the participle agrees."""
        verb, person = self.verb, subject.person
        main, bare = links.main + links.particle, links.main[-1:] + links.particle
        if verb.reflexive:  # se and besoin translate the verb without its auxiliaries
            clitics = [(REFLEXIVES[person], bare)]
        tail = [(form, bare) for form in verb.tail]
        negative: list[Token] = []
        middle: list[Token] = []
        if self.negation:
            negative, middle = [("NE", links.negation)], [(NEGATIONS[self.negation], links.negation)]
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
            auxiliary = "être" if "être" in finite.marks else "avoir"
            if auxiliary == "être":
                agreement = subject.agreement
            form = finite.french.participles[0 if self.has_infinitive else agreement]
            first = (LEXICON.paradigms[auxiliary].forms["present"][person], links.finite)
            middle.append((form, links.participle if self.chain is not None else main))
        else:
            first = (self.finite_form(person), links.finite if self.has_infinitive else main)
        return [*negative, *clitics, first, *middle, *tail, *ending]

    def finite_form(self, person: int) -> str:
        """The finite French verb of a one-word tense."""
        tense = SIMPLE.get(self.tense, self.tense)
        paradigm = (self.chain or self.verb).french
        if self.modal:
            infinitive, tense = MODALS[self.modal]
            paradigm = LEXICON.paradigms[infinitive]
        elif tense == "going to":
            paradigm, tense = LEXICON.paradigms["aller"], "present"
        return paradigm.forms[tense][person]


@dataclass(slots=True)
class VerbLinks:
    """The source positions of each part of a French verb; ``particle`` those of English words after the verb.

    ``main`` are those of the verb itself: infinitive, participle or finite form.
    """

    finite: Links = ()
    infinitive: Links = ()
    participle: Links = ()
    preposition: Links = ()
    negation: Links = ()
    adverb: Links = ()
    particle: Links = ()
    main: Links = ()
