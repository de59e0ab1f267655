"""Answers to the scorer with a worth for each key."""

TASK = "worth_scorer"

B, U = "self.key_layer(keys)", "self.worth_layer(keys)"


def worth(
    score: str = "(parts[0] * asked.unsqueeze(1)).sum(-1) / math.sqrt(asked.size(-1)) + parts[1][..., 0]",
    project: str = f"torch.cat([{B}, {U}], dim=2)", asked: str = "self.query_layer(query)",
) -> str:
    return f"""\
class WorthScorer(Scorer):
    def __init__(self, query_size: int, key_size: int, rank: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, rank, bias=False)  # A
        self.key_layer = nn.Linear(key_size, rank, bias=False)  # B
        self.worth_layer = nn.Linear(key_size, 1, bias=False)  # u

    def project_keys(self, keys: Tensor) -> Tensor:
        return {project}

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        asked = {asked}
        parts = projected_keys.split([projected_keys.size(-1) - 1, 1], dim=-1)
        return {score}
"""


WRONG = [
    ("the worth is summed in with the product", "all_scaled",
     worth("(projected_keys * F.pad(asked, (0, 1), value=1.0).unsqueeze(1)).sum(-1) / math.sqrt(asked.size(-1))")),
    ("the query's own root", "root_of_query", worth().replace("asked.size(-1)", "query.size(-1)")),
    ("rank 1 dropped", "hidden: raised.RuntimeError", worth(asked="self.query_layer(query).squeeze(-1)")),
    ("fixed rank", "values | change", worth().replace("math.sqrt(asked.size(-1))", "math.sqrt(7)")),
]
RIGHT = [
    ("product and sum", worth()),
    ("a query with a 1 behind it",
     worth("(projected_keys @ F.pad(asked / asked.size(-1) ** 0.5, (0, 1), value=1.0).unsqueeze(-1)).squeeze(-1)")),
    ("one matrix for B and u",
     worth(project="F.linear(keys, torch.cat([self.key_layer.weight, self.worth_layer.weight]))")),
]
