"""The mistakes that scorers are known to be written with: why → the scores that this mistake gives.

Each table is computed from the reference and its weights, with the mistake put in.
Where sizes do not allow a mistake to run at all, it is left out.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, BilinearScorer, LocationScorer

Scores = dict[str, Tensor]
Table = Callable[..., Scores]

RAW = "a softmax is already applied: a scorer returns raw scores, attention normalises them after masking"


def dot(_: Scorer, query: Tensor, keys: Tensor) -> Scores:
    scores = _dot(query, keys)
    size = query.size(-1)
    return {
        "these are divided by the root of the size: the plain dot product is not scaled": scores / math.sqrt(size),
        "the products are averaged over the features; the dot product sums them": scores / size,
        "this is the cosine: the lengths of query and key belong to the dot product": torch.cosine_similarity(
            query.unsqueeze(1), keys, dim=-1
        ),
        "only the first feature is used: the product of the vectors is summed over all of them": query[:, :1]
        * keys[:, :, 0],
        "this is the distance between query and key, not their product": (query.unsqueeze(1) - keys).norm(dim=-1),
    }


def scaled_dot(_: Scorer, query: Tensor, keys: Tensor) -> Scores:
    scores = _dot(query, keys)
    batch, count, size = keys.shape
    return {
        "the scores are not scaled at all: the division by the root of the size is missing": scores,
        "these are divided by the size itself, perhaps by the root twice; the equation divides by the root once": scores
        / size,
        "these are multiplied by the root of the size: scaling has to make them smaller": scores * math.sqrt(size),
        "these are divided by the root of the number of keys; the size of the vectors counts": scores
        / math.sqrt(count),
        "these are divided by the number of keys; the root of the size of the vectors counts": scores / count,
        "these are divided by the root of the batch size; the size of the vectors counts": scores / math.sqrt(batch),
        "this is the cosine: the scale is one fixed number, not the lengths of the vectors": torch.cosine_similarity(
            query.unsqueeze(1), keys, dim=-1
        ),
        "these are divided by the fourth root of the size: one root is enough": scores / size**0.25,
    }


def bilinear(scorer: BilinearScorer, query: Tensor, keys: Tensor) -> Scores:
    matrix = scorer.key_layer.weight
    projected = keys @ matrix.mT
    scores = _dot(query, projected)
    wrong = {
        "there is a tanh around the projected keys: the bilinear score has none": _dot(query, projected.tanh()),
        "these are divided by the root of the size: the bilinear score learns its own scale": scores
        / math.sqrt(query.size(-1)),
    }
    if query.size(-1) == keys.size(-1):
        wrong |= {
            "W is transposed, or applied to the query: in q·W·k it is the key that W carries over": _dot(
                query @ matrix.mT, keys
            ),
            "W is missing: this is the plain dot product": _dot(query, keys),
            "W is applied twice: `project_keys` has done it before `score` is called": _dot(
                query, projected @ matrix.mT
            ),
            "W is applied to the keys and to the query: it stands between the two once": _dot(
                query @ matrix.mT, projected
            ),
        }
    return wrong


def additive(scorer: AdditiveScorer, query: Tensor, keys: Tensor) -> Scores:
    asked, offered = scorer.query_layer(query).unsqueeze(1), scorer.key_layer(keys)
    weigh = scorer.energy_layer.weight.squeeze(0)  # v
    total = asked + offered
    hidden = total.tanh()
    wrong = {
        "the tanh is missing: then v·W·q is the same for every key, and the softmax cancels the query": total @ weigh,
        "the tanh is taken of each part alone; it belongs around the sum of the two": (asked.tanh() + offered.tanh())
        @ weigh,
        "there is a ReLU in place of the tanh": total.relu() @ weigh,
        "there is a sigmoid in place of the tanh": total.sigmoid() @ weigh,
        "v is forgotten: the attention axis is summed with equal weights": hidden.sum(-1),
        "v is forgotten: the attention axis is averaged": hidden.mean(-1),
        "the tanh is outermost; it belongs inside, before v": (total @ weigh).tanh(),
        "the query is left out: then the weights are the same at every decoder step": offered.tanh() @ weigh,
        "the keys are left out: then every key gets the same score": (asked.tanh() @ weigh).expand(keys.shape[:2]),
        "the tanh is around the query's part only; it belongs around the sum": (asked.tanh() + offered) @ weigh,
        "the tanh is around the keys' part only; it belongs around the sum": (asked + offered.tanh()) @ weigh,
        "W q and U k are multiplied; they are added": (asked * offered).tanh() @ weigh,
        "U k is subtracted; the two are added": (asked - offered).tanh() @ weigh,
        "there are two tanh, one within the other; one is enough": hidden.tanh() @ weigh,
        "the last layer is applied with a tanh around it as well": (hidden @ weigh).tanh(),
    }
    if query.size(-1) == keys.size(-1):
        swapped = scorer.key_layer(query).unsqueeze(1) + scorer.query_layer(keys)
        wrong |= {
            "query and key layers are swapped: W is the query's, U the keys'": swapped.tanh() @ weigh,
            "U is used for the query as well: the query has a layer of its own": (
                scorer.key_layer(query).unsqueeze(1) + offered
            ).tanh()
            @ weigh,
        }
    if offered.size(-1) == keys.size(-1):
        wrong["U is applied twice: `project_keys` has done it before `score` is called"] = (
            asked + scorer.key_layer(offered)
        ).tanh() @ weigh
        wrong["U is never applied to the keys"] = (asked + keys).tanh() @ weigh
        if query.size(-1) == keys.size(-1):
            wrong["W is never applied to the query"] = (query.unsqueeze(1) + offered).tanh() @ weigh
    return wrong


def location(scorer: LocationScorer, query: Tensor, keys: Tensor) -> Scores:
    matrix, count = scorer.position_layer.weight, keys.size(1)
    everywhere = query @ matrix.mT
    wrong = {
        "the last rows of W are used; row 1 scores position 1, whatever the length": everywhere[:, -count:],
        "the scores are shifted by one position": everywhere.roll(1, -1)[:, :count],
        "a tanh is around the scores; the location score has none": everywhere[:, :count].tanh(),
    }
    if everywhere.size(1) > count:
        why = "a softmax ran over all positions, before the cut: a scorer returns raw scores"
        wrong[why] = everywhere.softmax(-1)[:, :count]
    if query.size(-1) == keys.size(-1):
        wrong["these look at the content of the keys; location scores know their number alone"] = _dot(query, keys)
        wrong["these add the content of the keys; location scores know their number alone"] = (
            _dot(query, keys) + everywhere[:, :count]
        )
    if keys.size(-1) == matrix.size(-1):
        by_content = keys @ matrix.mT  # (batch, keys, positions)
        if by_content.size(1) == by_content.size(2):
            why = "W is applied to the keys: location scores come from the query, the keys count by their number alone"
            wrong[why] = by_content.diagonal(dim1=1, dim2=2)
        wrong["W is applied to the mean key: location scores come from the query alone"] = (keys.mean(1) @ matrix.mT)[
            :, :count
        ]
    return wrong


def any_scorer(expected: Tensor, scorer: Scorer, query: Tensor, keys: Tensor) -> Scores:
    """Mistakes that any scorer can be written with."""
    first = torch.zeros_like(expected)
    first[0] = expected[0]
    return {
        RAW: expected.softmax(-1),
        "a softmax over the batch is applied: a scorer returns raw scores": expected.softmax(0),
        "a log-softmax is already applied: a scorer returns raw scores": expected.log_softmax(-1),
        "a sigmoid is applied: a scorer returns raw scores": expected.sigmoid(),
        "every sentence is scored by the query of sentence 0": scorer(query[:1].expand_as(query), keys),
        "every query scores the keys of sentence 0": scorer(query, keys[:1].expand_as(keys)),
        "only sentence 0 of the batch is computed, the others are left at 0": first,
        "the sign is wrong": -expected,
        "the keys come out in reverse order": expected.flip(-1),
    }


def projection(scorer: Scorer, keys: Tensor) -> Scores:
    """What `project_keys` returns when the layer is the wrong one, or not alone."""
    projected = scorer.project_keys(keys)
    wrong = {"a tanh is already applied: the sum with the query's part comes first": projected.tanh()}
    layers = dict(scorer.named_children())
    matrix = layers["key_layer"].weight
    if "query_layer" in layers and layers["query_layer"].in_features == keys.size(-1):
        wrong["the keys went through the layer W of the query: query and key layers are swapped"] = layers[
            "query_layer"
        ](keys)
    if matrix.size(0) == matrix.size(1):
        wrong["the matrix is transposed: W carries the keys over"] = keys @ matrix
    return wrong


def shapes(scorer: Scorer, query: Tensor, keys: Tensor) -> dict[tuple[int, ...], str]:
    """Wrong shapes that tell what went wrong."""
    batch, count, size = keys.shape
    wrong = {
        (batch, batch, count): "every query meets the keys of every sentence: the batch axes have to stay side by side",
        (batch, count, batch): "every query meets the keys of every sentence: the batch axes have to stay side by side",
        (batch, count, count): "keys are compared with keys; it is the query that asks",
        (batch, count, size): "one number per key is asked for: the sum over the features is missing",
        (batch, size): "the sum ran over the keys; it has to run over the features, so that each key keeps a number",
        (count,): "the batch axis is lost: was it summed, or only one sentence computed?",
        (batch,): "one number per key is asked for: the keys were summed away",
        (count, batch): "the axes came out as (keys, batch)",
    }
    if isinstance(scorer, LocationScorer):
        wrong[batch, scorer.position_layer.out_features] = (
            "one score per position that the scorer knows: they are not cut to the number of keys of these sentences"
        )
    if isinstance(scorer, AdditiveScorer):
        wrong[batch, count, scorer.energy_layer.in_features] = (
            "the attention axis is still there: v, which turns it into one number per key, is forgotten"
        )
    wrong.pop((batch, count), None)
    return wrong


def _dot(query: Tensor, keys: Tensor) -> Tensor:
    return torch.einsum("bd,bkd->bk", query, keys)
