"""The experiments on single parts: sums, gradients, estimators, counters and beams, against what is known of them."""

import pytest
import torch
from small_models import PAIRS, VOCAB, luong, sharpen
from torch import nn

from seq2seq.experiments import beam_size, counting, estimator, gradient_norm, weighted_sum
from seq2seq.experiments.counting import END, A, B
from seq2seq.experiments.estimator import draw_problem, exact_gradient
from seq2seq.experiments.gradient_norm import FirstSymbol, gradient_norms, per_step
from seq2seq.experiments.weighted_sum import WAYS, forward_and_backward
from seq2seq.layers.recurrent import recurrent_layer

QUICK = counting.SETTINGS | {"steps": {"rnn": 3, "lstm": 3, "stack_rnn": 3}}


@pytest.mark.parametrize("name", WAYS)
def test_every_timed_way_gives_the_weighted_sum_and_its_gradient(name):
    weights, values = weighted_sum.draw(keys=3)
    torch.testing.assert_close(WAYS[name](weights, values), torch.einsum("bj,bjd->bd", weights, values))
    expected = torch.autograd.grad(torch.einsum("bj,bjd->", weights, values), [weights, values])
    torch.testing.assert_close(forward_and_backward(WAYS[name], weights, values), expected)


@pytest.mark.parametrize("cell", gradient_norm.CELLS)
def test_norms_equal_those_of_the_jacobian(cell):
    layer = recurrent_layer(cell, 3, 5).double()
    inputs = torch.randn(2, 4, 3, dtype=torch.float64)
    norms = gradient_norms(layer, inputs)
    for row in range(2):
        jacobian = torch.autograd.functional.jacobian(lambda words: layer(words)[0][0, -1], inputs[row : row + 1])
        torch.testing.assert_close(norms[row], jacobian[:, 0].norm(dim=(0, 2)))


def test_the_gain_multiplies_an_orthogonal_matrix_and_the_factor_per_step_is_read_from_distance_one_to_the_last():
    matrix = FirstSymbol("rnn", 6, 1.5).rnn.weight_hh_l0
    torch.testing.assert_close(matrix @ matrix.T, 2.25 * torch.eye(6), atol=1e-5, rtol=0)
    assert per_step([9.0, 8.0, 4.0, 2.0]) == pytest.approx(0.5)


def test_the_simple_network_vanishes_below_gain_one(quick):
    (run,) = [run for run in quick(gradient_norm.GRADIENT_NORM)["runs"] if (run["cell"], run["gain"]) == ("rnn", 0.5)]
    assert per_step(run["at_first"]) < 0.5


def test_the_exact_gradient_is_that_of_finite_differences():
    problem = draw_problem(3, estimator.SETTINGS)
    every = torch.eye(8, dtype=torch.float64)

    def bound(scores):
        return (scores.softmax(-1) * problem.log_likelihood(every)).sum()

    for i, step in enumerate(1e-6 * every):
        slope = (bound(problem.scores + step) - bound(problem.scores - step)) / 2e-6
        assert exact_gradient(problem)[i].item() == pytest.approx(slope.item(), abs=1e-6)


def test_the_moving_baseline_knows_only_the_draws_before():
    drawn = torch.tensor([-1.0, -2.0, -3.0])
    torch.testing.assert_close(estimator.moving(drawn), torch.tensor([0.0, -0.1, -0.29]))


def test_the_score_function_has_no_bias_beyond_its_standard_error_and_the_baseline_narrows_its_spread(quick):
    """And the error of a biased estimate does not fall below its bias."""
    measured = quick(estimator.ESTIMATOR)["estimators"]
    plain, with_baseline = (measured[f"score_function{name}"] for name in ("", "_baseline"))
    assert all(row["bias"] < 3 * row["bias_standard_error"] for row in (plain, with_baseline))
    assert with_baseline["spread"] < plain["spread"]
    biased = measured["straight_through"]
    assert with_baseline["error"]["256"] < biased["error"]["256"] > 0.9 * biased["bias"]


class Counter(nn.Module):
    """Foretells by counting, up to `reach`."""

    def __init__(self, reach):
        super().__init__()
        self.reach = reach

    def forward(self, ids):
        logits = torch.zeros(*ids.shape, 3)
        for row, symbols in enumerate(ids.tolist()):
            for t in range(len(symbols)):
                a, b = symbols[: t + 1].count(A), symbols[: t + 1].count(B)
                logits[row, t, A if b == 0 else B if b < min(a, self.reach) else END] = 1
        return logits, None


def test_a_sequence_is_n_times_a_and_n_times_b_between_two_ends():
    inputs, targets = counting.sequences([2, 3])
    assert inputs[0].tolist() == [END, A, A, B, B, END, END]
    assert targets[0].tolist() == [A, A, B, B, END, -100, -100]
    assert inputs[1].tolist() == [END, A, A, A, B, B, B]
    assert targets[1].tolist() == [A, A, A, B, B, B, END]


def test_what_counts_is_all_that_follows_the_first_b():
    assert counting.counted(Counter(reach=99), [1, 2, 5, 9]) == [True] * 4
    assert counting.counted(Counter(reach=4), [1, 4, 5, 9]) == [True, True, False, False]


@pytest.mark.parametrize("name", QUICK["steps"])
def test_training_lowers_the_loss(name):
    torch.manual_seed(1)
    model = counting.build(name, QUICK)
    losses = counting.train(model, 30, 0, QUICK)
    assert losses[-1] < losses[0]


def test_a_beam_as_wide_as_all_finds_the_most_probable():
    sets, settings = {"all": PAIRS}, {"sentences_per_batch": 2}
    model = sharpen(luong())
    rows = [beam_size.measure(model, VOCAB, VOCAB, sets, size, "none", settings) for size in (1, 20)]
    assert rows[1]["log_probability"] >= rows[0]["log_probability"]
    assert rows[1]["search_errors"] <= rows[0]["search_errors"]
