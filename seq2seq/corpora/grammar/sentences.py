"""Randomly drawn sentences of exactly the requested number of English words."""

from __future__ import annotations

from random import Random

from seq2seq.corpora.grammar import function_words as f
from seq2seq.corpora.grammar.clause import Clause, Existence, Sentence
from seq2seq.corpora.grammar.draw import Misfit
from seq2seq.corpora.grammar.elision import surface
from seq2seq.corpora.grammar.noun_phrase import Nominal
from seq2seq.corpora.grammar.phrases import PEOPLE
from seq2seq.corpora.grammar.relatives import Relatives
from seq2seq.corpora.grammar.writer import Writer
from seq2seq.corpora.pair import Pair

KINDS = (
    *("person",) * 9,
    *("kin",) * 4,
    *("animal",) * 3,
    *("body",) * 4,
    *("theme",) * 3,
    "trouble",
    *("thing", "text", "vehicle", "food", "clothes", "place", "town", "goal", "part", "event"),
)
SPEAKERS = (f.SPEAKER, f.SPEAKER, f.WE, f.YOU, f.HE, f.SHE)
WHOLE = {"present": (f.BECAUSE, f.BECAUSE, f.WHEN, f.IF, f.EVEN_IF), "past": (f.BECAUSE, f.BECAUSE, f.WHEN)}
WHOLE["future"] = (f.BECAUSE, f.IF, f.IF, f.EVEN_IF)
JOINTS = (f.AND,) * 4 + (f.BUT,) * 3 + (f.SO, f.SEMICOLON, f.SEMICOLON)


class Sentences(Relatives):
    """Draws sentences; remembers the last subject, to which *it* and *they* refer."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.last: tuple[Nominal, str] | None = None

    def sentence(self, n: int) -> Sentence:
        """A sentence of ``n`` English words and punctuation marks, at least 3."""
        for _ in range(1000):
            self.last, self.dated = None, False
            try:
                return Sentence([*self.parts(n - 1), f.FULL_STOP])
            except Misfit:
                continue
        raise ValueError(f"length: no sentence of {n} words was found, expected at least 3 (paul sleeps .).")

    def parts(self, m: int) -> list[Clause | Existence | f.Phrase]:
        """Clauses and connectives of ``m`` words."""
        frame = self.pick(("present", "present", "past", "past", "future"))
        opening: tuple[f.Phrase, ...] = ()
        if m >= 7 and self.chance(0.2):
            opening = (self.pick(f.OPENINGS),)
            if self.chance(0.5):
                opening = (self.pick(f.TIMES[frame][self.between(1, 3)]), f.COMMA)
                self.dated = True
            m -= sum(len(part.english) for part in opening)
        parts: list[Clause | Existence | f.Phrase] = [*opening]
        fronted = m >= 9 and self.chance(0.2)
        if fronted:
            joint = self.pick(WHOLE[frame])
            size = self.between(3, min(9, m - len(joint.english) - 4))
            parts += [joint, self.clause(size, self.frame_after(joint, frame)), f.COMMA]
            m -= size + len(joint.english) + 1
        main = True
        while True:
            if m <= 7 or (m <= 14 and self.chance(0.5)):
                parts.append(self.existence(m, frame) if main and m >= 6 and self.chance(0.06) else self.main(m, frame))
                return parts
            joint = self.pick(JOINTS if fronted or self.chance(0.5) else WHOLE[frame])
            fronted = False
            size = self.between(3, min(12, m - len(joint.english) - 3))
            parts += [self.main(size, frame), joint]
            m -= size + len(joint.english)
            main = joint in JOINTS
            if joint is f.SEMICOLON:
                self.last, self.dated, frame = None, False, self.pick(("present", "past", "future"))
            elif not main:
                if m <= 12:
                    parts.append(self.clause(m, self.frame_after(joint, frame)))
                    return parts
                size = self.between(3, min(10, m - 5))
                after = self.pick(JOINTS)
                parts += [self.clause(size, self.frame_after(joint, frame)), after]
                m -= size + len(after.english)
                main = True

    @staticmethod
    def frame_after(joint: f.Phrase, frame: str) -> str:
        """*if* is followed by the present where the main clause is in the future."""
        return "present" if joint in (f.IF, f.EVEN_IF) and frame == "future" else frame

    def main(self, n: int, frame: str) -> Clause:
        return self.clause(n, frame)

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
                subject, kind = self.subject(1 if known else self.between(1, longest), KINDS)
                self.last = (subject, kind)
                size = n - self.subject_length
                return Clause(subject, self.predicate(size, subject, kind, frame, depth))
            except Misfit:
                continue
        raise Misfit

    def subject(self, n: int, kinds: tuple[str, ...], fresh: bool = False) -> tuple[Nominal, str]:
        """A subject of ``n`` words and its kind; ``fresh`` excludes *it* and *they*."""
        if not fresh:
            self.subject_length = n
        if n > 1:
            length = self.subject_length
            kind = self.pick(kinds)
            phrase = self.noun_phrase(n, kind, "subject", 1, plain=n < 4)
            self.subject_length = length
            return phrase, kind
        if self.last is not None and not fresh and self.chance(0.75):
            last, kind = self.last
            if last.person == 4:
                return f.THEY[last.agreement % 2], kind
            if last.person == 1:
                if kind in PEOPLE:
                    return (f.SHE if last.agreement else f.HE), kind
                return f.IT[last.agreement], kind
        if self.chance(0.55):
            return self.pick(SPEAKERS), "person"
        return self.noun_phrase(1, "person", "subject", 1), "person"

    def existence(self, n: int, frame: str) -> Existence:
        """*there is a cat in the garden*: ``n`` words, at least 6."""
        kind = self.pick(("person", "animal", "thing", "text", "food"))
        size = self.between(2, min(4, n - 5))
        found = self.noun_phrase(size, kind, "new", 2, plain=True)
        self.last = None
        return Existence(found, self.place(n - 2 - size, 1, False), past=frame == "past")


def pair(sentence: Sentence) -> Pair:
    """The sentence in English and in French, with its links."""
    writer = Writer()
    french = surface(sentence.say(writer))
    links = frozenset((source, target) for target, (_, sources) in enumerate(french) for source in sources)
    return Pair(tuple(writer.source), tuple(form for form, _ in french), links)
