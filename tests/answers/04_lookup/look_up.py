"""Answers to the look-up for a whole target sentence."""

TASK, CHECKS, PARTS = "look_up", "look_up", ("look_up",)

SOFTMAX = "torch.softmax(queries @ keys.transpose(1, 2), dim=-1)"


def look_up(weights: str = SOFTMAX, end: str = "weights @ values, weights", before: str = "") -> str:
    first = f"    {before}\n" if before else ""
    head = "def look_up(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:\n"
    return f"{head}{first}    weights = {weights}\n    return {end}\n"


WRONG = [
    (
        "over the target words",
        "visible",
        "the softmax runs over the target words",
        look_up("torch.softmax(queries @ keys.mT, dim=1)"),
    ),
    (
        "over the batch",
        "visible",
        "the softmax runs over the batch",
        look_up("torch.softmax(queries @ keys.mT, dim=0)"),
    ),
    (
        "over the table",
        "visible",
        "the softmax runs over the whole table",
        look_up("torch.softmax((queries @ keys.mT).flatten(1), -1).view(len(keys), queries.size(1), keys.size(1))"),
    ),
    ("no softmax", "visible", "the softmax is missing", look_up("queries @ keys.mT")),
    (
        "keys not transposed",
        "visible",
        "keys are not transposed",
        look_up("torch.softmax(queries @ keys, dim=-1)"),
    ),
    (
        "keys on both sides",
        "visible",
        "queries and keys are exchanged",
        look_up("torch.softmax(keys @ queries.mT, dim=-1)"),
    ),
    (
        "scaled",
        "visible",
        "scaled by the root of the size",
        look_up("torch.softmax(queries @ keys.mT / math.sqrt(keys.size(-1)), dim=-1)"),
    ),
    ("contexts first", "visible", "the pair (weights, contexts)", look_up(end="weights, weights @ values")),
    ("contexts alone", "visible", ("one tensor", "(contexts, weights)"), look_up(end="weights @ values")),
    (
        "table turned in the sum",
        "visible",
        "the table is transposed before the sum",
        look_up(end="weights.mT @ values, weights"),
    ),
    (
        "summed with scores",
        "visible",
        "summed with the scores",
        look_up(end="(queries @ keys.mT) @ values, weights"),
    ),
    (
        "averaged",
        "visible",
        "the values are averaged",
        look_up(end="values.mean(1, keepdim=True).expand(-1, queries.size(1), -1), weights"),
    ),
    (
        "first query only",
        "visible",
        "every target word has the weights of the first",
        look_up("torch.softmax(queries[:, :1] @ keys.mT, dim=-1).expand(-1, queries.size(1), -1)"),
    ),
    (
        "hard",
        "visible",
        "the value of the largest weight alone",
        look_up(end="torch.stack([v[w.argmax(-1)] for v, w in zip(values, weights)]), weights"),
    ),
    (
        "batch turned too",
        "visible",
        ("raised RuntimeError", "at your line"),
        look_up("queries @ keys.permute(2, 1, 0)"),
    ),
    (
        "exp by hand",
        "hidden",
        ("large scores", "exp overflows"),
        look_up("(queries @ keys.mT).exp() / (queries @ keys.mT).exp().sum(-1, keepdim=True)"),
    ),
    (
        "bare squeeze",
        "hidden",
        "a bare `.squeeze()`",
        look_up("torch.softmax((queries @ keys.mT).squeeze(), dim=-1)", "(weights @ values), weights"),
    ),
    ("detached weights", "visible", "no gradient reaches queries", look_up(end="weights.detach() @ values, weights")),
    (
        "in place",
        "visible",
        "changed in place",
        look_up(before="queries.mul_(1.0 + 1e-3)", weights="torch.softmax(queries @ keys.mT / 1.001, dim=-1)"),
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
]
