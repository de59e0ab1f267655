"""Answers to one look at a memory."""

TASK, CHECKS, PARTS = "hop", "hop", ("hop",)

SCORES = "scores = (keys @ query.unsqueeze(-1)).squeeze(-1)"


def look(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def hop(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:\n{body}"


WRONG = [
    ("keys fetched", "visible", "the keys are summed", look(SCORES, "return attend(scores, keys, mask)")),
    (
        "values compared",
        "visible",
        "the query is compared with the values",
        look("scores = (values @ query.unsqueeze(-1)).squeeze(-1)", "return attend(scores, values, mask)"),
    ),
    (
        "roles swapped",
        "visible",
        "the query is compared with the values",
        look("scores = (values @ query.unsqueeze(-1)).squeeze(-1)", "return attend(scores, keys, mask)"),
    ),
    (
        "scaled",
        "visible",
        "divided by the root of the size",
        look(SCORES, "return attend(scores / query.size(-1) ** 0.5, values, mask)"),
    ),
    (
        "query added",
        "visible",
        "the query is added already",
        look(SCORES, "output, weights = attend(scores, values, mask)", "return query + output, weights"),
    ),
    (
        "no mask",
        "visible",
        "the mask is not used",
        look(SCORES, "weights = scores.softmax(-1)", "return weighted_sum(weights, values), weights"),
    ),
    (
        "polarity",
        "visible",
        "the mask is turned round",
        look(SCORES, "return attend(scores, values, ~mask)"),
    ),
    (
        "no softmax",
        "visible",
        "the softmax is missing",
        look(SCORES, "scores = scores * mask", "return weighted_sum(scores, values), scores"),
    ),
    (
        "tanh",
        "visible",
        "a tanh around the scores",
        look(SCORES, "return attend(scores.tanh(), values, mask)"),
    ),
    (
        "cosine",
        "visible",
        "this is the cosine",
        look("scores = F.cosine_similarity(query[:, None], keys, dim=-1)", "return attend(scores, values, mask)"),
    ),
    (
        "order",
        "visible",
        "the order is the other way",
        look(SCORES, "output, weights = attend(scores, values, mask)", "return weights, output"),
    ),
    (
        "output alone",
        "visible",
        ("one tensor", "the caller needs both"),
        look(SCORES, "return attend(scores, values, mask)[0]"),
    ),
    (
        "best sentence",
        "visible",
        "the value of the best sentence alone",
        look(
            SCORES,
            "_, weights = attend(scores, values, mask)",
            "return values[torch.arange(len(values)), weights.argmax(-1)], weights",
        ),
    ),
    (
        "axis left",
        "visible",
        ("raised", "at your line"),
        look("scores = keys @ query.unsqueeze(-1)", "return attend(scores, values, mask)"),
    ),
    (
        "bare squeeze",
        "hidden",
        "hop",
        look("scores = (keys @ query.unsqueeze(-1)).squeeze()", "return attend(scores, values, mask)"),
    ),
    (
        "exponentials without care",
        "hidden",
        ("large scores", "exp overflows"),
        look(
            SCORES,
            "raw = scores.exp() * mask",
            "weights = raw / raw.sum(-1, keepdim=True).clamp(min=1e-9)",
            "return weighted_sum(weights, values), weights",
        ),
    ),
]

RIGHT = [
    ("composed", look(SCORES, "return attend(scores, values, mask)")),
    (
        "einsum",
        look(
            "weights = masked_softmax(torch.einsum('bd,bsd->bs', query, keys), mask)",
            "return torch.einsum('bs,bsd->bd', weights, values), weights",
        ),
    ),
    (
        "product and sum",
        look(
            "scores = (query[:, None, :] * keys).sum(-1)",
            "weights = torch.softmax(scores.masked_fill(~mask, -1e30), -1) * mask",
            "return torch.bmm(weights[:, None], values)[:, 0], weights",
        ),
    ),
    (
        "loop",
        look(
            "scores = torch.stack([(query * key).sum(-1) for key in keys.unbind(1)], dim=1)",
            "weights = masked_softmax(scores, mask)",
            "return weighted_sum(weights, values), weights",
        ),
    ),
]
