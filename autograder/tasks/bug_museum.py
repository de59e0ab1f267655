"""The tasks of ``15_bug_museum``: five exhibits to mend, and three tests of a learner's own.

A test is tried on right code and on wrong code: what is compared is what each of them said of the learner's inputs.
"""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.draw import Draw
from autograder.checking.edits import body, edit, result, start
from autograder.checking.task import Mistake, Task, hidden, mistake, variant, visible
from autograder.checking.values import named
from autograder.checking.wording import with_article
from autograder.finding import CheckFailed
from seq2seq.museum.exhibits import exhibit_perplexity, exhibit_scores, exhibit_weights
from seq2seq.museum.proofs import neighbour_proof, padding_proof, query_proof
from seq2seq.museum.repairs import (
    mended_perplexity,
    mended_scores,
    mended_summary,
    mended_translation,
    mended_weights,
)

OF_WORDS = ("words of one batch", "words of the other batch")
BLAMED = {
    "scores": "these are scores as a scorer gives them, and nobody is padding",
    "the first sentences": "the first sentence has to be the same in both: right code may give other scores others",
}
BLAMED_TOO = {
    "padded losses": "right code that multiplies by the mask would be blamed: 0 · ∞ is NaN",
    "the real losses": "right code would be blamed: what was real stays so, and what is added is padding for the mask",
}
CLEAR = 1e-4  # what a test sees must stand out from rounding
SMALL = 0.01  # a change of scores that may be too little for that


def scores_of(
    draw: Draw, lengths: list[int], keys: int = 0, level: Any = 0.0, above: float = 0.0, scale: float = 2.0, **at: bool
) -> dict[str, Tensor]:
    mask = draw.mask(lengths, keys, at.get("left", False))
    scores = torch.tensor(level) + draw.normal(*mask.shape, scale=scale) + above * ~mask
    scores[:, : at.get("zero", 0)] = 0.0
    return {"scores": scores, "source_mask": mask}


def states_of(draw: Draw, lengths: list[int], size: int = 3, width: int = 0, zero: bool = False) -> dict[str, Tensor]:
    """``zero``: the first sentence ends, and the second begins, with a state of 0."""
    mask = draw.mask(lengths, width)
    states = draw.normal(*mask.shape, 2 * size) * mask.unsqueeze(-1)
    if zero:
        states[0, lengths[0] - 1], states[1, 0] = 0.0, 0.0
    return {"states": states, "source_lengths": mask.sum(1)}


def parts_of(draw: Draw, batch: int, queries: int, keys: int, size: int, scale: float = 1.0) -> dict[str, Tensor]:
    asked, offered = draw.normal(batch, queries, size, scale=scale), draw.normal(batch, keys, size, scale=scale)
    return {"asked": asked, "offered": offered, "energy": draw.normal(size)}


def losses_of(
    draw: Draw, lengths: list[int], width: int = 0, level: float = 0.0, beyond: float = 0.0, **at: bool
) -> dict[str, Tensor]:
    mask = draw.mask(lengths, width, at.get("left", False))
    losses = level + draw.uniform(*mask.shape, low=0.2, high=3.2) + beyond * ~mask
    losses = losses - losses.mean() + 7 if at.get("seven") else losses
    losses[:, : at.get("zero", 0)] = 0.0
    return {"losses": losses, "target_mask": mask}


def tables_of(
    draw: Draw, batch: int, vocab: int, steps: int, bos: int, level: float = 0.0, itself: bool = False
) -> dict[str, Any]:
    """Each table leads round all words in a circle of its own; the lead is small, so that a draw would lose it."""
    tables = draw.uniform(batch, vocab, vocab)
    for table in tables:
        circle = torch.tensor(draw.order(vocab))
        table[circle, circle.roll(-1)] = 1.02
        if itself:
            table[table[bos].argmax(), table[bos].argmax()] = 1.1
    return {"next_logits": level + tables, "bos": bos, "steps": steps}


def crowd_of(draw: Draw, batch: int, keys: int, level: float = 0.0) -> dict[str, Tensor]:
    return {"scores": level + draw.uniform(batch, keys, high=2.0)}


MIXED: dict[str, Callable[[Tensor], Tensor]] = {
    "a softmax over the batch": lambda scores: exhibit_weights(scores, torch.ones_like(scores).bool()),
    "a softmax over all numbers of the batch": lambda scores: scores.flatten().softmax(0).view_as(scores),
}
GENEROUS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "a sum that is divided by the padding too": exhibit_perplexity,
    "an average over all positions": lambda losses, mask: losses.mean().exp(),
    "a sum that has the padding in it": lambda losses, mask: (losses.sum() / mask.sum()).exp(),
}


