"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "feed_forward_attention",
        "minus a billion for padding",
        "Padding gets the score minus one billion before an ordinary softmax, so a sequence without a real step gets even weights instead of 0.",
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
        scores = torch.tanh(self.score_layer(states)).squeeze(-1)
        weights = torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
        context = torch.einsum("bt,bth->bh", weights, states)
        return context, weights
''',
    ),
    (
        "feed_forward_attention",
        "tanh of the states",
        "The tanh is applied to the states before the layer instead of to the number that the layer gives.",
        '''
class FeedForwardAttention(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.score_layer = nn.Linear(size, 1)  # w, b
        nn.init.normal_(self.score_layer.weight, std=1 / math.sqrt(size))
        nn.init.zeros_(self.score_layer.bias)

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        scores = self.score_layer(states.tanh())[:, :, 0]
        weights = masked_softmax(scores, mask)
        return weighted_sum(weights, states), weights
''',
    ),
    (
        "hops",
        "always from the first question",
        "What a hop has found is added to the first question instead of to the query of that hop, so the finds of earlier hops are lost.",
        '''
def hops(query: Tensor, embeddings: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    asked, looked = query, []
    for keys, values in itertools.pairwise(embeddings):
        scores = (keys @ asked.unsqueeze(-1)).squeeze(-1)
        found, weights = attend(scores, values, mask)
        asked = query + found
        looked.append(weights)
    return asked, torch.stack(looked, dim=1)
''',
    ),
    (
        "hops",
        "keys and values exchanged, hops in front",
        "The next embedding serves as key and the present one as value, and the weights are stacked with the hops before the batch.",
        '''
def hops(query, embeddings, mask):
    u = query
    weights = []
    for k in range(embeddings.size(0) - 1):
        m, c = embeddings[k + 1], embeddings[k]
        p = masked_softmax(torch.einsum("bs,bns->bn", u, m), mask)
        u = u + torch.einsum("bn,bns->bs", p, c)
        weights.append(p)
    return u, torch.stack(weights)
''',
    ),
    (
        "copy_distribution",
        "indexing that does not add up",
        "Adding by indexing keeps only one of the weights when a word stands at several places.",
        '''
def copy_distribution(
    weights: Tensor,
    extended_source: Tensor,
    extended_size: int,
) -> Tensor:
    probabilities = weights.new_zeros(weights.size(0), extended_size)
    rows = torch.arange(weights.size(0), device=weights.device).unsqueeze(1)
    probabilities[rows, extended_source] += weights
    return probabilities
''',
    ),
    (
        "copy_distribution",
        "mean over the places",
        "A word that stands at several places gets the mean of their weights instead of the sum.",
        '''
def copy_distribution(weights, extended_source, extended_size):
    at = F.one_hot(extended_source, extended_size).to(weights.dtype)
    total = torch.einsum("bs,bsw->bw", weights, at)
    places = at.sum(dim=1).clamp(min=1)
    return total / places
''',
    ),
    (
        "pointer_loss",
        "either written or copied",
        "A known word gets only the share that is written and an unknown one only the share that is copied, so a known word in the source loses its copies.",
        '''
def pointer_loss(
    generated: Tensor,
    weights: Tensor,
    gate: Tensor,
    extended_source: Tensor,
    target: Tensor,
    target_mask: Tensor,
) -> Tensor:
    vocab_size = generated.size(-1)
    known = target < vocab_size
    written = generated.gather(-1, target.clamp(max=vocab_size - 1).unsqueeze(-1)).squeeze(-1)
    same = target.unsqueeze(2) == extended_source.unsqueeze(1)
    copied = (weights * same).sum(-1)
    likely = torch.where(known, gate * written, (1 - gate) * copied)
    costs = -likely.clamp(min=1e-10).log()
    return costs.masked_fill(~target_mask, 0.0).sum() / target_mask.sum().clamp(min=1)
''',
    ),
    (
        "pointer_loss",
        "mean of the sentences' means",
        "The loss is averaged within each sentence and then over the sentences instead of over all real words of the batch.",
        '''
def pointer_loss(generated, weights, gate, extended_source, target, target_mask):
    batch, steps, vocab = generated.shape
    size = max(vocab, int(extended_source.max()) + 1, int(target.max()) + 1)
    p = F.pad(generated, (0, size - vocab)) * gate[:, :, None]
    index = extended_source[:, None, :].expand(-1, steps, -1)
    p = p.scatter_add(2, index, (1 - gate)[:, :, None] * weights)
    right = p.gather(2, target[:, :, None])[:, :, 0]
    nll = -torch.log(torch.clamp(right, min=1e-10)).masked_fill(~target_mask, 0.0)
    per_sentence = nll.sum(1) / target_mask.sum(1).clamp(min=1)
    return per_sentence.mean()
''',
    ),
    (
        "coverage_loss",
        "rolled round",
        "The running sums are rolled by one step, so the first step finds the sum of all steps as its coverage instead of nothing.",
        '''
def coverage_loss(weights: Tensor, target_mask: Tensor) -> Tensor:
    coverage = weights.cumsum(dim=1).roll(1, dims=1)
    again = torch.minimum(weights, coverage).sum(-1)
    again = again.masked_fill(~target_mask, 0.0)
    return again.sum() / target_mask.sum().clamp(min=1)
''',
    ),
    (
        "coverage_loss",
        "divided by all steps",
        "The padding steps are set to 0 but the mean divides by them as well.",
        '''
def coverage_loss(weights, target_mask):
    coverage = torch.zeros_like(weights[:, 0])
    costs = []
    for t in range(weights.size(1)):
        now = weights[:, t]
        costs.append(torch.minimum(now, coverage).sum(1))
        coverage = coverage + now
    costs = torch.stack(costs, dim=1) * target_mask
    return costs.mean()
''',
    ),
    (
        "underflow_proof",
        "a gap for float32 only",
        "The gap of 500 rounds the shares to 0 in float32, but float64 can still hold them and nothing goes wrong there.",
        '''
def underflow_proof(like: Tensor) -> tuple[Tensor, Tensor]:
    scores = torch.zeros_like(like)
    scores[:, -1] = 500.0
    mask = torch.ones_like(like, dtype=torch.bool)
    mask[:, -1] = False
    return scores, mask
''',
    ),
    (
        "underflow_proof",
        "always float32",
        "The scores are made in the default dtype instead of that of the tensor handed in.",
        '''
def underflow_proof(like):
    keys = like.size(1)
    scores = torch.full((1, keys), -1000.0)
    scores[0, 0] = 1000.0
    mask = torch.arange(keys).unsqueeze(0) > 0
    return scores, mask
''',
    ),
]
