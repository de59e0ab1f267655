"""The tasks of ``09_local``: windows given and predicted, the weights in them, and windows that are fetched or move on.

The half width is 3 in the visible cases: with 1 or 2, σ = D/2 is its own square, or D // 2.
"""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.draw import Draw
from autograder.checking.edits import edit, start
from autograder.checking.task import Case, Task, hidden, mistake, swaps, variant, visible
from autograder.checking.values import named
from autograder.checking.way import cost
from seq2seq.exercises.local import attend_fetched, graves_window
from seq2seq.local.attention import CentrePredictor, favour_centre, in_window, window_positions, window_softmax

SIZES = {"queries": 5, "keys": 11, "half_width": 3, "lengths": (8, 11), "key_size": 4, "value_size": 6}
# Between words and on them, beyond both ends, with a word exactly D away, and around nothing that is real.
CENTRES = [[0.25, 4.0, 8.5, 5.75, -1.5], [3.5, 6.25, 11.25, 2.0, 14.0]]


def windows(
    draw: Draw, queries: int, keys: int, half_width: int, lengths: tuple[int, ...], kind: str = "", left: bool = False
) -> dict[str, Any]:
    """``kind``: of the centres, or "own": positions of each query's own; "spike": a high score far from the centre;
    "middle": keys from within their sentence, mixed; "huge": scores far from 0; "near": edges that are just missed."""
    batch = len(lengths)
    centres = draw.whole(-1, keys + 2, batch, queries)
    if kind in ("", "far"):  # in quarters, so that distances are exact and some edges are met exactly
        low, high = (-6, 4 * keys + 6) if not kind else (-400, 400)
        centres = draw.whole(low, high, batch, queries).to(draw.dtype) / 4
    elif kind == "near":
        centres = (centres + (draw.whole(0, 2, batch, queries) - 0.5) / 100_000).to(draw.dtype)
    elif kind != "whole":
        centres = torch.tensor(CENTRES, dtype=draw.dtype)
    mask, positions = draw.mask(list(lengths), keys, left).unsqueeze(1), torch.arange(keys)
    if kind == "middle":
        positions = 4 + torch.tensor(draw.order(keys))
    if kind == "own":
        positions = window_positions(centres, half_width)
        real = mask.squeeze(1)[torch.arange(batch).view(-1, 1, 1), positions.clamp(0, keys - 1)]
        mask = real & (positions >= 0) & (positions < keys)
    scores = draw.normal(batch, queries, positions.size(-1), scale=1.5)
    if kind == "spike":  # its exponential is infinite
        far = (positions - centres.unsqueeze(-1)).abs().argmax(-1, keepdim=True)
        scores = scores.scatter(-1, far, 300.0)
    if kind == "huge":
        scores = scores + torch.where(torch.arange(batch) % 2 > 0, -2e4, 300.0).view(-1, 1, 1).to(scores)
    return dict(scores=scores, positions=positions, centres=centres, half_width=half_width, source_mask=mask)


def favoured(draw: Draw, **given: Any) -> dict[str, Any]:
    drawn = windows(draw, **{name: value for name, value in given.items() if not name.endswith("_size")})
    weights = draw.shares(*drawn["scores"].shape) * (drawn["scores"] > -1)
    return {"weights": weights} | {name: drawn[name] for name in ("positions", "centres", "half_width")}


def states(
    draw: Draw, queries: int, hidden_size: int, lengths: list[int], columns: int = 0, left: bool = False, scale: int = 1
) -> dict[str, Tensor]:
    hidden_states = draw.normal(len(lengths), queries, hidden_size, scale=scale)
    return {"hidden": hidden_states, "source_mask": draw.mask(list(lengths), columns, left)}


