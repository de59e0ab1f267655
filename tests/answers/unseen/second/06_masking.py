"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "masked_softmax",
        "NaN repaired afterwards",
        "Padding gets minus infinity and the NaN of an empty row is replaced afterwards, which mends the value but leaves NaN in the gradient.",
        '''
def masked_softmax(
    scores: Tensor,
    source_mask: Tensor,
    temperature: float = 1.0,
) -> Tensor:
    lowered = (scores / temperature).masked_fill(~source_mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(lowered, dim=-1), nan=0.0)
''',
    ),
    (
        "masked_softmax",
        "not low enough",
        "Padding gets the score -10000, which is not lower than every real score can be.",
        '''
def masked_softmax(
    scores: Tensor,
    source_mask: Tensor,
    temperature: float = 1.0,
) -> Tensor:
    lowered = torch.where(source_mask, scores / temperature, torch.full_like(scores, -1e4))
    return torch.softmax(lowered, dim=-1) * source_mask
''',
    ),
    (
        "attend",
        "masked after, and divided again",
        "The mask comes after the softmax with a new division, so real tokens vanish where padding has a much higher score.",
        '''
def attend(
    scores: Tensor,
    values: Tensor,
    source_mask: Tensor,
) -> tuple[Tensor, Tensor]:
    weights = torch.softmax(scores, dim=-1) * source_mask
    weights = weights / (weights.sum(dim=-1, keepdim=True) + 1e-12)
    return weighted_sum(weights, values), weights
''',
    ),
    (
        "attend",
        "minus infinity",
        "A sentence without a real token gets NaN, in its weights and in its context.",
        '''
def attend(
    scores: Tensor,
    values: Tensor,
    source_mask: Tensor,
) -> tuple[Tensor, Tensor]:
    weights = scores.masked_fill(source_mask.logical_not(), -torch.inf).softmax(-1)
    context = torch.einsum("bk,bkv->bv", weights, values)
    return context, weights
''',
    ),
    (
        "entropy",
        "PyTorch's own entropy",
        "PyTorch's entropy function has the right value at a weight of 0, but an infinite gradient there.",
        '''
def entropy(weights: Tensor) -> Tensor:
    return torch.special.entr(weights).sum(dim=-1)
''',
    ),
    (
        "entropy",
        "bits, over axis 1",
        "The logarithm has base 2, and the sum runs over axis 1, which in a table are the queries.",
        '''
def entropy(weights: Tensor) -> Tensor:
    logs = weights.clamp_min(torch.finfo(weights.dtype).tiny).log2()
    return -(weights * logs).sum(1)
''',
    ),
    (
        "absorb",
        "padding has a say in the largest",
        "The largest score is taken over padding too, though only real tokens count.",
        '''
def absorb(
    largest: Tensor, total: Tensor, summed: Tensor, scores: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    new = torch.maximum(largest, scores.amax(dim=1))
    shrink = torch.exp(largest - new)
    shares = torch.exp(scores - new.unsqueeze(1)) * source_mask
    total = total * shrink + shares.sum(1)
    summed = summed * shrink.unsqueeze(1) + torch.einsum("bk,bkv->bv", shares, values)
    return new, total, summed
''',
    ),
    (
        "absorb",
        "padding of an empty sentence counts",
        "As long as a sentence has no real token, its padding has the share exp(0) = 1: it is not set to 0 once more.",
        '''
def absorb(
    largest: Tensor, total: Tensor, summed: Tensor, scores: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    lowered = scores.masked_fill(~source_mask, torch.finfo(scores.dtype).min)
    new = torch.cat([largest.unsqueeze(1), lowered], dim=1).max(dim=1).values
    old = (largest - new).exp()
    shares = (lowered - new[:, None]).exp()
    return new, old * total + shares.sum(1), old[:, None] * summed + weighted_sum(shares, values)
''',
    ),
    (
        "mask_convention",
        "the first that fits",
        "The first convention that fits is returned, though several may fit and it is then unknown.",
        '''
def mask_convention(scores: Tensor, mask: Tensor, weights: Tensor) -> str:
    plain = torch.softmax(scores, -1)
    guesses = [
        ("real", scores.masked_fill(~mask, -torch.inf).softmax(-1)),
        ("padding", scores.masked_fill(mask, -torch.inf).softmax(-1)),
        ("added", torch.softmax(scores + mask, -1)),
        ("afterwards", plain * mask),
        ("ignored", plain),
    ]
    for name, guess in guesses:
        if torch.allclose(guess, weights, atol=1e-4):
            return name
    return "unknown"
''',
    ),
    (
        "mask_convention",
        "too strict, and divided again",
        "The comparison uses the default tolerance, too strict for weights of five digits, and what is masked afterwards is made to sum to 1 again.",
        '''
def mask_convention(scores: Tensor, mask: Tensor, weights: Tensor) -> str:
    low = torch.finfo(scores.dtype).min
    plain = scores.softmax(dim=1)
    after = plain * mask
    after = after / after.sum(dim=1, keepdim=True)
    guesses = {
        "real": torch.where(mask, scores, low).softmax(dim=1),
        "padding": torch.where(mask, low, scores).softmax(dim=1),
        "added": (scores + mask.to(scores.dtype)).softmax(dim=1),
        "afterwards": after,
        "ignored": plain,
    }
    fitting = [name for name, guess in guesses.items() if torch.allclose(guess, weights)]
    return fitting[0] if len(fitting) == 1 else "unknown"
''',
    ),
]
