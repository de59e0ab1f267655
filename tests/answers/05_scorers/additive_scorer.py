"""Answers to the additive scorer."""

TASK = "additive_scorer"


def additive(
    score: str = "self.energy_layer(torch.tanh(asked + projected_keys)).squeeze(-1)",
    project: str = "self.key_layer(keys)",
    asked: str = "self.query_layer(query).unsqueeze(1)",
) -> str:
    return f"""\
class AdditiveScorer(Scorer):
    def __init__(self, query_size: int, key_size: int, attention_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, attention_size, bias=False)  # W
        self.key_layer = nn.Linear(key_size, attention_size, bias=False)  # U
        self.energy_layer = nn.Linear(attention_size, 1, bias=False)  # v

    def project_keys(self, keys: Tensor) -> Tensor:
        return {project}

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        asked = {asked}
        return {score}
"""


WRONG = [
    (
        "swapped in project_keys",
        "swapped",
        additive(project="self.query_layer(keys)", asked="self.key_layer(query).unsqueeze(1)"),
    ),
    ("bare squeeze", "hidden: squeezed", additive("self.energy_layer(torch.tanh(asked + projected_keys)).squeeze()")),
    ("no axis for the keys", "raised.RuntimeError", additive(asked="self.query_layer(query)")),
    ("detached query", "no_gradient", additive(asked="self.query_layer(query.detach()).unsqueeze(1)")),
    ("v cut off", "no_gradient", additive("torch.tanh(asked + projected_keys) @ self.energy_layer.weight.data[0]")),
    ("in place", "changed_in_place | values", additive(project="keys.tanh_()")),
]

RIGHT = [
    ("layers", additive()),
    ("broadcast axis -2", additive(asked="self.query_layer(query)[:, None]")),
    ("einsum", additive("torch.einsum('bka,a->bk', torch.tanh(asked + projected_keys), self.energy_layer.weight[0])")),
    (
        "one matrix for [query; key]",
        additive(
            "torch.tanh(asked + projected_keys) @ self.energy_layer.weight.squeeze(0)",
            "F.linear(keys, self.key_layer.weight)",
        ),
    ),
    (
        "concatenation",
        additive(
            "self.energy_layer(torch.tanh(F.linear(torch.cat([queries, projected_keys], -1), matrix))).squeeze(-1)",
            asked="None\n"
            "        queries = query.unsqueeze(1).expand(-1, projected_keys.size(1), -1)\n"
            "        unit = torch.eye(projected_keys.size(-1), dtype=query.dtype)\n"
            "        matrix = torch.cat([self.query_layer.weight, unit], dim=1)",
        ),
    ),
    (
        "loop over keys",
        additive(
            "torch.cat([self.energy_layer(torch.tanh(asked[:, 0] + key)) for key in projected_keys.unbind(1)], dim=1)"
        ),
    ),
    ("tanh by sigmoid", additive("self.energy_layer(2 * torch.sigmoid(2 * (asked + projected_keys)) - 1).squeeze(-1)")),
]
