"""Checks of the score-function estimator: the objective by its gradients alone, the estimates by their values.

The position is given, so everything is exact: a fresh draw of the grader's decides nothing.
"""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from autograder.expect import (
    CUT,
    CheckFailed,
    ask,
    check,
    expect_close,
    expect_finite,
    expect_shape,
    expect_tensor,
    expect_unchanged,
    generator,
)
from autograder.pullback import pullback
from autograder.wording import labelled
from seq2seq import hard as reference

Function = Callable[..., Tensor]
Slopes = dict[str, Tensor]

NO_LIKELIHOOD = "log p(y|s) itself is missing: then the network that predicts the word learns nothing"
NO_CHOICE = f"the weights would never learn; is log p(s) used at all, and if so: {CUT}"
LEAK = (
    "the reward is a number here, not a way back: cut log p(y|s) − b off from the graph (`.detach()`), "
    "or the prediction is pushed by log p(s) as well"
)


@check
def check_score_function_objective(answer: Function) -> None:
    """objective: its gradient is that of log p(y|s), plus (log p(y|s) − b) times that of log p(s)"""
    _compare(answer, (5,), what="objective")
    _compare(answer, (5,), baseline=torch.tensor(-1.5), what="objective with a baseline")
    _compare(answer, (5,), torch.tensor(-1.5), 0.3, what="objective with reward weight 0.3")


@check
def check_score_function_objective_hidden(answer: Function) -> None:
    """objective, other cases: a table of steps, one draw, a baseline per word, a plain number, float64, weight 2"""
    _compare(answer, (3, 4), torch.tensor(-2.0), case="draws (batch, steps)")
    _compare(answer, (1,), torch.tensor(-2.0), case="a single draw")
    _compare(answer, (4,), torch.tensor([-1.0, -2.0, 0.5, -4.0]), case="a baseline for each draw")
    _compare(answer, (4,), -3.0, case="a baseline that is a plain number")
    _compare(answer, (4,), torch.tensor(-2.0).double(), dtype=torch.float64, case="float64")
    _compare(answer, (4,), torch.tensor(-2.0), 2.0, case="reward weight 2")
    _compare(answer, (4,), torch.tensor(-2.0, requires_grad=True), case="a baseline that asks for gradients")


@check
def check_score_estimates(answer: Function) -> None:
    """estimates: a row per possible draw, its reward times the gradient of its log-weight; the mean is exact"""
    _compare_estimates(answer, (3, 4))
    _compare_estimates(answer, (3, 4), -2.5, what="estimates with a baseline")


@check
def check_score_estimates_hidden(answer: Function) -> None:
    """estimates, other cases: one sentence, one key, many keys, a table of steps, float64, other baselines"""
    _compare_estimates(answer, (1, 5), 1.5, case="a batch of one sentence")
    _compare_estimates(answer, (3, 1), -1.0, case="sentences of one key")
    _compare_estimates(answer, (2, 9), -3.0, case="many keys")
    _compare_estimates(answer, (2, 3, 4), -1.0, case="weights (batch, steps, keys)")
    _compare_estimates(answer, (3, 4), -1.0, torch.float64, case="float64")


