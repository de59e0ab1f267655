"""The tasks of ``05_scorers``: each scorer against the reference with the same weights, on fresh sentences.

Query and key are of one size first: there a swapped or transposed layer still runs, so that it can be named.
"""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from autograder.checking.checker import Checker
from autograder.checking.compare import IN_PLACE
from autograder.checking.draw import Draw
from autograder.checking.edits import body, edit, result, start
from autograder.checking.equal import equal
from autograder.checking.task import Case, Mistake, Task, hidden, mistake, variant, visible
from autograder.checking.values import plain
from autograder.finding import CheckFailed
from seq2seq.exercises.scorers import WorthScorer, score_behind
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer, ScaledDotScorer

SIZES = {"batch": 3, "keys": 5, "query_size": 3, "key_size": 4, "attention_size": 6, "max_keys": 9, "rank": 7}
RESULTS = {"projected keys": "batch keys size", "scores": "batch keys"}


def sentences(
    draw: Draw, batch: int, keys: int, query_size: int, key_size: int, by: float = 1.0, before: int = 0
) -> dict[str, Any]:
    """``before``: of how many keys a batch is that the scorer has had already."""
    given = {"query": draw.normal(batch, query_size), "keys": draw.normal(batch, keys, key_size, scale=by)}
    return {**given, "before": before} if before else given


def scored(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, Tensor]]:
    scorer = answer()
    if count := getattr(given, "before", 0):
        scorer.score(given.query, scorer.project_keys(given.keys[:, :count]))
    projected = scorer.project_keys(given.keys)
    yield "projected keys", projected
    before, _ = plain(projected), scorer.project_keys(0.5 - given.keys)  # of other sentences: nothing may be kept
    scores = scorer.score(given.query, projected)
    if not equal(before, plain(projected)):
        raise CheckFailed("projected keys", "changed in place", "as they came", IN_PLACE, mistake="changed_in_place")
    yield "scores", scores
    scorer.project_keys(given.keys)  # the last before the next use: what an answer has kept of it would fit there


def cases(size: int = 0) -> list[Case]:
    """The same for every scorer; ``size`` where query and key must be of one."""
    equal = {"query_size": size, "key_size": size} if size else {}
    return [
        visible(query_size=size or 4, key_size=size or 4, attention_size=4), *([] if size else [visible()]),
        hidden("other sizes", batch=4, keys=8, query_size=size + 3 if size else 7, key_size=size + 3 if size else 5),
        hidden("a batch of one sentence", batch=1, keys=6, **equal), hidden("sentences of one key", keys=1, **equal),
        hidden("float64", keys=4, dtype=torch.float64, **equal),
        hidden("keys a hundred times as long", by=100.0, **equal),
    ]


RAW = "a scorer returns raw scores, which attention normalises after masking"
COMMON = [
    mistake("softmax", f"a softmax is already applied: {RAW}", result("torch.softmax({x}, dim=-1)", of="score")),
    mistake("softmax_batch", f"a softmax over the batch is applied: {RAW}", result("({x}).softmax(0)", of="score")),
    mistake("log_softmax", f"a log-softmax is already applied: {RAW}", result("({x}).log_softmax(-1)", of="score")),
    mistake("sigmoid", f"a sigmoid is applied: {RAW}", result("torch.sigmoid({x})", of="score")),
    mistake("tanh_last", "a tanh is applied to the scores; none should be", result("torch.tanh({x})", of="score")),
    mistake("sign", "the sign is wrong", result("-({x})", of="score")),
    mistake("reversed", "the keys come out in reverse order", result("({x}).flip(-1)", of="score")),
    mistake("trailing_axis", "did you forget `.squeeze(-1)`?", result("({x}).unsqueeze(-1)", of="score")),
    mistake("exchanged", "the axes are (keys, batch)", result("({x}).T", of="score")),
    mistake("squeezed", "a bare `.squeeze()` drops every axis of size 1, the batch too: name the axis that should go",
            result("({x}).squeeze()", of="score"), caught="hidden"),
    mistake("query_of_sentence_0", "every sentence is scored by the query of sentence 0",
            start("query = query[:1].expand_as(query)", of="score")),
]
KEYS_OF_SENTENCE_0 = mistake("keys_of_sentence_0", "every query scores the keys of sentence 0",
                             start("projected_keys = projected_keys[:1].expand_as(projected_keys)", of="score"))
