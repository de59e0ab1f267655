"""Randomly drawn clauses and sentences of exactly the requested number of English words."""

from random import Random

from seq2seq.corpora.grammar.clause import Clause, Existence, ObjectRelative, OwnerRelative, VerbPhrase, pair
from seq2seq.corpora.grammar.draw_nouns import PEOPLE, Misfit
from seq2seq.corpora.grammar.draw_verbs import VERBS, Verbs
from seq2seq.corpora.grammar.lexicon import LEXICON
from seq2seq.corpora.grammar.noun_phrase import Agreeing, Nominal, NounPhrase, Together
from seq2seq.corpora.grammar.verb_group import VerbGroup
from seq2seq.corpora.grammar.words import Phrase
from seq2seq.corpora.pair import Pair

KINDS = (
    *("person",) * 9,
    *("kin",) * 4,
    *("animal",) * 3,
    *("body",) * 4,
    *("theme",) * 3,
    *("trouble", "thing", "text", "vehicle", "food", "clothes", "place", "town", "goal", "part", "event"),
)
SPEAKERS = tuple(LEXICON.subjects[word][0] for word in ("i", "i", "we", "you", "he", "she"))
HE, SHE = SPEAKERS[-2:]
IT, THEY = LEXICON.subjects["it"], LEXICON.subjects["they"]
AND, BUT, SO, SEMICOLON, COMMA = (LEXICON.phrase[mark] for mark in (", and", ", but", ", so", ";", ","))
BECAUSE, WHEN, IF, EVEN_IF = (LEXICON.phrase[word] for word in ("because", "when", "if", "even if"))
(WHO, THAT), (WHOM, THAT_OBJECT) = LEXICON.phrases["relative subject"], LEXICON.phrases["relative object"]
[WHERE] = LEXICON.phrases["relative place"]
JOINTS = (*(AND,) * 4, *(BUT,) * 3, SO, SEMICOLON, SEMICOLON)
SUBORDINATE = {  # by tense
    "present": (BECAUSE, BECAUSE, WHEN, IF, EVEN_IF),
    "past": (BECAUSE, BECAUSE, WHEN),
    "future": (BECAUSE, IF, IF, EVEN_IF),
}
DONE_TO = {  # the verbs of relative clauses: that the boy bought
    kind: [v for v in VERBS if v.frame == "object" and kind in v.objects and "body" not in v.subjects]
    for kind in LEXICON.nouns
}
HAPPENS = [verb for verb in VERBS if "happens" in verb.marks]
Part = Clause | Existence | Phrase


