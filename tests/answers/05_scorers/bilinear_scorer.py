"""Answers to the bilinear scorer."""

TASK = "bilinear_scorer"

PRODUCT = "(projected_keys @ query.unsqueeze(-1)).squeeze(-1)"


def bilinear(
    score: str = PRODUCT, project: str = "self.key_layer(keys)",
    layer: str = "nn.Linear(key_size, query_size, bias=False)", name: str = "key_layer",
) -> str:
    return f"""\
class BilinearScorer(Scorer):
    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__()
        self.{name} = {layer}

    def project_keys(self, keys: Tensor) -> Tensor:
        return {project}

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        return {score}
"""


FORWARD = """
    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return (self.key_layer(keys) @ query.unsqueeze(-1)).squeeze(-1)
"""
LAST = """
    def projected(self, keys: Tensor) -> Tensor:
        if getattr(self, "last", (None,))[0] is not keys:
            self.last = keys, self.key_layer(keys)
        return self.last[1]
"""
KEPT = "(self.kept @ query.unsqueeze(-1)).squeeze(-1)"

WRONG = [
    ("forward in the place of score", "nothing | not_a_tensor | change", bilinear("None") + FORWARD),
    ("the first projection is kept for ever", "remembers",
     bilinear(KEPT, "self.__dict__.setdefault('kept', self.key_layer(keys))")),
    ("a projection is kept for each tensor of keys", "remembers",
     bilinear(project="self.__dict__.setdefault('kept', {}).setdefault(id(keys), (self.key_layer(keys), keys))[0]")),
    ("the last projection is kept, for its keys", "remembers", bilinear(project="self.projected(keys)") + LAST),
    ("weights cut off", "no_gradient", bilinear(project="keys @ self.key_layer.weight.detach().T")),
    ("a bias", "parameters", bilinear(layer="nn.Linear(key_size, query_size)")),
]

RIGHT = [
    ("linear layer", bilinear()), ("einsum", bilinear("torch.einsum('bq,bkq->bk', query, projected_keys)")),
    ("by the matrix", bilinear("(projected_keys * query.unsqueeze(1)).sum(-1)", "keys @ self.key_layer.weight.T")),
]