PRODUCT = "(projected_keys @ query.unsqueeze(-1)).squeeze(-1)"


def product(id: str, why: str, put: str) -> Mistake:
    """Something else in the place of the dot product of query and keys."""
    return mistake(id, why, edit(PRODUCT, put))


OF_PRODUCT = [
    product("not_summed", "the sum over the features is missing", "projected_keys * query.unsqueeze(1)"),
    product("summed_over_keys", "the sum ran over the keys, not over the features",
            "(projected_keys * query.unsqueeze(1)).sum(1)"),
    product("all_pairs", "each query scores the keys of all sentences", "query @ projected_keys.transpose(1, 2)"),
    product("keys_with_keys", "keys are compared with keys", "projected_keys @ projected_keys.transpose(1, 2)"),
    product("cosine", "this is the cosine: in the equation the lengths of query and key count too",
            "torch.cosine_similarity(query.unsqueeze(1), projected_keys, dim=-1)"),
    product("mean", "the products are averaged over the features; they should be summed",
            f"{PRODUCT} / query.size(-1)"),
    product("first_feature", "only the first feature is used: the products are summed over all of them",
            "query[:, :1] * projected_keys[:, :, 0]"),
    product("distance", "this is the distance between query and key, not their product",
            "(query.unsqueeze(1) - projected_keys).norm(dim=-1)"), KEYS_OF_SENTENCE_0,
]

ROOT = "math.sqrt(query.size(-1))"
DIVISORS = {
    "not_scaled": ("the scores are not scaled at all: the division by the root of the size is missing", "1"),
    "size": ("these are divided by the size itself, perhaps by the root twice", "query.size(-1)"),
    "multiplied": ("these are multiplied by the root: divide by it", "query.size(-1) ** -0.5"),
    "root_of_keys": ("these are divided by the root of the number of keys", "math.sqrt(projected_keys.size(1))"),
    "keys": ("these are divided by the number of keys", "projected_keys.size(1)"),
    "root_of_batch": ("these are divided by the root of the batch size", "math.sqrt(query.size(0))"),
    "root_of_axes": ("these are divided by the root of the number of axes", "math.sqrt(query.dim())"),
    "fourth_root": ("these are divided by the fourth root of the size: one root is enough", "query.size(-1) ** 0.25"),
}

RANK = "math.sqrt(asked.size(-1))"
ADDED = "self.query_layer(query).unsqueeze(-2) + projected_keys"
HIDDEN = "torch.tanh({x})"
ENERGY = "self.energy_layer(hidden).squeeze(-1)"
QUERY, KEYS = "self.query_layer(query).unsqueeze(-2)", "projected_keys"
ADDITIVE = {
    "no_tanh": ("the tanh is missing: then v·W·q is the same for every key, and the softmax cancels the query", "{x}"),
    "relu": ("there is a ReLU instead of the tanh", "torch.relu({x})"),
    "tanh_twice": ("the tanh is applied twice; once is enough", "torch.tanh(torch.tanh({x}))"),
    "tanh_of_each": ("each part has a tanh of its own; there should be one, around their sum",
                     f"torch.tanh({QUERY}) + torch.tanh({KEYS})"),
    "tanh_of_query": ("the tanh is around the query's part only; it belongs around the sum",
                      f"{QUERY}.tanh() + {KEYS}"),
    "tanh_of_keys": ("the tanh is around the keys' part only; it belongs around the sum", f"{QUERY} + {KEYS}.tanh()"),
    "product": ("W q and U k are multiplied; they should be added", f"torch.tanh({QUERY} * {KEYS})"),
    "query_left_out": ("the query is left out: then the weights are the same at every step", f"torch.tanh({KEYS})"),
    "keys_left_out": ("the keys are left out: then every key gets the same score",
                      f"torch.tanh({QUERY}).expand_as({KEYS})"),
}