def fetched(draw: Draw, key_size: int, value_size: int, **given: Any) -> dict[str, Any]:
    drawn = windows(draw, **given)
    batch, queries, keys = drawn["scores"].shape
    vectors = [draw.normal(batch, *shape) for shape in ((queries, key_size), (keys, key_size), (keys, value_size))]
    if given.get("kind") == "huge":  # scores above 100 in one sentence, below −100 in the next
        signs = 1 - 2 * (torch.arange(batch) % 2).view(-1, 1, 1)
        vectors[0], vectors[1] = 60 * vectors[0].abs() + 60, signs * vectors[1].abs() + signs
    if given.get("kind") == "beyond":  # no window reaches the first and the last words, nor does what is fetched for it
        drawn["centres"] = drawn["half_width"] + 2 + drawn["centres"].abs() % (keys - 2 * drawn["half_width"] - 5)
        for vector in vectors[1:]:
            vector[:, [0, 1, -2, -1]] = torch.nan
    names = ("queries", "keys", "values", "source_mask", "centres", "half_width")
    window = drawn["source_mask"].squeeze(1), drawn["centres"], drawn["half_width"]
    return dict(zip(names, [*vectors, *window], strict=True))


EVERY = "every word of a long sentence is scored"


def from_windows(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, Any]]:
    """And whether 60 queries of one sentence store a number or more for each further word, which no window reaches.

    The vectors have two numbers each, so that what is stored for a word alone, such as a copy of its key with room at
    the ends, is less than half of that. There are few queries, as an answer may loop over them.
    """
    yield from named(answer(*vars(given).values()), "contexts", "weights")
    times, more = 60 // given.queries.size(1) + 1, 30 * given.keys.size(1)
    short = {name: value[:1] if isinstance(value, Tensor) else value for name, value in vars(given).items()}
    short |= {name: short[name][..., :2].contiguous() for name in ("queries", "keys", "values")}
    short |= {"queries": short["queries"].repeat(1, times, 1), "centres": short["centres"].repeat(1, times)}
    padding = {"keys": (0, 0, 0, more), "values": (0, 0, 0, more), "source_mask": (0, more)}
    long = {**short, **{name: torch.nn.functional.pad(short[name], sizes) for name, sizes in padding.items()}}
    stored = cost(answer, *long.values()).numbers - cost(answer, *short.values()).numbers
    yield EVERY, 2 * stored > short["centres"].numel() * more


def bells(draw: Draw, queries: int, bells: int, lengths: tuple[int, ...], left: bool = False) -> dict[str, Tensor]:
    raw, before = draw.normal(len(lengths), queries, 3 * bells, scale=0.5), draw.uniform(len(lengths), bells, low=-2.0)
    return {"raw": raw, "before": before, "source_mask": draw.mask(list(lengths), left=left)}


def moved_on(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, Tensor]]:
    """All queries at once; then in two parts, the second from where the first one ends."""
    before, middle = given.before.clone(), given.raw.size(1) // 2
    yield from named(answer(given.raw, given.before, given.source_mask), "weights", "centres")
    _, centres = answer(given.raw[:, :middle], before, given.source_mask)
    yield "weights of the second half", answer(given.raw[:, middle:], centres[:, -1], given.source_mask)[0]


def cases(*more: Case) -> list[Case]:
    return [
        visible(kind="fixed"), *(case for case in more if not case.hidden),
        hidden("half width 1", half_width=1, kind="fixed"),
        hidden("half width 5", half_width=5, keys=14, lengths=(9, 14, 3), queries=4),
        hidden("a batch of one sentence", lengths=(11,)), hidden("one query", queries=1, lengths=(11, 5, 8, 6)),
        hidden("sentences of one word", keys=1, lengths=(1, 1, 1)),
        hidden("float64", kind="fixed", dtype=torch.float64), *(case for case in more if case.hidden),
    ]


WHOLE = hidden("centres that are whole numbers (int64)", kind="whole", lengths=(11, 7, 9), gradients=False)
OF_EACH = hidden("positions of each query's own", kind="own")
MIDDLE = hidden("keys in another order, from the middle of their sentence on", kind="middle")
BEYOND = hidden("words that no window reaches, which are not finite", kind="beyond", keys=17, lengths=(17, 15))
FAR, LEFT, HUGE = (hidden("centres far beyond both ends", kind="far"), hidden("padding on the left", left=True),
                   hidden("scores near 300 and far below 0", kind="huge", lengths=(11, 11)))


