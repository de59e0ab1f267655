"""The parts of the experiments on feeding, on scheduled sampling and on alignment both ways, by hand."""

import pytest
import torch

from seq2seq.experiments import both_ways, feeding, improper
from seq2seq.vocab import EOS, PAD


def test_a_look_counts_only_while_words_are_said():
    weights = torch.tensor([[[0.9, 0.1], [0.8, 0.2], [0.0, 1.0], [0.5, 0.5]]])
    ids = torch.tensor([[7, 8, EOS, PAD]])
    torch.testing.assert_close(feeding.looks(weights, ids), torch.tensor([[1.7, 0.3]]))


def test_the_mixture_is_right_for_gold_words_alone_and_deaf_for_none():
    uniform = [0.25] * 4
    assert improper.divergence(uniform, improper.predicted(1.0, 0.85), 0.85) == pytest.approx(0.0)
    assert improper.predicted(0.0, 0.85)["a"] == pytest.approx(uniform)
    assert improper.predicted(0.5, 0.85)["b"][1] == pytest.approx(0.55)


def test_ways_of_joining_two_directions():
    forwards = torch.tensor([[0.6, 0.4], [0.2, 0.8]])
    backwards = torch.tensor([[0.1, 0.9], [0.9, 0.1]])  # source word 0 to target word 1, source word 1 to target word 0
    found = both_ways.links(forwards, backwards)
    assert found["forwards"] == {(0, 0), (1, 1)}
    assert found["backwards"] == {(0, 1), (1, 0)}
    assert found["both"] == frozenset()
    assert found["either"] == found["forwards"] | found["backwards"]
    assert found["product"] == found["mean"] == {(1, 0), (0, 1)}
