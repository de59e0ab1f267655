"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "masked_softmax",
        "lowest number divided by the temperature",
        "Padding gets the lowest number before the division by the temperature, which below 1 turns it into minus "
        "infinity, so a sentence without a real token becomes NaN.",
        '''
def masked_softmax(
    scores: Tensor,
    source_mask: Tensor,
    temperature: float = 1.0,
) -> Tensor:
    lowest = torch.finfo(scores.dtype).min
    filled = scores.masked_fill(~source_mask, lowest)
    weights = torch.softmax(filled / temperature, dim=-1)
    return weights * source_mask
''',
    ),
    (
        "masked_softmax",
        "maximum over the padding too",
        "The maximum that is subtracted is that of all positions, padding included, so a high score at padding makes "
        "the exponentials of all real tokens 0.",
        '''
def masked_softmax(
    scores: Tensor,
    source_mask: Tensor,
    temperature: float = 1.0,
) -> Tensor:
    scaled = scores / temperature
    scaled = scaled - scaled.max(dim=-1, keepdim=True).values
    raised = torch.exp(scaled) * source_mask
    total = raised.sum(dim=-1, keepdim=True)
    return raised / torch.where(total > 0, total, torch.ones_like(total))
''',
    ),
    (
        "masked_softmax",
        "mask used as an index",
        "The mask is used as an index into the scores, which works for a mask of the same shape only and fails for one "
        "that has to be broadcast.",
        '''
def masked_softmax(
    scores: Tensor,
    source_mask: Tensor,
    temperature: float = 1.0,
) -> Tensor:
    logits = scores.clone() / temperature
    logits[~source_mask] = torch.finfo(scores.dtype).min
    weights = logits.softmax(-1).clone()
    weights[~source_mask] = 0
    return weights
''',
    ),
    (
        "attend",
        "scores divided by a root",
        "The scores are divided by the root of the size of the values, as in the Transformer, though they are to be "
        "taken as the scorer returns them.",
        '''
def attend(
    scores: Tensor,
    values: Tensor,
    source_mask: Tensor,
) -> tuple[Tensor, Tensor]:
    weights = masked_softmax(scores / values.size(-1) ** 0.5, source_mask)
    context = weighted_sum(weights, values)
    return context, weights
''',
    ),
    (
        "attend",
        "returned weights cut from the graph",
        "The weights are returned detached, as if they were only to be looked at, so a loss on the weights has no "
        "gradient.",
        '''
def attend(
    scores: Tensor,
    values: Tensor,
    source_mask: Tensor,
) -> tuple[Tensor, Tensor]:
    weights = masked_softmax(scores, source_mask)
    context = torch.einsum("bk,bkv->bv", weights, values)
    return context, weights.detach()  # they are for plots
''',
    ),
    (
        "entropy",
        "entr has no finite gradient at zero",
        "The function entr gives the right values, but its gradient at a weight of 0 is infinite, and NaN arrives at "
        "the scores of padding.",
        '''
def entropy(weights: Tensor) -> Tensor:
    return torch.special.entr(weights).sum(dim=-1)
''',
    ),
    (
        "entropy",
        "divided by the largest entropy possible",
        "The entropy is divided by the logarithm of the number of tokens with a weight, which gives a share between 0 "
        "and 1 instead of nats.",
        '''
def entropy(weights: Tensor) -> Tensor:
    tiny = torch.finfo(weights.dtype).tiny
    spread = -(weights * weights.clamp_min(tiny).log()).sum(-1)
    tokens = (weights > 0).sum(-1).clamp_min(2)
    return spread / tokens.to(weights.dtype).log()
''',
    ),
    (
        "absorb",
        "sum returned already divided",
        "The third result is already the context, divided by the total, so the next block adds to a mean as if it "
        "were a sum.",
        '''
def absorb(
    largest: Tensor, total: Tensor, summed: Tensor, scores: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    low = torch.finfo(scores.dtype).min
    masked = scores.masked_fill(~source_mask, low)
    new = torch.maximum(largest, masked.amax(dim=1))
    shrink = torch.exp(largest - new)
    raised = torch.exp(masked - new[:, None]) * source_mask
    z = total * shrink + raised.sum(1)
    u = summed * shrink[:, None] + (raised[:, :, None] * values).sum(1)
    context = u / z.clamp_min(torch.finfo(z.dtype).tiny)[:, None]
    return new, z, context
''',
    ),
    (
        "absorb",
        "block measured from its own maximum",
        "The exponentials of the block are measured from the block's own largest score, not from the new one, so a "
        "block of low scores counts as much as one of high scores.",
        '''
def absorb(
    largest: Tensor, total: Tensor, summed: Tensor, scores: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    scores = scores.masked_fill(~source_mask, torch.finfo(scores.dtype).min)
    block_largest = scores.max(dim=-1).values
    weights = torch.exp(scores - block_largest.unsqueeze(-1)) * source_mask
    new_largest = torch.max(largest, block_largest)
    factor = torch.exp(largest - new_largest)
    new_total = factor * total + weights.sum(-1)
    new_summed = factor.unsqueeze(-1) * summed + torch.bmm(weights.unsqueeze(1), values).squeeze(1)
    return new_largest, new_total, new_summed
''',
    ),
    (
        "mask_convention",
        "default tolerance of allclose",
        "The candidates are compared with the tolerance that allclose has by default, which is too fine for weights "
        "that are right to five digits.",
        '''
def mask_convention(scores: Tensor, mask: Tensor, weights: Tensor) -> str:
    plain = scores.softmax(-1)
    lowest = torch.finfo(scores.dtype).min
    candidates = {
        "real": scores.masked_fill(~mask, lowest).softmax(-1),
        "padding": scores.masked_fill(mask, lowest).softmax(-1),
        "added": (scores + mask.to(scores.dtype)).softmax(-1),
        "afterwards": plain * mask,
        "ignored": plain,
    }
    if bool(mask.all()):
        return "unknown"
    fitting = [name for name, candidate in candidates.items() if torch.allclose(candidate, weights)]
    return fitting[0] if len(fitting) == 1 else "unknown"
''',
    ),
    (
        "mask_convention",
        "told from the zeros, ignored otherwise",
        "The convention is guessed from where zeros stand: a mask without False counts as real, and weights that "
        "nothing explains are called ignored instead of unknown.",
        '''
def mask_convention(scores: Tensor, mask: Tensor, weights: Tensor) -> str:
    off, on = weights[~mask], weights[mask]
    if (off < 1e-5).all():
        sums = weights.sum(dim=-1)
        return "real" if torch.allclose(sums, torch.ones_like(sums), atol=1e-4) else "afterwards"
    if (on < 1e-5).all():
        return "padding"
    if torch.allclose(weights, torch.softmax(scores + mask.float(), dim=-1), atol=1e-4):
        return "added"
    return "ignored"
''',
    ),
]