OFFSET, INSIDE = "(positions - centres.unsqueeze(-1))", "(positions - centres.unsqueeze(-1)).abs() <= half_width"
WINDOWS = f"""
edges → the two edges are left out: a word exactly D away is inside → {OFFSET}.abs() < half_width
right_edge → the right edge is left out: both are inside → (-half_width <= {OFFSET}) & ({OFFSET} < half_width)
left_edge → the left edge is left out: both are inside → (-half_width < {OFFSET}) & ({OFFSET} <= half_width)
all_before → everything before the centre is inside the window; only what is near enough should be → \
{OFFSET} <= half_width
all_after → everything after the centre is inside the window; only what is near enough should be → \
{OFFSET} >= -half_width
past_only → only words up to the centre are inside → (-half_width <= {OFFSET}) & ({OFFSET} <= 0)
future_only → only words from the centre on are inside → (0 <= {OFFSET}) & ({OFFSET} <= half_width)
d_in_all → the window is half as wide as it should be: D words on each side, not D in all → {INSIDE} / 2
double → the window is twice as wide as it should be: D words on each side → {INSIDE} * 2
from_1 → positions are counted from 1 here; they count from 0 → ({OFFSET} + 1).abs() <= half_width
rounded → the centre is rounded; it may lie between words → {INSIDE.replace("centres", "centres.round()")}
cut → the centre is cut to a whole number; it may lie between words → {INSIDE.replace("centres", "centres.long()")}
pulled_back → a centre beyond the words is pulled back to the nearest, which fills windows that are empty → \
{INSIDE.replace("centres", "centres.clamp(0, positions.max())")}
query_0 → the centre of query 0 is used for every query → {INSIDE.replace("centres", "centres[:, :1]")}
sentence_0 → the centres of sentence 0 are used for all → {INSIDE.replace("centres", "(0 * centres + centres[:1])")}
"""
SOFTMAX, WITHIN = "masked_softmax(scores, source_mask & inside)", "(source_mask & inside)"
SHARE = "after the softmax, so the words inside no longer share all of the 1"
SOFTMAXES = f"""
no_window → the window is ignored: every real word takes part → masked_softmax(scores, source_mask)
no_mask → the mask is ignored: padding within the window takes part → masked_softmax(scores, inside)
neither → mask and window are both ignored → scores.softmax(-1)
window_after → the window comes {SHARE} → masked_softmax(scores, source_mask) * inside
mask_after → the mask comes {SHARE} → masked_softmax(scores, inside) * source_mask
both_after → mask and window come {SHARE} → scores.softmax(-1) * {WITHIN}
either → a word has to be real and inside; here one is enough → masked_softmax(scores, source_mask | inside)
padding_added → all padding takes part besides the window; it never should → \
masked_softmax(scores, inside | ~source_mask)
window_turned → these are the words outside the window → masked_softmax(scores, source_mask & ~inside)
mask_turned → the mask is turned round: True means a real word → masked_softmax(scores, ~source_mask & inside)
zero_scores → the scores outside become 0, which is not low: exp(0) is 1 → (scores * {WITHIN}).softmax(-1)
empty_shares → an empty window shares its 1 among words outside it → scores.masked_fill(~{WITHIN}, -1e9).softmax(-1)
empty_nan → in an empty window, a softmax over −∞ is 0/0 → scores.masked_fill(~{WITHIN}, -torch.inf).softmax(-1)
gaussian → the Gaussian is in it already → {SOFTMAX} * torch.exp(-2 * ({OFFSET} / half_width) ** 2)
no_softmax → these are the scores of the window; the softmax is missing → scores * {WITHIN}
equal_shares → the window is shared equally: the scores are not used → masked_softmax(0 * scores, {WITHIN})
over_queries → the softmax runs over the queries → scores.masked_fill(~{WITHIN}, -1e9).softmax(1) * {WITHIN}
drowned → a word outside took all the weight before it was cut away: cut before the softmax → \
(cut := scores.softmax(-1) * {WITHIN}) / cut.sum(-1, keepdim=True).clamp(min=1e-30)
drowned_by_real → a real word outside took all the weight before it was cut away: cut before the softmax → \
(cut := masked_softmax(scores, source_mask) * inside) / cut.sum(-1, keepdim=True).clamp(min=1e-30)
overflow → the exponential of a high score is infinite: take the highest away first → \
(raw := scores.exp() * {WITHIN}) / raw.sum(-1, keepdim=True).clamp(min=1e-30)
"""

