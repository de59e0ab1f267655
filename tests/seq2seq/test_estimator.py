import pytest
import torch

from seq2seq.experiments import estimator
from seq2seq.experiments.estimator import SETTINGS, draw_problem, exact_gradient, moving


def test_the_exact_gradient_is_that_of_finite_differences():
    problem = draw_problem(3, SETTINGS)
    every = torch.eye(8, dtype=torch.float64)

    def bound(scores):
        return (scores.softmax(-1) * problem.log_likelihood(every)).sum()

    for i, step in enumerate(1e-6 * every):
        slope = (bound(problem.scores + step) - bound(problem.scores - step)) / 2e-6
        assert exact_gradient(problem)[i].item() == pytest.approx(slope.item(), abs=1e-6)


def test_the_moving_baseline_knows_only_the_draws_before():
    drawn = torch.tensor([-1.0, -2.0, -3.0])
    torch.testing.assert_close(moving(drawn), torch.tensor([0.0, -0.1, -0.29]))


def test_the_score_function_has_no_bias_beyond_its_standard_error_and_the_baseline_narrows_its_spread(quick):
    """And the error of a biased estimate does not fall below its bias."""
    measured = quick(estimator)["estimators"]
    plain, with_baseline = (measured[f"score_function{name}"] for name in ("", "_baseline"))
    assert all(row["bias"] < 3 * row["bias_standard_error"] for row in (plain, with_baseline))
    assert with_baseline["spread"] < plain["spread"]
    biased = measured["straight_through"]
    assert with_baseline["error"]["256"] < biased["error"]["256"] > 0.9 * biased["bias"]
