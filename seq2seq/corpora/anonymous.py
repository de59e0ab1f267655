"""Anonymised stories: names and places become markers (Hermann et al., 2015, section 2.2).

In each story every person and every place gets a random marker, so that a marker means nothing outside its story.
So answers require reading: they cannot be known, or guessed from how often a place is one.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from seq2seq.corpora.stories import PEOPLE, PLACES, Story, padded, story_vocabulary
from seq2seq.guards import check_some
from seq2seq.vocab import SPECIALS, Vocabulary

MARKERS = tuple(f"@{number}" for number in range(len(PEOPLE) + len(PLACES)))


class Readings(NamedTuple):
    """Stories, each as one sequence of words.

    Shape:
        text: (batch, words), ids, PAD after the end
        text_lengths: (batch,)
        question: (batch, question_words), ids, PAD after the end
        question_lengths: (batch,)
        answers: (batch,), ids
        support: (batch, words), bool, True = a word of a sentence that the answer follows from
    """

    text: Tensor
    text_lengths: Tensor
    question: Tensor
    question_lengths: Tensor
    answers: Tensor
    support: Tensor


def reading_vocabulary() -> Vocabulary:
    """The words of the stories other than names, and the markers."""
    named = {*PEOPLE, *PLACES}
    words = [word for word in story_vocabulary().tokens[len(SPECIALS) :] if word not in named]
    return Vocabulary([*words, *MARKERS])


def anonymous(stories: Sequence[Story], seed: int) -> list[Story]:
    """Each story with its people and places replaced by freshly drawn markers."""
    rng = Random(seed)
    return [
        _renamed(story, dict(zip((*PEOPLE, *PLACES), rng.sample(MARKERS, len(MARKERS)), strict=True)))
        for story in stories
    ]


def readings(stories: Sequence[Story], vocab: Vocabulary) -> Readings:
    """Stories → one batch, in the order given.

    Raises:
        ValueError: there is no story.
    """
    check_some("stories", stories)
    texts = [[word for sentence in story.sentences for word in sentence] for story in stories]
    questions = [story.question for story in stories]
    supports = [
        torch.tensor([number in story.support for number, sentence in enumerate(story.sentences) for _ in sentence])
        for story in stories
    ]
    return Readings(
        padded(texts, vocab),
        torch.tensor([len(text) for text in texts]),
        padded(questions, vocab),
        torch.tensor([len(question) for question in questions]),
        torch.tensor(vocab.encode(story.answer for story in stories)),
        pad_sequence(supports, batch_first=True),
    )


def _renamed(story: Story, markers: dict[str, str]) -> Story:
    def rename(words: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(markers.get(word, word) for word in words)

    sentences = tuple(map(rename, story.sentences))
    return Story(sentences, rename(story.question), markers[story.answer], story.support)
