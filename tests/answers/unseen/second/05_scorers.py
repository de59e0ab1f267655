"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "dot_scorer",
        "squeezes everything",
        "Every axis of size 1 is dropped, so a batch of one sentence or sentences of one key lose an axis.",
        '''
class DotScorer(Scorer):
    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        return torch.bmm(projected_keys, query.unsqueeze(2)).squeeze()
''',
    ),
    (
        "dot_scorer",
        "scaled as in the Transformer",
        "The scores are divided by the root of the size, which is another score than the one asked for.",
        '''
class DotScorer(Scorer):
    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        return torch.einsum("bd,bkd->bk", query, projected_keys) / math.sqrt(query.size(-1))
''',
    ),
    (
        "bilinear_scorer",
        "projects at every query",
        "The matrix is applied in score, once per query, and project_keys hands the keys through.",
        '''
class BilinearScorer(Scorer):
    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__()
        self.key_layer = nn.Linear(key_size, query_size, bias=False)  # W

    def project_keys(self, keys: Tensor) -> Tensor:
        return keys

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        return (self.key_layer(projected_keys) @ query.unsqueeze(-1)).squeeze(-1)
''',
    ),
    (
        "bilinear_scorer",
        "once per sentence, without a gradient",
        "The keys are projected without gradients, so the matrix never learns.",
        '''
class BilinearScorer(Scorer):
    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__()
        self.key_layer = nn.Linear(key_size, query_size, bias=False)  # W

    def project_keys(self, keys: Tensor) -> Tensor:
        with torch.no_grad():
            projected = self.key_layer(keys)
        return projected

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        return (projected_keys * query[:, None, :]).sum(dim=-1)
''',
    ),
    (
        "additive_scorer",
        "tanh around the score",
        "The tanh is put around the whole score instead of around the sum before v.",
        '''
class AdditiveScorer(Scorer):
    def __init__(self, query_size: int, key_size: int, attention_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, attention_size, bias=False)  # W
        self.key_layer = nn.Linear(key_size, attention_size, bias=False)  # U
        self.energy_layer = nn.Linear(attention_size, 1, bias=False)  # v

    def project_keys(self, keys: Tensor) -> Tensor:
        return self.key_layer(keys)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        mixed = self.query_layer(query).unsqueeze(1) + projected_keys
        return torch.tanh(self.energy_layer(mixed).squeeze(-1))
''',
    ),
    (
        "additive_scorer",
        "a tanh for each part",
        "Each of the two parts gets a tanh of its own, which is not the tanh of their sum, and the last step drops every axis of size 1.",
        '''
class AdditiveScorer(Scorer):
    def __init__(self, query_size: int, key_size: int, attention_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, attention_size, bias=False)  # W
        self.key_layer = nn.Linear(key_size, attention_size, bias=False)  # U
        self.energy_layer = nn.Linear(attention_size, 1, bias=False)  # v

    def project_keys(self, keys: Tensor) -> Tensor:
        return torch.tanh(self.key_layer(keys))

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        asked = torch.tanh(self.query_layer(query))[:, None, :]
        return self.energy_layer(asked + projected_keys).squeeze()
''',
    ),
    (
        "location_scorer",
        "the last rows",
        "The last positions that the scorer knows are kept, not the first ones.",
        '''
class LocationScorer(Scorer):
    def __init__(self, query_size: int, max_keys: int) -> None:
        super().__init__()
        self.position_layer = nn.Linear(query_size, max_keys, bias=False)  # W

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        keys = projected_keys.shape[1]
        if keys > self.position_layer.out_features:
            raise ValueError("more keys than positions")
        return self.position_layer(query)[:, -keys:]
''',
    ),
    (
        "location_scorer",
        "full is refused",
        "As many keys as positions are refused, though every one of them has a row.",
        '''
class LocationScorer(Scorer):
    def __init__(self, query_size: int, max_keys: int) -> None:
        super().__init__()
        self.position_layer = nn.Linear(query_size, max_keys, bias=False)  # W

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        count = projected_keys.size(1)
        if count >= len(self.position_layer.weight):
            raise ValueError(f"{count} keys do not fit")
        return query @ self.position_layer.weight[:count].T
''',
    ),
    (
        "worth_scorer",
        "root of rank + 1",
        "The root is that of the projected keys' size, which is one more than the rank.",
        '''
class WorthScorer(Scorer):
    def __init__(self, query_size: int, key_size: int, rank: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, rank, bias=False)  # A
        self.key_layer = nn.Linear(key_size, rank, bias=False)  # B
        self.worth_layer = nn.Linear(key_size, 1, bias=False)  # u

    def project_keys(self, keys: Tensor) -> Tensor:
        return torch.cat([self.key_layer(keys), self.worth_layer(keys)], dim=-1)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        fit = torch.einsum("br,bkr->bk", self.query_layer(query), projected_keys[..., :-1])
        return fit / math.sqrt(projected_keys.size(-1)) + projected_keys[..., -1]
''',
    ),
    (
        "worth_scorer",
        "worth in front, all divided",
        "The worth stands in front of the projected keys instead of behind them, and it is divided by the root as well.",
        '''
class WorthScorer(Scorer):
    def __init__(self, query_size: int, key_size: int, rank: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, rank, bias=False)  # A
        self.key_layer = nn.Linear(key_size, rank, bias=False)  # B
        self.worth_layer = nn.Linear(key_size, 1, bias=False)  # u

    def project_keys(self, keys: Tensor) -> Tensor:
        return torch.cat([self.worth_layer(keys), self.key_layer(keys)], dim=2)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        asked = self.query_layer(query)
        asked = torch.cat([torch.ones_like(asked[:, :1]), asked], dim=1)
        return torch.bmm(projected_keys, asked.unsqueeze(2)).squeeze(2) / self.key_layer.out_features**0.5
''',
    ),
    (
        "score_behind",
        "temperature of the first two keys",
        "The temperature is read off the first two keys of the first sentence alone, which says nothing where they are equal and is inexact where they are close.",
        '''
def score_behind(weights: Tensor, query: Tensor, keys: Tensor) -> tuple[str, float]:
    logs = weights.log()
    logs = logs - logs.mean(1, keepdim=True)
    column = query.unsqueeze(1)
    candidates = {
        "dot": (column * keys).sum(-1),
        "cosine": torch.cosine_similarity(column, keys, dim=-1),
        "distance": -(column - keys).pow(2).sum(-1),
    }
    for name, scores in candidates.items():
        temperature = float((scores[0, 0] - scores[0, 1]) / (logs[0, 0] - logs[0, 1]))
        if temperature <= 0 or temperature != temperature:
            continue
        scores = scores - scores.mean(1, keepdim=True)
        if (scores / temperature - logs).abs().max() < 0.001:
            return name, temperature
    return "none", 0.0
''',
    ),
    (
        "score_behind",
        "the sign is not looked at",
        "A temperature below 0 is accepted, and the distance is not squared.",
        '''
def score_behind(weights: Tensor, query: Tensor, keys: Tensor) -> tuple[str, float]:
    def centred(table):
        return table - table.mean(dim=-1, keepdim=True)

    logs = centred(weights.log())
    product = torch.einsum("bd,bkd->bk", query, keys)
    cosine = product / (query.norm(dim=-1, keepdim=True) * keys.norm(dim=-1))
    distance = -(query[:, None] - keys).norm(dim=-1)
    for name, scores in (("dot", product), ("cosine", cosine), ("distance", distance)):
        scores = centred(scores)
        factor = (logs * scores).sum() / (scores * scores).sum()
        if (factor * scores - logs).abs().max() <= 0.001:
            return name, float(1 / factor)
    return "none", 0.0
''',
    ),
]
