"""Wrong answers written from the text of the exercise alone."""

STEP = '''
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
'''

UNROLL = '''
class LuongUnroll(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.rnn = CountedGRU(embedding_size, hidden_size)  # wants the state as (1, batch, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def forward(self, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
'''

FEEDING = '''
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
'''

WRONG = [
    (
        "luong_step",
        "the old state asks",
        "Attention is asked with the state before the cell, as in the other model.",
        STEP
        + '''
        context, weights = attend(self.scorer.score(state, projected_keys), values, source_mask)
        state = self.cell(embedded, state)
        attentional = torch.tanh(self.attentional_layer(torch.cat([context, state], dim=-1)))
        return attentional, weights, state
''',
    ),
    (
        "luong_step",
        "state first, no tanh",
        "State and context are joined in the wrong order, and the tanh is missing.",
        STEP
        + '''
        new = self.cell(embedded, state)
        scores = self.scorer.score(new, projected_keys)
        context, weights = attend(scores, values, source_mask)
        attentional = self.attentional_layer(torch.cat((new, context), dim=1))
        return attentional, weights, new
''',
    ),
    (
        "luong_unroll",
        "each step asks with the state before it",
        "The states that ask are shifted by one: each target word attends with the state before its step.",
        UNROLL
        + '''
        states, _ = self.rnn(embedded, state.unsqueeze(0))
        asking = torch.cat([state.unsqueeze(1), states[:, :-1]], dim=1)
        scores = asking @ self.scorer.project_keys(values).mT
        weights = masked_softmax(scores, source_mask.unsqueeze(1))
        contexts = weights @ values
        return torch.tanh(self.attentional_layer(torch.cat([contexts, states], dim=-1))), weights
''',
    ),
    (
        "luong_unroll",
        "begins from zeros",
        "The first state is not handed to the recurrent layer, which begins from zeros.",
        UNROLL
        + '''
        hidden, _ = self.rnn(embedded)
        keys = self.scorer.project_keys(values)
        weights = masked_softmax(torch.einsum("bth,bsh->bts", hidden, keys), source_mask[:, None, :])
        contexts = torch.einsum("bts,bse->bte", weights, values)
        return self.attentional_layer(torch.cat([contexts, hidden], dim=2)).tanh(), weights
''',
    ),
    (
        "input_feeding_step",
        "what is fed replaces the state",
        "The cell gets what is fed as its state too, so the old state is lost.",
        FEEDING
        + '''
        state = self.cell(torch.cat([embedded, fed], dim=-1), fed)
        context, weights = attend(self.scorer.score(state, projected_keys), values, source_mask)
        attentional = torch.tanh(self.attentional_layer(torch.cat([context, state], dim=-1)))
        return attentional, weights, state
''',
    ),
    (
        "input_feeding_step",
        "no gradient through what is fed",
        "What is fed is detached, so no gradient flows back to the step before through it.",
        FEEDING
        + '''
        state = self.cell(torch.cat((embedded, fed.detach()), dim=1), state)
        scores = self.scorer.score(state, projected_keys)
        context, weights = attend(scores, values, source_mask)
        joined = torch.cat((context, state), dim=1)
        return self.attentional_layer(joined).tanh(), weights, state
''',
    ),
    (
        "unroll_feeding",
        "state and attentional state exchanged",
        "The step's results are taken in another order, so the new state is fed and the attentional state goes on as the state.",
        '''
def unroll_feeding(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor]:
    keys = step.project_keys(values)
    fed = torch.zeros_like(state)
    attentionals, table = [], []
    for word in embedded.unbind(1):
        attentional, weights, new = step(word, fed, state, keys, values, source_mask)
        fed, state = new, attentional
        attentionals.append(attentional)
        table.append(weights)
    return torch.stack(attentionals, dim=1), torch.stack(table, dim=1)
''',
    ),
    (
        "unroll_feeding",
        "begins with the state, keys every time",
        "The first step is fed the decoder's first state instead of zeros, and the keys are projected anew at every step.",
        '''
def unroll_feeding(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor]:
    fed = state
    results = []
    for t in range(embedded.size(1)):
        fed, weights, state = step(embedded[:, t], fed, state, step.project_keys(values), values, source_mask)
        results.append((fed, weights))
    attentionals, table = zip(*results)
    return torch.stack(attentionals, 1), torch.stack(table, 1)
''',
    ),
    (
        "unroll_unfinished",
        "one step too many",
        "Each sentence takes part in one step behind its end, and the result of it is written down.",
        '''
def unroll_unfinished(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor, target_lengths: Tensor
) -> tuple[Tensor, Tensor]:
    batch, longest, _ = embedded.shape
    attentionals = state.new_zeros(batch, longest, state.size(1))
    table = values.new_zeros(batch, longest, values.size(1))
    rows = torch.arange(batch, device=state.device)
    keys, fed = step.project_keys(values), torch.zeros_like(state)
    for t in range(int(target_lengths.max())):
        going = target_lengths[rows] >= t
        rows, fed, state, keys = rows[going], fed[going], state[going], keys[going]
        values, source_mask = values[going], source_mask[going]
        fed, weights, state = step(embedded[rows, t], fed, state, keys, values, source_mask)
        attentionals[rows, t] = fed
        table[rows, t] = weights
    return attentionals, table
''',
    ),
    (
        "unroll_unfinished",
        "the first rows go on",
        "What is fed and the state are cut to the first rows instead of the rows that are left, which is right only where the shortest targets stand last.",
        '''
def unroll_unfinished(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor, target_lengths: Tensor
) -> tuple[Tensor, Tensor]:
    keys = step.project_keys(values)
    attentionals = state.new_zeros(*embedded.shape[:2], state.size(1))
    table = state.new_zeros(*embedded.shape[:2], values.size(1))
    fed = torch.zeros_like(state)
    for t in range(int(target_lengths.max())):
        rows = (target_lengths > t).nonzero().squeeze(1)
        fed, state = fed[: len(rows)], state[: len(rows)]
        fed, weights, state = step(embedded[rows, t], fed, state, keys[rows], values[rows], source_mask[rows])
        attentionals[rows, t] = fed
        table[rows, t] = weights
    return attentionals, table
''',
    ),
    (
        "told_apart",
        "strictly larger",
        "Only ways that are further apart than the seen one are counted, so the seen one and its equals are left out.",
        '''
def told_apart(runs: dict[str, list[float]], level: float) -> list[tuple[str, str]]:
    found = []
    for better, worse in permutations(runs, 2):
        pooled = [*runs[better], *runs[worse]]
        seen = sum(runs[better])
        sums = [sum(chosen) for chosen in combinations(pooled, len(runs[better]))]
        chance = sum(one > seen for one in sums) / len(sums)
        if chance <= level:
            found.append((better, worse))
    return found
''',
    ),
    (
        "told_apart",
        "each pair in one order only",
        "Each pair is tried only in the order of the names, so a later model that is better than an earlier one is never found, and a chance that is just the level does not count.",
        '''
def told_apart(runs: dict[str, list[float]], level: float) -> list[tuple[str, str]]:
    pairs = []
    for first, second in combinations(runs, 2):
        one, other = runs[first], runs[second]
        pooled = one + other
        seen = sum(one) / len(one) - sum(other) / len(other)
        ways = far = 0
        for places in combinations(range(len(pooled)), len(one)):
            mine = [pooled[place] for place in places]
            theirs = [pooled[place] for place in range(len(pooled)) if place not in places]
            ways += 1
            far += sum(mine) / len(mine) - sum(theirs) / len(theirs) >= seen - 1e-9
        if far / ways < level:
            pairs.append((first, second))
    return pairs
''',
    ),
]
