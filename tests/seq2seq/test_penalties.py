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


def test_one_look_at_every_position_costs_nothing():
    weights = torch.eye(4)[[2, 0, 3, 1]].unsqueeze(0)
    everything = torch.ones(1, 4, dtype=torch.bool)
    assert doubly_stochastic_penalty(weights, everything, everything).tolist() == [0]


def test_looking_everywhere_equally_costs_the_least_there_is():
    steps, positions = 3, 7
    weights = torch.full((1, steps, positions), 1 / positions)
    masks = torch.ones(1, positions, dtype=torch.bool), torch.ones(1, steps, dtype=torch.bool)
    least = positions * (1 - steps / positions) ** 2
    assert doubly_stochastic_penalty(weights, *masks).item() == pytest.approx(least)
    drawn = torch.softmax(torch.randn(1, steps, positions), -1)
    assert doubly_stochastic_penalty(drawn, *masks).item() > least


def test_what_lies_in_the_padding_does_not_matter(weights):
    rubbish = weights.detach().clone()
    rubbish[1, 2:] = 7.0
    rubbish[1, :2, 3:] = 7.0
    ours, other = (doubly_stochastic_penalty(each, SOURCE_MASK, TARGET_MASK) for each in (weights, rubbish))
    torch.testing.assert_close(ours, other)


def test_a_row_without_positions_costs_nothing_and_gives_no_nan(weights):
    nowhere = SOURCE_MASK & torch.tensor([[True], [False]])
    penalty = doubly_stochastic_penalty(weights, nowhere, TARGET_MASK)
    penalty.sum().backward()
    assert penalty[1].item() == 0
    assert weights.grad.isfinite().all()


def test_swapped_masks_are_refused(weights):
    with pytest.raises(ValueError, match="swapped"):
        doubly_stochastic_penalty(weights, TARGET_MASK, SOURCE_MASK)


@pytest.mark.cuda
def test_gpu_and_cpu_agree(weights):
    gpu = doubly_stochastic_penalty(weights.cuda(), SOURCE_MASK.cuda(), TARGET_MASK.cuda())
    torch.testing.assert_close(gpu.cpu(), doubly_stochastic_penalty(weights, SOURCE_MASK, TARGET_MASK))
