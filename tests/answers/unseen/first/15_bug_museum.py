"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "mended_weights",
        "exponentials as in the equation",
        "The equation is written down as it stands, with exponentials of the raw scores; with scores near -1000 all of "
        "them round to 0, and 0 / 0 is NaN.",
        '''
def mended_weights(scores: Tensor, source_mask: Tensor) -> Tensor:
    shares = source_mask * torch.exp(scores)
    return shares / shares.sum(dim=1, keepdim=True)
''',
    ),
    (
        "mended_weights",
        "masked by 0 before, and by 0 after",
        "The scores of padding are set to 0, which is a score like any other, so padding takes a share, and it is cut "
        "off afterwards: the real words do not sum to 1.",
        '''
def mended_weights(scores: Tensor, source_mask: Tensor) -> Tensor:
    weights = F.softmax(scores * source_mask, dim=-1)
    return torch.where(source_mask, weights, torch.zeros_like(weights))
''',
    ),
    (
        "neighbour_proof",
        "the neighbours in another order",
        "The neighbours only change places; a softmax over the batch sums over them in any order and gives the first "
        "sentence the same weights.",
        '''
def neighbour_proof(scores: Tensor) -> tuple[Tensor, Tensor]:
    first, others = scores[:1], scores[1:]
    return scores, torch.cat([first, others.flip(0)])
''',
    ),
    (
        "neighbour_proof",
        "twice the same tensor",
        "The second batch is the first one under another name, so setting its neighbours to 0 changes both, and the "
        "argument as well.",
        '''
def neighbour_proof(scores: Tensor) -> tuple[Tensor, Tensor]:
    other = scores
    other[1:] = 0.0
    return scores, other
''',
    ),
    (
        "mended_summary",
        "the longest sentence's last column for all",
        "The forward half is taken at the end of the longest sentence for every sentence, so a shorter one gets the "
        "zeros of its padding.",
        '''
def mended_summary(states: Tensor, source_lengths: Tensor) -> Tensor:
    forward_half, backward_half = states.chunk(2, dim=-1)
    last = int(source_lengths.max()) - 1
    return torch.cat([forward_half[:, last], backward_half[:, 0]], dim=-1)
''',
    ),
    (
        "mended_summary",
        "the backward half first",
        "Each half is taken at the right place, but they are joined in the wrong order, the backward one first.",
        '''
def mended_summary(states: Tensor, source_lengths: Tensor) -> Tensor:
    size = states.size(-1) // 2
    index = (source_lengths - 1).view(-1, 1, 1).expand(-1, 1, size)
    read_to_the_end = states[..., :size].gather(1, index).squeeze(1)
    read_to_the_start = states[:, 0, size:]
    return torch.cat((read_to_the_start, read_to_the_end), dim=1)
''',
    ),
    (
        "mended_scores",
        "queries and keys exchanged",
        "The new axes are put the other way round, so the table is (batch, keys, queries); where there are as many steps "
        "as words nobody notices by the shape.",
        '''
def mended_scores(asked: Tensor, offered: Tensor, energy: Tensor) -> Tensor:
    together = torch.tanh(asked.unsqueeze(1) + offered.unsqueeze(2))
    return torch.einsum("bijs,s->bij", together, energy)
''',
    ),
    (
        "mended_scores",
        "tanh after the vector",
        "The tanh is put around the finished score, after the vector has made a number of the sum; it belongs inside.",
        '''
def mended_scores(asked: Tensor, offered: Tensor, energy: Tensor) -> Tensor:
    rows = []
    for step in asked.unbind(dim=1):
        rows.append(torch.tanh((step.unsqueeze(1) + offered) @ energy))
    return torch.stack(rows, dim=1)
''',
    ),
    (
        "query_proof",
        "the mean of the differences",
        "The mean of all differences is compared with the bound, so one weight that differs is lost among many that do "
        "not.",
        '''
def query_proof(weights: Tensor) -> bool:
    difference = (weights - weights[:, :1]).abs()
    return bool(difference.mean() > 1e-5)
''',
    ),
    (
        "query_proof",
        "only differences upwards",
        "The sign of the difference is left in, so steps whose weights are only lower than those of the first do not "
        "count; weights that need not sum to 1 can be so.",
        '''
def query_proof(weights: Tensor) -> bool:
    for sentence in weights:
        if (sentence - sentence[0]).max().item() > 0.00001:
            return True
    return False
''',
    ),
    (
        "mended_perplexity",
        "the mean of the sentences' means",
        "The losses are averaged in each sentence first and then over the sentences, so a word of a short sentence "
        "counts more than one of a long sentence.",
        '''
def mended_perplexity(losses: Tensor, target_mask: Tensor) -> Tensor:
    losses = losses.masked_fill(~target_mask, 0.0)
    of_sentences = losses.sum(1) / target_mask.sum(1).clamp(min=1)
    has_words = target_mask.any(1)
    return of_sentences[has_words].mean().exp()
''',
    ),
    (
        "mended_perplexity",
        "the mean of the exponentials",
        "The exponential is taken of every loss before the mean instead of once after it.",
        '''
def mended_perplexity(losses: Tensor, target_mask: Tensor) -> Tensor:
    return torch.exp(losses[target_mask]).mean()
''',
    ),
    (
        "padding_proof",
        "infinity at the padding",
        "The new padding has infinite losses; whatever stands there has to be finite, since right code may multiply it "
        "by 0.",
        '''
def padding_proof(losses: Tensor, target_mask: Tensor) -> tuple[Tensor, Tensor]:
    padded_losses = F.pad(losses, (0, 3), value=math.inf)
    padded_mask = F.pad(target_mask, (0, 3), value=False)
    return padded_losses, padded_mask
''',
    ),
    (
        "padding_proof",
        "the losses a second time",
        "What stands at the new padding are the same losses once more, so the average over all positions is what it was "
        "and the code that takes it is not caught.",
        '''
def padding_proof(losses: Tensor, target_mask: Tensor) -> tuple[Tensor, Tensor]:
    padded_losses = torch.cat([losses, losses], dim=1)
    padded_mask = torch.cat([target_mask, torch.zeros_like(target_mask)], dim=1)
    return padded_losses, padded_mask
''',
    ),
    (
        "mended_translation",
        "the column of the previous word",
        "The previous word picks a column of the table instead of a row, so the decoder is asked which word it may come "
        "after.",
        '''
def mended_translation(next_logits: Tensor, bos: int, steps: int) -> Tensor:
    rows = torch.arange(next_logits.size(0), device=next_logits.device)
    previous = torch.full_like(rows, bos)
    words = []
    for _ in range(steps):
        previous = next_logits[rows, :, previous].argmax(dim=-1)
        words.append(previous)
    return torch.stack(words, dim=1)
''',
    ),
    (
        "mended_translation",
        "stops when the first word comes again",
        "The loop ends as soon as every sentence has said BOS again, so there are fewer columns than steps were asked "
        "for.",
        '''
def mended_translation(next_logits: Tensor, bos: int, steps: int) -> Tensor:
    best = next_logits.argmax(dim=-1)  # (batch, vocab_size): what follows each word
    word = best.new_full((best.size(0), 1), bos)
    said = []
    over = torch.zeros_like(word, dtype=torch.bool)
    while len(said) < steps and not over.all():
        word = best.gather(1, word)
        said.append(word)
        over = over | (word == bos)
    return torch.cat(said, dim=1)
''',
    ),
]
