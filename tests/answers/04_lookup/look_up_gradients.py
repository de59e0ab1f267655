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
    (
        "keys first",
        "order",
        gradients(RIGHT_SCORES, "scores.mT @ queries, scores @ keys, weights.mT @ contexts_gradient"),
    ),
    ("two of three", "results", gradients(RIGHT_SCORES, "scores @ keys, scores.mT @ queries")),
    (
        "a sum over the batch",
        "values | sentences_mixed",
        gradients("weights * (slope - (weights * slope).sum((0, 2), keepdim=True))"),
    ),
    ("gradient at the weights, softened", "values", gradients("torch.softmax(slope, -1)")),
    (
        "no transposition",
        "change",
        gradients(RIGHT_SCORES, "scores @ keys, scores @ queries, weights.mT @ contexts_gradient"),
    ),
    (
        "queries of sentence 0",
        "first_sentence | sentences_mixed | values",
        gradients(RIGHT_SCORES, "scores @ keys, scores.mT @ queries[:1], weights.mT @ contexts_gradient"),
    ),
]

RIGHT = [
    ("by the equation", gradients(RIGHT_SCORES)),
    (
        "Jacobian of each row",
        gradients(
            "((torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)) @ slope.unsqueeze(-1))"
            ".squeeze(-1)"
        ),
    ),
    (
        "einsum, with the contexts",
        gradients(
            "weights * (slope - ((weights @ values) * contexts_gradient).sum(-1, keepdim=True))",
            "[torch.einsum('bqk,bkd->bqd', scores, keys), torch.einsum('bqk,bqd->bkd', scores, queries), "
            "torch.einsum('bqk,bqd->bkd', weights, contexts_gradient)]",
        ),
    ),
    (
        "a target word at a time",
        """\
def look_up_gradients(queries, keys, values, contexts_gradient):
    at_queries, at_keys, at_values = torch.zeros_like(queries), torch.zeros_like(keys), torch.zeros_like(values)
    for b in range(len(queries)):
        for i in range(queries.size(1)):
            weights = torch.softmax(keys[b] @ queries[b, i], 0)
            gain = (values[b] - weights @ values[b]) @ contexts_gradient[b, i]
            at_queries[b, i] = (weights * gain) @ keys[b]
            at_keys[b] += torch.outer(weights * gain, queries[b, i])
            at_values[b] += torch.outer(weights, contexts_gradient[b, i])
    return at_queries, at_keys, at_values
""",
    ),
]
