"""Randomly drawn predicates of exactly the requested number of English words."""

from __future__ import annotations

from seq2seq.corpora.grammar import function_words as f
from seq2seq.corpora.grammar.clause import Clause
from seq2seq.corpora.grammar.draw import Misfit
from seq2seq.corpora.grammar.lexicon import AFTER, BEFORE, NOUNS, VERBS, Adjective
from seq2seq.corpora.grammar.noun_phrase import Description, Nominal
from seq2seq.corpora.grammar.phrases import ALIVE, PEOPLE, SAME_DEGREE
from seq2seq.corpora.grammar.predicate import (
    Comparison,
    Copula,
    Feeling,
    Passive,
    Predicate,
    Profession,
    Quality,
    TwoPredicates,
    VerbPhrase,
)
from seq2seq.corpora.grammar.verb_group import VerbGroup
from seq2seq.corpora.grammar.verb_phrases import DOES, THIRD, VerbPhrases

SAYS = tuple(verb for verb in VERBS if verb.frame == "que")
PASSIVES = {kind: tuple(v for v in VERBS if v.passive and kind in v.objects) for kind in NOUNS}
JOBS = tuple(
    noun
    for noun in NOUNS["person"]
    if noun.english[0][0] not in {"boy", "girl", "man", "woman", "child", "lady", "hero", "king", "queen", "tourist"}
)
FEELINGS = (("hungry", "faim"), ("thirsty", "soif"), ("right", "raison"), ("sleepy", "sommeil"))

# temporary qualities: only these go with a time or a place
PASSING = {"happy", "sad", "tired", "sick", "calm", "free", "dirty", "clean", "empty", "open", "quiet", "cold", "hot"}


class Predicates(VerbPhrases):
    """Draws predicates; ``frame`` is the tense of the sentence: present, past or future."""

    def predicate(self, m: int, subject: Nominal, kind: str, frame: str, depth: int, plain: bool = False) -> Predicate:
        """A predicate of ``m`` English words; ``plain`` excludes relative and other clauses."""
        if depth == 0 and m >= 5 and kind in ALIVE and not plain and self.chance(0.12):
            first = self.between(2 if frame == "future" else 1, min(m - 3, 5))
            one = self.verb_phrase(first, subject, kind, frame, 1, True)
            if one.group.modal or one.group.chain or one.group.negation or one.group.tense == "going to":
                raise Misfit  # ambiguous: in "can sing and dance", *can* may govern both
            two = self.verb_phrase(m - 1 - first, subject, kind, frame, 0, plain)
            if one.group.verb is two.group.verb:
                raise Misfit
            return TwoPredicates(one, two)
        if kind not in DOES:
            other = self.chance(0.4 if kind in ("place", "town", "goal", "part") else 0.6) and m >= 4
            if other:
                return self.passive(m, subject, kind, frame, depth, plain)
            return self.copula(m, subject, kind, frame, plain)
        if kind in ("thing", "text", "food", "body") and m >= 4 and self.chance(0.3):
            return self.passive(m, subject, kind, frame, depth, plain)
        if m >= 2 and self.chance(0.2 if kind in (*ALIVE, "body") else 0.75):
            return self.copula(m, subject, kind, frame, plain)
        if m >= 5 and kind in (*PEOPLE, "body") and not plain and frame == "present" and self.chance(0.12):
            return self.report(m, subject, depth)
        return self.verb_phrase(m, subject, kind, frame, depth, plain)

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
        if rest > 3 or (rest and self.dated):
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
            agent = self.noun_phrase(size - 1, agent_kind, "definite", depth + 1, plain or size < rest)
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

    def clause(self, n: int, frame: str, depth: int = 0) -> Clause:
        raise NotImplementedError
