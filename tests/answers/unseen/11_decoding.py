"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "perplexity_of_logits",
        "arithmetic mean of the inverse probabilities",
        "It averages 1 / p over the words, an arithmetic mean, where perplexity is the inverse of the geometric mean of"
        " the probabilities.",
        '''
def perplexity_of_logits(
    logits: Tensor,
    target_out: Tensor,
    target_mask: Tensor,
) -> Tensor:
    log_p = logits.log_softmax(-1).gather(-1, target_out.unsqueeze(-1)).squeeze(-1)
    wavers = torch.exp(-log_p[target_mask])  # between how many words, at each step
    return wavers.mean()
''',
    ),
    (
        "continue_hypotheses",
        "place in the short list taken as word",
        "The best words of each hypothesis are listed first, and the place of a candidate in that short list is returned"
        " as the word instead of the word that stands there.",
        '''
def continue_hypotheses(
    alive: Tensor,
    log_probabilities: Tensor,
    beam_size: int,
) -> tuple[Tensor, Tensor, Tensor]:
    candidates = alive.unsqueeze(-1) + log_probabilities
    # no hypothesis can have more than beam_size children that are kept
    few = min(beam_size, candidates.size(-1))
    best = candidates.topk(few, dim=-1).values  # (batch, width, few)
    totals, index = best.flatten(1).topk(beam_size, dim=-1)
    parents = index // few
    tokens = index % few
    return totals, parents, tokens
''',
    ),
    (
        "continue_hypotheses",
        "candidates compared as probabilities",
        "The candidates are turned into probabilities before they are chosen, so those of long, improbable hypotheses"
        " all underflow to 0 and can no longer be told apart.",
        '''
def continue_hypotheses(
    alive: Tensor,
    log_probabilities: Tensor,
    beam_size: int,
) -> tuple[Tensor, Tensor, Tensor]:
    vocab_size = log_probabilities.shape[-1]
    probabilities = alive.exp()[:, :, None] * log_probabilities.exp()
    best, index = probabilities.reshape(len(alive), -1).topk(beam_size)
    return best.log(), torch.div(index, vocab_size, rounding_mode="floor"), index.remainder(vocab_size)
''',
    ),
    (
        "set_finished_aside",
        "totals changed in place",
        "masked_fill_ with an underscore writes -inf into the totals that were passed in, and an argument has to stay"
        " as it is.",
        '''
def set_finished_aside(
    totals: Tensor,
    tokens: Tensor,
    is_last: bool,
) -> tuple[Tensor, Tensor]:
    ended = (tokens == EOS) | is_last
    finished = totals.masked_fill(~ended, -math.inf)
    alive = totals.masked_fill_(ended, -math.inf)
    return alive, finished
''',
    ),
    (
        "trace_back",
        "waiting sentences move all the same",
        "The words after the end become PAD, but the place follows the parents of those later steps, so a sentence that"
        " ends early is read from a wrong place.",
        '''
def trace_back(
    tokens: Tensor,
    parents: Tensor,
    last: Tensor,
    place: Tensor,
) -> Tensor:
    steps, batch, _ = tokens.shape
    rows = torch.arange(batch, device=tokens.device)
    ids = torch.full((batch, steps), PAD, dtype=tokens.dtype, device=tokens.device)
    for step in reversed(range(steps)):
        said = tokens[step, rows, place]
        ids[:, step] = torch.where(step <= last, said, ids[:, step])
        place = parents[step, rows, place]
    return ids
''',
    ),
    (
        "trace_back",
        "parent looked up one step too early",
        "Having read the word of a step, it moves by the parents of the step before, which belong to other words; at the"
        " first step it even takes those of the last.",
        '''
def trace_back(
    tokens: Tensor,
    parents: Tensor,
    last: Tensor,
    place: Tensor,
) -> Tensor:
    sentences = []
    for sentence, (end, where) in enumerate(zip(last.tolist(), place.tolist())):
        found = [PAD] * len(tokens)
        for step in range(end, -1, -1):
            found[step] = int(tokens[step, sentence, where])
            where = int(parents[step - 1, sentence, where])
        sentences.append(found)
    return torch.tensor(sentences, dtype=tokens.dtype, device=tokens.device)
''',
    ),
    (
        "beam_search",
        "ended hypotheses leave their place to others",
        "Each step keeps beam_size hypotheses that go on, whatever has ended, so the place of an ended one is not given"
        " up, and the search goes on with more hypotheses than it may.",
        '''
def beam_search(log_table: Tensor, beam_size: int, longest: int, alpha: float) -> tuple[list[int], float, int]:
    def penalty(n):
        return ((5 + n) / 6) ** alpha

    table = log_table.tolist()
    beam = [(0.0, [])]
    best_ids, best_score = [], -math.inf
    steps = 0
    while beam:
        steps += 1
        candidates = []
        for total, ids in beam:
            a, b = ([BOS, BOS] + ids)[-2:]
            for word, log_p in enumerate(table[a][b]):
                if log_p > -math.inf:
                    candidates.append((total + log_p, ids + [word]))
        candidates.sort(reverse=True, key=lambda one: one[0])
        beam = []
        for total, ids in candidates:
            if len(beam) == beam_size:
                break
            if ids[-1] == EOS or steps == longest:
                score = total / penalty(len(ids))
                if score > best_score:
                    best_ids, best_score = ids, score
            else:
                beam.append((total, ids))
        if all(total / penalty(longest) <= best_score for total, _ in beam):
            break
    return best_ids, best_score, steps
''',
    ),
    (
        "beam_search",
        "EOS not counted, bound of the next length",
        "The length penalty counts the words without EOS, and the bound on an open hypothesis divides by the penalty of"
        " its own next length where it should be the greatest length.",
        '''
def beam_search(log_table: Tensor, beam_size: int, longest: int, alpha: float) -> tuple[list[int], float, int]:
    def lp(words):
        return ((5 + len([word for word in words if word != EOS])) / 6) ** alpha

    open_ones = [(0.0, (BOS, BOS))]
    ended = []
    steps = 0
    while open_ones and steps < longest:
        steps += 1
        candidates = [
            (total + float(log_p), said + (word,))
            for total, said in open_ones
            for word, log_p in enumerate(log_table[said[-2], said[-1]])
            if log_p != -math.inf
        ]
        places = beam_size - len(ended)
        kept = sorted(candidates, reverse=True)[:places]
        open_ones = []
        for total, said in kept:
            if said[-1] == EOS or steps == longest:
                ended.append((total / lp(said[2:]), list(said[2:])))
            else:
                open_ones.append((total, said))
        if ended:
            best = max(ended)[0]
            if all(total / ((5 + steps + 1) / 6) ** alpha <= best for total, _ in open_ones):
                break
    score, ids = max(ended)
    return ids, score, steps
''',
    ),
    (
        "without_repeats",
        "last run of the prefix forgotten",
        "The loop over the runs stops one too early, so the run that ends with the last word said bars nothing; for"
        " n = 1 the last word may be said again at once.",
        '''
def without_repeats(log_probabilities: Tensor, prefixes: Tensor, n: int) -> Tensor:
    allowed = log_probabilities.clone()
    for row, prefix in enumerate(prefixes.tolist()):
        tail = prefix[len(prefix) - n + 1 :]
        for start in range(len(prefix) - n):
            if prefix[start : start + n - 1] == tail:
                allowed[row, prefix[start + n - 1]] = -math.inf
    return allowed
''',
    ),
    (
        "without_repeats",
        "only runs side by side are looked at",
        "unfold steps by n, so only the runs that begin at a multiple of n are seen, and a repetition of a run between"
        " them is allowed.",
        '''
def without_repeats(log_probabilities: Tensor, prefixes: Tensor, n: int) -> Tensor:
    length = prefixes.size(1)
    if length < n:
        return log_probabilities.clone()
    runs = prefixes.unfold(1, n, n)  # (hypotheses, runs, n)
    ending = prefixes[:, length - (n - 1) :]
    same = (runs[..., :-1] == ending.unsqueeze(1)).all(-1)
    barred = torch.zeros_like(log_probabilities, dtype=torch.bool)
    for row in range(len(prefixes)):
        barred[row, runs[row, same[row], -1]] = True
    return log_probabilities.masked_fill(barred, -math.inf)
''',
    ),
    (
        "lured",
        "the beam does nearly as well",
        "The beam of two loses the greedy sentence, but the one that it finds has more than nine tenths of its"
        " probability, where at most four fifths are asked for.",
        '''
def lured() -> dict[str, dict[str, float]]:
    # greedy: the dog barks, 0.4 * 0.4 = 0.16; a beam of two follows "my" with its two children
    return {
        "<bos>": {"the": 0.4, "my": 0.35, "this": 0.25},
        "the": {"dog": 0.4, "end": 0.2, "day": 0.2, "sea": 0.2},
        "my": {"cat": 0.51, "hat": 0.49},
        "this": {"end": 0.5, "day": 0.5},
        "dog": {"barks": 1.0},
        "cat": {"sleeps": 0.82, "barks": 0.18},
        "hat": {"sleeps": 0.6, "barks": 0.4},
        "end": {"<eos>": 1.0},
        "day": {"<eos>": 1.0},
        "sea": {"<eos>": 1.0},
        "barks": {"<eos>": 1.0},
        "sleeps": {"<eos>": 1.0},
    }
''',
    ),
]
