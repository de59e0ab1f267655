"""Answers to the surrogate objective of the score-function estimator."""

TASK, CHECKS, PARTS = "score_function_objective", "estimator", ("score_function_objective",)


def objective(
    result: str = "log_likelihood + reward_weight * advantage * log_choice",
    advantage: str = "(log_likelihood - baseline).detach()",
) -> str:
    return f"""\
def score_function_objective(
    log_likelihood: Tensor, log_choice: Tensor, baseline: Tensor | float = 0.0, reward_weight: float = 1.0
) -> Tensor:
    advantage = {advantage}
    return {result}
"""


WRONG = [
    (
        "reward not cut off",
        "visible",
        ("log_likelihood", "the reward is a number here"),
        objective(advantage="log_likelihood - baseline"),
    ),
    (
        "second term alone",
        "visible",
        "no gradient reaches log_likelihood",
        objective("reward_weight * advantage * log_choice"),
    ),
    (
        "second term alone, not cut off",
        "visible",
        ("the network that predicts the word learns nothing", "the reward is a number here"),
        objective("reward_weight * advantage * log_choice", "log_likelihood - baseline"),
    ),
    ("first term alone", "visible", "no gradient reaches log_choice", objective("log_likelihood")),
    (
        "choice cut off",
        "visible",
        "no gradient reaches log_choice",
        objective("log_likelihood + reward_weight * advantage * log_choice.detach()"),
    ),
    (
        "loss",
        "visible",
        "the sign is turned round",
        objective("-(log_likelihood + reward_weight * advantage * log_choice)"),
    ),
    (
        "second term subtracted",
        "visible",
        "the reward is subtracted",
        objective("log_likelihood - reward_weight * advantage * log_choice"),
    ),
    ("no baseline", "visible", "the baseline is not used", objective(advantage="log_likelihood.detach()")),
    ("baseline added", "visible", "the baseline is added", objective(advantage="(log_likelihood + baseline).detach()")),
    (
        "no reward weight",
        "visible",
        "the reward weight is not used",
        objective("log_likelihood + advantage * log_choice"),
    ),
    (
        "reward weight on both",
        "visible",
        "the second term alone",
        objective("reward_weight * (log_likelihood + advantage * log_choice)"),
    ),
    (
        "probability of the choice",
        "visible",
        "not of log p(s)",
        objective("log_likelihood + reward_weight * advantage * log_choice.exp()"),
    ),
    (
        "likelihood as the reward",
        "visible",
        "it is its logarithm",
        objective(advantage="(log_likelihood.exp() - baseline).detach()"),
    ),
    (
        "without a reward",
        "visible",
        "not weighted by the reward",
        objective("log_likelihood + log_choice"),
    ),
    (
        "joint and reward",
        "visible",
        "log p(s) itself is added",
        objective("log_likelihood + log_choice + reward_weight * advantage * log_choice"),
    ),
    (
        "mean of the batch as baseline",
        "visible",
        "biased",
        objective(advantage="(log_likelihood - baseline).detach()\n    advantage = advantage - advantage.mean()"),
    ),
    (
        "clipped",
        "visible",
        "negative rewards are left out",
        objective(advantage="(log_likelihood + 2 - baseline).detach()\n    advantage = (advantage - 2).clamp(min=0)"),
    ),
    (
        "averaged",
        "visible",
        "an objective for every draw",
        objective("(log_likelihood + reward_weight * advantage * log_choice).mean()"),
    ),
    (
        "gradient into the baseline",
        "hidden",
        ("asks for gradients", "a gradient flows into the baseline"),
        objective(advantage="log_likelihood.detach() - baseline"),
    ),
    (
        "all cut off",
        "visible",
        "cut off from autograd",
        objective("log_likelihood.detach() + (reward_weight * advantage * log_choice).detach()"),
    ),
    (
        "weight of the baseline",
        "visible",
        "λ multiplies the whole",
        objective("log_likelihood + advantage * log_choice", "(reward_weight * log_likelihood - baseline).detach()"),
    ),
]

RIGHT = [
    ("as written", objective()),
    (
        "no_grad",
        """\
def score_function_objective(
    log_likelihood: Tensor, log_choice: Tensor, baseline: Tensor | float = 0.0, reward_weight: float = 1.0
) -> Tensor:
    with torch.no_grad():
        reward = reward_weight * (log_likelihood - baseline)
    return reward * log_choice + log_likelihood
""",
    ),
    (
        "the value is the likelihood",
        objective("log_likelihood + reward_weight * advantage * (log_choice - log_choice.detach())"),
    ),
    (
        "ratio of probabilities",
        objective("log_likelihood + reward_weight * advantage * torch.exp(log_choice - log_choice.detach())"),
    ),
    (
        "two terms",
        objective(
            "torch.add(log_likelihood, torch.mul(advantage, log_choice), alpha=reward_weight)",
            "log_likelihood.detach() - torch.as_tensor(baseline).detach()",
        ),
    ),
]
