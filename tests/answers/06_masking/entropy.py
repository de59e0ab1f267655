"""Answers to the entropy of the weights."""

TASK, CHECKS, PARTS = "entropy", "entropy", ("entropy",)

SAFE = "weights.clamp_min(torch.finfo(weights.dtype).tiny).log()"


def entropy(expression: str, *before: str) -> str:
    lines = "".join(f"    {line}\n" for line in before)
    return f"def entropy(weights: Tensor) -> Tensor:\n{lines}    return {expression}\n"


WRONG = [
    ("no clamp", "visible", ("NaN", "0 · ln 0 counts as 0"), entropy("-(weights * weights.log()).sum(-1)")),
    (
        "repaired by nan_to_num",
        "visible",
        ("gradient", "keep 0 away from the logarithm"),
        entropy("-(weights * weights.log()).nan_to_num(0.0).sum(-1)"),
    ),
    (
        "repaired by where",
        "visible",
        ("gradient", "keep 0 away from the logarithm"),
        entropy("-torch.where(weights > 0, weights * weights.log(), 0.0).sum(-1)"),
    ),
    ("special.entr", "visible", ("gradient", "infinity"), entropy("torch.special.entr(weights).sum(-1)")),
    ("sign", "visible", "the sign is missing", entropy(f"(weights * {SAFE}).sum(-1)")),
    ("base 2", "visible", "to the base 2", entropy("-(weights * weights.clamp_min(1e-30).log2()).sum(-1)")),
    ("base 10", "visible", "to the base 10", entropy("-(weights * weights.clamp_min(1e-30).log10()).sum(-1)")),
    ("averaged", "visible", "averaged over the keys", entropy(f"-(weights * {SAFE}).mean(-1)")),
    ("no weights", "visible", "without their weights", entropy(f"-{SAFE}.sum(-1)")),
    ("one number", "visible", "one number for the whole batch", entropy(f"-(weights * {SAFE}).sum()")),
    ("not summed", "visible", "add them up over the keys", entropy(f"-weights * {SAFE}")),
    ("over the batch", "visible", "the sum ran over the batch", entropy(f"-(weights * {SAFE}).sum(0)")),
    ("over the queries", "hidden", "shape", entropy(f"-(weights * {SAFE}).sum(1)")),
    ("axis kept", "visible", "the axis of the keys is summed", entropy(f"-(weights * {SAFE}).sum(-1, keepdim=True)")),
    ("perplexity", "visible", "its exponential", entropy(f"(-(weights * {SAFE}).sum(-1)).exp()")),
    (
        "coarse clamp",
        "visible",
        "expected",
        entropy("-(weights.clamp_min(0.01) * weights.clamp_min(0.01).log()).sum(-1)"),
    ),
    ("detached factor", "visible", "the way to them is not", entropy(f"-(weights.detach() * {SAFE}).sum(-1)")),
    ("detached", "visible", "cut off from autograd", entropy(f"-(weights * {SAFE}).sum(-1).detach()")),
    (
        "in place",
        "visible",
        "changed in place",
        entropy("-(weights * weights.log()).sum(-1)", "if not weights.requires_grad:", "    weights.clamp_min_(1e-30)"),
    ),
]

RIGHT = [
    ("clamp", entropy(f"-(weights * {SAFE}).sum(dim=-1)")),
    ("a small constant", entropy("-(weights * weights.clamp(min=1e-30).log()).sum(-1)")),
    (
        "where, before the logarithm",
        entropy(
            "-(weights * safe.log()).sum(-1)", "safe = torch.where(weights > 0, weights, torch.ones_like(weights))"
        ),
    ),
    ("masked_fill", entropy("-(weights * weights.masked_fill(weights == 0, 1.0).log()).sum(-1)")),
    ("xlogy of the clamped", entropy("-torch.einsum('...k,...k->...', weights, (weights + 1e-37).log())")),
]
