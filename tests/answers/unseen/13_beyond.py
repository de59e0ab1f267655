"""Wrong answers written from the text of the exercise alone."""

_POOL = r'''
class FeedForwardAttention(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.score_layer = nn.Linear(size, 1)  # w, b
        nn.init.normal_(self.score_layer.weight, std=1 / math.sqrt(size))
        nn.init.zeros_(self.score_layer.bias)

'''

WRONG = [
    (
        "feed_forward_attention",
        "padding hidden before the tanh",
        "The padding's scores are set to minus infinity before the tanh, which makes -1 of them, so that padding "
        "keeps a share of the weights.",
        _POOL
        + '''
    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        energies = self.score_layer(states).squeeze(-1)
        energies = energies.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(torch.tanh(energies), dim=-1)
        return weighted_sum(weights, states), weights
''',
    ),
    (
        "feed_forward_attention",
        "the bias is left out",
        "The scores are made of the weight of the layer alone; its bias b, which does not cancel inside the tanh, is "
        "never added.",
        _POOL
        + '''
    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        w = self.score_layer.weight[0]
        e = torch.einsum("bts,s->bt", states, w).tanh()
        alpha = masked_softmax(e, mask)
        return weighted_sum(alpha, states), alpha
''',
    ),
    (
        "hops",
        "every hop asks with the first question",
        "All hops are scored with the first query, so what a hop has found never changes what the next one looks for.",
        '''
def hops(query: Tensor, embeddings: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    answer = query
    collected = []
    for keys, values in itertools.pairwise(embeddings):
        scores = (keys @ query.unsqueeze(-1)).squeeze(-1)
        found, weights = attend(scores, values, mask)
        answer = answer + found
        collected.append(weights)
    return answer, torch.stack(collected, dim=1)
''',
    ),
    (
        "hops",
        "the question is overwritten in place",
        "The query is changed in place by +=, so the caller's question is no longer what it was.",
        '''
def hops(query: Tensor, embeddings: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    u = query
    all_weights = []
    for k in range(len(embeddings) - 1):
        scores = torch.einsum("bs,bns->bn", u, embeddings[k])
        o, p = attend(scores, embeddings[k + 1], mask)
        u += o
        all_weights.append(p)
    return u, torch.stack(all_weights, 1)
''',
    ),
    (
        "copy_distribution",
        "id 0 taken for padding",
        "The weights at places with id 0 are dropped as if that id were padding, but 0 is a word like any other.",
        '''
def copy_distribution(
    weights: Tensor,
    extended_source: Tensor,
    extended_size: int,
) -> Tensor:
    real = extended_source != 0
    kept = weights * real
    p = weights.new_zeros(weights.size(0), extended_size)
    return p.scatter_add(1, extended_source, kept)
''',
    ),
    (
        "pointer_loss",
        "unknown words get the last word's share",
        "The ids beyond the vocabulary are clamped so that gather works, but what it fetched for them is not set to "
        "0, so an unknown word gets the generated probability of the vocabulary's last word.",
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
    known = target.clamp(max=vocab_size - 1)
    written = generated.gather(2, known.unsqueeze(2)).squeeze(2)
    same = extended_source.unsqueeze(1) == target.unsqueeze(2)  # (batch, target_len, source_len)
    copied = (weights * same).sum(-1)
    p = gate * written + (1 - gate) * copied
    cost = -p.clamp(min=1e-10).log()
    cost = cost.masked_fill(~target_mask, 0.0)
    return cost.sum() / target_mask.sum().clamp(min=1)
''',
    ),
    (
        "pointer_loss",
        "a mean of the sentences' means",
        "The costs are averaged in each sentence first and then over the sentences, so that a word of a short "
        "sentence counts more than one of a long sentence.",
        '''
def pointer_loss(
    generated: Tensor,
    weights: Tensor,
    gate: Tensor,
    extended_source: Tensor,
    target: Tensor,
    target_mask: Tensor,
) -> Tensor:
    beyond = target >= generated.shape[-1]
    p_vocab = generated.gather(-1, target.masked_fill(beyond, 0)[..., None])[..., 0]
    p_vocab = p_vocab.masked_fill(beyond, 0.0)
    match = (target[:, :, None] == extended_source[:, None, :]).to(weights.dtype)
    p_copy = torch.einsum("bts,bts->bt", weights, match)
    p = gate * p_vocab + (1 - gate) * p_copy
    nll = -torch.log(torch.clamp(p, min=1e-10))
    nll = torch.where(target_mask, nll, torch.zeros_like(nll))
    per_sentence = nll.sum(dim=1) / target_mask.sum(dim=1).clamp(min=1)
    return per_sentence.mean()
''',
    ),
    (
        "coverage_loss",
        "the first step hears the last coverage",
        "The running sums are rolled by one step, which brings the sum of all steps to the front: the first step "
        "should have a coverage of 0.",
        '''
def coverage_loss(weights: Tensor, target_mask: Tensor) -> Tensor:
    coverage = torch.cumsum(weights, dim=1).roll(1, dims=1)
    overlap = torch.minimum(weights, coverage).sum(-1)
    overlap = overlap.masked_fill(~target_mask, 0.0)
    return overlap.sum() / target_mask.sum().clamp(min=1)
''',
    ),
    (
        "coverage_loss",
        "only the step before counts",
        "Each step is compared with the one step before it, where the coverage is the sum over all steps before.",
        '''
def coverage_loss(weights: Tensor, target_mask: Tensor) -> Tensor:
    seen = torch.zeros_like(weights)
    for t in range(1, weights.size(1)):
        seen[:, t] = weights[:, t - 1]
    again = torch.min(weights, seen).sum(dim=2)
    number = max(int(target_mask.sum()), 1)
    return (again * target_mask).sum() / number
''',
    ),
    (
        "underflow_proof",
        "a gap for float32 only",
        "A gap of 500 makes the shares of the real keys 0 in float32, but in float64 they are still above 0 and "
        "nothing goes wrong.",
        '''
def underflow_proof(like: Tensor) -> tuple[Tensor, Tensor]:
    scores = torch.zeros_like(like)
    scores[:, -1] = 500.0
    mask = torch.ones(like.shape, dtype=torch.bool, device=like.device)
    mask[:, -1] = False
    return scores, mask
''',
    ),
    (
        "underflow_proof",
        "the harmless scores are overwritten",
        "The scores are written into the tensor that was handed in, which has to stay as it is.",
        '''
def underflow_proof(like: Tensor) -> tuple[Tensor, Tensor]:
    mask = torch.arange(like.size(1), device=like.device).unsqueeze(0) > 0
    scores = like
    scores[mask] = -900.0
    scores[~mask] = 900.0
    return scores, mask
''',
    ),
]
