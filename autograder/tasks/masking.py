"""The tasks of ``06_masking``: the masked softmax with all of its edges, attention, the entropy of the weights."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.compare import IN_PLACE
from autograder.checking.draw import Draw
from autograder.checking.edits import edit, result, start
from autograder.checking.equal import equal
from autograder.checking.task import Task, hidden, mistake, variant, visible
from autograder.checking.values import named, plain
from autograder.finding import CheckFailed
from seq2seq.attention import attend, entropy, masked_softmax, weighted_sum
from seq2seq.exercises.masking import absorb, mask_convention

Inputs = dict[str, Any]

EMPTY = "a sentence without a real token gives a softmax over −∞ alone, which is 0/0; all its weights should be 0"
LEVEL = 1e4  # scores as far from 0 as this, where an exponential overflows in double precision too


def rows(
    draw: Draw, lengths: list[int], keys: int = 0, queries: int = 0, left: bool = False, large: bool = False,
    holes: bool = False, temperature: float = 1.0, shared: bool = False, level: float = LEVEL, scale: float = 2.0,
) -> Inputs:  # fmt: skip
    """``large``: sentence 0 lies near ``level``; in the others the words lie near −``level``, the padding near it."""
    mask = draw.mask(lengths, keys, left)
    mask = draw.uniform(*mask.shape) < 0.6 if holes else mask
    mask = mask.unsqueeze(1) if queries else mask
    shape = (len(lengths), queries, mask.size(-1)) if queries else mask.shape
    scores = draw.normal(*shape, scale=scale)
    if large:
        levels = torch.where(mask, -level, level)
        levels[0] = level
        scores = scores + levels
    given = {"scores": scores, "source_mask": mask[0] if shared else mask}
    return given if temperature == 1.0 else {**given, "temperature": temperature}


def sentences(draw: Draw, lengths: list[int], keys: int, value_size: int, **how: Any) -> Inputs:
    given = rows(draw, lengths, keys, **how)
    return {"scores": given["scores"], "values": draw.normal(*given["scores"].shape, value_size), **given}


def spread(
    draw: Draw, lengths: list[int], keys: int, queries: int = 0, scale: float = 2.0, ends: bool = False,
    from_scores: bool = False, shape: tuple[int, ...] = (),
) -> Inputs:  # fmt: skip
    """Weights, of this shape if one is given; ``from_scores``: their scores, which gradients have to reach."""
    if ends:
        return {"weights": torch.tensor([[0.25, 0.25, 0.25, 0.25], [0.0, 1.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]])}
    mask = draw.mask(lengths, keys)
    mask = mask.unsqueeze(1).expand(-1, queries, -1) if queries else mask
    scores = draw.normal(*mask.shape, scale=scale)
    if from_scores:
        return {"scores": scores.masked_fill(~mask, -torch.inf)}
    weights = masked_softmax(scores, mask)
    return {"weights": weights.view(shape) if shape else weights}


def measured(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, Tensor]]:
    yield "entropy", answer(given.weights if hasattr(given, "weights") else given.scores.softmax(-1))


LOW, SOFTMAX = "({x}).masked_fill(~source_mask, lowest)", "torch.softmax(masked, dim=-1)"
END, SCALED = "weights.masked_fill(~source_mask, 0.0)", "scores / temperature"
REAL = "source_mask.sum(-1, keepdim=True).clamp(1)"
INSTEAD = {  # in place of the masked scores, the softmax and the last step
    "no_mask": ("the mask is ignored: padding takes part in the softmax", "{x}", SOFTMAX, "weights"),
    "mask_after": ("the mask comes after the softmax, so the real weights sum to less than 1", "{x}", SOFTMAX,
                   END),
    "empty_shared": ("a sentence without a real token gives its weight to padding; its weights should all be 0", LOW,
                     SOFTMAX, "weights"),
    "minus_infinity": (EMPTY, LOW.replace("lowest", "-torch.inf"), SOFTMAX, "weights"),
    "times_mask": ("the scores are multiplied by the mask: a score of 0 is not low, exp(0) is 1", "({x}) * source_mask",
                   SOFTMAX, "weights"),
    "zero_for_padding": (
        "padding gets a score of 0, which is not low: exp(0) is 1; its weight is then removed, not redistributed",
        "({x}) * source_mask", SOFTMAX, END,
    ),
    "drowned": (
        "padding took all the weight before it was masked away: before the softmax its score has to lie below every "
        "score that can occur", LOW.replace("lowest", "-1e3"), SOFTMAX, END,
    ),
    "not_low_enough": (
        "a number such as −1e9 is low, but a real score may be lower, and half precision has no such number: take the "
        "lowest number of the scores' dtype", LOW.replace("lowest", "-1e9"), SOFTMAX, END,
    ),
    "log_of_mask": (
        "something is infinite at padding, as the logarithm of the mask is: right on the way there, NaN on the way "
        "back where a whole sentence is padding",
        "({x}) + source_mask.to(scores.dtype).log()", SOFTMAX, END,
    ),
    "zero_times_infinity": ("0 · ∞ is NaN, so a mask times −∞ spoils the real tokens too",
                            "({x}) + (1 - source_mask.to(scores.dtype)) * -torch.inf", SOFTMAX, END),
    "shared_afterwards": ("padding's weight is removed after the softmax and shared equally among the real tokens",
                          "{x}", SOFTMAX,
                          f"(weights + (weights * ~source_mask).sum(-1, keepdim=True) / {REAL}) * source_mask"),
    "not_divided": ("these are exponentials that are never divided by their sum", "{x}", "masked.exp() * source_mask",
                    "weights"),
    "whole_batch": ("the exponentials are divided by the sum over the whole batch; each sentence has one", "{x}",
                    "masked.exp() * source_mask", "weights / weights.sum()"),
    "no_softmax": ("these are the scores with padding at 0; the softmax is missing", "{x}", "masked", END),
    "twice": ("the softmax is applied twice", LOW, SOFTMAX,
              "torch.softmax(weights.masked_fill(~source_mask, lowest), dim=-1) * source_mask"),
    "sigmoid": ("there is a sigmoid instead of the softmax: the weights should sum to 1", "{x}",
                "torch.sigmoid(masked)", END),
    "equal": ("the tokens share the weight equally: the scores are not used", "{x}", "masked",
              f"scores.new_ones(()) * source_mask.expand_as(scores) / {REAL}"),
    "hard": ("only the best token gets weight; every real token should get some", LOW,
             "torch.nn.functional.one_hot(masked.argmax(-1), masked.size(-1)).to(scores.dtype)", END),
    "over_batch": ("the softmax runs over the batch; it should run over the keys of each sentence", LOW,
                   "torch.softmax(masked, dim=0)", END),
    "overflow": ("exp overflows: only differences of scores matter, so shift them before the exp", "{x}",
                 "masked.exp() * source_mask", "weights / weights.sum(-1, keepdim=True).clamp_min(1e-30)"),
    "shifted_by_all": (
        "the largest score of the whole batch is subtracted: where a sentence lies far below it, every exp becomes 0",
        LOW, "(masked - masked.max()).exp() * source_mask", "weights / weights.sum(-1, keepdim=True).clamp_min(1e-30)",
    ),
    "divided_by_0": ("if padding took all the weight, or no token is real, this divides 0 by 0", "{x}",
                     "torch.softmax(masked, dim=-1) * source_mask", "weights / weights.sum(-1, keepdim=True)"),
}
TEMPERATURES = {
    "multiplied": ("the scores are multiplied by the temperature; they should be divided by it, so that a high one "
                   "flattens the weights",
                   "scores * temperature"),
    "unused": ("the temperature is not used", "scores"),
    "applied_twice": ("the temperature is applied twice", "scores / temperature / temperature"),
    "root": ("the root of the temperature is used", "scores / temperature**0.5"),
}

MASKED, SUM = "masked_softmax(scores, source_mask)", "weighted_sum(weights, values)"
ATTEND_WEIGHTS = {
    "no_mask": ("the mask is not used for the weights: padding takes part in the softmax", "torch.softmax(scores, -1)"),
    "mask_after": ("the mask comes after the softmax: the weights of the real tokens sum to less than 1",
                   "torch.softmax(scores, -1) * source_mask"),
    "turned": ("the mask is inverted: True means a real token", "masked_softmax(scores, ~source_mask)"),
    "mask_of_0": ("the mask of sentence 0 is used for every sentence", "masked_softmax(scores, source_mask[:1])"),
    "twice": ("the softmax is applied twice", f"masked_softmax({MASKED}, source_mask)"),
    "no_softmax": ("these are the scores, masked, not yet normalised", "scores * source_mask"),
    "equal": ("the real tokens share the weight equally: the scores are not used",
              f"source_mask.to(scores.dtype) / {REAL}"),
    "scaled": ("the scores are divided by the root of the size; scaling is the scorer's task",
               "masked_softmax(scores / values.size(-1) ** 0.5, source_mask)"),
}
ATTEND_CONTEXT = {
    "padding_summed": ("the padding is left in the sum: it uses other weights than those returned",
                       "weighted_sum(torch.softmax(scores, -1), values)"),
    "averaged": ("the values are averaged over the real tokens; the weights are not used",
                 f"(values * source_mask.unsqueeze(-1)).sum(1) / {REAL}"),
    "plain_average": ("this is the plain average of the values: their weights are not used", "values.mean(1)"),
    "summed": ("the values are summed over the real tokens; the weights are not used",
               "(values * source_mask.unsqueeze(-1)).sum(1)"),
    "masked_scores": ("the values are weighted by the scores, not by the weights",
                      "weighted_sum(scores * source_mask, values)"),
    "scores": ("the values are weighted by the unmasked scores, not by the weights", "weighted_sum(scores, values)"),
    "late_sum": ("the mask comes after the softmax in the sum",
                 "weighted_sum(torch.softmax(scores, -1) * source_mask, values)"),
    "features": ("the sum runs over the features; it should run over the keys",
                 "(weights.unsqueeze(-1) * values).sum(-1)"),
    "best": ("this is only the value with the largest weight: every key counts, however little",
             "values[torch.arange(len(values)), weights.argmax(-1)]"),
}

LOG, TOTAL = "weights.clamp_min(smallest).log()", "-(weights * weights.clamp_min(smallest).log()).sum(dim=-1)"
BACKWARD = (
    "the slope of ln at 0 is infinite, and 0 · ∞ is NaN on the way back, even where it was hidden on the way there: "
    "keep 0 away from the logarithm itself"
)
ENTROPIES = {
    "sign": ("the sign is missing: logarithms of weights are negative, the entropy is not", f"-({TOTAL})"),
    "base_10": ("the logarithm is to base 10; `ln` is wanted", f"{TOTAL} / math.log(10)"),
    "averaged": ("the terms are averaged over the keys, padding too; they should be summed",
                 f"-(weights * {LOG}).mean(-1)"),
    "exponential": ("this is its exponential, the number of keys that would share equally", f"({TOTAL}).exp()"),
    "normalised": ("the entropy is divided by that of equal weights: that is another measure",
                   f"{TOTAL} / math.log(weights.size(-1) + 1e-9)"),
    "normalised_real": (
        "the entropy is divided by the largest that the tokens with weight could have: that is another measure",
        f"{TOTAL} / (weights > 0).sum(-1).clamp_min(2).to(weights.dtype).log()",
    ),
    "averaged_real": ("the terms are averaged over the keys that have weight; they should be summed",
                      f"{TOTAL} / (weights > 0).sum(-1).clamp_min(1)"),
    "squares": ("this is 1 less the sum of squares, another measure of spread", "1 - (weights**2).sum(-1)"),
    "largest": ("only the largest term is used: every key has a term", f"-(weights * {LOG}).amin(-1)"),
    "softmax": ("a softmax is applied to the weights, which are weights already",
                "-(weights.softmax(-1) * weights.log_softmax(-1)).sum(-1)"),
    "one_number": ("this is one number for the whole batch; each row of weights has its own",
                   f"-(weights * {LOG}).sum()"),
    "not_summed": ("these are the terms of the sum; add them up over the keys", f"-(weights * {LOG})"),
    "over_batch": ("the sum runs over the batch; it should run over the keys", f"-(weights * {LOG}).sum(0)"),
    "axis_kept": ("the axis of the keys is still there, with size 1; summing should remove it",
                  f"({TOTAL}).unsqueeze(-1)"),
    "repaired_late": (BACKWARD, "-(weights * weights.log()).nan_to_num(0.0).sum(-1)"),
    "coarse": ("the number that keeps 0 from the logarithm is so large that it changes the entropy of real weights",
               "-(weights.clamp_min(0.01) * weights.clamp_min(0.01).log()).sum(-1)"),
    "clamped_factor": ("the clamped weight is also used as the factor, so that padding adds a term",
                       "-(weights.clamp_min(1e-6) * weights.clamp_min(1e-6).log()).sum(-1)"),
    "coarse_factor": ("the clamped weight is also used as the factor, so that padding adds a term",
                      "-(weights.clamp_min(1e-4) * weights.clamp_min(1e-4).log()).sum(-1)"),
}
LABELS = ("largest", "total", "summed")


def arriving(
    draw: Draw, lengths: list[int], cuts: list[int], value_size: int, level: float = 0.0, left: bool = False,
    padding: float = 0.0,
) -> Inputs:  # fmt: skip
    """Keys, and where the blocks end; ``level`` is added from block to block, ``padding`` to scores of padding."""
    mask = draw.mask(lengths, cuts[-1], left)
    scores = draw.normal(*mask.shape, scale=2.0)
    for cut in cuts[:-1]:
        scores[:, cut:] += level
    scores = scores + padding * ~mask
    return {"scores": scores, "values": draw.normal(*mask.shape, value_size), "source_mask": mask, "cuts": cuts}


def absorbed(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, Tensor]]:
    """The three numbers after each block."""
    batch, lowest = len(given.scores), torch.finfo(given.scores.dtype).min
    state = given.scores.new_full((batch,), lowest), given.scores.new_zeros(batch), given.values[:, 0] * 0
    for begin, end in zip([0, *given.cuts], given.cuts, strict=False):
        block, came = (part[:, begin:end] for part in (given.scores, given.values, given.source_mask)), state
        before, state = plain(came), tuple(value for _, value in named(answer(*came, *block), *LABELS))
        if not equal(before, plain(came)):
            raise CheckFailed("what came in", "changed in place", "unchanged", IN_PLACE, mistake="changed_in_place")
        yield from zip(LABELS, state, strict=True)


CONVENTIONS = ("real", "padding", "added", "afterwards", "ignored", "unknown")


def results_by_convention(draw: Draw, keys: int = 6, batch: int = 4, level: float = 0.0, how: str = "") -> Inputs:
    """And what a library of each kind gives, in an order that the answer cannot know.

    ``how``: a "full" mask leaves nothing out, one "turned" has padding in sentence 0, "faint" padding low scores.
    """
    scores, mask = draw.normal(batch, keys) + level, draw.mask([keys, *[keys - 1 - n % 2 for n in range(batch - 1)]])
    mask = torch.ones_like(mask) if how == "full" else mask.flip(0) if how == "turned" else mask
    scores = scores.masked_fill(~mask, -1.5) if how == "faint" else scores
    given = torch.stack([library(kind, scores, mask) for kind in (*CONVENTIONS, "multiplied")])
    return {"scores": scores, "mask": mask, "given": given[draw.order(len(given))]}


def library(kind: str, scores: Tensor, mask: Tensor) -> Tensor:
    """What a library of this kind gives, to five digits; "unknown" softens what it masks."""
    plain = torch.softmax(scores, -1)
    shifted = {"added": scores + mask, "multiplied": scores * mask, "unknown": scores - 3.0 * ~mask}
    by_kind = {"real": masked_softmax(scores, mask), "padding": masked_softmax(scores, ~mask)}
    by_kind |= {"afterwards": plain * mask}
    by_kind |= {name: torch.softmax(shifted_scores, -1) for name, shifted_scores in shifted.items()}
    return by_kind.get(kind, plain).round(decimals=5)


def recognised(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, Any]]:
    for number, weights in enumerate(given.given, 1):
        yield f"library {number}", answer(given.scores, given.mask, weights)


RAISED, ADDED = "torch.maximum(largest, low.amax(dim=-1))", "(shares.unsqueeze(1) @ values).squeeze(1)"
CUMULATIVE = "torch.maximum(low.cummax(dim=-1).values, largest.unsqueeze(-1))"
BLOCKS = {
    "not_raised": ("the largest score of this block replaces that of all keys so far, which may be larger", RAISED,
                   "low.amax(dim=-1)"),
    "never_rescaled": (
        "what was summed before is not scaled to the new largest score, so the blocks do not fit together",
        "(largest - raised).exp()",
        "torch.ones_like(largest)",
    ),
    "total_not_rescaled": ("the values' sum is scaled to the new largest score, the total is not", "total * shrunk",
                           "total"),
    "summed_not_rescaled": ("the total is scaled to the new largest score, but the values' sum is not",
                            "summed * shrunk.unsqueeze(-1)", "summed"),
    "turned": ("what was summed before is scaled the wrong way round", "(largest - raised)", "(raised - largest)"),
    "padding_raises": ("the largest score is taken over padding too; only real tokens should count", RAISED,
                       "torch.maximum(largest, scores.amax(dim=-1))"),
    "padding_counts": ("padding takes part in the sums", "(low - raised.unsqueeze(-1)).exp() * source_mask",
                       "(scores - raised.unsqueeze(-1)).exp()"),
    "empty_counts": (
        "in a sentence without a real token the lowest score less itself is 0, whose exponential is 1: padding counts",
        "(low - raised.unsqueeze(-1)).exp() * source_mask",
        "(low - raised.unsqueeze(-1)).exp()",
    ),
    "normalised": ("the values' sum is divided by the total in each block; that is done once, at the end", ADDED,
                   f"{ADDED} / shares.sum(dim=-1, keepdim=True).clamp_min(1e-9)"),
    "divided_each_time": (
        "the values' sum is divided by the total before the next block arrives: keep the sum itself",
        "return raised, total, summed",
        "return raised, total, summed / total.clamp_min(1e-9).unsqueeze(-1)",
    ),
    "divided_at_once": (
        "the values' sum is divided by the total before the next block arrives: keep the sum itself",
        "return raised, total, summed",
        "return raised, total, summed / total.unsqueeze(-1)",
    ),
    "context_so_far": (
        "this is the context so far: keep the sum, not yet divided by the total",
        "summed * shrunk.unsqueeze(-1) + {x}",
        "(summed * (total - shares.sum(dim=-1)).unsqueeze(-1) + {x}) / total.clamp_min(1e-9).unsqueeze(-1)",
    ),
    "own_ruler": (
        "the block's sums are measured from its own largest score, which may lie below that of all keys so far",
        "low - raised.unsqueeze(-1)",
        "low - low.amax(dim=-1, keepdim=True)",
    ),
    "key_by_key": (
        "key by key the total is scaled to each new largest score, the values' sum is not",
        f"summed * shrunk.unsqueeze(-1) + {ADDED}",
        f"summed + (((low - {CUMULATIVE}).exp() * source_mask).unsqueeze(1) @ values).squeeze(1)",
    ),
    "largest_of_batch": ("the largest score of the whole batch is taken; each sentence has its own", "low.amax(dim=-1)",
                         "low.amax()"),
}
FITTING = "return fitting[0] if len(fitting) == 1 else 'unknown'"
CONVENTION_MISTAKES = {
    "nearest": ("the nearest is named, however far it is; the weights are accurate to about 5 digits", FITTING,
                "return min(conventions, key=lambda name: float((conventions[name] - weights).abs().max()))"),
    "renormalised": ("for `afterwards` the weights are divided by their sum again; such a library leaves them as they "
                     "are",
                     "everything * mask", "everything * mask / (everything * mask).sum(-1, keepdim=True)"),
    "minus_infinity": ("where no token is real under some convention there is NaN; the weights are 0 there",
                       "torch.softmax(scores.masked_fill(~real, lowest), dim=-1).masked_fill(~real, 0.0)",
                       "torch.softmax(scores.masked_fill(~real, -torch.inf), dim=-1)"),
    "added_infinity": ("for `added` 0 and −∞ are added; the mask is added as 1 and 0",
                       "torch.softmax(scores + mask, dim=-1)",
                       "torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)"),
    "first_fit": ("where several conventions fit, the first is named; the answer should then be unknown",
                  FITTING,
                  "return fitting[0] if fitting else 'unknown'"),
    "never_unknown": ("one convention is named even where none fits", FITTING,
                      "return fitting[0] if len(fitting) == 1 else 'ignored' if not fitting else 'unknown'"),
    "polarity": (
        "the two polarities are exchanged: see what True does", FITTING,
        "return {'real': 'padding', 'padding': 'real'}.get(fitting[0], fitting[0]) if len(fitting) == 1 else 'unknown'",
    ),
    "only_first": ("only sentence 0 is compared, which need not have any padding",
                   "torch.allclose(expected, weights, atol=1e-4)",
                   "torch.allclose(expected[0], weights[0], atol=1e-4)"),
    "exactly": ("the numbers have to agree to the last digit; two libraries never do",
                "torch.allclose(expected, weights, atol=1e-4)", "torch.equal(expected, weights)"),
    "too_narrow": ("the tolerance is too narrow; the weights are accurate to about 5 digits",
                   "torch.allclose(expected, weights, atol=1e-4)", "torch.allclose(expected, weights)"),
    "too_wide": ("the tolerance is too wide; the weights are accurate to about 5 digits",
                 "torch.allclose(expected, weights, atol=1e-4)", "torch.allclose(expected, weights, atol=0.01)"),
}

check = Checker(
    __name__,
    {
        "masked_softmax": Task(
            masked_softmax,
            "masked softmax: padding gets 0, real weights sum to 1; temperature, large scores, an empty sentence",
            [
                visible(lengths=[6, 4, 2, 1]), visible("an empty sentence", lengths=[5, 0, 2, 3], gradients=True),
                visible("temperature 2.5", lengths=[5, 3, 2], temperature=2.5),
                visible("temperature 100", lengths=[5, 3, 2], temperature=100.0, scale=300.0),
                visible("temperature 0.4", lengths=[5, 3, 2, 0], temperature=0.4),
                visible("scores near ±10000", lengths=[5, 3, 5, 2], large=True, dtype=torch.float64),
                visible("scores near ±3 000 000 000", lengths=[5, 3, 2], large=True, level=3e9, dtype=torch.float64),
                visible("more padding", lengths=[5, 3, 2], keys=9),
                hidden("a batch of one sentence", lengths=[3], keys=7),
                hidden("sentences of one key", lengths=[1, 0, 1]),
                hidden("padding on the left", lengths=[6, 4, 1], left=True),
                hidden("padding anywhere, temperature 150", lengths=[8] * 5, holes=True, temperature=150, scale=400.0),
                hidden("float64", lengths=[5, 3, 0], temperature=0.7, dtype=torch.float64),
                hidden("scores near ±10000", lengths=[6, 4, 1, 6], large=True, temperature=0.05, dtype=torch.float64),
                hidden("scores far below −1e9", lengths=[5, 2, 4], large=True, level=1e20, dtype=torch.float64),
                hidden("scores (batch, queries, keys), one mask per sentence", lengths=[5, 3], queries=4),
                hidden("one mask (keys) for all sentences", lengths=[5, 3, 2], keys=7, shared=True),
                hidden("gradients at a temperature", lengths=[6, 3, 0, 1], temperature=1.7, gradients=True),
            ],
            rows, results={"weights": "batch keys"},
            mistakes=[
                *(
                    mistake(id, why, *(
                        edit(find, put)
                        for find, put in ((LOW, low), (SOFTMAX, softmax), (f"return {END}", f"return {end}"))
                        if find != put
                    ))
                    for id, (why, low, softmax, end) in INSTEAD.items()
                ),
                mistake("turned", "the mask is inverted: True means a real token",
                        start("source_mask = ~source_mask")),
                mistake("mask_of_0", "the mask of sentence 0 is used for every sentence",
                        start("source_mask = source_mask[:1]")),
                mistake("over_queries",
                        "the softmax runs over the second axis, which need not be that of the keys: they are the last",
                        edit(SOFTMAX, "torch.softmax(masked, dim=1)"), caught="hidden"),
                *(mistake(f"temperature_{id}", why, edit(SCALED, put)) for id, (why, put) in TEMPERATURES.items()),
                mistake("filled_first", "the lowest number, divided by a temperature below 1, is −∞: divide, then mask",
                        edit(SCALED, "scores"), edit(LOW, f"{LOW} / temperature"),
                        edit(f"return {END}", "return weights * source_mask")),
                mistake("temperature_late", "the temperature is applied to the weights; divide the scores by it",
                        edit(SCALED, "scores"), result("({x}) / temperature")),
                mistake("temperature_power",
                        "the weights are raised to a power, where small ones are 0 already; divide the scores by the "
                        "temperature",
                        edit(SCALED, "scores"), result("({x}) ** (1 / temperature) / (({x}) ** (1 / temperature))"
                                                       ".sum(-1, keepdim=True).clamp_min(1e-12)")),
            ],
            variants=[
                variant(
                    "sharpness", edit(SCALED, "scores * temperature"),
                    text={
                        r"\frac{m_j \exp(e_j / \tau)}{\sum_l m_l \exp(e_l / \tau)}": r"\frac{m_j \exp(\tau e_j)}"
                        r"{\sum_l m_l \exp(\tau e_l)}",
                        "with a temperature $\\tau$": "with a sharpness $\\tau$, the inverse of a temperature (the "
                        "argument is called `temperature` all the same)",
                    },
                )
            ],
        ),
        "attend": Task(
            attend, "attend: masked weights, and the context that these weights give, as the pair (context, weights)",
            [
                visible(lengths=[3, 5, 2]), hidden("a batch of one sentence", lengths=[6]),
                hidden("a sentence without a real token", lengths=[4, 0, 7, 1]),
                hidden("mostly padding", lengths=[2, 1, 3], keys=9),
                hidden("padding on the left", lengths=[6, 4, 1], keys=9, left=True),
                hidden("scores near ±10000", lengths=[6, 4, 1], large=True, dtype=torch.float64),
                hidden("scores far below −1e9", lengths=[6, 4, 1], large=True, level=1e20, dtype=torch.float64),
                hidden("float64", lengths=[5, 3, 2], dtype=torch.float64),
            ],
            sentences, {"keys": 0, "value_size": 4}, {"context": "batch value_size", "weights": "batch keys"},
            earlier=(masked_softmax, weighted_sum),
            words={"context": "the context is the sum of the values, each times the weight that is returned with it"},
            mistakes=[
                *(mistake(id, why, edit(MASKED, put)) for id, (why, put) in ATTEND_WEIGHTS.items()),
                *(mistake(f"context_{id}", why, edit(SUM, put)) for id, (why, put) in ATTEND_CONTEXT.items()),
                mistake("not_low_enough", INSTEAD["not_low_enough"][0],
                        edit(MASKED, "torch.softmax(scores.masked_fill(~source_mask, -1e9), -1) * source_mask"),
                        caught="hidden"),
                mistake("exchanged", "the two results are exchanged", result("({x})[::-1]")),
                mistake("scores_returned", "these are the scores: the softmax is missing",
                        edit("return {a}, weights", "return {a}, scores")),
                mistake("minus_infinity", EMPTY,
                        edit(MASKED, "torch.softmax(scores.masked_fill(~source_mask, -torch.inf), -1)"),
                        caught="hidden"),
            ],
        ),
        "entropy": Task(
            entropy, "entropy: 0 for one key, ln n for n equal keys, padding adds nothing, gradients are finite",
            [
                visible("equal weights, one key, two keys", ends=True, gradients=False),
                visible("weights of scores", from_scores=True, gradients=True, again=True),
                visible("an empty sentence", lengths=[5, 0, 3, 2], keys=5, gradients=False),
                hidden("a batch of one sentence", lengths=[5], keys=7, gradients=False),
                hidden("sentences of one key", lengths=[1, 1, 0], keys=1, gradients=False),
                hidden("no padding", lengths=[6, 6, 6], from_scores=True, gradients=True),
                hidden("float64", lengths=[8, 3, 1, 2], keys=8, scale=6.0, from_scores=True, dtype=torch.float64,
                       again=True),
                hidden("weights (batch, queries, keys)", lengths=[5, 3, 2], keys=5, queries=4, gradients=False),
                hidden("weights (keys,)", lengths=[6], shape=(6,), gradients=False),
                hidden("weights (layers, batch, heads, keys)", shape=(1, 2, 2, 6), gradients=False),
                hidden("weights near 0 and near 1", lengths=[12, 9, 6], keys=12, scale=6.0, gradients=False),
            ],
            spread, {"lengths": [6, 4, 2, 1], "keys": 6}, {"entropy": "batch"}, measured,
            mistakes=[
                mistake("nan",
                        "0 · ln 0 counts as 0, but ln 0 is −∞ and 0 · (−∞) is NaN: what may ln be given instead?",
                        edit(LOG, "weights.log()")),
                mistake("base_2", "the logarithm is to base 2; `ln` is wanted",
                        edit(LOG, "weights.clamp_min(smallest).log2()")),
                *(mistake(id, why, result(put)) for id, (why, put) in ENTROPIES.items()),
                mistake("categorical",
                        "`Categorical` refuses a row of zeros, which is no distribution; here its entropy should be 0",
                        result("torch.distributions.Categorical(probs=weights).entropy()")),
                mistake("over_queries",
                        "the sum ran over the second axis, which need not be that of the keys: they are the last",
                        edit(TOTAL, f"-(weights * {LOG}).sum(dim=1)"), caught="hidden"),
            ],
            variants=[
                variant(
                    "bits", edit("{x}.log()", "{x}.log2()"),
                    text={
                        r"H = -\sum_j \alpha_j \ln \alpha_j, \qquad 0 \ln 0 = 0": r"H = -\sum_j \alpha_j \log_2 "
                        r"\alpha_j, \qquad 0 \log_2 0 = 0", r"$\ln n$": r"$\log_2 n$", "in nats": "in bits",
                    },
                )
            ],
        ),
        "absorb": Task(
            absorb, "attention block by block: largest score, total and sum after each block, whatever came before",
            [
                visible(lengths=[9, 5, 2, 7]), visible("scores that rise by 1000", lengths=[9, 7, 4], level=1000.0),
                visible("scores that fall by 1000, and an empty sentence", lengths=[9, 0, 6], level=-1000.0),
                hidden("a batch of one sentence", lengths=[4]), hidden("padding first", lengths=[3, 9, 1], left=True),
                hidden("one block of one key", lengths=[1, 0, 1], cuts=[1]),
                hidden("other sizes, float64", lengths=[11, 6, 0, 2, 8], cuts=[5, 6, 11], value_size=5,
                       dtype=torch.float64),
                hidden("a key at a time", lengths=[4, 2, 3], cuts=[1, 2, 3, 4], level=-60.0),
                hidden("padding with scores far above those of words", lengths=[6, 9, 0], padding=1000.0),
            ],
            arriving, {"cuts": [4, 7, 9], "value_size": 3},
            {"largest": "batch", "total": "batch", "summed": "batch value_size"}, absorbed,
            mistakes=[
                *(mistake(id, why, edit(find, put)) for id, (why, find, put) in BLOCKS.items()),
                mistake("from_0", "the exponentials are those of the scores; they should be measured from the largest",
                        edit("(low - raised.unsqueeze(-1)).exp()", "scores.exp()"),
                        edit("(largest - raised).exp()", "torch.ones_like(largest)")),
            ],
            variants=[
                variant(
                    "powers_of_two", edit("{x}.exp()", "{x}.exp2()", at="all"),
                    text={
                        r"Z = \sum_j m_j \exp(e_j - M)": r"Z = \sum_j m_j 2^{e_j - M}",
                        r"u = \sum_j m_j \exp(e_j - M)\, v_j": r"u = \sum_j m_j 2^{e_j - M}\, v_j",
                        r"$Z = e^{-1} + 1$": r"$Z = 2^{-1} + 1$",
                        r"$\exp(e - M_{new}) = \exp(e - M_{old}) \exp(M_{old} - M_{new})$": r"$2^{e - M_{new}} = "
                        r"2^{e - M_{old}}\, 2^{M_{old} - M_{new}}$",
                    },
                )
            ],
        ),
        "mask_convention": Task(
            mask_convention, "conventions: what a library does with a mask, told from what it returns",
            [
                visible(), visible("a mask that leaves nothing out, so that several fit", how="full"),
                visible("padding in sentence 0", how="turned"),
                visible("padding with little weight", how="faint"), hidden("other sizes", batch=3, keys=5),
                hidden("low scores", level=-150.0), hidden("high scores", level=150.0),
                hidden("padding with little weight", batch=5, how="faint"),
                hidden("a batch of one sentence without padding", batch=1, how="full"),
            ],
            results_by_convention, results={f"library {number}": "" for number in range(1, 8)},
            play=recognised,
            gradients=False, coarse=True,
            mistakes=[mistake(id, why, edit(find, put)) for id, (why, find, put) in CONVENTION_MISTAKES.items()],
            variants=[
                variant(
                    "multiplied", edit("'added'", "'multiplied'"), edit("scores + mask", "scores * mask"),
                    text={
                        '"added"`: the mask, as 1 and 0, was added to the scores.': '"multiplied"`: the scores were '
                        "multiplied by the mask, as 1 and 0.",
                    },
                )
            ],
        ),
    },
)
