"""Randomly drawn verbs with their objects, attributes and adjuncts, in exactly the words asked for."""

from dataclasses import replace

from seq2seq.corpora.grammar.clause import Clause, Comparison, Copula, Feeling, Passive, Profession, VerbPhrase
from seq2seq.corpora.grammar.draw_nouns import ALIVE, COUNTRIES, MASS, PEOPLE, Misfit, Nouns, qualities
from seq2seq.corpora.grammar.lexicon import LEXICON
from seq2seq.corpora.grammar.noun_phrase import Agreeing, Description, Nominal, NounPhrase, Together
from seq2seq.corpora.grammar.verb_group import VerbGroup
from seq2seq.corpora.grammar.words import Adjective, Pronoun, Verb

THIRD = (1, 4)
VERBS, CHAINS = list(LEXICON.verbs.values()), list(LEXICON.chains.values())
SAYS = [verb for verb in VERBS if verb.frame == "que"]
DOES = {  # by the kind of the subject
    kind: verbs for kind in LEXICON.nouns if (verbs := [v for v in VERBS if kind in v.subjects and v.frame != "que"])
}
PASSIVES = {kind: [v for v in VERBS if "passive" in v.marks and kind in v.objects] for kind in LEXICON.nouns}
JOBS = [noun for noun in LEXICON.nouns["person"] if "job" in noun.marks]
TO, WITH, WITHOUT, FOR = (LEXICON.phrase[word] for word in ("to", "with", "without", "for"))


