"""The tasks of ``14_self_attention``: who is seen, self-attention, several heads, rotations, and a cache.

Sizes are equal first: there an exchanged layer still runs, so that it can be named.
"""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.compare import IN_PLACE
from autograder.checking.draw import Draw
from autograder.checking.edits import body, edit, result, start
from autograder.checking.equal import equal
from autograder.checking.task import Mistake, Task, hidden, mistake, variant, visible
from autograder.checking.values import named, plain
from autograder.finding import CheckFailed
from seq2seq.exercises.self_attention import CachedAttention, rotate, seen_by_last
from seq2seq.transformer.self_attention import MultiHeadAttention, SelfAttention, join_heads, split_heads


def real_tokens(draw: Draw, lengths: list[int], queries: int | None, left: bool) -> dict[str, Any]:
    given = {"source_mask": draw.mask(lengths, left=left)}
    return given if queries is None else {**given, "queries": queries}


def visible_keys(draw: Draw, queries: int, lengths: list[int], causal: bool, left: bool) -> Tensor:
    """(batch, queries, keys); no query sees nothing but where a length is 0, or padding in front under the triangle."""
    real = draw.mask(lengths, left=left).unsqueeze(1).repeat(1, queries, 1)
    return real & torch.ones_like(real).tril(real.size(2) - queries) if causal else real


def sequences(
    draw: Draw, lengths: list[int], input_size: int, causal: bool, mask: str = "", scale: float = 1.0
) -> dict[str, Tensor]:
    """``mask``: a "row" is (batch, 1, keys), a "shared" one (queries, keys)."""
    visible = visible_keys(draw, max(lengths), lengths, causal, mask == "left")
    sequence = draw.normal(len(lengths), max(lengths), input_size, scale=scale)
    return {"sequence": sequence, "visible": {"shared": visible[0], "row": visible[:, :1]}.get(mask, visible)}


def projected(
    draw: Draw, lengths: list[int], positions: int, size: int, causal: bool, mask: str = "", scale: float = 1.0
) -> dict[str, Tensor]:
    """``mask`` as in :func:`sequences`."""
    visible = visible_keys(draw, positions, lengths, causal, mask == "left")
    keys, values = (draw.normal(len(lengths), max(lengths), size) for _ in range(2))
    visible = {"shared": visible[0], "row": visible[:, :1]}.get(mask, visible)
    queries = draw.normal(len(lengths), positions, size, scale=scale)
    return {"queries": queries, "keys": keys, "values": values, "visible": visible}


def attended(answer: Any, given: SimpleNamespace) -> Any:
    return answer().attend(given.queries, given.keys, given.values, given.visible)


def standing(draw: Draw, batch: int, heads: int, positions: int, size: int, first: int) -> dict[str, Any]:
    before = [axis for axis in (batch, heads) if axis]
    return {"vectors": draw.normal(*before, positions, size)} | ({"first": first} if first else {})


def sentence(draw: Draw, batch: int, length: int, input_size: int, scale: float = 1.0) -> dict[str, Tensor]:
    return {"sentence": draw.normal(batch, length, input_size, scale=scale), "other": draw.normal(batch, input_size)}


def word_by_word(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, Any]]:
    """A sentence; then another word from each of its caches, which have to be as they were, as for a beam search."""
    module, cache, contexts, caches, overwritten = answer(), None, [], [], False
    for word in given.sentence.unbind(1):
        before, came = plain(cache), [cache]
        (_, context), (_, cache) = named(module.step(word, *came), "context", "cache")
        overwritten = overwritten or not equal(before, plain(came)[0])
        if not isinstance(context, Tensor):
            yield "contexts", context
            return
        contexts.append(context)
        caches.append(cache)
    yield "contexts", torch.stack(contexts, dim=1)
    yield from named(cache, "the keys kept", "the values kept")
    if overwritten:
        raise CheckFailed("the cache given to a step", "changed in place", "as it came", IN_PLACE, "changed_in_place")
    others = [module.step(given.other, cache)[0] for cache in caches]
    yield "the contexts of another next word", torch.stack(others, 1)


def each(find: str, table: dict[str, tuple[str, str]]) -> list[Mistake]:
    """What may stand in one place: id → why it is wrong, and what stands there."""
    return [mistake(id, why, edit(find, put)) for id, (why, put) in table.items()]


EMPTY = "a query that may see nothing gives a softmax over −∞ alone, which is 0/0; its weights should all be 0"
ORDER = "the two results are in the wrong order: the contexts come first, then the weights"

