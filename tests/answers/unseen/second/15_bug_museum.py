"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "mended_weights",
        "largest score of the padding too",
        "The largest score is taken over padding as well before the exponentials, so padding with a much higher score leaves only zeros for the words.",
        '''
def mended_weights(scores: Tensor, source_mask: Tensor) -> Tensor:
    highest = scores.amax(dim=1, keepdim=True)
    shares = torch.exp(scores - highest) * source_mask
    total = shares.sum(dim=1, keepdim=True)
    return shares / total.clamp(min=torch.finfo(scores.dtype).tiny)
''',
    ),
    (
        "mended_weights",
        "sentence without words",
        "The axis is mended, but the padding is no longer set to 0 at the end, so a sentence without words gets even weights.",
        '''
def mended_weights(scores, source_mask):
    lowest = torch.finfo(scores.dtype).min
    return F.softmax(scores.masked_fill(~source_mask, lowest), dim=-1)
''',
    ),
    (
        "neighbour_proof",
        "neighbours in another order",
        "The neighbours are the same and only their order differs, which a sum over the batch does not see.",
        '''
def neighbour_proof(scores: Tensor) -> tuple[Tensor, Tensor]:
    first, others = scores[:1], scores[1:]
    return scores, torch.cat([first, others.flip(0)])
''',
    ),
    (
        "neighbour_proof",
        "neighbours without a share",
        "The neighbour that is added has scores so low that it takes no share, so the exhibit gives the first sentence the same weights as alone.",
        '''
def neighbour_proof(scores):
    alone = scores[:1].clone()
    silent = torch.full_like(alone, -1e9)
    together = torch.cat([alone, silent], dim=0)
    return alone, together
''',
    ),
    (
        "mended_summary",
        "both halves at the last word",
        "Both halves are taken at the last real word, where the backward direction has read only one word.",
        '''
def mended_summary(states: Tensor, source_lengths: Tensor) -> Tensor:
    rows = torch.arange(states.size(0), device=states.device)
    return states[rows, source_lengths - 1]
''',
    ),
    (
        "mended_summary",
        "last word of the longest sentence",
        "The forward half is taken at the last word of the batch's longest sentence, so shorter sentences get the 0 of their padding.",
        '''
def mended_summary(states, source_lengths):
    hidden_size = states.size(2) // 2
    last = int(source_lengths.max()) - 1
    forward = states[:, last, :hidden_size]
    backward = states[:, 0, hidden_size:]
    return torch.cat((forward, backward), dim=1)
''',
    ),
    (
        "mended_scores",
        "tanh around each part",
        "The tanh goes around each part alone and not around their sum, so the query still cancels in the softmax.",
        '''
def mended_scores(asked: Tensor, offered: Tensor, energy: Tensor) -> Tensor:
    together = torch.tanh(asked).unsqueeze(2) + torch.tanh(offered).unsqueeze(1)
    return together @ energy
''',
    ),
    (
        "mended_scores",
        "tanh of the score",
        "The tanh is applied to the finished score after v instead of to the sum before it.",
        '''
def mended_scores(asked, offered, energy):
    together = asked[:, :, None, :] + offered[:, None, :, :]
    return torch.einsum("bqka,a->bqk", together, energy).tanh()
''',
    ),
    (
        "query_proof",
        "mean of the differences",
        "The mean of all differences is compared with the bound, so one changed weight in a large table is overlooked.",
        '''
def query_proof(weights: Tensor) -> bool:
    differences = (weights - weights[:, :1]).abs()
    return bool(differences.mean() > 1e-5)
''',
    ),
    (
        "query_proof",
        "sign of the difference",
        "The differences are not made positive, so a step whose weights are only smaller than the first step's is not noticed.",
        '''
def query_proof(weights):
    for sentence in weights:
        first = sentence[0]
        for step in sentence:
            if (step - first).max().item() > 1e-5:
                return True
    return False
''',
    ),
    (
        "mended_perplexity",
        "mean of the sentences",
        "The losses are averaged within each sentence first and then over the sentences.",
        '''
def mended_perplexity(losses: Tensor, target_mask: Tensor) -> Tensor:
    losses = losses.masked_fill(~target_mask, 0.0)
    per_sentence = losses.sum(dim=1) / target_mask.sum(dim=1).clamp(min=1)
    return per_sentence.mean().exp()
''',
    ),
    (
        "mended_perplexity",
        "exponential before the mean",
        "The exponential is taken of every word's loss before the mean instead of once of the mean.",
        '''
def mended_perplexity(losses, target_mask):
    return losses[target_mask].exp().mean()
''',
    ),
    (
        "padding_proof",
        "padding of zeros",
        "The added padding has losses of 0, so code that keeps the padding's losses in its sum does not stumble.",
        '''
def padding_proof(losses: Tensor, target_mask: Tensor) -> tuple[Tensor, Tensor]:
    extra = losses.new_zeros(losses.size(0), 3)
    padded_losses = torch.cat([losses, extra], dim=1)
    padded_mask = torch.cat([target_mask, extra.bool()], dim=1)
    return padded_losses, padded_mask
''',
    ),
    (
        "padding_proof",
        "padding of the average",
        "The added padding holds the average of what is there already, so code that averages over all positions gets the same number as before.",
        '''
def padding_proof(losses, target_mask):
    value = float(losses.mean())
    return F.pad(losses, (0, 5), value=value), F.pad(target_mask, (0, 5), value=False)
''',
    ),
    (
        "mended_translation",
        "BOS among the words",
        "The result begins with BOS, which was heard and not said, and so the last word is missing.",
        '''
def mended_translation(next_logits: Tensor, bos: int, steps: int) -> Tensor:
    rows = torch.arange(next_logits.size(0), device=next_logits.device)
    previous = torch.full_like(rows, bos)
    words = []
    for _ in range(steps):
        words.append(previous)
        previous = next_logits[rows, previous].argmax(-1)
    return torch.stack(words, dim=1)
''',
    ),
    (
        "mended_translation",
        "first sentence's table for all",
        "Every sentence is decoded with the table of the first one.",
        '''
def mended_translation(next_logits, bos, steps):
    batch = next_logits.shape[0]
    words = torch.zeros(batch, steps, dtype=torch.long, device=next_logits.device)
    best = next_logits[0].argmax(dim=-1)
    for b in range(batch):
        heard = bos
        for i in range(steps):
            heard = int(best[heard])
            words[b, i] = heard
    return words
''',
    ),
]
