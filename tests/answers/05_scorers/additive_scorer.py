"""Answers to the additive scorer."""

TASK, CHECKS, PARTS = "additive_scorer", "scorers", ("AdditiveScorer",)


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
    ("no tanh", "visible", "the tanh is missing", additive("self.energy_layer(asked + projected_keys).squeeze(-1)")),
    (
        "tanh of each",
        "visible",
        "the tanh is taken of each part alone",
        additive("self.energy_layer(asked.tanh() + projected_keys.tanh()).squeeze(-1)"),
    ),
    (
        "ReLU",
        "visible",
        "a ReLU in place of the tanh",
        additive("self.energy_layer(F.relu(asked + projected_keys)).squeeze(-1)"),
    ),
    (
        "sigmoid",
        "visible",
        "a sigmoid in place of the tanh",
        additive("self.energy_layer(torch.sigmoid(asked + projected_keys)).squeeze(-1)"),
    ),
    (
        "v forgotten, summed",
        "visible",
        "v is forgotten: the attention axis is summed",
        additive("torch.tanh(asked + projected_keys).sum(-1)"),
    ),
    (
        "v forgotten, averaged",
        "visible",
        "v is forgotten: the attention axis is averaged",
        additive("torch.tanh(asked + projected_keys).mean(-1)"),
    ),
    (
        "v forgotten, left",
        "visible",
        ("v", "is forgotten", "attention axis"),
        additive("torch.tanh(asked + projected_keys)"),
    ),
    (
        "tanh outermost",
        "visible",
        "the tanh is outermost",
        additive("torch.tanh(self.energy_layer(asked + projected_keys)).squeeze(-1)"),
    ),
    (
        "tanh of the query",
        "visible",
        "around the query's part only",
        additive("self.energy_layer(asked.tanh() + projected_keys).squeeze(-1)"),
    ),
    (
        "tanh of the keys",
        "visible",
        "around the keys' part only",
        additive("self.energy_layer(asked + projected_keys.tanh()).squeeze(-1)"),
    ),
    (
        "query left out",
        "visible",
        "the query is left out",
        additive("self.energy_layer(torch.tanh(projected_keys)).squeeze(-1)"),
    ),
    (
        "keys left out",
        "visible",
        "the keys are left out",
        additive("self.energy_layer(torch.tanh(asked)).squeeze(-1).expand(projected_keys.shape[:2])"),
    ),
    (
        "product",
        "visible",
        "multiplied; they are added",
        additive("self.energy_layer(torch.tanh(asked * projected_keys)).squeeze(-1)"),
    ),
    (
        "swapped in project_keys",
        "visible",
        "query and key layers are swapped",
        additive(project="self.query_layer(keys)", asked="self.key_layer(query).unsqueeze(1)"),
    ),
    (
        "key layer for the query",
        "visible",
        "U is used for the query as well",
        additive(asked="self.key_layer(query).unsqueeze(1)"),
    ),
    (
        "projected in score",
        "visible",
        "once per sentence",
        additive("self.energy_layer(torch.tanh(asked + self.key_layer(projected_keys))).squeeze(-1)", "keys"),
    ),
    (
        "projected twice",
        "visible",
        "U is applied twice",
        additive("self.energy_layer(torch.tanh(asked + self.key_layer(projected_keys))).squeeze(-1)"),
    ),
    ("W never applied", "visible", "W is never applied", additive(asked="query.unsqueeze(1)")),
    (
        "trailing axis",
        "visible",
        ("shape (2, 5, 1)", "`.squeeze(-1)`"),
        additive("self.energy_layer(torch.tanh(asked + projected_keys))"),
    ),
    (
        "bare squeeze",
        "hidden",
        "a bare `.squeeze()`",
        additive("self.energy_layer(torch.tanh(asked + projected_keys)).squeeze()"),
    ),
    (
        "softmax",
        "visible",
        "a softmax is already applied",
        additive("self.energy_layer(torch.tanh(asked + projected_keys)).squeeze(-1).softmax(-1)"),
    ),
    (
        "no axis for the keys",
        "visible",
        ("raised RuntimeError", "at your line", "query (2, 4)"),
        additive(asked="self.query_layer(query)"),
    ),
    ("query of sentence 0", "visible", "by the query of sentence 0", additive(asked="self.query_layer(query[0])")),
    (
        "detached query",
        "visible",
        "no gradient reaches query",
        additive(asked="self.query_layer(query.detach()).unsqueeze(1)"),
    ),
    (
        "v cut off",
        "visible",
        "no gradient reaches energy_layer.weight",
        additive("torch.tanh(asked + projected_keys) @ self.energy_layer.weight.data[0]"),
    ),
    ("in place", "visible", "projected keys", additive(project="keys.tanh_()")),
    (
        "not written",
        "visible",
        "not written yet",
        additive(project="self._todo()").replace(
            "    def project",
            "    def _todo(self):\n        raise NotImplementedError('not written yet')\n\n    def project",
        ),
    ),
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
