"""Answers to the location scorer."""

TASK = "location_scorer"

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
    ("refused once alone", "hidden: contradicts", location(
        "nn.functional.pad((all := self.position_layer(query)[:, :count]), (0, count - all.size(1)))",
        GUARD.replace("features:", "features and not hasattr(self, 'warned'):\n            self.warned = True"))),
    ("torch's own error", "hidden: error_wrong", location("self.position_layer(query).narrow(-1, 0, count)", "pass")),
    ("no keys of 0", "hidden: shape", location("self.position_layer(query)[:, : projected_keys.any(2).any(0).sum()]")),
    ("the first number of keys", "hidden: shape", location(
        "self.position_layer(query)[:, :self.count]", f"{GUARD}\n        self.count = getattr(self, 'count', count)")),
    ("numbers of a key counted", "features_counted",
     location("self.position_layer(query)[:, :count]").replace("size(1)", "size(-1)")),
    ("keys in the layer", "keys_in_layer", location("self.position_layer(projected_keys).diagonal(dim1=1, dim2=2)")),
    ("no gradient", "no_gradient", location("self.position_layer(query)[:, :count].detach()")),
]

RIGHT = [
    ("slice", location("self.position_layer(query)[:, :count]")),
    ("slice of the matrix", location("query @ self.position_layer.weight[:count].T")),
    ("einsum, any axes", location("torch.einsum('...q,kq->...k', query, self.position_layer.weight)[..., :count]")),
]
