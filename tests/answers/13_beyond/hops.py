"""Answers to the hops through a memory."""

TASK = "hops"


def hops(
    scores: str = "(keys @ query.unsqueeze(-1)).squeeze(-1)", look: str = "attend(scores, values, mask)",
    query: str = "query + output", pairs: str = "zip(embeddings, embeddings[1:])",
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
    ("bare squeeze", "hidden: squeezed | raised.RuntimeError | raised.IndexError",
     hops("(keys @ query.unsqueeze(-1)).squeeze()")),
    ("not low enough", "hidden: values | padded_sentences",
     hops(look=SOFTMAX.format("scores.masked_fill(~mask, -1e4).softmax(-1) * mask"))),
    ("minus infinity in an empty story", "hidden: infinity",
     hops(look=SOFTMAX.format("scores.masked_fill(~mask, -torch.inf).softmax(-1)"))),
    ("query in place", "changed_in_place", hops(query="query.add_(output)")),
    ("never more than three", "hidden: change | shape | values", hops(pairs="zip(embeddings[:3], embeddings[1:])")),
]

RIGHT = [
    ("composed", hops()),
    ("by place", hops(pairs="((embeddings[k], embeddings[k + 1]) for k in range(len(embeddings) - 1))")),
    ("einsum",
        hops("torch.einsum('bd,bsd->bs', query, keys)",
             "(lambda w: (torch.einsum('bs,bsd->bd', w, values), w))(masked_softmax(scores, mask))")),
]
