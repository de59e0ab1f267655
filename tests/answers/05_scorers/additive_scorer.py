"""Answers to the additive scorer."""

TASK = "additive_scorer"


def additive(
    score: str = "self.energy_layer(torch.tanh(asked + projected_keys)).squeeze(-1)",
    project: str = "self.key_layer(keys)", asked: str = "self.query_layer(query).unsqueeze(1)",
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
    ("bare squeeze", "hidden: squeezed", additive("self.energy_layer(torch.tanh(asked + projected_keys)).squeeze()")),
    ("no axis for the keys", "raised.RuntimeError", additive(asked="self.query_layer(query)")),
    ("detached query", "no_gradient", additive(asked="self.query_layer(query.detach()).unsqueeze(1)")),
    ("in place", "changed_in_place", additive("self.energy_layer(projected_keys.add_(asked).tanh()).squeeze(-1)")),
]

RIGHT = [
    ("layers", additive()), ("broadcast axis -2", additive(asked="self.query_layer(query)[:, None]")),
    ("einsum", additive("torch.einsum('bka,a->bk', torch.tanh(asked + projected_keys), self.energy_layer.weight[0])")),
]
