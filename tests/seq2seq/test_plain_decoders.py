"""The plain unrolls are loops over the steps that they are given, and project the keys once."""

import torch
from small_models import assert_same, randomise

from seq2seq.decoders.decoder import Memory
from seq2seq.decoders.plain_bahdanau import BahdanauStep, unroll
from seq2seq.decoders.plain_luong import InputFeedingStep, unroll_feeding
from seq2seq.exercises.toy_steps import FeedingToyStep, ToyStep

EMBEDDING, HIDDEN, ENCODER = 3, 4, 6
MASK = torch.arange(5) < torch.tensor([[5], [2], [1]])


def given():
    return [torch.randn(3, *shape, dtype=torch.float64) for shape in ((7, EMBEDDING), (HIDDEN,), (5, ENCODER))]


def stacked(steps):
    return [torch.stack(parts, 1) for parts in zip(*steps, strict=True)]


def test_the_unroll_is_a_loop_over_steps():
    (words, state, values), step, expected = given(), randomise(BahdanauStep(EMBEDDING, HIDDEN, ENCODER, 5)), []
    memory = Memory(step.project_keys(values), values, MASK)  # in the order of a step's arguments
    ours = unroll(step, words, state, values, MASK)
    for word in words.unbind(1):
        expected.append(step(word, state, *memory))
        state = expected[-1][0]
    assert_same(ours, stacked(expected))


def test_the_unroll_with_feeding_starts_from_zeros_and_feeds_the_attentional_state():
    (words, state, values), step, expected = given(), randomise(InputFeedingStep(EMBEDDING, HIDDEN, ENCODER)), []
    fed, memory = torch.zeros_like(state), Memory(step.project_keys(values), values, MASK)
    ours = unroll_feeding(step, words, state, values, MASK)
    for word in words.unbind(1):
        fed, weights, state = step(word, fed, state, *memory)
        expected.append((fed, weights))
    assert_same(ours, stacked(expected))


def test_keys_are_projected_once():
    words, state, values = (part.float() for part in given())
    step, feeding = (kind(EMBEDDING, HIDDEN, ENCODER) for kind in (ToyStep, FeedingToyStep))
    unroll(step, words, state, values, MASK)
    unroll_feeding(feeding, words, state, values, MASK)
    assert (int(step.projections), int(feeding.projections)) == (1, 1)
