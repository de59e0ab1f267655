"""The mistakes that several heads are known to be written with: why → the numbers that this mistake gives."""

import math

from torch import Tensor

from seq2seq.attention import masked_softmax
from seq2seq.transformer.self_attention import MultiHeadAttention, join_heads, split_heads


def weight_mistakes(
    twin: MultiHeadAttention, queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor
) -> dict[str, Tensor]:
    heads = twin.heads
    projected = twin.query_layer(queries)
    asked, offered = split_heads(projected, heads), split_heads(keys, heads)
    seen = visible.unsqueeze(-3)
    raw, share = asked @ offered.mT, asked.size(-1)
    scores = raw / math.sqrt(share)
    shown = seen.expand_as(scores)

    def dealt(features: Tensor) -> Tensor:
        return features.unflatten(-1, (share, heads)).permute(0, 3, 1, 2)

    def reshaped(features: Tensor) -> Tensor:
        return features.reshape(features.size(0), heads, features.size(1), share)

    def weigh(one: Tensor, other: Tensor) -> Tensor:
        return masked_softmax(one @ other.mT / math.sqrt(share), seen)

    return {
        "the scores are not scaled: the division by the root of a head's size is missing": masked_softmax(raw, seen),
        "the root is taken of the whole size; each head has only its share of the features": masked_softmax(
            raw / math.sqrt(share * heads), seen
        ),
        "the scores are divided by a head's size itself; its root is enough": masked_softmax(raw / share, seen),
        "the root is taken of the number of heads; the size of a head counts": masked_softmax(
            raw / math.sqrt(heads), seen
        ),
        "the mask is ignored": scores.softmax(-1),
        "the mask comes after the softmax, so what may be seen no longer shares all of the 1": scores.softmax(-1)
        * shown,
        "the mask is turned round: True means that a key may be seen": masked_softmax(scores, ~seen),
        "the softmax runs over the heads; the keys of one query compete with each other": masked_softmax(
            scores.transpose(1, 3), shown.transpose(1, 3)
        ).transpose(1, 3),
        "the softmax runs over the queries; the keys of one query compete with each other": masked_softmax(
            scores.mT, shown.mT
        ).mT,
        "these are the scores: the softmax is missing": scores * shown,
        "the queries come unprojected: the query layer is to be applied here": weigh(
            split_heads(queries, heads), offered
        ),
        "the query layer is applied twice": weigh(split_heads(twin.query_layer(projected), heads), offered),
        "the key layer is applied once more: `project_keys` has done it": weigh(
            asked, split_heads(twin.key_layer(keys), heads)
        ),
        "the values are used as keys": weigh(asked, split_heads(values, heads)),
        "all features score together: each head has to score with its own": masked_softmax(
            (projected @ keys.mT / math.sqrt(share)).unsqueeze(1).expand_as(scores), seen
        ),
        "all features score together, scaled by the whole size: each head has to score with its own": masked_softmax(
            (projected @ keys.mT / math.sqrt(share * heads)).unsqueeze(1).expand_as(scores), seen
        ),
        "the features are reshaped where two axes should be exchanged: a head gets some positions whole": weigh(
            reshaped(projected), reshaped(keys)
        ),
        "the features are dealt out to the heads like cards; a head gets neighbouring features": weigh(
            dealt(projected), dealt(keys)
        ),
        "every head weighs like the first": weigh(asked[:, :1].expand_as(asked), offered[:, :1].expand_as(offered)),
        "the average over the heads is returned for each of them": masked_softmax(scores, seen)
        .mean(1, keepdim=True)
        .expand_as(scores),
    }


def context_mistakes(
    twin: MultiHeadAttention, queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor
) -> dict[str, Tensor]:
    weights = twin.attend(queries, keys, values, visible)[1]
    offered = split_heads(values, twin.heads)
    found = weights @ offered
    joined, out = join_heads(found), twin.output_layer
    return {
        "the output layer is missing: the joined heads go through it": joined,
        "the output layer is applied twice": out(out(joined)),
        "the output layer's offset is missing: apply the layer itself": joined @ out.weight.mT,
        "the heads are joined without exchanging heads and positions first: a position gets the contexts of others": (
            out(found.reshape(joined.shape))
        ),
        "the heads are mixed feature by feature; they belong side by side, one whole head after the other": out(
            found.permute(0, 2, 3, 1).flatten(2)
        ),
        "the values go through their layer once more: `project_keys` has done it": out(
            join_heads(weights @ split_heads(twin.value_layer(values), twin.heads))
        ),
        "the keys are summed, not the values": out(join_heads(weights @ split_heads(keys, twin.heads))),
        "all heads sum with the same weights, their average": out(
            join_heads(weights.mean(1, keepdim=True).expand_as(weights) @ offered)
        ),
        "the input is added: a residual connection belongs outside of attention": out(joined) + queries,
    }