class Sentences(Verbs):
    """Draws sentences; remembers the last subject, to which *it* and *they* refer."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.last: tuple[Nominal, str] | None = None

    def sentence(self, n: int) -> Pair:
        """A sentence of ``n`` English words and punctuation marks, at least 3."""
        for _ in range(1000):
            self.last, self.dated = None, False
            try:
                parts = self.parts(n - 1)
            except Misfit:
                continue
            return pair(parts)
        raise ValueError(f"length: no sentence of {n} words was found, expected at least 3 (paul sleeps .).")

    def parts(self, m: int) -> list[Part]:
        """Clauses and connectives of ``m`` words."""
        frame = self.pick(("present", "present", "past", "past", "future"))
        parts: list[Part] = []
        if m >= 7 and self.chance(0.2):
            opening: tuple[Phrase, ...] = (self.pick(LEXICON.phrases["opening"]),)
            if self.chance(0.5):
                opening = (self.pick(LEXICON.times[frame, self.between(1, 3)]), COMMA)
                self.dated = True
            parts += opening
            m -= sum(len(phrase.english) for phrase in opening)
        fronted = m >= 9 and self.chance(0.2)
        if fronted:
            joint = self.pick(SUBORDINATE[frame])
            size = self.between(3, min(9, m - len(joint.english) - 4))
            parts += [joint, self.clause(size, self.frame_after(joint, frame)), COMMA]
            m -= size + len(joint.english) + 1
        main = True
        while True:
            if m <= 7 or (m <= 14 and self.chance(0.5)):
                exists = main and m >= 6 and self.chance(0.06)
                return [*parts, self.existence(m, frame) if exists else self.clause(m, frame)]
            joint = self.pick(JOINTS if fronted or self.chance(0.5) else SUBORDINATE[frame])
            fronted = False
            size = self.between(3, min(12, m - len(joint.english) - 3))
            parts += [self.clause(size, frame), joint]
            m -= size + len(joint.english)
            main = joint in JOINTS
            if joint is SEMICOLON:
                self.last, self.dated, frame = None, False, self.pick(("present", "past", "future"))
            elif not main:
                if m <= 12:
                    return [*parts, self.clause(m, self.frame_after(joint, frame))]
                size = self.between(3, min(10, m - 5))
                after = self.pick(JOINTS)
                parts += [self.clause(size, self.frame_after(joint, frame)), after]
                m -= size + len(after.english)
                main = True

    @staticmethod
    def frame_after(joint: Phrase, frame: str) -> str:
        """*if* is followed by the present where the main clause is in the future."""
        return "present" if joint in (IF, EVEN_IF) and frame == "future" else frame

    def clause(self, n: int, frame: str, depth: int = 0) -> Clause:
        """A clause of ``n`` words, at least 2."""
        before = self.last
        for _ in range(30):
            self.last = before
            try:
                longest = min(n - (2 if frame == "future" else 1), 3 if n < 8 else 4 if n < 10 else 7)
                if longest < 1:
                    raise Misfit
                known = before is not None and self.chance(0.35)
                size = 1 if known else self.between(1, longest)
                subject, kind = self.last = self.subject(size, KINDS)
                return Clause(subject, self.predicate(n - size, subject, kind, frame, depth))
            except Misfit:
                continue
        raise Misfit

    def subject(self, n: int, kinds: tuple[str, ...], fresh: bool = False) -> tuple[Nominal, str]:
        """A subject of ``n`` words and its kind; ``fresh`` excludes *it* and *they*."""
        if n > 1:
            kind = self.pick(kinds)
            return self.noun_phrase(n, kind, "subject", 1, plain=n < 4), kind
        if self.last is not None and not fresh and self.chance(0.75):
            last, kind = self.last
            if last.person == 4:
                return THEY[last.agreement % 2], kind
            if last.person == 1:
                if kind in PEOPLE:
                    return (SHE if last.agreement else HE), kind
                return IT[last.agreement], kind
        if self.chance(0.55):
            return self.pick(SPEAKERS), "person"
        return self.noun_phrase(1, "person", "subject", 1), "person"

    def existence(self, n: int, frame: str) -> Existence:
        """*there is a cat in the garden*: ``n`` words, at least 6."""
        kind = self.pick(("person", "animal", "thing", "text", "food"))
        size = self.between(2, min(4, n - 5))
        noun_phrase = self.noun_phrase(size, kind, "new", 2, plain=True)
        self.last = None
        return Existence(noun_phrase, self.place(n - 2 - size, 1, False), past=frame == "past")

    def relative(self, m: int, phrase: NounPhrase, depth: int) -> Agreeing:
        """A relative clause of ``m`` words, at least 2, in the present or the past."""
        kind = phrase.noun.kind
        people = kind in PEOPLE
        frame = self.pick(("present", "past"))
        draw = self.random()
        if m >= 3 and draw < 0.4 and DONE_TO[kind]:
            return self.object_relative(m, kind, frame)
        if m >= 3 and people and draw < 0.55:
            owned = NounPhrase(self.pick(LEXICON.nouns["kin"]), LEXICON.determiners["whose"], self.chance(0.3))
            return OwnerRelative(owned, self.predicate(m - 2, owned, "kin", frame, depth + 1))
        if kind in ("place", "goal", "town") and m >= 3:
            return self.place_relative(m, frame)
        return Together(WHO if people else THAT, self.predicate(m - 1, phrase, kind, frame, depth + 1))

    def object_relative(self, m: int, kind: str, frame: str) -> ObjectRelative:
        verb = self.pick(DONE_TO[kind])
        room = m - 2 - len(verb.particle)
        if not 1 <= room <= 5:
            raise Misfit
        subject, _ = self.subject(room, PEOPLE, fresh=True)
        if not self.conjugates(verb, subject.person, frame):
            raise Misfit
        return ObjectRelative(WHOM if kind in PEOPLE else THAT_OBJECT, subject, VerbGroup(verb, frame))

    def place_relative(self, m: int, frame: str) -> Together:
        size = self.between(1, min(4, m - 2))
        subject, kind = self.subject(size, PEOPLE, fresh=True)
        verb = self.pick(HAPPENS)
        rest = m - 1 - size
        group, cost = self.group(verb, subject, kind, frame, rest)
        return Together(WHERE, Clause(subject, VerbPhrase(group, adjuncts=self.adjuncts(rest - cost, frame, 2, True))))
