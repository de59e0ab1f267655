"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "hard_alignment",
        "rolled, one column overwritten",
        "The row is rolled and only a single column is set to -1, so with a shift of two or more words come in from the other end.",
        '''
def hard_alignment(weights: Tensor, source_mask: Tensor, shift: int = 0) -> Tensor:
    hidden = weights.masked_fill(~source_mask.unsqueeze(1), -math.inf)
    positions = hidden.argmax(dim=-1).roll(shift, dims=1)
    if shift < 0:
        positions[:, -1] = -1
    if shift > 0:
        positions[:, 0] = -1
    return positions
''',
    ),
    (
        "hard_alignment",
        "shift the wrong way, mask multiplied",
        "Word u is looked up at step u + shift instead of u - shift, and multiplying by the mask lets padding on the left win a tie when all real weights are 0.",
        '''
def hard_alignment(weights, source_mask, shift=0):
    best = (weights * source_mask[:, None, :]).argmax(-1)
    target_len = weights.size(1)
    step = torch.arange(target_len, device=weights.device) + shift
    there = (step >= 0) & (step < target_len)
    found = best[:, step.clamp(0, target_len - 1)]
    return torch.where(there, found, -torch.ones_like(found))
''',
    ),
    (
        "alignment_error",
        "sure links not counted as possible",
        "The possible links are taken as the table lists them, so a predicted sure link that is not listed there counts only half.",
        '''
def alignment_error(predicted: Tensor, sure: Tensor, possible: Tensor) -> Tensor:
    predicted = predicted.to(torch.get_default_dtype()) if predicted.dtype == torch.bool else predicted
    hits = (predicted * sure).sum() + (predicted * possible).sum()
    return 1 - hits / (predicted.sum() + sure.sum())
''',
    ),
    (
        "alignment_error",
        "mean of the sentences' rates",
        "The error rate is computed for each sentence and then averaged, so a short sentence counts as much as a long one.",
        '''
def alignment_error(predicted, sure, possible):
    allowed = sure | possible
    a = predicted.double() if predicted.dtype == torch.bool else predicted
    s, p = sure.to(a.dtype), allowed.to(a.dtype)
    top = torch.einsum("bts,bts->b", a, s) + torch.einsum("bts,bts->b", a, p)
    bottom = a.sum((1, 2)) + s.sum((1, 2))
    rates = 1 - top / bottom.clamp(min=1e-9)
    return rates.mean()
''',
    ),
    (
        "grow_diagonal",
        "a round sees its own links",
        "Links are added one by one while the cells are visited, so a round already looks at what it has added itself and the order of the cells matters.",
        '''
def grow_diagonal(forward: Tensor, backward: Tensor) -> Tensor:
    links = forward & backward
    either = forward | backward
    batch, words, tokens = links.shape
    found = True
    while found:
        found = False
        for b in range(batch):
            for t in range(words):
                for s in range(tokens):
                    if not either[b, t, s] or links[b, t, s]:
                        continue
                    around = links[b, max(t - 1, 0) : t + 2, max(s - 1, 0) : s + 2]
                    free = not links[b, t].any() or not links[b, :, s].any()
                    if around.any() and free:
                        links[b, t, s] = True
                        found = True
    return links
''',
    ),
    (
        "grow_diagonal",
        "free on both sides",
        "A link is only taken when neither its target word nor its source word has a link, while one of the two is enough.",
        '''
def grow_diagonal(forward, backward):
    links, either = forward & backward, forward | backward
    while True:
        near = F.max_pool2d(links.float().unsqueeze(1), 3, stride=1, padding=1).squeeze(1) > 0
        taken = links.any(2, keepdim=True) | links.any(1, keepdim=True)
        new = either & near & ~taken & ~links
        if not new.any():
            return links
        links = links | new
''',
    ),
    (
        "permute_weights",
        "padding takes part in the draw",
        "All places are put in the order of their draws and the padding is set to 0 afterwards, so weight goes to padding and is lost.",
        '''
def permute_weights(weights: Tensor, source_mask: Tensor, draws: Tensor) -> Tensor:
    order = draws.argsort(dim=-1)
    permuted = weights.gather(-1, order)
    return permuted * source_mask
''',
    ),
    (
        "permute_weights",
        "real tokens supposed to stand in front",
        "The real tokens are taken to be the first ones of the row, which is wrong when padding stands on the left or in between.",
        '''
def permute_weights(weights, source_mask, draws):
    keys = weights.size(-1)
    mask = source_mask.expand(weights.shape).reshape(-1, keys)
    rows, random = weights.reshape(-1, keys), draws.reshape(-1, keys)
    permuted = torch.zeros_like(rows)
    for row in range(rows.size(0)):
        n = int(mask[row].sum())
        order = random[row, :n].argsort()
        permuted[row, :n] = rows[row, :n][order]
    return permuted.reshape(weights.shape)
''',
    ),
    (
        "furthest_look",
        "trials that do not count get 0",
        "Trials that do not count are given the divergence 0, and 0 is then read as none, so a trial that counts but has the same weights is never chosen.",
        '''
def furthest_look(
    weights: Tensor, others: Tensor, output: Tensor, outputs: Tensor, tolerance: float
) -> tuple[Tensor, Tensor]:
    moved = (outputs - output).abs().sum(-1) / 2
    middle = (weights + others) / 2
    first = torch.xlogy(weights, weights) - torch.xlogy(weights, middle)
    second = torch.xlogy(others, others) - torch.xlogy(others, middle)
    apart = (first.sum(-1) + second.sum(-1)) / 2
    apart = apart.masked_fill(moved > tolerance, 0.0)
    divergence, chosen = apart.max(dim=0)
    chosen = torch.where(divergence > 0, chosen, torch.full_like(chosen, -1))
    return chosen, divergence
''',
    ),
    (
        "furthest_look",
        "no half in the total variation, bits",
        "The absolute differences of the outputs are not halved before they meet the tolerance, and the divergence is measured in bits instead of with the natural logarithm.",
        '''
def furthest_look(weights, others, output, outputs, tolerance):
    def part(x, m):
        return torch.where(x > 0, x * (torch.log2(x.clamp(min=1e-30)) - torch.log2(m.clamp(min=1e-30))), 0.0).sum(-1)

    moved = (outputs - output.unsqueeze(0)).abs().sum(dim=2)
    counts = moved <= tolerance
    m = 0.5 * (weights.unsqueeze(0) + others)
    js = 0.5 * part(weights.expand_as(others), m) + 0.5 * part(others, m)
    best, number = js.masked_fill(~counts, -1.0).max(0)
    none = ~counts.any(0)
    return number.masked_fill(none, -1), best.masked_fill(none, 0.0)
''',
    ),
]
