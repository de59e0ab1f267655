"""Answers to the location scorer."""

TASK, CHECKS, PARTS = "location_scorer", "scorers", ("LocationScorer",)

GUARD = 'if count > self.position_layer.out_features:\n            raise ValueError("too many keys")'


def location(expression: str, guard: str = GUARD) -> str:
    return f"""\
class LocationScorer(Scorer):
    def __init__(self, query_size: int, max_keys: int) -> None:
        super().__init__()
        self.position_layer = nn.Linear(query_size, max_keys, bias=False)  # W

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        count = projected_keys.size(1)
        {guard}
        return {expression}
"""


WRONG = [
    ("not cut", "visible", "not cut to the number of keys", location("self.position_layer(query)")),
    ("last rows", "visible", "the last rows of W are used", location("self.position_layer(query)[:, -count:]")),
    (
        "softmax before the cut",
        "visible",
        "a softmax",
        location("self.position_layer(query).softmax(-1)[:, :count]"),
    ),
    (
        "softmax",
        "visible",
        "a softmax is already applied",
        location("self.position_layer(query)[:, :count].softmax(-1)"),
    ),
    (
        "dot product",
        "visible",
        "look at the content of the keys",
        location("(projected_keys @ query.unsqueeze(-1)).squeeze(-1)"),
    ),
    (
        "keys in the layer",
        "visible",
        "W is applied to the keys",
        location("self.position_layer(projected_keys).diagonal(dim1=1, dim2=2)"),
    ),
    (
        "keys added",
        "visible",
        "add the content of the keys",
        location("(projected_keys @ query.unsqueeze(-1)).squeeze(-1) + self.position_layer(query)[:, :count]"),
    ),
    ("tanh", "visible", "a tanh is around the scores", location("torch.tanh(self.position_layer(query)[:, :count])")),
    (
        "too many keys pass",
        "hidden",
        ("one key more than positions", "ValueError"),
        location("F.pad(self.position_layer(query), (0, 99))[:, :count]", "pass"),
    ),
    (
        "first query only",
        "visible",
        "by the query of sentence 0",
        location("self.position_layer(query[:1])[:, :count].expand(len(query), -1)"),
    ),
    ("batch cut", "visible", "shape (2, 8)", location("self.position_layer(query)[:count]")),
    ("no gradient", "visible", "cut off from autograd", location("self.position_layer(query)[:, :count].detach()")),
]

RIGHT = [
    ("slice", location("self.position_layer(query)[:, :count]")),
    ("slice of the matrix", location("query @ self.position_layer.weight[:count].T")),
    ("einsum, any axes", location("torch.einsum('...q,kq->...k', query, self.position_layer.weight)[..., :count]")),
    ("narrow, its own error", location("self.position_layer(query).narrow(-1, 0, count)", "pass")),
    (
        "loop over positions",
        location("torch.stack([query @ self.position_layer.weight[j] for j in range(count)], dim=1)", "pass"),
    ),
]
