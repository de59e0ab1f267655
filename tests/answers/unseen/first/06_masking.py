"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "masked_softmax",
        "minus ten thousand is low enough",
        "Padding gets the score -10000, which is not low for a sentence whose real scores are near -10000 too: the real tokens no longer share all of the 1.",
        r'''
def masked_softmax(
    scores: Tensor,
    source_mask: Tensor,
    temperature: float = 1.0,
) -> Tensor:
    r"""Softmax over the real tokens only (Bahdanau et al., 2015, equation 6, over unpadded positions).

    $$\alpha_j = \frac{m_j \exp(e_j / \tau)}{\sum_k m_k \exp(e_k / \tau)}$$

    The mask is applied before the softmax: padding gets a score so low that its weight is exactly 0 and
    the real tokens share all of the 1. A row without any real token gets weights of 0, and gradients of 0,
    instead of NaN. The caller's scores are left as they were.

    Shape:
        scores: (..., keys), finite
        source_mask: broadcastable to scores, bool, True = real token
        weights: (..., keys), each row sums to 1 (to 0 where no token is real)

    Raises:
        TypeError: the mask is not boolean (a float mask would be added by some libraries, multiplied by others).
        ValueError: the temperature is not positive.
    """
    e = scores / temperature
    e = torch.where(source_mask, e, torch.full_like(e, -1e4))
    return torch.softmax(e, dim=-1) * source_mask
''',
    ),
    (
        "masked_softmax",
        "NaN mended afterwards",
        "Padding gets minus infinity and the NaN of an empty sentence is replaced afterwards, which leaves NaN in its gradients.",
        r'''
def masked_softmax(
    scores: Tensor,
    source_mask: Tensor,
    temperature: float = 1.0,
) -> Tensor:
    r"""Softmax over the real tokens only (Bahdanau et al., 2015, equation 6, over unpadded positions).

    $$\alpha_j = \frac{m_j \exp(e_j / \tau)}{\sum_k m_k \exp(e_k / \tau)}$$

    The mask is applied before the softmax: padding gets a score so low that its weight is exactly 0 and
    the real tokens share all of the 1. A row without any real token gets weights of 0, and gradients of 0,
    instead of NaN. The caller's scores are left as they were.

    Shape:
        scores: (..., keys), finite
        source_mask: broadcastable to scores, bool, True = real token
        weights: (..., keys), each row sums to 1 (to 0 where no token is real)

    Raises:
        TypeError: the mask is not boolean (a float mask would be added by some libraries, multiplied by others).
        ValueError: the temperature is not positive.
    """
    penalty = torch.zeros_like(scores).masked_fill(~source_mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores / temperature + penalty, dim=-1), nan=0.0)
''',
    ),
    (
        "masked_softmax",
        "the maximum of the padding",
        "The maximum that is taken off is that of all scores, so padding with a large score makes every real token underflow to 0.",
        r'''
def masked_softmax(
    scores: Tensor,
    source_mask: Tensor,
    temperature: float = 1.0,
) -> Tensor:
    r"""Softmax over the real tokens only (Bahdanau et al., 2015, equation 6, over unpadded positions).

    $$\alpha_j = \frac{m_j \exp(e_j / \tau)}{\sum_k m_k \exp(e_k / \tau)}$$

    The mask is applied before the softmax: padding gets a score so low that its weight is exactly 0 and
    the real tokens share all of the 1. A row without any real token gets weights of 0, and gradients of 0,
    instead of NaN. The caller's scores are left as they were.

    Shape:
        scores: (..., keys), finite
        source_mask: broadcastable to scores, bool, True = real token
        weights: (..., keys), each row sums to 1 (to 0 where no token is real)

    Raises:
        TypeError: the mask is not boolean (a float mask would be added by some libraries, multiplied by others).
        ValueError: the temperature is not positive.
    """
    shifted = (scores - scores.amax(dim=-1, keepdim=True)) / temperature
    shares = torch.exp(shifted) * source_mask
    total = shares.sum(dim=-1, keepdim=True)
    return shares / total.clamp_min(torch.finfo(scores.dtype).tiny)
''',
    ),
    (
        "attend",
        "weights only to look at",
        "The weights are returned detached, so a loss on the weights teaches nothing.",
        r'''
def attend(
    scores: Tensor,
    values: Tensor,
    source_mask: Tensor,
) -> tuple[Tensor, Tensor]:
    r"""From scores to context: mask, normalise, sum.

    $$\alpha = \mathrm{softmax}(e \mid m), \qquad c = \sum_j \alpha_j v_j$$

    Shape:
        scores: (batch, keys), as a scorer returns them
        values: (batch, keys, value_size), the encoder states $v_j$
        source_mask: (batch, keys), bool, True = real token
        context: (batch, value_size)
        weights: (batch, keys)
    """
    weights = masked_softmax(scores, source_mask)
    context = weighted_sum(weights, values)
    return context, weights.detach()
''',
    ),
    (
        "attend",
        "masked after, weights first",
        "The softmax runs over padding as well and is masked afterwards, and the pair comes in the wrong order.",
        r'''
def attend(
    scores: Tensor,
    values: Tensor,
    source_mask: Tensor,
) -> tuple[Tensor, Tensor]:
    r"""From scores to context: mask, normalise, sum.

    $$\alpha = \mathrm{softmax}(e \mid m), \qquad c = \sum_j \alpha_j v_j$$

    Shape:
        scores: (batch, keys), as a scorer returns them
        values: (batch, keys, value_size), the encoder states $v_j$
        source_mask: (batch, keys), bool, True = real token
        context: (batch, value_size)
        weights: (batch, keys)
    """
    alpha = torch.softmax(scores, dim=1)
    alpha = alpha.masked_fill(~source_mask, 0.0)
    return alpha, weighted_sum(alpha, values)
''',
    ),
    (
        "attend",
        "divided by the number of words",
        "The weighted sum is divided by the number of real tokens, although the weights sum to 1 already.",
        r'''
def attend(
    scores: Tensor,
    values: Tensor,
    source_mask: Tensor,
) -> tuple[Tensor, Tensor]:
    r"""From scores to context: mask, normalise, sum.

    $$\alpha = \mathrm{softmax}(e \mid m), \qquad c = \sum_j \alpha_j v_j$$

    Shape:
        scores: (batch, keys), as a scorer returns them
        values: (batch, keys, value_size), the encoder states $v_j$
        source_mask: (batch, keys), bool, True = real token
        context: (batch, value_size)
        weights: (batch, keys)
    """
    weights = masked_softmax(scores, source_mask)
    words = source_mask.sum(dim=1, keepdim=True).clamp_min(1)
    return torch.einsum("bk,bkv->bv", weights, values) / words, weights
''',
    ),
    (
        "entropy",
        "between 0 and 1",
        "The entropy is divided by the logarithm of the number of keys, which nobody asked for and which is 0 for a single key.",
        r'''
def entropy(weights: Tensor) -> Tensor:
    r"""How spread the weights are: 0 if one key has everything, $\ln n$ if $n$ keys share equally.

    $$H = -\sum_j \alpha_j \ln \alpha_j, \qquad 0 \ln 0 = 0$$

    A weight of 0, as padding has, adds nothing and gets a finite gradient.

    Shape:
        weights: (..., keys), each row sums to 1 (to 0 where no token is real)
        entropy: (...), in nats
    """
    logs = weights.clamp_min(torch.finfo(weights.dtype).tiny).log()
    largest = torch.tensor(float(weights.size(-1)), dtype=weights.dtype, device=weights.device).log()
    return -(weights * logs).sum(-1) / largest
''',
    ),
    (
        "entropy",
        "NaN hidden by where",
        "The NaN of 0 ln 0 is replaced behind the logarithm: the value is right, and the gradient is NaN.",
        r'''
def entropy(weights: Tensor) -> Tensor:
    r"""How spread the weights are: 0 if one key has everything, $\ln n$ if $n$ keys share equally.

    $$H = -\sum_j \alpha_j \ln \alpha_j, \qquad 0 \ln 0 = 0$$

    A weight of 0, as padding has, adds nothing and gets a finite gradient.

    Shape:
        weights: (..., keys), each row sums to 1 (to 0 where no token is real)
        entropy: (...), in nats
    """
    terms = weights * torch.log(weights)
    terms = torch.where(weights > 0, terms, torch.zeros_like(terms))
    return -terms.sum(dim=-1)
''',
    ),
    (
        "entropy",
        "padding weighs a little, and axis 1",
        "The factor is clamped as well as the logarithm, so padding adds to the entropy, and the sum runs over axis 1, which in a table are the queries.",
        r'''
def entropy(weights: Tensor) -> Tensor:
    r"""How spread the weights are: 0 if one key has everything, $\ln n$ if $n$ keys share equally.

    $$H = -\sum_j \alpha_j \ln \alpha_j, \qquad 0 \ln 0 = 0$$

    A weight of 0, as padding has, adds nothing and gets a finite gradient.

    Shape:
        weights: (..., keys), each row sums to 1 (to 0 where no token is real)
        entropy: (...), in nats
    """
    w = torch.clamp(weights, min=1e-4)
    return -torch.sum(w * torch.log(w), dim=1)
''',
    ),
    (
        "absorb",
        "the sum of the values is not shrunk",
        "When a larger score comes, the old total is shrunk and the old sum of the values is not.",
        r'''
def absorb(
    largest: Tensor, total: Tensor, summed: Tensor, scores: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Attention over keys that arrive block by block: one block more (Milakov and Gimelshein, 2018).

    $$M = \max_{j:\, m_j = 1} e_j, \qquad Z = \sum_j m_j \exp(e_j - M), \qquad u = \sum_j m_j \exp(e_j - M)\, v_j$$

    The sums run over all keys so far, of which nothing else is kept; the context is $u / Z$.
    Before the first block, and as long as a sentence has no real token, $M$ is the lowest finite number of the dtype,
    and $Z$ and $u$ are 0.

    Shape:
        largest: (batch,), $M$ before the block
        total: (batch,), $Z$ before the block
        summed: (batch, value_size), $u$ before the block
        scores: (batch, keys), those of the block, finite
        values: (batch, keys, value_size)
        source_mask: (batch, keys), bool, True = real token
        returns: largest, total and summed after the block
    """
    for j in range(scores.size(1)):
        real = source_mask[:, j]
        new = torch.where(real, torch.maximum(largest, scores[:, j]), largest)
        share = torch.where(real, torch.exp(scores[:, j] - new), torch.zeros_like(new))
        total = total * torch.exp(largest - new) + share
        summed = summed + share.unsqueeze(1) * values[:, j]
        largest = new
    return largest, total, summed
''',
    ),
    (
        "absorb",
        "padding may be the largest",
        "The largest score is taken over padding as well, so M is not the largest real score and real keys may underflow.",
        r'''
def absorb(
    largest: Tensor, total: Tensor, summed: Tensor, scores: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Attention over keys that arrive block by block: one block more (Milakov and Gimelshein, 2018).

    $$M = \max_{j:\, m_j = 1} e_j, \qquad Z = \sum_j m_j \exp(e_j - M), \qquad u = \sum_j m_j \exp(e_j - M)\, v_j$$

    The sums run over all keys so far, of which nothing else is kept; the context is $u / Z$.
    Before the first block, and as long as a sentence has no real token, $M$ is the lowest finite number of the dtype,
    and $Z$ and $u$ are 0.

    Shape:
        largest: (batch,), $M$ before the block
        total: (batch,), $Z$ before the block
        summed: (batch, value_size), $u$ before the block
        scores: (batch, keys), those of the block, finite
        values: (batch, keys, value_size)
        source_mask: (batch, keys), bool, True = real token
        returns: largest, total and summed after the block
    """
    new_largest = torch.maximum(largest, scores.max(dim=1).values)
    shrink = torch.exp(largest - new_largest)
    shares = torch.exp(scores - new_largest[:, None]) * source_mask
    total = shrink * total + shares.sum(1)
    summed = shrink[:, None] * summed + torch.bmm(shares[:, None], values)[:, 0]
    return new_largest, total, summed
''',
    ),
    (
        "absorb",
        "padding counts 1, sums in place",
        "While a sentence has no real token, its padding adds exp(0) = 1 to the sums, and the old sums are changed in place.",
        r'''
def absorb(
    largest: Tensor, total: Tensor, summed: Tensor, scores: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Attention over keys that arrive block by block: one block more (Milakov and Gimelshein, 2018).

    $$M = \max_{j:\, m_j = 1} e_j, \qquad Z = \sum_j m_j \exp(e_j - M), \qquad u = \sum_j m_j \exp(e_j - M)\, v_j$$

    The sums run over all keys so far, of which nothing else is kept; the context is $u / Z$.
    Before the first block, and as long as a sentence has no real token, $M$ is the lowest finite number of the dtype,
    and $Z$ and $u$ are 0.

    Shape:
        largest: (batch,), $M$ before the block
        total: (batch,), $Z$ before the block
        summed: (batch, value_size), $u$ before the block
        scores: (batch, keys), those of the block, finite
        values: (batch, keys, value_size)
        source_mask: (batch, keys), bool, True = real token
        returns: largest, total and summed after the block
    """
    low = scores.masked_fill(~source_mask, torch.finfo(scores.dtype).min)
    new = torch.maximum(largest, low.amax(-1))
    factor = (largest - new).exp()
    shares = (low - new.unsqueeze(-1)).exp()
    total *= factor
    total += shares.sum(-1)
    summed *= factor.unsqueeze(-1)
    summed += torch.einsum("bk,bkv->bv", shares, values)
    return new, total, summed
''',
    ),
    (
        "mask_convention",
        "the first that fits",
        "The first convention that fits is returned, where the answer is unknown because several do.",
        '''
def mask_convention(scores: Tensor, mask: Tensor, weights: Tensor) -> str:
    r"""What a library has done with the mask, told from the weights that it gave for these scores.

    "real": True takes part. "padding": True is left out. "added": the mask, as 1 and 0, was added to the scores.
    "afterwards": the softmax ran over everything, and the weights of False were then set to 0.
    "ignored": the mask was not used. "unknown": none of these fits, or more than one does.

    Shape:
        scores: (batch, keys), finite
        mask: (batch, keys), bool
        weights: (batch, keys), right to about 5 digits
    """
    plain = scores.softmax(-1)
    low = torch.finfo(scores.dtype).min
    if torch.allclose(scores.masked_fill(~mask, low).softmax(-1), weights, atol=1e-4):
        return "real"
    if torch.allclose(scores.masked_fill(mask, low).softmax(-1), weights, atol=1e-4):
        return "padding"
    if torch.allclose((scores + mask.to(scores.dtype)).softmax(-1), weights, atol=1e-4):
        return "added"
    if torch.allclose(plain * mask, weights, atol=1e-4):
        return "afterwards"
    if torch.allclose(plain, weights, atol=1e-4):
        return "ignored"
    return "unknown"
''',
    ),
    (
        "mask_convention",
        "no room for rounding",
        "The weights have to agree to more digits than they have, so nearly everything is unknown.",
        '''
def mask_convention(scores: Tensor, mask: Tensor, weights: Tensor) -> str:
    r"""What a library has done with the mask, told from the weights that it gave for these scores.

    "real": True takes part. "padding": True is left out. "added": the mask, as 1 and 0, was added to the scores.
    "afterwards": the softmax ran over everything, and the weights of False were then set to 0.
    "ignored": the mask was not used. "unknown": none of these fits, or more than one does.

    Shape:
        scores: (batch, keys), finite
        mask: (batch, keys), bool
        weights: (batch, keys), right to about 5 digits
    """
    made = {
        "real": torch.softmax(torch.where(mask, scores, -torch.inf), dim=-1),
        "padding": torch.softmax(torch.where(mask, -torch.inf, scores), dim=-1),
        "added": torch.softmax(scores + mask.float(), dim=-1),
        "afterwards": torch.softmax(scores, dim=-1).masked_fill(~mask, 0),
        "ignored": torch.softmax(scores, dim=-1),
    }
    fits = [name for name, table in made.items() if torch.allclose(table.to(weights.dtype), weights, rtol=0, atol=1e-8)]
    return fits[0] if len(fits) == 1 else "unknown"
''',
    ),
    (
        "mask_convention",
        "told from the zeros",
        "It is told from where the weights are 0 and whether they sum to 1, so weights that nobody made this way get a name, and zeros from low scores mislead.",
        '''
def mask_convention(scores: Tensor, mask: Tensor, weights: Tensor) -> str:
    r"""What a library has done with the mask, told from the weights that it gave for these scores.

    "real": True takes part. "padding": True is left out. "added": the mask, as 1 and 0, was added to the scores.
    "afterwards": the softmax ran over everything, and the weights of False were then set to 0.
    "ignored": the mask was not used. "unknown": none of these fits, or more than one does.

    Shape:
        scores: (batch, keys), finite
        mask: (batch, keys), bool
        weights: (batch, keys), right to about 5 digits
    """
    if mask.all():
        return "unknown"
    left_out = bool((weights[~mask] == 0).all())
    taken_out = bool((weights[mask] == 0).all())
    if left_out and taken_out:
        return "unknown"
    if left_out:
        whole = torch.allclose(weights.sum(-1), torch.ones_like(weights[:, 0]), atol=1e-3)
        return "real" if whole else "afterwards"
    if taken_out:
        return "padding"
    if torch.allclose(weights, scores.softmax(-1), atol=1e-4):
        return "ignored"
    return "added"
''',
    ),
]
