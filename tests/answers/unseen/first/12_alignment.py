"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "hard_alignment",
        "shifted the wrong way",
        "Word u asks step u + s instead of step u - s, so every shift goes in the opposite direction.",
        '''
def hard_alignment(weights: Tensor, source_mask: Tensor, shift: int = 0) -> Tensor:
    best = weights.masked_fill(~source_mask.unsqueeze(1), -math.inf).argmax(dim=-1)
    length = best.size(1)
    step = torch.arange(length, device=best.device) + shift
    spoken = (step >= 0) & (step < length)
    return best[:, step.clamp(0, length - 1)].masked_fill(~spoken, -1)
''',
    ),
    (
        "hard_alignment",
        "zeros for padding, and one end forgotten",
        "Padding is multiplied by 0, which wins a tie where all real weights are 0, and with a negative shift the last "
        "words keep the position of the last step instead of -1.",
        '''
def hard_alignment(weights: Tensor, source_mask: Tensor, shift: int = 0) -> Tensor:
    chosen = torch.argmax(weights * source_mask[:, None, :], dim=2)
    batch, target_len = chosen.shape
    positions = chosen.new_full((batch, target_len), -1)
    for word in range(target_len):
        step = word - shift
        if step >= 0:
            positions[:, word] = chosen[:, min(step, target_len - 1)]
    return positions
''',
    ),
    (
        "alignment_error",
        "sure links taken out of the possible ones",
        "Sure links are removed from the possible ones before they are counted, although every sure link is possible "
        "too; so a perfect alignment has an error of one half.",
        '''
def alignment_error(predicted: Tensor, sure: Tensor, possible: Tensor) -> Tensor:
    only_possible = possible & ~sure
    hits = (predicted * sure).sum() + (predicted * only_possible).sum()
    return 1 - hits / (predicted.sum() + sure.sum())
''',
    ),
    (
        "alignment_error",
        "links counted by whether they are above 0",
        "The size of A is the number of cells that are not 0, which is right for links, but for weights it should be "
        "their sum.",
        '''
def alignment_error(predicted: Tensor, sure: Tensor, possible: Tensor) -> Tensor:
    allowed = torch.logical_or(sure, possible)
    found_sure = predicted[sure].sum()
    found_possible = predicted[allowed].sum()
    size = torch.count_nonzero(predicted) + torch.count_nonzero(sure)
    return 1.0 - (found_sure + found_possible) / size
''',
    ),
    (
        "grow_diagonal",
        "both words have to be free",
        "A link is added only where its target word and its source word are both without a link; one of the two is "
        "enough.",
        '''
def grow_diagonal(forward: Tensor, backward: Tensor) -> Tensor:
    either = forward | backward
    links = forward & backward
    while True:
        near = F.max_pool2d(links.float(), kernel_size=3, stride=1, padding=1) > 0
        word_linked = links.any(dim=2, keepdim=True)
        token_linked = links.any(dim=1, keepdim=True)
        found = either & near & ~(word_linked | token_linked) & ~links
        if not found.any():
            return links
        links = links | found
''',
    ),
    (
        "grow_diagonal",
        "neighbours across the edge",
        "The neighbours are found by rolling the table, which goes round: a cell at the edge counts as a neighbour of "
        "the one at the opposite edge.",
        '''
def grow_diagonal(forward: Tensor, backward: Tensor) -> Tensor:
    links, union = forward & backward, forward | backward
    moves = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
    found = torch.ones_like(links)
    while bool(found.any()):
        touched = torch.zeros_like(links)
        for move in moves:
            touched = touched | torch.roll(links, shifts=move, dims=(1, 2))
        free = ~links.any(-1, keepdim=True) | ~links.any(-2, keepdim=True)
        found = union & touched & free & ~links
        links = links | found
    return links
''',
    ),
    (
        "permute_weights",
        "the draws of padding count",
        "All places are sorted by their draws, padding among them, and the first few are taken; so a real token may get "
        "the 0 of padding, and weight is lost.",
        '''
def permute_weights(weights: Tensor, source_mask: Tensor, draws: Tensor) -> Tensor:
    keys = weights.size(-1)
    mask = source_mask.expand_as(weights).reshape(-1, keys)
    flat, numbers = weights.reshape(-1, keys), draws.reshape(-1, keys)
    rows = []
    for row, real, number in zip(flat, mask, numbers, strict=True):
        places = real.nonzero().flatten()
        order = number.argsort()[: len(places)]
        rows.append(torch.zeros_like(row).index_put((places,), row[order]))
    return torch.stack(rows).reshape(weights.shape)
''',
    ),
    (
        "permute_weights",
        "padding is supposed to stand at the end",
        "The weights are put down from the first column on in the order of their draws, which is right only where all "
        "padding stands at the end of the row.",
        '''
def permute_weights(weights: Tensor, source_mask: Tensor, draws: Tensor) -> Tensor:
    late = torch.where(source_mask, draws, torch.full_like(draws, 2.0))
    order = late.argsort(dim=-1)
    return weights.gather(-1, order) * source_mask
''',
    ),
    (
        "furthest_look",
        "the root of the divergence",
        "The square root is taken at the end, as SciPy's Jensen-Shannon distance does; the divergence itself was asked "
        "for.",
        '''
def furthest_look(
    weights: Tensor, others: Tensor, output: Tensor, outputs: Tensor, tolerance: float
) -> tuple[Tensor, Tensor]:
    moved = 0.5 * (outputs - output).abs().sum(dim=-1)  # (trials, batch)
    middle = (weights + others) / 2
    first = (torch.xlogy(weights, weights) - torch.xlogy(weights, middle)).sum(-1)
    second = (torch.xlogy(others, others) - torch.xlogy(others, middle)).sum(-1)
    apart = ((first + second) / 2).clamp(min=0).sqrt()
    furthest, chosen = apart.masked_fill(moved > tolerance, -1.0).max(dim=0)
    none = furthest < 0
    return chosen.masked_fill(none, -1), furthest.masked_fill(none, 0.0)
''',
    ),
    (
        "furthest_look",
        "trials that do not count get a divergence of 0",
        "A trial that moved the output too far is given the divergence 0, so it may be chosen before a trial that counts "
        "and whose weights are the same as before.",
        '''
def furthest_look(
    weights: Tensor, others: Tensor, output: Tensor, outputs: Tensor, tolerance: float
) -> tuple[Tensor, Tensor]:
    counts = (output.unsqueeze(0) - outputs).abs().sum(-1) <= 2 * tolerance

    def pull(shares, mean):
        ratio = torch.where(shares > 0, shares / mean, torch.ones_like(mean))
        return (shares * ratio.log()).sum(dim=-1)

    mean = 0.5 * (weights + others)
    divergence = 0.5 * pull(weights.expand_as(others), mean) + 0.5 * pull(others, mean)
    divergence = divergence * counts
    best = divergence.argmax(dim=0)
    largest = divergence.gather(0, best.unsqueeze(0)).squeeze(0)
    return torch.where(counts.any(dim=0), best, torch.full_like(best, -1)), largest
''',
    ),
]
