"""The tasks of ``10_hard``. Every random number is given, so that there is no luck in a verdict.

An objective is looked at by its gradients alone: its value has no meaning, and right answers differ in it.
"""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.draw import Draw
from autograder.checking.edits import body, edit, result, start
from autograder.checking.task import Mistake, Task, hidden, mistake, variant, visible
from autograder.checking.way import by_hand
from autograder.finding import CUT, CheckFailed
from autograder.vjp import pullback, slopes
from seq2seq.exercises.hard import judge_estimators, rollout_objective
from seq2seq.hard.attention import choice_at, score_estimates, score_function_objective
from seq2seq.losses.penalties import doubly_stochastic_penalty

BELOW_1 = 1 - 2**-24  # the largest float32 below 1
HOLES = [[0, 0.25, 0.5, 0, 0.25 - 2**-10, 0], [0.5, 0, 0, 0.5 - 2**-10, 0, 0], [0, 0, 0, 0, 1 - 2**-10, 0]]
MEETING = [[0.25, 0.25, 0.5, 0, 0, 0], [0.5, 0, 0, 0.5 - 2**-10, 0, 0], [0.25, 0, 0.5, 0, 0.25, 0]]


def stretches(draw: Draw, batch: int, keys: int, steps: int = 0, kind: str = "inside") -> dict[str, Tensor]:
    """Weights, and numbers well within the stretch of a position, another one in each row."""
    if kind == "inside":
        weights = draw.normal(batch, *([steps] if steps else []), keys).softmax(-1)
    else:  # rows whose sums are exact, whatever the order, and most of them a little below 1
        weights = torch.tensor(MEETING if kind == "ends" else HOLES)[[0, 1, 2] if kind != "empty row" else [0, 2, 1]]
    if kind == "empty row":
        weights[1] = 0
    rows = weights.reshape(-1, weights.size(-1))
    numbers, ends = draw.uniform(len(rows), low=0.2, high=0.8), rows.cumsum(-1)
    for n, row in enumerate(rows):
        real = row.nonzero().flatten()
        if len(real):
            at = real[(n + 1) % len(real)]
            numbers[n] = (ends[n, at] - numbers[n] * row[at]) / ends[n, -1]
    fixed = {"zero": torch.zeros(3), "below one": torch.full((3,), BELOW_1), "ends": torch.tensor([0.25, 0.5, 0.75])}
    uniform = fixed.get(kind, numbers)
    return {"weights": weights, "uniform": uniform.view(weights.shape[:-1])}


def no_way_back(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, Any]]:
    """The choice, and whether a gradient passes through it, to the weights or to the numbers."""
    before = given.weights.clone()
    yield "choice", answer(given.weights, given.uniform)
    if not torch.equal(before, given.weights):
        return  # which is told by itself
    with torch.enable_grad():
        weights, uniform = before.requires_grad_(), given.uniform.clone().requires_grad_()
        choice = answer(weights.clone(), uniform.clone())
        if isinstance(choice, Tensor) and choice.requires_grad:
            reached = pullback([choice], [weights, uniform], [torch.ones_like(choice).cumsum(-1)])
            if any(slope is not None and slope.any() for slope in reached):
                why = "then the weights learn as if nothing had been drawn"
                raise CheckFailed("choice", "a gradient passes through the draw", "none", why, "gradient")


def drawn_words(
    draw: Draw, shape: tuple[int, ...], baseline: float | str | Tensor = 0.0, reward_weight: float = 1.0,
    lower: float = 0.0,
) -> dict[str, Any]:
    """Without the values that the signature has."""
    low = {"log_likelihood": draw.normal(*shape) - 2, "log_choice": draw.uniform(*shape, low=-1.3, high=-0.3)}
    given = {name: tensor - lower for name, tensor in low.items()}
    if baseline in ("each", "sentence"):
        baseline = draw.normal(*(shape if baseline == "each" else (shape[0], 1))) - 2
    elif baseline == "tensor":
        baseline = draw.normal()[()] - 2
    if reward_weight != 1.0:
        return {**given, "baseline": baseline, "reward_weight": reward_weight}
    return given if isinstance(baseline, float) and baseline == 0.0 else {**given, "baseline": baseline}


def rollouts(draw: Draw, draws: int, lengths: list[int], width: int = 0, moved: int = 0) -> dict[str, Tensor]:
    """Padding holds large numbers, which must not count."""
    mask = draw.mask(lengths, width).roll(moved, 1)
    likelihood = draw.normal(draws, *mask.shape) - 2
    return {
        "log_likelihood": likelihood.where(mask, 20 * likelihood),
        "log_choice": draw.uniform(draws, *mask.shape, low=-1.3, high=-0.3),
        "target_mask": mask,
    }


