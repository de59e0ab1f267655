"""The summariser of Rush et al.: the smoothing of its source."""

import torch

from seq2seq.beyond.summariser import (
    smooth,
)


def test_smoothing_is_the_mean_of_the_window_with_zeros_beyond_the_ends():
    states = torch.tensor([[1.0, 10.0, 100.0, 1000.0], [1.0, 10.0, 7.0, 7.0]]).unsqueeze(-1)
    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    smoothed = smooth(states, mask, 1).squeeze(-1)
    torch.testing.assert_close(3 * smoothed[0], torch.tensor([11.0, 111.0, 1110.0, 1100.0]))
    torch.testing.assert_close(3 * smoothed[1, :2], torch.tensor([11.0, 11.0]))


def test_a_window_wider_than_the_sentence_takes_all_of_it():
    states = torch.randn(1, 3, 2)
    everything = states.sum(1, keepdim=True).expand(-1, 3, -1) / 11
    torch.testing.assert_close(smooth(states, torch.ones(1, 3, dtype=torch.bool), 5), everything)


def test_a_window_of_one_word_is_the_word():
    states = torch.randn(2, 5, 3)
    torch.testing.assert_close(smooth(states, torch.ones(2, 5, dtype=torch.bool), 0), states)