def _compare(
    answer: Function,
    shape: tuple[int, ...],
    baseline: Tensor | float | None = None,
    reward_weight: float = 1.0,
    dtype: torch.dtype = torch.float32,
    what: str = "objective",
    case: str = "",
) -> None:
    draw = generator(f"objective {shape} {case} {what}")
    likelihood = (torch.randn(shape, generator=draw).to(dtype) - 2).requires_grad_()
    choice = (-torch.rand(shape, generator=draw).to(dtype) - 0.3).requires_grad_()
    before = likelihood.detach().clone(), choice.detach().clone()
    given = {"log_likelihood": likelihood, "log_choice": choice}
    given |= {} if baseline is None else {"baseline": baseline}
    given |= {} if reward_weight == 1.0 else {"reward_weight": reward_weight}
    objective = ask(what, answer, case=case, **given)
    expect_tensor(what, objective, like=likelihood, case=case)
    shapes = {(): "there is an objective for every draw; the caller averages, and masks what is padding"}
    names = ("draws",) if len(shape) == 1 else ("batch", "steps")
    expect_shape(what, objective, shapes, case, **dict(zip(names, shape, strict=True)))
    expect_finite(what, objective, case=case)
    if not objective.requires_grad:
        raise CheckFailed(labelled(what, case), "cut off from autograd", "a result that gradients flow through", CUT)
    pull = torch.rand(shape, generator=draw).to(dtype) + 0.5
    behind = [baseline] if isinstance(baseline, Tensor) and baseline.requires_grad else []
    reached = ask(f"the backward pass of {what}", partial(pullback, [objective], [likelihood, choice, *behind], [pull]))
    level = 0.0 if baseline is None else baseline.detach() if isinstance(baseline, Tensor) else baseline
    _expect_slopes(what, reached[:2], *before, level, reward_weight, pull, case)
    if len(reached) == 3 and reached[2] is not None and bool(reached[2].ne(0).any()):
        why = "it is a number to compare with; the reward minus the baseline is cut off as a whole"
        raise CheckFailed(labelled(what, case), "a gradient flows into the baseline", "none", why)
    expect_unchanged("log_likelihood", likelihood, before[0], case)
    expect_unchanged("log_choice", choice, before[1], case)


def _expect_slopes(
    what: str,
    reached: list[Tensor | None],
    likelihood: Tensor,
    choice: Tensor,
    baseline: Tensor | float,
    reward_weight: float,
    pull: Tensor,
    case: str,
) -> None:
    if reached[1] is None:
        raise CheckFailed(labelled(what, case), "no gradient reaches log_choice", "one", NO_CHOICE)
    if reached[0] is None:
        raise CheckFailed(labelled(what, case), "no gradient reaches log_likelihood", "one", NO_LIKELIHOOD)
    reward = reward_weight * (likelihood - baseline)
    at_likelihood = {
        LEAK: pull * (1 + reward_weight * choice),
        f"{NO_LIKELIHOOD}; and {LEAK}": pull * reward_weight * choice,
        NO_LIKELIHOOD: 0 * pull,
        "the sign is turned round: the objective is to be maximised, a loss is made of it later": -pull,
        "the reward weight belongs to the second term alone": reward_weight * pull,
        f"the sign is turned round, and {LEAK}": -pull * (1 + reward_weight * choice),
        "log p(y|s) is counted twice": 2 * pull,
    }
    name = f"gradient of {what} at log_likelihood"
    why = "the first term is log p(y|s) as it is"
    expect_close(name, reached[0], pull, lambda: at_likelihood, why=why, case=case)
    at_choice = {
        "the reward is subtracted where it is added": -pull * reward,
        "the baseline is not used": pull * reward_weight * likelihood,
        "the baseline is added; it is subtracted": pull * reward_weight * (likelihood + baseline),
        "the reward is b − log p(y|s): then good draws would be made rarer": -pull * reward,
        "the reward weight is not used": pull * (likelihood - baseline),
        "the reward weight is applied twice": pull * reward_weight * reward,
        "the baseline is not weighted: λ multiplies the whole of log p(y|s) − b": pull
        * (reward_weight * likelihood - baseline),
        "the likelihood itself is the reward; it is its logarithm": pull
        * reward_weight
        * (likelihood.exp() - baseline),
        "this is the gradient of p(s), not of log p(s): good draws come more often by themselves already": pull
        * reward
        * choice.exp(),
        "the gradient of log p(s) is not weighted by the reward": pull,
        "log p(s) itself is added as well: it has a gradient that does not depend on the reward": pull * (1 + reward),
        "only the sign of the reward is used": pull * reward.sign(),
        "negative rewards are left out: a draw that did badly has to become rarer": pull * reward.clamp(min=0),
        "the reward has no sign any more": pull * reward.abs(),
        "the rewards are replaced by their mean: each draw answers for its own": pull * reward.mean(),
        "the mean reward is subtracted from each: a baseline that has seen the draw it judges is biased": pull
        * (reward - reward.mean()),
    }
    name = f"gradient of {what} at log_choice"
    why = "λ · (log p(y|s) − b), a number for each draw"
    expect_close(name, reached[1], pull * reward, lambda: at_choice, why=why, case=case)


