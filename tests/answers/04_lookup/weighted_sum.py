"""Answers to the weighted sum for the whole batch at once."""

TASK = "weighted_sum"


def one(expression: str) -> str:
    return f"def weighted_sum(weights: Tensor, values: Tensor) -> Tensor:\n    return {expression}\n"


PRODUCT = "(weights.unsqueeze(1) @ values).squeeze(1)"

WRONG = [
    ("weighted average", "divided", one("(weights.unsqueeze(-1) * values).mean(1)")),
    ("left axis", "axis_left", one("torch.bmm(weights.unsqueeze(1), values)")),
    ("detached", "no_gradient", one("(weights.detach().unsqueeze(1) @ values).squeeze(1)")),
    ("data", "no_gradient", one("(weights.data.unsqueeze(1) @ values.data).squeeze(1)")),
    ("shapes do not fit", "raised.RuntimeError", one("values @ weights")),
    ("a NumPy array", "no_gradient | not_a_tensor | raised.RuntimeError", one(f"{PRODUCT}.detach().numpy()")),
    ("not finite", "not_finite", one(f"{PRODUCT} * float('nan')")),
]

RIGHT = [
    ("bmm", one("torch.bmm(weights.unsqueeze(1), values).squeeze(1)")),
    ("einsum", one("torch.einsum('bk,bkd->bd', weights, values)")),
    ("broadcast", one("(weights[:, :, None] * values).sum(1)")),
    ("transposed product", one("(values.mT @ weights.unsqueeze(-1)).squeeze(-1)")),
    ("loop over sentences", one("torch.stack([row @ table for row, table in zip(weights, values)])")),
]
