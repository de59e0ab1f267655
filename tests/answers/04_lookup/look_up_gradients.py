"""Answers to the backward pass of a look-up, by hand."""

TASK = "look_up_gradients"


def gradients(at_scores: str, end: str = "scores @ keys, scores.mT @ queries, weights.mT @ contexts_gradient") -> str:
    return f"""\
def look_up_gradients(queries, keys, values, contexts_gradient):
    weights = torch.softmax(queries @ keys.mT, dim=-1)
    slope = contexts_gradient @ values.mT
    scores = {at_scores}
    return {end}
"""


RIGHT_SCORES = "weights * (slope - (weights * slope).sum(-1, keepdim=True))"

WRONG = [
    ("keys first", "exchanged",
     gradients(RIGHT_SCORES, "scores.mT @ queries, scores @ keys, weights.mT @ contexts_gradient")),
    ("values first, queries last", "another_result",
     gradients(RIGHT_SCORES, "weights.mT @ contexts_gradient, scores.mT @ queries, scores @ keys")),
    ("exp overflows", "hidden: overflow",
     gradients(RIGHT_SCORES).replace("torch.softmax(", "(lambda e, dim: e.exp() / e.exp().sum(dim, keepdim=True))(")),
    ("gradient at the weights, softened", "values", gradients("torch.softmax(slope, -1)")),
    ("no transposition", "change",
     gradients(RIGHT_SCORES, "scores @ keys, scores @ queries, weights.mT @ contexts_gradient")),
]

RIGHT = [
    ("by the equation", gradients(RIGHT_SCORES)),
    ("Jacobian of each row",
        gradients(
            "((torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)) @ slope.unsqueeze(-1))"
            ".squeeze(-1)"
        )),
    ("einsum, with the contexts",
        gradients(
            "weights * (slope - ((weights @ values) * contexts_gradient).sum(-1, keepdim=True))",
            "[torch.einsum('bqk,bkd->bqd', scores, keys), torch.einsum('bqk,bqd->bkd', scores, queries), "
            "torch.einsum('bqk,bqd->bkd', weights, contexts_gradient)]",
        )),
]
