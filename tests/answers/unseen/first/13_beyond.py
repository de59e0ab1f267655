"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "feed_forward_attention",
        "tanh of the states instead of the score",
        "The tanh is put around the states before the layer instead of around the layer's result, so the scores are not "
        "bounded.",
        '''
class FeedForwardAttention(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.score_layer = nn.Linear(size, 1)  # w, b
        nn.init.normal_(self.score_layer.weight, std=1 / math.sqrt(size))
        nn.init.zeros_(self.score_layer.bias)

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        scores = self.score_layer(torch.tanh(states)).squeeze(-1)
        weights = masked_softmax(scores, mask)
        return weighted_sum(weights, states), weights
''',
    ),
    (
        "feed_forward_attention",
        "the divisor kept at 1 or more",
        "The sum that the exponentials are divided by is clamped to at least 1, so where it is smaller, as with one real "
        "step of a low score, the weights do not sum to 1.",
        '''
class FeedForwardAttention(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.score_layer = nn.Linear(size, 1)  # w, b
        nn.init.normal_(self.score_layer.weight, std=1 / math.sqrt(size))
        nn.init.zeros_(self.score_layer.bias)

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        if mask.dtype != torch.bool:
            raise TypeError("the mask has to be boolean")
        energies = torch.tanh(self.score_layer(states))[:, :, 0]
        shares = energies.exp().masked_fill(~mask, 0.0)  # tanh keeps them small
        weights = shares / shares.sum(dim=1, keepdim=True).clamp(min=1)
        context = torch.einsum("bt,bts->bs", weights, states)
        return context, weights
''',
    ),
    (
        "hops",
        "scaled scores",
        "The scores are divided by the root of the size, as in the Transformer; here they are plain dot products.",
        '''
def hops(query: Tensor, embeddings: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    looked = []
    for keys, values in itertools.pairwise(embeddings):
        scores = torch.einsum("bsd,bd->bs", keys, query) / math.sqrt(query.size(-1))
        found, weights = attend(scores, values, mask)
        looked.append(weights)
        query = query + found
    return query, torch.stack(looked, dim=1)
''',
    ),
    (
        "hops",
        "the question itself is changed",
        "What a hop has found is added to the query in place, so the caller's question is changed.",
        '''
def hops(query: Tensor, embeddings: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    all_weights = []
    for k in range(len(embeddings) - 1):
        scores = (embeddings[k] @ query[:, :, None]).squeeze(2)
        weights = masked_softmax(scores, mask)
        query += weighted_sum(weights, embeddings[k + 1])
        all_weights += [weights]
    return query, torch.stack(all_weights, 1)
''',
    ),
    (
        "copy_distribution",
        "indexed assignment keeps one place",
        "The weights are put at their words' ids, which replaces instead of adding, so a word that stands at several "
        "places gets the weight of one of them.",
        '''
def copy_distribution(
    weights: Tensor,
    extended_source: Tensor,
    extended_size: int,
) -> Tensor:
    batch = weights.size(0)
    rows = torch.arange(batch, device=weights.device).unsqueeze(1)
    probabilities = weights.new_zeros(batch, extended_size)
    return probabilities.index_put((rows, extended_source), weights)
''',
    ),
    (
        "copy_distribution",
        "as wide as the largest id",
        "The table is made as wide as the largest id that occurs in the batch, not as the extended vocabulary, so words "
        "that no sentence has are missing from it.",
        '''
def copy_distribution(
    weights: Tensor,
    extended_source: Tensor,
    extended_size: int,
) -> Tensor:
    width = min(extended_size, int(extended_source.max()) + 1)
    ids = torch.arange(width, device=extended_source.device)
    stands_here = (extended_source.unsqueeze(-1) == ids).to(weights.dtype)
    return (weights.unsqueeze(1) @ stands_here).squeeze(1)
''',
    ),
    (
        "pointer_loss",
        "clamped after the logarithm",
        "The logarithm is taken first and clamped afterwards; the loss is right, but for a word of probability 0 the "
        "gradient is NaN.",
        '''
def pointer_loss(
    generated: Tensor,
    weights: Tensor,
    gate: Tensor,
    extended_source: Tensor,
    target: Tensor,
    target_mask: Tensor,
) -> Tensor:
    known = target < generated.size(-1)
    written = generated.gather(-1, (target * known).unsqueeze(-1)).squeeze(-1) * known
    same = target.unsqueeze(2) == extended_source.unsqueeze(1)
    copied = (weights * same).sum(dim=-1)
    probability = gate * written + (1 - gate) * copied
    costs = -probability.log().clamp(min=math.log(1e-10))
    return costs.masked_fill(~target_mask, 0.0).sum() / target_mask.sum().clamp(min=1)
''',
    ),
    (
        "pointer_loss",
        "an unknown word borrows the last known one's probability",
        "The id of an unknown word is clamped to the last known word for gather, but what that fetches is not replaced "
        "by 0, so unknown words seem to be written too.",
        '''
def pointer_loss(
    generated: Tensor,
    weights: Tensor,
    gate: Tensor,
    extended_source: Tensor,
    target: Tensor,
    target_mask: Tensor,
) -> Tensor:
    safe = target.clamp(max=generated.shape[-1] - 1)
    written = torch.take_along_dim(generated, safe[..., None], dim=-1)[..., 0]
    match = (extended_source[:, None, :] == target[:, :, None]).to(weights.dtype)
    copied = torch.einsum("bts,bts->bt", weights, match)
    mixed = torch.lerp(copied, written, gate)
    losses = -mixed.clamp(min=1e-10).log()
    count = target_mask.sum()
    return (losses * target_mask).sum() / torch.clamp(count, min=1)
''',
    ),
    (
        "coverage_loss",
        "the first step is covered by all the others",
        "The running sums are moved one step on by roll, which brings the sum over all steps round to the first step, "
        "whose coverage should be 0.",
        '''
def coverage_loss(weights: Tensor, target_mask: Tensor) -> Tensor:
    coverage = weights.cumsum(dim=1).roll(1, dims=1)
    again = torch.minimum(weights, coverage).sum(dim=-1)
    return again.masked_fill(~target_mask, 0.0).sum() / target_mask.sum().clamp(min=1)
''',
    ),
    (
        "coverage_loss",
        "a product for the minimum, and 0 / 0",
        "Weights and coverage are multiplied instead of taking the smaller one of each pair, and where no word is real "
        "the loss is NaN.",
        '''
def coverage_loss(weights: Tensor, target_mask: Tensor) -> Tensor:
    covered = torch.zeros_like(weights[:, 0])
    costs = []
    for step in weights.unbind(dim=1):
        costs.append((step * covered).sum(dim=-1))
        covered = covered + step
    costs = torch.stack(costs, dim=1)
    return costs[target_mask].mean()
''',
    ),
    (
        "underflow_proof",
        "a gap that float64 survives",
        "The padding's score is 200 above the others, which rounds to 0 in float32, but float64 still has room for it.",
        '''
def underflow_proof(like: Tensor) -> tuple[Tensor, Tensor]:
    scores = torch.zeros_like(like)
    scores[:, -1] = 200.0
    mask = torch.ones_like(like, dtype=torch.bool)
    mask[:, -1] = False
    return scores, mask
''',
    ),
    (
        "underflow_proof",
        "evenly spaced scores",
        "The scores are spread evenly from -1000 to 1000, so with many keys the best real one is too near to the "
        "padding's for its share to round to 0.",
        '''
def underflow_proof(like: Tensor) -> tuple[Tensor, Tensor]:
    keys = like.size(-1)
    scores = torch.linspace(-1000, 1000, keys, dtype=like.dtype, device=like.device)[None]
    mask = (torch.arange(keys, device=like.device) < keys - 1)[None]
    return scores, mask
''',
    ),
]