def _compare_estimates(
    answer: Function,
    shape: tuple[int, ...],
    baseline: float | None = None,
    dtype: torch.dtype = torch.float32,
    what: str = "estimates",
    case: str = "",
) -> None:
    draw = generator(f"estimates {shape} {case} {what}")
    weights = torch.randn(shape, generator=draw).to(dtype).softmax(-1)
    likelihoods = torch.randn(shape, generator=draw).to(dtype) - 2
    given = {"weights": weights.clone(), "log_likelihoods": likelihoods.clone()}
    level = {} if baseline is None else {"baseline": baseline}
    estimates = ask(what, answer, case=case, **given, **level)
    axes = dict(zip(("batch", "keys") if len(shape) == 2 else ("batch", "steps", "keys"), shape, strict=True))
    keys = axes.pop("keys")
    expect_tensor(what, estimates, like=weights, case=case)
    shapes = {shape: "this is one row per sentence: there is a row for every position that could be drawn"}
    expect_shape(what, estimates, shapes, case, **axes, drawn=keys, keys=keys)
    expect_finite(what, estimates, case=case)
    expected = reference.score_estimates(weights, likelihoods, **level)
    table = _estimate_mistakes(weights, likelihoods, baseline or 0.0)
    properties = lambda: _expect_exact_mean(what, estimates.detach(), weights, expected, case)  # noqa: E731
    why = "row i: (log p(y|s=i) − b) times ([i = j] − α_j) for each key j"
    expect_close(what, estimates.detach(), expected, lambda: table, properties, why, case)
    expect_unchanged("weights", given["weights"], weights, case)
    expect_unchanged("log_likelihoods", given["log_likelihoods"], likelihoods, case)


def _estimate_mistakes(weights: Tensor, likelihoods: Tensor, baseline: float) -> Slopes:
    unit = torch.eye(weights.size(-1), dtype=weights.dtype)
    slopes, reward = unit - weights.unsqueeze(-2), (likelihoods - baseline).unsqueeze(-1)
    right = reward * slopes
    return {
        "rows and columns are exchanged: the first of the two axes is the position drawn": right.mT,
        "the reward is that of the key, not of the position drawn: every row has one reward": reward.mT * slopes,
        "the weight of the position drawn is subtracted everywhere; each key has its own": reward
        * (unit - weights.unsqueeze(-1)),
        "the weights are missing: a softmax lowers the others where it raises one": reward * unit,
        "[i = j] is missing: nothing raises the position that was drawn": -reward * weights.unsqueeze(-2),
        "the sign is turned round: the log-weight of the drawn position rises with its own score": -right,
        "the baseline is not used": likelihoods.unsqueeze(-1) * slopes,
        "the baseline is added; it is subtracted": (likelihoods + baseline).unsqueeze(-1) * slopes,
        "each row is weighted with its probability already: the draw sees to that": weights.unsqueeze(-1) * right,
        "this is the gradient of the weights, not of their logarithms: good draws come more often by themselves": (
            weights.unsqueeze(-1) * slopes
        ),
        "the reward is missing": slopes.expand_as(right),
        "the likelihood itself is the reward; it is its logarithm": (likelihoods.exp() - baseline).unsqueeze(-1)
        * slopes,
    }


def _expect_exact_mean(what: str, estimates: Tensor, weights: Tensor, expected: Tensor, case: str) -> None:
    what, chance = labelled(what, case), weights.unsqueeze(-1)
    if float(estimates.sum(-1).abs().max()) > 1e-3:
        why = "scores may all grow together and no weight changes, so a gradient at the scores sums to 0"
        raise CheckFailed(what, "a row does not sum to 0", "rows that sum to 0", why)
    if float(((chance * estimates).sum(-2) - (chance * expected).sum(-2)).abs().max()) > 1e-3:
        why = "weighted with the chance of each draw, the rows have to sum to the gradient of Σ α_i log p(y|s=i)"
        raise CheckFailed(what, "their mean is not the exact gradient", "an estimate without bias", why)
