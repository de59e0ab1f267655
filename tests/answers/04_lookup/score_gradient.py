"""Answers to the gradient at the scores, by hand."""

TASK = "score_gradient"

GAIN = "((values - context.unsqueeze(1)) @ slope).squeeze(-1)"


def gradient(result: str = f"weights * {GAIN}", context: str = "(weights.unsqueeze(-1) * values).sum(1)") -> str:
    return f"""\
def score_gradient(weights: Tensor, values: Tensor, context_gradient: Tensor) -> Tensor:
    context = {context}
    slope = context_gradient.unsqueeze(-1)
    return {result}
"""


def whole(body: str) -> str:
    return f"def score_gradient(weights, values, context_gradient):\n{body}"


WRONG = [
    ("sign", "exchanged", gradient("weights * ((context.unsqueeze(1) - values) @ slope).squeeze(-1)")),
    ("trailing axis", "trailing_axis", gradient("weights.unsqueeze(-1) * ((values - context.unsqueeze(1)) @ slope)")),
    ("bare squeeze", "hidden: squeezed", gradient(f"weights.squeeze() * {GAIN.replace('squeeze(-1)', 'squeeze()')}")),
    (
        "centred over the batch too",
        "sentences_mixed",
        gradient("weights * ((values - values.mean((0, 1))) @ slope).squeeze(-1)"),
    ),
    (
        "context of the first sentence",
        "change | first_sentence | values",
        gradient(context="(weights[:1].unsqueeze(-1) * values[:1]).sum(1).expand_as(context_gradient)"),
    ),
    (
        "by the softmax's derivative, transposed wrongly",
        "diagonal",
        whole("""\
    at_weights = (values @ context_gradient.unsqueeze(-1)).squeeze(-1)
    return torch.stack([torch.diag(w * (1 - w)) @ g for w, g in zip(weights, at_weights)])
"""),
    ),
    (
        "values centred in place",
        "changed_in_place",
        whole("""\
    values -= (weights.unsqueeze(-1) * values).sum(1, keepdim=True)
    return weights * (values @ context_gradient.unsqueeze(-1)).squeeze(-1)
"""),
    ),
]

RIGHT = [
    ("by the equation", gradient()),
    (
        "einsum",
        whole("""\
    at_weights = torch.einsum("bkd,bd->bk", values, context_gradient)
    return weights * (at_weights - (weights * at_weights).sum(-1, keepdim=True))
"""),
    ),
    (
        "whole Jacobian",
        whole("""\
    jacobian = torch.diag_embed(weights) - weights.unsqueeze(2) * weights.unsqueeze(1)
    return (jacobian @ (values @ context_gradient.unsqueeze(-1))).squeeze(-1)
"""),
    ),
    (
        "loop",
        whole("""\
    result = torch.zeros_like(weights)
    for b in range(weights.size(0)):
        context = weights[b] @ values[b]
        for j in range(weights.size(1)):
            result[b, j] = weights[b, j] * torch.dot(values[b, j] - context, context_gradient[b])
    return result
"""),
    ),
]