TRIANGLE, CORNER = "ones.tril(keys - queries)", "real & ones.tril(keys - queries)"
COLUMNS = "source_mask[:, -queries:].unsqueeze(2)"
OF_TRIANGLE = {
    "upper_left": ("the triangle lies in the upper left corner, as if the first positions asked; it is the last ones "
                   "that ask", "ones.tril()"),
    "blind": ("a position cannot see itself", "ones.tril(keys - queries - 1)"),
    "too_far": ("each position sees one position after it", "ones.tril(keys - queries + 1)"),
    "backwards": ("the rows are in reverse order", f"{TRIANGLE}.flip(0)"),
    "upper": ("each position sees those after it and not those before it; it should be the other way round",
              "ones.triu(keys - queries)"),
    "turned": ("True and False of the causal mask are exchanged: True should mean that a key may be seen",
               "~ones.tril(keys - queries)"),
    "all_seen": ("later positions are not hidden: the causal mask is missing", "ones"),
    "itself": ("each position sees itself alone, and none of those before it",
               "ones.tril(keys - queries).triu(keys - queries)"),
    "last_real": (
        "the rows are counted back from each sentence's last real word; they should be counted back from the last "
        "position, be it padding or not",
        "(torch.arange(keys) <= (source_mask.sum(1)[:, None] - queries + torch.arange(queries)).unsqueeze(-1))",
    ),
}
OF_BOTH = {
    "or": ("a key is let through if it is real or if it does not come later; both have to hold", f"real | {TRIANGLE}"),
    "equal": ("a key is let through where the two masks agree, even if they agree to hide it", f"real == {TRIANGLE}"),
    "padding_seen": ("the padding is not hidden", f"{TRIANGLE}.expand(len(source_mask), -1, -1)"),
    "as_queries": ("padding is hidden in the rows, where it asks; it should be hidden in the columns, where it is seen",
                   f"{COLUMNS} & {TRIANGLE}"),
    "padding_turned": ("`source_mask` is used the wrong way round: it is True at real tokens, so these are the ones "
                       "hidden here", f"~real & {TRIANGLE}"),
    "numbers": ("these are numbers; a mask should have the dtype bool", f"({CORNER}).float()"),
    "one_axis": ("there is one mask for the whole batch; each sentence should have its own", f"({CORNER})[0]"),
}

NONE = "if queries is None:\n    return real"
OF_NONE = {
    "no_axis": ("the axis of the queries is missing from the result", NONE.replace("real", "source_mask")),
    "all_ask": ("without `queries` no causal mask is asked for; this is the causal mask of all positions",
                "if queries is None:\n    queries = source_mask.size(1)"),
    "expanded": ("the same row is repeated for every query; one row is asked for, which serves all queries",
                 NONE.replace("real", "real.expand(-1, source_mask.size(1), -1)")),
}

SCORES, RAW = "self.scorer.score_all(queries, keys)", "queries @ keys.mT"
LOWEST = "torch.finfo(scores.dtype).min"
OF_SCORES = {
    "not_scaled": ("the scores are not divided by the root of the size", RAW),
    "by_size": ("the scores are divided by the size, not by its root (by the root twice, if the scorer divides too)",
                f"{RAW} / keys.size(-1)"),
    "multiplied": ("the scores are multiplied by the root of the size, not divided by it",
                   f"{RAW} * math.sqrt(keys.size(-1))"),
    "root_of_input": ("the scores are divided by the root of the input's size; it should be that of the keys' size",
                      f"{RAW} / math.sqrt(sequence.size(-1))"),
    "root_of_values": ("the scores are divided by the root of the values' size; it should be that of the keys' size",
                       f"{RAW} / math.sqrt(self.value_layer.out_features)"),
    "root_of_words": ("the scores are divided by the root of the number of words; it should be that of the keys' size",
                      f"{RAW} / math.sqrt(sequence.size(1))"),
    "exchanged": ("queries and keys are exchanged: row i of the scores should belong to query i",
                  "self.scorer.score_all(keys, queries)"),
    "with_queries": ("the query layer is used for the keys as well", "self.scorer.score_all(queries, queries)"),
    "with_keys": ("the key layer is used for the queries as well", "self.scorer.score_all(keys, keys)"),
    "raw": ("query and key layers are missing", "self.scorer.score_all(sequence, sequence)"),
    "last_query": ("every position asks with the last position's query",
                   "self.scorer.score_all(queries[:, -1:].expand_as(queries), keys)"),
}
PAST = "visible & visible.new_ones(scores.shape).tril()"
TWICE = "masked_softmax(masked_softmax(scores, visible), visible)"
OF_WEIGHTS = {
    "mask_after": ("the mask comes after the softmax, so the keys that may be seen no longer share all of the 1",
                   "scores.softmax(-1) * visible"),
    "polarity": ("the mask is used the wrong way round: True means that a key may be seen",
                 "masked_softmax(scores, ~visible)"),
    "mask_transposed": ("the mask is transposed: its rows belong to the queries", "masked_softmax(scores, visible.mT)"),
    "times_mask": ("a hidden key gets the score 0, and so still a share, since exp(0) is 1",
                   "(scores * visible).softmax(-1)"),
    "over_queries": ("the softmax runs over the queries; the keys should share the 1",
                     "masked_softmax(scores.mT, visible.mT).mT"),
    "over_batch": ("the softmax runs over the batch; the keys should share the 1",
                   f"scores.masked_fill(~visible, {LOWEST}).softmax(0) * visible"),
    "no_softmax": ("these are the scores: the softmax is missing", "scores * visible"),
    "causal_too": ("later positions are always hidden; the mask alone says what is hidden",
                   f"masked_softmax(scores, {PAST})"),
    "twice": ("the softmax is applied twice", TWICE),
}
EXP = "(lambda e: e / e.sum(-1, keepdim=True).clamp(min=1e-9))(scores.exp() * visible)"
UNIFORM_ROWS = f"scores.masked_fill(~visible, {LOWEST}).softmax(-1) * visible.flatten(-2).any(-1)[..., None, None]"
INFINITE = "scores.masked_fill(~visible, -torch.inf).softmax(-1)"
UNIFORM = "a query that may see nothing gets equal weights for all keys; its weights should all be 0"
UNIFORM_ROW = (
    "a query that may see nothing still gets weights where another query of its sentence may see something; its "
    "weights should all be 0"
)
SUM = "weights @ self.value_layer(sequence)"
VALUES = "self.value_layer(sequence)"
OF_SUM = {
    "transposed": ("the weights are transposed before the sum: row i should belong to query i",
                   f"weights.mT @ {VALUES}"),
    "hidden_summed": ("the context is summed with weights that leave the mask out, so hidden words are in it",
                      f"scores.softmax(-1) @ {VALUES}"),
    "average": ("this is the plain average of the values", f"{VALUES}.mean(1, keepdim=True).expand_as({VALUES})"),
    "no_value_layer": ("the value layer is missing: the sequence itself is summed", "weights @ sequence"),
    "keys_summed": ("the keys are summed in place of the values, which have a layer of their own", "weights @ keys"),
    "queries_summed": ("the queries are summed in place of the values, which have a layer of their own",
                       "weights @ queries"),
    "residual": ("the input is added: that belongs outside of attention", f"{SUM} + sequence"),
}