LENGTH, LAYERS = "source_mask.sum(-1, keepdim=True)", "self.position_layer(torch.tanh(self.hidden_layer(hidden)))"
EACH = "each sentence has its own, or padding would move its centres"
LENGTHS = f"""
columns → S is the number of columns of the batch; {EACH} → source_mask.size(1)
longest → S is the length of the longest sentence; {EACH} → source_mask.sum(-1).max()
padding → S counts the padding; the mask is True for real words → (~source_mask).sum(-1, keepdim=True)
of_batch → S counts the real words of the whole batch; each sentence has its own → source_mask.sum()
no_length → S is missing: these are shares between 0 and 1, not positions → 1
one_less → S is one too small: by the equation the centre may come near S itself → ({LENGTH} - 1)
last_place → S is the place of the last real word; count the real words, wherever they stand → \
(source_mask * torch.arange(1, source_mask.size(1) + 1)).amax(-1, keepdim=True)
"""
SHARES = """
no_sigmoid → the sigmoid is missing: nothing keeps the centre within the sentence → logit
tanh_last → a tanh stands in place of the sigmoid: half of its values are negative → torch.tanh(logit)
softmax → a softmax over the queries stands in place of the sigmoid → torch.softmax(logit, -1)
naive → the gradient is 0 · ∞, which is NaN, for a large negative sum: `torch.sigmoid` stands any number → \
1 / (1 + torch.exp(-logit))
tanh_twice → there is a second tanh, before the sigmoid → torch.sigmoid(torch.tanh(logit))
"""
TANHS = """
no_tanh → the tanh is missing, within the sigmoid → {x}
sigmoid_inside → there is a sigmoid in place of the tanh as well → torch.sigmoid({x})
relu → there is a ReLU in place of the tanh → torch.relu({x})
"""
MATRICES = """
no_v → v is forgotten: its axis is summed → torch.tanh(self.hidden_layer(hidden)).sum(-1, keepdim=True)
no_w → W is never applied to the state → self.position_layer(torch.tanh(hidden))
"""
PRODUCTS = """
rounded → the centre is rounded: then it has no slope → ({x} * share).round()
floor → the centre is rounded down: then it has no slope → ({x} * share).floor()
inside → S is inside the sigmoid; it should multiply what comes out of it → torch.sigmoid({x} * logit)
"""
SQUEEZED = "squeezed → a bare `.squeeze()` drops the axis of one query as well → {x}.squeeze()"

FACTOR = "torch.exp(-(distances**2) / (2 * sigma**2))"
GAUSSIANS = """
missing → the weights are used as they came: the Gaussian is missing → weights
softmax → a softmax comes after the Gaussian: nothing is normalised again → (weights * torch.exp({e})).softmax(-1)
alone → this is the Gaussian alone: the weights are not used → torch.exp({e}).expand_as(weights)
density → this is the density: at the centre the factor is 1 → weights * torch.exp({e}) / (sigma * math.tau**0.5)
root → the root of the Gaussian is taken → weights * torch.exp({e}).sqrt()
renormalised → the weights are made to sum to 1 again: after the Gaussian nothing is normalised → \
(all := weights * torch.exp({e})) / all.sum(-1, keepdim=True).clamp(min=1e-30)
"""
EXPONENTS = """
sigma_once → σ is not squared in the exponent → torch.exp(-(distances**2) / (2 * sigma))
no_two → the factor 2 before σ² is missing → torch.exp(-(distances**2) / sigma**2)
bracket → σ² multiplies where it divides: mind the brackets → torch.exp(-(distances**2) / 2 * sigma**2)
not_squared → the distance is not squared → torch.exp(-distances.abs() / (2 * sigma**2))
signed → the distance is not squared, and has a sign → torch.exp(-distances / (2 * sigma**2))
no_minus → the minus is missing: the factor grows with the distance → torch.exp(distances**2 / (2 * sigma**2))
"""
SIGMAS = """
sigma_d → σ is D; it should be half of that → half_width
sigma_2d → σ is 2D, four times what it should be → 2 * half_width
sigma_fixed → σ is a fixed number; it should depend on D → 1.0
sigma_whole → σ is cut to a whole number by `//` → half_width // 2 or 1
sigma_of_centres → σ has the dtype of the centres, so that whole ones cut it; it may lie between whole numbers → \
torch.full_like(centres.unsqueeze(-1), half_width / 2)
"""
MOVED = """
rounded → the centre is rounded: it may lie between two words, and then has a slope → centres.round()
cut → the centre is cut to a whole number: then it has no slope → centres.long()
query_0 → the centre of query 0 is used for every query → centres[:, :1]
sentence_0 → the centres of sentence 0 are used for every sentence → (0 * centres + centres[:1])
detached → no gradient reaches the centres: they never learn where to go → centres.detach()
"""

