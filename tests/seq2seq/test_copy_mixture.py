"""The plain form of the pointer's mixture, against the one that the decoder uses."""

import torch

from seq2seq.beyond.copy_mixture import copy_distribution, mixture
from seq2seq.decoders.pointer import PointerSteps, final_distribution


def test_the_plain_form_equals_the_decoders():
    draw = torch.Generator().manual_seed(0)
    logits, generate = torch.randn(3, 7, generator=draw), torch.rand(3, generator=draw)
    weights = torch.randn(3, 6, generator=draw).softmax(-1)
    source = torch.randint(0, 10, (3, 6), generator=draw)
    plain = mixture(logits.softmax(-1), copy_distribution(weights, source, 10), generate)
    expected = final_distribution(PointerSteps(logits, weights, generate), source, 10)
    assert torch.allclose(plain, expected, atol=1e-6)


def test_a_word_gets_the_weights_of_all_its_places():
    weights = torch.tensor([[0.5, 0.3, 0.2]])
    assert copy_distribution(weights, torch.tensor([[4, 1, 4]]), 5).tolist() == [
        [0.0, torch.tensor(0.3).item(), 0.0, 0.0, torch.tensor(0.7).item()]
    ]


def test_the_two_ends_of_the_gate():
    generated, copied = torch.tensor([[0.25, 0.75]]), torch.tensor([[0.0, 0.5, 0.5]])
    assert mixture(generated, copied, torch.ones(1)).tolist() == [[0.25, 0.75, 0.0]]
    assert mixture(generated, copied, torch.zeros(1)).tolist() == copied.tolist()
