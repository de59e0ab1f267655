"""Answers to the moving baseline."""

TASK, CHECKS, PARTS = "move_baseline", "baseline", ("move_baseline",)


def baseline(result: str, mean: str = "log_likelihood.detach().mean()") -> str:
    return f"""\
def move_baseline(baseline: Tensor, log_likelihood: Tensor, keep: float = 0.9) -> Tensor:
    mean = {mean}
    return {result}
"""


AVERAGE = "keep * baseline + (1 - keep) * mean"

WRONG = [
    ("shares exchanged", "visible", "the shares are exchanged", baseline("(1 - keep) * baseline + keep * mean")),
    ("sum", "visible", "it is their mean", baseline(AVERAGE, "log_likelihood.detach().sum()")),
    ("new alone", "visible", "the old baseline is forgotten", baseline("mean")),
    ("not moved", "visible", "it has not moved", baseline("baseline.clone()")),
    ("grows for ever", "visible", "it would grow for ever", baseline("baseline + (1 - keep) * mean")),
    ("mean whole", "visible", "the mean is added whole", baseline("keep * baseline + mean")),
    ("plain average", "visible", "the plain average", baseline("(baseline + mean) / 2")),
    ("away from the mean", "visible", "away from the mean", baseline("baseline - (1 - keep) * (mean - baseline)")),
    ("fixed keep", "visible", ("keeps 0.6", "0.9 is kept"), baseline("0.9 * baseline + 0.1 * mean")),
    ("not cut off", "visible", ("gradients would flow", "`.detach()`"), baseline(AVERAGE, "log_likelihood.mean()")),
    ("per draw", "visible", ("shape (6,)", "a single number"), baseline(AVERAGE, "log_likelihood.detach()")),
    (
        "kept axis",
        "visible",
        ("shape (1,)", "a single number"),
        baseline(AVERAGE, "log_likelihood.detach().mean(-1, keepdim=True)"),
    ),
    (
        "batch axis only",
        "hidden",
        ("(batch, steps)", "a single number"),
        baseline(AVERAGE, "log_likelihood.detach().mean(0)"),
    ),
    ("last draw", "visible", "only the last draw", baseline(AVERAGE, "log_likelihood.detach().flatten()[-1]")),
    ("best draw", "visible", "the largest log-likelihood", baseline(AVERAGE, "log_likelihood.detach().max()")),
    (
        "likelihoods",
        "visible",
        "the likelihoods are averaged",
        baseline(AVERAGE, "log_likelihood.detach().exp().mean()"),
    ),
    ("plain number", "visible", "expected a tensor", baseline(f"float({AVERAGE})")),
    (
        "in place",
        "visible",
        ("baseline", "changed in place"),
        baseline("baseline.mul_(keep).add_((1 - keep) * mean).clone()"),
    ),
]

RIGHT = [
    ("weighted average", baseline(AVERAGE)),
    ("a step towards the mean", baseline("baseline + (1 - keep) * (mean - baseline)")),
    ("lerp", baseline("torch.lerp(baseline, mean, 1 - keep)")),
    (
        "no_grad",
        """\
@torch.no_grad()
def move_baseline(baseline: Tensor, log_likelihood: Tensor, keep: float = 0.9) -> Tensor:
    return keep * baseline + (1 - keep) * log_likelihood.sum() / log_likelihood.numel()
""",
    ),
    ("detached at the end", baseline(f"({AVERAGE}).detach()", "log_likelihood.mean()")),
]