REALS = """
beyond → a place beyond the ends is no word: after `clamp` the word at the edge stands there → {x} & {y}
padding → the mask is not used: padding in the window takes part → (positions == inside) & {y}
below_alone → a place beyond the end is no word: after `clamp` the last word stands there → (positions >= 0) & {x} & {y}
no_edge → the last of the 2D + 1 places may lie more than D off, and so outside → (positions == inside) & {x}
"""
BELL = """
no_gaussian → the Gaussian is missing → {w}
in_scores → the Gaussian comes after the softmax, not into it → masked_softmax(scores * torch.exp(-2 * {x} ** 2), real)
renormalised → the Gaussian is normalised away again → masked_softmax(scores - 2 * {x} ** 2, real)
sigma_d → σ is D; it should be half of that → {w} * torch.exp(-0.5 * {x} ** 2)
"""
FETCHED = [
    *swaps("(positions == inside) & {x} & {y}", REALS),
    *swaps("{p}.clamp(0, {n})", "wraps → Python counts a place below 0 from the end → {p}.clamp(max={n})"),
    *swaps("inside = {x}", "clamped → the clamped places are taken for positions, so that the word at an edge counts \
several times → positions = inside = {x}"),
    *swaps("({x} - half_width).ceil()", "round → the places begin at the rounded centre less D, not at ⌈p − D⌉ → \
{x}.round() - half_width"),
    *swaps("{x}.ceil()", "floor → p − D is rounded down: the window then misses its last word → {x}.floor()"),
    *swaps("{w} * torch.exp(-2 * {x} ** 2)", BELL),
    *swaps("values[rows, {x}]", "values_0 → every sentence sums the words of sentence 0 → values[0 * rows, {x}]"),
    *swaps("keys[rows, {x}]", "keys_0 → every sentence scores the words of sentence 0 → keys[0 * rows, {x}]"),
    *swaps("source_mask[rows, {x}]", "mask_0 → the mask of sentence 0 is used for all → source_mask[0 * rows, {x}]"),
    *swaps("queries.unsqueeze(-1)", "scaled → the scores are scaled; plain dot products are asked for → \
queries.unsqueeze(-1) / queries.size(-1) ** 0.5"),
    mistake("gaussian_returned", "the contexts are sums without the Gaussian, which only the returned weights have",
            edit("weights = {s} * {g}", "weights = {s}\nfavoured = weights * {g}"),
            edit("return {c}, weights", "return {c}, favoured")),
    mistake("pushed_inside", "a window beyond an end is moved inside, and its places are no longer those asked for",
            edit("first = {x}", "first = {x}.clamp(0, max(keys.size(1) - 2 * half_width - 1, 0))")),
    mistake("query_0", "every query has the window of query 0", start("centres = 0 * centres + centres[:, :1]")),
    *swaps("({k} @ queries.unsqueeze(-1)).squeeze(-1)", "all_scored → every word is scored, and the window is fetched \
from the scores: that costs as much as without a window → (queries @ keys.nan_to_num().mT).gather(-1, inside)"),
]

