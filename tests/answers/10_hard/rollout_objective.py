"""Answers to the objective for whole sentences."""

TASK = "rollout_objective"

RETURNS = "returns = rewards.flip(-1).cumsum(-1).flip(-1)"
OTHERS = "others = (returns.sum(0) - returns) / (len(returns) - 1)"


def objective(
    returns: str = RETURNS, others: str = OTHERS,
    result: str = "(real * (log_likelihood + (returns - others) * log_choice)).sum(-1).mean(0)",
) -> str:
    return f"""\
def rollout_objective(log_likelihood: Tensor, log_choice: Tensor, target_mask: Tensor) -> Tensor:
    real = target_mask.to(log_likelihood.dtype)
    rewards = log_likelihood.detach() * real
    {returns}
    {others}
    return {result}
"""


WRONG = [
    ("running sum from the left", "earlier", objective("returns = rewards.cumsum(-1)")),
    ("mean of all drafts", "own_too", objective(others="others = returns.mean(0, keepdim=True)")),
    ("in place", "changed_in_place | raised.RuntimeError", objective("log_likelihood *= real\n    " + RETURNS)),
    ("by lengths", "hidden: values | but_last_2", objective(
        "real = real.sort(descending=True).values\n    rewards = rewards * real\n    " + RETURNS)),
]
RIGHT = [
    ("as written", objective()),
    ("triangle", objective("returns = rewards @ torch.ones(rewards.size(-1), rewards.size(-1)).tril().to(rewards)")),
    ("total less what was before", objective("returns = rewards.sum(-1, keepdim=True) - rewards.cumsum(-1) + rewards")),
]