def with_slopes(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, Any]]:
    """The objective's shape, and its gradients from slopes that differ: 0 where none arrives."""
    with torch.enable_grad():
        names = [name for name, value in vars(given).items() if isinstance(value, Tensor) and value.is_floating_point()]
        leaves = {name: getattr(given, name).detach().clone().requires_grad_() for name in names}
        objective = answer(**{**vars(given), **leaves})
        if not isinstance(objective, Tensor):
            raise CheckFailed("objective", type(objective).__name__, "a tensor", mistake="not_a_tensor")
        if not objective.requires_grad:
            raise CheckFailed("objective", "cut off from autograd", "a result with a gradient", CUT, "no_gradient")
        reached = pullback([objective], list(leaves.values()), [slopes(objective)])
    yield "shape of the objective", list(objective.shape)
    for name, gradient in zip(names, reached, strict=True):
        yield f"gradient at {name}", torch.zeros_like(leaves[name]) if gradient is None else gradient


def table(answer: Any, given: SimpleNamespace) -> Any:
    return by_hand(answer, **vars(given))


def estimates_of(draw: Draw, shape: tuple[int, ...], baseline: float = 0.0, hole: bool = False) -> dict[str, Any]:
    scores = draw.normal(*shape)
    if hole:
        scores[..., 1] = -torch.inf
    given = {"weights": scores.softmax(-1), "log_likelihoods": draw.normal(*shape) - 2}
    return {**given, "baseline": baseline} if baseline else given


STEEP = ["steep", "steep and calmer"]  # a gradient far larger than what its estimates differ by


def candidates(draw: Draw, batch: int, keys: int, kinds: list[str]) -> dict[str, Tensor]:
    """Tables of all estimates. Only "none", "far", "best" and "plain" are right on average for every word."""
    if kinds == STEEP:  # every product and sum is exact
        exact, swing = torch.tensor([-4096.0, 4096.0]), torch.tensor([[1.0, -1.0], [-1.0, 1.0]])
        return {
            "tables": torch.stack([exact + swing / 4, exact + swing / 8]).unsqueeze(1),
            "weights": torch.full((1, 2), 0.5),
            "log_likelihoods": torch.tensor([[-16384.0, 0.0]]),
        }
    weights, ell = draw.normal(batch, keys, scale=1.5).softmax(-1), draw.normal(batch, keys, scale=2.0) - 4
    rows = torch.eye(keys).to(weights) - weights.unsqueeze(-2)
    lengths = rows.square().sum(-1)
    best, plain = (
        ((shares * lengths * ell).sum(-1) / (shares * lengths).sum(-1)).view(-1, 1)
        for shares in (weights, torch.ones_like(weights))
    )

    def table(baseline: Tensor | float) -> Tensor:
        return (ell - baseline).unsqueeze(-1) * rows

    exact = (weights * (ell - (weights * ell).sum(-1, keepdim=True))).unsqueeze(-2)
    calm = (weights.unsqueeze(-1) * (table(best) - exact).square()).sum((-1, -2))  # the variances of the words
    sway = ((4 * calm.max() + 1) / (weights * lengths).sum(-1)).sqrt().view(-1, 1)
    first = (torch.arange(batch) == 0).to(weights).view(-1, 1)
    last = (torch.arange(batch) < batch - 1).to(weights).view(-1, 1, 1)
    push = draw.normal(keys) * torch.tensor([0.5, -0.5, *[0.0] * (batch - 2)]).to(weights)[:batch].view(-1, 1, 1)
    tables = {
        "none": table(0.0),
        "far": table(3.0),
        "best": table(best),
        "plain": table(plain),
        "wild at a word": table(best + first * sway),  # calmer on average than the next, and wilder at its worst
        "swaying": table(best + sway * (1.5 / batch) ** 0.5),
        "swaying less": table(best + sway * (0.9 / batch) ** 0.5),  # less variance than the first, more deviation
        "own": table(ell),  # 0 in every draw
        "half": table(best) / 2,
        "once": table(best) * last,  # right for every word but the last
        "cancels": table(best) + push,  # the biases of two words have the sum 0
        "lowered": table(best) - 0.2,  # at every score
        "just unfair": table(best) - 1.1e-4 * (1 - last) * torch.eye(keys)[-1].to(weights),  # at one score of one word
        "just fair": table(best + 0.2) + 9.2e-5,  # at every score, and a little wilder than the one before
        "wildest": table(3e6),
        "by count": table(best) * weights.unsqueeze(-1) * keys,  # right if all positions were drawn equally often
    }
    return {"tables": torch.stack([tables[kind] for kind in kinds]), "weights": weights, "log_likelihoods": ell}


