"""Hard attention: the estimator against the sum over every position, and its relatives."""

import math

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


def estimates(scores, log_likelihoods, baseline):
    """Gradients of single draws with respect to scores and log-likelihoods: (draws, 2, rows, keys)."""
    many = scores.detach().expand(DRAWS, ROWS, KEYS).clone().requires_grad_()
    many_likelihoods = log_likelihoods.detach().expand(DRAWS, ROWS, KEYS).clone().requires_grad_()
    log_weights = masked_log_softmax(many, MASK)
    choice = sample_choice(masked_softmax(many, MASK))
    log_likelihood, log_choice = (choice * many_likelihoods).sum(-1), (choice * log_weights).sum(-1)
    objective = score_function_objective(log_likelihood, log_choice, baseline)
    return torch.stack(torch.autograd.grad(objective.sum(), (many, many_likelihoods)), 1)


@pytest.mark.parametrize("baseline", [0.0, -3.0, 7.0])
def test_the_mean_of_many_estimates_is_the_exact_gradient(scores, log_likelihoods, baseline):
    drawn = estimates(scores, log_likelihoods, baseline)
    bound = expected_log_likelihood(masked_log_softmax(scores, MASK), log_likelihoods)
    exact = torch.stack(torch.autograd.grad(bound.sum(), (scores, log_likelihoods)))
    error = (drawn.mean(0) - exact).abs()
    assert (error <= STANDARD_ERRORS * drawn.std(0) / math.sqrt(DRAWS) + 1e-12).all()


def test_a_baseline_near_the_mean_lowers_the_variance(scores, log_likelihoods):
    """And the baseline moves a tenth of the way to the mean, without a gradient."""
    without, with_baseline = (estimates(scores, log_likelihoods, b)[:, 0].var(0).sum() for b in (0.0, -3.0))
    assert with_baseline < without / 3
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
def test_the_estimates_are_the_gradients_of_the_objective_and_their_mean_is_exact(scores, log_likelihoods, baseline):
    likelihoods = log_likelihoods.detach()
    weights = torch.softmax(scores, -1).detach()
    rows = score_estimates(weights, likelihoods, baseline)
    for drawn in range(KEYS):
        log_choice = torch.log_softmax(scores, -1)[:, drawn]
        objective = score_function_objective(likelihoods[:, drawn], log_choice, baseline)
        torch.testing.assert_close(torch.autograd.grad(objective.sum(), scores)[0], rows[:, drawn])
    (wanted,) = torch.autograd.grad(expected_log_likelihood(torch.log_softmax(scores, -1), likelihoods).sum(), scores)
    torch.testing.assert_close((weights.unsqueeze(-1) * rows).sum(1), wanted)


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


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_row_without_tokens_gives_no_nan(scores, log_likelihoods, dtype):
    scores, likelihoods = scores.detach().to(dtype).requires_grad_(), log_likelihoods.detach().to(dtype)
    log_weights = masked_log_softmax(scores, NO_TOKEN)
    for value in (
        entropy(log_weights),
        expected_log_likelihood(log_weights, likelihoods),
        marginal_log_likelihood(log_weights, likelihoods),
        gumbel_softmax(scores, NO_TOKEN, 0.1) * likelihoods,
        straight_through_gumbel(scores, NO_TOKEN, 0.1) * likelihoods,
        straight_through(masked_softmax(scores, NO_TOKEN)) * likelihoods,
    ):
        (gradient,) = torch.autograd.grad(value.sum(), scores, retain_graph=True)
        assert value.isfinite().all()
        assert gradient.isfinite().all()
        assert gradient[1].eq(0).all()


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
