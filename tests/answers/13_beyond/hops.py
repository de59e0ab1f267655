"""Answers to the hops through a memory."""

TASK = "hops"


def hops(
    scores: str = "(keys @ query.unsqueeze(-1)).squeeze(-1)",
    look: str = "attend(scores, values, mask)",
    query: str = "query + output",
    pairs: str = "zip(embeddings, embeddings[1:])",
    end: str = "query, torch.stack(weights, dim=1)",
) -> str:
    return f"""\
def hops(query: Tensor, embeddings: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    weights = []
    for keys, values in {pairs}:
        scores = {scores}
        output, looked = {look}
        query = {query}
        weights.append(looked)
    return {end}
"""


SOFTMAX = "(lambda w: ((w.unsqueeze(1) @ values).squeeze(1), w))({})"

WRONG = [
    ("order of the pair in a hop", "raised.RuntimeError", hops(look="attend(scores, values, mask)[::-1]")),
    ("one tensor", "results", hops(end="query")),
    ("axis left", "raised.RuntimeError", hops("keys @ query.unsqueeze(-1)")),
    (
        "bare squeeze",
        "hidden: squeezed | raised.RuntimeError | raised.IndexError",
        hops("(keys @ query.unsqueeze(-1)).squeeze()"),
    ),
    ("plain softmax", "no_mask", hops(look=SOFTMAX.format("scores.softmax(-1)"))),
    ("polarity", "change", hops(look="attend(scores, values, ~mask)")),
    ("query in place", "changed_in_place", hops(query="query.add_(output)")),
    (
        "all pairs of embeddings",
        "values",
        hops(pairs="((a, b) for i, a in enumerate(embeddings) for b in embeddings[i + 1 :])"),
    ),
    ("from the last to the first", "values", hops(pairs="zip(embeddings.flip(0), embeddings.flip(0)[1:])")),
    (
        "no gradient through the hops",
        "gradient",
        hops(query="query + output.detach()", end="query + 0 * output, torch.stack(weights, dim=1)"),
    ),
    ("never more than three", "hidden: change | shape | values", hops(pairs="zip(embeddings[:3], embeddings[1:])")),
    ("one embedding for both", "keys_fetched", hops(pairs="((one, one) for one in embeddings[:-1])")),
]

RIGHT = [
    ("composed", hops()),
    ("by place", hops(pairs="((embeddings[k], embeddings[k + 1]) for k in range(len(embeddings) - 1))")),
    (
        "einsum",
        hops(
            "torch.einsum('bd,bsd->bs', query, keys)",
            "(lambda w: (torch.einsum('bs,bsd->bd', w, values), w))(masked_softmax(scores, mask))",
        ),
    ),
    (
        "a weights tensor filled hop by hop",
        """\
def hops(query, embeddings, mask):
    def walk(query, rest):
        if len(rest) == 1:
            return query, []
        scores = (query[:, None, :] * rest[0]).sum(-1)
        weights = torch.softmax(scores.masked_fill(~mask, -1e30), -1) * mask
        last, others = walk(query + torch.bmm(weights[:, None], rest[1])[:, 0], rest[1:])
        return last, [weights, *others]

    last, looked = walk(query, embeddings)
    return last, torch.stack(looked).transpose(0, 1)
""",
    ),
]
