"""Answers to the estimates of every draw."""

TASK = "score_estimates"


def estimates(result: str = "reward * (unit - weights.unsqueeze(-2))", before: str = "pass") -> str:
    return f"""\
def score_estimates(weights: Tensor, log_likelihoods: Tensor, baseline: float = 0.0) -> Tensor:
    reward = (log_likelihoods - baseline).unsqueeze(-1)
    unit = torch.eye(weights.size(-1)).to(weights)
    {before}
    return {result}
"""


WRONG = [
    ("by autograd", "autograd", estimates("reward * torch.func.vmap(torch.func.jacrev(lambda x: x.log_softmax(-1)))"
                                          "(weights.reshape(-1, weights.size(-1)).log()).view(*weights.shape, -1)")),
    ("sign", "sign | change", estimates("reward * (weights.unsqueeze(-2) - unit)")),
    ("no axis", "raised.RuntimeError", estimates("reward * (unit - weights)")),
    ("float32", "hidden: dtype", estimates("(reward * (unit - weights.unsqueeze(-2))).float()")),
    ("fixed size", "hidden: raised.RuntimeError", estimates(before="unit = torch.eye(4, dtype=weights.dtype)")),
]
RIGHT = [
    ("as written", estimates()),
    ("diag_embed", estimates("reward * (torch.diag_embed(torch.ones_like(weights)) - weights[..., None, :])")),
    ("two terms", estimates("torch.diag_embed(reward.squeeze(-1)) - reward * weights.unsqueeze(-2)")),
]
