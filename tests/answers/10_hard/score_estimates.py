"""Answers to the estimates of every draw."""

TASK, CHECKS, PARTS = "score_estimates", "estimator", ("score_estimates",)


def estimates(
    result: str = "reward * slopes",
    slopes: str = "unit - weights.unsqueeze(-2)",
    reward: str = "(log_likelihoods - baseline).unsqueeze(-1)",
    unit: str = "torch.eye(weights.size(-1), dtype=weights.dtype)",
) -> str:
    return f"""\
def score_estimates(weights: Tensor, log_likelihoods: Tensor, baseline: float = 0.0) -> Tensor:
    unit = {unit}
    slopes = {slopes}
    reward = {reward}
    return {result}
"""


WRONG = [
    ("axes exchanged", "visible", "rows and columns are exchanged", estimates("(reward * slopes).mT")),
    (
        "reward of the key",
        "visible",
        "the reward is that of the key",
        estimates(reward="(log_likelihoods - baseline).unsqueeze(-2)"),
    ),
    (
        "weight of the drawn",
        "visible",
        "the weight of the position drawn is subtracted everywhere",
        estimates(slopes="unit - weights.unsqueeze(-1)"),
    ),
    ("no weights", "visible", "a softmax lowers the others", estimates(slopes="unit")),
    ("no identity", "visible", "nothing raises the position", estimates(slopes="-weights.unsqueeze(-2)")),
    ("sign", "visible", "the sign is turned round", estimates(slopes="weights.unsqueeze(-2) - unit")),
    ("no baseline", "visible", "the baseline is not used", estimates(reward="log_likelihoods.unsqueeze(-1)")),
    (
        "baseline added",
        "visible",
        "the baseline is added",
        estimates(reward="(log_likelihoods + baseline).unsqueeze(-1)"),
    ),
    (
        "weighted already",
        "visible",
        "weighted with its probability already",
        estimates("weights.unsqueeze(-1) * reward * slopes"),
    ),
    ("no reward", "visible", "the reward is missing", estimates("slopes")),
    (
        "likelihood",
        "visible",
        "it is its logarithm",
        estimates(reward="(log_likelihoods.exp() - baseline).unsqueeze(-1)"),
    ),
    (
        "mean of all",
        "visible",
        "there is a row for every position",
        estimates("(weights.unsqueeze(-1) * reward * slopes).sum(-2)"),
    ),
    (
        "own mean as baseline",
        "visible",
        "estimates",
        estimates(reward="(log_likelihoods - (weights * log_likelihoods).sum(-1, keepdim=True)).unsqueeze(-1)"),
    ),
    ("no axis", "visible", ("raised RuntimeError", "weights (3, 4)"), estimates(slopes="unit - weights")),
    (
        "log of the weights",
        "visible",
        "does not sum to 0",
        estimates(slopes="unit - weights.log().unsqueeze(-2)"),
    ),
    ("float32", "hidden", ("float64", "dtype torch.float32"), estimates("(reward * slopes).float()")),
    (
        "fixed size",
        "hidden",
        ("one sentence", "raised RuntimeError"),
        estimates(unit="torch.eye(4, dtype=weights.dtype)"),
    ),
]

RIGHT = [
    ("as written", estimates()),
    ("diag_embed", estimates(slopes="torch.diag_embed(torch.ones_like(weights)) - weights[..., None, :]")),
    (
        "two terms",
        estimates("torch.diag_embed(reward.squeeze(-1)) - reward * weights.unsqueeze(-2)", slopes="None", unit="None"),
    ),
    (
        "einsum",
        estimates("torch.einsum('...i,...ij->...ij', reward.squeeze(-1), slopes)"),
    ),
    (
        "loop over draws",
        """\
def score_estimates(weights: Tensor, log_likelihoods: Tensor, baseline: float = 0.0) -> Tensor:
    rows = []
    for i in range(weights.size(-1)):
        slope = -weights
        slope = slope.index_add(-1, torch.tensor([i]), torch.ones_like(weights[..., :1]))
        rows.append((log_likelihoods[..., i : i + 1] - baseline) * slope)
    return torch.stack(rows, dim=-2)
""",
    ),
    (
        "autograd",
        """\
def score_estimates(weights: Tensor, log_likelihoods: Tensor, baseline: float = 0.0) -> Tensor:
    scores = weights.log().requires_grad_()
    log_weights = scores.log_softmax(-1)
    reward = log_likelihoods - baseline
    rows = [
        torch.autograd.grad((log_weights * reward)[..., i].sum(), scores, retain_graph=True)
        for i in range(weights.size(-1))
    ]
    return torch.stack([row for (row,) in rows], dim=-2)
""",
    ),
]