HEADS = "self.scorer.score_all(asked, keys).unflatten(0, (-1, self.heads))"
HEAD_RAW = "(asked @ keys.mT).unflatten(0, (-1, self.heads))"
OF_HEADS = {
    "not_scaled": ("the scores are not divided by the root of a head's size", HEAD_RAW),
    "whole_size": ("the scores are divided by the root of the whole size; a head has only its share of the features",
                   f"{HEAD_RAW} / math.sqrt(queries.size(-1))"),
    "by_size": ("the scores are divided by a head's size, not by its root", f"{HEAD_RAW} / asked.size(-1)"),
    "root_of_heads": ("the scores are divided by the root of the number of heads; it should be that of a head's size",
                      f"{HEAD_RAW} / math.sqrt(self.heads)"),
}
MASKED, ANY_HEAD = "masked_softmax(scores, visible.unsqueeze(-3))", "visible.unsqueeze(-3)"
HIDDEN = f"scores.masked_fill(~{ANY_HEAD}, {LOWEST})"
ANY_VISIBLE = "visible.flatten(-2).any(-1)[..., None, None, None]"
WHOLE = "visible.expand(queries.size(0), queries.size(1), scores.size(-1)).repeat(self.heads, 1, 1)"
REPEATED = f"masked_softmax(scores.flatten(0, 1), {WHOLE}).unflatten(0, (-1, self.heads))"
OF_HEAD_WEIGHTS = {
    "mask_after": ("the mask comes after the softmax, so the keys that may be seen no longer share all of the 1",
                   "scores.softmax(-1) * visible.unsqueeze(-3)"),
    "polarity": ("the mask is used the wrong way round: True means that a key may be seen",
                 "masked_softmax(scores, ~visible.unsqueeze(-3))"),
    "no_head_axis": ("the mask lacks an axis for the heads: sentences stand where heads should",
                     "masked_softmax(scores, visible)"),
    "over_heads": ("the softmax runs over the heads", f"{HIDDEN}.softmax(1) * {ANY_HEAD}"),
    "over_queries": ("the softmax runs over the queries", f"{HIDDEN}.softmax(2) * {ANY_HEAD}"),
    "no_softmax": ("these are the scores: the softmax is missing", "scores * visible.unsqueeze(-3)"),
    "mask_repeated": ("the mask is repeated in another order than sentences and heads, so some sentences get the mask "
                      "of another", REPEATED),
    "one_for_all": ("the weights are averaged over the heads, and every head gets the average",
                    f"{MASKED}.mean(1, keepdim=True).expand_as(scores)"),
}
PARTS = "(self.query_layer(queries), keys, values)"
OF_PARTS = {
    "query_raw": ("the query layer is missing: unlike keys and values, the queries come in unprojected",
                  "(queries, keys, values)"),
    "query_twice": ("the query layer is applied twice", "(self.query_layer(self.query_layer(queries)), keys, values)"),
    "key_again": ("the key layer is applied again; the keys come in projected",
                  "(self.query_layer(queries), self.key_layer(keys), values)"),
    "value_again": ("the value layer is applied again; the values come in projected",
                    "(self.query_layer(queries), keys, self.value_layer(values))"),
    "both_again": ("the layers of keys and values are applied again; both come in projected",
                   "(self.query_layer(queries), self.key_layer(keys), self.value_layer(values))"),
    "project_again": ("keys and values are both projected from the keys, which come in projected as the values do",
                      "(self.query_layer(queries), *self.project_keys(keys))"),
    "query_layer_on_keys": ("the query layer is applied to the keys too, which come in projected",
                            "(self.query_layer(queries), self.query_layer(keys), values)"),
    "values_compared": ("the values are used as keys", "(self.query_layer(queries), values, values)"),
    "keys_summed": ("the keys are summed, not the values", "(self.query_layer(queries), keys, keys)"),
}
OUT = "self.output_layer(contexts)"
OF_OUT = {
    "output_twice": ("the output layer is applied twice", f"self.output_layer({OUT})"),
    "no_offset": ("the bias of the output layer is left out", "contexts @ self.output_layer.weight.mT"),
    "residual": ("the input is added: that belongs outside of attention", f"{OUT} + queries"),
}
APART = "contexts.unflatten(-1, (self.heads, -1))"
SINGLE_HEAD = """
scores = self.scorer.score_all(self.query_layer(queries), keys)
weights = masked_softmax(scores, visible)
return self.output_layer(weights @ values), weights
"""
OF_PAIR = {
    "order": (ORDER, f"weights, {OUT}"),
    "averaged": ("the weights are averaged over the heads; those of every head are asked for",
                 f"{OUT}, weights.mean(1)"),
    "not_joined": ("the heads are not joined: each still has its contexts apart", f"{APART}.transpose(1, 2), weights"),
    "heads_averaged": ("the contexts of the heads are averaged; they should stand side by side",
                       f"{APART}.mean(-2), weights"),
    "folded": ("in the weights, batch and heads still share one axis", f"{OUT}, weights.flatten(0, 1)"),
}
CUT = "projected.unflatten(-1, (heads, -1)).transpose(1, 2)"
OF_CUT = {
    "reshaped": ("a head gets all features of some positions; it should get some features of every position",
                 "projected.reshape(len(projected), heads, projected.size(1), -1)"),
    "dealt": ("with H heads a head gets every H-th feature; it should get features that stand side by side",
              "projected.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2)"),
    "first_head": ("every head gets the features of head 0", f"{CUT}[:, :1].expand(-1, heads, -1, -1)"),
    "backwards": ("the heads are split off in reverse order", f"{CUT}.flip(1)"),
}
JOINED = "contexts.transpose(1, 2).flatten(2)"
OF_JOINED = {
    "joined_raw": ("the heads are joined by reshaping alone, so numbers of different positions stand side by side",
                   "contexts.reshape(len(contexts), contexts.size(2), -1)"),
    "by_feature": ("the features of the heads are joined in turn, first the first of each head, then the second; those "
                   "of one head should stay together", "contexts.permute(0, 2, 3, 1).flatten(2)"),
    "joined_backwards": ("the heads are joined in reverse order", f"contexts.flip(1).{JOINED[9:]}"),
}

