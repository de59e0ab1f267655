"""Answers to the surrogate objective of the score-function estimator."""

TASK = "score_function_objective"


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


SECOND, RATIO = "reward_weight * advantage * log_choice", "log_choice.exp() / log_choice.detach().exp()"

WRONG = [
    ("choice cut off", "first_alone", objective(f"log_likelihood + {SECOND}.detach()")),
    ("all cut off", "no_gradient", objective(f"(log_likelihood + {SECOND}).detach()")),
    ("a number", "not_a_tensor | raised.UserWarning", objective(f"float((log_likelihood + {SECOND}).sum())")),
    ("another default", "factor", objective().replace("= 1.0", "= 0.5")),
    ("a baseline of one shape", "hidden: raised.RuntimeError",
     objective(advantage="(log_likelihood - torch.as_tensor(baseline).reshape(-1)).detach().view_as(log_likelihood)")),
    ("0 / 0", "hidden: not_finite", objective(f"log_likelihood + {SECOND.replace('log_choice', RATIO)}")),
]
RIGHT = [
    ("as written", objective()),
    ("the value is the likelihood",
     objective("log_likelihood + reward_weight * advantage * (log_choice - log_choice.detach())")),
    ("ratio of probabilities",
     objective("log_likelihood + reward_weight * advantage * torch.exp(log_choice - log_choice.detach())")),
]