class Verbs(Nouns):
    """Draws predicates; ``frame`` is the tense of the sentence: present, past or future."""

    dated = False  # whether the sentence already has a time

    def predicate(self, m: int, subject: Nominal, kind: str, frame: str, depth: int) -> Agreeing:
        """A predicate of ``m`` English words."""
        if depth == 0 and m >= 5 and kind in ALIVE and self.chance(0.12):
            return self.two_predicates(m, subject, kind, frame)
        if kind not in DOES:
            other = self.chance(0.4 if kind in ("place", "town", "goal", "part") else 0.6) and m >= 4
            if other:
                return self.passive(m, subject, kind, frame, depth)
            return self.copula(m, subject, kind, frame)
        if kind in ("thing", "text", "food", "body") and m >= 4 and self.chance(0.3):
            return self.passive(m, subject, kind, frame, depth)
        if m >= 2 and self.chance(0.2 if kind in (*ALIVE, "body") else 0.75):
            return self.copula(m, subject, kind, frame)
        if m >= 5 and kind in (*PEOPLE, "body") and frame == "present" and self.chance(0.12):
            return self.report(m, subject, depth)
        return self.verb_phrase(m, subject, kind, frame, depth, False)

    def two_predicates(self, m: int, subject: Nominal, kind: str, frame: str) -> Together:
        """*eats an apple and sings*: ``m`` words, at least 5."""
        size = self.between(2 if frame == "future" else 1, min(m - 3, 5))
        first = self.verb_phrase(size, subject, kind, frame, 1, True)
        if first.group.modal or first.group.chain or first.group.negation or first.group.tense == "going to":
            raise Misfit  # ambiguous: in "can sing and dance", *can* may govern both
        second = self.verb_phrase(m - 1 - size, subject, kind, frame, 0, False)
        if first.group.verb is second.group.verb:
            raise Misfit
        return Together(first, LEXICON.phrase["and"], second)

    def copula(self, m: int, subject: Nominal, kind: str, frame: str) -> Copula:
        """*be* and an attribute: ``m`` words, at least 2."""
        negation = "not" if self.chance(0.25) and self.deniable(subject) else ""
        rest = m - 1 - bool(negation) - (frame == "future")
        if rest < 1:
            raise Misfit
        attribute, adjuncts = self.attribute(rest, subject, kind, frame)
        return Copula(attribute, frame, negation, adjuncts)

    def attribute(self, rest: int, subject: Nominal, kind: str, frame: str) -> tuple[Agreeing, tuple[Agreeing, ...]]:
        """What the subject is, perhaps with a time: ``rest`` words."""
        third = subject.person in THIRD
        draw = self.random()
        if kind in PEOPLE and rest in (1, 2) and draw < 0.15:
            job = self.pick(JOBS)
            if third and rest == (1 if subject.person == 4 else 2) and job.feminine == subject.agreement % 2:
                return Profession(job), ()
        if kind in PEOPLE and draw < 0.35:
            if rest == 1:
                return Feeling(self.pick(LEXICON.phrases["feeling"])), ()
            if rest >= 4:
                beast = self.noun_phrase(rest - 2, self.pick(("animal", "person")), "definite", 1)
                return Feeling(LEXICON.phrase["afraid"], beast), ()
        adjectives = qualities(kind)
        if not adjectives:
            raise Misfit
        adjective = self.pick(adjectives)
        if not third and adjective.french[0] != adjective.french[1]:
            alike = [a for a in LEXICON.adjectives["after", kind] if a.french[0] == a.french[1]]
            adjective = self.pick(alike)
        if kind in ALIVE and rest >= 3 and draw > 0.75:
            return self.place(rest, 1, False), ()
        graded = "constant" not in adjective.marks
        if rest >= 4 and graded and draw < 0.7:
            return self.comparison(rest, adjective, kind), ()
        very = rest >= 2 and graded and (rest == 2 or self.chance(0.4))
        if rest > 1 + very and "passing" not in adjective.marks:
            raise Misfit
        rest -= 1 + very
        if rest > 3 or (rest and self.dated):
            raise Misfit
        times = (self.pick(LEXICON.times[frame, rest]),) if rest else ()
        return Description(adjective, very), times

    def comparison(self, rest: int, adjective: Adjective, kind: str) -> Comparison:
        """*older than*, *more famous than*, *less famous than*, *as famous as*: ``rest`` words, at least 4."""
        degree = self.pick(("more", "more", "less", "as"))
        if adjective.english in ("good", "bad"):
            raise Misfit
        if degree == "more" and (adjective.comparative or len(adjective.english) < 6):
            degree = "er" if adjective.comparative else "less"
        other = self.noun_phrase(rest - (2 if degree == "er" else 3), kind, "definite", 1)
        return Comparison(adjective, degree, other)

    def passive(self, m: int, subject: Nominal, kind: str, frame: str, depth: int) -> Copula:
        """*was written by the teacher yesterday*: ``m`` words, at least 2."""
        negation = "not" if self.chance(0.2) and self.deniable(subject) else ""
        rest = m - 2 - bool(negation) - (frame == "future")
        if not PASSIVES[kind] or rest < 0:
            raise Misfit
        verb = self.pick(PASSIVES[kind])
        agent = None
        if rest >= 2:
            size = self.share(rest, 2)
            agent_kind = self.pick(("body", "person")) if "body" in verb.subjects else "person"
            size = max(size, 3 if agent_kind == "body" else 2)
            if size > rest:
                raise Misfit
            agent = self.noun_phrase(size - 1, agent_kind, "definite", depth + 1, plain=size < rest)
            rest -= size
        return Copula(Passive(verb, agent), frame, negation, self.adjuncts(rest, frame, depth, False))

    def report(self, m: int, subject: Nominal, depth: int) -> VerbPhrase:
        """*says that* and a clause: ``m`` words, at least 5."""
        verb = self.pick(SAYS)
        if subject.person in (2, 3) and "core" not in verb.marks:
            raise Misfit
        often = subject.person in THIRD and self.chance(0.15)
        group = VerbGroup(verb, adverb=self.pick(LEXICON.phrases["adverb"]) if often else None)
        frame = self.pick(("present", "present", "past", "future"))
        return VerbPhrase(group, clause=self.clause(m - 2 - often, frame, depth + 1))

    def clause(self, n: int, frame: str, depth: int = 0) -> Clause:
        """Which :mod:`seq2seq.corpora.grammar.draw_sentences` draws."""
        raise NotImplementedError

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
        stative = frame == "past" and (group.modal or "state" in (group.chain or verb).marks)
        timed = not (stative or group.adverb or group.negation == "never")
        phrase.adjuncts += self.adjuncts(rest, frame if timed else "", depth, plain, "someone" in verb.marks)
        return phrase

    def group(self, verb: Verb, subject: Nominal, kind: str, frame: str, room: int) -> tuple[VerbGroup, int]:
        """A verb group of at most ``room`` English words, with its length."""
        person = subject.person
        deniable = self.deniable(subject)
        for _ in range(4):
            usage = self.pick(LEXICON.usages[frame])
            tense = usage.tense
            chain = self.pick(CHAINS) if usage.chained else None
            if usage.negation and not deniable:
                continue
            if usage.modal and ("state" in verb.marks or kind not in (*ALIVE, "body")):
                continue
            if usage.cost > room or (chain and not (verb.progressive and "être" not in verb.marks)):
                continue
            if chain and (kind not in (*PEOPLE, "body") or not self.chains(chain, person, tense)):
                continue
            if not (usage.modal or self.conjugates(chain or verb, person, tense)):
                continue
            if usage.negation == "no longer" and not (verb.progressive or "state" in verb.marks):
                continue
            adverb = self.pick(LEXICON.phrases["adverb"]) if usage.adverb else None
            return VerbGroup(verb, tense, usage.negation, adverb, usage.modal, chain), usage.cost
        raise Misfit

    @staticmethod
    def deniable(subject: Nominal) -> bool:
        """Whether the verb may be negated; not after *many boys*, but after *some bread*."""
        if not isinstance(subject, NounPhrase) or subject.noun.kind in MASS:
            return True
        return "positive" not in subject.determiner.marks

    @staticmethod
    def chains(chain: Verb, person: int, tense: str) -> bool:
        """Whether *try to*, *want to* … are used with this person; excludes rare French forms."""
        return person in THIRD or (chain.english[0] == "want" if tense == "present" else "state" not in chain.marks)

    @staticmethod
    def conjugates(verb: Verb, person: int, tense: str) -> bool:
        """Whether this form is used: only core verbs have all, and the gender of *i*, *we*, *you* must not show."""
        if tense in ("progressive", "past progressive") and not verb.progressive:
            return False
        if tense in ("future", "past progressive"):
            return "core" in verb.marks and person in THIRD
        if verb.reflexive:
            return person in THIRD and tense != "past"
        if person in THIRD or tense == "going to":
            return True
        if tense == "past":
            return "core" in verb.marks if "state" in verb.marks else "être" not in verb.marks
        return "core" in verb.marks or verb.frame == "chain" or person == 0

    def share(self, rest: int, least: int) -> int:
        """How many of the words left the object takes; the others go to adjuncts."""
        if rest < least:
            raise Misfit
        return rest if rest <= 6 and self.chance(0.65) else self.between(least, min(rest, 7))

    def target(self, phrase: VerbPhrase, rest: int, subject: Nominal, depth: int, plain: bool) -> int:
        """Adds the object to the verb; returns the number of words left."""
        verb, negated = phrase.group.verb, bool(phrase.group.negation)
        kind = self.pick(verb.objects)
        if verb.takes_pronoun and "person" in verb.objects and self.chance(0.6 if rest == 1 else 0.12):
            phrase.object = self.object_pronoun(subject, phrase.group.compound, bool(verb.preposition))
            return rest - 1
        size = self.share(rest, 1 if kind in PEOPLE else 2) if rest > 1 else 1
        role = "definite" if verb.preposition or "wholly" in verb.marks else "negated" if negated else "object"
        phrase.object = self.noun_phrase(size, kind, role, depth + 1, plain or size < rest)
        return rest - size

    def object_pronoun(self, subject: Nominal, compound: bool, indirect: bool) -> Pronoun:
        """An object pronoun of another person; only *him* and *her* where a participle must agree."""
        if compound and not indirect:
            return self.pick((LEXICON.objects["him"], LEXICON.objects["her"]))
        same = ({0}, {2}, {3}, {0, 2})  # neither *i see me* nor *we see me*
        others = [p for p in LEXICON.objects.values() if {p.person, subject.person} not in same]
        return self.pick(others)

    def goal(self, phrase: VerbPhrase, rest: int, depth: int, plain: bool) -> int:
        """Where to: *to the market*, *to france*."""
        if rest == 2:
            country = self.named_place(2, COUNTRIES)
            phrase.adjuncts = (replace(country, english=("to", *country.english[1:])),)
            return 0
        size = self.share(rest, 3)
        phrase.adjuncts = (self.prepositional(size, TO, "goal", depth + 1, plain or size < rest, "known"),)
        return rest - size

    def gift(self, phrase: VerbPhrase, rest: int, subject: Nominal, depth: int, plain: bool) -> int:
        """What is given, and to whom."""
        verb = phrase.group.verb
        kind = self.pick(verb.objects)
        role = "negated" if phrase.group.negation else "object"
        if verb.takes_pronoun and self.chance(0.4):
            phrase.recipient = self.object_pronoun(subject, False, True)
            size = self.share(rest - 1, 2)
            phrase.object = self.noun_phrase(size, kind, role, depth + 1, plain or size < rest - 1)
            return rest - 1 - size
        if rest < 4:
            raise Misfit
        size = self.between(2, min(rest - 2, 5))
        phrase.object = self.noun_phrase(size, kind, role, depth + 1, True)
        rest -= size + 1
        room = self.share(rest, 1)
        phrase.recipient = self.noun_phrase(room, self.pick(PEOPLE), "definite", depth + 1, plain or room < rest)
        return rest - room

    def adjuncts(self, rest: int, frame: str, depth: int, plain: bool, welcome: bool = False) -> tuple[Agreeing, ...]:
        """Place, companion and time: ``rest`` words; no time without a frame, and *for* someone only if ``welcome``."""
        if rest == 0:
            return ()
        timed = bool(frame) and not self.dated
        if rest == 1 and not timed:
            raise Misfit
        if timed and rest <= 3 and self.chance(1.0 if rest == 1 else 0.5):
            return (self.pick(LEXICON.times[frame, rest]),)
        if rest == 2:
            return (self.place(2, depth + 1, plain),)
        if timed and rest >= 5 and self.chance(0.3):
            time = self.pick(LEXICON.times[frame, self.between(1, min(3, rest - 3))])
            return (*self.companions(rest - len(time.english), depth, True, welcome), time)
        return self.companions(rest, depth, plain, welcome)

    def companions(self, rest: int, depth: int, plain: bool, welcome: bool) -> tuple[Agreeing, ...]:
        """A place, a companion, or both: ``rest`` words, at least 3."""
        company = self.pick((WITH, WITH, WITHOUT, FOR) if welcome else (WITH, WITH, WITHOUT))
        if rest >= 7 and self.chance(0.6):
            size = self.between(3, rest - 3)
            place = self.place(rest - size, depth + 1, plain)
            return (self.prepositional(size, company, "kin", depth + 1, plain), place)
        if self.chance(0.35):
            return (self.prepositional(rest, company, self.pick(PEOPLE), depth + 1, plain),)
        return (self.place(rest, depth + 1, plain),)
