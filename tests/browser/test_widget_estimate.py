"""Estimates and what is learnt from them, in chapter 10; the script's formulas against the library's."""

import re
from collections.abc import Callable

import pytest
import torch
from playwright.sync_api import Browser, Locator
from torch import Tensor
from visits import Visit

from scripts import called
from seq2seq.experiments.estimator import SETTINGS, draw_problem
from seq2seq.hard.attention import choice_at, move_baseline, score_estimates, score_function_objective
from seq2seq.hard.variance import one_draw_variance

Open = Callable[..., Visit]


@pytest.fixture(params=["http", "file"])
def widget(visit: Open, request: pytest.FixtureRequest) -> Locator:
    page = visit("book/10_hard", request.param, fresh=True).page
    return page.get_by_role("group", name="Estimates of a gradient, and what is learnt from them")


def problem() -> tuple[Tensor, Tensor]:
    """The scores and log-likelihoods of the chapter's toy."""
    toy = draw_problem(0, SETTINGS)
    return toy.scores, toy.log_likelihood(torch.eye(len(toy.scores), dtype=torch.float64))


def learnt(scores: Tensor, logs: Tensor, luck: Tensor, rate: float, kind: str) -> tuple[Tensor, list[float]]:
    """The same steps by the library and by autograd."""
    now, baseline = scores.clone(), torch.zeros((), dtype=scores.dtype)
    bounds = []
    for row in luck:
        now = now.detach().requires_grad_()
        log_weights = now.log_softmax(-1)
        weights = log_weights.exp()
        bound = (weights * logs).sum()
        bounds.append(bound.item())
        if kind == "exact":
            (slope,) = torch.autograd.grad(bound, now)
        else:
            places = choice_at(weights.expand(len(row), -1), row).argmax(-1)
            b = {"none": torch.zeros(()), "mean": bound.detach(), "moving": baseline}[kind]
            objective = score_function_objective(logs[places], log_weights[places], b).mean()
            (slope,) = torch.autograd.grad(objective, now)
            baseline = move_baseline(baseline, logs[places])
        now = now.detach() + rate * slope
    bounds.append((now.softmax(-1) * logs).sum().item())
    return now, bounds


def test_uniform_numbers_are_uniform_and_the_same_for_everyone(browser: Browser):
    first, second = called(browser, "estimate", "uniforms", [[20000, 7], [20000, 7]])
    assert first == second
    assert min(first) >= 0
    assert max(first) < 1
    counts = torch.histc(torch.tensor(first), 20, 0, 1)
    assert (counts - 1000).abs().max() < 5 * 1000**0.5


@pytest.mark.parametrize("baseline", [0.0, -3.2])
def test_the_estimate_of_each_draw_is_the_library_s(browser: Browser, baseline: float):
    scores, logs = problem()
    weights = scores.softmax(-1)
    expected = score_estimates(weights, logs, baseline)
    cases = [[weights.tolist(), logs[place].item(), place, baseline] for place in range(len(logs))]
    torch.testing.assert_close(torch.tensor(called(browser, "estimate", "estimateOf", cases)).double(), expected)
    [exact] = called(browser, "estimate", "exactGradient", [[weights.tolist(), logs.tolist()]])
    torch.testing.assert_close(torch.tensor(exact).double(), weights @ expected)


@pytest.mark.parametrize("baseline", [0.0, -3.2])
def test_the_variance_is_the_library_s(browser: Browser, baseline: float):
    scores, logs = problem()
    weights = scores.softmax(-1)
    [found] = called(browser, "estimate", "oneDrawVariance", [[weights.tolist(), logs.tolist(), baseline]])
    assert found == pytest.approx(one_draw_variance(weights, logs, baseline).item())


@pytest.mark.parametrize("kind", ["exact", "none", "mean", "moving"])
@pytest.mark.parametrize("draws", [1, 4])
def test_learning_is_the_library_s_on_the_same_numbers(browser: Browser, kind: str, draws: int):
    scores, logs = problem()
    luck = torch.rand(60, draws, dtype=torch.double, generator=torch.Generator().manual_seed(3))
    [found] = called(browser, "estimate", "learn", [[scores.tolist(), logs.tolist(), luck.tolist(), 0.3, kind]])
    now, bounds = learnt(scores, logs, luck, 0.3, kind)
    assert found["scores"] == pytest.approx(now.tolist())
    assert found["bounds"] == pytest.approx(bounds)


def off(widget: Locator) -> list[float]:
    """How far both estimates are said to be from the exact gradient."""
    said = re.search(r"is ([\d.]+) from the exact gradient \(.*?\), .*? ([\d.]+) \(", said_first(widget))
    return [float(number) for number in said.groups()]


def said_first(widget: Locator) -> str:
    return widget.locator(".cw-spoken").first.inner_text()


def said_last(widget: Locator) -> str:
    return widget.locator(".cw-spoken").last.inner_text()


def test_many_draws_come_near_and_a_baseline_comes_nearer(widget):
    assert "Nothing is drawn yet" in said_first(widget)
    widget.get_by_role("button", name="Draw", exact=True).press("Enter")
    first = off(widget)
    for _ in range(9):
        widget.get_by_role("button", name="Draw 100").press("Space")
    assert "After 901 draws" in said_first(widget)
    without, with_one = off(widget)
    assert with_one < without < first[0]
    widget.get_by_role("button", name="No draws").click()
    assert "Nothing is drawn yet" in said_first(widget)


def test_without_a_baseline_learning_is_slower_and_less_steady(widget):
    widget.get_by_role("button", name="Learn 50 steps").press("Enter")
    numbers = re.search(
        r"is −([\d.]+) without a baseline \(spread ([\d.]+)\) and −([\d.]+) with the mean reward \(spread ([\d.]+)\)",
        said_last(widget),
    )
    without, spread, with_one, spread_with = (float(number) for number in numbers.groups())
    assert with_one < without
    assert 3 * spread_with < spread
    assert widget.locator(".es-run.es-none").count() == 12
    widget.get_by_role("button", name="Begin again").click()
    assert "Nothing is learnt yet" in said_last(widget)


def test_the_moving_average_can_be_chosen_by_keyboard(widget):
    select = widget.get_by_role("combobox", name="Baseline of the right half")
    select.focus()
    select.press("ArrowDown")
    widget.get_by_role("button", name="Learn a step").press("Enter")
    assert "with a moving average" in said_last(widget)
    widget.get_by_role("slider", name="Draws per step").press("End")
    widget.get_by_role("slider", name="Step size").press("Home")
    assert "After 1 step " in said_last(widget)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_nothing_moves_while_draws_and_steps_are_made(visit: Open, phone: bool):
    page = visit("book/10_hard", phone=phone, fresh=True).page
    widget = page.get_by_role("group", name="Estimates of a gradient, and what is learnt from them")
    below = widget.locator("summary")
    places = set()
    for name in ("Draw 100", "Learn 50 steps", "Draw 100", "Learn 50 steps"):
        widget.get_by_role("button", name=name).click()
        places.add(below.evaluate("one => one.getBoundingClientRect().top + scrollY"))
    assert max(places) - min(places) < 1


def test_the_numbers_are_in_the_text(widget):
    widget.get_by_role("button", name="Draw 100").click()
    widget.locator("summary").click()
    assert widget.locator("tbody tr").count() == 8
    assert "variance of one draw" in widget.locator("caption").inner_text()
