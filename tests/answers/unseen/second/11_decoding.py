"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "perplexity_of_logits",
        "mean per sentence first",
        "The mean is taken in each sentence and then over the sentences, so words of short sentences count more than those of long ones.",
        '''
def perplexity_of_logits(
    logits: Tensor,
    target_out: Tensor,
    target_mask: Tensor,
) -> Tensor:
    log_p = logits.log_softmax(-1).gather(-1, target_out.unsqueeze(-1)).squeeze(-1)
    real = target_mask.to(log_p.dtype)
    per_sentence = (log_p * real).sum(1) / real.sum(1)
    return torch.exp(-per_sentence.mean())
''',
    ),
    (
        "perplexity_of_logits",
        "logarithm of a softmax",
        "The logarithm is taken of a softmax that may have rounded to 0, so large logits give an infinite perplexity.",
        '''
def perplexity_of_logits(logits, target_out, target_mask):
    probabilities = torch.softmax(logits, dim=-1)
    right = torch.gather(probabilities, 2, target_out[:, :, None])[:, :, 0]
    real = right[target_mask]
    return torch.exp(-torch.log(real).mean())
''',
    ),
    (
        "continue_hypotheses",
        "divided by the width",
        "The candidate's number is divided by the width of the beam instead of by the size of the vocabulary, so parents and words are mixed up.",
        '''
def continue_hypotheses(
    alive: Tensor,
    log_probabilities: Tensor,
    beam_size: int,
) -> tuple[Tensor, Tensor, Tensor]:
    width = alive.size(1)
    candidates = (alive.unsqueeze(-1) + log_probabilities).flatten(1)
    totals, index = candidates.topk(beam_size, dim=-1)
    parents = torch.div(index, width, rounding_mode="floor")
    tokens = index % width
    return totals, parents, tokens
''',
    ),
    (
        "continue_hypotheses",
        "one child for each parent",
        "Each hypothesis is continued by its best word alone once the beam is full, so no hypothesis can have two of the best continuations.",
        '''
def continue_hypotheses(alive, log_probabilities, beam_size):
    totals = alive[:, :, None] + log_probabilities
    batch, width, vocab_size = totals.shape
    if width < beam_size:
        best, index = totals.reshape(batch, -1).topk(beam_size, dim=1)
        return best, index // vocab_size, index % vocab_size
    best, words = totals.max(dim=-1)
    best, parents = best.topk(beam_size, dim=1)
    return best, parents, words.gather(1, parents)
''',
    ),
    (
        "set_finished_aside",
        "written into the argument",
        "The finished places are overwritten in the argument itself, so totals is changed and the finished ones have lost their log-probabilities.",
        '''
def set_finished_aside(
    totals: Tensor,
    tokens: Tensor,
    is_last: bool,
) -> tuple[Tensor, Tensor]:
    ended = tokens == EOS
    if is_last:
        ended = torch.ones_like(ended)
    alive = totals
    alive[ended] = -math.inf
    finished = totals.clone()
    finished[~ended] = -math.inf
    return alive, finished
''',
    ),
    (
        "set_finished_aside",
        "alive at the last step",
        "At the last step the hypotheses without EOS are counted as finished but stay among those that go on, too.",
        '''
def set_finished_aside(totals, tokens, is_last):
    said_eos = tokens.eq(EOS)
    nothing = torch.full_like(totals, float("-inf"))
    alive = torch.where(said_eos, nothing, totals)
    finished = totals if is_last else torch.where(said_eos, totals, nothing)
    return alive, finished
''',
    ),
    (
        "trace_back",
        "moves before the sentence has begun",
        "The place moves to the parent in every step, also in the steps after the sentence's own last one, so short sentences begin their way back in a wrong place.",
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
    for step in reversed(range(steps)):
        word = tokens[step, rows, place]
        columns.append(torch.where(step <= last, word, torch.full_like(word, PAD)))
        place = parents[step, rows, place]
    return torch.stack(columns[::-1], dim=1)
''',
    ),
    (
        "trace_back",
        "parents of the step before",
        "The parent is looked up in the row of the step before instead of in the row of the step where the word stands.",
        '''
def trace_back(tokens, parents, last, place):
    steps, batch, _ = tokens.shape
    ids = torch.full((batch, steps), PAD, dtype=tokens.dtype, device=tokens.device)
    for b in range(batch):
        spot = int(place[b])
        for step in range(int(last[b]), -1, -1):
            ids[b, step] = tokens[step, b, spot]
            if step > 0:
                spot = int(parents[step - 1, b, spot])
    return ids
''',
    ),
    (
        "beam_search",
        "bound with the present length",
        "The bound for an open hypothesis divides by the penalty of its present length instead of the greatest, so the search stops although a longer one could still win.",
        '''
def beam_search(log_table: Tensor, beam_size: int, longest: int, alpha: float) -> tuple[list[int], float, int]:
    def penalty(n):
        return ((5 + n) / 6) ** alpha

    table = log_table.tolist()
    alive, places = [(0.0, [BOS, BOS])], beam_size
    best_words, best_score, steps = [], -math.inf, 0
    while alive and places:
        steps += 1
        candidates = []
        for total, said in alive:
            for word, value in enumerate(table[said[-2]][said[-1]]):
                if value > -math.inf:
                    candidates.append((total + value, said + [word]))
        candidates = sorted(candidates, key=lambda pair: pair[0], reverse=True)[:places]
        alive = []
        for total, said in candidates:
            length = len(said) - 2
            if said[-1] == EOS or length == longest:
                places -= 1
                if total / penalty(length) > best_score:
                    best_score, best_words = total / penalty(length), said[2:]
            else:
                alive.append((total, said))
        if alive and max(total for total, _ in alive) / penalty(steps) <= best_score:
            break
    return best_words, best_score, steps
''',
    ),
    (
        "beam_search",
        "places never given up, EOS not counted",
        "A hypothesis that has ended does not give up its place, so the beam stays as wide as at first, and EOS is not counted in the length.",
        '''
def beam_search(log_table, beam_size, longest, alpha):
    def score_of(total, words):
        n = len([word for word in words if word != EOS])
        return total / ((5 + n) / 6) ** alpha

    limit = ((5 + longest) / 6) ** alpha
    open_ones = [(0.0, BOS, BOS, [])]
    best = None
    steps = 0
    while open_ones and steps < longest:
        steps += 1
        heap = []
        for total, a, b, words in open_ones:
            row = log_table[a, b]
            for c in range(row.size(0)):
                p = float(row[c])
                if math.isinf(p):
                    continue
                heap.append((total + p, b, c, words + [c]))
        kept = heapq.nlargest(beam_size, heap, key=lambda entry: entry[0])
        open_ones = []
        for entry in kept:
            if entry[2] == EOS or steps == longest:
                s = score_of(entry[0], entry[3])
                if best is None or s > best[1]:
                    best = (entry[3], s)
            else:
                open_ones.append(entry)
        if best is not None and all(entry[0] / limit <= best[1] for entry in open_ones):
            break
    return best[0], best[1], steps
''',
    ),
    (
        "without_repeats",
        "minus zero for single words",
        "For n = 1 the slice from -(n - 1) is the whole list instead of an empty one, so no word is barred at all.",
        '''
def without_repeats(log_probabilities: Tensor, prefixes: Tensor, n: int) -> Tensor:
    allowed = log_probabilities.clone()
    for row, words in enumerate(prefixes.tolist()):
        ending = words[-(n - 1):]
        for start in range(len(words) - n + 1):
            run = words[start : start + n]
            if run[:-1] == ending:
                allowed[row, run[-1]] = -math.inf
    return allowed
''',
    ),
    (
        "without_repeats",
        "last run forgotten, in place",
        "The loop ends one run too early, so the run that was said last bars nothing, and the log-probabilities handed in are overwritten.",
        '''
def without_repeats(log_probabilities, prefixes, n):
    length = prefixes.size(1)
    allowed = log_probabilities
    for h in range(prefixes.size(0)):
        said = tuple(prefixes[h].tolist())
        seen = {}
        for i in range(length - n):
            seen.setdefault(said[i : i + n - 1], []).append(said[i + n - 1])
        for word in seen.get(said[length - n + 1 :], []):
            allowed[h, word] = float("-inf")
    return allowed
''',
    ),
    (
        "lured",
        "not lured far enough",
        "The beam does lose the greedy sentence, but what it finds has nine tenths of its probability and not at most four fifths.",
        '''
def lured() -> dict[str, dict[str, float]]:
    return {
        "<bos>": {"le": 0.5, "la": 0.45, "un": 0.05},
        "le": {"chat": 0.4, "chien": 0.35, "loup": 0.25},
        "la": {"dame": 0.5, "fille": 0.5},
        "un": {"<eos>": 1.0},
        "chat": {"<eos>": 1.0},
        "chien": {"<eos>": 1.0},
        "loup": {"<eos>": 1.0},
        "dame": {"<eos>": 0.8, "dort": 0.2},
        "fille": {"<eos>": 0.8, "dort": 0.2},
        "dort": {"<eos>": 1.0},
    }
''',
    ),
    (
        "lured",
        "ends without rows",
        "The many improbable ends of the lure may be said but have no rows of their own, so the model is not complete.",
        '''
def lured():
    shares = {
        "<bos>": {"a": 0.4, "b": 0.38, "c": 0.22},
        "a": {"d": 0.45, "e": 0.35, "f": 0.2},
        "d": {"<eos>": 1.0},
        "e": {"<eos>": 1.0},
        "f": {"<eos>": 1.0},
        "b": {"g": 0.5, "h": 0.5},
        "c": {"<eos>": 1.0},
    }
    ends = [f"end{i}" for i in range(10)]
    shares["g"] = {end: 0.1 for end in ends}
    shares["h"] = {end: 0.1 for end in ends}
    return shares
''',
    ),
]
