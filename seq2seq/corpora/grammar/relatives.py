"""Randomly drawn relative clauses of exactly the requested number of English words."""

from __future__ import annotations

from seq2seq.corpora.grammar import determiner as d
from seq2seq.corpora.grammar.clause import Clause
from seq2seq.corpora.grammar.draw import Misfit
from seq2seq.corpora.grammar.lexicon import NOUNS, VERBS
from seq2seq.corpora.grammar.noun_phrase import Complement, Nominal, NounPhrase
from seq2seq.corpora.grammar.phrases import PEOPLE
from seq2seq.corpora.grammar.predicate import VerbPhrase
from seq2seq.corpora.grammar.predicates import Predicates
from seq2seq.corpora.grammar.relative import ObjectRelative, OwnerRelative, PlaceRelative, SubjectRelative
from seq2seq.corpora.grammar.verb_group import VerbGroup

DONE_TO = {  # the verbs of relative clauses: that the boy bought
    kind: tuple(v for v in VERBS if v.frame == "object" and kind in v.objects and v.subjects in "PA") for kind in NOUNS
}
HAPPENS = tuple(verb for verb in VERBS if verb.english[0] in ("work", "sleep", "play", "dance", "rest", "sing", "walk"))


class Relatives(Predicates):
    """Draws relative clauses, in the present or the past."""

    def relative(self, m: int, phrase: NounPhrase, depth: int) -> Complement:
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
        if not self.conjugates(verb, subject.person, frame):
            raise Misfit
        return ObjectRelative("whom" if kind in PEOPLE else "that", subject, VerbGroup(verb, frame))

    def subject(self, n: int, kinds: tuple[str, ...], fresh: bool = False) -> tuple[Nominal, str]:
        raise NotImplementedError
