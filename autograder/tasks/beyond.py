"""The tasks of ``13_beyond``: pooling, hops, copying, its loss, coverage, and scores that break a late mask."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.draw import Draw
from autograder.checking.edits import edit, result, start
from autograder.checking.task import Case, Mistake, Task, hidden, mistake, variant, visible
from autograder.finding import CheckFailed
from seq2seq.attention import masked_softmax
from seq2seq.beyond.copy_mixture import copy_distribution
from seq2seq.beyond.feed_forward_attention import FeedForwardAttention
from seq2seq.decoders.pointer import coverage_loss
from seq2seq.exercises.beyond import hops, pointer_loss, underflow_proof


def sequences(
    draw: Draw, lengths: list[int], size: int, scale: float, left: bool, numbers: bool = False
) -> dict[str, Tensor]:
    mask = draw.mask(lengths, max(lengths) + (min(lengths) == 0), left)
    return {"states": draw.normal(*mask.shape, size, scale=scale), "mask": mask.float() if numbers else mask}


def stories(draw: Draw, lengths: list[int], size: int, scale: float, hops: int, low: bool = False) -> dict[str, Tensor]:
    mask = draw.mask(lengths, max(lengths) + (min(lengths) == 0))
    query, embeddings = draw.normal(len(mask), size, scale=scale), draw.normal(hops + 1, *mask.shape, size, scale=0.8)
    if low:  # those of the first hop
        query, embeddings[0] = -query.abs() - 1, 3e4 * (embeddings[0].abs() + 0.1)
    return {"query": query, "embeddings": embeddings, "mask": mask}


def places(
    draw: Draw, batch: int, source_len: int, extended_size: int, below: int, repeats: bool
) -> dict[str, Tensor | int]:
    """``below``: ids below it alone stand in the source; 0 for all. One word comes twice for certain, or none does."""
    ids = draw.whole(0, below or extended_size, batch, source_len)
    if source_len > 1:
        ids[:, -1] = ids[:, 0]
    if not repeats:
        ids = torch.stack([torch.tensor(draw.order(extended_size)[:source_len]) for _ in range(batch)])
    return {"weights": draw.shares(batch, source_len), "extended_source": ids, "extended_size": extended_size}


def steps(
    draw: Draw, batch: int, target_len: int, source_len: int, vocab_size: int, unknown: int, lengths: list[int],
    kind: str,
) -> dict[str, Tensor]:
    """Targets of every kind: known, copied, both, and, where "lost", one that can be neither written nor copied."""
    source = draw.whole(0, vocab_size + unknown, batch, source_len)
    if source_len > 1:
        source[:, -1] = source[:, 0] = vocab_size + unknown - 1  # the last unknown word, or the last known, twice
    target = draw.whole(0, vocab_size, batch, target_len)
    target[:, 0] = source[:, 0]
    if target_len > 1:
        target[:, 1] = source[:, source_len // 2]
    target[:, 2:3] = 0  # a word like any other
    if kind == "lost":
        target[0, -1] = vocab_size + unknown + 3
    generated, weights = draw.shares(batch, target_len, vocab_size), draw.shares(batch, target_len, source_len)
    gate = draw.uniform(batch, target_len, low=0.15, high=0.45)
    if kind == "gates":  # and one word that is certain
        gate, generated[0, 0] = (torch.arange(target_len) % 2 == 0).to(gate).repeat(batch, 1), 0.0
        generated[0, 0, target[0, 0]] = 1.0
    if kind == "rare":  # probabilities on both sides of 1e-10
        rare = (10.0 ** -torch.linspace(8, 11.5, target_len)).to(gate).reshape(1, -1, 1)
        generated = generated.scatter(-1, target.clamp(max=vocab_size - 1).unsqueeze(-1), rare.repeat(batch, 1, 1))
        weights = torch.where(source.unsqueeze(1) == target.unsqueeze(-1), rare, weights)
    mask = draw.mask(lengths or [target_len, *range(1, batch)], target_len, left=kind == "left")
    given = {"generated": generated, "weights": weights, "gate": gate}
    return given | {"extended_source": source, "target": target, "target_mask": mask}


def looks(
    draw: Draw, lengths: list[int], source_len: int, left: bool, width: int, hard: bool = False
) -> dict[str, Tensor]:
    mask = draw.mask(lengths, width or max(lengths) + (min(lengths) == 0), left)
    weights = draw.normal(*mask.shape, source_len, scale=2.0).softmax(-1)  # sharp: else the coverage is above them soon
    weights = torch.where(weights == weights.amax(-1, keepdim=True), 1.0, 0.0).to(weights) if hard else weights
    return {"weights": weights, "target_mask": mask}


def mask_after(scores: Tensor, mask: Tensor) -> Tensor:
    """The faulty program of the exercise."""
    shares = torch.softmax(scores, dim=-1) * mask
    return shares / shares.sum(dim=-1, keepdim=True)


def broken(given: SimpleNamespace, pair: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(isinstance(part, Tensor) for part in pair):
        raise CheckFailed("the result", "no pair of tensors", "(scores, mask)", mistake="results")
    scores, mask = pair
    for name, tensor, dtype in (("scores", scores, given.like.dtype), ("mask", mask, torch.bool)):
        yield f"the shape of the {name}", tuple(tensor.shape)
        yield f"the dtype of the {name}", str(tensor.dtype)
        if tensor.shape != given.like.shape or tensor.dtype != dtype:
            return
    yield "the scores lie from -1000 to 1000", bool((scores.abs() <= 1000).all())
    yield "how many keys are padding", int((~mask).sum())
    yield "the mask before the softmax: finite weights", bool(masked_softmax(scores, mask).isfinite().all())
    yield "the mask after the softmax: finite weights", bool(mask_after(scores, mask).isfinite().all())


def each(find: str, table: dict[str, tuple[str, str]], caught: str = "visible") -> list[Mistake]:
    """What may stand in one place: id → why it is wrong, and what stands there."""
    return [mistake(id, why, edit(find, put), caught=caught) for id, (why, put) in table.items()]


def sequence_cases(*others: Case) -> list[Case]:
    return [
        visible(), visible(lengths=[6, 6, 6, 6], size=3), hidden("other sizes", lengths=[9, 4, 1, 7], size=6),
        hidden("a batch of one", lengths=[5], size=3), hidden("one step or sentence alone", lengths=[1, 1, 1]),
        hidden("nothing real in one row", lengths=[4, 0, 2], gradients=True), *others,
        hidden("float64", lengths=[6, 2], dtype=torch.float64),
    ]


EMPTY = "a row without anything real should have weights of 0, and no NaN"
LATE = "the mask comes after the softmax: what is real no longer shares all of the 1"
NO_SOFTMAX = "these are the scores: the softmax is missing"

LINE, ROW = "self.score_layer(states)", "states @ self.score_layer.weight[0]"
SCORES = f"torch.tanh({LINE}).squeeze(-1)"
OF_SCORES = {
    "relu": ("there is a ReLU in place of the tanh", f"torch.relu({LINE}).squeeze(-1)"),
    "tanh_of_states": ("the tanh is applied to the states; it should be applied to their score",
                       f"{LINE[:-8]}(states.tanh()).squeeze(-1)"),
    "no_bias": ("b is left out: it is inside the tanh, where it counts", f"torch.tanh({ROW})"),
    "bias_after": ("b comes after the tanh: the softmax cancels it", f"torch.tanh({ROW}) + self.score_layer.bias"),
    "mean": ("every real step has the same weight: that is the plain mean", "states.new_zeros(mask.shape)"),
}
MASKED, BY_SUM = "masked_softmax(scores, mask)", "scores * mask / (scores * mask).sum(-1, keepdim=True)"
OF_WEIGHTS = {
    "mask_after": (LATE, "scores.softmax(-1) * mask"),
    "times_mask": ("the scores are multiplied by the mask: a score of 0 still gets a share, since exp(0) is 1",
                   "(scores * mask).softmax(-1)"),
    "softmax_twice": ("the softmax is applied twice", f"masked_softmax({MASKED}, mask)"),
    "no_softmax": (NO_SOFTMAX, "scores * mask"),
    "exponentials": ("these are exponentials that are never divided by their sum", "scores.exp() * mask"),
    "by_the_sum": ("the scores are divided by their sum, without exponentials; a softmax is asked for", BY_SUM),
    "over_batch": ("the softmax runs over the batch", "scores.masked_fill(~mask, -1e9).softmax(0) * mask"),
    "over_one": ("the softmax runs over an axis of size 1, so every weight is 1", "torch.ones_like(scores)"),
}
NOT_ZERO = {
    "infinity": (EMPTY, "scores.masked_fill(~mask, -torch.inf).softmax(-1)"),
    "low": (EMPTY, "scores.masked_fill(~mask, -1e9).softmax(-1)"),
}
MEAN = "(states * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)"
OF_CONTEXT = {
    "mean_of_states": ("this is the plain mean of the real steps: the weights are not used", MEAN),
    "divided": ("the sum is divided by the number of steps as well", "(weights.unsqueeze(-1) * states).mean(1)"),
    "hard": ("only the step of the largest weight counts; every step should count by its weight",
             "states[torch.arange(len(states)), weights.argmax(-1)]"),
    "divided_real": ("the sum is divided by the number of real steps as well",
                     "weighted_sum(weights, states) / mask.sum(-1, keepdim=True).clamp(min=1)"),
    "tanh_of_values": ("the tanh of the states is summed", "weighted_sum(weights, torch.tanh(states))"),
    "other_weights": ("the padding is left in the sum", "weighted_sum(scores.softmax(-1), states)"),
}

LOOK, BY_VALUES = "attend({scores}, values, mask)", "(values @ query.unsqueeze(-1)).squeeze(-1)"
SUMMED = "(lambda w: ((w.unsqueeze(1) @ values).squeeze(1), w))"  # with weights of any kind
COSINE = "torch.cosine_similarity(query.unsqueeze(1), keys, dim=-1)"
EXP = "(lambda e: e / e.sum(-1, keepdim=True).clamp(min=1e-9))({scores}.exp() * mask)"
OF_LOOK = {
    "keys_fetched": ("the keys are summed; the values should be", "attend({scores}, keys, mask)"),
    "values_compared": ("the query is compared with the values, not with the keys",
                        f"attend({BY_VALUES}, values, mask)"),
    "roles_swapped": ("keys and values have changed places", f"attend({BY_VALUES}, keys, mask)"),
    "scaled": ("the scores are divided by the root of the size; plain dot products are asked for",
               LOOK.replace("}", "} / query.size(-1) ** 0.5")),
    "tanh": ("a tanh is applied to the scores; plain dot products are asked for", LOOK.replace("}", "}.tanh()")),
    "cosine": ("this is the cosine, which leaves the lengths of the vectors out; the dot product is asked for",
               f"attend({COSINE}, values, mask)"),
    "story_0": ("the query of story 0 asks in every story", "attend(keys @ query[0], values, mask)"),
    "no_mask": ("the mask is not used: padding takes part in the softmax",
                "attend({scores}, values, torch.ones_like(mask))"),
    "mask_after": (LATE, SUMMED + "({scores}.softmax(-1) * mask)"),
    "no_softmax": (NO_SOFTMAX, SUMMED + "({scores} * mask)"),
}
BEST = "query + values[torch.arange(len(values)), looked.argmax(-1)]"
OUTPUTS = {
    "added_twice": ("the question is added twice", "2 * query + output"),
    "not_added": ("the question is replaced by what was found: the two are added", "output"),
    "hard": ("only the best sentence is fetched; every sentence has a say", BEST),
}
CHAIN = "the values of one hop are the keys of the next"
MEMORIES = {
    "first_keys": (f"every hop has the first keys: {CHAIN}", "[(embeddings[0], values) for values in embeddings[1:]]"),
    "apart": (f"no embedding is used twice: {CHAIN}", "zip(embeddings[::2], embeddings[1::2])"),
    "two_hops": ("there are two hops, however many embeddings there are", "itertools.pairwise(embeddings[:3])"),
}
FIRST_QUERY = edit("weights = []", "weights, first = [], query")
STACKED = "torch.stack({w}, dim=1)"
RETURNED = {
    "last_weights": ("these are the weights of the last hop alone", "looked"),
    "hops_first": ("the hops are on the first axis of the weights; the batch comes first", "torch.stack({w})"),
}

ADDED, ARGUMENTS = "{x}.scatter_add(1, extended_source, weights)", "(1, extended_source, weights"
BEST_WORD = "extended_source.gather(1, weights.argmax(1, keepdim=True))[:, 0]"
ALL_PLACES = "torch.eye(extended_size)[extended_source].to(weights.dtype) * weights.unsqueeze(-1)"
REPEATED = "a word that comes twice"
OF_WORDS = {
    "scatter": (f"{REPEATED} keeps only its last weight: it was put, not added", f"{{x}}.scatter{ARGUMENTS})"),
    "largest": (f"{REPEATED} keeps only its largest weight", f"{{x}}.scatter_reduce{ARGUMENTS}, 'amax')"),
    "mean": (f"{REPEATED} gets a mean", f"{{x}}.scatter_reduce{ARGUMENTS}, 'mean', include_self=False)"),
    "first_place": (f"{REPEATED} keeps only its first weight",
                    "{x}.scatter(1, extended_source.flip(1), weights.flip(1))"),
    "counts": ("these are counts: the weights are not used", ADDED.replace("weights", "torch.ones_like(weights)")),
    "equal_places": ("every place counts alike: the weights are not used",
                     ADDED.replace("weights", "torch.full_like(weights, 1 / weights.size(1))")),
    "renormalised": ("the result is divided by its sum: nothing is normalised here, and the gradients are others",
                     f"(lambda p: p / p.sum(1, keepdim=True))({ADDED})"),
    "hard": ("the likeliest word has all of the 1", f"torch.eye(extended_size)[{BEST_WORD}].to(weights.dtype)"),
    "whole_batch": ("the sentences are added up", f"({ADDED}).sum(0, keepdim=True).expand(len(weights), -1)"),
    "batch_lost": ("the batch axis is lost: each sentence has a distribution of its own", f"({ADDED}).sum(0)"),
    "not_summed": ("one axis is too many: the places of a word are to be added up", ALL_PLACES),
    "places": ("there is a number for each place; one for each word is asked for", "weights"),
    "softmax": ("a softmax is applied: the weights are shares already", f"({ADDED}).softmax(-1)"),
}

MIXED, TURNED = "gate * {a} + (1 - gate) * copied", "(1 - gate) * {a} + gate * copied"
OF_MIXTURE = {
    "gate_turned": ("the gate is turned round", TURNED),
    "no_gate": ("both shares are added whole: the gate divides the 1 between them", "{a} + copied"),
    "one_gate": ("only the written share is gated", "gate * {a} + copied"),
    "half": ("both shares count half: the gate is not used", "({a} + copied) / 2"),
    "gate_for_both": ("the gate multiplies both shares", "gate * ({a} + copied)"),
    "larger": ("the larger of the two shares is taken; they should be added",
               "torch.maximum(gate * {a}, (1 - gate) * copied)"),
    "rounded": ("the gate is rounded: each word has shares of both", "torch.where(gate > 0.5, {a}, copied)"),
    "gate_0": ("the gate of sentence 0 is used for all", MIXED.replace("gate", "gate[:1]")),
    "not_copied": ("copying is missing", "gate * {a}"),
    "not_written": ("writing is missing", "(1 - gate) * copied"),
    "either": ("a known word is never copied; it may be both written and copied",
               "gate * {a} + ((1 - gate) * copied).masked_fill(known, 0.0)"),
}
LEAST, LOGS = ("right.clamp(min=1e-10)",
               "gate * (written * known).clamp(min=1e-10).log() + (1 - gate) * copied.clamp(min=1e-10).log()")
OF_COSTS = {
    "of_logs": ("the logarithms of the two shares are mixed; the logarithm is of the mixture", f"-({LOGS})"),
    "no_log": ("the logarithm is missing", "-right"),
}


def of_mean(cost: str) -> list[Mistake]:
    """What may become of a mean of ``cost`` over the real target words."""
    gone = f"{cost}.masked_fill(~target_mask, 0.0)"
    table = {
        "no_mask": ("the mask is not used: padding counts as words", f"{cost}.mean()"),
        "total": ("this is the sum; it should be divided by the number of real words", f"{gone}.sum()"),
        "sentences": ("these are divided by the number of sentences", f"{gone}.sum() / len(weights)"),
        "all_steps": ("these are divided by all steps, padding among them", f"{gone}.mean()"),
        "polarity": ("the mask is turned round", f"({cost} * ~target_mask).sum() / (~target_mask).sum().clamp(min=1)"),
        "of_means": ("this is the mean of sentences' means",
                     f"({gone}.sum(1) / target_mask.sum(1).clamp(min=1)).mean()"),
        "each_word": ("there is one cost for each word: their mean is asked for", gone),
    }
    none = "where no word is real, this is 0/0; the loss should be 0"
    nothing = mistake("nothing_real", none, edit("{x}.clamp(min=1)", "{x}"), caught="hidden")
    return [*each(f"{gone}.sum() / words", table), nothing]


BEFORE, TOTAL = "weights.cumsum(dim=1) - weights", "weights.sum(1, keepdim=True)"
OF_COVERAGE = {
    "itself": ("the coverage of a step includes its own weights; only earlier steps should count",
               "weights.cumsum(dim=1)"),
    "to_come": ("the coverage adds up the later steps; it should add up the earlier ones",
                f"{TOTAL} - weights.cumsum(dim=1)"),
    "one_before": ("only the step just before counts, not all before", "F.pad(weights[:, :-1], (0, 0, 1, 0))"),
    "along_source": ("the coverage runs along the source; it adds up step by step", "weights.cumsum(-1) - weights"),
    "rolled": ("the running sums come round: the first step, which has none before it, gets the sum of all",
               "weights.cumsum(dim=1).roll(1, dims=1)"),
    "all_others": ("coverage is of the steps before, and these to come are in it too", f"{TOTAL} - weights"),
    "most": ("the coverage is the largest of the earlier weights; it should be their sum",
             "F.pad(weights.cummax(dim=1).values[:, :-1], (0, 0, 1, 0))"),
    "over_batch": ("the coverage runs along the batch: each sentence has its own", "weights.cumsum(0) - weights"),
    "mean": ("the coverage is the mean of the earlier weights; it should be their sum",
             f"({BEFORE}) / torch.arange(weights.size(1)).clamp(min=1)[:, None]"),
}
SEEN = "(weights * target_mask.unsqueeze(-1))"
SMALLER = "torch.minimum(weights, coverage).sum(dim=-1)"
OF_TWICE = {
    "product": ("the product is taken in place of the smaller of the two", "(weights * coverage).sum(dim=-1)"),
    "smallest": ("the minimum is taken over the source; it should be taken cell by cell",
                 SMALLER.replace("sum", "amin")),
    "over_source": ("this is averaged over the source tokens; it should be summed", SMALLER.replace("sum", "mean")),
}
BY_LENGTH = "target_mask = torch.arange(weights.size(1)) < target_mask.sum(1, keepdim=True)"

REAL = "mask[:, -1] = False"
OF_REAL = {
    "all_padding": ("no key is real", "mask[:] = False"),
    "no_padding": ("every key is real", "pass"),
    "polarity": ("the mask is turned round: True means real", "mask[:, :-1] = False"),
    "one_more": ("one key was to be padding, and more are", "mask[:, -2:] = False"),
}
HIGH = "scores[:, -1] = 1000.0"
OF_HIGH = {
    "too_close": ("the padding is not far enough above every real key: their shares do not round to 0",
                  "scores[:, -1] = -950.0"),
    "too_large": ("a score is beyond what is allowed", "scores[:, -1] = 1e4"),
}

check = Checker(
    __name__,
    {
        "feed_forward_attention": Task(
            FeedForwardAttention,
            "feed-forward attention: a score for each step alone, weights of the real steps, their mean, gradients",
            [
                *sequence_cases(hidden("large states", lengths=[6, 3], scale=200.0)),
                hidden("padding in front", left=True), hidden("states of size one", lengths=[5, 2, 3], size=1),
                hidden("a mask of numbers", numbers=True, raises="TypeError"),
            ],
            sequences, {"lengths": [7, 4, 2], "size": 5, "scale": 1.0, "left": False},
            {"context": "batch size", "weights": "batch steps"}, answers=("forward",),
            mistakes=[
                *each(SCORES, OF_SCORES), *each(MASKED, OF_WEIGHTS), *each("weighted_sum(weights, states)", OF_CONTEXT),
                *each(MASKED, NOT_ZERO, "hidden"),
                mistake("squeezed", "`squeeze()` takes away the axis of one step or sentence too: name the axis",
                        edit(SCORES, SCORES.replace("squeeze(-1)", "squeeze()")), caught="hidden"),
                mistake("order", "the order is the other way: the context, then the weights", result("({x})[::-1]")),
            ],
            variants=[
                variant(
                    "sharper", edit(SCORES, f"3 * {SCORES}"),
                    text={
                        r"e_t = \tanh(w^\top h_t + b)": r"e_t = 3 \tanh(w^\top h_t + b)",
                        "Scores lie between -1 and 1": "Scores lie between -3 and 3",
                        r"$e^2 \approx 7.4$": r"$e^6 \approx 403$",
                    },
                ),
                variant("bias_subtracted", edit(SCORES, f"torch.tanh({ROW} - self.score_layer.bias)"),
                        text={r"e_t = \tanh(w^\top h_t + b)": r"e_t = \tanh(w^\top h_t - b)"}),
            ],
        ),
        "hops": Task(
            hops, f"hops: {CHAIN}, and what was found is added to the question; with gradients",
            [
                *sequence_cases(hidden("large scores", scale=60.0), hidden("four hops", hops=4)),
                hidden("one hop", hops=1), hidden("very low scores", lengths=[3, 1, 2], low=True, dtype=torch.float64),
            ],
            stories, {"lengths": [7, 4, 2], "size": 5, "scale": 1.0, "hops": 3},
            {"answer": "batch size", "weights": "batch hops sentences"},
            mistakes=[
                *each(LOOK, OF_LOOK), *each("query + output", OUTPUTS),
                *each("itertools.pairwise(embeddings)", MEMORIES),
                *each(STACKED, RETURNED),
                mistake("first_question", "each hop asks the first question again", FIRST_QUERY,
                        edit("query.unsqueeze(-1)", "first.unsqueeze(-1)")),
                mistake("first_added", "what earlier hops found is forgotten: the sum grows", FIRST_QUERY,
                        edit("query + output", "first + output")),
                mistake("output", "this is what the last hop found, alone",
                        edit("return query, {w}", "return output, {w}")),
                mistake("overflow", "exp overflows: only differences of scores matter", edit(LOOK, f"{SUMMED}({EXP})"),
                        caught="hidden"),
                *each(LOOK, {id: (why, f"{SUMMED}({put.replace('scores', '{scores}')})")
                             for id, (why, put) in NOT_ZERO.items()}, "hidden"),
            ],
            variants=[
                variant("bounded", edit("query + output", "torch.tanh(query + output)"),
                        text={r"u^{k+1} = u^k + o^k": r"u^{k+1} = \tanh(u^k + o^k)"}),
                variant("turned", edit("query + output", "output - query"),
                        text={r"u^{k+1} = u^k + o^k": r"u^{k+1} = o^k - u^k"}),
            ],
        ),
        "copy_distribution": Task(
            copy_distribution,
            "copy distribution: a word gets the weights of all its places, in every sentence, with gradients",
            [
                visible(below=8), visible(source_len=4, extended_size=9, repeats=False),
                hidden("more places than words", batch=4, source_len=11, extended_size=7),
                hidden("a batch of one sentence", batch=1, source_len=5),
                hidden("sentences of one word", source_len=1, extended_size=6),
                hidden("a vocabulary of one word", batch=2, source_len=5, extended_size=1),
                hidden("words that no sentence has", batch=2, extended_size=12, below=4),
                hidden("float64", source_len=7, dtype=torch.float64),
            ],
            places, {"batch": 3, "source_len": 6, "extended_size": 10, "below": 0, "repeats": True},
            {"probabilities": "batch words"},
            mistakes=[
                *each(ADDED, OF_WORDS),
                mistake("largest_id", "the vocabulary is taken to end with the largest id of the batch; it may have "
                                      "more words",
                        edit("extended_size", "int(extended_source.max()) + 1")),
            ],
        ),
        "pointer_loss": Task(
            pointer_loss,
            "pointer loss: the right word, written or copied, its logarithm, the mean over real words, gradients",
            [
                visible(), visible(batch=2, target_len=3, source_len=7, vocab_size=5, unknown=1),
                hidden("other sizes", batch=4, target_len=7, source_len=3, vocab_size=11, unknown=3),
                hidden("no unknown word in the batch", unknown=0),
                hidden("a batch of one sentence", batch=1, source_len=5),
                hidden("one word from a source of one", batch=1, target_len=1, source_len=1, lengths=[1]),
                hidden("a word that can be neither written nor copied", kind="lost", lengths=[6, 4, 2]),
                hidden("such a word in the padding", kind="lost", lengths=[3, 6, 2]),
                hidden("gates of 0 and of 1, and a word that is certain", kind="gates", unknown=0),
                hidden("probabilities around 1e-10", kind="rare", lengths=[6, 4, 2]),
                hidden("padding in front", kind="left"), hidden("no real word", lengths=[0, 0, 0]),
                hidden("float64", dtype=torch.float64),
            ],
            steps,
            {"batch": 3, "target_len": 6, "source_len": 5, "vocab_size": 8, "unknown": 2, "lengths": [], "kind": ""},
            {"loss": ""},
            mistakes=[
                *each(MIXED, OF_MIXTURE), *each(f"-{LEAST}.log()", OF_COSTS), *of_mean("costs"),
                mistake("one_place", "only one place of a word counts: all of its weights are added",
                        edit("{x}.sum(dim=-1)", "{x}.amax(dim=-1)")),
                mistake("first_place", "only the first place of a word counts: all of its weights are added",
                        edit("weights.masked_fill({m}, 0.0)",
                             "weights.masked_fill(~matching | (matching.cumsum(-1) > 1), 0.0)")),
                mistake("beyond", "the vocabulary gives 0 to a word beyond it",
                        edit("written.masked_fill(~known, 0.0)", "written")),
                mistake("borrowed", "a word beyond the vocabulary gets the probability of the last known one",
                        edit("target.masked_fill(~known, 0)", "target.clamp(max=generated.size(-1) - 1)"),
                        edit("written.masked_fill(~known, 0.0)", "written")),
                mistake("known_only", "words beyond the vocabulary are left out of the mean: they are real words too",
                        edit("known = {k}", "known = {k}\ntarget_mask = target_mask & known")),
                mistake("id_0", "the word of id 0 is left out of the mean: the mask alone says what is padding",
                        start("target_mask = target_mask & (target != 0)")),
                mistake("infinite", "a word that cannot be said costs infinity", edit(LEAST, "right"), caught="hidden"),
                mistake("added", "1e-10 is added to every probability; the larger of the two should be taken",
                        edit(LEAST, "(right + 1e-10)"), caught="hidden"),
                mistake("smoothed", "every probability is smoothed: 1e-10 is for those below it",
                        edit(LEAST, "(0.9 * right + 0.01)")),
            ],
            variants=[
                variant("gate_copies", edit(MIXED, "(1 - gate) * {a} + gate * copied"),
                        text={r"g^t P^t_{vocab}(w) + (1 - g^t) \sum": r"(1 - g^t) P^t_{vocab}(w) + g^t \sum"}),
                variant("bits", edit("{x}.log()", "{x}.log2()"),
                        text={r"m_t \ln \max(P^t(w^t), 10^{-10})": r"m_t \log_2 \max(P^t(w^t), 10^{-10})"}),
            ],
        ),
        "coverage_loss": Task(
            coverage_loss,
            "coverage loss: what earlier steps looked at, looked at again; a mean over real words, with gradients",
            [
                visible(), visible(lengths=[4, 4], source_len=7),
                hidden("other sizes", lengths=[8, 1, 6, 3], source_len=9),
                hidden("a batch of one sentence", lengths=[5], source_len=6),
                hidden("a single step", lengths=[1, 1], source_len=4),
                hidden("one source token", lengths=[4, 2], source_len=1, gradients=False),  # all weights are alike
                hidden("padding in front", left=True), hidden("weights of 0 and 1", hard=True, gradients=False),
                hidden("a single real word, behind padding", lengths=[1], left=True, width=3),
                hidden("no real word", lengths=[0, 0]), hidden("float64", lengths=[5, 2], dtype=torch.float64),
            ],
            looks, {"lengths": [6, 4, 2], "source_len": 5, "left": False, "width": 0}, {"loss": ""},
            mistakes=[
                *each(BEFORE, OF_COVERAGE), *each(SMALLER, OF_TWICE), *of_mean("twice"),
                mistake("padding_unseen", "what steps of padding look at is left out of the coverage; it belongs there",
                        edit(BEFORE, f"{SEEN}.cumsum(dim=1) - {SEEN}"), caught="hidden"),
                mistake("lengths", "real words are counted from the first place", start(BY_LENGTH), caught="hidden"),
            ],
            variants=[
                variant(
                    "product", edit(SMALLER, "(weights * coverage).sum(dim=-1)"),
                    text={
                        r"\min(a_i^t, c_i^t)": r"a_i^t \, c_i^t", r"\min(a^t_i, c^t_i)": r"a^t_i \, c^t_i",
                        "`torch.minimum` compares cell by cell": "`*` multiplies cell by cell",
                        "two steps, and at most 1.": "two steps.",
                    },
                ),
                variant(
                    "two_before", edit(BEFORE, f"({BEFORE}) - F.pad(weights, (0, 0, 3, 0))[:, :-3].cumsum(dim=1)"),
                    text={
                        r"c^t = \sum_{t' < t} a^{t'}": r"c^t = a^{t-1} + a^{t-2}",
                        r"c^t = \sum_{t'=0}^{t-1} a^{t'}": r"c^t = a^{t-1} + a^{t-2}",
                        "what all steps before it have looked at": "what the last two steps before it have looked at",
                    },
                ),
            ],
        ),
        "underflow_proof": Task(
            underflow_proof,
            "underflow proof: with the mask after the softmax there is NaN, with the mask before it there is none",
            [
                visible(), visible(keys=3), hidden("another number of keys", keys=9), hidden("two keys", keys=2),
                hidden("float64", dtype=torch.float64),
            ],
            lambda draw, keys: {"like": draw.normal(1, keys)}, {"keys": 5}, reading=broken,
            gradients=False, coarse=True,
            mistakes=[
                *each(REAL, OF_REAL), *each(HIGH, OF_HIGH),
                mistake("float32_alone", "what rounds to 0 in float32 need not do so in float64",
                        edit(HIGH, "scores[:, -1] = -800.0"), caught="hidden"),
                mistake("float32", "the dtype is not the one that was asked for",
                        edit("torch.full_like(like, -1000.0)", "torch.full(like.shape, -1000.0)"), caught="hidden"),
                mistake("no_batch", "the batch axis is missing", result("[one[0] for one in ({x})]")),
            ],
        ),
    },
)
