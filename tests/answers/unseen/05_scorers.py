"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "dot_scorer",
        "largest score subtracted for stability",
        "The largest score of each sentence is subtracted, as a stable softmax does inside, but a scorer returns raw "
        "scores.",
        '''
class DotScorer(Scorer):
    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        scores = torch.bmm(projected_keys, query.unsqueeze(2)).squeeze(2)
        # so that the softmax does not overflow later
        return scores - scores.max(dim=1, keepdim=True).values
''',
    ),
    (
        "dot_scorer",
        "a new tensor of Python numbers",
        "The scores are read out as Python numbers and put into a new tensor, so no gradient flows and float64 becomes "
        "float32.",
        '''
class DotScorer(Scorer):
    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        scores = []
        for q, keys in zip(query, projected_keys):
            scores.append([torch.dot(q, key).item() for key in keys])
        return torch.tensor(scores, device=query.device)
''',
    ),
    (
        "bilinear_scorer",
        "first query asks for all sentences",
        "The product pairs every query with every sentence, and of these only the scores of the batch's first query "
        "are kept.",
        '''
class BilinearScorer(Scorer):
    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__()
        self.key_layer = nn.Linear(key_size, query_size, bias=False)  # W

    def project_keys(self, keys: Tensor) -> Tensor:
        return self.key_layer(keys)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        products = query @ projected_keys.mT  # one axis too many
        return products[:, 0]
''',
    ),
    (
        "additive_scorer",
        "tanh of each part, then the sum",
        "The tanh is taken of the query's part and of the key's part one by one, instead of their sum, so the query "
        "adds the same number to every key.",
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
        asked = torch.tanh(self.query_layer(query))
        offered = torch.tanh(projected_keys)
        return self.energy_layer(asked[:, None, :] + offered)[:, :, 0]
''',
    ),
    (
        "additive_scorer",
        "query added to the keys in place",
        "The query's part is added into the projected keys themselves, so the next query of the same sentence meets "
        "keys that hold this one already.",
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
        hidden = projected_keys
        hidden += self.query_layer(query).unsqueeze(1)
        return self.energy_layer(hidden.tanh()).squeeze(-1)
''',
    ),
    (
        "location_scorer",
        "pads with zeros beyond the positions",
        "Where there are more keys than positions the scores are filled up with zeros, instead of raising a "
        "ValueError.",
        '''
class LocationScorer(Scorer):
    def __init__(self, query_size: int, max_keys: int) -> None:
        super().__init__()
        self.position_layer = nn.Linear(query_size, max_keys, bias=False)  # W

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        scores = self.position_layer(query)
        missing = projected_keys.size(1) - scores.size(1)
        # a negative number cuts, a positive one fills up
        return nn.functional.pad(scores, (0, missing))
''',
    ),
    (
        "location_scorer",
        "limit taken from the query size",
        "The number of keys is compared with the layer's in_features, the size of the query, instead of the number of "
        "positions.",
        '''
class LocationScorer(Scorer):
    def __init__(self, query_size: int, max_keys: int) -> None:
        super().__init__()
        self.position_layer = nn.Linear(query_size, max_keys, bias=False)  # W

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        number = projected_keys.shape[1]
        known = self.position_layer.in_features
        if number > known:
            raise ValueError(f"{number} keys, but only {known} positions")
        return self.position_layer(query)[:, :number]
''',
    ),
    (
        "worth_scorer",
        "worth in front of the projection",
        "The scores are right, but project_keys puts the worth in front of the projected keys, where the text wants it "
        "behind them.",
        '''
class WorthScorer(Scorer):
    def __init__(self, query_size: int, key_size: int, rank: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, rank, bias=False)  # A
        self.key_layer = nn.Linear(key_size, rank, bias=False)  # B
        self.worth_layer = nn.Linear(key_size, 1, bias=False)  # u

    def project_keys(self, keys: Tensor) -> Tensor:
        return torch.cat([self.worth_layer(keys), self.key_layer(keys)], dim=-1)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        worth, thin = projected_keys[..., 0], projected_keys[..., 1:]
        products = torch.einsum("br,bkr->bk", self.query_layer(query), thin)
        return products / math.sqrt(thin.size(-1)) + worth
''',
    ),
    (
        "worth_scorer",
        "root of the size of the keys",
        "The product is divided by the root of the size of the keys before they were projected, instead of the root of "
        "the rank.",
        '''
class WorthScorer(Scorer):
    def __init__(self, query_size: int, key_size: int, rank: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, rank, bias=False)  # A
        self.key_layer = nn.Linear(key_size, rank, bias=False)  # B
        self.worth_layer = nn.Linear(key_size, 1, bias=False)  # u

    def project_keys(self, keys: Tensor) -> Tensor:
        return torch.cat((self.key_layer(keys), self.worth_layer(keys)), -1)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        size = self.key_layer.in_features
        a = self.query_layer(query).unsqueeze(-1)
        product = (projected_keys[..., :-1] @ a).squeeze(-1)
        return product / size**0.5 + projected_keys[..., -1]
''',
    ),
    (
        "score_behind",
        "weights compared instead of their logarithms",
        "The gap is measured between the weights instead of their logarithms, so any score passes whose differences "
        "show in small weights only.",
        '''
def score_behind(weights: Tensor, query: Tensor, keys: Tensor) -> tuple[str, float]:
    dot = (keys @ query.unsqueeze(-1)).squeeze(-1)
    candidates = {
        "dot": dot,
        "cosine": dot / (query.norm(dim=-1, keepdim=True) * keys.norm(dim=-1)),
        "distance": -(query.unsqueeze(1) - keys).pow(2).sum(-1),
    }
    logs = weights.log()
    logs = logs - logs.mean(-1, keepdim=True)
    for name, scores in candidates.items():
        centred = scores - scores.mean(-1, keepdim=True)
        factor = (logs * centred).sum() / centred.pow(2).sum()
        rebuilt = torch.softmax(factor * scores, dim=-1)
        if factor > 0 and (rebuilt - weights).abs().max() <= 0.001:
            return name, float(1 / factor)
    return "none", 0.0
''',
    ),
    (
        "score_behind",
        "a temperature for each sentence",
        "Each sentence is fitted with a factor of its own and the mean is returned, but the temperature has to be the "
        "same for all sentences.",
        '''
def score_behind(weights: Tensor, query: Tensor, keys: Tensor) -> tuple[str, float]:
    def centre(table):
        return table - table.mean(dim=1, keepdim=True)

    target = centre(torch.log(weights))
    pairs = query[:, None, :].expand_as(keys)
    for name, scores in [
        ("dot", (pairs * keys).sum(2)),
        ("cosine", torch.cosine_similarity(pairs, keys, dim=2)),
        ("distance", -((pairs - keys) ** 2).sum(2)),
    ]:
        scores = centre(scores)
        factor = (target * scores).sum(1, keepdim=True) / (scores * scores).sum(1, keepdim=True)
        gap = (target - factor * scores).abs().max().item()
        if gap <= 0.001 and bool((factor > 0).all()):
            return (name, (1 / factor).mean().item())
    return ("none", 0.0)
''',
    ),
]