def glances(draw: Draw, sources: list[int], targets: list[int], left: bool = False) -> dict[str, Tensor]:
    source_mask, target_mask = draw.mask(sources, left=left), draw.mask(targets, left=left)
    weights = draw.normal(len(sources), target_mask.size(1), source_mask.size(1)).softmax(-1)
    return {"weights": weights, "source_mask": source_mask, "target_mask": target_mask}


HOT = (
    "F.one_hot(({}).clamp(0, weights.size(-1) - 1), weights.size(-1)).to(weights.dtype)"
    " * (weights.sum(-1, keepdim=True) > 0)"
)


def chooses(**table: tuple[str, str]) -> Iterator[Mistake]:
    """Another position: id → (why, the position)."""
    return (mistake(id, why, result(HOT.replace("{}", put))) for id, (why, put) in table.items())


def swaps(find: str, **table: tuple[str, str]) -> Iterator[Mistake]:
    return (mistake(id, why, edit(find, put)) for id, (why, put) in table.items())


LATER = "`uniform` is compared with each weight alone: the weights have to be summed up from the left"
EXCEED = "uniform.unsqueeze(-1) * ends[..., -1:]"
PASSED = f"(ends <= {EXCEED}).sum(-1)"
ADVANTAGE = "(log_likelihood - baseline).detach()"
SECOND = "reward_weight * advantage * log_choice"
LEAK = "the reward is a number here, not a way back: a gradient passes through it"
NO_WORD = "log p(y|s) itself is missing: then the network that predicts the word learns nothing"
BIASED = "a baseline that has seen the draw it judges is biased"
REWARDS = "(log_likelihoods - baseline).unsqueeze(-1)"
RETURNS = "rewards.flip(-1).cumsum(-1).flip(-1)"
OTHERS = "(returns.sum(0) - returns) / (len(returns) - 1)"
OPEN = f"""\
open_rewards = log_likelihood.masked_fill(~target_mask, 0.0)
open_returns = {RETURNS.replace("rewards", "open_rewards")}
"""
TOTAL = "(weights * target_mask.unsqueeze(-1)).sum(dim=1)"
PENALTY = "(({x} - total).square() * source_mask).sum(dim=-1)"
FROM_1 = PENALTY.replace("{x}", "1")  # a variant has another
FAIR = "biases < 1e-4"
MEANS = "(chances * (tables - exact)).sum(-2)"
SQUARES = "(tables - exact).square()"
BIASES = f"{MEANS}.abs().amax((1, 2))"
ALL = ["none", "own", "best", "half", "plain"]

