import pytest
import torch

from seq2seq.attention import masked_softmax
from seq2seq.losses.penalties import doubly_stochastic_penalty

BATCH, TARGET_LEN, SOURCE_LEN = 2, 4, 5
SOURCE_MASK = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
TARGET_MASK = torch.tensor([[True] * 4, [True] * 2 + [False] * 2])


@pytest.fixture
def weights():
    scores = torch.randn(BATCH, TARGET_LEN, SOURCE_LEN, dtype=torch.float64)
    return masked_softmax(scores, SOURCE_MASK.unsqueeze(1)).requires_grad_()


def looped(weights):
    penalties = []
    for row in range(BATCH):
        penalty = 0.0
        for i in range(int(SOURCE_MASK[row].sum())):
            penalty += (1 - sum(weights[row, t, i] for t in range(int(TARGET_MASK[row].sum())))) ** 2
        penalties.append(penalty)
    return torch.stack(penalties)


def test_the_penalty_is_that_of_a_loop(weights):
    torch.testing.assert_close(doubly_stochastic_penalty(weights, SOURCE_MASK, TARGET_MASK), looped(weights))


def test_its_gradient_is_right(weights):
    assert torch.autograd.gradcheck(lambda w: doubly_stochastic_penalty(w, SOURCE_MASK, TARGET_MASK), weights)