ANGLES = "indices.unsqueeze(-1) * 10000.0 ** (-torch.arange(0, size, 2, **kind) / size)"
PAIRS = "vectors[..., ::2], vectors[..., 1::2]"
TURNED = "even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()"
JOINT = "torch.stack(turned, dim=-1).flatten(-2)"
HALVES = "vectors[..., : size // 2], vectors[..., size // 2 :]"
HALVED = edit(PAIRS, HALVES), edit(JOINT, "torch.cat(turned, dim=-1)")
OF_FIRST = {
    "from_one": ("the places are one too large: the first position stands at `first` itself", "first + 1 + {x}"),
}
OF_BASE = {
    "base_1000": ("the base of the power is 1000, which is not the one of the formula", "1000.0"),
    "base_100000": ("the base of the power is 100000, which is not the one of the formula", "100000.0"),
    "base_e": ("the base of the power is e, which is not the one of the formula", "math.e"),
}
AXIS_1 = "the positions are looked for on axis 1; they are on the last axis but one, whatever axes come before"
FROM_AXIS_1 = edit("positions, size = vectors.shape[-2:]", "positions, size = vectors.shape[1], vectors.shape[-1]")
OF_ANGLES = {
    "one_speed": ("every pair turns at the same speed", "indices.unsqueeze(-1).expand(-1, size // 2)"),
    "too_fast": ("the angles are those of the exponent −i/d, or of the base 100, neither of which is in the formula",
                 ANGLES.replace("0, size, 2", "size // 2")),
    "too_slow": ("the angles are those of the exponent −4i/d; the formula has another one",
                 ANGLES.replace("-torch", "-2 * torch")),
    "rising": ("later pairs turn faster; they should turn more slowly", ANGLES.replace("-torch", "torch")),
    "features": ("the places are counted from the last position to the first", f"indices.flip(0){ANGLES[7:]}"),
}
OF_TURNED = {
    "other_way": ("the pairs are turned the other way", TURNED.replace("angles.sin()", "-angles.sin()")),
    "not_orthogonal": ("a minus sign is missing: the pair changes its length, which a rotation does not",
                       TURNED.replace(" - ", " + ")),
    "added": ("waves are added to the vectors; the vectors should be rotated",
              "even + angles.sin(), odd + angles.cos()"),
}

