"""Short stories with a question, modelled on the first two bAbI tasks (Weston et al., 2015, section 3).

People walk from place to place; in the harder task they also pick things up and put them down.
A story records the sentences from which its answer follows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from seq2seq.corpora.ranges import check_range
from seq2seq.guards import check_at_least, check_some
from seq2seq.vocab import PAD, Vocabulary

PEOPLE = ("nora", "emil", "ines", "viktor")
PLACES = ("cellar", "attic", "barn", "orchard", "library", "bakery")
THINGS = ("lantern", "violin", "map")
_WALKS = ("walks to the", "goes into the", "runs to the", "comes back to the")
_TAKES = ("picks up the", "takes the", "grabs the")
_LEAVES = ("puts down the", "leaves the", "drops the")


@dataclass(frozen=True, slots=True)
class Story:
    """Sentences, a question, its one-word answer, and the indices of the sentences it follows from, in order."""

    sentences: tuple[tuple[str, ...], ...]
    question: tuple[str, ...]
    answer: str
    support: tuple[int, ...]


class StoryTensors(NamedTuple):
    """Stories as tensors.

    Shape:
        story: (batch, sentences, words), ids, PAD after the end of a sentence, sentences of PAD after the last
        question: (batch, words), ids, PAD after the end
        answers: (batch,), ids
        support: (batch, sentences), bool, True = the answer follows from this sentence
    """

    story: Tensor
    question: Tensor
    answers: Tensor
    support: Tensor


def where_is_the_person(size: int, seed: int, lengths: tuple[int, int] = (2, 10)) -> list[Story]:
    """People walk about; where is one of them? The last sentence about this person says it.

    `lengths` is the range of the number of sentences, both ends included.
    The same seed gives the same stories; they may repeat.

    Raises:
        ValueError: the size is below 0, or the lengths are not 1 <= shortest <= longest.
    """
    rng = Random(seed)
    return [_person_story(rng, length) for length in _draw_lengths(rng, size, lengths, least=1)]


def where_is_the_thing(size: int, seed: int, lengths: tuple[int, int] = (3, 15)) -> list[Story]:
    """People walk about with things; where is one of these? Two sentences say it.

    They are the last about the thing, and the last that says where its bearer went before putting it down, or the last
    of all if it was not put down.

    Raises:
        ValueError: the size is below 0, or the lengths are not 2 <= shortest <= longest.
    """
    rng = Random(seed)
    return [_thing_story(rng, length) for length in _draw_lengths(rng, size, lengths, least=2)]


def story_vocabulary() -> Vocabulary:
    """Every word of every story, in alphabetical order."""
    phrases = " ".join((*_WALKS, *_TAKES, *_LEAVES, "where is the"))
    return Vocabulary(sorted({*phrases.split(), *PEOPLE, *PLACES, *THINGS}))


def story_tensors(stories: Sequence[Story], vocab: Vocabulary) -> StoryTensors:
    """Stories → one batch, in the order given.

    Raises:
        ValueError: there is no story.
    """
    check_some("stories", stories)
    longest = max(len(story.sentences) for story in stories)
    sentences = [
        sentence for story in stories for sentence in (*story.sentences, *[()] * (longest - len(story.sentences)))
    ]
    support = torch.zeros(len(stories), longest, dtype=torch.bool)
    for row, story in enumerate(stories):
        support[row, list(story.support)] = True
    return StoryTensors(
        padded(sentences, vocab).unflatten(0, (len(stories), longest)),
        padded([story.question for story in stories], vocab),
        torch.tensor(vocab.encode(story.answer for story in stories)),
        support,
    )


def padded(rows: Sequence[Sequence[str]], vocab: Vocabulary) -> Tensor:
    """The ids of rows of words, PAD after the end of each: (rows, words)."""
    ids = [torch.tensor(vocab.encode(row), dtype=torch.long) for row in rows]
    return pad_sequence(ids, batch_first=True, padding_value=PAD)


def _draw_lengths(rng: Random, size: int, lengths: tuple[int, int], least: int) -> list[int]:
    check_at_least("size", size, 0)
    check_range("lengths", lengths, least, f"because the answer follows from {least} of the sentences")
    return [rng.randint(*lengths) for _ in range(size)]


class _World:
    """Who is where and who has what, and the sentence that says so."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.sentences: list[tuple[str, ...]] = []
        self.place: dict[str, tuple[str, int]] = {}  # of a person: the place, and the sentence of the walk
        self.bearer: dict[str, tuple[str, int]] = {}  # of a thing that is carried: the person, and the sentence
        self.left: dict[str, tuple[str, tuple[int, int]]] = {}  # of a thing put down: the place, and both sentences

    def tell(self, person: str, phrases: tuple[str, ...], noun: str) -> int:
        self.sentences.append((person, *self.rng.choice(phrases).split(), noun))
        return len(self.sentences) - 1

    def walk(self) -> None:
        person = self.rng.choice(PEOPLE)
        start, _ = self.place.get(person, (None, 0))
        place = self.rng.choice([place for place in PLACES if place != start])
        self.place[person] = place, self.tell(person, _WALKS, place)

    def within_reach(self) -> list[tuple[str, str]]:
        """Who could take what: a thing not mentioned yet may be anywhere."""
        return [
            (person, thing)
            for person, (place, _) in self.place.items()
            for thing in THINGS
            if thing not in self.bearer and (thing not in self.left or self.left[thing][0] == place)
        ]

    def take(self) -> None:
        person, thing = self.rng.choice(self.within_reach())
        self.left.pop(thing, None)
        self.bearer[thing] = person, self.tell(person, _TAKES, thing)

    def leave(self) -> None:
        thing = self.rng.choice(sorted(self.bearer))
        person, _ = self.bearer.pop(thing)
        place, walk = self.place[person]
        self.left[thing] = place, (walk, self.tell(person, _LEAVES, thing))

    def find(self, thing: str) -> tuple[str, tuple[int, int]]:
        """Where a thing is, and the two sentences that say so."""
        if thing in self.left:
            return self.left[thing]
        person, taken = self.bearer[thing]
        place, walk = self.place[person]
        return place, (min(taken, walk), max(taken, walk))


def _person_story(rng: Random, length: int) -> Story:
    world = _World(rng)
    for _ in range(length):
        world.walk()
    person = rng.choice(sorted(world.place))
    place, walk = world.place[person]
    return Story(tuple(world.sentences), ("where", "is", person), place, (walk,))


def _thing_story(rng: Random, length: int) -> Story:
    world = _World(rng)
    for number in range(length):
        known = world.bearer or world.left
        acts = [world.walk] if not world.place or (known or number < length - 1) else []
        if world.within_reach():
            acts.append(world.take)
        if world.bearer:
            acts.append(world.leave)
        rng.choice(acts)()
    thing = rng.choice(sorted(world.bearer | world.left))
    place, support = world.find(thing)
    return Story(tuple(world.sentences), ("where", "is", "the", thing), place, support)
