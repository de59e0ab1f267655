"""Hard attention: the estimator against the sum over every position, and its relatives."""

import pytest
import torch

from seq2seq.attention import masked_softmax
from seq2seq.hard.attention import (
    best_choice,
    choice_at,
    entropy,
    expected_log_likelihood,
    gumbel_softmax,
    marginal_log_likelihood,
    masked_log_softmax,
    move_baseline,
    sample_choice,
    score_estimates,
    score_function_objective,
    straight_through,
    straight_through_gumbel,
)

ROWS, KEYS, DRAWS = 2, 5, 40_000
MASK = torch.tensor([[True] * 5, [True, False, True, True, False]])
NO_TOKEN = torch.tensor([[True] * 5, [False] * 5])
STANDARD_ERRORS = 5  # a right estimator fails one of 10 such comparisons about once in 170,000 seeds


@pytest.fixture
def scores():
    return torch.randn(ROWS, KEYS, dtype=torch.float64, requires_grad=True)


@pytest.fixture
def log_likelihoods():
    return (torch.randn(ROWS, KEYS, dtype=torch.float64) - 3).requires_grad_()


def test_a_baseline_near_the_mean_lowers_the_variance(scores, log_likelihoods):
    """And the baseline moves a tenth of the way to the mean, without a gradient."""
    weights, spreads = torch.softmax(scores, -1).detach(), []
    for baseline in (0.0, -3.0):
        rows = score_estimates(weights, log_likelihoods.detach(), baseline)
        off = rows - (weights.unsqueeze(-1) * rows).sum(1, keepdim=True)
        spreads.append((weights.unsqueeze(-1) * off.square()).sum())
    assert spreads[1] < spreads[0] / 3
    moved = move_baseline(torch.tensor(-2.0), torch.tensor([-1.0, -5.0], requires_grad=True))
    assert (moved.item(), moved.requires_grad) == (pytest.approx(-2.1), False)


def test_a_grid_of_numbers_chooses_each_position_as_often_as_its_weight(scores):
    weights = masked_softmax(scores, MASK)
    grid = (torch.arange(10_000, dtype=torch.float64) + 0.5) / 10_000
    choices = choice_at(weights.expand(10_000, ROWS, KEYS), grid.unsqueeze(1).expand(-1, ROWS))
    assert choices.sum(-1).eq(1).all()
    assert ((choices.mean(0) - weights).abs() <= 1 / 10_000).all()


def test_a_position_without_weight_is_not_chosen_at_either_end():
    weights = torch.tensor([[0.0, 0.3, 0.7, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 1 - 1e-6, 0.0, 0.0]])
    for number, chosen in ((0.0, 1), (1 - 2**-24, 2)):
        choices = choice_at(weights, torch.full((3,), number)).nonzero().tolist()
        assert choices == [[0, chosen], [2, 1]]


@pytest.mark.parametrize("baseline", [0.0, -3.0, 7.0])
@pytest.mark.parametrize("mask", [torch.ones_like(MASK), MASK], ids=["whole", "padded"])
def test_the_mean_gradient_of_the_objective_over_all_draws_is_the_exact_one(scores, log_likelihoods, baseline, mask):
    """The estimates are the gradients of single draws."""
    log_weights = masked_log_softmax(scores, mask)
    weights = log_weights.detach().exp() * mask
    rows, means = score_estimates(weights, log_likelihoods.detach(), baseline), [0, 0]
    for drawn in range(KEYS):
        objective = score_function_objective(log_likelihoods[:, drawn], log_weights[:, drawn], baseline)
        real = mask[:, drawn]
        estimated = torch.autograd.grad(objective[real].sum(), (scores, log_likelihoods), retain_graph=True)
        torch.testing.assert_close(estimated[0][real], rows[real, drawn])
        means = [mean + weights[:, drawn, None] * part for mean, part in zip(means, estimated, strict=True)]
    bound = expected_log_likelihood(log_weights, log_likelihoods)
    torch.testing.assert_close(tuple(means), torch.autograd.grad(bound.sum(), (scores, log_likelihoods)))


def test_the_bound_and_the_marginal_are_those_of_a_loop_over_positions_with_right_gradients(scores, log_likelihoods):
    weights = masked_softmax(scores, MASK)
    bound = [sum(weights[row, i] * log_likelihoods[row, i] for i in range(KEYS)) for row in range(ROWS)]
    marginal = [sum(weights[row, i] * log_likelihoods[row, i].exp() for i in range(KEYS)).log() for row in range(ROWS)]
    for objective, expected in ((expected_log_likelihood, bound), (marginal_log_likelihood, marginal)):

        def forward(scores, log_likelihoods, objective=objective):
            return objective(masked_log_softmax(scores, MASK), log_likelihoods)

        torch.testing.assert_close(forward(scores, log_likelihoods), torch.stack(expected))
        assert torch.autograd.gradcheck(forward, (scores, log_likelihoods))


def test_draws_come_as_often_as_the_weights_say_and_a_seed_repeats_them(scores):
    weights = masked_softmax(scores, MASK).detach()
    many = weights.expand(DRAWS, ROWS, KEYS)
    first, second = (sample_choice(many, torch.Generator().manual_seed(3)) for _ in range(2))
    assert first.equal(second)
    for choices in (first, straight_through_gumbel(scores.detach().expand_as(many), MASK)):
        error = (weights * (1 - weights) / DRAWS).sqrt()
        assert ((choices.mean(0) - weights).abs() <= STANDARD_ERRORS * error + 1e-12).all()


def test_the_best_choice_is_the_largest_weight_and_a_row_without_tokens_chooses_nothing(scores):
    weights = masked_softmax(scores, MASK)
    assert best_choice(weights).argmax(-1).equal(weights.argmax(-1))
    nowhere = masked_softmax(scores, NO_TOKEN)
    assert [choose(nowhere).sum(-1).tolist() for choose in (best_choice, sample_choice)] == [[1, 0], [1, 0]]


def test_the_entropy_of_equal_weights_is_the_log_of_the_real_positions_and_its_gradient_is_right(scores):
    torch.testing.assert_close(entropy(masked_log_softmax(scores * 0, MASK)), torch.tensor([5.0, 3.0]).double().log())
    assert torch.autograd.gradcheck(lambda scores: entropy(masked_log_softmax(scores, MASK)), scores)


def test_straight_through_draws_a_position_and_passes_the_gradient_of_the_weights(scores, log_likelihoods):
    weights = masked_softmax(scores, MASK)
    choice = straight_through(weights)
    torch.testing.assert_close(choice.sort(-1).values[:, -1], torch.ones(ROWS, dtype=torch.float64))
    (ours,) = torch.autograd.grad((choice * log_likelihoods).sum(), weights)
    torch.testing.assert_close(ours, log_likelihoods.detach())


@pytest.mark.parametrize("draw", [gumbel_softmax, straight_through_gumbel])
def test_gumbel_draws_give_padding_nothing_and_sum_to_one(scores, draw):
    choice = draw(scores, MASK, 0.5)
    assert choice[~MASK].eq(0).all()
    torch.testing.assert_close(choice.sum(-1), torch.ones(ROWS, dtype=torch.float64))