CENTRES_OF = """
no_sum → each step starts from the beginning: a centre moves on from where it stood → before.unsqueeze(1) + steps
no_before → the centres before are not used: in decoding every step would begin anew → {x} * 0 + steps.cumsum(1)
over_bells → the steps are added up over the bells, not over the queries → before.unsqueeze(1) + steps.cumsum(-1)
exp_of_sum → the numbers are summed before the exponential; each step is an exponential of its own → \
{x} + steps.log().cumsum(1).exp()
one_late → the centre moves after the look, not before it → before.unsqueeze(1) + steps.cumsum(1) - steps
"""
PLACES = """
from_1 → positions are counted from 1 here; they count from 0 → positions = {x} + 1
real_words → real words alone are counted: a position is a place in the row, padding before it too → \
positions = (source_mask.cumsum(-1) - 1)[:, None, None]
"""
THIRDS = """
other_order → the thirds are taken in another order → widths, heights, steps = {x}
side_by_side → the numbers of a bell are taken to stand side by side; each kind fills a third → \
heights, widths, steps = torch.exp(raw).unflatten(-1, (-1, 3)).unbind(-1)
"""
SUMS = """
mean → the bells are averaged; they should be summed → bells.mean(2) * {m}
no_mask → padding gets weight → bells.sum(2)
normalised → the rows are made to sum to 1 → (all := bells.sum(2) * {m}) / all.sum(-1, keepdim=True)
softmax → a softmax is applied: here there is none → (bells.sum(2) * {m}).softmax(-1)
"""
MOVING = [
    *swaps("{x} + steps.cumsum(1)", CENTRES_OF), *swaps("positions = {x}", PLACES, "real_words"),
    *swaps("torch.exp(raw)", "raw → the exponential is missing: a step may then go back, a width be negative → raw"),
    *swaps("heights, widths, steps = {x}", THIRDS), *swaps("bells.sum(2) * {m}", SUMS),
    mistake("by_length", "real words are counted from the first place; the mask tells where they stand",
            start("source_mask = torch.arange(source_mask.size(1)) < source_mask.sum(1, keepdim=True)"),
            caught="hidden"),
    *swaps("distances**2", "variance → the square is divided by β; it should be multiplied by it → distances**2 / "
                           "widths.unsqueeze(-1) ** 2"),
]

WEIGHTS = {"weights": "batch queries keys"}
EARLIER = (in_window, window_softmax, favour_centre)
LATEX = r"\exp\left(-\frac{(s - p_t)^2}{2 \sigma^2}\right)"  # the Gaussian, as texts have it
REFUSED = "there is no window with a half width below 1, and the Gaussian's σ would be 0: say so with a ValueError"

