"""Answers to the permutation of weights."""

TASK = "permute_weights"

MASK = "mask = source_mask.expand_as(weights)"
PLACES = "in_order = torch.arange(weights.size(-1)).masked_fill(~mask, weights.size(-1)).argsort(-1)"
DRAWN = "drawn = draws.masked_fill(~mask, 2.0).argsort(-1)"
PUT = "return torch.zeros_like(weights).scatter(-1, in_order, weights.gather(-1, drawn))"


def permute(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def permute_weights(weights: Tensor, source_mask: Tensor, draws: Tensor) -> Tensor:\n{body}"


LOOP = ("result = torch.zeros_like(weights)", "for row in range(len(weights)):",
        "    places = source_mask[row].nonzero().flatten()",
        "    result[row, places] = weights[row, places[draws[row, places].argsort()]]", "return result")
WRONG = [
    ("product with the draws", "no_distribution", permute("return weights * draws")),
    ("in place", "changed_in_place",
     permute("weights.copy_(weights.clone())", "weights += 0.5", *LOOP[:-1], "return result - 0.5 * source_mask")),
    ("one mask for two axes", "hidden: raised.RuntimeError | raised.IndexError", permute(*LOOP)),
    ("padding drawn as 1", "hidden: no_distribution | padded_sentences",
     permute(MASK, PLACES, DRAWN.replace("2.0).argsort(-1)", "1.0).argsort(dim=-1, stable=True)"), PUT)),
    ("the first sentence's mask", "mask_0", permute("mask = source_mask[:1].expand_as(weights)", PLACES, DRAWN, PUT)),
    ("real where there is weight", "hidden: by_weight", permute("mask = weights > 0", PLACES, DRAWN, PUT)),
]

RIGHT = [
    ("scatter", permute(MASK, PLACES, DRAWN, PUT)),
    ("the other way round",
     permute(MASK, PLACES, DRAWN, "return torch.zeros_like(weights).scatter(-1, drawn, weights.gather(-1, in_order))")),
    ("by rank",
     permute(MASK, "rank = draws.masked_fill(~mask, 2.0).argsort(-1).argsort(-1)", "count = mask.cumsum(-1) - 1",
             "match = (rank.unsqueeze(-2) == count.unsqueeze(-1)) & mask.unsqueeze(-1) & mask.unsqueeze(-2)",
             "return (match.to(weights.dtype) @ weights.unsqueeze(-1)).squeeze(-1)")),
]