def neighbours(given: SimpleNamespace, batches: Any) -> Iterator[tuple[str, Any]]:
    """What right and wrong code say of the first sentence in the two batches."""
    keys, pair = given.scores.size(1), {}
    for name, part in named(batches, "one batch", "other batch"):
        _expect_batch(name, part, given.scores)
        pair[name] = part
    first, other = pair.values()
    for name, part in zip(OF_WORDS, pair.values(), strict=True):
        yield name, "as given" if part.size(1) == keys else "others"
    if {first.size(1), other.size(1)} != {keys}:
        return
    yield "scores", _finite(first, other)
    yield "the first sentences", "alike" if first[0].equal(other[0]) else "not alike"
    seen = {name: _noticed(code(first)[0], code(other)[0]) for name, code in MIXED.items()}
    moved = first.sub(other).abs().max() if first.shape == other.shape else torch.inf
    if 0 < moved < SMALL and "unnoticed" in seen.values():
        why = "what a test sees must stand out from rounding"
        raise CheckFailed("the neighbours", "too little changed", "a change that shows", why, mistake="small_change")
    yield from seen.items()


def _expect_batch(name: str, part: Any, like: Tensor) -> None:
    if not isinstance(part, Tensor) or part.dim() != 2 or not len(part) or part.dtype != like.dtype:
        is_tensor = isinstance(part, Tensor)
        got = f"shape {tuple(part.shape)}, {part.dtype}" if is_tensor else with_article(type(part).__name__)
        why = "each is a batch of scores: it needs an axis for the sentences, of which there is at least one"
        raise CheckFailed(name, got, f"a tensor (sentences, keys), {like.dtype}", why, mistake="no_batch")


def padding(given: SimpleNamespace, padded: Any) -> Iterator[tuple[str, Any]]:
    """What right and wrong code say of the padded batch."""
    losses, mask = given.losses, given.target_mask
    pair = dict(named(padded, "padded losses", "padded mask"))
    more, real = pair.values()
    shape = (len(losses), losses.size(1))
    for (name, part), like in zip(pair.items(), (losses, mask), strict=True):
        if not isinstance(part, Tensor) or part.dtype != like.dtype:
            got = f"dtype {part.dtype}" if isinstance(part, Tensor) else with_article(type(part).__name__)
            raise CheckFailed(name, got, f"a tensor of {like.dtype}", "", mistake="pair_kinds")
    if more.shape != real.shape or more.dim() != 2 or len(more) != shape[0] or more.size(1) <= shape[1]:
        got, wanted = f"shapes {tuple(more.shape)} and {tuple(real.shape)}", "(sentences as before, more positions)"
        raise CheckFailed("the pair", got, wanted, "the same sentences, more positions", mistake="pair_shapes")
    yield "padded losses", _finite(more)
    rows = zip(more, real, losses, mask, strict=True)
    yield "the real losses", "as before" if all(a[b].equal(c[d]) for a, b, c, d in rows) else "others than before"
    for name, code in GENEROUS.items():
        yield name, _noticed(code(losses, mask), code(more, real))


def _finite(*tensors: Tensor) -> str:
    return "finite" if all(bool(tensor.isfinite().all()) for tensor in tensors) else "not finite"


def _noticed(first: Tensor, other: Tensor) -> str:
    return "unnoticed" if float((first - other).abs().max()) < CLEAR else "noticed"


def looks(
    draw: Draw, batch: int, steps: int, keys: int, kind: str = "right", where: int = 0, step: int = -1,
    share: float = 0.5,
) -> dict[str, Tensor]:
    """Weights of right scores; of the exhibit; the same at all steps; or the same but for a change."""
    parts = parts_of(draw, batch, steps, keys, 8)
    if kind == "exhibit":  # equal on paper: what differs is rounding, whatever the processor's own is
        return {"weights": exhibit_scores(**parts).softmax(-1) + draw.normal(batch, steps, keys, scale=1e-7)}
    weights = mended_scores(**parts).softmax(-1)
    if kind == "right":
        return {"weights": weights}
    weights = weights[:, :1].repeat(1, steps, 1)
    if kind == "fading":
        weights = weights * torch.linspace(1.0, 0.5, steps).to(weights).view(1, -1, 1)
    if kind == "one differs":
        weights[where, step] += share * (weights[where, step].roll(1) - weights[where, step])
    if kind == "nearly":
        weights += draw.uniform(batch, steps, keys, high=9e-6)
    if kind == "large weight":
        weights = 0.05 * weights + 0.95 * (torch.arange(keys) == keys - 1)
    if kind in ("one weight", "large weight"):
        weights[where, -1, -1] += 1.6e-5
    if kind == "drift":
        weights[where, :, -1] += 6e-6 * torch.arange(steps)
    if kind == "opposite":
        weights[:2, -1, :2] += torch.tensor([[0.01, -0.01], [-0.01, 0.01]]).to(weights)
    return {"weights": weights}