check = Checker(
    __name__,
    {
        "window_softmax": Task(
            window_softmax,
            "local-m: the real words of the window share the 1, all others get 0, and no window is empty with NaN",
            cases(
                visible("a score of 300 outside the window", kind="spike"),
                visible("half width 0", half_width=0, raises="ValueError"), WHOLE, OF_EACH, MIDDLE, FAR, HUGE, LEFT,
                hidden("edges that are just missed, and just met", kind="near"),
                hidden("a negative half width", half_width=-2, raises="ValueError"),
                hidden("an empty sentence, and windows wider than others", half_width=12, lengths=(5, 3, 0)),
            ),
            windows, SIZES, WEIGHTS, answers=("window_softmax", "in_window"), uses=(in_window,),
            mistakes=[
                *swaps(INSIDE, WINDOWS), *swaps(SOFTMAX, SOFTMAXES),
                mistake("no_error", REFUSED, edit("half_width < 1", "False")),
                mistake("refuses_1", "1 is a half width", edit("half_width < 1", "half_width <= 1"), caught="hidden"),
            ],
            variants=[
                variant("looking_back", edit(INSIDE, f"({OFFSET} <= 0) & ({OFFSET} >= -half_width)"),
                        text={r"|s - p_t| \le D": r"0 \le p_t - s \le D", r"|s' - p_t| \le D": r"0 \le p_t - s' \le D"})
            ],
        ),
        "centre_predictor": Task(
            CentrePredictor,
            "predicted centres: S · sigmoid(v · tanh(W h)), S each sentence's own length; with gradients",
            [
                visible(hidden_size=4, position_size=4), visible(columns=9),
                hidden("a batch of one sentence", lengths=(6,)), hidden("one query", queries=1, lengths=(6, 4, 1, 2)),
                hidden("padding on the left", left=True), hidden("a sentence without a real word", lengths=(6, 0, 2)),
                hidden("mostly padding", lengths=(4, 3), columns=9),
                hidden("one row of W", position_size=1),
                hidden("large states, and large sums of them", scale=90, queries=8, position_size=20_000),
                hidden("float64", dtype=torch.float64),
            ],
            states, {"queries": 2, "hidden_size": 4, "position_size": 6, "lengths": (7, 5, 3)},
            {"centres": "batch queries"}, answers=("forward",),
            mistakes=[
                *swaps(LENGTH, LENGTHS, "last_place"), *swaps("torch.sigmoid(logit)", SHARES, "naive"),
                *swaps("torch.tanh({x})", TANHS), *swaps(LAYERS, MATRICES), *swaps("{x} * share", PRODUCTS),
                *swaps("{x}.squeeze(-1)", SQUEEZED, "squeezed"),
                mistake("query_0", "query 0 has the centre of all", start("hidden = hidden[:, :1].expand_as(hidden)")),
            ],
            variants=[
                variant("last_word", edit(LENGTH, f"({LENGTH} - 1)"), text={r"p_t = S \cdot": r"p_t = (S - 1) \cdot"}),
            ],
        ),
        "favour_centre": Task(
            favour_centre,
            "favour_centre: times the Gaussian with σ = D/2, nothing normalised again; the gradient moves the centre",
            cases(visible(half_width=5, keys=14, lengths=(9, 14, 3)), WHOLE, OF_EACH, MIDDLE), favoured, SIZES,
            {"favoured": "batch queries keys"},
            mistakes=[
                *swaps("weights * torch.exp({e})", GAUSSIANS), *swaps(FACTOR, EXPONENTS),
                *swaps("half_width / 2", SIGMAS, "sigma_of_centres"), *swaps("centres", MOVED),
            ],
            variants=[
                variant("laplace", edit(FACTOR, "torch.exp(-distances.abs() / sigma)"),
                        text={LATEX: r"\exp\left(-\frac{|s - p_t|}{\sigma}\right)"}),
                variant(
                    "narrower", edit("half_width / 2", "half_width / 3"),
                    text={
                        r"\sigma = \frac{D}{2}": r"\sigma = \frac{D}{3}",
                        r"e^{-2} \approx 0.14": r"e^{-4.5} \approx 0.01",
                    },
                ),
            ],
        ),
        "attend_fetched": Task(
            attend_fetched, "attend_fetched: local-p from the words of each window alone, with gradients",
            cases(WHOLE, FAR, HUGE, LEFT, BEYOND), fetched, SIZES, {"contexts": "batch queries value_size",
            "weights": "batch queries window", EVERY: ""}, from_windows, earlier=EARLIER, mistakes=FETCHED,
            words={EVERY: "fetch the keys of each window first, and score these alone"}, variants=[
                variant("scaled",
                        edit("{k} @ queries.unsqueeze(-1)", "{k} @ queries.unsqueeze(-1) / queries.size(-1) ** 0.5"),
                        text={r"q_t^\top k_{\pi_{tj}}": r"q_t^\top k_{\pi_{tj}} / \sqrt{d}"})
            ],
        ),
        "graves_window": Task(
            graves_window,
            "graves_window: several bells, each from where it stood on; at once and in parts, with gradients",
            [
                visible(), hidden("one bell", bells=1, queries=3), hidden("a batch of one sentence", lengths=(5,)),
                hidden("two queries, many bells", queries=2, bells=6, lengths=(8, 3, 5)),
                hidden("padding on the left", left=True), hidden("sentences of one word", lengths=(1, 1, 1)),
                hidden("a sentence without a real word", lengths=(4, 0)), hidden("float64", dtype=torch.float64),
            ],
            bells, {"queries": 5, "bells": 3, "lengths": (7, 4, 7)},
            {"weights": "batch queries keys", "centres": "batch queries bells"}, moved_on, mistakes=MOVING,
            variants=[
                variant("width",
                        edit("-widths.unsqueeze(-1) * distances**2", "-(distances / widths.unsqueeze(-1)) ** 2 / 2"),
                        text={r"-\beta_{tk} (p_{tk} - s)^2": r"-\frac{(p_{tk} - s)^2}{2 \beta_{tk}^2}"}),
                variant("softer_steps", edit("steps.cumsum(1)", "torch.log1p(steps).cumsum(1)"),
                        text={r"+ \exp(\hat p_{tk})": r"+ \log(1 + \exp(\hat p_{tk}))"}),
            ],
        ),
    },
)
