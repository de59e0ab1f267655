"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "luong_step",
        "tanh before the layer",
        "The tanh is taken of the joined context and state before the layer, instead of what the layer returns.",
        '''
class LuongStep(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.cell = nn.GRUCell(embedding_size, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def project_keys(self, values: Tensor) -> Tensor:
        return self.scorer.project_keys(values)

    def forward(
        self, embedded: Tensor, state: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        state = self.cell(embedded, state)
        context, weights = attend(self.scorer.score(state, projected_keys), values, source_mask)
        joined = torch.tanh(torch.cat([context, state], dim=-1))
        return self.attentional_layer(joined), weights, state
''',
    ),
    (
        "luong_step",
        "old state beside the context",
        "The new state asks and is returned, but the attentional layer reads the state before the step beside the "
        "context.",
        '''
class LuongStep(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.cell = nn.GRUCell(embedding_size, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def project_keys(self, values: Tensor) -> Tensor:
        return self.scorer.project_keys(values)

    def forward(
        self, embedded: Tensor, state: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        new_state = self.cell(embedded, state)
        scores = self.scorer.score(new_state, projected_keys)
        context, weights = attend(scores, values, source_mask)
        attentional = self.attentional_layer(torch.cat((context, state), 1)).tanh()
        return attentional, weights, new_state
''',
    ),
    (
        "luong_unroll",
        "states shifted by one step",
        "The states are shifted by one, so that each word is asked for by the state before the step, as in the "
        "Bahdanau model.",
        '''
class LuongUnroll(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.rnn = nn.GRU(embedding_size, hidden_size, batch_first=True)  # wants the state as (1, batch, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def forward(self, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
        hidden, _ = self.rnn(embedded, state.unsqueeze(0))
        hidden = torch.cat([state.unsqueeze(1), hidden[:, :-1]], dim=1)  # h_0 ... h_{T-1}
        scores = hidden @ self.scorer.project_keys(values).mT
        weights = masked_softmax(scores, source_mask.unsqueeze(1))
        context = weights @ values
        return torch.tanh(self.attentional_layer(torch.cat([context, hidden], dim=-1))), weights
''',
    ),
    (
        "luong_unroll",
        "one mask for the whole batch",
        "The mask is reduced to a single row that is true wherever any sentence has a word, so shorter sentences "
        "attend to their padding.",
        '''
class LuongUnroll(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.rnn = nn.GRU(embedding_size, hidden_size, batch_first=True)  # wants the state as (1, batch, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def forward(self, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
        H = self.rnn(embedded, state[None])[0]
        keys = self.scorer.project_keys(values)
        scores = torch.einsum("bth,bsh->bts", H, keys)
        A = masked_softmax(scores, source_mask.any(dim=0))  # (source_len,) broadcasts to all rows
        C = torch.einsum("bts,bse->bte", A, values)
        return self.attentional_layer(torch.cat([C, H], 2)).tanh(), A
''',
    ),
    (
        "input_feeding_step",
        "what is fed is detached",
        "The attentional state that is fed enters the cell detached, so no gradient reaches the step before through "
        "it.",
        '''
class InputFeedingStep(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.cell = nn.GRUCell(embedding_size + hidden_size, hidden_size)  # takes the word first, then what is fed
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def project_keys(self, values: Tensor) -> Tensor:
        return self.scorer.project_keys(values)

    def forward(
        self,
        embedded: Tensor,
        fed: Tensor,
        state: Tensor,
        projected_keys: Tensor,
        values: Tensor,
        source_mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        # what is fed is an input like the word, not a state
        state = self.cell(torch.cat([embedded, fed.detach()], dim=-1), state)
        context, weights = attend(self.scorer.score(state, projected_keys), values, source_mask)
        attentional = torch.tanh(self.attentional_layer(torch.cat([context, state], dim=-1)))
        return attentional, weights, state
''',
    ),
    (
        "unroll_feeding",
        "state and fed exchanged in the call",
        "The step is called with the state in the place of what is fed, and with what is fed in the place of the "
        "state.",
        '''
def unroll_feeding(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor]:
    keys = step.project_keys(values)
    fed = torch.zeros_like(state)
    attentionals, rows = [], []
    for word in embedded.unbind(1):
        fed, weights, state = step(word, state, fed, keys, values, source_mask)
        attentionals.append(fed)
        rows.append(weights)
    return torch.stack(attentionals, 1), torch.stack(rows, 1)
''',
    ),
    (
        "unroll_feeding",
        "zeros of the default dtype",
        "The zeros that stand in at first are of the default dtype instead of the state's, so the loop fails in "
        "float64.",
        '''
def unroll_feeding(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor]:
    batch, target_len, _ = embedded.size()
    fed = torch.zeros(batch, state.size(1))
    projected_keys = step.project_keys(values)
    all_attentional = []
    all_weights = []
    for t in range(target_len):
        fed, weights, state = step(embedded[:, t], fed, state, projected_keys, values, source_mask)
        all_attentional += [fed]
        all_weights += [weights]
    return torch.stack(all_attentional, dim=1), torch.stack(all_weights, dim=1)
''',
    ),
    (
        "unroll_unfinished",
        "sorted by length, order not restored",
        "The sentences are sorted by the length of their targets, and the results stay in that order instead of going "
        "back to that of the batch.",
        '''
def unroll_unfinished(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor, target_lengths: Tensor
) -> tuple[Tensor, Tensor]:
    lengths, order = target_lengths.sort(descending=True)
    keys = step.project_keys(values)[order]
    embedded, state, values, source_mask = embedded[order], state[order], values[order], source_mask[order]
    fed = torch.zeros_like(state)
    batch, target_len = embedded.shape[:2]
    attentionals = state.new_zeros(batch, target_len, state.size(1))
    weights = state.new_zeros(batch, target_len, values.size(1))
    for t in range(int(lengths[0])):
        n = int((lengths > t).sum())
        fed, row, state = step(embedded[:n, t], fed[:n], state[:n], keys[:n], values[:n], source_mask[:n])
        attentionals[:n, t] = fed
        weights[:n, t] = row
    return attentionals, weights
''',
    ),
    (
        "unroll_unfinished",
        "results as long as the longest target",
        "The results have as many steps as the longest target, although the rows may be longer than any target in "
        "them.",
        '''
def unroll_unfinished(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor, target_lengths: Tensor
) -> tuple[Tensor, Tensor]:
    steps = int(target_lengths.max())
    rows = torch.arange(embedded.size(0), device=target_lengths.device)
    keys, fed = step.project_keys(values), torch.zeros_like(state)
    attentionals = torch.zeros(len(rows), steps, state.size(1), dtype=state.dtype, device=state.device)
    weights = torch.zeros(len(rows), steps, values.size(1), dtype=values.dtype, device=values.device)
    for t in range(steps):
        going = target_lengths[rows] > t
        rows, fed, state, keys = rows[going], fed[going], state[going], keys[going]
        fed, alpha, state = step(embedded[rows, t], fed, state, keys, values[rows], source_mask[rows])
        attentionals[rows, t] = fed
        weights[rows, t] = alpha
    return attentionals, weights
''',
    ),
    (
        "told_apart",
        "order of unordered pairs",
        "Each two models are looked at once and turned round where the second is better, so the pairs do not come in "
        "the order that is asked for.",
        '''
def told_apart(runs: dict[str, list[float]], level: float) -> list[tuple[str, str]]:
    def mean(numbers):
        return sum(numbers) / len(numbers)

    pairs = []
    for better, worse in combinations(runs, 2):
        if mean(runs[better]) < mean(runs[worse]):
            better, worse = worse, better
        pooled = runs[better] + runs[worse]
        seen = sum(runs[better])
        sums = [sum(way) for way in combinations(pooled, len(runs[better]))]
        chance = sum(value >= seen for value in sums) / len(sums)
        if chance <= level:
            pairs.append((better, worse))
    return pairs
''',
    ),
    (
        "told_apart",
        "equal ways counted once",
        "The ways are put into a set, so ways that deal out equal scores count once, although equal scores of "
        "different runs are different ways.",
        '''
def told_apart(runs: dict[str, list[float]], level: float) -> list[tuple[str, str]]:
    found = []
    for first, second in permutations(runs, 2):
        pooled = sorted([*runs[first], *runs[second]])
        ways = set(combinations(pooled, len(runs[first])))
        threshold = sum(sorted(runs[first]))
        extreme = [way for way in ways if sum(way) >= threshold]
        if len(extreme) / len(ways) <= level:
            found.append((first, second))
    return found
''',
    ),
]