GROWN = "torch.cat([cache[0], keys], dim=1), torch.cat([cache[1], values], dim=1)"
WINDOWED = "keys[:, -self.window:], values[:, -self.window:]"
WEIGHTS = "torch.softmax(query @ keys.mT / math.sqrt(keys.size(-1)), dim=-1)"
NEWEST = "keys[:, -1:], values[:, -1:]"
SINK = "torch.cat([{0}[:, :1], {0}[:, 1:][:, 1 - self.window :]], dim=1)"
OF_GROWN = {
    "prepended": ("the new word is put before the others; it should come after them",
                  "torch.cat([keys, cache[0]], dim=1), torch.cat([values, cache[1]], dim=1)"),
    "last_twice": ("the last word is kept twice", GROWN.replace("[0]", "[0], keys").replace("[1]", "[1], values")),
    "forgotten": ("the words before are forgotten: only the new one is kept", "keys, values"),
    "keys_as_values": ("keys are kept where the values should be", GROWN.replace("[1], values", "[0], keys")),
    "old_alone": ("the new word is left out: it is neither seen nor kept", "cache[0], cache[1]"),
}
OF_WINDOWED = {
    "no_window": ("no word is ever dropped; at most `window` words should be kept", "keys, values"),
    "first_words": ("the oldest words are kept and newer ones dropped; the oldest should go",
                    "keys[:, :self.window], values[:, :self.window]"),
    "newest_before": ("of the words before, the newest are dropped; the oldest should go", "{}, {}".format(*(
        f"torch.cat([{kept}[:, :-1][:, :self.window - 1], {kept}[:, -1:]], dim=1)" for kept in ("keys", "values")))),
    "one_more": ("one word too many is kept: the new word counts towards the window too",
                 WINDOWED.replace("window", "window - 1")),
    "emptied": ("the cache is emptied when it is full",
                f"(({WINDOWED}) if keys.size(1) <= self.window else ({NEWEST}))"),
}
ITSELF = "the new word does not see itself"
LOOKS = edit("keys.mT", "seen_keys.mT"), edit("weights @ values", "weights @ seen_values")
OF_SIGHT = {
    "not_itself": (f"{ITSELF}: it should look at its own key and value too",
                   "seen_keys, seen_values = keys[:, :-1], values[:, :-1]"),
    "not_itself_but_first": (
        f"{ITSELF}, unless it is the first: it should look at its own key and value too",
        "one = max(1, keys.size(1) - 1)\nseen_keys, seen_values = keys[:, :one], values[:, :one]"),
    "cache_alone": (f"{ITSELF}: it looks at the cache that came in, to which its own key and value have yet to be "
                    "added",
                    "seen_keys, seen_values = cache or (keys, values)"),
}
OF_LOOK = {
    "not_scaled": ("the scores are not divided by the root of the size", "torch.softmax(query @ keys.mT, dim=-1)"),
    "no_softmax": ("these are scores: the softmax is missing", "query @ keys.mT / math.sqrt(keys.size(-1))"),
    "root_of_words": ("the scores are divided by the root of the number of words; it should be that of the keys' size",
                      WEIGHTS.replace("keys.size(-1)", "keys.size(1)")),
    "root_of_values": ("the scores are divided by the root of the values' size; it should be that of the keys' size",
                       WEIGHTS.replace("keys.size", "values.size")),
    "sigmoid": ("a sigmoid weighs each word by itself; the words should share a 1",
                WEIGHTS.replace("softmax", "sigmoid").replace(", dim=-1", "")),
}
CUT_WHEN_READ = (
    edit(f"keys, values = {WINDOWED}", f"whole = (keys, values)\nkeys, values = {WINDOWED}"),
    edit("({c}).squeeze(1), (keys, values)", "({c}).squeeze(1), whole"),
)
OBJECT_CACHE = """
if getattr(self, "own", None) is None or cache is None:
    self.own = (self.key_layer(word).unsqueeze(1)[:, :0], self.value_layer(word).unsqueeze(1)[:, :0])
cache = self.own
keys = torch.cat([cache[0], self.key_layer(word).unsqueeze(1)], dim=1)[:, -self.window:]
values = torch.cat([cache[1], self.value_layer(word).unsqueeze(1)], dim=1)[:, -self.window:]
self.own = (keys, values)
query = self.query_layer(word).unsqueeze(1)
weights = torch.softmax(query @ keys.mT / math.sqrt(keys.size(-1)), dim=-1)
return (weights @ values).squeeze(1), (keys, values)
"""

