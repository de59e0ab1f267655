"""Answers to the gradient at the scores, by hand."""

TASK, CHECKS, PARTS = "score_gradient", "gradient", ("score_gradient",)


def gradient(result: str, context: str = "(weights.unsqueeze(-1) * values).sum(1)") -> str:
    return f"""\
def score_gradient(weights: Tensor, values: Tensor, context_gradient: Tensor) -> Tensor:
    context = {context}
    slope = context_gradient.unsqueeze(-1)
    return {result}
"""


WRONG = [
    ("no context", "visible", "the context is not subtracted", gradient("weights * (values @ slope).squeeze(-1)")),
    (
        "no weight",
        "visible",
        "the factor of the weight is missing",
        gradient("((values - context.unsqueeze(1)) @ slope).squeeze(-1)"),
    ),
    (
        "sign",
        "visible",
        "the sign is wrong",
        gradient("weights * ((context.unsqueeze(1) - values) @ slope).squeeze(-1)"),
    ),
    ("at the weights", "visible", "the gradient at the weights", gradient("(values @ slope).squeeze(-1)")),
    (
        "plain average",
        "visible",
        "the plain average of the values is subtracted",
        gradient("weights * ((values - context.unsqueeze(1)) @ slope).squeeze(-1)", "values.mean(1)"),
    ),
    (
        "diagonal",
        "visible",
        "only the diagonal",
        gradient("weights * (1 - weights) * (values @ slope).squeeze(-1)"),
    ),
    (
        "context unweighted",
        "visible",
        "the weight multiplies the value's part only",
        gradient("weights * (values @ slope).squeeze(-1) - (context * context_gradient).sum(-1, keepdim=True)"),
    ),
    (
        "context added",
        "visible",
        "the context's part is added",
        gradient("weights * ((values + context.unsqueeze(1)) @ slope).squeeze(-1)"),
    ),
    (
        "slope left out",
        "visible",
        "the gradient at the context is left out",
        gradient("weights * (values - context.unsqueeze(1)).sum(-1)"),
    ),
    (
        "not summed over features",
        "visible",
        "the sum over the features is missing",
        gradient("weights.unsqueeze(-1) * (values - context.unsqueeze(1)) * context_gradient.unsqueeze(1)"),
    ),
    (
        "trailing axis",
        "visible",
        "`.squeeze(-1)`",
        gradient("weights.unsqueeze(-1) * ((values - context.unsqueeze(1)) @ slope)"),
    ),
    (
        "bare squeeze",
        "hidden",
        "a bare `.squeeze()`",
        gradient("weights * ((values - context.unsqueeze(1)) @ slope).squeeze()").replace(
            "return weights *", "return weights.squeeze() *"
        ),
    ),
    (
        "divides by the weight",
        "hidden",
        ("padding", "a weight of 0"),
        gradient("(weights**2 / weights) * ((values - context.unsqueeze(1)) @ slope).squeeze(-1)"),
    ),
]

RIGHT = [
    ("by the equation", gradient("weights * ((values - context.unsqueeze(1)) @ slope).squeeze(-1)")),
    (
        "einsum",
        """\
def score_gradient(weights, values, context_gradient):
    at_weights = torch.einsum("bkd,bd->bk", values, context_gradient)
    return weights * (at_weights - (weights * at_weights).sum(-1, keepdim=True))
""",
    ),
    (
        "whole Jacobian",
        """\
def score_gradient(weights, values, context_gradient):
    jacobian = torch.diag_embed(weights) - weights.unsqueeze(2) * weights.unsqueeze(1)
    at_weights = (values @ context_gradient.unsqueeze(-1))
    return (jacobian @ at_weights).squeeze(-1)
""",
    ),
    (
        "loop",
        """\
def score_gradient(weights, values, context_gradient):
    result = torch.zeros_like(weights)
    for b in range(weights.size(0)):
        context = weights[b] @ values[b]
        for j in range(weights.size(1)):
            result[b, j] = weights[b, j] * torch.dot(values[b, j] - context, context_gradient[b])
    return result
""",
    ),
]
