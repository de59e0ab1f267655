"""Parts of speech, as the lexicon holds them, and the sentence that they are written into.

Persons are numbered je 0, il/elle 1, nous 2, vous 3, ils/elles 4; agreement is 0 m, 1 f, 2 m plural, 3 f plural.
``marks`` are those of ``lexicon.tsv``, which explains them.
"""

from dataclasses import dataclass

from seq2seq.corpora.grammar.morphology import Paradigm, Token, Words

Marks = frozenset[str]
Links = tuple[int, ...]


class Writer:
    """Collects the English words; ``say`` returns the positions of words, to which French words then link."""

    __slots__ = ("source",)

    def __init__(self) -> None:
        self.source: list[str] = []

    def say(self, *words: str) -> Links:
        start = len(self.source)
        self.source.extend(words)
        return tuple(range(start, start + len(words)))


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun; ``english`` and ``french`` hold the singular and the plural, each a tuple of words."""

    english: tuple[Words, Words]
    french: tuple[Words, Words]
    kind: str
    marks: Marks
    feminine: bool


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective; ``french`` has a form for each agreement.

    ``before``: it precedes its noun; ``junction`` is its underlying m form there (beau / bel).
    """

    english: str
    comparative: str
    french: Words
    before: bool
    junction: str
    marks: Marks


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb; ``particle`` are English words after it, ``tail`` French ones (*besoin*).

    ``preposition`` is the underlying French one before the object.
    """

    english: Words  # see, sees, saw, seeing, seen
    particle: Words
    french: Paradigm
    tail: Words
    reflexive: bool
    preposition: str
    subjects: Words
    frame: str
    objects: Words
    marks: Marks

    @property
    def progressive(self) -> bool:
        return not self.marks & {"state", "still"}

    @property
    def takes_pronoun(self) -> bool:
        return "only" not in self.marks and self.frame in {"object", "gift", "à"}


@dataclass(frozen=True, slots=True)
class Determiner:
    """A word that begins a noun phrase; ``french`` has underlying forms for each agreement.

    Each French word is linked to the English word at the same index, or to all if the counts differ.
    """

    english: Words
    french: tuple[Words, ...]
    marks: Marks


@dataclass(frozen=True, slots=True)
class Pronoun:
    """A pronoun; ``french`` is its subject form, or its direct object form before the verb beside the indirect one."""

    english: str
    person: int
    agreement: int
    french: str
    indirect: str = ""

    def say(self, writer: Writer, noun: object = None, negated: bool = False) -> list[Token]:
        return [(self.french, writer.say(self.english))]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A fixed expression with its links: *two days ago* becomes *il y a deux jours*."""

    english: Words
    french: Words
    links: tuple[Links, ...]

    def say(self, writer: Writer, noun: object = None) -> list[Token]:
        at = writer.say(*self.english)
        return [(form, tuple(at[i] for i in links)) for form, links in zip(self.french, self.links, strict=True)]


@dataclass(frozen=True, slots=True)
class Usage:
    """How a verb may be used in a sentence of one tense; ``cost`` is its number of English words."""

    cost: int
    tense: str
    negation: str
    modal: str
    chained: bool
    adverb: bool
