"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "perplexity_of_logits",
        "mean of the sentences' means",
        "The mean is taken in each sentence first and then over the sentences, so the words of a short sentence count "
        "more than those of a long one.",
        '''
def perplexity_of_logits(
    logits: Tensor,
    target_out: Tensor,
    target_mask: Tensor,
) -> Tensor:
    costs = F.cross_entropy(logits.transpose(1, 2), target_out, reduction="none")
    costs = costs * target_mask
    per_sentence = costs.sum(dim=1) / target_mask.sum(dim=1)
    return per_sentence.mean().exp()
''',
    ),
    (
        "perplexity_of_logits",
        "exponentials of raw logits",
        "The logarithm of the sum of exponentials is written out without taking off the largest logit first, so large "
        "logits overflow and the perplexity is infinite or NaN.",
        '''
def perplexity_of_logits(
    logits: Tensor,
    target_out: Tensor,
    target_mask: Tensor,
) -> Tensor:
    right = logits.gather(-1, target_out[..., None])[..., 0]
    log_probability = right - logits.exp().sum(-1).log()
    return torch.exp(-log_probability[target_mask].sum() / target_mask.sum())
''',
    ),
    (
        "continue_hypotheses",
        "plain probabilities multiplied",
        "Probabilities are multiplied instead of logarithms added; for a hypothesis of some length they round to 0, and "
        "all candidates look alike.",
        '''
def continue_hypotheses(
    alive: Tensor,
    log_probabilities: Tensor,
    beam_size: int,
) -> tuple[Tensor, Tensor, Tensor]:
    vocab_size = log_probabilities.size(-1)
    candidates = alive.exp().unsqueeze(-1) * log_probabilities.exp()
    best, index = candidates.flatten(1).topk(beam_size, dim=-1)
    return best.log(), index // vocab_size, index % vocab_size
''',
    ),
    (
        "continue_hypotheses",
        "the parent rounded to the nearest",
        "The number of the candidate is divided by the size of the vocabulary and rounded to the nearest whole number, "
        "so a word in the second half of the vocabulary gets the next parent.",
        '''
def continue_hypotheses(
    alive: Tensor,
    log_probabilities: Tensor,
    beam_size: int,
) -> tuple[Tensor, Tensor, Tensor]:
    batch, width, vocab_size = log_probabilities.shape
    table = (alive[:, :, None] + log_probabilities).reshape(batch, width * vocab_size)
    ranked = table.sort(dim=1, descending=True)
    totals, index = ranked.values[:, :beam_size], ranked.indices[:, :beam_size]
    parents = (index / vocab_size).round().long().clamp(max=width - 1)
    tokens = torch.remainder(index, vocab_size)
    return totals, parents, tokens
''',
    ),
    (
        "set_finished_aside",
        "cut-off hypotheses are lost",
        "At the last step nothing goes on, but only those with EOS are kept as finished; the ones that were cut off are "
        "in neither tensor.",
        '''
def set_finished_aside(
    totals: Tensor,
    tokens: Tensor,
    is_last: bool,
) -> tuple[Tensor, Tensor]:
    said_eos = tokens == EOS
    finished = totals.masked_fill(~said_eos, -math.inf)
    if is_last:
        alive = torch.full_like(totals, -math.inf)
    else:
        alive = totals.masked_fill(said_eos, -math.inf)
    return alive, finished
''',
    ),
    (
        "set_finished_aside",
        "minus a billion for minus infinity",
        "Where a hypothesis is not, a very low number is written instead of minus infinity; an empty place then looks "
        "like a hypothesis that is improbable, but there.",
        '''
def set_finished_aside(
    totals: Tensor,
    tokens: Tensor,
    is_last: bool,
) -> tuple[Tensor, Tensor]:
    ended = tokens.eq(EOS)
    if is_last:
        ended = torch.ones_like(ended)
    nowhere = torch.full_like(totals, -1e9)
    return torch.where(ended, nowhere, totals), torch.where(ended, totals, nowhere)
''',
    ),
    (
        "trace_back",
        "a sentence that ends earlier does not wait",
        "The place moves to the parent at every step, also at the steps after the sentence's last word, so a shorter "
        "sentence arrives at the wrong place.",
        '''
def trace_back(
    tokens: Tensor,
    parents: Tensor,
    last: Tensor,
    place: Tensor,
) -> Tensor:
    steps, batch, _ = tokens.shape
    rows = torch.arange(batch, device=tokens.device)
    columns = []
    for step in range(steps - 1, -1, -1):
        word = tokens[step, rows, place]
        columns.append(word.masked_fill(step > last, PAD))
        place = parents[step, rows, place]
    return torch.stack(columns[::-1], dim=1)
''',
    ),
    (
        "trace_back",
        "the parent read one step too early",
        "The parent is looked up in the table of the step before instead of that of the step where the word stands.",
        '''
def trace_back(
    tokens: Tensor,
    parents: Tensor,
    last: Tensor,
    place: Tensor,
) -> Tensor:
    ids = torch.full((tokens.size(1), tokens.size(0)), PAD, dtype=tokens.dtype, device=tokens.device)
    for sentence in range(tokens.size(1)):
        at = int(place[sentence])
        for step in range(int(last[sentence]), -1, -1):
            ids[sentence, step] = tokens[step, sentence, at]
            at = int(parents[step - 1, sentence, at])
    return ids
''',
    ),
    (
        "beam_search",
        "stops by the scores of today",
        "The search stops when the best that has ended beats every open hypothesis with the penalty of its present "
        "length; but an open one may gain by growing, and the bound needs the greatest length.",
        '''
def beam_search(log_table: Tensor, beam_size: int, longest: int, alpha: float) -> tuple[list[int], float, int]:
    table = log_table.tolist()

    def penalty(count):
        return ((5 + count) / 6) ** alpha

    open_ones = [(0.0, [BOS, BOS])]
    best_score, best_words = -math.inf, []
    places, steps = beam_size, 0
    while open_ones and places > 0:
        steps += 1
        candidates = []
        for total, said in open_ones:
            for word, log_probability in enumerate(table[said[-2]][said[-1]]):
                if log_probability > -math.inf:
                    candidates.append((total + log_probability, [*said, word]))
        candidates = sorted(candidates, key=lambda one: one[0], reverse=True)[:places]
        open_ones = []
        for total, said in candidates:
            if said[-1] == EOS or steps == longest:
                places -= 1
                score = total / penalty(steps)
                if score > best_score:
                    best_score, best_words = score, said[2:]
            else:
                open_ones.append((total, said))
        if open_ones and open_ones[0][0] / penalty(steps) <= best_score:
            break
    return best_words, best_score, steps
''',
    ),
    (
        "beam_search",
        "ended hypotheses give up no place",
        "The beam is filled up to its full size at every step, although a hypothesis that has ended should give up its "
        "place for good.",
        '''
def beam_search(log_table: Tensor, beam_size: int, longest: int, alpha: float) -> tuple[list[int], float, int]:
    lp = [((5 + n) / 6) ** alpha for n in range(longest + 1)]
    beam = [(0.0, ())]
    ended = []
    steps = 0
    for step in range(1, longest + 1):
        steps = step
        grown = []
        for total, ids in beam:
            before, last = (BOS, BOS, *ids)[-2:]
            for word, value in enumerate(log_table[before, last].tolist()):
                if not math.isinf(value):
                    grown.append((total + value, (*ids, word)))
        best = heapq.nlargest(beam_size, grown)
        over = [one for one in best if one[1][-1] == EOS or step == longest]
        beam = [one for one in best if one[1][-1] != EOS and step < longest]
        ended += [(total / lp[step], ids) for total, ids in over]
        if not beam:
            break
        if ended and max(ended)[0] >= max(beam)[0] / lp[longest]:
            break
    score, ids = max(ended)
    return list(ids), score, steps
''',
    ),
    (
        "without_repeats",
        "the last run is not looked at",
        "The loop over the runs ends one too early, so the run that ends with the last word said is forgotten: after "
        "'la la' a third 'la' is allowed.",
        '''
def without_repeats(log_probabilities: Tensor, prefixes: Tensor, n: int) -> Tensor:
    allowed = log_probabilities.clone()
    for row, words in enumerate(prefixes.tolist()):
        tail = words[len(words) - n + 1 :]
        for start in range(len(words) - n):
            if words[start : start + n - 1] == tail:
                allowed[row, words[start + n - 1]] = -math.inf
    return allowed
''',
    ),
    (
        "without_repeats",
        "one list of runs for all hypotheses",
        "The runs that have been said are collected in one dictionary for the whole beam, so a hypothesis is forbidden "
        "what only another one has said.",
        '''
def without_repeats(log_probabilities: Tensor, prefixes: Tensor, n: int) -> Tensor:
    barred = torch.zeros_like(log_probabilities, dtype=torch.bool)
    followers = {}
    for row, prefix in enumerate(prefixes.tolist()):
        for end in range(n, len(prefix) + 1):
            run = tuple(prefix[end - n : end])
            followers.setdefault(run[:-1], set()).add(run[-1])
        if len(prefix) < n:
            continue
        for word in followers.get(tuple(prefix[len(prefix) - n + 1 :]), ()):
            barred[row, word] = True
    return log_probabilities.masked_fill(barred, float("-inf"))
''',
    ),
    (
        "lured",
        "led astray, but not far enough",
        "The beam's sentence is less probable than the greedy one, but it has more than nine tenths of its probability; "
        "four fifths at most were asked for.",
        '''
def lured() -> dict[str, dict[str, float]]:
    return {
        "<bos>": {"red": 0.40, "blue": 0.39, "green": 0.21},
        "red": {"fish": 0.45, "bird": 0.30, "tree": 0.25},
        "blue": {"sky": 0.51, "sea": 0.49},
        "green": {"tree": 0.5, "bird": 0.5},
        "fish": {"<eos>": 1.0},
        "bird": {"<eos>": 1.0},
        "tree": {"<eos>": 1.0},
        "sky": {"<eos>": 0.85, "tree": 0.15},
        "sea": {"<eos>": 0.85, "tree": 0.15},
    }
''',
    ),
    (
        "lured",
        "a tie at the first word",
        "The first two words are equally probable, so which of them greedy decoding takes hangs on the order of the "
        "words; with the other one it finds no better sentence than the beam.",
        '''
def lured() -> dict[str, dict[str, float]]:
    shares = {
        "<bos>": {"a": 0.4, "b": 0.4, "c": 0.2},
        "a": {"d": 0.45, "e": 0.30, "f": 0.25},
        "b": {"g": 0.51, "h": 0.49},
        "c": {"<eos>": 0.1, "d": 0.3, "e": 0.3, "f": 0.3},
    }
    ends = ["i", "j", "k", "l", "m", "n", "o", "p", "q", "r"]
    for early in "def":
        shares[early] = {"<eos>": 1.0}
    for trap in "gh":
        shares[trap] = {end: 0.1 for end in ends}
    for end in ends:
        shares[end] = {"<eos>": 1.0}
    return shares
''',
    ),
]
