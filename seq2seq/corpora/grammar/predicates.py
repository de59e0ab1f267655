"""Predicates and relative clauses drawn at random, each of exactly the number of English words asked for."""

from __future__ import annotations

from seq2seq.corpora.grammar import determiner as d
from seq2seq.corpora.grammar import function_words as f
from seq2seq.corpora.grammar.draw import Misfit
from seq2seq.corpora.grammar.lexicon import (
    ADJECTIVE, AFTER, BEFORE, CHAINS, COUNTRIES, NAMES, NOUN, NOUNS, VERBS, Adjective, Verb,
)  # fmt: skip
from seq2seq.corpora.grammar.noun_phrase import Description, Nominal, NounPhrase, Phrase, Prepositional, Pronoun
from seq2seq.corpora.grammar.phrases import ALIVE, PEOPLE, SAME_DEGREE, Phrases
from seq2seq.corpora.grammar.predicate import (
    Clause, Comparison, Copula, Feeling, Passive, Predicate, Profession, Quality, TwoPredicates, VerbPhrase,
)  # fmt: skip
from seq2seq.corpora.grammar.relative import ObjectRelative, OwnerRelative, PlaceRelative, SubjectRelative
from seq2seq.corpora.grammar.verb_group import VerbGroup

ABILITIES = {"person": "PABT", "kin": "PABT", "animal": "AT", "body": "B", "thing": "T", "food": "T"}
DOES = {kind: tuple(v for v in VERBS if v.subjects in can and v.frame != "que") for kind, can in ABILITIES.items()}
SAYS = tuple(verb for verb in VERBS if verb.frame == "que")
DONE_TO = {  # the verbs of relative clauses: that the boy bought
    kind: tuple(v for v in VERBS if v.frame == "object" and kind in v.objects and v.subjects in "PA") for kind in NOUNS
}
PASSIVES = {kind: tuple(v for v in VERBS if v.passive and kind in v.objects) for kind in NOUNS}
HAPPENS = tuple(verb for verb in VERBS if verb.english[0] in ("work", "sleep", "play", "dance", "rest", "sing", "walk"))
JOBS = tuple(NOUN[job] for job in """teacher student doctor nurse farmer baker soldier writer lawyer painter actress
    dancer minister engineer""".split())  # fmt: skip
FEELINGS = (("hungry", "faim"), ("thirsty", "soif"), ("right", "raison"), ("sleepy", "sommeil"))

# tense, negation, modal, whether a chain, whether an adverb, English words; repeated by weight
GROUPS = {
    "present": (
        *(("present", "", "", False, False, 1),) * 8,
        *(("progressive", "", "", False, False, 2),) * 4,
        ("progressive", "not", "", False, False, 3),
        *(("present", "not", "", False, False, 3),) * 4,
        ("present", "never", "", False, False, 2),
        ("present", "no longer", "", False, False, 3),
        *(("present", "", "", False, True, 2),) * 3,
        *(("present", "", "can", False, False, 2),) * 2,
        ("present", "not", "can", False, False, 2),
        *(("present", "", "must", False, False, 2),) * 2,
        ("present", "not", "must", False, False, 3),
        *(("present", "", "", True, False, 3),) * 3,
        ("present", "not", "", True, False, 5),
    ),
    "past": (
        *(("past", "", "", False, False, 1),) * 9,
        *(("past", "not", "", False, False, 3),) * 4,
        ("past", "never", "", False, False, 2),
        ("past", "", "", False, True, 2),
        *(("past progressive", "", "", False, False, 2),) * 4,
        *(("past", "", "could", False, False, 2),) * 2,
        ("past", "not", "could", False, False, 3),
        *(("past", "", "", True, False, 3),) * 3,
        ("past", "not", "", True, False, 5),
    ),
    "future": (
        *(("future", "", "", False, False, 2),) * 5,
        *(("future", "not", "", False, False, 3),) * 2,
        *(("going to", "", "", False, False, 4),) * 5,
        ("going to", "not", "", False, False, 5),
    ),
}
THIRD = (1, 4)
# qualities that pass: only these go with a time or a place
PASSING = {"happy", "sad", "tired", "sick", "calm", "free", "dirty", "clean", "empty", "open", "quiet", "cold", "hot"}
FOR_SOMEONE = {"sing", "dance", "work", "play", "buy", "write", "draw", "paint", "build", "repair", "prepare"}
UNDENIABLE = (d.EVERY, d.SOME, d.MANY, d.SEVERAL, d.A_FEW)  # no negation after these: many boys do not sing


