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
    ("detached factor", "gradient", entropy(f"-(weights.detach() * {SAFE}).sum(-1)")),
    ("small weights raised", "hidden: values", near("weights.clamp_min(1e-4)")),
    ("the axis kept", "axis_kept", entropy(f"-(weights * {SAFE}).sum(-1, keepdim=True)")),
]

RIGHT = [
    ("clamp", entropy(f"-(weights * {SAFE}).sum(dim=-1)")), ("a small constant", near("weights.clamp(min=1e-30)")),
    ("1e-9 added", near("(weights + 1e-9)")),
]
