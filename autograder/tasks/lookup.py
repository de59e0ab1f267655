"""The tasks of ``04_lookup``: weighted sums, the table of a whole target sentence, and gradients by hand."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.draw import Draw
from autograder.checking.edits import edit, result, start
from autograder.checking.task import Task, hidden, mistake, variant, visible
from autograder.checking.values import named
from autograder.checking.way import by_hand, cost
from seq2seq.attention import look_up, score_gradient, weighted_sum, weighted_sum_loop
from seq2seq.exercises.lookup import look_up_gradients

SIZES = {"batch": 3, "queries": 6, "keys": 5, "size": 7, "value_size": 4}
OVERFLOW = 30.0  # its square is a score whose exponential overflows, in double precision too


def weighted(
    draw: Draw, batch: int, keys: int, value_size: int, total: float = 0.0, small: bool = False
) -> dict[str, Tensor]:
    """Weights that sum to ``total``; without it, to more than 1 and to less: a sum takes them as they come."""
    values, weights = draw.normal(batch, keys, value_size), draw.shares(batch, keys)
    weights = weights * (total or torch.linspace(1.5, 0.5, batch).to(weights).unsqueeze(-1))
    return {"weights": weights * torch.tensor([0.0, 0.01, 1.0, 1.0, 1.0]) if small else weights, "values": values}


def sentences(
    draw: Draw, batch: int, queries: int, keys: int, size: int, value_size: int, large: bool = False
) -> dict[str, Tensor]:
    asked, known = draw.normal(batch, queries, size), draw.normal(batch, keys, size)
    if large:
        asked[:, 0] *= OVERFLOW / asked[:, 0].norm(dim=-1, keepdim=True)
        known[:, 0], known[:, 1] = asked[:, 0], 0.999 * asked[:, 0]  # nearly alike, and both count
        asked[:, 1] *= 2 * OVERFLOW / asked[:, 1].norm(dim=-1, keepdim=True)  # far from every key: distance counts
    return {"queries": asked, "keys": known, "values": draw.normal(batch, keys, value_size)}


def slopes(draw: Draw, batch: int, keys: int, value_size: int, padding: int = 0) -> dict[str, Tensor]:
    mask = draw.mask([keys - padding] * batch, keys)
    values, slope = draw.normal(batch, keys, value_size), draw.normal(batch, value_size)
    return {"weights": draw.shares(batch, keys, mask=mask), "values": values, "context_gradient": slope}


def written_down(answer: Any, given: SimpleNamespace) -> Any:
    return by_hand(answer, *vars(given).values())


AT_ONCE = "operations that more sentences and words cost"


def at_once(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, Any]]:
    whole = cost(answer, given.queries, given.keys, given.values)
    yield from named(whole.result, "contexts", "weights")
    short = cost(answer, given.queries[:2, :2], given.keys[:2, :2], given.values[:2, :2])
    yield AT_ONCE, whole.operations - short.operations


ALONE = [hidden("a batch of one sentence", batch=1), hidden("sentences of one key", keys=1)]
SUMS = [
    visible(), hidden("other sizes", batch=4, keys=7, value_size=6), *ALONE, hidden("values of size one", value_size=1),
    hidden("float64", dtype=torch.float64), hidden("weights that sum to 2", total=2.0),
    hidden("weights of 0 and near 0, and their gradients", small=True),
]
SQUEEZED = "a bare `.squeeze()` drops every axis of size 1, the batch too: name the axis that should go"

OF_SUM = {  # what is returned in place of the sum
    "average": ("this is the plain average of the values: their weights are not used", "values.mean(1)"),
    "plain_sum": ("this is the plain sum of the values: their weights are not used", "values.sum(1)"),
    "divided": ("the sum is divided by the number of keys as well: the weights already sum to 1",
                "{x} / weights.size(1)"),
    "best": ("this is only the value with the largest weight: every key counts, however little",
             "values[torch.arange(len(values)), weights.argmax(-1)]"),
    "reshaped": ("the values are reshaped where two axes should be exchanged: the numbers are shuffled",
                 "(values.reshape(len(values), values.size(2), -1) @ weights.unsqueeze(-1)).squeeze(-1)"),
    "features": ("the sum runs over the features; it should run over the keys",
                 "(weights.unsqueeze(-1) * values).sum(-1)"),
    "over_batch": ("the sum runs over the batch; it should run over the keys",
                   "(weights.unsqueeze(-1) * values).sum(0)"),
    "not_summed": ("the values are weighted, but not summed over the keys yet", "weights.unsqueeze(-1) * values"),
    "all_pairs": ("the weights of every sentence are paired with the values of every other",
                  "torch.einsum('ak,bkd->abd', weights, values)"),
    "axis_left": ("the axis of size 1 that was inserted for the product is still there", "({x}).unsqueeze(1)"),
}
BEFORE_SUM = {  # what is done to the arguments first
    "softmax": ("a softmax is applied to the weights, which are weights already", "weights = weights.softmax(-1)"),
    "renormalised": ("the weights are made to sum to 1 here: use them as they are",
                     "weights = weights / weights.sum(-1, keepdim=True)"),
    "opposite": ("weights and keys are paired in opposite order", "weights = weights.flip(-1)"),
    "squared": ("the weights are squared", "weights = weights**2"),
    "weights_of_0": ("the weights of sentence 0 are used for every sentence",
                     "weights = weights[:1].expand_as(weights)"),
    "values_of_0": ("the values of sentence 0 are used for every sentence", "values = values[:1].expand_as(values)"),
}
COMMON = [
    *(mistake(id, why, result(put)) for id, (why, put) in OF_SUM.items()),
    *(mistake(id, why, start(code)) for id, (why, code) in BEFORE_SUM.items()),
    mistake("squeezed", SQUEEZED, result("({x}).squeeze()"), caught="hidden"),
]

SOFTMAX, SCORES = "torch.softmax({x}, dim=-1)", "queries @ keys.transpose(1, 2)"
WEIGHTS = {
    "over_targets": ("the softmax runs over the target words; the source words should compete for each target word",
                     "torch.softmax({x}, dim=1)"),
    "over_batch": ("the softmax runs over the batch; the source words of one sentence should compete",
                   "torch.softmax({x}, dim=0)"),
    "over_table": ("the softmax runs over the whole table; the weights of each target word should sum to 1",
                   "({x}).flatten(1).softmax(-1).view(len(keys), queries.size(1), keys.size(1))"),
    "no_softmax": ("these are the scores: the softmax is missing", "{x}"),
    "scaled": ("the scores are scaled by the root of the size: the plain dot product is wanted",
               "torch.softmax(({x}) / queries.size(-1) ** 0.5, dim=-1)"),
    "not_divided": ("these are exponentials that are never divided by their sum", "({x}).exp()"),
    "twice": ("the softmax is applied twice", "torch.softmax(torch.softmax({x}, dim=-1), dim=-1)"),
    "first_query": ("every target word has the weights of the first: each has a query of its own",
                    "torch.softmax(({x})[:, :1], dim=-1).expand(-1, queries.size(1), -1)"),
    "not_transposed": ("keys are not transposed: features of different keys are mixed",
                       "torch.softmax(queries @ keys, dim=-1)"),
    "keys_reshaped": ("the keys are reshaped where two axes should be exchanged: features of several keys are mixed",
                      "torch.softmax(queries @ keys.reshape(len(keys), keys.size(2), -1), dim=-1)"),
    "exchanged": ("queries and keys are exchanged: a row belongs to a target word",
                  "torch.softmax(keys @ queries.transpose(1, 2), dim=-1)"),
    "with_values": ("the queries are compared with the values; they should be compared with the keys",
                    "torch.softmax(queries @ values.transpose(1, 2), dim=-1)"),
    "causal": ("later source words are hidden from earlier target words: here every target word sees them all",
               "torch.softmax(({x}).masked_fill(torch.ones_like({x}).triu(1).bool(), -torch.inf), dim=-1)"),
}
OVERFLOWING = mistake(
    "overflow", "exp overflows where scores are large: only their differences matter, `torch.softmax` knows how",
    edit(SOFTMAX, "({x}).exp() / ({x}).exp().sum(-1, keepdim=True)"), caught="hidden",
)
CONTEXTS = {
    "averaged": ("the values are averaged: the weights are not used",
                 "values.mean(1, keepdim=True).expand(-1, queries.size(1), -1)"),
    "summed_scores": ("the values are summed with the scores, not with the weights", f"({SCORES}) @ values"),
    "first_context": ("every target word has the context of the first",
                      "(weights @ values)[:, :1].expand(-1, queries.size(1), -1)"),
    "divided": ("the sum is divided by the number of keys as well: the weights already sum to 1",
                "weights @ values / values.size(1)"),
    "best": ("this is only the value with the largest weight: every key counts",
             "values.gather(1, weights.argmax(-1, keepdim=True).expand(-1, -1, values.size(-1)))"),
    "table_turned": ("the table is transposed before the sum: row i belongs to target word i",
                     "weights.transpose(1, 2) @ values"),
    "keys_summed": ("the keys are summed; the context is a sum of the values", "weights @ keys"),
}

CONTEXT = "weighted_sum(weights, values)"
AT_WEIGHTS = "(values @ context_gradient.unsqueeze(-1)).squeeze(-1)"
LEVEL = "(context * context_gradient).sum(-1, keepdim=True)"
GRADIENT = {
    "no_context": ("the context is not subtracted: a score that rises takes weight away from all the others",
                   f"weights * {AT_WEIGHTS}"),
    "no_weight": ("the factor of the weight is missing: a key with weight 0 learns nothing", f"{AT_WEIGHTS} - {LEVEL}"),
    "at_weights": ("this is the gradient at the weights; the step back through the softmax is missing",
                   AT_WEIGHTS),
    "diagonal": ("only the diagonal of the softmax's derivative is used: a score also moves the weights of other keys",
                 f"weights * (1 - weights) * {AT_WEIGHTS}"),
    "own_square": ("the softmax's derivative has the square of the score's own weight; two keys have two weights",
                   f"weights * {AT_WEIGHTS} - weights**2 * {AT_WEIGHTS}.sum(-1, keepdim=True)"),
    "other_square": ("the softmax's derivative has the square of the other key's weight; two keys have two weights",
                     f"weights * {AT_WEIGHTS} - (weights**2 * {AT_WEIGHTS}).sum(-1, keepdim=True)"),
    "context_unweighted": ("the weight multiplies the value's part only, not the context's",
                           f"weights * {AT_WEIGHTS} - {LEVEL}"),
    "context_added": ("the context's part is added; it should be subtracted", f"weights * ({AT_WEIGHTS} + {LEVEL})"),
    "exchanged": ("this is the gain of the context over the value, not of the value over the context",
                  f"weights * ({LEVEL} - {AT_WEIGHTS})"),
    "no_slope": ("the gradient at the context is left out: it is summed over features as if it were all ones",
                 "weights * (values - context.unsqueeze(1)).sum(-1)"),
    "slope_of_0": ("the gradient at the context of sentence 0 is used for all",
                   "weights * ((values - context.unsqueeze(1)) @ context_gradient[0])"),
    "weight_twice": ("the weight is applied twice", "weights * ({x})"),
    "not_summed": ("one number per score is wanted: the sum over the features is missing",
                   "weights.unsqueeze(-1) * (values - context.unsqueeze(1)) * context_gradient.unsqueeze(1)"),
    "trailing_axis": ("did you forget `.squeeze(-1)`?", "({x}).unsqueeze(-1)"),
}

SHOWN = "leaves[0] @ leaves[1].mT"  # in the demonstration, of keys and queries of size 4
AT_SCORES, QUERIES, KEYS = "weights * (at_weights - level)", "at_scores @ keys", "at_scores.transpose(1, 2) @ queries"
VALUES = "weights.transpose(1, 2) @ contexts_gradient"
WHOLE = {
    "no_level": (
        "the softmax is passed as if each weight had a score of its own: a score that rises takes from the others",
        AT_SCORES, "weights * at_weights",
    ),
    "softmax_skipped": ("the gradient at the weights is used as that at the scores; the softmax lies between them",
                        AT_SCORES, "at_weights"),
    "diagonal": ("only the diagonal of the softmax's derivative is used: a score also moves the weights of other keys",
                 AT_SCORES, "weights * (1 - weights) * at_weights"),
    "level_over_queries": (
        "what is subtracted is summed over the target words; each has a softmax, and so a sum, of its own",
        "{x}.sum(dim=-1, keepdim=True)",
        "{x}.sum(dim=1, keepdim=True)",
    ),
    "plain_mean": ("a plain mean over the keys is subtracted; the mean should be weighted by the weights",
                   "(weights * at_weights).sum(dim=-1, keepdim=True)", "at_weights.mean(dim=-1, keepdim=True)"),
    "queries_not_summed": (
        "the keys' gradient is that of the first target word alone; every target word has asked each key", KEYS,
        "at_scores[:, :1].transpose(1, 2) @ queries[:, :1]",
    ),
    "values_first_query": (
        "the values' gradient is that of the first target word alone; every target word has used each value",
        "weights.transpose(1, 2) @ contexts_gradient",
        "weights[:, :1].transpose(1, 2) @ contexts_gradient[:, :1]",
    ),
    "values_by_scores": (
        "the values' gradient is made with the gradient at the scores; a value reaches its contexts by its weights",
        "weights.transpose(1, 2) @ contexts_gradient",
        "at_scores.transpose(1, 2) @ contexts_gradient",
    ),
    "keys_by_weights": ("the keys' gradient is made from the weights; it should be made from the gradient at the "
                        "scores", KEYS,
                        "weights.transpose(1, 2) @ queries"),
    "keys_skip_softmax": ("the keys' gradient is made from that at the weights; the softmax lies between them", KEYS,
                          "at_weights.transpose(1, 2) @ queries"),
    "keys_mean": ("the keys' gradient is averaged over the target words; it should be summed", KEYS,
                  f"{KEYS} / queries.size(1)"),
    "values_mean": ("the values' gradient is averaged over the target words; it should be summed",
                    VALUES, f"{VALUES} / queries.size(1)"),
    "queries_by_weights": ("the queries' gradient is made from the weights; it should be made from the gradient at the "
                           "scores",
                           QUERIES, "weights @ keys"),
}


def learning(draw: Draw, **given: Any) -> dict[str, Tensor]:
    axes = [given[name] for name in ("batch", "queries", "value_size")]
    return {**sentences(draw, **given), "contexts_gradient": draw.normal(*axes)}


check = Checker(
    __name__,
    {
        "weighted_sum_loop": Task(
            weighted_sum_loop, "weighted sum by loop: every value counts as much as its weight says, in every sentence",
            SUMS, weighted, SIZES, {"context": "batch value_size"},
            variants=[
                variant(
                    "squares", edit("{x} * values[row, j]", "{x} * values[row, j] ** 2"),
                    text={
                        r"c = \sum_j \alpha_j v_j": r"c = \sum_j \alpha_j v_j^2",
                        "a number times a vector, added up": "a number times a vector of squares, added up",
                    },
                )
            ],
            mistakes=[
                mistake("replaced",
                        "only the last key arrives: each turn of the loop replaces the sum instead of adding to it",
                        edit("context[row] += {x}", "context[row] = {x}")),
                mistake("keys_by_batch",
                        "the loop over the keys runs over the number of sentences; it should reach every key",
                        edit("range(keys)", "range(batch)")),
                mistake("sentence_0", "only sentence 0 of the batch is computed, the others are left at 0",
                        edit("range(batch)", "range(1)")),
                mistake("float32", "the sum is in float32, whatever the dtype of the inputs",
                        edit("values.new_zeros(batch, value_size)", "torch.zeros(batch, value_size)"), caught="hidden"),
                *COMMON,
            ],
        ),
        "weighted_sum": Task(
            weighted_sum, "weighted sum: equal to its loop for the whole batch at once, with gradients", SUMS, weighted,
            SIZES, {"context": "batch value_size"}, mistakes=COMMON,
        ),
        "look_up": Task(
            look_up, "look-up of a whole target: a row of weights for each query, and the context that this row gives",
            [
                visible(), visible(queries=5, keys=5, size=5, value_size=5),
                hidden("other sizes", batch=4, queries=2, keys=7, size=3, value_size=5), *ALONE,
                hidden("one target word", queries=1), hidden("values of size one", value_size=1),
                hidden("float64", dtype=torch.float64), hidden("scores near 900", large=True, dtype=torch.float64),
            ],
            sentences, SIZES,
            {"contexts": "batch queries value_size", "weights": "batch queries keys", AT_ONCE: ""}, at_once,
            words={AT_ONCE: "one matrix product does all sentences, queries and keys: no loop is needed"},
            mistakes=[
                *(mistake(id, why, edit(SOFTMAX, put)) for id, (why, put) in WEIGHTS.items()),
                *(mistake(f"context_{id}", why, edit("weights @ values", put)) for id, (why, put) in CONTEXTS.items()),
                mistake("pair_exchanged", "the pair is (contexts, weights): the decoder needs the contexts first",
                        edit("return {a}, {b}", "return {b}, {a}")),
                OVERFLOWING,
            ],
            variants=[
                variant(
                    "distance", edit(SCORES, "-(queries.unsqueeze(2) - keys.unsqueeze(1)).square().sum(-1)"),
                    text={
                        r"e_{ij} = q_i^\top k_j": r"e_{ij} = -\lVert q_i - k_j \rVert^2",
                        "with the plain dot product as the score": "with minus the squared distance as the score",
                        "with dot-product scores": "with minus the squared distance as the score",
                    },
                ),
            ],
        ),
        "score_gradient": Task(
            score_gradient, "gradient at the scores: each key's value against the context, times its weight",
            [
                visible(), hidden("other sizes", batch=4, keys=7, value_size=6), *ALONE,
                hidden("float64", dtype=torch.float64), hidden("padding, whose weight is 0", padding=2),
            ],
            slopes, SIZES, {"gradient": "batch keys"}, written_down, gradients=False,
            mistakes=[
                *(mistake(id, why, result(put)) for id, (why, put) in GRADIENT.items()),
                mistake("plain_average",
                        "the plain average of the values is subtracted; the context is their weighted sum",
                        edit(CONTEXT, "values.mean(1)")),
                mistake("plain_sum", "the plain sum of the values is subtracted; the context is their weighted sum",
                        edit(CONTEXT, "values.sum(1)")),
                mistake("softmax_again", "a softmax is applied to the weights, which are weights already",
                        start("weights = weights.softmax(-1)")),
                mistake("divides", "there should be no division by a weight: where the weight is 0 it gives NaN",
                        result("{x} * weights / weights"), caught="hidden"),
                mistake("squeezed", SQUEEZED, result("({x}).squeeze()"), caught="hidden"),
            ],
            variants=[
                variant(
                    "base_two", result("math.log(2) * ({x})"),
                    text={
                        r"\partial L}{\partial e_j} = \alpha_j \, (v_j - c)^\top": r"\partial L}{\partial e_j} = "
                        r"\ln 2 \cdot \alpha_j \, (v_j - c)^\top",
                        "the softmax of the scores": "powers of 2 of the scores, divided by their sum",
                        "the softmax gives": "weights made of powers of two, $2^{e_j} / \\sum_l 2^{e_l}$, give",
                        r"\alpha_i ([i = j] - \alpha_j)": r"\ln 2 \cdot \alpha_i ([i = j] - \alpha_j)",
                    },
                ),
            ],
        ),
        "look_up_gradients": Task(
            look_up_gradients, "backward pass of a look-up: the gradients at queries, keys and values, by hand",
            [
                visible(), visible("equal sizes", queries=5, keys=5, size=5, value_size=5),
                hidden("other sizes", batch=4, queries=2, keys=7, size=3, value_size=5), *ALONE,
                hidden("one target word", queries=1), hidden("float64", dtype=torch.float64),
                hidden("scores near 900", large=True, dtype=torch.float64),
            ],
            learning, SIZES,
            {
                "queries' gradient": "batch queries size",
                "keys' gradient": "batch keys size",
                "values' gradient": "batch keys value_size",
            },
            written_down, gradients=False,
            mistakes=[
                *(mistake(id, why, edit(find, put)) for id, (why, find, put) in WHOLE.items()),
                OVERFLOWING,
                mistake("exchanged", "the gradients of queries and keys are exchanged",
                        edit("return {a}, {b}, {c}", "return {b}, {a}, {c}")),
                mistake("scaled", "the scores are scaled by the root of the size: the plain dot product is wanted",
                        edit(SCORES, f"{SCORES} / queries.size(-1) ** 0.5"),
                        edit(AT_SCORES, f"{AT_SCORES} / queries.size(-1) ** 0.5")),
            ],
            variants=[
                variant("distance", edit(SCORES, "-0.5 * (queries.unsqueeze(2) - keys.unsqueeze(1)).square().sum(-1)"),
                        edit(KEYS, f"{KEYS} - at_scores.sum(1).unsqueeze(-1) * keys"),
                        text={r"a(q, k) = q^\top k": r"a(q, k) = -\tfrac{1}{2} \lVert q - k \rVert^2",
                              SHOWN: "-0.5 * (leaves[0].unsqueeze(2) - leaves[1].unsqueeze(1)).square().sum(-1)"}),
                variant("scaled", edit(SCORES, f"{SCORES} / queries.size(-1) ** 0.5"),
                        edit(AT_SCORES, f"{AT_SCORES} / queries.size(-1) ** 0.5"),
                        text={r"a(q, k) = q^\top k": r"a(q, k) = q^\top k / \sqrt{d}", SHOWN: f"{SHOWN} / 2"}),
            ],
        ),
    },
)
