"""Answers to the look-up for a whole target sentence."""

TASK = "look_up"

SOFTMAX = "torch.softmax(queries @ keys.transpose(1, 2), dim=-1)"


def look_up(weights: str = SOFTMAX, end: str = "weights @ values, weights", before: str = "pass") -> str:
    return f"""\
def look_up(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    {before}
    weights = {weights}
    return {end}
"""


WRONG = [
    ("contexts alone", "results", look_up(end="weights @ values")),
    ("batch turned too", "raised.RuntimeError", look_up("queries @ keys.permute(2, 1, 0)")),
    (
        "bare squeeze",
        "hidden: squeezed | raised.IndexError | raised.RuntimeError",
        look_up("torch.softmax((queries @ keys.mT).squeeze(), dim=-1)"),
    ),
    ("detached weights", "no_gradient", look_up(end="weights.detach() @ values, weights")),
    (
        "in place",
        "changed_in_place",
        look_up(before="queries.mul_(1.0 + 1e-3)", weights="torch.softmax(queries @ keys.mT / 1.001, dim=-1)"),
    ),
    (
        "hard, by a loop",
        "context_best",
        look_up(end="torch.stack([v[w.argmax(-1)] for v, w in zip(values, weights)]), weights"),
    ),
    (
        "fused, with its own scale",
        "values",
        look_up(end="F.scaled_dot_product_attention(queries, keys, values), weights"),
    ),
    (
        "float32 inside",
        "hidden: dtype | single_precision",
        look_up("torch.softmax((queries @ keys.mT).float(), -1).to(keys)"),
    ),
]

RIGHT = [
    ("two products", look_up()),
    ("bmm", look_up("torch.bmm(queries, keys.mT).softmax(2)", "torch.bmm(weights, values), weights")),
    (
        "einsum",
        look_up(
            "torch.einsum('bqd,bkd->bqk', queries, keys).softmax(-1)",
            "(torch.einsum('bqk,bkv->bqv', weights, values), weights)",
        ),
    ),
    (
        "a query at a time",
        look_up(
            "torch.stack([torch.softmax((keys @ one[..., None])[..., 0], -1) for one in queries.unbind(1)], 1)",
            "torch.stack([(row.unsqueeze(1) @ values).squeeze(1) for row in weights.unbind(1)], 1), weights",
        ),
    ),
    ("fused", look_up(end="(F.scaled_dot_product_attention(queries, keys, values, scale=1.0), weights)")),
    (
        "logsumexp",
        look_up("(scores - scores.logsumexp(-1, keepdim=True)).exp()", before="scores = queries @ keys.mT"),
    ),
]