LOW = "torch.softmax(scores.masked_fill(~source_mask, lowest), dim=1)"
FORWARD, BACKWARD = "states[rows, source_lengths - 1, :hidden_size]", "states[:, 0, hidden_size:]"
TOGETHER = "asked.unsqueeze(2) + offered.unsqueeze(1)"
PICKED = "losses[target_mask].mean().exp()"
REAL = "losses.masked_fill(~target_mask, 0.0)"
COUNTS = "target_mask.sum(1).clamp(min=1)"
LAST_COLUMN = "states[:, -1, :hidden_size]"
PADDED = "the forward half is taken at the last position of the batch, padding or not; word n stands at n − 1"
READ_LAST_WORD = "the backward direction has read one word there, the last; it starts at the end"


def gives(**table: tuple[str, str]) -> Iterator[Mistake]:
    """Mistakes that return something else: id → (why, what)."""
    return (mistake(id, why, result(put)) for id, (why, put) in table.items())


check = Checker(
    __name__,
    {
        "mended_weights": Task(
            mended_weights, "mended weights: the words of one sentence share its 1, whoever its neighbours are",
            [
                visible(lengths=[3, 5, 2]), visible(lengths=[6, 4, 1, 3]),
                hidden("as many sentences as words", lengths=[4, 2, 3, 4]),
                hidden("a batch of one sentence", lengths=[6], keys=8),
                hidden("sentences of one word", lengths=[1, 1, 1]),
                hidden("scores near −100000", lengths=[4, 3], level=-1e5),
                hidden("scores far apart", lengths=[5, 3, 4], scale=200.0),
                hidden("sentences whose scores lie far from each other's", lengths=[3, 2], level=[[-500.0], [500.0]]),
                hidden("words whose score is 0", lengths=[3, 4, 2], zero=True),
                hidden("padding in front of the words", lengths=[3, 4, 2], keys=5, left=True),
                hidden("padding with scores far above the words'", lengths=[4, 2, 3], above=200.0),
                hidden("a sentence without words", lengths=[3, 0, 2]),
                hidden("float64", lengths=[4, 3, 2], dtype=torch.float64),
            ],
            scores_of, results={"weights": "batch keys"},
            mistakes=[
                *gives(
                    over_batch=(
                        "the words still compete with the words of the other sentences",
                        "torch.softmax(scores.masked_fill(~source_mask, lowest), 0).masked_fill(~source_mask, 0)",
                    ),
                    no_mask=("the padding takes part in the softmax", "scores.softmax(1)"),
                    mask_after=("the mask comes after the softmax: the real words no longer share all of the 1",
                                "scores.softmax(1) * source_mask"),
                    over_all=("the softmax runs over all words of the batch: each sentence has its own 1",
                              "scores.masked_fill(~source_mask, lowest).flatten().softmax(0).view_as(scores)"),
                    no_softmax=("the softmax is missing", "scores * source_mask"),
                    zero_scores=("the padding gets a score of 0, which takes a share: exp(0) is 1",
                                 "(scores * source_mask).softmax(1)"),
                    zero_scores_after=("the padding takes a share with a score of 0, and loses it after the softmax",
                                       "(scores * source_mask).softmax(1) * source_mask"),
                ),
                mistake("larger_axis", "the axis depends on which of the two is longer: name it by its place",
                        edit(LOW, LOW.replace("dim=1", "dim=int(scores.size(1) > scores.size(0))")), caught="hidden"),
                mistake("little_low", "the number at the padding is not low enough beside these scores",
                        edit("lowest = {x}", "lowest = -100.0"), caught="hidden"),
                mistake("underflow",
                        "all exponentials vanish, and 0/0 is left: subtract the largest score first, or use a softmax",
                        body("e = scores.exp() * source_mask\nreturn e / e.sum(1, keepdim=True)"), caught="hidden"),
                mistake("underflow_to_0",
                        "all exponentials vanish, and so do the weights: subtract the largest score first, or use a "
                        "softmax",
                        body("e = scores.exp() * source_mask\nreturn e / e.sum(1, keepdim=True).clamp(min=1e-9)"),
                        caught="hidden"),
                mistake("renormalised",
                        "the mask comes after the softmax, which leaves nothing to divide beside far higher padding",
                        result("(lambda w: w / (w.sum(1, keepdim=True) + 1e-9))(scores.softmax(1) * source_mask)"),
                        caught="hidden"),
                mistake("log_sum",
                        "beside such scores the logarithm of the sum is rounded: subtract the largest score first",
                        result("(scores - scores.masked_fill(~source_mask, lowest).logsumexp(1, keepdim=True))"
                               ".masked_fill(~source_mask, -torch.inf).exp()"),
                        caught="hidden"),
                mistake("zero_score", "a score of 0 is taken for padding; a word may have that score",
                        edit("~source_mask", "((scores * source_mask) == 0)", at=0), caught="hidden"),
            ],
        ),
        "neighbour_proof": Task(
            neighbour_proof,
            "proof by neighbours: wrong code gives the first sentence other weights in the other batch, right does not",
            [
                visible(), hidden("two sentences", batch=2, keys=6), hidden("other sizes", batch=7, keys=3),
                hidden("as many sentences as words", batch=3, keys=3), hidden("float64", dtype=torch.float64),
                hidden("scores near 1000", batch=3, keys=4, level=1000.0),
            ],
            crowd_of, {"batch": 4, "keys": 5},
            dict.fromkeys((*OF_WORDS, *BLAMED, *MIXED), ""),
            reading=neighbours, gradients=False, coarse=True,
            mistakes=[
                *gives(
                    same=("the neighbours are the same in both batches, if only in another order, or have no share",
                          "scores, torch.cat([scores[:1], scores[1:].flip(0)])"),
                    other_first=(BLAMED["the first sentences"], "scores[:1], scores[1:]"),
                    infinite=("these are scores as a scorer gives them, and nobody is padding",
                              "scores[:1], torch.cat([scores[:1], scores[1:] - torch.inf])"),
                    fewer_words=("the sentences have another number of words", "scores, scores[:, :-1]"),
                ),
                mistake("same_tensor", "both names are of one tensor, as `=` makes no copy",
                        body("other = scores\nother[1:] = 0.0\nreturn scores, other")),
            ],
            words={
                **dict.fromkeys(OF_WORDS, "each sentence has as many words as those that are given"), **BLAMED,
                **dict.fromkeys(MIXED, "the first sentence has the same weights in both batches there"),
            },
        ),
        "mended_summary": Task(
            mended_summary, "mended summary: each direction's state where it has read the whole sentence",
            [
                visible(lengths=[4, 6, 2]), visible(lengths=[3, 5], size=4), hidden("no padding", lengths=[4, 4, 4]),
                hidden("much padding", lengths=[2, 1, 3], width=9),
                hidden("a batch of one sentence", lengths=[3], width=5),
                hidden("sentences of one word", lengths=[1, 1], size=4),
                hidden("states of size one each way", lengths=[5, 2, 3], size=1),
                hidden("words whose states are 0", lengths=[3, 4], zero=True),
                hidden("float64", lengths=[5, 2, 4], dtype=torch.float64),
            ],
            states_of, results={"summary": "batch size"},
            mistakes=[
                *gives(
                    last_column=("both halves are still taken at the last position of the batch", "states[:, -1]"),
                    last_word=(READ_LAST_WORD, "states[rows, source_lengths - 1]"),
                    first_word=("the forward direction has read one word at the first position: it ends at the last",
                                "states[:, 0]"),
                    average=("this is the average over the positions", "states.sum(1) / source_lengths.unsqueeze(1)"),
                    average_of_all=("this is the average over all positions, padding too", "states.mean(1)"),
                    one_direction=("this is one direction alone; the decoder starts from both", "forward_state"),
                ),
                mistake("forward_in_padding", f"the backward half is right, but {PADDED}", edit(FORWARD, LAST_COLUMN)),
                mistake("backward_last_column",
                        "the forward half is right, but the backward half is taken at the batch's last position",
                        edit(BACKWARD, "states[:, -1, hidden_size:]")),
                mistake("both_padded", f"{READ_LAST_WORD}; and {PADDED}", edit(FORWARD, LAST_COLUMN),
                        edit(BACKWARD, "states[rows, source_lengths - 1, hidden_size:]")),
                mistake("directions",
                        "the directions are exchanged: forward ends at the last word, backward at the first",
                        edit(FORWARD, "states[:, 0, :hidden_size]"),
                        edit(BACKWARD, "states[rows, source_lengths - 1, hidden_size:]")),
                mistake("halves", "the halves come in opposite order: the forward one is first",
                        edit("backward_state = {x}", f"backward_state = {FORWARD}"),
                        edit("forward_state = {x}", f"forward_state = {BACKWARD}")),
                mistake("in_turn", "every second number is taken for a direction; the directions are two halves",
                        edit(FORWARD, "states[rows, source_lengths - 1, ::2]"),
                        edit(BACKWARD, "states[:, 0, 1::2]")),
                mistake("other_halves", "the places are right, but each direction's half is taken for the other's",
                        edit(FORWARD, "states[rows, source_lengths - 1, hidden_size:]"),
                        edit(BACKWARD, "states[:, 0, :hidden_size]")),
                mistake("forward_half", "the second half is taken from the forward states, at the first word",
                        edit(BACKWARD, "states[:, 0, :hidden_size]")),
                mistake("by_states", "the words are counted by states that are not 0; a word may have a state of 0",
                        edit(FORWARD, "states[rows, (states != 0).any(-1).sum(1) - 1, :hidden_size]"), caught="hidden"),
                mistake("one_too_late", "the forward half is taken one place too late; word n stands at n − 1",
                        edit(FORWARD, "states[rows, source_lengths.clamp(max=states.size(1) - 1), :hidden_size]")),
            ],
        ),
        "mended_scores": Task(
            mended_scores, "mended scores: v · tanh(W s + U h), so that the query counts",
            [
                visible(), visible(batch=2, queries=5, keys=3, size=4),
                hidden("other sizes", batch=4, queries=2, keys=7, size=6),
                hidden("as many steps as words", queries=4, keys=4, size=4), hidden("a batch of one sentence", batch=1),
                hidden("one decoder step", queries=1), hidden("sentences of one word", keys=1),
                hidden("large sums", scale=100.0), hidden("float64", dtype=torch.float64),
            ],
            parts_of, {"batch": 3, "queries": 4, "keys": 5, "size": 6}, {"scores": "batch queries keys"},
            mistakes=[
                *gives(
                    tanh_of_each=("the tanh is taken of each part alone: the query still cancels",
                                  "(asked.tanh().unsqueeze(2) + offered.tanh().unsqueeze(1)) @ energy"),
                    tanh_of_query=("the tanh is taken of the query's part alone; it should be taken of the sum",
                                   "(asked.tanh().unsqueeze(2) + offered.unsqueeze(1)) @ energy"),
                    tanh_of_word=("the tanh is taken of the word's part alone; it should be taken of the sum",
                                  "(asked.unsqueeze(2) + offered.tanh().unsqueeze(1)) @ energy"),
                    tanh_outermost=("the tanh is applied last; it should be applied before v",
                                    "(together @ energy).tanh()"),
                    softmax=("a softmax is applied; these should still be scores", "({x}).softmax(-1)"),
                    v_inside=("v is inside the tanh; it should multiply what comes out of the tanh",
                              "(together * energy).tanh().sum(-1)"),
                ),
                mistake("no_tanh",
                        "the query still cancels: each step adds the same to every word, and the softmax drops it",
                        edit("together.tanh()", "together")),
                mistake("relu", "there is a ReLU, not the tanh of the equation",
                        edit("together.tanh()", "together.relu()")),
                mistake("no_v", "v is forgotten: the features are summed with equal weights",
                        edit("{x} @ energy", "{x}.sum(-1)")),
                mistake("mean_of_features", "the features are averaged; their sum, weighted by v, is asked for",
                        edit("{x} @ energy", "({x} * energy).mean(-1)")),
                mistake("product", "the two parts are multiplied; they should be added",
                        edit("{x} + {y}", "{x} * {y}")),
                mistake("words_first", "the words come last: one row of scores for each decoder step",
                        edit(TOGETHER, "asked.unsqueeze(1) + offered.unsqueeze(2)")),
            ],
            variants=[
                variant("difference", edit(TOGETHER, "asked.unsqueeze(2) - offered.unsqueeze(1)"),
                        text={r"\tanh(W s_{i-1} + U h_j)": r"\tanh(W s_{i-1} - U h_j)"})
            ],
        ),
        "query_proof": Task(
            query_proof,
            "proof by queries: True where steps of a sentence have different weights, False where the query cancels",
            [
                visible("weights that change from step to step"),
                visible("weights that are the same at every step, of sentences that differ", kind="same"),
                visible("weights of the exhibit, where steps differ by rounding alone", kind="exhibit"),
                visible("weights that change at the last step only", kind="one differs"),
                visible("one sentence, the same at every step", batch=1, kind="same"),
                visible("weights that change at the second step of one sentence only", kind="one differs", step=1),
                visible("sentences of one word", keys=1),
                visible("two sentences that change in opposite directions", kind="opposite"),
                visible("a drift of less than 0.00001 from step to step", kind="drift", steps=10),
                visible("one weight that differs by little more than 0.00001", kind="one weight"),
                visible("a large weight that differs by little more than 0.00001", kind="large weight"),
                visible("the same weights in another order", kind="one differs", share=1.0),
                hidden("a change in the last sentence alone", kind="one differs", where=-1),
                hidden("a small change", kind="one differs", where=1, share=0.01),
                hidden("one weight that differs by little more than 0.00001", kind="one weight", where=1),
                hidden("differences of little less than 0.00001", kind="nearly"),
                hidden("a drift of less than 0.00001 from step to step", kind="drift", steps=20),
                hidden("the same weights in another order", kind="one differs", share=1.0),
                hidden("two sentences that change in opposite directions", kind="opposite"),
                hidden("a batch of one sentence", batch=1), hidden("one step: there is nothing to compare", steps=1),
                hidden("one sentence of the exhibit", batch=1, kind="exhibit"),
                hidden("the exhibit", batch=5, kind="exhibit"), hidden("float64", dtype=torch.float64),
                hidden("weights that need not sum to 1, as those of local attention", kind="fading"),
            ],
            looks, {"batch": 3, "steps": 4, "keys": 5}, {"verdict": ""}, gradients=False, coarse=True,
            mistakes=[
                *gives(
                    exact=("numbers that differ by rounding alone are no difference",
                           "not torch.equal(weights, weights[:, :1].expand_as(weights))"),
                    sentences=("sentences are compared with each other; compare the steps of one sentence",
                               "bool((weights - weights[:1]).abs().max() > 1e-5)"),
                    keys=("the words of one step are compared; compare the steps of one sentence",
                          "bool((weights - weights[:, :, :1]).abs().max() > 1e-5)"),
                    negated=("this is the contrary: True means that the query counts", "not ({x})"),
                    two_steps=("only the first two steps are compared",
                               "bool((weights[:, 1:2] - weights[:, :1]).abs().sum() > 1e-5)"),
                    consecutive=("each step is compared with the one before it; compare it with the first",
                                 "bool(weights.diff(dim=1).abs().gt(1e-5).any())"),
                    averaged=("the differences are averaged over the sentences first: opposite ones vanish",
                              "bool((weights - weights[:, :1]).mean(0).abs().max() > 1e-5)"),
                    summed=("the sentences are added up first: opposite differences vanish",
                            "bool((weights - weights[:, :1]).sum(0).abs().max() > 1e-5)"),
                    every_sentence=("one sentence in which steps differ is enough; here all must",
                                    "bool(((weights - weights[:, :1]).abs().amax((1, 2)) > 1e-5).all())"),
                    deviation=("a deviation is an average over the steps; compare each with the first",
                               "bool(weights.std(1, correction=0).max() > 1e-5)"),
                    relative=("`allclose` adds a share `rtol` of the weight to the bound, which should be one for all",
                              "not torch.allclose(weights, weights[:, :1].expand_as(weights), atol=1e-5)"),
                    in_order=("the weights are compared in order of size: which word has which is lost",
                              "bool((weights.sort(-1).values - weights[:, :1].sort(-1).values).abs().max() > 1e-5)"),
                    always=("this is True whatever the weights are", "True"),
                    never=("this is False whatever the weights are", "False"),
                ),
                mistake("coarse", "differences that are much larger than rounding are taken for none",
                        edit("1e-5", "1e-3")),
                mistake("last_step", "only the last step is compared with the first",
                        result("bool((weights[:, -1] - weights[:, 0]).abs().max() > 1e-5)")),
                mistake("added_up", "the differences of a step are added up; each counts by itself",
                        result("bool((weights - weights[:, :1]).abs().sum(-1).max() > 1e-5)"), caught="hidden"),
                mistake("signed", "a difference may be negative too, and then counts as none here",
                        result("bool((weights - weights[:, :1]).max() > 1e-5)"), caught="hidden"),
                mistake("first_sentence", "only the first sentence is looked at",
                        result("bool((weights[0] - weights[0, :1]).abs().max() > 1e-5)"), caught="hidden"),
            ],
        ),
        "mended_perplexity": Task(
            mended_perplexity, "mended perplexity: every real word counts once, padding not at all",
            [
                visible(lengths=[3, 6, 2]), visible(lengths=[4, 1], width=7), hidden("no padding", lengths=[4, 4]),
                hidden("much padding", lengths=[2, 5, 1, 3], width=11),
                hidden("a batch of one sentence", lengths=[3], width=4),
                hidden("sentences of one word", lengths=[1, 1, 1]),
                hidden("a sentence without a real word", lengths=[4, 0, 2]),
                hidden("real words whose loss is 0", lengths=[4, 2, 3], zero=True),
                hidden("padding in front of the words", lengths=[4, 2, 3], width=5, left=True),
                hidden("very large losses at the padding", lengths=[3, 1, 2], width=5, beyond=1e30),
                hidden("long sentences of words hardly probable", lengths=[200, 150], level=40.0),
                hidden("float64", lengths=[4, 2], dtype=torch.float64),
            ],
            losses_of, results={"perplexity": ""},
            mistakes=[
                *gives(
                    mean_of_all=("padding still counts in the number that the sum is divided by",
                                 f"{REAL}.mean().exp()"),
                    no_mask=("the losses at the padding are averaged as well", "losses.mean().exp()"),
                    padding_in_sum=("the losses at the padding are in the sum",
                                    "(losses.sum() / target_mask.sum()).exp()"),
                    by_sentence=("the sentences count alike, so that a word of a short one counts more",
                                 f"({REAL}.sum(1) / {COUNTS}).mean().exp()"),
                    of_words=("the perplexities of the words are averaged; the losses should be averaged first, and "
                              "then the exponential taken",
                              "losses[target_mask].exp().mean()"),
                    of_sentences=("the perplexities of sentences are averaged; the losses should be averaged first, "
                                  "and then the exponential taken",
                                  f"({REAL}.sum(1) / {COUNTS}).exp().mean()"),
                    each=("this is one number for each sentence; one for the batch is wanted",
                          f"({REAL}.sum(1) / {COUNTS}).exp()"),
                    base_2=("this is a power of 2, and the losses are natural logarithms",
                            "2 ** losses[target_mask].mean()"),
                    by_width=("the sum is divided by the positions of one row, not by the number of words",
                              f"({REAL}.sum() / losses.size(1)).exp()"),
                    by_batch=("the sum is divided by the number of sentences, not of words",
                              "(losses[target_mask].sum() / len(losses)).exp()"),
                ),
                mistake("by_longest", "every sentence is counted as long as the longest",
                        result(f"({REAL}.sum() / (len(losses) * target_mask.sum(1).max())).exp()")),
                mistake("product", "the probabilities are multiplied: so small a product comes to 0; add the losses",
                        result("(-losses[target_mask]).exp().prod() ** (-1 / target_mask.sum())"), caught="hidden"),
                mistake("not_divided", "the sum is not divided by the number of words",
                        edit(PICKED, "losses[target_mask].sum().exp()")),
                mistake("zero_not_counted", "a word counts only if its loss is not 0; a real word may have a loss of 0",
                        edit(PICKED, f"({REAL}.sum() / {REAL}.count_nonzero()).exp()"), caught="hidden"),
            ],
        ),
        "padding_proof": Task(
            padding_proof,
            "proof by padding: wrong code gives the padded batch another perplexity, right code does not",
            [
                visible(lengths=[3, 5, 2]), hidden("no padding yet", lengths=[4, 4]),
                hidden("a batch of one sentence", lengths=[6]), hidden("sentences of one word", lengths=[1, 1, 1]),
                hidden("other sizes", lengths=[2, 7, 4, 1]), hidden("float64", lengths=[5, 2], dtype=torch.float64),
                hidden("losses whose average is 7", lengths=[3, 4], seven=True, dtype=torch.float64),
            ],
            losses_of, results=dict.fromkeys((*BLAMED_TOO, *GENEROUS), ""), reading=padding,
            gradients=False, coarse=True,
            mistakes=[
                mistake("zeros", "losses of 0 at the padding add nothing: code that has the padding in its sum passes",
                        edit("losses + 1.0", "torch.zeros_like(losses)")),
                mistake("again",
                        "the same losses stand at the padding once more: an average over all positions stays as it was",
                        edit("losses + 1.0", "losses")),
                mistake("constant",
                        "the padding is one number whatever the losses are, and their mean may be just that number",
                        edit("losses + 1.0", "torch.full_like(losses, 7.0)"), caught="hidden"),
                mistake("infinite", "right code that multiplies by the mask would be blamed: 0 · ∞ is NaN",
                        edit("losses + 1.0", "torch.full_like(losses, torch.inf)")),
                mistake("real_words",
                        "right code would be blamed: what was real stays so, and what is added is padding for the mask",
                        edit("torch.zeros_like(target_mask)", "torch.ones_like(target_mask)")),
                mistake("twice", "every word comes twice, marked as real; what is added should be padding for the mask",
                        result("torch.cat([losses, losses], 1), torch.cat([target_mask, target_mask], 1)")),
                mistake("changed", "right code would be blamed: the real losses are others",
                        start("losses = 2 * losses")),
            ],
            words={**BLAMED_TOO, **dict.fromkeys(GENEROUS, "the padded batch has the perplexity of before there")},
        ),
        "mended_translation": Task(
            mended_translation, "mended translation: every step hears the decoder's own last word, the first hears BOS",
            [
                visible(), visible(batch=4, vocab=7, steps=3, bos=2),
                hidden("another BOS", batch=4, vocab=9, steps=6, bos=5),
                hidden("a batch of one sentence", batch=1, vocab=6, steps=4, bos=0),
                hidden("one step", vocab=6, steps=1, bos=2),
                hidden("more steps than words", batch=2, vocab=5, steps=12),
                hidden("logits near −1000", level=-1000.0), hidden("a word that follows itself", itself=True),
                hidden("float64", batch=2, vocab=5, steps=3, dtype=torch.float64),
            ],
            tables_of, {"batch": 3, "vocab": 8, "steps": 5, "bos": 1}, {"words": "batch steps"}, gradients=False,
            mistakes=[
                mistake(
                    "bos_for_ever", "every step hears BOS: the word that was said has to be handed on",
                    edit("previous = next_logits[rows, previous].argmax(-1)",
                         "said = next_logits[rows, bos].argmax(-1)"),
                    edit("words.append(previous)", "words.append(said)"),
                ),
                mistake("heard", "these are the words that are heard, BOS first; those that are said are wanted",
                        edit("previous = {x}\nwords.append(previous)", "words.append(previous)\nprevious = {x}")),
                mistake("with_bos", "one word too many: BOS is no word of the translation",
                        edit("words = []", "words = [previous]")),
                mistake("column", "the previous word chooses the column of the table; it should choose the row",
                        edit("next_logits[rows, previous]", "next_logits[rows, :, previous]")),
                mistake("one_table", "the first sentence's table is used for all",
                        edit("next_logits[rows, previous]", "next_logits[0, previous]")),
                mistake("first_word", "every sentence hears the first one's words; each should hear its own",
                        edit("next_logits[rows, previous]", "next_logits[rows, previous[0]]")),
                mistake("one_ahead", "the translation does not start at BOS: its first word is missing",
                        edit("torch.full_like(rows, bos)", "next_logits[:, bos].argmax(-1)")),
                mistake("steps_first", "sentences come first, then their words",
                        edit("torch.stack(words, dim=1)", "torch.stack(words)")),
                mistake("one_first", "the first step hears word 1, whatever `bos` is",
                        edit("torch.full_like(rows, bos)", "torch.ones_like(rows)")),
                mistake("zero_first", "the first step hears word 0, which is BOS in some vocabularies alone",
                        edit("torch.full_like(rows, bos)", "torch.zeros_like(rows)")),
                mistake("ends_at_bos", "the translation ends where BOS is said; there are always `steps` steps",
                        edit("previous = {x}\nwords.append(previous)",
                             "previous = {x}\nif (previous == bos).all():\n    break\nwords.append(previous)"),
                        caught="hidden"),
                mistake("underflow", "such logits have exponentials of 0; the largest logit is found without any",
                        edit("{x}.argmax(-1)", "{x}.exp().argmax(-1)"), caught="hidden"),
                mistake("few_steps", "there are as many steps as asked for, also where there are more than words",
                        edit("range(steps)", "range(min(steps, next_logits.size(1)))"), caught="hidden"),
            ],
        ),
    },
)
