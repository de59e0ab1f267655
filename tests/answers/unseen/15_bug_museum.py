"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "mended_weights",
        "the caller's scores are masked in place",
        "masked_fill_ with an underscore writes into the scores that were handed in, which have to stay as they are.",
        '''
def mended_weights(scores: Tensor, source_mask: Tensor) -> Tensor:
    lowest = torch.finfo(scores.dtype).min
    scores.masked_fill_(~source_mask, lowest)
    weights = torch.softmax(scores, dim=1)
    return weights.masked_fill(~source_mask, 0.0)
''',
    ),
    (
        "mended_weights",
        "the formula taken at its word",
        "The exponentials are taken of the raw scores: near -1000 all of them are 0 in the machine, and far above 0 "
        "they are infinite.",
        '''
def mended_weights(scores: Tensor, source_mask: Tensor) -> Tensor:
    shares = scores.masked_fill(~source_mask, float("-inf")).exp()
    total = shares.sum(dim=1, keepdim=True)
    return shares / total.clamp(min=torch.finfo(scores.dtype).tiny)
''',
    ),
    (
        "neighbour_proof",
        "a second name, not a second batch",
        "The other batch is the same tensor under a second name, so both batches get the new neighbours, and the "
        "scores that were handed in are changed.",
        '''
def neighbour_proof(scores: Tensor) -> tuple[Tensor, Tensor]:
    changed = scores
    changed[1:] = changed[1:] * 2 + 1
    return scores, changed
''',
    ),
    (
        "neighbour_proof",
        "neighbours of zeros",
        "The neighbour's scores are zeros whatever the first sentence's are; where those are large, it has no share, "
        "and the wrong code gives the same weights in both batches.",
        '''
def neighbour_proof(scores: Tensor) -> tuple[Tensor, Tensor]:
    alone = scores[:1]
    neighbours = torch.zeros_like(scores[1:])
    return alone, torch.cat([alone, neighbours])
''',
    ),
    (
        "mended_summary",
        "both halves at the last word",
        "The backward half is taken at the last word as well, where its direction has read one word only; it ends at "
        "the first.",
        '''
def mended_summary(states: Tensor, source_lengths: Tensor) -> Tensor:
    rows = torch.arange(states.size(0), device=states.device)
    return states[rows, source_lengths - 1]
''',
    ),
    (
        "mended_scores",
        "words in rows, steps in columns",
        "The two new axes are exchanged, so the scores come out as (batch, keys, queries).",
        '''
def mended_scores(asked: Tensor, offered: Tensor, energy: Tensor) -> Tensor:
    hidden = torch.tanh(asked[:, None] + offered[:, :, None])
    return torch.einsum("bija,a->bij", hidden, energy)
''',
    ),
    (
        "query_proof",
        "only weights that grew",
        "The absolute value is missing: weights that only become smaller than the first step's, as they may where "
        "they do not sum to 1, go unnoticed.",
        '''
def query_proof(weights: Tensor) -> bool:
    difference = weights - weights[:, :1]
    return bool(difference.max() > 1e-5)
''',
    ),
    (
        "query_proof",
        "the mean difference of all cells",
        "The differences are averaged over all cells of the batch, so one weight that changed is lost among many "
        "that did not.",
        '''
def query_proof(weights: Tensor) -> bool:
    first_step = weights[:, 0].unsqueeze(1).expand_as(weights)
    return F.l1_loss(weights, first_step).item() > 1e-5
''',
    ),
    (
        "mended_perplexity",
        "a loss of 0 does not count",
        "The words are counted as the losses that are not 0, which leaves out a real word whose loss is 0.",
        '''
def mended_perplexity(losses: Tensor, target_mask: Tensor) -> Tensor:
    losses = losses * target_mask
    words = torch.count_nonzero(losses)
    return torch.exp(losses.sum() / words)
''',
    ),
    (
        "padding_proof",
        "the same losses once more as padding",
        "The padding holds the losses of the batch again, so the average over all positions stays as it was, and code "
        "that takes it is not caught.",
        '''
def padding_proof(losses: Tensor, target_mask: Tensor) -> tuple[Tensor, Tensor]:
    more_losses = torch.cat([losses, losses], dim=1)
    more_mask = torch.cat([target_mask, torch.zeros_like(target_mask)], dim=1)
    return more_losses, more_mask
''',
    ),
    (
        "mended_translation",
        "columns read for rows",
        "The table is read at the column of the word before, over the rows, where the previous word chooses the row.",
        '''
def mended_translation(next_logits: Tensor, bos: int, steps: int) -> Tensor:
    batch = next_logits.size(0)
    rows = torch.arange(batch, device=next_logits.device)
    word = torch.full((batch,), bos, device=next_logits.device)
    words = []
    for _ in range(steps):
        word = next_logits[rows, :, word].argmax(dim=1)
        words.append(word)
    return torch.stack(words, dim=1)
''',
    ),
]
