"""Randomly drawn verbs with objects and adjuncts, of exactly the requested number of English words."""

from __future__ import annotations

from seq2seq.corpora.grammar import determiner as d
from seq2seq.corpora.grammar import function_words as f
from seq2seq.corpora.grammar.draw import Misfit
from seq2seq.corpora.grammar.lexicon import CHAINS, COUNTRIES, VERBS, Verb
from seq2seq.corpora.grammar.noun_phrase import Nominal, NounPhrase, Phrase, Prepositional, Pronoun
from seq2seq.corpora.grammar.phrases import ALIVE, PEOPLE, Phrases
from seq2seq.corpora.grammar.predicate import VerbPhrase
from seq2seq.corpora.grammar.tenses import GROUPS
from seq2seq.corpora.grammar.verb_group import VerbGroup

ABILITIES = {"person": "PABT", "kin": "PABT", "animal": "AT", "body": "B", "thing": "T", "food": "T"}
DOES = {kind: tuple(v for v in VERBS if v.subjects in can and v.frame != "que") for kind, can in ABILITIES.items()}
THIRD = (1, 4)
WHOLLY = {"love", "hate", "admire", "know"}  # never with *some*: hates the bears
FOR_SOMEONE = {"sing", "dance", "work", "play", "buy", "write", "draw", "paint", "build", "repair", "prepare"}
UNDENIABLE = (d.EVERY, d.SOME, d.MANY, d.SEVERAL, d.A_FEW)  # no negation after these: many boys do not sing


