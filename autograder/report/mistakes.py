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
    """Pairs of student and message → mistakes, the most frequent first; each student counts once.

    Messages with the same :func:`diagnosis` are one mistake.
    """
    return _groups([(student, message, essence(message)) for student, message in messages if message])


def grouped_notes(notes: Iterable[tuple[str, str]]) -> list[Mistake]:
    """The same for notes, which are whole sentences."""
    return _groups([(student, note, note) for student, note in notes])


def _groups(said: list[tuple[str, str, str]]) -> list[Mistake]:
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for one in said:
        groups.setdefault(abstract(one[2]), []).append(one)
    found = []
    for name, members in groups.items():
        literal = {text for _, _, text in members}
        name = literal.pop().rstrip(".") if len(literal) == 1 else name  # nothing differs, so nothing need be left out
        found.append(Mistake(name, members[0][1], tuple(sorted({student for student, _, _ in members}))))
    return sorted(found, key=lambda mistake: (-mistake.count, mistake.diagnosis))


def diagnosis(message: str) -> str:
    """What is wrong, without the numbers that differ from one learner to the next."""
    return abstract(essence(message))


def essence(message: str) -> str:
    """The part of a message that says what is wrong.

    A message of a check reads ``what (case): got, expected …; why``: it is the why where there is one.
    Of an exception it is the class and the text, without the line and the arguments.
    """
    text = re.sub(r"<ipython-input-[^>]*>", "the cell", " ".join(message.split()))
    text = re.sub(r"^[^:]*: not tried again: ", "", text)
    what, _, said = text.partition(": ")
    if not said:
        return text
    if said.rstrip(".") == UNWRITTEN:
        return UNWRITTEN
    if said.startswith("raised "):
        return re.split(r", at your line `|; it was given ", said)[0]
    _, _, why = said.partition("; ")
    return why or f"{re.sub(r' [(][^()]*[)]', '', what)}: {said}"


def abstract(text: str) -> str:
    """The text with … for every number, and for every list or shape that is made of numbers."""
    text = re.sub(rf"(?<![\w.])(?:{NUMBER})(?![\w])", "…", text)
    text = re.sub(r"([(\[])(?:\w+=)?…(?:, ?(?:\w+=)?…)*,?([)\]])", r"\1…\2", text)
    return text.rstrip(".").strip()
