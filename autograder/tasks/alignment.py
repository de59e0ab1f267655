"""The tasks of ``12_alignment``: links from weights, their error rate, two tables made one, and do weights matter.

Padding gets weight in the first task, as from a model that forgot its mask, and the largest and smallest draws in the
fourth, so that sorting it along with the rest is seen.
"""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.draw import Draw
from autograder.checking.edits import body, edit, start
from autograder.checking.equal import equal
from autograder.checking.task import Task, hidden, mistake, swaps, variant, visible
from autograder.checking.values import is_number, named, plain
from autograder.finding import CUT, CheckFailed
from autograder.vjp import pullback, slopes
from seq2seq.alignment import alignment_error, hard_alignment
from seq2seq.demos.altered_attention import permute_weights
from seq2seq.exercises.alignment import furthest_look, grow_diagonal


def unmasked(
    draw: Draw, lengths: tuple[int, ...], steps: int, shift: int, left: bool = False, lost: bool = False,
    close: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Without a shift of 0, which the signature has."""
    mask = draw.mask(list(lengths), left=left)
    weights = (draw.normal(len(lengths), steps, mask.size(1)) + 1.5 * ~mask.unsqueeze(1)).softmax(-1)
    if lost:  # one token of the padding has it all
        weights[1:] = ((padding := weights[1:] * ~mask[1:].unsqueeze(1)) == padding.amax(-1, keepdim=True)).to(weights)
    if close:  # the later of two is larger by so little that it would be lost beside a 1, or in a coarser dtype
        weights, pair = torch.full_like(weights, 2**-9), torch.ones(2, dtype=draw.dtype)
        pair[1] += 32 * torch.finfo(draw.dtype).eps
        for row, step in torch.cartesian_prod(*map(torch.arange, weights.shape[:2])).tolist():
            weights[row, step, [3 + step, 9 + 2 * step + 7 * row]] = pair / 2**8
    return {"weights": weights, "source_mask": mask} | ({"shift": shift} if shift else {})


def links(draw: Draw, lengths: tuple[tuple[int, int], ...], soft: bool = False, kind: str = "") -> dict[str, Tensor]:
    """Tables that overlap in part, of (source, target) words; half of the sure links are listed as possible."""
    shape = len(lengths), max(target for _, target in lengths), max(source for source, _ in lengths)
    sure, possible, predicted = (torch.zeros(shape, dtype=torch.bool) for _ in range(3))
    for row, (source, target) in enumerate(lengths):
        for word in range(target):
            first, second, wrong = (column % source for column in draw.order(max(3, source))[:3])
            sure[row, word, first] = True
            possible[row, word, second], possible[row, word, first] = True, word % 2 == 0
            predicted[row, word, (first, second, wrong)[(row + word) % 3]] = True
        predicted[row, 0, [first, wrong]] = True  # more predicted links than sure ones: no two sums are equal
    if kind == "wrong":
        predicted = ~sure & ~possible
    elif kind in ("gap", "silent"):  # for a sentence and a word of another nothing is predicted, or for all
        predicted[1 if kind == "gap" else slice(None)] = predicted[0, 1] = False
    elif kind:
        {"bare": sure, "empty": sure, "possible": sure}[kind][1 if kind != "possible" else slice(None)] = False
        possible[1] &= kind != "empty"
    shares = (2 * draw.normal(*shape)).softmax(-1) * (predicted | sure | possible)
    return {"predicted": shares if soft else predicted, "sure": sure, "possible": possible}


def rate(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, Any]]:
    """A number, whether Python's or a tensor's."""
    error = answer(given.predicted, given.sure, given.possible)
    yield "error", float(error) if is_number(error) else error


def two_tables(
    draw: Draw, batch: int, words: int, tokens: int, chain: bool = False, apart: bool = False, column: bool = False
) -> dict[str, Tensor]:
    forward, backward = (draw.uniform(batch, words, tokens) < 0.4 for _ in range(2))
    backward &= ~forward | (not apart)
    if chain:  # sentence 0: from one common link, one more in each round; the last one: around a corner, and so longer
        forward[0], backward[0], forward[-1], backward[-1] = torch.eye(words, tokens).bool(), False, False, False
        backward[0, 0, 0] = forward[0, -1, 0] = True  # and one link that touches none of them
        backward[-1, 0, 0] = forward[-1, 0] = forward[-1, :, -1] = True
    if column:  # from its first link on, one more in each round
        forward[0], backward[0] = False, False
        forward[0, :, 0] = backward[0, 0, 0] = True
    return {"forward": forward, "backward": backward}


def shuffled(draw: Draw, lengths: tuple[int, ...], kind: str = "", axes: tuple[int, ...] = ()) -> dict[str, Tensor]:
    mask = draw.mask(list(lengths), left=kind == "left")
    shape = (mask.size(0), *axes, mask.size(1))
    mask = draw.uniform(*shape) < 0.6 if kind == "holes" else mask.reshape(-1, *[1] * len(axes), shape[-1])
    mask = mask[0] if kind == "shared" else mask
    draws, odd = draw.uniform(*shape, low=0.1, high=0.9), torch.arange(shape[-1]) % 2 == 0
    draws = torch.where(mask.expand(shape), draws, torch.where(odd, draws / 100, 1 - draws / 100))
    if kind == "left":  # a draw may be 1, and a token that has it still comes before the padding
        draws[..., -1] = 1.0
    weights = draw.shares(*shape, mask=mask) * (draw.uniform(*shape) < (0.6 if kind == "zeros" else 2.0))
    return {"weights": weights, "source_mask": mask, "draws": draws}


def with_slopes(answer: Any, given: SimpleNamespace) -> Any:
    """The permuted weights, and the gradient at the weights: None if they are cut off."""
    before = given.weights.clone()
    permuted, reached = answer(given.weights, given.source_mask, given.draws), None
    with torch.enable_grad():
        weights = before.requires_grad_()
        again = answer(weights.clone(), given.source_mask, given.draws)
        if isinstance(again, Tensor) and again.requires_grad and again.shape == weights.shape:
            # what padding answers to is nobody's business: it is 0 whatever stood there
            real = again * given.source_mask
            (reached,) = pullback([real], [weights], [slopes(real)])
    return permuted, reached


def inverse(weights: Tensor, source_mask: Tensor, draws: Tensor) -> Tensor:
    """The inverse order."""
    mask, keys = source_mask.expand_as(weights), weights.size(-1)
    in_order = torch.arange(keys).masked_fill(~mask, keys).argsort(-1)
    drawn = draws.masked_fill(~mask, 2.0).argsort(-1)
    return torch.zeros_like(weights).scatter(-1, drawn, weights.gather(-1, in_order))


def either_order(given: SimpleNamespace, permuted: Any) -> Iterator[tuple[str, Any]]:
    """The inverse order is as random, and as good: it is taken for the other one."""
    if equal(plain(with_slopes(inverse, given)), permuted):
        permuted = plain(with_slopes(permute_weights, given))
    yield "permuted weights", permuted[0]
    if permuted[1] is None:
        raise CheckFailed("permuted weights", "cut off from autograd", "a result with a gradient", CUT, "no_gradient")
    yield "the gradient at the weights", permuted[1]


def trials(
    draw: Draw, batch: int, trials: int, keys: int, words: int, tolerance: float = 0.2, edge: bool = False,
    same: bool = False,
) -> dict[str, Any]:
    """Each trial moves the output by far less or far more than the tolerance; in sentence 1 all of them by more."""
    visible = draw.uniform(trials + 1, batch, keys) > 0.3
    visible[..., 0] = True
    weights, *others = draw.shares(trials + 1, batch, keys) * visible
    others[0] = 0.9 * weights + 0.1 * others[0]  # the first that counts is not the one to choose
    output = draw.shares(batch, words)
    far = draw.uniform(trials, batch, 1) < 0.6
    far[[0, -1]], far[:, 1:2] = False, True
    goal = torch.zeros_like(output).scatter(-1, output.argsort(-1)[:, :2], 0.5)  # to the two least probable words
    outputs = output + torch.where(far, 1.3, 0.7) * tolerance * (goal - output)
    if edge:  # a quarter moves: just the tolerance, and then slightly more
        tolerance, output = 0.25, torch.eye(words, dtype=draw.dtype)[[0] * batch]
        moves = torch.tensor([0.25, *[0.251] * (trials - 1)], dtype=draw.dtype).reshape(-1, 1, 1)
        outputs = moves * output.roll(1, -1) + (1 - moves) * output
    weights, moved = (rows / rows.sum(-1, keepdim=True) for rows in (weights, torch.stack(others)))
    if same:  # the last trial alone counts, and looks where the weights do
        moved[-1], outputs = weights, torch.cat([(output.roll(1, -1)).expand_as(outputs)[:-1], output.unsqueeze(0)])
    return dict(weights=weights, others=moved, output=output, outputs=outputs, tolerance=tolerance)


def either_trial(given: SimpleNamespace, pair: Any) -> Iterator[tuple[str, Any]]:
    """Which of several that are equally far is named is left open: it is taken for the reference's."""
    chosen, divergence = (part for _, part in named(pair, "chosen", "divergence"))
    right, most = furthest_look(**vars(given))
    if isinstance(chosen, Tensor) and chosen.dtype == right.dtype and chosen.shape == right.shape:
        places = chosen.clamp(0, len(given.others) - 1), torch.arange(len(right))
        others, outputs = given.others[places], given.outputs[places]
        counts, apart = furthest_look(given.weights, others[None], given.output, outputs[None], given.tolerance)
        chosen = torch.where((counts == 0) & (chosen == places[0]) & apart.isclose(most, atol=1e-6), right, chosen)
    yield from (("chosen", chosen), ("divergence", divergence))


TAKEN = "best[:, {i}].masked_fill(~known, -1)"
FROM_STEPS = """
shift_unused → the shift is not used → best
rolled → words at the edge take their step from the other end; no step aligns them, so they should get -1 → \
best.roll(shift, dims=1)
edge_repeats → words at the edge repeat their neighbour's step; no step aligns them, so they should get -1 → \
best[:, {i}]
edge_0 → words that no step aligns get 0, which is the first source token; they should get -1 → best[:, {i}] * known
edge_gone → words that no step aligns are left out; they should get -1 → best[:, steps[known]]
from_1 → the positions are counted from 1; they should be counted from 0 → (best + 1)[:, {i}].masked_fill(~known, -1)
moved → the source positions are shifted; the target words should be → best + shift
word → these are the positions of the target words; those of source tokens are wanted → \
(0 * best + torch.arange(best.size(1)))
rolled_one → words at the edge take their step from the other end, and only one of them is set to -1 → \
best.roll(shift, dims=1).index_fill(1, torch.tensor([-1 if shift < 0 else 0] if shift else []).long(), -1)
"""
BY_SLICES = """words, width = torch.full_like(best, -1), best.size(1)
if shift >= 0:
    words[:, shift:] = best[:, : width - shift]
else:
    words[:, :shift] = best[:, -shift:]
return words"""
BEST = """
no_mask → padding is chosen: the mask is not used → weights.argmax(dim=-1)
lengths → the first tokens are taken to be the real ones; padding may come first → \
weights.masked_fill((torch.arange(weights.size(-1)) >= source_mask.sum(-1, keepdim=True)).unsqueeze(1), -1.0).argmax(-1)
largest → these are the largest weights themselves; their positions are wanted → weights.amax(-1)
times_mask → a weight of 0 is no lower than a real weight of 0: padding needs a number below every weight → \
(weights * source_mask.unsqueeze(1)).argmax(-1)
raised → a number is added to the weights first, and beside it small differences are lost → \
((weights + 1) * source_mask.unsqueeze(1)).argmax(-1)
among_real → positions are counted among the real tokens only; padding before them counts too → \
({w}.masked_fill({m}, -1.0).argmax(dim=-1) - source_mask.int().argmax(-1, keepdim=True))
"""
RATIO = "1 - {h} / ({a} + {s})"
RATES = """
share → this is the share of right links; the error is 1 minus that share → {h} / ({a} + {s})
union → a link that is both predicted and sure counts once in the denominator; it should count twice → \
1 - {h} / torch.maximum(predicted.float(), sure.float()).sum()
precision → only predicted links are judged; sure links that are missed are errors too → \
1 - (predicted * possible).sum() / predicted.sum()
recall → only sure links are judged; predicted links that are not possible are errors too → \
1 - (predicted * sure).sum() / sure.sum()
halved → the hits are divided by twice the denominator; the two kinds of hits should share one → \
1 - {h} / (2 * ({a} + {s}))
possible_above → the denominator counts the possible links; it should count the predicted and the sure ones → \
1 - {h} / (possible.sum() + {s})
cells → every cell of the table counts; one without a link on either side should not → \
(predicted.float() - possible.float()).abs().mean()
f_measure → this is 1 less the harmonic mean of precision and recall, which is another measure → \
(lambda precision, recall: 1 - 2 * precision * recall / (precision + recall))\
((predicted * possible).sum() / predicted.sum(), (predicted * sure).sum() / sure.sum())
counted → the denominator counts the cells above 0; there too a link should count by its weight → \
1 - {h} / ((predicted > 0).sum() + {s})
"""
POSSIBLE = """
sure_not_possible → a sure link counts as possible only if it is listed as possible; it should always count → possible
added → sure links that are possible too are added twice to the possible ones → possible.float() + sure.float()
"""
SURE_HITS, POSSIBLE_HITS = "(predicted * sure).sum()", "(predicted * possible).sum()"
ONLY = """
sure_only → the possible links are not used: predicting one is no error → (predicted * sure).sum()
one_term → the possible hits are missing: sure and possible links each have a term → 0
"""
OF_EACH = """\
possible = possible | sure
hits = (predicted * sure).sum((1, 2)) + (predicted * possible).sum((1, 2))
each = 1 - hits / (predicted.sum((1, 2)) + sure.sum((1, 2)))
return """
EACH_ALONE = """\
links, either, grown = forward & backward, forward | backward, True
while grown:
    grown = False
    for b, t, j in links.nonzero().tolist():
        for t, j in [(t + x, j + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]:
            if 0 <= t < links.size(1) and 0 <= j < links.size(2) and either[b, t, j] and not links[b, t, j]:
                if not (links[b, t].any() and links[b, :, j].any()):
                    links[b, t, j] = grown = True
return links"""
GROWN = """
never_free → cells whose two words already have links are added too → either & near & ~links
far → a link that touches none of those so far is added → either & free
beyond → a link is added that is in neither table → near & free
"""
BY_CELLS = """\
links, grown = (forward & backward).tolist(), True
while grown:
    grown = False
    for b, t, j in (forward | backward).nonzero().tolist():
        near = any(any(row[max(j - 1, 0) : j + 2]) for row in links[b][max(t - 1, 0) : t + 2])
        if near and not (any(links[b][t]) and any(row[j] for row in links[b])):
            links[b][t][j] = grown = True
return torch.tensor(links)"""
NEAR = "F.max_pool2d({x}, 3, stride=1, padding=1)"
FREE = "~(links.any(-1, keepdim=True) & links.any(-2, keepdim=True))"
GROW = "links = links | more"
LAST, ALL_GROW = "if not more.any():\n    return links", "more.any(-1).any(-1).all()"
FIRST = """
union → all links of both tables are taken; only those that touch common links should be added → \
(forward | backward), either
forward → it begins with the links of one table; it should begin with those that are in both → \
forward, either
"""
ORDER = "torch.zeros_like(weights).scatter(-1, in_order, weights.gather(-1, drawn))"
ORDERS = """
unchanged → no weight has moved: are the draws of the real tokens used at all? → weights.clone()
padding_sorted → the draws of padding are sorted among those of the real tokens → weights.gather(-1, draws.argsort(-1))
padding_lost → weights that move onto padding are lost → weights.gather(-1, draws.argsort(-1)) * mask
first_places → the real tokens are taken to come first: weights move onto padding → weights.gather(-1, drawn)
padding_first → the draws of padding come first → weights.gather(-1, draws.masked_fill(~mask, -1.0).argsort(-1))
own_size → the weights are sorted by their own size, not by the draws → weights.sort(-1, descending=True).values
flipped → the weights are always in reverse order; every order should be equally likely → weights.flip(-1)
front → the real tokens are taken to come first: weights move onto padding, and are lost → \
weights.gather(-1, drawn) * mask
draws → these are the draws, not the weights → draws * mask
rolled → every weight moves on by one place, whatever the draws are → \
torch.zeros_like(weights).scatter(-1, in_order, weights.gather(-1, in_order.gather(-1, (positions + 1) % \
mask.sum(-1, keepdim=True).clamp(min=1))) * (positions < mask.sum(-1, keepdim=True)))
shares → the draws become the weights → (raw := draws * mask) / raw.sum(-1, keepdim=True).clamp(min=1e-9)
uniform → every token gets the same weight: that is another test → 0 * weights + mask / mask.sum(-1, keepdim=True)
"""
APART = "((first + second) / 2).masked_fill(moved > tolerance, -torch.inf)"
TRIALS = """
unbounded → the tolerance is not used: some of these trials move the output → ((first + second) / 2)
still → this is the trial that moves the output least; within the tolerance the weights should decide → \
-moved
farthest → the trials that move the output by more than the tolerance are kept; they should be left out → \
((first + second) / 2).masked_fill(moved <= tolerance, -torch.inf)
outputs → the outputs are compared twice; the second time the weights should be compared → \
moved.masked_fill(moved > tolerance, -torch.inf)
"""
AT_0 = "trials that do not count get the divergence 0, which a trial that counts may have as well"
TO_0 = edit(APART, APART.replace("-torch.inf", "0.0"))
MOVED = "(outputs - output).abs().sum(-1) / 2"
MOVES = """
not_halved → the change of the output is half of the sum, not the whole of it → (outputs - output).abs().sum(-1)
one_word → only the word that changes most is counted; the changes of all words should count → \
(outputs - output).abs().amax(-1)
"""
TURNED = "(torch.xlogy(middle, middle) - middle * {p}.clamp(min=torch.finfo({p}.dtype).tiny).log()).sum(-1)"
KL = "this is the Kullback-Leibler divergence of one from the other; each should be compared with their mean"
NAN = "(torch.xlogy({p}, {p}) - torch.xlogy({p}, middle)).sum(-1)"

check = Checker(
    __name__,
    {
        "hard_alignment": Task(
            hard_alignment,
            "hard alignment: the real token of the largest weight, for this step's word, the one before, the one after",
            [
                *(visible(shift=shift) for shift in (-1, 0, 1)), visible(shift=2),
                hidden("a shift of two steps back", shift=-2, lengths=(7, 3), steps=6),
                hidden("a shift of three steps on", shift=3, lengths=(5, 4, 1)),
                hidden("a shift beyond the last step", shift=-5, lengths=(4, 2), steps=3),
                hidden("a shift before the first step", shift=4, lengths=(4, 2), steps=3),
                hidden("padding on the left", shift=-1, lengths=(6, 3, 2), steps=4, left=True),
                hidden("padding on the left that has all of the weight", shift=0, lengths=(5, 1), left=True, lost=True),
                hidden("a batch of one sentence", shift=-1, lengths=(4,), steps=5),
                hidden("sentences of one source token", shift=0, lengths=(1, 1), steps=3),
                hidden("a single target word", shift=0, lengths=(5, 2), steps=1),
                hidden("small weights that hardly differ", shift=0, lengths=(40, 25), steps=3, close=True),
                hidden("float64", shift=0, lengths=(40, 25), steps=3, close=True, dtype=torch.float64),
            ],
            unmasked, {"lengths": (8, 6, 5, 4), "steps": 7}, {"positions": "batch target_len"},
            mistakes=[
                *swaps(TAKEN, FROM_STEPS),
                *swaps("{w}.masked_fill({m}, -1.0).argmax(dim=-1)", BEST,
                       "lengths", "among_real", "raised", "times_mask"),
                mistake("negative_end",
                        "a shift longer than the row puts the end of a slice below 0: Python counts it from the right",
                        edit(f"return {TAKEN}", BY_SLICES), caught="hidden"),
                mistake("smallest", "this is the position of the smallest weight", start("weights = 1 - weights")),
                mistake("wrong_way", "the shift goes the wrong way: ask which step aligns a word",
                        edit("{n} - shift", "{n} + shift")),
            ],
            variants=[
                variant("other_sign", edit("{n} - shift", "{n} + shift"),
                        text={"a_{t+s}": "a_{t-s}", "$t + s$": "$t - s$", "$s = -1$": "$s = 1$"})
            ],
            gradients=False,
        ),
        "alignment_error": Task(
            alignment_error, "alignment error: sure and possible links, hard and soft, over all sentences at once",
            [
                visible(), visible("weights", soft=True), visible("links that are all wrong", kind="wrong"),
                hidden("a batch of one sentence", lengths=((7, 4),)),
                hidden("more sentences, of more lengths", lengths=((5, 7), (2, 3), (8, 6), (4, 4))),
                hidden("a sentence without a sure link", kind="bare"),
                hidden("a sentence without any gold link", kind="empty"),
                hidden("possible links only", kind="possible"),
                hidden("a sentence and a word for which no link is predicted", kind="gap"),
                hidden("no link is predicted at all", kind="silent"),
                hidden("weights in float64", soft=True, dtype=torch.float64),
                hidden("weights of one sentence", soft=True, lengths=((7, 4),)),
            ],
            links, {"lengths": ((11, 9), (8, 7), (5, 6))}, {"error": ""}, rate,
            mistakes=[
                *swaps(RATIO, RATES), *swaps("possible | sure", POSSIBLE), *swaps(POSSIBLE_HITS, ONLY),
                mistake("as_if_sure", "possible links count as if they were sure: missing one is no error",
                        edit(SURE_HITS, POSSIBLE_HITS), edit("sure.sum()", "possible.sum()")),
                mistake("possible_twice", "one of the two terms is for the sure links", edit(SURE_HITS, POSSIBLE_HITS)),
                mistake("possible_below",
                        "the denominator counts the predicted and the sure links, not the possible ones",
                        edit("sure.sum()", "possible.sum()")),
                mistake("mean", "the links of all sentences are counted together", body(f"{OF_EACH}each.mean()")),
                mistake("of_each", "one error for each sentence: count all links together", body(f"{OF_EACH}each")),
                mistake("rounded",
                        "weights are rounded: above a half they count as links, else not; each should count as it is",
                        start("predicted = predicted > 0.5")),
                mistake("hardened", "every weight counts as a whole link", start("predicted = predicted > 0")),
                mistake(
                    "largest", "only the largest weight of each row counts; a link counts as much as its weight",
                    start("predicted = (predicted > 0) & (predicted == predicted.amax(-1, keepdim=True))"),
                ),
                mistake("sentence_0", "only sentence 0 is counted", start("predicted, sure = predicted[:1], sure[:1]")),
            ],
            variants=[
                variant(
                    "misses_cost_twice", edit(SURE_HITS, f"2 * {SURE_HITS}"), edit("sure.sum()", "2 * sure.sum()"),
                    text={
                        "Och & Ney's error rate": "An error rate to which a missed sure link counts double",
                        r"\frac{|A \cap S| + |A \cap P|}{|A| + |S|}": r"\frac{2 |A \cap S| + |A \cap P|}{|A| + 2 |S|}",
                        r"\frac{\sum A S + \sum A P}{\sum A + \sum S}":
                            r"\frac{2 \sum A S + \sum A P}{\sum A + 2 \sum S}",
                    },
                )
            ],
            gradients=False,
        ),
        "grow_diagonal": Task(
            grow_diagonal,
            "grown links: from those in both tables, round by round, to whatever touches them and is free",
            [
                visible(chain=True), visible(words=6, tokens=5, batch=2), visible(words=12, tokens=11, batch=4),
                hidden("other sizes", words=9, tokens=8, batch=2), hidden("a batch of one sentence", batch=1),
                hidden("a single target word", words=1),
                hidden("long chains", words=30, tokens=40, batch=2, chain=True),
                hidden("a chain of 150 links", words=150, tokens=1, batch=1, column=True),
                hidden("tables without a common link", batch=2, apart=True),
            ],
            two_tables, {"batch": 3, "words": 7, "tokens": 8}, {"links": "batch target_len source_len"},
            mistakes=[
                *swaps("either & near & free", GROWN),
                *swaps("forward & backward, {e}", FIRST.replace("either", "{e}")),
                mistake("common", "these are the links of both tables: nothing has grown",
                        body("return forward & backward")),
                mistake("one_round", "this is one round; go on until nothing is found",
                        edit(GROW, "return links | more")),
                *(mistake(f"{n}_rounds", "the number of rounds is fixed; go on until nothing is found",
                          start("rounds = 0"), edit(GROW, f"{GROW}; rounds += 1\nif rounds == {n}:\n    return links"),
                          *[edit(FREE, FREE)] * (n > 5),  # where both words have to be free, chains are shorter
                          caught="visible" if n < 13 else "hidden") for n in (2, 3, 5, 10, 100)),
                mistake("one_by_one", "a round uses the links before it, and adds all new ones at once",
                        body(EACH_ALONE)),
                mistake("cell_by_cell", "a round uses the links before it; this one sees what it has added itself",
                        body(BY_CELLS)),
                mistake("round_the_edge", "cells at opposite edges of the table are not neighbours",
                        edit(NEAR, "F.max_pool2d(F.pad({x}, (1, 1, 1, 1), mode='circular'), 3, stride=1)")),
                mistake("free_once", "the free cells are found only once; look for them in every round",
                        edit(FREE, FREE.replace("links", "(forward & backward)")),
                        edit("more = {m}", "more = {m} & ~links")),
                mistake("first_done", "the rounds end as soon as one sentence finds nothing, and others may go on",
                        edit(LAST, f"{GROW}\n{LAST}".replace("more.any()", ALL_GROW))),
                mistake("first_done_unadded",
                        "the rounds end as soon as one sentence finds nothing, and what others have found is not added",
                        edit(LAST, LAST.replace("more.any()", ALL_GROW))),
            ],
            variants=[
                variant(
                    "no_corners",
                    edit("F.max_pool2d({x}, 3, stride=1, padding=1)",
                         "F.max_pool2d({x}, (3, 1), 1, (1, 0)) + F.max_pool2d({x}, (1, 3), 1, (0, 1))"),
                    text={"one of its eight neighbours": "one of its four neighbours, above, below, left or right"},
                ),
                variant("both_free", edit("links.any(-1, keepdim=True) & {c}", "links.any(-1, keepdim=True) | {c}"),
                        text={"or its source word has no link": "and its source word have no link"}),
            ],
            gradients=False,
        ),
        "permute_weights": Task(
            permute_weights,
            "permuted weights: the same weights in every sentence, in another order, and padding keeps its 0",
            [
                visible(), hidden("other sizes", lengths=(7, 2, 5)),
                hidden("padding on the left", lengths=(6, 4, 2), kind="left"),
                hidden("padding anywhere", lengths=(9, 9, 9, 9, 9), kind="holes"),
                hidden("a sentence without a real token", lengths=(5, 0, 3)),
                hidden("a batch of one sentence", lengths=(6,)), hidden("sentences of one token", lengths=(1, 1)),
                hidden("float64", lengths=(6, 4), dtype=torch.float64),
                hidden("weights (batch, queries, keys)", lengths=(6, 4), axes=(3,)),
                hidden("a mask for each query", lengths=(6, 6), axes=(3,), kind="holes"),
                hidden("one mask for all sentences", lengths=(4, 6, 6), kind="shared"),
                hidden("weights (batch, heads, queries, keys)", lengths=(6, 4), axes=(2, 3)),
                hidden("real tokens of weight 0", lengths=(7, 5, 6), kind="zeros"),
            ],
            shuffled, {"lengths": (3, 6, 5, 1)},
            {"permuted weights": "batch keys", "the gradient at the weights": "batch keys"}, with_slopes, either_order,
            gradients=False,
            mistakes=[
                *swaps(ORDER, ORDERS, "first_places", "front"),
                mistake("mask_0", "every sentence has the mask of sentence 0", start("source_mask = source_mask[:1]")),
                mistake("by_weight", "a weight of 0 is taken for padding; a real token may have that weight",
                        start("source_mask = weights > 0"), caught="hidden"),
                mistake("drawn_with_padding", "padding gets a draw that a real token may have; it needs a larger one",
                        edit("draws.masked_fill(~mask, 2.0)", "draws.masked_fill(~mask, 1.0)"),
                        edit("return {x}", "return {x} * mask"), caught="hidden"),
                mistake("order_0", "every sentence has the order of sentence 0",
                        start("draws = draws[:1].expand_as(draws)")),
            ],
        ),
        "furthest_look": Task(
            furthest_look,
            "furthest look: of the trials that leave the output nearly unchanged, that with the most different weights",
            [
                visible(), visible("outputs that move by just the tolerance", edge=True), hidden("one trial", trials=1),
                hidden("weights that stay the same", same=True), hidden("a tolerance of 0", same=True, tolerance=0.0),
                hidden("a batch of one sentence", batch=1),
                hidden("another tolerance, other sizes", tolerance=0.5, batch=12, trials=40, keys=3, words=8),
                hidden("many sentences", batch=64, trials=40, gradients=False), hidden("float64", dtype=torch.float64),
            ],
            trials, {"batch": 8, "trials": 30, "keys": 6, "words": 9}, {"chosen": "batch", "divergence": "batch"},
            reading=either_trial,
            mistakes=[
                *swaps(APART, TRIALS), *swaps(MOVED, MOVES),
                mistake("just_within", "a trial that moves the output by just the tolerance counts too",
                        edit("moved > tolerance", "moved >= tolerance")),
                mistake("arguments", "the mean and the weights are exchanged in the divergence",
                        edit(NAN, TURNED, "all")),
                mistake("at_0", AT_0, TO_0, edit("divergence.isinf()", "divergence == 0"), caught="hidden"),
                mistake("first_at_0", AT_0, TO_0, edit("divergence.isinf()", "(moved > tolerance).all(0)"),
                        caught="hidden"),
                mistake("root", "this is the distance, the root of the divergence",
                        edit("(first + second) / 2", "((first + second) / 2).clamp(min=0).sqrt()")),
                mistake("nan", "0 · log 0 is NaN: a weight may be 0, and then adds nothing",
                        edit(NAN, "({p} * ({p} / middle).log()).sum(-1)", "all")),
                mistake("none_is_0", "where no trial qualifies, trial 0 is named; it should be -1",
                        edit("chosen.masked_fill(none, -1)", "chosen")),
                mistake("one_side", "this is the divergence of one side from the mean; average both sides",
                        edit("(first + second) / 2", "first")),
                mistake("kl", KL, edit("(weights + others) / 2", "others.clamp(min=1e-9)")),
                *(mistake(f"kl_above_{least}", KL,
                          edit("(first + second) / 2", f"(torch.xlogy(weights, weights) - torch.xlogy(weights, "
                                                       f"others.clamp(min={least}))).sum(-1)"))
                  for least in (0, 1e-30, 1e-12, 1e-10, 1e-9, 1e-8)),
                mistake("moved_most", "this is the trial that moves the output most; the weights should decide",
                        edit("{d}, chosen = apart.max(0)",
                             "chosen = moved.masked_fill(moved > tolerance, -1.0).argmax(0)\n"
                             "divergence = apart.gather(0, chosen[None])[0]")),
                mistake("of_batch", "one trial for the whole batch; each sentence has its own",
                        start("output, outputs = output[:1].expand_as(output), outputs[:, :1].expand_as(outputs)")),
            ],
            variants=[
                variant("bits", edit("(first + second) / 2", "(first + second) / 2 / torch.log(torch.tensor(2.0))"),
                        text={"the natural logarithm": "the logarithm to base 2"}),
            ],
            gradients=False,
        ),
    },
)