class VerbPhrases(Phrases):
    """Draws verbs; ``frame`` is the tense of the sentence: present, past or future."""

    dated = False  # whether the sentence already has a time

    def group(self, verb: Verb, subject: Nominal, kind: str, frame: str, room: int) -> tuple[VerbGroup, int]:
        """A verb group of at most ``room`` English words, with its length."""
        person = subject.person
        undeniable = self.undeniable(subject)
        for _ in range(4):
            tense, negation, modal, chained, often, cost = self.pick(GROUPS[frame])
            chain = self.pick(CHAINS) if chained else None
            if (negation and undeniable) or (modal and (verb.state or kind not in (*ALIVE, "body"))):
                continue
            if cost > room or (chained and not (verb.progressive and verb.auxiliary == "avoir")):
                continue
            if chain and (kind not in (*PEOPLE, "body") or not self.chains(chain, person, tense)):
                continue
            if not (modal or self.conjugates(chain or verb, person, tense)):
                continue
            if negation == "no longer" and not (verb.progressive or verb.state):
                continue
            adverb = self.pick(f.ADVERBS) if often else None
            return VerbGroup(verb, tense, negation, adverb, modal, chain), cost
        raise Misfit

    @staticmethod
    def chains(chain: Verb, person: int, tense: str) -> bool:
        """Whether *try to*, *want to* … are used with this person; excludes rare French forms."""
        return person in THIRD or (chain.english[0] == "want" if tense == "present" else not chain.state)

    @staticmethod
    def conjugates(verb: Verb, person: int, tense: str) -> bool:
        """Whether this form is used: only core verbs have all, and the gender of *i*, *we*, *you* must not show."""
        if tense in ("progressive", "past progressive") and not verb.progressive:
            return False
        if tense in ("future", "past progressive"):
            return verb.core and person in THIRD
        if verb.reflexive:
            return person in THIRD and tense != "past"
        if person in THIRD or tense == "going to":
            return True
        if tense == "past":
            return verb.core if verb.state else verb.auxiliary == "avoir"
        return verb.core or verb.frame == "chain" or person == 0

    def verb_phrase(self, m: int, subject: Nominal, kind: str, frame: str, depth: int, plain: bool) -> VerbPhrase:
        """A verb, its complements, and adjuncts: ``m`` words."""
        verb = self.pick(DOES[kind])
        if m <= 2 and self.chance(0.5):
            verb = self.pick([v for v in DOES[kind] if v.frame == "alone"] or DOES[kind])
        if verb.frame == "gift" and m < 4:
            raise Misfit
        least = {"alone": 0, "gift": 2, "to": 2}.get(verb.frame, 1) + len(verb.particle)
        group, cost = self.group(verb, subject, kind, frame, m - least)
        rest = m - cost - len(verb.particle)
        phrase = VerbPhrase(group)
        if verb.frame == "to":
            rest = self.goal(phrase, rest, depth, plain)
        elif verb.frame == "gift":
            rest = self.gift(phrase, rest, subject, depth, plain)
        elif verb.frame != "alone":
            rest = self.target(phrase, rest, subject, depth, plain)
        stative = frame == "past" and (group.modal or (group.chain or verb).state)
        timed = not (stative or group.adverb or group.negation == "never")
        phrase.adjuncts += self.adjuncts(rest, frame if timed else "", depth, plain, verb.english[0] in FOR_SOMEONE)
        return phrase

    @staticmethod
    def undeniable(subject: Nominal) -> bool:
        return isinstance(subject, NounPhrase) and subject.determiner in UNDENIABLE

    def share(self, rest: int, least: int) -> int:
        """How many of the words left the object takes; the others go to adjuncts."""
        if rest < least:
            raise Misfit
        return rest if rest <= 6 and self.chance(0.65) else self.between(least, min(rest, 7))

    def target(self, phrase: VerbPhrase, rest: int, subject: Nominal, depth: int, plain: bool) -> int:
        """Adds the object to the verb; returns the number of words left."""
        verb, negated = phrase.group.verb, bool(phrase.group.negation)
        kind = self.pick(verb.objects)
        if verb.pronoun and "person" in verb.objects and self.chance(0.6 if rest == 1 else 0.12):
            phrase.object = self.object_pronoun(subject, phrase.group.compound, bool(verb.preposition))
            return rest - 1
        size = self.share(rest, 1 if kind in PEOPLE else 2) if rest > 1 else 1
        role = "definite" if verb.preposition or verb.english[0] in WHOLLY else "negated" if negated else "object"
        phrase.object = self.noun_phrase(size, kind, role, depth + 1, plain or size < rest)
        return rest - size

    def object_pronoun(self, subject: Nominal, compound: bool, indirect: bool) -> Pronoun:
        """An object pronoun of another person; only *him* and *her* where a participle must agree."""
        if compound and not indirect:
            return self.pick((f.HIM, f.HER))
        pronouns = [p for p in (f.HIM, f.HER, f.THEM, f.ME, f.US, f.YOU_OBJECT) if self.distinct(p, subject)]
        return self.pick(pronouns)

    @staticmethod
    def distinct(pronoun: Pronoun, subject: Nominal) -> bool:
        """Whether the pronoun cannot mean the subject: neither *i see me* nor *we see me*."""
        one, other = pronoun.person, subject.person
        return {one, other} not in ({0}, {2}, {3}, {0, 2})

    def goal(self, phrase: VerbPhrase, rest: int, depth: int, plain: bool) -> int:
        """Where to: *to the market*, *to france*."""
        if rest == 2:
            where, what = self.pick([place for place in COUNTRIES if len(place[0]) == 1])
            phrase.adjuncts = (Phrase(("to", *where), what, ((0,), (1,))),)
            return 0
        size = self.share(rest, 3)
        phrase.adjuncts = (self.prepositional(size, f.TO, "goal", depth + 1, plain or size < rest, "known"),)
        return rest - size

    def gift(self, phrase: VerbPhrase, rest: int, subject: Nominal, depth: int, plain: bool) -> int:
        """What is given, and to whom."""
        verb = phrase.group.verb
        kind = self.pick(verb.objects)
        role = "negated" if phrase.group.negation else "object"
        if verb.pronoun and self.chance(0.4):
            phrase.recipient = self.object_pronoun(subject, False, True)
            size = self.share(rest - 1, 2)
            if size < 2:
                raise Misfit
            phrase.object = self.noun_phrase(size, kind, role, depth + 1, plain or size < rest - 1)
            return rest - 1 - size
        if rest < 4:
            raise Misfit
        size = self.between(2, min(rest - 2, 5))
        phrase.object = self.noun_phrase(size, kind, role, depth + 1, True)
        room = self.share(rest - size - 1, 1)
        phrase.recipient = self.noun_phrase(
            room, self.pick(PEOPLE), "definite", depth + 1, plain or size + 1 + room < rest
        )
        return rest - size - 1 - room

    def adjuncts(
        self, rest: int, frame: str, depth: int, plain: bool, welcome: bool = False
    ) -> tuple[Prepositional | Phrase, ...]:
        """Place, companion and time: ``rest`` words; no time without a frame, and *for* someone only if ``welcome``."""
        if rest == 0:
            return ()
        times = None if self.dated else f.TIMES.get(frame)
        if rest == 1 and not times:
            raise Misfit
        if times and rest <= 3 and self.chance(1.0 if rest == 1 else 0.5):
            return (self.pick(times[rest]),)
        if rest == 2:
            return (self.place(2, depth + 1, plain),)
        if times and rest >= 5 and self.chance(0.3):
            time = self.pick(times[self.between(1, min(3, rest - 3))])
            return (*self.adjunct(rest - len(time.english), depth, True, welcome), time)
        return self.adjunct(rest, depth, plain, welcome)

    def adjunct(self, rest: int, depth: int, plain: bool, welcome: bool) -> tuple[Prepositional | Phrase, ...]:
        """A place, a companion, or both: ``rest`` words, at least 3."""
        company = self.pick((f.WITH, f.WITH, f.WITHOUT, f.FOR) if welcome else (f.WITH, f.WITH, f.WITHOUT))
        if rest >= 7 and self.chance(0.6):
            size = self.between(3, rest - 3)
            place = self.place(rest - size, depth + 1, plain)
            return (self.prepositional(size, company, "kin", depth + 1, plain), place)
        if self.chance(0.35):
            return (self.prepositional(rest, company, self.pick(PEOPLE), depth + 1, plain),)
        return (self.place(rest, depth + 1, plain),)
