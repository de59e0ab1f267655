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
    ("by autograd", "autograd", whole("""\
    with torch.enable_grad():
        scores = weights.log().requires_grad_()
        context = (scores.softmax(-1).unsqueeze(-1) * values).sum(1)
        return torch.autograd.grad(context, scores, context_gradient)[0]
""")),
    ("by forward derivatives", "autograd", whole("""\
    def along(scores, values, slope):
        return torch.func.jacfwd(lambda x: x.softmax(-1) @ values @ slope)(scores)
    return torch.func.vmap(along)(weights.log(), values, context_gradient)
""")),
    ("sign", "exchanged", gradient("weights * ((context.unsqueeze(1) - values) @ slope).squeeze(-1)")),
    ("trailing axis", "trailing_axis", gradient("weights.unsqueeze(-1) * ((values - context.unsqueeze(1)) @ slope)")),
    ("bare squeeze", "hidden: squeezed", gradient(f"weights.squeeze() * {GAIN.replace('squeeze(-1)', 'squeeze()')}")),
    ("centred over the batch too", "sentences_mixed",
     gradient("weights * ((values - values.mean((0, 1))) @ slope).squeeze(-1)")),
]

RIGHT = [
    ("by the equation", gradient()),
    ("einsum", whole("""\
    at_weights = torch.einsum("bkd,bd->bk", values, context_gradient)
    return weights * (at_weights - (weights * at_weights).sum(-1, keepdim=True))
""")),
    ("whole Jacobian", whole("""\
    jacobian = torch.diag_embed(weights) - weights.unsqueeze(2) * weights.unsqueeze(1)
    return (jacobian @ (values @ context_gradient.unsqueeze(-1))).squeeze(-1)
""")),
]
