"""What the widgets' scripts compute themselves, called without any page, beside what the library computes."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from playwright.sync_api import Browser
from torch import Tensor

from seq2seq.attention import masked_softmax
from seq2seq.experiments.estimator import SETTINGS, draw_problem
from seq2seq.hard.attention import choice_at, move_baseline, score_estimates, score_function_objective
from seq2seq.hard.variance import one_draw_variance
from seq2seq.local.attention import gaussian_window_softmax, window_softmax
from seq2seq.widgets import FOLDER, SHARED
from seq2seq.widgets.sampling import luck, tempered

Call = Callable[..., list[Any]]
NODES = [  # word, log-probability, parent, step, whether it has ended
    *(["<bos>", 0.0, None, 0, 0], ["a", -0.5, 0, 1, 0], ["b", -1.0, 0, 1, 0], ["c", -0.7, 1, 2, 0]),
    *(["<eos>", -1.1, 2, 2, 1], ["<eos>", -0.9, 3, 3, 1]),
]


@pytest.fixture(scope="module")
def call(browser: Browser) -> Iterator[Call]:
    """``call("beam", "way", cases)``: what a function of a script gives for each list of arguments."""
    page = browser.new_page()

    def called(script: str, function: str, cases: list[list[Any]]) -> list[Any]:
        texts = [(FOLDER / f"{part}.js").read_text(encoding="utf-8") for part in (*SHARED, script)]
        above = "\n".join(texts).split("export default")[0]
        return page.evaluate(f"cases => {{ {above}\n return cases.map(given => {function}(...given)); }}", cases)

    yield called
    page.close()


def test_a_tree_has_scores_by_length_prunes_branches_without_offspring_and_ways_from_the_first_word(call: Call):
    first, tree = call("beam", "treeOf", [[NODES, 4, [1, 2, 4]], [NODES, 6, [1, 2, 4]]])
    assert first == tree[:4] == [[*node[:4], None] for node in NODES[:4]]
    assert tree[4:] == [["<eos>", -1.1, 2, 2, -0.55], ["<eos>", -0.9, 3, 3, -0.225]]
    expected = [
        ["open", "pruned", "pruned", "pruned", "pruned", "pruned"],
        ["open", "open", "open", "pruned", "pruned", "pruned"],
        ["open", "open", "open", "open", "closed", "pruned"],
        ["open", "open", "open", "open", "closed", "closed"],
    ]
    assert call("beam", "standing", [[tree, step] for step in range(4)]) == expected
    assert call("beam", "way", [[tree, 5], [tree, 4], [tree, 0]]) == [[1, 3, 5], [2, 4], []]


@pytest.mark.parametrize("way", ["before", "after", "divided"])
def test_masked_softmax_is_the_library_s_and_masked_afterwards_as_single_precision_has_it(call: Call, way: str):
    generator = torch.Generator().manual_seed(0)
    scores = torch.cat([3 * torch.randn(60, 7, generator=generator), torch.tensor([[2.1, -0.4, 0.9] + [-9.0] * 4] * 2)])
    masks = torch.rand(62, 7, generator=generator) < 0.6
    masks[0], masks[-2:] = False, torch.arange(7) == 1
    temperatures = [*(0.02 * 1000 ** torch.rand(60, generator=generator)).tolist(), 0.02, 0.1]
    cases = [list(case) for case in zip(scores.tolist(), masks.tolist(), temperatures, [way] * 62, strict=True)]
    rows = []
    for row, mask, temperature in zip(scores, masks, temperatures, strict=True):
        kept = torch.softmax(row / temperature, dim=-1) * mask
        among = {"before": masked_softmax(row, mask, temperature), "after": kept, "divided": kept / kept.sum()}
        rows.append(among[way])
    weights = torch.tensor([answer["weights"] for answer in call("masking", "maskedSoftmax", cases)])
    torch.testing.assert_close(weights, torch.stack(rows), atol=1e-6, rtol=1e-5, equal_nan=True)


def test_draws_are_the_library_s_and_so_are_their_mean_and_spread(call: Call):
    uniform = luck(300, torch.Generator().manual_seed(1))
    rows = tempered(torch.tensor([0.1, -2.0, 1.5, 0.4]), (0.1, 1.0, 7.0))
    for weights in rows:
        choices = call("sampling", "choiceAt", [[weights, u] for u in uniform])
        table = torch.tensor(weights, dtype=torch.double).expand(len(uniform), -1)
        assert choices == choice_at(table, torch.tensor(uniform, dtype=torch.double)).argmax(-1).tolist()
    vectors = torch.randn(20, 2, dtype=torch.double, generator=torch.Generator().manual_seed(0))
    [answer] = call("sampling", "meanAndSpread", [[vectors.tolist()]])
    assert answer["mean"] == pytest.approx(vectors.mean(0).tolist())
    assert answer["spread"] == pytest.approx(vectors.var(0, correction=0).sum().sqrt().item())


def test_weights_in_a_window_are_the_library_s(call: Call):
    scores = torch.randn(12, generator=torch.Generator().manual_seed(0))
    cases = [[scores.tolist(), centre / 4, half] for centre in range(-16, 65) for half in (1, 2, 4, 6)]
    for answer, (_, centre, half) in zip(call("window", "localWeights", cases), cases, strict=True):
        given = scores.view(1, 1, -1), torch.arange(12), torch.tensor([[centre]]), half, torch.ones(1, 1, 12) > 0
        for name, weights in (("shares", window_softmax(*given)), ("product", gaussian_window_softmax(*given))):
            torch.testing.assert_close(torch.tensor(answer[name], dtype=torch.float), weights[0, 0])


def problem() -> tuple[Tensor, Tensor]:
    toy = draw_problem(0, SETTINGS)
    return toy.scores, toy.log_likelihood(torch.eye(len(toy.scores), dtype=torch.float64))


def learnt(scores: Tensor, logs: Tensor, luck: Tensor, rate: float, kind: str) -> tuple[Tensor, list[float]]:
    """The same steps by the library and by autograd."""
    scores, baseline, bounds = scores.clone(), torch.zeros((), dtype=scores.dtype), []
    for row in luck:
        scores = scores.detach().requires_grad_()
        log_weights = scores.log_softmax(-1)
        weights = log_weights.exp()
        bound = objective = (weights * logs).sum()
        bounds.append(bound.item())
        if kind != "exact":
            places = choice_at(weights.expand(len(row), -1), row).argmax(-1)
            b = {"none": torch.zeros(()), "mean": bound.detach(), "moving": baseline}[kind]
            objective = score_function_objective(logs[places], log_weights[places], b).mean()
            baseline = move_baseline(baseline, logs[places])
        (slope,) = torch.autograd.grad(objective, scores)
        scores = scores.detach() + rate * slope
    return scores, [*bounds, (scores.softmax(-1) * logs).sum().item()]


def test_uniform_numbers_are_uniform_and_the_same_for_everyone(call: Call):
    first, second = call("estimate", "uniforms", [[20000, 7], [20000, 7]])
    assert first == second
    assert 0 <= min(first) < max(first) < 1
    counts = torch.histc(torch.tensor(first), 20, 0, 1)
    assert (counts - 1000).abs().max() < 5 * 1000**0.5


@pytest.mark.parametrize("baseline", [0.0, -3.2])
def test_the_estimate_of_each_draw_and_its_variance_are_the_library_s(call: Call, baseline: float):
    scores, logs = problem()
    weights = scores.softmax(-1)
    expected = score_estimates(weights, logs, baseline)
    cases = [[weights.tolist(), logs[place].item(), place, baseline] for place in range(len(logs))]
    torch.testing.assert_close(torch.tensor(call("estimate", "estimateOf", cases)).double(), expected)
    [exact] = call("estimate", "exactGradient", [[weights.tolist(), logs.tolist()]])
    torch.testing.assert_close(torch.tensor(exact).double(), weights @ expected)
    [variance] = call("estimate", "oneDrawVariance", [[weights.tolist(), logs.tolist(), baseline]])
    assert variance == pytest.approx(one_draw_variance(weights, logs, baseline).item())


@pytest.mark.parametrize("kind", ["exact", "none", "mean", "moving"])
@pytest.mark.parametrize("draws", [1, 4])
def test_learning_is_the_library_s_on_the_same_numbers(call: Call, kind: str, draws: int):
    scores, logs = problem()
    luck = torch.rand(60, draws, dtype=torch.double, generator=torch.Generator().manual_seed(3))
    [answer] = call("estimate", "learn", [[scores.tolist(), logs.tolist(), luck.tolist(), 0.3, kind]])
    now, bounds = learnt(scores, logs, luck, 0.3, kind)
    assert answer["scores"] == pytest.approx(now.tolist())
    assert answer["bounds"] == pytest.approx(bounds)