class Predicates(Phrases):
    """Draws what clauses say; ``frame`` is the tense of the sentence: present, past or future."""

    def predicate(self, m: int, subject: Nominal, kind: str, frame: str, depth: int, plain: bool = False) -> Predicate:
        """A predicate of ``m`` English words; ``plain`` keeps out relative and other clauses."""
        if depth == 0 and m >= 5 and kind in ALIVE and not plain and self.chance(0.12):
            first = self.between(2 if frame == "future" else 1, min(m - 3, 5))
            one = self.verb_phrase(first, subject, kind, frame, 1, True)
            two = self.verb_phrase(m - 1 - first, subject, kind, frame, 0, plain)
            if one.group.verb is two.group.verb:
                raise Misfit
            return TwoPredicates(one, two)
        if kind not in DOES:
            other = self.chance(0.4 if kind in ("place", "town", "goal", "part") else 0.6) and m >= 4
            return (
                self.passive(m, subject, kind, frame, depth, plain)
                if other
                else self.copula(m, subject, kind, frame, plain)
            )
        if kind in ("thing", "text", "food", "body") and m >= 4 and self.chance(0.3):
            return self.passive(m, subject, kind, frame, depth, plain)
        if m >= 2 and self.chance(0.2 if kind in (*ALIVE, "body") else 0.75):
            return self.copula(m, subject, kind, frame, plain)
        if m >= 5 and kind in (*PEOPLE, "body") and not plain and frame == "present" and self.chance(0.12):
            return self.report(m, subject, depth)
        return self.verb_phrase(m, subject, kind, frame, depth, plain)

    def group(self, verb: Verb, subject: Nominal, kind: str, frame: str, room: int) -> tuple[VerbGroup, int]:
        """A verb group of at most ``room`` English words, with its length."""
        person = subject.person
        third = person in THIRD
        undeniable = self.undeniable(subject)
        for _ in range(4):
            tense, negation, modal, chained, often, cost = self.pick(GROUPS[frame])
            chain = self.pick(CHAINS) if chained else None
            if negation and undeniable or (modal and kind not in (*ALIVE, "body")):
                continue
            if cost > room or (chained and not (verb.progressive and verb.auxiliary == "avoir")):
                continue
            finite = chain or verb
            if chained and (kind not in (*PEOPLE, "body") or (person in (2, 3) and chain.english[0] != "want")):
                continue
            if chained and not third and tense == "past" and chain.state:
                continue
            if not third and not modal and not chained and not verb.core and tense != "going to":
                if verb.state and tense == "past" or (person != 0 and tense in ("present", "progressive")):
                    continue
            if not third and (tense in ("future", "past progressive") or verb.reflexive):
                continue
            if not third and tense == "past" and not modal and finite.auxiliary == "être":
                continue
            if tense in ("future", "past progressive") and not verb.core:
                continue
            if tense in ("progressive", "past progressive") and not verb.progressive:
                continue
            if negation == "no longer" and not (verb.progressive or verb.state):
                continue
            if tense == "past" and verb.reflexive and not (modal or chained):
                continue
            adverb = self.pick(f.ADVERBS) if often else None
            return VerbGroup(verb, tense, negation, adverb, modal, chain), cost
        raise Misfit

    def verb_phrase(self, m: int, subject: Nominal, kind: str, frame: str, depth: int, plain: bool) -> VerbPhrase:
        """A verb, what it takes, and adjuncts: ``m`` words."""
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
        """How much of the room the object takes; what is left goes to adjuncts."""
        if rest < least:
            raise Misfit
        return rest if rest <= 6 and self.chance(0.65) else self.between(least, min(rest, 7))

    def target(self, phrase: VerbPhrase, rest: int, subject: Nominal, depth: int, plain: bool) -> int:
        """Gives the verb its object; returns the room that is left."""
        verb, negated = phrase.group.verb, bool(phrase.group.negation)
        kind = self.pick(verb.objects)
        if verb.pronoun and "person" in verb.objects and self.chance(0.6 if rest == 1 else 0.12):
            phrase.object = self.object_pronoun(subject, phrase.group.compound, bool(verb.preposition))
            return rest - 1
        size = self.share(rest, 1 if kind in PEOPLE else 2) if rest > 1 else 1
        role = "definite" if verb.preposition else "negated" if negated else "object"
        phrase.object = self.noun_phrase(size, kind, role, depth + 1, plain)
        return rest - size

    def object_pronoun(self, subject: Nominal, compound: bool, indirect: bool) -> Pronoun:
        """An object pronoun of another person; only *him* and *her* where a participle must agree."""
        if compound and not indirect:
            return self.pick((f.HIM, f.HER))
        pronouns = [p for p in (f.HIM, f.HER, f.THEM, f.ME, f.US, f.YOU_OBJECT) if self.distinct(p, subject)]
        return self.pick(pronouns)

    @staticmethod
    def distinct(pronoun: Pronoun, subject: Nominal) -> bool:
        """Whether the pronoun is no form of the subject: neither *i see me* nor *we see me*."""
        one, other = pronoun.person, subject.person
        return {one, other} not in ({0}, {2}, {3}, {0, 2})

    def goal(self, phrase: VerbPhrase, rest: int, depth: int, plain: bool) -> int:
        """Where to: *to the market*, *to france*."""
        if rest == 2:
            where, what = self.pick([place for place in COUNTRIES if len(place[0]) == 1])
            phrase.adjuncts = (Phrase(("to", *where), what, ((0,), (1,))),)
            return 0
        size = self.share(rest, 3)
        phrase.adjuncts = (self.prepositional(size, f.TO, "goal", depth + 1, plain, "known"),)
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
            phrase.object = self.noun_phrase(size, kind, role, depth + 1, plain)
            return rest - 1 - size
        if rest < 4:
            raise Misfit
        size = self.between(2, min(rest - 2, 5))
        phrase.object = self.noun_phrase(size, kind, role, depth + 1, True)
        room = self.share(rest - size - 1, 1)
        phrase.recipient = self.noun_phrase(room, self.pick(PEOPLE), "definite", depth + 1, plain)
        return rest - size - 1 - room

    def adjuncts(
        self, rest: int, frame: str, depth: int, plain: bool, welcome: bool = False
    ) -> tuple[Prepositional | Phrase, ...]:
        """Place, company and time: ``rest`` words; without a frame no time, and only if ``welcome`` *for* someone."""
        if rest == 0:
            return ()
        if not frame and rest == 1:
            raise Misfit
        times = f.TIMES.get(frame)
        if times and rest <= 3 and self.chance(1.0 if rest == 1 else 0.5):
            return (self.pick(times[rest]),)
        if rest == 2:
            return (self.place(2, depth + 1, plain),)
        if times and rest >= 5 and self.chance(0.3):
            time = self.pick(times[self.between(1, min(3, rest - 3))])
            return (*self.adjunct(rest - len(time.english), depth, plain, welcome), time)
        return self.adjunct(rest, depth, plain, welcome)

    def adjunct(self, rest: int, depth: int, plain: bool, welcome: bool) -> tuple[Prepositional | Phrase, ...]:
        """A place, company, or both: ``rest`` words, at least 3."""
        company = self.pick((f.WITH, f.WITH, f.WITHOUT, f.FOR) if welcome else (f.WITH, f.WITH, f.WITHOUT))
        if rest >= 7 and self.chance(0.6):
            size = self.between(3, rest - 3)
            place = self.place(rest - size, depth + 1, plain)
            return (self.prepositional(size, company, "kin", depth + 1, plain), place)
        if self.chance(0.35):
            return (self.prepositional(rest, company, self.pick(PEOPLE), depth + 1, plain),)
        return (self.place(rest, depth + 1, plain),)

    def copula(self, m: int, subject: Nominal, kind: str, frame: str, plain: bool) -> Copula:
        """*be* and an attribute: ``m`` words, at least 2."""
        negation = "not" if self.chance(0.25) and not self.undeniable(subject) else ""
        rest = m - 1 - bool(negation) - (frame == "future")
        if rest < 1:
            raise Misfit
        third = subject.person in THIRD
        draw = self.random()
        if kind in PEOPLE and rest in (1, 2) and draw < 0.15:
            job = self.pick(JOBS)
            if third and rest == (1 if subject.person == 4 else 2) and (job.gender == "f") == subject.agreement % 2:
                return Copula(Profession(job), frame, negation)
        if kind in PEOPLE and draw < 0.35:
            if rest == 1:
                return Copula(Feeling(*self.pick(FEELINGS)), frame, negation)
            if rest >= 4:
                beast = self.noun_phrase(rest - 2, self.pick(("animal", "person")), "definite", 1, plain)
                return Copula(Feeling("afraid", "peur", beast), frame, negation)
        adjectives = BEFORE[kind] + AFTER[kind]
        if not adjectives:
            raise Misfit
        adjective = self.pick(adjectives)
        if not third and adjective.french[0] != adjective.french[1]:
            adjective = self.pick([a for a in AFTER[kind] if a.french[0] == a.french[1]])
        if kind in ALIVE and rest >= 3 and draw > 0.75:
            return Copula(self.place(rest, 1, plain), frame, negation)
        graded = adjective.english not in SAME_DEGREE
        if rest >= 4 and graded and draw < 0.7:
            return self.comparison(rest, adjective, subject, kind, frame, negation, plain)
        very = rest >= 2 and graded and (rest == 2 or self.chance(0.4))
        if rest > 1 + very and adjective.english not in PASSING:
            raise Misfit
        rest -= 1 + very
        if rest > 3:
            raise Misfit
        times = (self.pick(f.TIMES[frame][rest]),) if rest else ()
        return Copula(Quality(Description(adjective, very)), frame, negation, times)

    def comparison(
        self, rest: int, adjective: Adjective, subject: Nominal, kind: str, frame: str, negation: str, plain: bool
    ) -> Copula:
        """*older than*, *more famous than*, *less famous than*, *as famous as*: ``rest`` words, at least 4."""
        degree = self.pick(("more", "more", "less", "as"))
        if adjective.english in ("good", "bad"):
            raise Misfit
        if degree == "more" and (adjective.comparative or len(adjective.english) < 6):
            degree = "er" if adjective.comparative else "less"
        other = self.noun_phrase(rest - (2 if degree == "er" else 3), kind, "definite", 1, plain)
        return Copula(Comparison(adjective, degree, other), frame, negation)

    def passive(self, m: int, subject: Nominal, kind: str, frame: str, depth: int, plain: bool) -> Passive:
        """*was written by the teacher yesterday*: ``m`` words, at least 2."""
        verbs = PASSIVES.get(kind)
        negation = "not" if self.chance(0.2) and not self.undeniable(subject) else ""
        rest = m - 2 - bool(negation) - (frame == "future")
        if not verbs or rest < 0:
            raise Misfit
        verb = self.pick(verbs)
        agent = None
        if rest >= 2:
            size = self.share(rest, 2)
            agent_kind = self.pick(("body", "person")) if verb.subjects == "B" else "person"
            least = 3 if agent_kind == "body" else 2
            size = max(size, least)
            if size > rest:
                raise Misfit
            agent = self.noun_phrase(size - 1, agent_kind, "definite", depth + 1, plain)
            rest -= size
        return Passive(verb, frame, negation, agent, self.adjuncts(rest, frame, depth, plain))

    def report(self, m: int, subject: Nominal, depth: int) -> VerbPhrase:
        """*says that* and a clause: ``m`` words, at least 5."""
        verb = self.pick(SAYS)
        if subject.person in (2, 3) and not verb.core:
            raise Misfit
        often = subject.person in THIRD and self.chance(0.15)
        group = VerbGroup(verb, adverb=self.pick(f.ADVERBS) if often else None)
        frame = self.pick(("present", "present", "past", "future"))
        return VerbPhrase(group, clause=self.clause(m - 2 - often, frame, depth + 1))

    def relative(self, m: int, phrase: NounPhrase, depth: int) -> object:
        """A relative clause of ``m`` words, at least 2."""
        kind = phrase.noun.kind
        people = kind in PEOPLE
        frame = self.pick(("present", "past"))
        draw = self.random()
        if m >= 3 and draw < 0.4 and DONE_TO[kind]:
            return self.object_relative(m, phrase, kind, frame)
        if m >= 3 and people and draw < 0.55:
            owned = NounPhrase(self.pick(NOUNS["kin"]), d.WHOSE, self.chance(0.3))
            return OwnerRelative(owned, self.predicate(m - 2, owned, "kin", frame, depth + 1))
        if kind in ("place", "goal", "town") and m >= 3:
            length = self.between(1, min(4, m - 2))
            subject, subject_kind = self.subject(length, PEOPLE, fresh=True)
            verb = self.pick(HAPPENS)
            size = m - 1 - length
            group, cost = self.group(verb, subject, subject_kind, frame, size)
            return PlaceRelative(
                Clause(subject, VerbPhrase(group, adjuncts=self.adjuncts(size - cost, frame, 2, True)))
            )
        pronoun = "who" if people else "that"
        return SubjectRelative(pronoun, self.predicate(m - 1, phrase, kind, frame, depth + 1))

    def object_relative(self, m: int, phrase: NounPhrase, kind: str, frame: str) -> ObjectRelative:
        verb = self.pick(DONE_TO[kind])
        room = m - 2 - len(verb.particle)
        if not 1 <= room <= 5:
            raise Misfit
        subject, _ = self.subject(room, PEOPLE, fresh=True)
        if subject.person in (0, 2, 3) and (verb.state or frame == "present") and not verb.core:
            frame = "past"
            if verb.state:
                raise Misfit
        return ObjectRelative("whom" if kind in PEOPLE else "that", subject, VerbGroup(verb, frame))

    def clause(self, n: int, frame: str, depth: int = 0) -> Clause:
        raise NotImplementedError

    def subject(self, n: int, kinds: tuple[str, ...], fresh: bool = False) -> tuple[Nominal, str]:
        raise NotImplementedError
