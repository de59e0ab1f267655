"""Answers to the entropy of the weights."""

TASK = "entropy"

SAFE = "weights.clamp_min(torch.finfo(weights.dtype).tiny).log()"


def entropy(expression: str, *before: str) -> str:
    lines = "".join(f"    {line}\n" for line in before)
    return f"def entropy(weights: Tensor) -> Tensor:\n{lines}    return {expression}\n"


def near(number: str) -> str:
    return entropy(f"-(weights * {number}.log()).sum(-1)")


WRONG = [
    ("repaired by where", "repaired_late", entropy("-torch.where(weights > 0, weights * weights.log(), 0.0).sum(-1)")),
    ("special.entr", "repaired_late", entropy("torch.special.entr(weights).sum(-1)")),
    ("detached factor", "gradient", entropy(f"-(weights.detach() * {SAFE}).sum(-1)")),
    ("detached", "no_gradient", entropy(f"-(weights * {SAFE}).sum(-1).detach()")),
    (
        "in place",
        "changed_in_place",
        entropy("-(weights * weights.log()).sum(-1)", "weights = weights.masked_fill_(weights == 0, 1.0)"),
    ),
    ("the axis kept", "axis_kept", entropy(f"-(weights * {SAFE}).sum(-1, keepdim=True)")),
    ("too large a number", "values", near("(weights + 0.01)")),
    (
        "zeros left out of the batch",
        "values | shape | not_finite",
        entropy("-(weights * weights.log()).sum(-1)[(weights > 0).all(-1)]"),
    ),
]

RIGHT = [
    ("clamp", entropy(f"-(weights * {SAFE}).sum(dim=-1)")),
    ("a small constant", near("weights.clamp(min=1e-30)")),
    ("1e-9 added", near("(weights + 1e-9)")),
    ("1e-12 added", near("(weights + 1e-12)")),
    ("clamped at 1e-12", near("weights.clamp(1e-12)")),
    (
        "where, before the logarithm",
        entropy(
            "-(weights * safe.log()).sum(-1)", "safe = torch.where(weights > 0, weights, torch.ones_like(weights))"
        ),
    ),
    ("masked_fill", near("weights.masked_fill(weights == 0, 1.0)")),
    ("xlogy of the clamped", entropy("-torch.einsum('...k,...k->...', weights, (weights + 1e-37).log())")),
]
