"""Answers to the permutation of weights."""

TASK, CHECKS, PARTS = "permute_weights", "permutation", ("permute_weights",)

MASK = "mask = source_mask.expand_as(weights)"
PLACES = "places = torch.arange(weights.size(-1)).expand_as(weights)"
IN_ORDER = "in_order = places.masked_fill(~mask, weights.size(-1)).argsort(-1)"
DRAWN = "drawn = draws.masked_fill(~mask, 2.0).argsort(-1)"
PUT = "return torch.zeros_like(weights).scatter(-1, in_order, weights.gather(-1, drawn))"


def permute(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def permute_weights(weights: Tensor, source_mask: Tensor, draws: Tensor) -> Tensor:\n{body}"


LOOP = (
    "result = torch.zeros_like(weights)",
    "for row in range(len(weights)):",
    "    places = source_mask[row].nonzero().flatten()",
    "    result[row, places] = weights[row, places[draws[row, places].argsort()]]",
    "return result",
)

WRONG = [
    ("unchanged", "visible", "they stand where they stood", permute("return weights.clone()")),
    (
        "no mask",
        "visible",
        "the draws of padding are sorted among those of the real tokens",
        permute("return weights.gather(-1, draws.argsort(-1))"),
    ),
    (
        "masked afterwards",
        "visible",
        "weights that move onto padding are lost",
        permute("return weights.gather(-1, draws.argsort(-1)) * source_mask"),
    ),
    (
        "order of sentence 0",
        "visible",
        "every sentence has the order of sentence 0",
        permute("draws = draws[:1].expand_as(draws)", MASK, PLACES, IN_ORDER, DRAWN, PUT),
    ),
    (
        "sorted by size",
        "visible",
        "sorted by their own size",
        permute("return weights.sort(-1, descending=True).values"),
    ),
    (
        "draws as weights",
        "visible",
        "the draws become the weights",
        permute("raw = draws * source_mask", "return raw / raw.sum(-1, keepdim=True)"),
    ),
    (
        "product with the draws",
        "visible",
        "the sum it had",
        permute("return weights * draws"),
    ),
    (
        "drawn with repetition",
        "visible",
        ("permuted weights",),
        permute(
            "count = source_mask.sum(-1, keepdim=True)",
            "return weights.gather(-1, (draws * count).long().clamp(max=weights.size(-1) - 1)) * source_mask",
        ),
    ),
    (
        "uniform",
        "visible",
        "every token gets the same weight",
        permute("return source_mask / source_mask.sum(-1, keepdim=True).to(weights.dtype)"),
    ),
    (
        "polarity",
        "visible",
        ("they stand where they stood", "is it the real tokens"),
        permute(
            "mask = ~source_mask",
            PLACES,
            IN_ORDER,
            DRAWN,
            PUT,
        ),
    ),
    (
        "in place",
        "visible",
        ("weights", "changed in place"),
        permute(*(line.replace("result[", "weights[") for line in LOOP[1:-1]), "return weights"),
    ),
    (
        "padding first",
        "visible",
        "padding gets weight",
        permute(MASK, "return weights.gather(-1, draws.masked_fill(~mask, -1.0).argsort(-1))"),
    ),
    (
        "other random numbers",
        "visible",
        "not in the order of its draws",
        permute(
            "torch.manual_seed(5)",
            "draws = torch.rand(draws.shape)",
            MASK,
            PLACES,
            IN_ORDER,
            DRAWN,
            PUT,
        ),
    ),
    (
        "real tokens taken to come first",
        "hidden",
        "padding on the left",
        permute(MASK, DRAWN, "return weights.gather(-1, drawn)"),
    ),
    (
        "one mask for two axes",
        "hidden",
        ("(batch, queries, keys)", "raised"),
        permute(*LOOP),
    ),
    ("nothing returned", "visible", "is the `return` missing?", permute(MASK)),
]

RIGHT = [
    ("scatter", permute(MASK, PLACES, IN_ORDER, DRAWN, PUT)),
    (
        "the other way round",
        permute(
            MASK,
            PLACES,
            IN_ORDER,
            DRAWN,
            "return torch.zeros_like(weights).scatter(-1, drawn, weights.gather(-1, in_order))",
        ),
    ),
    (
        "loop over rows",
        permute(
            "rows, order = weights.reshape(-1, weights.size(-1)), draws.reshape(-1, weights.size(-1))",
            "mask = source_mask.expand_as(weights).reshape(rows.shape)",
            "result = torch.zeros_like(rows)",
            "for row in range(len(rows)):",
            "    places = mask[row].nonzero().flatten()",
            "    result[row, places] = rows[row, places[order[row, places].argsort()]]",
            "return result.view_as(weights)",
        ),
    ),
    (
        "by rank",
        permute(
            MASK,
            "rank = draws.masked_fill(~mask, 2.0).argsort(-1).argsort(-1)",
            "count = mask.cumsum(-1) - 1",
            "match = (rank.unsqueeze(-2) == count.unsqueeze(-1)) & mask.unsqueeze(-1) & mask.unsqueeze(-2)",
            "return (match.to(weights.dtype) @ weights.unsqueeze(-1)).squeeze(-1)",
        ),
    ),
]