WEIGHED = {
    "not_scaled": ("the division by the root of the rank is missing", edit(f"{{x}} / {RANK}", "{x}")),
    "root_of_query": ("the root is that of the query's size; it should be that of the rank", edit(RANK, ROOT)),
    "root_of_width": ("the root is that of the projected keys' last axis, which has one entry more than the rank",
                      edit(RANK, "math.sqrt(projected_keys.size(-1))")),
    "root_of_keys": ("the root is that of the number of keys; it should be that of the rank",
                     edit(RANK, DIVISORS["root_of_keys"][1])),
    "multiplied": ("the product is multiplied by the worth of the key; add the two",
                   edit("{x} + worth", "{x} * worth")),
    "all_scaled": ("the worth of a key is divided too; the scale belongs to the product alone",
                   edit(f"{{x}} / {RANK} + worth", f"({{x}} + worth) / {RANK}")),
    "worth_alone": ("these are the worths alone: the query does not count", result("worth + 0 * ({x})", of="score")),
    "worth_of_first": ("the first of the projected entries is taken for the worth, which comes last",
                       edit("projected_keys[..., -1]", "projected_keys[..., 0]")),
}
SCORES = {
    "dot": lambda query, keys: (query * keys).sum(-1),
    "cosine": lambda query, keys: torch.cosine_similarity(query, keys, dim=-1),
    "distance": lambda query, keys: -(query - keys).square().sum(-1),
    "additive": lambda query, keys: torch.tanh(query + keys).sum(-1),
    "lengths": lambda query, keys: keys.norm(dim=-1) + 0 * query.sum(-1),
}


def logged(
    draw: Draw, batch: int, keys: int, size: int, kind: str,
    temperature: float | tuple[float, float] | Tensor, off: float = 0.0, equal: bool = False,
) -> dict[str, Tensor]:  # fmt: skip
    """Weights of one score, at one temperature, or from one to another; a middling score may be ``off``."""
    query, offered = draw.normal(batch, size), draw.normal(batch, keys, size)
    offered = torch.cat([offered[:1, :1].expand(1, keys, size), offered[1:]]) if equal else offered
    if isinstance(temperature, tuple):
        temperature = torch.linspace(*temperature, batch).to(query).unsqueeze(-1)
    scores = SCORES[kind](query.unsqueeze(1), offered) / temperature
    middle = (scores - scores.mean(-1, keepdim=True)).abs().argmin()  # where it turns no fit towards itself
    scores = scores + off * functional.one_hot(middle, batch * keys).view(batch, keys).to(query)
    return {"weights": scores.softmax(-1), "query": query, "keys": offered}


CENTRED = "logs - logs.mean(-1, keepdim=True)"
FACTOR = "(logs * scores).sum() / scores.square().sum()"
GAP = "(logs - sharpness * scores).abs().max()"

