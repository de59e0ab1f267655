"""Which mistakes the class made: messages that differ in numbers, shapes and cases alone are one mistake."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

UNWRITTEN = "not written yet"
NUMBER = r"[-−+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\b(?:nan|inf)\b"


@dataclass(frozen=True)
class Mistake:
    """One diagnosis, and who was given it."""

    diagnosis: str
    example: str  # one whole message
    students: tuple[str, ...]  # by name

    @property
    def count(self) -> int:
        return len(self.students)


def grouped(messages: Iterable[tuple[str, str]]) -> list[Mistake]:
    """Pairs of student and message → mistakes, the most frequent first; each student counts once."""
    groups: dict[str, dict[str, str]] = {}
    for student, message in messages:
        if message:
            groups.setdefault(diagnosis(message), {}).setdefault(student, message)
    found = [Mistake(name, next(iter(who.values())), tuple(sorted(who))) for name, who in groups.items()]
    return sorted(found, key=lambda mistake: (-mistake.count, mistake.diagnosis))


def diagnosis(message: str) -> str:
    """What is wrong, without the numbers that differ from one learner to the next.

    A message of a check reads ``what (case): got, expected …; why``: the why is the diagnosis where there is one.
    Of an exception it is the class and the text, without the line and the arguments.
    """
    text = " ".join(message.split())
    what, _, said = text.partition(": ")
    if not said:
        return abstract(text)
    if said.rstrip(".") == UNWRITTEN:
        return UNWRITTEN
    if said.startswith("raised "):
        return abstract(re.split(r", at your line `|; it was given ", said)[0])
    _, _, why = said.partition("; ")
    if why:
        return abstract(why)
    return abstract(f"{re.sub(r' [(][^()]*[)]', '', what)}: {said}")


def abstract(text: str) -> str:
    """The text with … for every number, and for every list or shape that is made of numbers."""
    text = re.sub(r"<ipython-input-[^>]*>", "the cell", text)
    text = re.sub(rf"(?<![\w.])(?:{NUMBER})(?![\w])", "…", text)
    text = re.sub(r"([(\[])(?:\w+=)?…(?:, ?(?:\w+=)?…)*,?([)\]])", r"\1…\2", text)
    return text.rstrip(".").strip()
