"""Answers to the bilinear scorer."""

TASK, CHECKS, PARTS = "bilinear_scorer", "scorers", ("BilinearScorer",)

PRODUCT = "(projected_keys @ query.unsqueeze(-1)).squeeze(-1)"


def bilinear(
    score: str = PRODUCT,
    project: str = "self.key_layer(keys)",
    layer: str = "nn.Linear(key_size, query_size, bias=False)",
    name: str = "key_layer",
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


WRONG = [
    (
        "projected in score",
        "visible",
        ("projected keys", "once per sentence"),
        bilinear("(self.key_layer(projected_keys) @ query.unsqueeze(-1)).squeeze(-1)", "keys"),
    ),
    (
        "projected twice",
        "visible",
        "W is applied twice",
        bilinear("(self.key_layer(projected_keys) @ query.unsqueeze(-1)).squeeze(-1)"),
    ),
    (
        "projected for the query too",
        "visible",
        "W is applied to the keys and to the query",
        bilinear("(projected_keys @ self.key_layer(query).unsqueeze(-1)).squeeze(-1)"),
    ),
    (
        "transposed on the query too",
        "visible",
        "W is applied twice",
        bilinear("(projected_keys @ (query @ self.key_layer.weight).unsqueeze(-1)).squeeze(-1)"),
    ),
    ("transposed", "visible", "the matrix is transposed", bilinear(project="keys @ self.key_layer.weight")),
    (
        "tanh in the projection",
        "visible",
        "a tanh is already applied",
        bilinear(project="torch.tanh(self.key_layer(keys))"),
    ),
    (
        "tanh in the score",
        "visible",
        "a tanh around the projected keys",
        bilinear("(projected_keys.tanh() @ query.unsqueeze(-1)).squeeze(-1)"),
    ),
    ("scaled", "visible", "learns its own scale", bilinear(f"{PRODUCT} / math.sqrt(query.size(-1))")),
    ("softmax", "visible", "a softmax is already applied", bilinear(f"{PRODUCT}.softmax(-1)")),
    (
        "weights cut off",
        "visible",
        "no gradient reaches key_layer.weight",
        bilinear(project="keys @ self.key_layer.weight.detach().T"),
    ),
    (
        "a bias",
        "visible",
        ("key_layer.bias", "leave `__init__` as it was given"),
        bilinear(layer="nn.Linear(key_size, query_size)"),
    ),
    (
        "sizes exchanged",
        "visible",
        ("key_layer.weight (4, 3)", "expected key_layer.weight (3, 4)"),
        bilinear(layer="nn.Linear(query_size, key_size, bias=False)"),
    ),
    ("another name", "visible", ("parameters", "weight.weight"), bilinear(project="self.weight(keys)", name="weight")),
    (
        "loop over sentence 0",
        "visible",
        "only sentence 0",
        bilinear("torch.stack([projected_keys[0] @ query[0]] + [0 * projected_keys[0, :, 0]] * (len(query) - 1))"),
    ),
    (
        "no axis between",
        "visible",
        ("shape (2, 2, 5)", "every query meets"),
        bilinear("query @ projected_keys.transpose(1, 2)"),
    ),
]

RIGHT = [
    ("linear layer", bilinear()),
    ("einsum", bilinear("torch.einsum('bq,bkq->bk', query, projected_keys)")),
    ("by the matrix", bilinear("(projected_keys * query.unsqueeze(1)).sum(-1)", "keys @ self.key_layer.weight.T")),
    (
        "functional",
        bilinear("torch.bmm(projected_keys, query.unsqueeze(2)).squeeze(2)", "F.linear(keys, self.key_layer.weight)"),
    ),
]
