"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "dot_scorer",
        "scaled by the number of keys",
        "The scores are divided, which the dot score is not, and by the root of the number of keys at that.",
        r'''
class DotScorer(Scorer):
    r"""Dot-product scores (Luong et al., 2015, section 3.1, equation 7, "dot").

    $$e_j = q^\top k_j$$

    Shape:
        query: (batch, size), the decoder state $q$
        keys: (batch, keys, size), the encoder states $k_j$
        scores: (batch, keys), unnormalised and unmasked

    Raises:
        RuntimeError: query and keys differ in size; dot scores need equal sizes.
    """

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        scores = torch.bmm(projected_keys, query.unsqueeze(2)).squeeze(2)
        return scores / math.sqrt(projected_keys.size(1))
''',
    ),
    (
        "dot_scorer",
        "squeezes every axis of size 1",
        "squeeze without an axis also drops the axis of a batch of one, or of a single key.",
        r'''
class DotScorer(Scorer):
    r"""Dot-product scores (Luong et al., 2015, section 3.1, equation 7, "dot").

    $$e_j = q^\top k_j$$

    Shape:
        query: (batch, size), the decoder state $q$
        keys: (batch, keys, size), the encoder states $k_j$
        scores: (batch, keys), unnormalised and unmasked

    Raises:
        RuntimeError: query and keys differ in size; dot scores need equal sizes.
    """

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        column = query[:, :, None]
        return (projected_keys @ column).squeeze()
''',
    ),
    (
        "dot_scorer",
        "weights in place of scores",
        "The scorer returns weights after a softmax and not raw scores.",
        r'''
class DotScorer(Scorer):
    r"""Dot-product scores (Luong et al., 2015, section 3.1, equation 7, "dot").

    $$e_j = q^\top k_j$$

    Shape:
        query: (batch, size), the decoder state $q$
        keys: (batch, keys, size), the encoder states $k_j$
        scores: (batch, keys), unnormalised and unmasked

    Raises:
        RuntimeError: query and keys differ in size; dot scores need equal sizes.
    """

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        scores = torch.einsum("bd,bkd->bk", query, projected_keys)
        return torch.softmax(scores, dim=-1)
''',
    ),
    (
        "bilinear_scorer",
        "projects at every query",
        "The keys are projected in score, once per query, and project_keys does nothing.",
        r'''
class BilinearScorer(Scorer):
    r"""Bilinear scores (Luong et al., 2015, section 3.1, equation 7, "general").

    $$e_j = q^\top W k_j$$

    $W$ carries the keys into the query's space, so the two may differ in size.
    $W k_j$ does not depend on the query: it is computed once per sentence.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), the encoder states $k_j$
        scores: (batch, keys), unnormalised and unmasked
    """

    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__()
        self.key_layer = nn.Linear(key_size, query_size, bias=False)  # W

    def project_keys(self, keys: Tensor) -> Tensor:
        return keys

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        carried = self.key_layer(projected_keys)
        return (carried @ query.unsqueeze(-1)).squeeze(-1)
''',
    ),
    (
        "bilinear_scorer",
        "tanh of the keys, unit queries",
        "The projected keys go through a tanh and the query is brought to length 1: neither is in the equation.",
        r'''
class BilinearScorer(Scorer):
    r"""Bilinear scores (Luong et al., 2015, section 3.1, equation 7, "general").

    $$e_j = q^\top W k_j$$

    $W$ carries the keys into the query's space, so the two may differ in size.
    $W k_j$ does not depend on the query: it is computed once per sentence.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), the encoder states $k_j$
        scores: (batch, keys), unnormalised and unmasked
    """

    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__()
        self.key_layer = nn.Linear(key_size, query_size, bias=False)  # W

    def project_keys(self, keys: Tensor) -> Tensor:
        return torch.tanh(self.key_layer(keys))

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        unit = query / query.norm(dim=-1, keepdim=True)
        return torch.einsum("bq,bkq->bk", unit, projected_keys)
''',
    ),
    (
        "bilinear_scorer",
        "W without gradient",
        "The matrix is taken by .data, so W never gets a gradient.",
        r'''
class BilinearScorer(Scorer):
    r"""Bilinear scores (Luong et al., 2015, section 3.1, equation 7, "general").

    $$e_j = q^\top W k_j$$

    $W$ carries the keys into the query's space, so the two may differ in size.
    $W k_j$ does not depend on the query: it is computed once per sentence.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), the encoder states $k_j$
        scores: (batch, keys), unnormalised and unmasked
    """

    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__()
        self.key_layer = nn.Linear(key_size, query_size, bias=False)  # W

    def project_keys(self, keys: Tensor) -> Tensor:
        W = self.key_layer.weight.data
        return keys @ W.T

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        return (query[:, None, :] * projected_keys).sum(dim=2)
''',
    ),
    (
        "additive_scorer",
        "tanh around the score",
        "The tanh is put around the whole score instead of the sum within it.",
        r'''
class AdditiveScorer(Scorer):
    r"""Additive scores (Bahdanau et al., 2015, appendix A.1.2).

    $$e_j = v^\top \tanh(W q + U k_j)$$

    The tanh is what makes the query count: without it, $v^\top W q$ is the same for every key, and the
    softmax cancels it.
    $U k_j$ does not depend on the query: it is computed once per sentence.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), the encoder states $k_j$
        scores: (batch, keys), unnormalised and unmasked
    """

    def __init__(self, query_size: int, key_size: int, attention_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, attention_size, bias=False)  # W
        self.key_layer = nn.Linear(key_size, attention_size, bias=False)  # U
        self.energy_layer = nn.Linear(attention_size, 1, bias=False)  # v

    def project_keys(self, keys: Tensor) -> Tensor:
        return self.key_layer(keys)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        both = self.query_layer(query).unsqueeze(1) + projected_keys
        return torch.tanh(self.energy_layer(both)).squeeze(-1)
''',
    ),
    (
        "additive_scorer",
        "keys of the first sentence for ever",
        "The projected keys are kept on the scorer from the first call, so every later batch is scored with the keys of the first.",
        r'''
class AdditiveScorer(Scorer):
    r"""Additive scores (Bahdanau et al., 2015, appendix A.1.2).

    $$e_j = v^\top \tanh(W q + U k_j)$$

    The tanh is what makes the query count: without it, $v^\top W q$ is the same for every key, and the
    softmax cancels it.
    $U k_j$ does not depend on the query: it is computed once per sentence.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), the encoder states $k_j$
        scores: (batch, keys), unnormalised and unmasked
    """

    def __init__(self, query_size: int, key_size: int, attention_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, attention_size, bias=False)  # W
        self.key_layer = nn.Linear(key_size, attention_size, bias=False)  # U
        self.energy_layer = nn.Linear(attention_size, 1, bias=False)  # v

    def project_keys(self, keys: Tensor) -> Tensor:
        if not hasattr(self, "projected"):
            self.projected = self.key_layer(keys)  # once per sentence
        return self.projected

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        asked = self.query_layer(query)[:, None]
        return self.energy_layer((asked + projected_keys).tanh())[..., 0]
''',
    ),
    (
        "additive_scorer",
        "ReLU, and one squeeze too many",
        "A ReLU stands in place of the tanh, and squeeze without an axis drops a batch of one or a single key.",
        r'''
class AdditiveScorer(Scorer):
    r"""Additive scores (Bahdanau et al., 2015, appendix A.1.2).

    $$e_j = v^\top \tanh(W q + U k_j)$$

    The tanh is what makes the query count: without it, $v^\top W q$ is the same for every key, and the
    softmax cancels it.
    $U k_j$ does not depend on the query: it is computed once per sentence.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), the encoder states $k_j$
        scores: (batch, keys), unnormalised and unmasked
    """

    def __init__(self, query_size: int, key_size: int, attention_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, attention_size, bias=False)  # W
        self.key_layer = nn.Linear(key_size, attention_size, bias=False)  # U
        self.energy_layer = nn.Linear(attention_size, 1, bias=False)  # v

    def project_keys(self, keys: Tensor) -> Tensor:
        return self.key_layer(keys)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        query = self.query_layer(query)
        hidden = torch.relu(projected_keys + query.view(query.size(0), 1, -1))
        return self.energy_layer(hidden).squeeze()
''',
    ),
    (
        "location_scorer",
        "the last positions",
        "The scores of the last positions are kept and not those of the first.",
        r'''
class LocationScorer(Scorer):
    r"""Location-based scores (Luong et al., 2015, section 3.1, equation 8).

    $$e = W q, \qquad e_j = W_{j,:}\, q$$

    The content of the keys is never looked at, only their number: row $j$ of $W$ scores position $j$.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), used for their number alone; keys ≤ max_keys
        scores: (batch, keys), unnormalised and unmasked

    Raises:
        ValueError: there are more keys than positions that the scorer knows.
    """

    def __init__(self, query_size: int, max_keys: int) -> None:
        super().__init__()
        self.position_layer = nn.Linear(query_size, max_keys, bias=False)  # W

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        keys, known = projected_keys.size(1), self.position_layer.out_features
        if keys > known:
            raise ValueError(f"{keys} keys, but only {known} positions")
        return self.position_layer(query)[:, known - keys :]
''',
    ),
    (
        "location_scorer",
        "refuses a full sentence",
        "As many keys as positions are refused, although each of them has a row.",
        r'''
class LocationScorer(Scorer):
    r"""Location-based scores (Luong et al., 2015, section 3.1, equation 8).

    $$e = W q, \qquad e_j = W_{j,:}\, q$$

    The content of the keys is never looked at, only their number: row $j$ of $W$ scores position $j$.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), used for their number alone; keys ≤ max_keys
        scores: (batch, keys), unnormalised and unmasked

    Raises:
        ValueError: there are more keys than positions that the scorer knows.
    """

    def __init__(self, query_size: int, max_keys: int) -> None:
        super().__init__()
        self.position_layer = nn.Linear(query_size, max_keys, bias=False)  # W

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        scores = self.position_layer(query)
        if not projected_keys.shape[1] < scores.shape[1]:
            raise ValueError("more keys than the scorer has positions for")
        return scores.narrow(1, 0, projected_keys.shape[1])
''',
    ),
    (
        "location_scorer",
        "softmax over all positions, no error",
        "A softmax over all positions that the layer knows comes before the cut, and too many keys are not refused.",
        r'''
class LocationScorer(Scorer):
    r"""Location-based scores (Luong et al., 2015, section 3.1, equation 8).

    $$e = W q, \qquad e_j = W_{j,:}\, q$$

    The content of the keys is never looked at, only their number: row $j$ of $W$ scores position $j$.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), used for their number alone; keys ≤ max_keys
        scores: (batch, keys), unnormalised and unmasked

    Raises:
        ValueError: there are more keys than positions that the scorer knows.
    """

    def __init__(self, query_size: int, max_keys: int) -> None:
        super().__init__()
        self.position_layer = nn.Linear(query_size, max_keys, bias=False)  # W

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        number = projected_keys.size(-2)
        everywhere = torch.softmax(query @ self.position_layer.weight.T, dim=-1)
        return everywhere[:, :number]
''',
    ),
    (
        "worth_scorer",
        "root of the wrong number",
        "The root is taken of rank + 1, the width of the tensor that travels, and not of the rank.",
        r'''
class WorthScorer(Scorer):
    r"""A bilinear score of low rank, scaled, and what a key is worth to every query (compare Dozat & Manning, 2017).

    $$e_j = \frac{(A q)^\top (B k_j)}{\sqrt{r}} + u^\top k_j$$

    What does not depend on the query is one tensor: $B k_j$, with $u^\top k_j$ behind it.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), the encoder states $k_j$
        projected keys: (batch, keys, rank + 1)
        scores: (batch, keys), unnormalised and unmasked
    """

    def __init__(self, query_size: int, key_size: int, rank: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, rank, bias=False)  # A
        self.key_layer = nn.Linear(key_size, rank, bias=False)  # B
        self.worth_layer = nn.Linear(key_size, 1, bias=False)  # u

    def project_keys(self, keys: Tensor) -> Tensor:
        return torch.cat([self.key_layer(keys), self.worth_layer(keys)], dim=-1)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        size = projected_keys.size(-1)
        product = projected_keys[..., :-1] @ self.query_layer(query).unsqueeze(-1)
        return product.squeeze(-1) / math.sqrt(size) + projected_keys[..., -1]
''',
    ),
    (
        "worth_scorer",
        "worth in front, and all divided",
        "The worth stands before B k_j and not behind it, and it is divided by the root as well.",
        r'''
class WorthScorer(Scorer):
    r"""A bilinear score of low rank, scaled, and what a key is worth to every query (compare Dozat & Manning, 2017).

    $$e_j = \frac{(A q)^\top (B k_j)}{\sqrt{r}} + u^\top k_j$$

    What does not depend on the query is one tensor: $B k_j$, with $u^\top k_j$ behind it.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), the encoder states $k_j$
        projected keys: (batch, keys, rank + 1)
        scores: (batch, keys), unnormalised and unmasked
    """

    def __init__(self, query_size: int, key_size: int, rank: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, rank, bias=False)  # A
        self.key_layer = nn.Linear(key_size, rank, bias=False)  # B
        self.worth_layer = nn.Linear(key_size, 1, bias=False)  # u

    def project_keys(self, keys: Tensor) -> Tensor:
        worth, carried = self.worth_layer(keys), self.key_layer(keys)
        return torch.cat((worth, carried), dim=2)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        asked = self.query_layer(query)
        asked = torch.cat([torch.ones_like(asked[:, :1]), asked], dim=1)
        scores = torch.einsum("br,bkr->bk", asked, projected_keys)
        return scores / math.sqrt(asked.size(1) - 1)
''',
    ),
    (
        "worth_scorer",
        "divides the caller's keys",
        "The projected keys are divided in place at every query, so each step of the decoder finds them smaller than the one before.",
        r'''
class WorthScorer(Scorer):
    r"""A bilinear score of low rank, scaled, and what a key is worth to every query (compare Dozat & Manning, 2017).

    $$e_j = \frac{(A q)^\top (B k_j)}{\sqrt{r}} + u^\top k_j$$

    What does not depend on the query is one tensor: $B k_j$, with $u^\top k_j$ behind it.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), the encoder states $k_j$
        projected keys: (batch, keys, rank + 1)
        scores: (batch, keys), unnormalised and unmasked
    """

    def __init__(self, query_size: int, key_size: int, rank: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, rank, bias=False)  # A
        self.key_layer = nn.Linear(key_size, rank, bias=False)  # B
        self.worth_layer = nn.Linear(key_size, 1, bias=False)  # u

    def project_keys(self, keys: Tensor) -> Tensor:
        batch, number, _ = keys.shape
        projected = keys.new_empty(batch, number, self.key_layer.out_features + 1)
        projected[:, :, :-1] = self.key_layer(keys)
        projected[:, :, -1] = self.worth_layer(keys).squeeze(-1)
        return projected

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        carried, worth = projected_keys[..., :-1], projected_keys[..., -1]
        carried /= math.sqrt(self.query_layer.out_features)
        return torch.bmm(carried, self.query_layer(query).unsqueeze(2)).squeeze(2) + worth
''',
    ),
    (
        "score_behind",
        "any sign will do",
        "The sign of the factor is not looked at, so weights of a temperature below 0 are explained as well.",
        r'''
def score_behind(weights: Tensor, query: Tensor, keys: Tensor) -> tuple[str, float]:
    r"""Which score is behind weights whose query and keys are known, and at which temperature.

    $$\alpha_j = \frac{\exp(e_j / \tau)}{\sum_l \exp(e_l / \tau)}$$

    The score is the dot product $q^\top k_j$, the cosine $q^\top k_j / (\lVert q \rVert \lVert k_j \rVert)$, or minus
    the squared distance $\lVert q - k_j \rVert^2$, and $\tau > 0$ is one number for all sentences.
    It fits if it explains every $\log \alpha_j$ up to 0.001.

    Shape:
        weights: (batch, keys), none of them 0, at least 3 keys
        query: (batch, size)
        keys: (batch, keys, size)
        returns: "dot", "cosine" or "distance", and the temperature; "none" and 0.0 where none of the three fits
    """
    logs = weights.log()
    logs = logs - logs.mean(1, keepdim=True)
    dots = (keys @ query.unsqueeze(-1)).squeeze(-1)
    lengths = query.norm(dim=-1, keepdim=True) * keys.norm(dim=-1)
    squares = (query.unsqueeze(1) - keys).square().sum(-1)
    for name, scores in (("dot", dots), ("cosine", dots / lengths), ("distance", -squares)):
        scores = scores - scores.mean(1, keepdim=True)
        factor = (logs * scores).sum() / scores.square().sum()
        if (logs - factor * scores).abs().max() < 0.001:
            return name, abs(float(1 / factor))
    return "none", 0.0
''',
    ),
    (
        "score_behind",
        "correlation, sentence by sentence",
        "A high correlation is taken for a fit, and each sentence may have a temperature of its own, of which the mean is returned.",
        r'''
def score_behind(weights: Tensor, query: Tensor, keys: Tensor) -> tuple[str, float]:
    r"""Which score is behind weights whose query and keys are known, and at which temperature.

    $$\alpha_j = \frac{\exp(e_j / \tau)}{\sum_l \exp(e_l / \tau)}$$

    The score is the dot product $q^\top k_j$, the cosine $q^\top k_j / (\lVert q \rVert \lVert k_j \rVert)$, or minus
    the squared distance $\lVert q - k_j \rVert^2$, and $\tau > 0$ is one number for all sentences.
    It fits if it explains every $\log \alpha_j$ up to 0.001.

    Shape:
        weights: (batch, keys), none of them 0, at least 3 keys
        query: (batch, size)
        keys: (batch, keys, size)
        returns: "dot", "cosine" or "distance", and the temperature; "none" and 0.0 where none of the three fits
    """
    def centred(table):
        return table - table.mean(dim=-1, keepdim=True)

    logs = centred(torch.log(weights))
    candidates = {
        "dot": torch.einsum("bd,bkd->bk", query, keys),
        "cosine": torch.cosine_similarity(query[:, None], keys, dim=-1),
        "distance": -((query[:, None] - keys) ** 2).sum(-1),
    }
    for name, scores in candidates.items():
        scores = centred(scores)
        both = (logs * scores).sum(-1)
        correlation = both / (logs.norm(dim=-1) * scores.norm(dim=-1))
        if bool((correlation > 0.999).all()):
            return name, float(((scores**2).sum(-1) / both).mean())
    return "none", 0.0
''',
    ),
    (
        "score_behind",
        "a grid of temperatures, compared by weight",
        "Only the temperatures of a coarse grid are tried, and it is the weights and not their logarithms that have to agree to 0.001.",
        r'''
def score_behind(weights: Tensor, query: Tensor, keys: Tensor) -> tuple[str, float]:
    r"""Which score is behind weights whose query and keys are known, and at which temperature.

    $$\alpha_j = \frac{\exp(e_j / \tau)}{\sum_l \exp(e_l / \tau)}$$

    The score is the dot product $q^\top k_j$, the cosine $q^\top k_j / (\lVert q \rVert \lVert k_j \rVert)$, or minus
    the squared distance $\lVert q - k_j \rVert^2$, and $\tau > 0$ is one number for all sentences.
    It fits if it explains every $\log \alpha_j$ up to 0.001.

    Shape:
        weights: (batch, keys), none of them 0, at least 3 keys
        query: (batch, size)
        keys: (batch, keys, size)
        returns: "dot", "cosine" or "distance", and the temperature; "none" and 0.0 where none of the three fits
    """
    dot = (query.unsqueeze(1) * keys).sum(-1)
    cosine = dot / (query.norm(dim=1)[:, None] * keys.norm(dim=2))
    distance = -torch.cdist(query.unsqueeze(1), keys).squeeze(1) ** 2
    for name, scores in zip(("dot", "cosine", "distance"), (dot, cosine, distance)):
        for hundredth in range(5, 1000):
            temperature = hundredth / 100
            if torch.allclose(torch.softmax(scores / temperature, dim=-1), weights, rtol=0, atol=1e-3):
                return name, temperature
    return "none", 0.0
''',
    ),
]