check = Checker(
    __name__,
    {
        "choice_at": Task(
            choice_at,
            "choice_at: one-hot rows, each position on its own stretch of the numbers; padding never, zeros give zeros",
            [
                visible(), visible("positions of weight 0", kind="holes"),
                visible("at 0, with positions of weight 0", kind="zero"), visible("a row of zeros", kind="empty row"),
                hidden("a batch of one sentence", batch=1, keys=6), hidden("sentences of one key", batch=3, keys=1),
                hidden("many keys", batch=6, keys=12), hidden("float64", dtype=torch.float64),
                hidden("weights (batch, steps, keys)", batch=2, steps=3, keys=4),
                hidden("rows that sum to a little less than 1, a number just below 1", kind="below one"),
                hidden("numbers exactly where a stretch ends", kind="ends"),
            ], stretches, {"batch": 4, "keys": 5}, {"choice": "batch keys"}, no_way_back, gradients=False,
            mistakes=[
                *chooses(
                    largest=("the position of the largest weight: then nothing is drawn", "weights.argmax(-1)"),
                    even=("every position has the same stretch here: the weights are not used",
                          "(uniform * weights.size(-1)).long()"),
                    before=("this is the position before the one that the number falls on",
                            f"(ends <= {EXCEED}).sum(-1) - 1"),
                    after=("this is the position after the one that the number falls on",
                           f"(ends <= {EXCEED}).sum(-1) + 1"),
                    not_summed=(LATER, "(weights > uniform.unsqueeze(-1)).int().argmax(-1)"),
                    nearest=(LATER, "(weights - uniform.unsqueeze(-1)).abs().argmin(-1)"),
                    reaches=("a position of weight 0 is chosen at 0: the sum has to exceed the number, not to reach it",
                             f"(ends >= {EXCEED}).int().argmax(-1)"),
                ),
                mistake("weights", "these are the weights: a draw takes one position, wholly", result("weights * 1")),
                mistake("all_after", "all positions from the chosen one on are 1: only the first is", result("passed")),
                mistake("all_before", "all positions before the chosen one are 1", result("1 - passed")),
                mistake("empty_row", "a row of zeros chooses a position; it gives zeros", result(
                    f"F.one_hot((ends <= {EXCEED}).sum(-1) % weights.size(-1), weights.size(-1)).to(weights)")),
                mistake("empty_row_last", "a row of zeros chooses the last position; it gives zeros", result(
                    f"F.one_hot({PASSED}.clamp(max=weights.size(-1) - 1), weights.size(-1)).to(weights)")),
                mistake("right_to_left", "the weights are summed up from the right, or 1 − u is used in place of u",
                        edit("uniform.unsqueeze(-1)", "(1 - uniform.unsqueeze(-1))")),
                mistake("by_size", "the stretches lie in order of size; they should lie in order of position", body(
                    "order = weights.detach().argsort(-1, descending=True)\n"
                    "ends = weights.detach().gather(-1, order).cumsum(-1)\n"
                    f"passed = (ends > {EXCEED}).to(weights.dtype)\n"
                    "first = passed.diff(prepend=torch.zeros_like(passed[..., :1]))\n"
                    "return torch.zeros_like(passed).scatter(-1, order, first)")),
                mistake("number_of_sentence_0", "the number of sentence 0 is used for every sentence",
                        start("uniform = uniform[:1].expand_as(uniform)")),
                mistake("position", "this is the number of the position: wanted is a row with a 1 at the position",
                        result("({x}).argmax(-1)")),
                mistake("sum_is_1", "the whole sum may be a little below 1: the number has to be taken times it",
                        edit(EXCEED, "uniform.unsqueeze(-1)"), caught="hidden"),
                mistake("past_the_end", "a number past the whole sum, which may be a little below 1, chooses the "
                        "last position, be it padding",
                        result(HOT.replace("{}", "(ends <= uniform.unsqueeze(-1)).sum(-1)")), caught="hidden"),
            ],
            variants=[
                variant(
                    "from_the_right",
                    body(
                        "ends = weights.detach().flip(-1).cumsum(dim=-1)\n"
                        "passed = (ends > uniform.unsqueeze(-1) * ends[..., -1:]).to(weights.dtype)\n"
                        "return passed.diff(prepend=torch.zeros_like(passed[..., :1])).flip(-1)"
                    ),
                    text={
                        r"\min \Big\{ i : \sum_{j \le i} \alpha_j": r"\max \Big\{ i : \sum_{j \ge i} \alpha_j",
                        "Lay the weights end to end, as in the warm-up.": "Lay the weights end to end, as in the "
                        "warm-up, but from the last position to the first.",
                        "The ends are sums from the left.": "The ends are sums from the right.",
                        "The weights are laid end to end,": "The weights are laid end to end, the last one first,",
                    },
                )
            ],
        ),
        "score_function_objective": Task(
            score_function_objective,
            "objective: its gradient is that of log p(y|s), plus λ (log p(y|s) − b) times that of log p(s)",
            [
                visible(), visible("a baseline", baseline=-1.5),
                visible("a baseline that is a tensor, reward weight 0.3", baseline="tensor", reward_weight=0.3),
                hidden("draws (batch, steps)", shape=(3, 4), baseline=-2.0),
                hidden("a single draw", shape=(1,), baseline=-2.0), hidden("a draw without an axis", shape=()),
                hidden("words and positions that are hardly probable", lower=150.0, baseline=-2.0),
                hidden("a baseline for each draw, which asks for gradients", shape=(4,), baseline="each"),
                hidden("a baseline for each sentence, (batch, 1)", shape=(3, 4), baseline="sentence"),
                hidden("reward weight 2", shape=(4,), baseline=-2.0, reward_weight=2.0),
                hidden("float64", shape=(4,), baseline=-3.0, dtype=torch.float64),
            ], drawn_words, {"shape": (5,)},
            {"shape of the objective": "", "gradient at log_likelihood": "draws", "gradient at log_choice": "draws"},
            with_slopes, gradients=False,
            mistakes=[
                *swaps(
                    ADVANTAGE, leak=(LEAK, "log_likelihood - baseline"),
                    no_baseline=("the baseline is not used", "log_likelihood.detach()"),
                    baseline_added=("the baseline is added; it should be subtracted",
                                    "(log_likelihood + baseline).detach()"),
                    likelihood=("the likelihood itself is used as the reward; its logarithm should be",
                                "(log_likelihood.exp() - baseline).detach()"),
                    mean_reward=(f"the mean reward is subtracted from each: {BIASED}",
                                 "(log_likelihood - log_likelihood.mean()).detach()"),
                    one_for_all=("the rewards are replaced by their mean: each draw answers for its own",
                                 "(log_likelihood - baseline).mean().detach()"),
                    clipped=("negative rewards are left out: a draw that did badly has to become rarer",
                             "(log_likelihood - baseline).clamp(min=0).detach()"),
                    weighted_reward=("the baseline is not weighted: λ multiplies the whole of log p(y|s) − b",
                                     "(reward_weight * log_likelihood - baseline).detach() / reward_weight"),
                    into_baseline=("no gradient may flow into the baseline", "log_likelihood.detach() - baseline"),
                ),
                *swaps(
                    f"log_likelihood + {SECOND}",
                    baseline_twice=("the baseline is subtracted from the first term too, and gets a gradient there",
                                    f"log_likelihood - baseline + {SECOND}"), second_alone=(NO_WORD, SECOND),
                    first_alone=("log p(s) is not used: the weights would never learn", "log_likelihood"),
                    loss=("the sign is turned round: the objective is to be maximised, a loss is made of it later",
                          f"-(log_likelihood + {SECOND})"),
                    subtracted=("the reward is subtracted where it is added", f"log_likelihood - {SECOND}"),
                    exchanged=("log p(s) is held constant, and the reward is not; it should be the other way round",
                               "log_likelihood + reward_weight * (log_likelihood - baseline) * log_choice.detach()"),
                    no_weight=("the reward weight is not used", "log_likelihood + advantage * log_choice"),
                    weight_on_both=("the reward weight belongs to the second term alone",
                                    "reward_weight * (log_likelihood + advantage * log_choice)"),
                    probability=("this is the gradient of p(s), not of log p(s), which the mean over draws asks for",
                                 f"log_likelihood + {SECOND}.exp()"),
                    no_reward=("the gradient of log p(s) is not weighted by the reward",
                               "log_likelihood + reward_weight * log_choice"),
                    joint=("log p(s) itself is added as well: it has a gradient that does not depend on the reward",
                           f"log_likelihood + log_choice + {SECOND}"),
                    averaged=("there is an objective for every draw; the caller averages, and masks what is padding",
                              f"(log_likelihood + {SECOND}).mean()"),
                ),
            ],
        ),
        "score_estimates": Task(
            score_estimates,
            "estimates: a row per possible draw, its reward times the gradient of its log-weight; the mean is exact",
            [
                visible(), visible("a baseline", baseline=-2.5),
                hidden("a batch of one sentence", shape=(1, 5), baseline=1.5),
                hidden("sentences of one key", shape=(3, 1), baseline=-1.0),
                hidden("many keys", shape=(2, 9), baseline=-3.0),
                hidden("weights (batch, steps, keys)", shape=(2, 3, 4), baseline=-1.0),
                hidden("float64", baseline=-1.0, dtype=torch.float64), hidden("a position of weight 0", hole=True),
            ], estimates_of, {"shape": (3, 4)}, {"estimates": "batch drawn keys"}, table, gradients=False,
            mistakes=[
                mistake("axes", "rows and columns are exchanged: the first of the two axes is the position drawn",
                        result("({x}).mT")),
                *swaps(
                    REWARDS,
                    reward_of_key=("the reward is that of the key, not of the position drawn: every row has one reward",
                                   "(log_likelihoods - baseline).unsqueeze(-2)"),
                    no_baseline=("the baseline is not used", "log_likelihoods.unsqueeze(-1)"),
                    likelihood=("the likelihood itself is used as the reward; its logarithm should be",
                                "(log_likelihoods.exp() - baseline).unsqueeze(-1)"),
                    no_reward=("the reward is missing", "torch.ones_like(log_likelihoods).unsqueeze(-1)"),
                    own_mean=("the mean reward is subtracted, not the baseline that is given",
                              "(log_likelihoods - (weights * log_likelihoods).sum(-1, keepdim=True)).unsqueeze(-1)"),
                ),
                *swaps(
                    "unit - weights.unsqueeze(-2)",
                    weight_of_drawn=("the weight of the position drawn is subtracted everywhere; each key has its own",
                                     "unit - weights.unsqueeze(-1)"),
                    no_weights=("the weights are missing: a softmax lowers the others where it raises one", "unit"),
                    no_unit=("[i = j] is missing: nothing raises the position that was drawn",
                             "-weights.unsqueeze(-2)"),
                    logarithms=("the logarithms of the weights are subtracted", "unit - weights.log().unsqueeze(-2)"),
                ),
                mistake("exact", "every row is the exact gradient; a row is what its draw alone would estimate", result(
                    "(weights * (log_likelihoods - (weights * log_likelihoods).sum(-1, keepdim=True)))"
                    ".unsqueeze(-2) + 0 * {x}")),
                mistake("weighted", "each row is weighted with its probability already: the draw sees to that",
                        result("weights.unsqueeze(-1) * {x}")),
                mistake("mean_of_all",
                        "this is the mean over the draws: there is a row for every position that could be drawn",
                        result("(weights.unsqueeze(-1) * {x}).sum(-2)")),
            ],
        ),
        "rollout_objective": Task(
            rollout_objective,
            "objective for sentences: every draw is paid by its own word and the later ones, less what other draws got",
            [
                visible(lengths=[4, 5, 2]), visible("two draws", draws=2, lengths=[3, 3]),
                hidden("a batch of one sentence", draws=4, lengths=[6]),
                hidden("sentences of one word", draws=3, lengths=[1, 1, 1, 1]),
                hidden("much padding", draws=2, lengths=[2, 4], width=9),
                hidden("padding in front, too", lengths=[2, 4], width=7, moved=2),
                hidden("a sentence without a real word", draws=3, lengths=[0, 3]),
                hidden("float64", draws=5, lengths=[3, 4], dtype=torch.float64),
            ], rollouts, {"draws": 4},
            {"shape of the objective": "", **dict.fromkeys(
                ("gradient at log_likelihood", "gradient at log_choice"), "draws batch steps")},
            with_slopes, gradients=False,
            mistakes=[
                *swaps(
                    RETURNS, own_word=("a draw is paid for its own word alone; it moves the later ones too", "rewards"),
                    earlier=("a draw is paid for the words before it, which it cannot move", "rewards.cumsum(-1)"),
                    later_only=("a draw is paid for the later words alone, not for its own", f"{RETURNS} - rewards"),
                    whole=("every draw is paid for the whole sentence, the words before it too, which it cannot move",
                           "rewards.sum(-1, keepdim=True).expand_as(rewards)"),
                ),
                *swaps(
                    OTHERS, own_too=(f"the mean has the draw itself in it: {BIASED}", "returns.mean(0)"),
                    sum_of_others=("the returns of the other draws are summed; their mean is taken",
                                   "returns.sum(0) - returns"),
                    over_batch=("the baseline is averaged over the sentences; it should be averaged over the same "
                                "sentence's other draws",
                                "(returns.sum(1, keepdim=True) - returns) / max(1, returns.size(1) - 1)"),
                    no_baseline=("there is no baseline", "0.0"),
                    of_words=("the baseline is what the other draws got for this word alone, beside returns to the end",
                              "(rewards.sum(0) - rewards) / (len(returns) - 1)"),
                    all_divide=("the returns of the K − 1 other draws are divided by K",
                                "(returns.sum(0) - returns) / len(returns)"),
                    own_divided=("only the draw's own return is divided by K − 1; the sum of the others should be",
                                 "returns.sum(0) - returns / (len(returns) - 1)"),
                ),
                mistake("leak", LEAK, edit("log_likelihood.detach()", "log_likelihood")),
                mistake("leak_of_baseline", "a gradient passes through the baseline, which is made of rewards too",
                        edit("baseline = {x}", f"{OPEN}baseline = {OTHERS.replace('returns', 'open_returns')}")),
                mistake("leak_of_return", LEAK,
                        edit("baseline = {x}", f"{OPEN}baseline = {{x}}\nreturns = open_returns")),
                mistake("padding_in_returns", "what stands in the padding is in the returns",
                        edit("log_likelihood.detach().masked_fill(~target_mask, 0.0)", "log_likelihood.detach()")),
                mistake("padding_steps", "the steps of padding have terms of their own",
                        edit("terms.masked_fill(~target_mask, 0.0).sum(-1)", "terms.sum(-1)")),
                mistake("no_words", NO_WORD, edit("log_likelihood + {x}", "{x}")),
                mistake("draws_summed", "the draws are summed; they should be averaged",
                        edit("{x}.mean(0)", "{x}.sum(0)")),
                mistake("mean_over_steps", "the words of a sentence are averaged; they should be summed",
                        edit("{x}.sum(-1).mean(0)", "({x}.sum(-1) / target_mask.sum(-1).clamp(min=1)).mean(0)")),
                mistake("one_number", "each sentence has an objective of its own", result("({x}).mean()")),
            ],
            variants=[
                variant(
                    "whole_sentence", edit(RETURNS, "rewards.sum(-1, keepdim=True).expand_as(rewards)"),
                    text={
                        r"\sum_{t' \ge t} m_{t'}": r"\sum_{t'} m_{t'}",
                        "draws that affect all that follows": "draws that are rewarded for the whole sentence",
                        "so earlier words do not count towards its reward.":
                        "but Xu et al. reward it for the whole sentence, and so do you.",
                        "the words from $t$ on": "all words of the sentence",
                        "in which the *last* word is in every term": "that is the same at every step",
                    },
                )
            ],
        ),
        "judge_estimators": Task(
            judge_estimators,
            "judge: the bias of every estimator, its variance, and the calmest of those that are right on average",
            [
                visible("five candidates", kinds=ALL),
                visible("the same in another order", kinds=["plain", "half", "none", "own", "best"]),
                visible("one that is right for every word but the last", kinds=["far", "once", "none"]),
                visible("one whose biases cancel over the batch", kinds=["none", "cancels"]),
                visible("one that is a little too low everywhere", kinds=["lowered", "far", "none"]),
                visible("two that are right on average", kinds=["none", "half", "best"]),
                visible("one that is wild at a single word", batch=4, kinds=["swaying", "wild at a word"]),
                hidden("one that is wild at a single word", batch=5, kinds=["wild at a word", "swaying"]),
                hidden("one that is calm but for a word", batch=5, kinds=["wild at a word", "swaying less"]),
                hidden("biases near the bound, one at one word and score", kinds=["far", "just unfair", "just fair"]),
                hidden("a fair one that is very wild", kinds=["own", "own", "wildest"], dtype=torch.float64),
                hidden("none is right", kinds=["own", "half", "once"]),
                hidden("one that would be right if every position were drawn equally often", kinds=["by count", "far"]),
                hidden("two calm ones", batch=2, keys=6, kinds=["far", "plain", "best", "own"]),
                hidden("a single word", batch=1, keys=4, kinds=["half", "none", "best"]),
                hidden("a single candidate", kinds=["far"]),
                hidden("a gradient far larger than the spread of its estimates", kinds=STEEP),
                hidden("float64", kinds=["plain", "once", "best", "cancels"], dtype=torch.float64),
            ], candidates, {"batch": 3, "keys": 5}, {"biases": "candidates", "variances": "candidates", "taken": ""},
            gradients=False, mistakes=[
                mistake("calmest", "the bias is not looked at: the calmest has one", edit(FAIR, "biases < torch.inf")),
                mistake("bound", "0.0001 bounds the largest bias over words and scores: no mean, no larger bound",
                        edit(FAIR, "biases < 1e-3"), caught="hidden"),
                mistake("large_number", "the biased get a large number, which the variance of a fair one may exceed",
                        edit("{x}.masked_fill(~fair, torch.inf)", "{x}.masked_fill(~fair, 1e6)"), caught="hidden"),
                mistake("first_fair", "the first that is right on average is taken, not the calmest of them",
                        edit("taken = {x}", "taken = int(fair.int().argmax()) if fair.any() else -1")),
                mistake("wildest", "the wildest is taken, not the calmest",
                        edit("{x}.masked_fill(~fair, torch.inf).argmin()", "{x}.masked_fill(~fair, -1).argmax()")),
                mistake("least_bias", "the smallest bias is looked for: below 0.0001 it is rounding, and says nothing",
                        edit("taken = {x}", "taken = int(biases.argmin()) if fair.any() else -1")),
                mistake("first_word", "the bias is looked at in the first word alone",
                        edit(BIASES, f"{MEANS}[:, :1].abs().amax((1, 2))")),
                mistake("mean_bias", "biases of opposite sign cancel over the batch: look at each word",
                        edit(BIASES, f"{MEANS}.mean(1).abs().amax(-1)")),
                mistake("size_averaged", "the sizes of the words' biases are averaged; the largest is the candidate's",
                        edit(BIASES, f"{MEANS}.abs().amax(-1).mean(-1)")),
                mistake("own_mean", "the variance is measured from the candidate's own mean, which hides its bias",
                        edit(SQUARES, "(tables - (chances * tables).sum(-2, keepdim=True)).square()")),
                mistake("multiplied_out",
                        "the square is multiplied out, and the small difference of large terms is lost: subtract first",
                        edit(SQUARES, "(tables.square() - 2 * tables * exact + exact.square())"), caught="hidden"),
                mistake("averaged_scores", "the squares are averaged over the scores; they should be summed",
                        edit("{x}.sum((-1, -2)).mean(-1)", "{x}.sum(-2).mean((-1, -2))")),
                mistake("even_variance", "the variance is averaged as if each position were drawn equally often",
                        edit(f"chances * {SQUARES}", f"{SQUARES} / tables.size(-1)")),
                mistake("number_among_fair", "the number is counted among those that are right on average alone",
                        edit("taken = {x}", "taken = int(variances[fair].argmin()) if fair.any() else -1")),
                mistake("calmest_or_none", "if the calmest of all has a bias, none is taken; another may be fair",
                        edit("taken = {x}", "taken = int(variances.argmin()) if fair[variances.argmin()] else -1")),
                mistake("equal_chances", "the positions are averaged as if each were drawn equally often",
                        edit("weights.unsqueeze(-1)", "torch.ones_like(weights).unsqueeze(-1) / weights.size(-1)")),
                mistake("always_one", "there may be none that is right on average: then it is -1",
                        edit("int({x}) if fair.any() else -1", "int({x})"), caught="hidden"),
            ],
            variants=[
                variant("worst_word", edit("{x}.sum((-1, -2)).mean(-1)", "{x}.sum((-1, -2)).amax(-1)"),
                        text={"its variance is a mean over the words.": "so is its variance."})
            ],
        ),
        "doubly_stochastic_penalty": Task(
            doubly_stochastic_penalty,
            "penalty: each real position's share over the real steps, its squared distance from 1, gradients",
            [
                visible(sources=[3, 5, 4], targets=[6, 2, 4]), visible("a single step", sources=[4, 2], targets=[1, 1]),
                hidden("a batch of one sentence", sources=[5], targets=[3]),
                hidden("a single position", sources=[1, 1, 1], targets=[4, 2, 1]),
                hidden("padding on the left", sources=[2, 5, 3], targets=[4, 3, 2], left=True),
                hidden("a sentence without real positions", sources=[4, 0], targets=[3, 2]),
                hidden("a sentence without real steps", sources=[4, 3], targets=[0, 2]),
                hidden("float64", sources=[6, 2, 4], targets=[3, 5, 2], dtype=torch.float64),
            ], glances, results={"penalty": "batch"},
            mistakes=[
                *swaps(
                    TOTAL, no_target_mask=("steps of padding are counted", "weights.sum(dim=1)"),
                    polarity=("the mask of the steps is turned round", "(weights * ~target_mask.unsqueeze(-1)).sum(1)"),
                    averaged=("the weights are averaged over the steps; they should be summed",
                              f"{TOTAL} / target_mask.sum(-1, keepdim=True).clamp(min=1)"),
                ),
                *swaps(
                    PENALTY, no_source_mask=("padding positions are counted", "({x} - total).square().sum(-1)"),
                    no_square=("the square is missing", "(({x} - total) * source_mask).sum(-1)"),
                    absolute=("the distance is not squared", "(({x} - total).abs() * source_mask).sum(-1)"),
                    no_one=("the 1 is missing", "(total.square() * source_mask).sum(-1)"),
                    mean=("the positions are averaged, not summed", f"{PENALTY} / source_mask.sum(-1).clamp(min=1)"),
                    root=("the root is taken of the sum of squares", f"{PENALTY}.sqrt()"),
                    of_sum=("the sum is squared, not each position's distance",
                            "(({x} - total) * source_mask).sum(-1).square()"),
                    batch=("each sentence has a penalty of its own", "(({x} - total).square() * source_mask).sum()"),
                    not_summed=("the positions are still to be summed", "({x} - total).square() * source_mask"),
                ),
                mistake("steps_per_position", "the weights of a position should sum to 1, not to steps over positions",
                        edit("1 - total", "weights.size(1) / weights.size(2) - total")),
                mistake("padding_away", "padding of the source has a share of 0, and pays for being 1 away from 1",
                        edit(PENALTY, "({x} - total * source_mask).square().sum(-1)")),
                mistake("no_steps", "without a real step nothing is looked at: every position is 1 away, not 0",
                        edit(FROM_1, f"{FROM_1} * target_mask.any(-1)"), caught="hidden"),
                mistake("neither", "neither mask is used", edit(TOTAL, "weights.sum(dim=1)"),
                        edit(PENALTY, "({x} - total).square().sum(-1)")),
                mistake("over_positions", "the sum runs over the positions of each step; it should run over the steps "
                                          "of each position",
                        edit(TOTAL, "(weights * source_mask.unsqueeze(1)).sum(dim=2)"),
                        edit(PENALTY, "(({x} - total).square() * target_mask).sum(dim=-1)")),
                mistake("each_weight", "the steps are summed first; the distance is that of their sum", edit(PENALTY,
                        "((1 - weights).square() * target_mask.unsqueeze(-1) * source_mask.unsqueeze(1)).sum((1, 2))")),
            ],
            variants=[
                variant(
                    "quotient",
                    edit("1 - total", "(target_mask.sum(-1) / source_mask.sum(-1).clamp(min=1)).unsqueeze(-1) - total"),
                    text={
                        r"P = \sum_i \Big(1 - \sum_t \alpha_{ti}\Big)^2": r"P = \sum_i \Big(\frac{T}{n} - \sum_t "
                        r"\alpha_{ti}\Big)^2",
                        "the real positions of the source": "the $n$ real positions of the source (1 if there is none)",
                        "over the real steps of the target.": "over the $T$ real steps of the target.",
                        "and every position is 1 away.": "and the penalty is 0.",
                        "a position's weights sum to 1 over": "a position's weights sum to $T / n$ over",
                        "Both can hold only where there are as many steps as positions: over": "Both can hold: over",
                        r"penalty is $L (1 - T / L)^2$": "penalty is 0",
                        "Then its distance from 1, squared,": "Then its distance from $T / n$, squared,",
                        r"P = \sum_i \left(1 - \sum_t \alpha_{ti}\right)^2": r"P = \sum_i \left(\frac{T}{n} - \sum_t "
                        r"\alpha_{ti}\right)^2",
                    },
                )
            ],
        ),
    },
)