check = Checker(
    __name__,
    {
        "seen_by_last": Task(
            seen_by_last,
            "who is seen by the last positions: real keys that are not to come, for each sentence of a batch",
            [
                visible(), visible("all positions ask", lengths=[4, 3, 1], queries=4),
                visible("no causal mask", queries=None),
                hidden("the last position alone", lengths=[6, 2, 4], queries=1),
                hidden("a batch of one sentence", lengths=[6], queries=2),
                hidden("sentences of one word", lengths=[1, 1, 1], queries=1), hidden("padding in front", left=True),
                hidden("no position asks", queries=0),
                hidden("more queries than keys", lengths=[3, 2], queries=4, raises="ValueError"),
                hidden("other sizes", lengths=[5, 9, 3, 1], queries=9),
            ], real_tokens, {"lengths": [5, 3, 4, 1], "queries": 3, "left": False}, {"visible": "batch queries keys"},
            gradients=False,
            mistakes=[
                *each(TRIANGLE, OF_TRIANGLE), *each(CORNER, OF_BOTH), *each(NONE, OF_NONE),
                mistake("zero_is_none", "`not queries` is true of 0 too: ask whether it is None",
                        edit("queries is None", "not queries"), caught="hidden"),
                mistake("minus_zero", "for 0 queries a slice from −0 takes all rows; it should take none",
                        edit(TRIANGLE, "torch.ones(keys, keys, dtype=torch.bool).tril()[-queries:]"), caught="hidden"),
                mistake("no_error", "there are more queries than keys, which should be refused with an error",
                        edit("queries > keys", "False"), caught="hidden"),
            ],
            variants=[
                variant("window", edit(TRIANGLE, f"{TRIANGLE}.triu(keys - queries - 2)"),
                        text={r"[\, j \le i \,]": r"[\, i - 2 \le j \le i \,]"}),
                variant("prefix", edit(TRIANGLE, f"({TRIANGLE} | (ones.cumsum(1) <= 2))"),
                        text={r"[\, j \le i \,]": r"[\, j \le i \;\vee\; j \le 2 \,]"}),
            ],
        ),
        "self_attention": Task(
            SelfAttention,
            "self-attention: each position weighs those it may see, and no other; all three of one sequence, gradients",
            [
                visible(input_size=4, attention_size=4, value_size=4), visible(causal=False),
                hidden("other sizes", lengths=[8, 1, 6, 3], input_size=5, attention_size=2, value_size=9),
                hidden("a batch of one sentence", lengths=[6]), hidden("sentences of one word", lengths=[1, 1]),
                hidden("a query that may see nothing", lengths=[4, 0, 2], gradients=True),
                hidden("one mask (queries, keys) for all sentences", lengths=[4, 4, 4], mask="shared"),
                hidden("one mask for all, as many sentences as words", lengths=[4, 4, 4, 4], mask="shared"),
                hidden("one row for all queries", causal=False, mask="row"),
                hidden("queries that see nothing beside others that do", mask="left"),
                hidden("large scores", scale=200.0, lengths=[5, 3, 2, *[1] * 9], dtype=torch.float64),
                hidden("float64", lengths=[4, 3], dtype=torch.float64),
            ], sequences,
            {"lengths": [5, 3, 2], "input_size": 3, "attention_size": 6, "value_size": 7, "causal": True},
            {"contexts": "batch length value_size", "weights": "batch queries keys"}, answers=("forward",),
            mistakes=[
                *each(SCORES, OF_SCORES), *each("masked_softmax(scores, visible)", OF_WEIGHTS), *each(SUM, OF_SUM),
                mistake("order", ORDER, result("({x})[::-1]")),
                mistake("infinity", EMPTY, edit("masked_softmax(scores, visible)", INFINITE), caught="hidden"),
                mistake("overflow", "exp overflows: only differences of scores matter",
                        edit("masked_softmax(scores, visible)", EXP), caught="hidden"),
                mistake("uniform", UNIFORM,
                        edit("masked_softmax(scores, visible)", f"scores.masked_fill(~visible, {LOWEST}).softmax(-1)"),
                        caught="hidden"),
                mistake("uniform_rows", UNIFORM_ROW, edit("masked_softmax(scores, visible)", UNIFORM_ROWS),
                        caught="hidden"),
                mistake("first_mask", "every sentence gets the mask of sentence 0",
                        start("visible = visible[:1].expand_as(visible)")),
                mistake("scores_returned", "these are the scores; the weights are what the softmax makes of them",
                        edit("return {a}, weights", "return {a}, scores")),
            ],
            variants=[
                variant(
                    "distance",
                    edit(
                        SCORES,
                        "-(queries.unsqueeze(2) - keys.unsqueeze(1)).square().sum(-1) / math.sqrt(keys.size(-1))",
                    ),
                    text={r"\frac{q_i^\top k_j}{\sqrt d}": r"\frac{-\lVert q_i - k_j \rVert^2}{\sqrt d}"},
                ),
                variant("contrast", edit(SUM, f"{VALUES} - {SUM}"),
                        text={r"c_i = \sum_j \alpha_{ij} v_j": r"c_i = v_i - \sum_j \alpha_{ij} v_j"}),
            ],
        ),
        "multi_head_attention": Task(
            MultiHeadAttention,
            "multi-head attention: every head weighs by its own features; joined, and through the output layer",
            [
                visible(), visible(positions=5, causal=True),
                hidden("other sizes", lengths=[7, 4, 1], positions=3, size=10, heads=2),
                hidden("one head", lengths=[5, 2], size=6, heads=1),
                hidden("heads of one feature", lengths=[5, 2], positions=3, size=4, heads=4),
                hidden("a batch of one sentence", lengths=[6], size=8, heads=4),
                hidden("sentences of one key", lengths=[1, 1], positions=3, size=8, heads=4),
                hidden("one query", lengths=[4, 2], positions=1, size=8, heads=4),
                hidden("a sentence without a real token", lengths=[4, 0], positions=3, size=8, heads=2, gradients=True),
                hidden("one mask (queries, keys) for all sentences", lengths=[4, 4], causal=True, mask="shared"),
                hidden("one row for all queries", mask="row"),
                hidden("queries that see nothing beside others that do", causal=True, mask="left"),
                hidden("large scores", scale=1e5, dtype=torch.float64),
                hidden("float64", lengths=[4, 2], positions=3, dtype=torch.float64),
            ], projected, {"lengths": [5, 3], "positions": 4, "size": 12, "heads": 3, "causal": False},
            {"contexts": "batch queries size", "weights": "batch heads queries keys"}, attended, answers=("attend",),
            uses=(split_heads, join_heads),
            mistakes=[
                *each(HEADS, OF_HEADS), *each(MASKED, OF_HEAD_WEIGHTS), *each(PARTS, OF_PARTS), *each(OUT, OF_OUT),
                *each(CUT, OF_CUT), *each(JOINED, OF_JOINED), *each("self.output_layer(contexts), weights", OF_PAIR),
                mistake("dealt_and_collected",
                        "with H heads a head gets every H-th feature; it should get features that stand side by side",
                        edit(CUT, OF_CUT["dealt"][1]), edit(JOINED, OF_JOINED["by_feature"][1])),
                mistake("reshaped_and_back",
                        "heads are split and joined by reshaping alone: a head gets all features of some positions, "
                        "not some features of every position",
                        edit(CUT, OF_CUT["reshaped"][1]), edit(JOINED, OF_JOINED["joined_raw"][1])),
                mistake("one_head", "the features are not split into heads: all of them are used as one head",
                        body(SINGLE_HEAD, of="attend")),
                mistake("infinity", EMPTY, edit(MASKED, INFINITE.replace("visible", ANY_HEAD)), caught="hidden"),
                mistake("uniform", UNIFORM, edit(MASKED, f"{HIDDEN}.softmax(-1)"), caught="hidden"),
                mistake("uniform_rows", UNIFORM_ROW, edit(MASKED, f"{HIDDEN}.softmax(-1) * {ANY_VISIBLE}"),
                        caught="hidden"),
            ],
        ),
        "rotate": Task(
            rotate,
            "rotations: each pair of features is turned by its own angle, the more the later it stands; with gradients",
            [
                visible(), visible("from another place on", first=3), hidden("heads", heads=2),
                hidden("one position", positions=1, first=7),
                hidden("two features, far on", size=2, first=100_000, dtype=torch.float64),
                hidden("vectors (positions, size)", batch=0, dtype=torch.float64),
                hidden("float64, far on", first=500, dtype=torch.float64),
                hidden("an odd number of features", size=5, raises="ValueError"),
                hidden("from elsewhere on", heads=2, first=9),
                hidden("other sizes", batch=1, positions=8, size=10, first=2),
            ], standing, {"batch": 3, "heads": 0, "positions": 5, "size": 6, "first": 0},
            {"turned": "positions size | batch positions size | batch heads positions size"},
            mistakes=[
                *each("10000.0", OF_BASE), *each(ANGLES, OF_ANGLES), *each(TURNED, OF_TURNED),
                *each("first + {x}", OF_FIRST),
                mistake("first_to_angle", "`first` is added to the angles; it should be added to the places, before "
                                          "they are multiplied by the speeds",
                        edit("first + {x}", "{x}"), edit(ANGLES, f"{ANGLES} + first")),
                mistake("one_after_other", "the second number of a pair is computed from the rotated first number; it "
                                           "should be computed from the first as it came",
                        edit(f"turned = {TURNED}", "even = {}\nturned = even, {}".format(*TURNED.split(", ")))),
                mistake("halves", "features of the first half are paired with those of the second; a pair should be "
                                  "two neighbours", *HALVED),
                mistake("wrong_pairs", "features of the first half are paired with those of the second, and then put "
                                       "back as neighbours", HALVED[0]),
                mistake("not_woven", "the rotated numbers are not put back where they came from: the first numbers of "
                                     "all pairs stand in front", HALVED[1]),
                mistake("axis_1", AXIS_1, FROM_AXIS_1, caught="hidden"),
                mistake("along_axis_1", AXIS_1, FROM_AXIS_1,
                        edit(ANGLES, f"({ANGLES}).reshape(positions, *[1] * (vectors.dim() - 3), size // 2)"),
                        caught="hidden"),
                mistake("three_axes", "the vectors are taken to have three axes; they may have fewer or more",
                        edit("positions, size = vectors.shape[-2:]", "batch, positions, size = vectors.shape"),
                        caught="hidden"),
                mistake("odd_kept", "an odd number of features should be refused with an error",
                        edit("size % 2", "False"), caught="hidden"),
                mistake("float32", "the angles are computed in float32, whatever the dtype of the vectors",
                        edit("vectors.dtype", "torch.float32"), caught="hidden"),
            ],
            variants=[
                variant(
                    "halves", *HALVED,
                    text={r"x'_{2i} \\ x'_{2i+1}": r"x'_i \\ x'_{i+d/2}", r"x_{2i} \\ x_{2i+1}": r"x_i \\ x_{i+d/2}"},
                ),
                variant("base", edit("10000.0", "500.0"), text={"10000^{-2i/d}": "500^{-2i/d}"}),
            ],
        ),
        "cached_attention": Task(
            CachedAttention,
            "a cache: contexts word by word, at most a window of keys and values, and a cache that can be used again",
            [
                visible(), visible(input_size=4, attention_size=4, value_size=4, window=8),
                hidden("other sizes", batch=2, length=9, input_size=7, attention_size=3, value_size=6, window=5),
                hidden("a batch of one sentence", batch=1), hidden("a window of two words", window=2),
                hidden("a sentence of one word", length=1), hidden("large scores", scale=40.0, dtype=torch.float64),
                hidden("float64", dtype=torch.float64),
            ], sentence, {"batch": 2, "length": 7, "input_size": 5, "attention_size": 6, "value_size": 3, "window": 4},
            {
                "contexts": "batch length value_size",
                "the keys kept": "batch words attention_size",
                "the values kept": "batch words value_size",
                "the contexts of another next word": "batch length value_size",
            },
            word_by_word, answers=("step",),
            mistakes=[
                *each(GROWN, OF_GROWN), *each(WINDOWED, OF_WINDOWED), *each(WEIGHTS, OF_LOOK),
                *(mistake(id, why, edit("query = {q}", f"{sight}\nquery = {{q}}"), *LOOKS)
                  for id, (why, sight) in OF_SIGHT.items()),
                mistake("own_memory", "the words are kept on `self`, and the cache that is handed in is not used",
                        body(OBJECT_CACHE, of="step")),
                mistake("cut_after_look", "the oldest word is dropped only after the context is computed, so the new "
                                          "word sees one word too many",
                        edit(f"keys, values = {WINDOWED}", "pass"),
                        edit("({c}).squeeze(1), (keys, values)", f"({{c}}).squeeze(1), ({WINDOWED})")),
                mistake("cut_when_read", "the context uses only the words of the window, but the cache returned still "
                                         "keeps all of them", *CUT_WHEN_READ),
            ],
            variants=[
                variant(
                    "sink", edit(WINDOWED, f"{SINK.format('keys')}, {SINK.format('values')}"),
                    text={"the oldest word is dropped": "the very first word stays, the oldest other is dropped"},
                ),
                variant(
                    "distance",
                    edit(WEIGHTS, WEIGHTS.replace("query @ keys.mT", "-(query - keys).square().sum(-1).unsqueeze(1)")),
                    text={r"\frac{q K^\top}{\sqrt d}": r"\frac{-\lVert q - K \rVert^2}{\sqrt d}"},
                ),
            ],
        ),
    },
)
