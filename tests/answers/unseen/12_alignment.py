"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "hard_alignment",
        "words before the first step clamped",
        "Only words past the last step get -1; with a positive shift the words that no step speaks of at the beginning"
        " get the answer of step 0.",
        '''
def hard_alignment(weights: Tensor, source_mask: Tensor, shift: int = 0) -> Tensor:
    best = weights.masked_fill(~source_mask.unsqueeze(1), -torch.inf).argmax(-1)
    target_len = best.size(1)
    step = torch.arange(target_len, device=weights.device) - shift
    positions = best[:, step.clamp(0, target_len - 1)]
    positions[:, step >= target_len] = -1
    return positions
''',
    ),
    (
        "hard_alignment",
        "padding only multiplied by zero",
        "Padding is set to weight 0 and not below every weight, so where all the weight of a step lies on padding, a"
        " padding at the beginning wins the tie.",
        '''
def hard_alignment(weights: Tensor, source_mask: Tensor, shift: int = 0) -> Tensor:
    batch, target_len, _ = weights.shape
    best = (weights * source_mask[:, None, :]).argmax(dim=2)
    positions = torch.full((batch, target_len), -1, dtype=torch.int64, device=weights.device)
    for t in range(target_len):
        if 0 <= t + shift < target_len:
            positions[:, t + shift] = best[:, t]
    return positions
''',
    ),
    (
        "alignment_error",
        "sure links left out of the possible",
        "The second term counts only the links that are possible and not sure, although every sure link is possible"
        " too and has to count in both terms.",
        '''
def alignment_error(predicted: Tensor, sure: Tensor, possible: Tensor) -> Tensor:
    merely_possible = possible & ~sure
    hits = (predicted * sure).sum() + (predicted * merely_possible).sum()
    return 1 - hits / (predicted.sum() + sure.sum())
''',
    ),
    (
        "alignment_error",
        "weights turned into links first",
        "Weights are cut at one half before they are counted, so the soft error rate, in which being unsure costs, is"
        " never computed.",
        '''
def alignment_error(predicted: Tensor, sure: Tensor, possible: Tensor) -> Tensor:
    links = predicted if predicted.dtype == torch.bool else predicted > 0.5
    allowed = sure | possible
    right = (links & sure).sum() + (links & allowed).sum()
    return 1.0 - right / (links.sum() + sure.sum())
''',
    ),
    (
        "grow_diagonal",
        "free judged by the first links only",
        "Which words and tokens are free is asked once, of the links that both tables share, so later rounds add links"
        " whose word and token were linked in the meantime.",
        '''
def grow_diagonal(forward: Tensor, backward: Tensor) -> Tensor:
    links = forward & backward
    either = forward | backward
    free = ~links.any(2, keepdim=True) | ~links.any(1, keepdim=True)
    while True:
        touching = F.max_pool2d(links.float(), kernel_size=3, stride=1, padding=1) > 0
        grown = links | (either & touching & free)
        if torch.equal(grown, links):
            return links
        links = grown
''',
    ),
    (
        "grow_diagonal",
        "a round sees its own links",
        "Links are written into the table while a round still visits its cells, so later cells of the same round see"
        " them and the result depends on the order.",
        '''
def grow_diagonal(forward: Tensor, backward: Tensor) -> Tensor:
    links = forward & backward
    batch, words, tokens = forward.shape
    for b in range(batch):
        changed = True
        while changed:
            changed = False
            for t in range(words):
                for s in range(tokens):
                    if links[b, t, s] or not (forward[b, t, s] or backward[b, t, s]):
                        continue
                    touches = links[b, max(0, t - 1) : t + 2, max(0, s - 1) : s + 2].any()
                    free = not links[b, t].any() or not links[b, :, s].any()
                    if touches and free:
                        links[b, t, s] = True
                        changed = True
    return links
''',
    ),
    (
        "permute_weights",
        "permuted weights put at the front",
        "The permuted weights are laid down from the first place on, which is right only where all padding stands at"
        " the end.",
        '''
def permute_weights(weights: Tensor, source_mask: Tensor, draws: Tensor) -> Tensor:
    mask = source_mask.expand_as(weights)
    order = draws.masked_fill(~mask, 2.0).argsort(-1)  # padding comes last
    return weights.gather(-1, order)
''',
    ),
    (
        "permute_weights",
        "padding permuted too, then normalised again",
        "All places change, padding among them, then padding is set to 0 and the row normalised, so weights of real"
        " tokens are lost and the others grow.",
        '''
def permute_weights(weights: Tensor, source_mask: Tensor, draws: Tensor) -> Tensor:
    shuffled = torch.take_along_dim(weights, draws.argsort(dim=-1), dim=-1)
    shuffled = shuffled * source_mask
    total = shuffled.sum(dim=-1, keepdim=True)
    return shuffled / torch.where(total == 0, torch.ones_like(total), total)
''',
    ),
    (
        "furthest_look",
        "trials that do not count get divergence zero",
        "Trials that moved the output are given a divergence of 0, so one of them may win against a trial that counts"
        " and has a divergence of 0.",
        '''
def furthest_look(
    weights: Tensor, others: Tensor, output: Tensor, outputs: Tensor, tolerance: float
) -> tuple[Tensor, Tensor]:
    moved = (outputs - output).abs().sum(-1) / 2
    counts = moved <= tolerance
    middle = (weights + others) / 2
    left = torch.xlogy(weights, weights) - torch.xlogy(weights, middle)
    right = torch.xlogy(others, others) - torch.xlogy(others, middle)
    divergence = (left + right).sum(-1) / 2
    largest, chosen = (divergence * counts).max(dim=0)
    chosen = torch.where(counts.any(0), chosen, torch.full_like(chosen, -1))
    return chosen, largest
''',
    ),
    (
        "furthest_look",
        "divergence in bits",
        "The logarithm has base 2 and not e, so every divergence is too large by the factor 1 / log 2.",
        '''
def furthest_look(
    weights: Tensor, others: Tensor, output: Tensor, outputs: Tensor, tolerance: float
) -> tuple[Tensor, Tensor]:
    def relative_entropy(a, b):
        quotient = torch.where(a > 0, a / b, torch.ones_like(a))
        return (a * quotient.log2()).sum(-1)

    alpha = weights.expand_as(others)
    m = 0.5 * (alpha + others)
    divergence = 0.5 * relative_entropy(alpha, m) + 0.5 * relative_entropy(others, m)
    distance = 0.5 * (output.unsqueeze(0) - outputs).abs().sum(-1)
    divergence = divergence.masked_fill(distance > tolerance, -1.0)
    value, chosen = divergence.max(0)
    none = value < 0
    return chosen.masked_fill(none, -1), value.masked_fill(none, 0.0)
''',
    ),
    (
        "furthest_look",
        "largest difference at one word",
        "The movement of the output is the largest difference at one word and not half the sum over all words, so"
        " trials count that moved the output too far.",
        '''
def furthest_look(
    weights: Tensor, others: Tensor, output: Tensor, outputs: Tensor, tolerance: float
) -> tuple[Tensor, Tensor]:
    near = (outputs - output[None]).abs().amax(-1) <= tolerance
    chosen, found = [], []
    for b in range(weights.shape[0]):
        number, best = -1, weights.new_zeros(())
        for n in range(others.shape[0]):
            if not near[n, b]:
                continue
            p, q = weights[b], others[n, b]
            m = (p + q) / 2
            js = (torch.xlogy(p, p) + torch.xlogy(q, q)).sum() / 2 - torch.xlogy(m, m).sum()
            if number == -1 or js > best:
                number, best = n, js
        chosen.append(number)
        found.append(best)
    return torch.tensor(chosen, device=weights.device), torch.stack(found)
''',
    ),
]