check = Checker(
    __name__,
    {
        "dot_scorer": Task(
            DotScorer, "dot scores: one number per key, the product of query and key, batched, with gradients",
            [*cases(4), hidden("query and keys of different sizes", query_size=3, key_size=5, raises="RuntimeError")],
            sentences, SIZES, RESULTS, scored, answers=("score",), omit=("score_all",),
            mistakes=[
                mistake("scaled", "these are divided by the root of the size: the plain dot product is not scaled",
                        result("({x}) / math.sqrt(query.size(-1))", of="score")), *OF_PRODUCT, *COMMON,
            ],
            variants=[
                variant(
                    "distance", edit(PRODUCT, "-(projected_keys - query.unsqueeze(1)).square().sum(-1)"),
                    text={
                        r"e_j = q^\top k_j": r"e_j = -\lVert q - k_j \rVert^2",
                        "The dot product has nothing to project": "This score has nothing to project",
                        "Which product gives a number per row?": "Which difference gives a row per row?",
                        "A batch of tables times a batch of columns.": "A batch of tables less a batch of rows.",
                        "so that it becomes a column.": "so that it becomes such a row.",
                        "@ (batch, size, 1) → (batch, keys, 1).": "- (batch, 1, size).",
                    },
                )
            ],
        ),
        "scaled_dot_scorer": Task(
            ScaledDotScorer, "scaled dot scores: the dot product over the root of the size, batched, with gradients",
            cases(6), sentences, SIZES, RESULTS, scored, answers=("score",), omit=("score_all",),
            mistakes=[
                *(
                    mistake(id, f"{why}; the equation has the root of the size of the vectors", edit(ROOT, put))
                    for id, (why, put) in DIVISORS.items()
                ),
                mistake("fixed_size", "the size is a fixed number", edit(ROOT, "math.sqrt(6)"), caught="hidden"),
                mistake("cosine", "this is the cosine: the scale is one fixed number, not the lengths of the vectors",
                        body("return torch.cosine_similarity(query.unsqueeze(1), projected_keys, dim=-1)", of="score")),
                KEYS_OF_SENTENCE_0, *COMMON,
            ],
        ),
        "bilinear_scorer": Task(
            BilinearScorer,
            "bilinear scores: W maps the keys to the query's space, once per sentence; batched, with gradients",
            cases(), sentences, SIZES, RESULTS, scored, answers=("project_keys", "score"), omit=("score_all",),
            mistakes=[
                mistake("in_score",
                        "the product with the keys does not depend on the query: compute it in `project_keys`, once",
                        edit("self.key_layer(keys)", "keys"),
                        edit("projected_keys", "self.key_layer(projected_keys)", of="score")),
                mistake("twice", "W is applied twice: `project_keys` has already applied it",
                        edit("projected_keys", "self.key_layer(projected_keys)", of="score")),
                mistake("query_too", "W is applied to both keys and query: it should be applied once, to the keys",
                        edit("query.unsqueeze(-1)", "self.key_layer(query).unsqueeze(-1)")),
                mistake("transposed", "the matrix is transposed: in q·W·k, W multiplies the key",
                        edit("self.key_layer(keys)", "keys @ self.key_layer.weight")),
                mistake("no_matrix", "W is missing: this is the plain dot product",
                        edit("self.key_layer(keys)", "keys")),
                mistake("tanh_of_keys", "there is a tanh around the projected keys: the bilinear score has none",
                        edit("self.key_layer(keys)", "torch.tanh(self.key_layer(keys))")),
                mistake("tanh_in_score", "there is a tanh around the projected keys: the bilinear score has none",
                        edit(PRODUCT, PRODUCT.replace("projected_keys", "torch.tanh(projected_keys)"))),
                mistake("scaled", "these are divided by the root of the size: the bilinear score learns its own scale",
                        result("({x}) / math.sqrt(query.size(-1))", of="score")), *OF_PRODUCT, *COMMON,
            ],
        ),
        "additive_scorer": Task(
            AdditiveScorer,
            "additive scores: v · tanh(W query + U key), the keys projected once; batched, with gradients", cases(),
            sentences, SIZES, RESULTS, scored, answers=("project_keys", "score"), omit=("score_all",),
            mistakes=[
                *(mistake(id, why, edit(HIDDEN, put)) for id, (why, put) in ADDITIVE.items()),
                mistake("difference", "U k is subtracted; it should be added", edit(ADDED, f"{QUERY} - {KEYS}")),
                mistake("sum", "v is forgotten: the attention axis is summed", edit(ENERGY, "hidden.sum(-1)")),
                mistake("mean", "v is forgotten: the attention axis is averaged", edit(ENERGY, "hidden.mean(-1)")),
                mistake("no_v", "the attention axis is still there: v is forgotten", edit(ENERGY, "hidden")),
                mistake("tanh_outermost", "the tanh is applied last; it should be applied before v",
                        edit(HIDDEN, "{x}"),
                        edit(ENERGY, f"torch.tanh({ENERGY})")),
                mistake("swapped", "query and key layers are swapped: W is the query's, U the keys'",
                        edit("self.query_layer(query)", "self.key_layer(query)"),
                        edit("self.key_layer(keys)", "self.query_layer(keys)")),
                mistake("one_layer", "U is used for the query as well: the query has a layer of its own",
                        edit("self.query_layer(query)", "self.key_layer(query)")),
                mistake("in_score", "U k does not depend on the query: compute it in `project_keys`, once per sentence",
                        edit("self.key_layer(keys)", "keys"), edit(KEYS, f"self.key_layer({KEYS})", of="score")),
                mistake("twice", "U is applied twice: `project_keys` has already applied it",
                        edit(KEYS, f"self.key_layer({KEYS})", of="score")), KEYS_OF_SENTENCE_0, *COMMON,
            ],
            variants=[
                variant("difference", edit(ADDED, "self.query_layer(query).unsqueeze(-2) - projected_keys"),
                        text={r"\tanh(W q + U k_j)": r"\tanh(W q - U k_j)"})
            ],
        ),
        "location_scorer": Task(
            LocationScorer,
            "location scores: a row of W per position, cut to the number of keys, whatever the keys contain",
            [
                visible(query_size=4, max_keys=5), visible(max_keys=8), *cases()[2:],
                hidden("as many keys as positions", max_keys=5), hidden("keys that hold 0", by=0.0),
                hidden("a batch after one of fewer keys", before=2),
                hidden("one key more than positions", keys=6, max_keys=5, raises="ValueError"),
            ],
            sentences, SIZES, RESULTS, scored, answers=("score",), omit=("score_all",),
            mistakes=[
                mistake("not_cut",
                        "one score per position that the scorer knows: they are not cut to the number of these keys",
                        edit("{x}[..., :keys]", "{x}")),
                mistake("features_counted", "the numbers of a key are counted; the keys should be",
                        edit("projected_keys.size(-2)", "projected_keys.size(-1)")),
                mistake("last_rows", "the last rows of W are used; row 1 scores position 1, whatever the length",
                        edit("{x}[..., :keys]", "{x}[..., -keys:]")),
                mistake("batch_cut", "the batch is cut, not the positions", edit("{x}[..., :keys]", "{x}[: keys - 3]")),
                mistake("normalised_first", f"a softmax is applied before the cut: {RAW}",
                        edit("self.position_layer(query)", "self.position_layer(query).softmax(-1)")),
                *(
                    mistake(id, f"{why}; the location score knows only positions", result(put, of="score"))
                    for id, why, put in (
                        ("content", "the content of the keys is added", "({x}) + projected_keys.sum(-1)"),
                        ("dot", "these are dot scores", PRODUCT),
                        ("dot_added", "dot scores are added", f"({{x}}) + {PRODUCT}"),
                    )
                ),
                mistake("keys_of_0", "keys that hold 0 are taken for padding; the location score knows only positions",
                        result("({x}) * (projected_keys != 0).any(-1)", of="score"), caught="hidden"),
                mistake("keys_in_layer", "W is applied to the keys; it should be applied to the query",
                        result("self.position_layer(projected_keys).diagonal(dim1=1, dim2=2)", of="score")),
                mistake("shifted", "the scores are shifted by one position",
                        edit("{x}[..., :keys]", "{x}.roll(1, -1)[..., :keys]")),
                mistake("no_error", "more keys than positions are accepted; there is no row of W for the last of them",
                        edit("keys > max_keys", "False"),
                        caught="hidden"),
                mistake("limit_of_query",
                        "the limit is the size of the query; it should be the number of positions, one per row of W",
                        edit("keys > max_keys", "keys > query.size(-1)")),
                mistake("too_strict", "an error is raised for as many keys as positions, which are allowed",
                        edit("keys > max_keys", "keys >= max_keys")), *COMMON,
            ],
            variants=[
                variant(
                    "from_the_end", edit("{x}[..., :keys]", "{x}[..., :keys].flip(-1)"),
                    text={
                        "row $j$ of $W$ scores position $j$": "row $j$ of $W$ scores the $j$-th position from the end",
                        r"e_j = W_{j,:}\, q": r"e_{n + 1 - j} = W_{j,:}\, q",
                        "a slice of the last axis that starts at its beginning": "a slice of the last axis that starts "
                        "at its beginning, reversed",
                    },
                )
            ],
        ),
        "worth_scorer": Task(
            WorthScorer,
            "worth scores: a scaled product of rank r plus the worth of a key, projected once; batched, with gradients",
            [*cases(), visible("rank 2", rank=2), hidden("another rank", rank=3, keys=6), hidden("rank 1", rank=1)],
            sentences, SIZES, RESULTS, scored, answers=("project_keys", "score"),
            mistakes=[
                *(mistake(id, why, change) for id, (why, change) in WEIGHED.items()),
                mistake("in_score",
                        "B k and u k do not depend on the query: compute them in `project_keys`, once per sentence",
                        edit("torch.cat([self.key_layer(keys), self.worth_layer(keys)], dim=-1)", "keys"),
                        edit("projected_keys[..., :-1]", "self.key_layer(projected_keys)"),
                        edit("projected_keys[..., -1]", "self.worth_layer(projected_keys)[..., 0]")),
                mistake("scaled_early",
                        "the projected keys are divided by the root already; they should be B k as it is",
                        edit("self.key_layer(keys)", "self.key_layer(keys) / math.sqrt(self.key_layer.out_features)"),
                        edit(f"{{x}} / {RANK}", "{x}")),
                mistake(
                    "worth_first", "the worth comes before B k; it belongs after it",
                    edit("[self.key_layer(keys), self.worth_layer(keys)]",
                         "[self.worth_layer(keys), self.key_layer(keys)]"),
                    edit("projected_keys[..., :-1]", "projected_keys[..., 1:]"),
                    edit("projected_keys[..., -1]", "projected_keys[..., 0]"),
                ),
                KEYS_OF_SENTENCE_0, *(mistake for mistake in COMMON if mistake.id != "trailing_axis"),
            ],
            variants=[
                variant(
                    "squashed", edit("self.key_layer(keys)", "torch.tanh(self.key_layer(keys))"),
                    text={
                        r"\frac{(A q)^\top (B k_j)}{\sqrt{r}}": r"\frac{(A q)^\top \tanh(B k_j)}{\sqrt{r}}",
                        r"one tensor: $B k_j$ followed": r"one tensor: $\tanh(B k_j)$ followed",
                    },
                )
            ],
        ),
        "score_behind": Task(
            score_behind, "score behind the weights: its name and its temperature, or none",
            [
                visible("weights of dot scores", kind="dot", temperature=2.0),
                visible("weights of the cosine", kind="cosine", temperature=0.2, keys=6),
                visible("weights of the distance", kind="distance", temperature=4.0, size=3),
                visible("one sentence", batch=1, kind="dot", temperature=2.0),
                visible("temperature 1", kind="distance", temperature=1.0),
                visible("weights of a score of another kind", kind="additive", temperature=1.0),
                visible("another temperature in each sentence", kind="dot", temperature=(0.5, 3.0)),
                visible("a temperature below 0", kind="dot", temperature=-2.0),
                hidden("scaled dot scores", batch=4, size=1600, kind="dot", temperature=40.0),
                hidden("a cosine at a very low temperature", kind="cosine", temperature=0.03),
                hidden("a single sentence of three keys", batch=1, keys=3, kind="distance", temperature=5.0),
                hidden("weights that do not depend on the query", kind="lengths", temperature=1.0),
                hidden("distances at a temperature of each sentence", kind="distance", temperature=(0.5, 3.0)),
                hidden("a negative temperature, cosine", kind="cosine", temperature=-0.5),
                hidden("a trace of something else", batch=12, kind="dot", temperature=2.0, off=0.006),
                hidden("a tiny weight that is a little too small", keys=8, kind="cosine", temperature=0.03, off=-0.006),
                hidden("a tiny weight that is a little too large", keys=8, kind="cosine", temperature=0.03, off=0.006),
                hidden("temperatures that hardly differ", kind="distance", temperature=(2.0, 2.06)),
                hidden("a sentence of equal keys", kind="dot", temperature=2.0, equal=True),
                hidden("equal keys, temperatures of each sentence", kind="dot", temperature=(0.5, 3.0), equal=True),
                hidden("float64", kind="dot", temperature=1.5, dtype=torch.float64),
            ],
            logged, {"batch": 3, "keys": 5, "size": 4}, {"score": "", "temperature": ""}, gradients=False,
            tolerance=1e-3,
            mistakes=[
                mistake("not_centred",
                        "log-weights and scores differ by a number for each sentence: compare differences between keys",
                        edit(CENTRED, "logs")),
                mistake("one_shift",
                        "one shift is taken for all sentences; the sum below the fraction is another in each",
                        edit(CENTRED, "logs - logs.mean()")),
                mistake("temperature_1", "the temperature is taken for 1: dot scores at another one are dot scores too",
                        edit(FACTOR, "torch.ones(())")),
                mistake("of_each", "each sentence is given a temperature of its own; there is one for all",
                        edit(FACTOR, "((logs * scores).sum(-1, keepdim=True) / scores.square().sum(-1, keepdim=True))"),
                        edit("sharpness > 0", "(sharpness > 0).all()"),
                        edit("float(sharpness)", "float(sharpness.mean())")),
                mistake("of_each_averaged", "each sentence is given a temperature of its own; there is one for all",
                        edit(FACTOR, "((logs * scores).sum(-1, keepdim=True) / scores.square().sum(-1, keepdim=True))"),
                        edit("sharpness > 0", "(sharpness > 0).all()"),
                        edit("1 / float(sharpness)", "float((1 / sharpness).mean())")),
                mistake("too_loose",
                        "too much is accepted: each log-weight counts, and to 0.001, however small its weight",
                        edit(GAP, "(weights - (sharpness * scores).softmax(-1)).abs().max()"), caught="hidden"),
                mistake("two_keys",
                        "the temperature is a quotient that becomes 0 / 0 where the keys of a sentence are equal",
                        edit(FACTOR, "(logs[0, 0] - logs[0, 1]) / (scores[0, 0] - scores[0, 1])"), caught="hidden"),
                mistake("sign_lost", "a negative temperature is accepted, and its sign is lost; with one the best key "
                                     "would get the smallest weight",
                        edit("sharpness > 0 and {x}", "{x}"),
                        edit("1 / float(sharpness)", "abs(1 / float(sharpness))")),
                mistake("any_sign", "a negative temperature is accepted, by which the best key would get the smallest "
                                    "weight",
                        edit("sharpness > 0 and {x}", "{x}")),
                mistake("best_of_all", "the nearest of the three is named even if it does not fit",
                        edit(GAP, "-1 * (logs - sharpness * scores).abs().max()")),
                mistake("low_only", "a high temperature is refused; scaled dot scores of large vectors have one",
                        edit("sharpness > 0", "sharpness > 1 / 30"), caught="hidden"),
                mistake("sharpness", "this is 1 divided by the temperature",
                        edit("1 / float(sharpness)", "float(sharpness)")),
                mistake("unsquared", "the distance is not squared",
                        edit("-(asked - keys).square().sum(-1)", "-(asked - keys).norm(dim=-1)")),
            ],
            variants=[
                variant(
                    "sharpness", edit("1 / float(sharpness)", "float(sharpness)"),
                    text={
                        r"\exp(e_j / \tau)}{\sum_l \exp(e_l / \tau)}": r"\exp(\beta e_j)}{\sum_l \exp(\beta e_l)}",
                        r"$\tau > 0$": r"$\beta > 0$",
                        "at which temperature": "how sharp (1 divided by the temperature)",
                        "and the temperature": "and the sharpness",
                    },
                )
            ],
        ),
    },
)
