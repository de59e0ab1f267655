"""Answers to the weighted sum for the whole batch at once."""

TASK, CHECKS, PARTS = "weighted_sum", "context", ("weighted_sum",)


def one(expression: str, before: str = "") -> str:
    lines = f"    {before}\n" if before else ""
    return f"def weighted_sum(weights: Tensor, values: Tensor) -> Tensor:\n{lines}    return {expression}\n"


WRONG = [
    ("average", "visible", "plain average of the values", one("values.mean(dim=1)")),
    ("plain sum", "visible", "plain sum of the values", one("values.sum(dim=1)")),
    ("weighted average", "visible", "divided by the number of keys", one("(weights.unsqueeze(-1) * values).mean(1)")),
    (
        "sum over features",
        "visible",
        "the sum ran over the features",
        one("(weights.unsqueeze(-1) * values).sum(-1)"),
    ),
    ("sum over the batch", "visible", "the sum ran over the batch", one("(weights.unsqueeze(-1) * values).sum(0)")),
    ("not summed", "visible", "not summed over the keys yet", one("weights.unsqueeze(-1) * values")),
    (
        "left axis",
        "visible",
        ("shape (2, 1, 3)", "(batch=2, value_size=3)", "axis 1 of size 1"),
        one("torch.bmm(weights.unsqueeze(1), values)"),
    ),
    ("bare squeeze", "hidden", "a bare `.squeeze()`", one("torch.bmm(weights.unsqueeze(1), values).squeeze()")),
    (
        "softmax again",
        "visible",
        "a softmax is applied to the weights",
        one("torch.einsum('bk,bkd->bd', weights.softmax(-1), values)"),
    ),
    (
        "renormalised",
        "visible",
        "taken as they come",
        one("torch.einsum('bk,bkd->bd', weights / weights.sum(-1, keepdim=True), values)"),
    ),
    (
        "hard maximum",
        "visible",
        "the largest weight alone",
        one("values[torch.arange(len(values)), weights.argmax(-1)]"),
    ),
    (
        "reshaped",
        "visible",
        "the values are reshaped",
        one("(values.reshape(len(values), values.size(2), -1) @ weights.unsqueeze(-1)).squeeze(-1)"),
    ),
    (
        "detached",
        "visible",
        ("no gradient reaches weights", "detach"),
        one("(weights.detach().unsqueeze(1) @ values).squeeze(1)"),
    ),
    ("data", "visible", "cut off from autograd", one("(weights.data.unsqueeze(1) @ values.data).squeeze(1)")),
    (
        "every batch with every other",
        "visible",
        "the weights of every sentence meet",
        one("torch.einsum('ak,bkd->abd', weights, values)"),
    ),
    (
        "shapes do not fit",
        "visible",
        ("raised RuntimeError", "at your line `return values @ weights`", "weights (2, 5)"),
        one("values @ weights"),
    ),
    (
        "a NumPy array",
        "visible",
        ("a numpy.ndarray", "expected a tensor"),
        one("(weights.unsqueeze(1) @ values).squeeze(1).detach().numpy()"),
    ),
    ("not finite", "visible", "NaN", one("(weights.unsqueeze(1) @ values).squeeze(1) * float('nan')")),
]

RIGHT = [
    ("bmm", one("torch.bmm(weights.unsqueeze(1), values).squeeze(1)")),
    ("einsum", one("torch.einsum('bk,bkd->bd', weights, values)")),
    ("broadcast", one("(weights[:, :, None] * values).sum(1)")),
    ("transposed product", one("(values.mT @ weights.unsqueeze(-1)).squeeze(-1)")),
    (
        "loop over sentences",
        one("torch.stack([row_weights @ row for row_weights, row in zip(weights, values)])"),
    ),
]
