"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "reverse_within_length",
        "padding fetches the first word",
        "A mirrored index below 0 is raised to 0, so the padded places get the first word instead of staying what they are.",
        '''
def reverse_within_length(values: Tensor, lengths: Tensor) -> Tensor:
    places = torch.arange(values.size(1), device=values.device)
    index = (lengths.unsqueeze(1) - 1 - places).clamp(min=0)
    return values.gather(1, index.unsqueeze(-1).expand_as(values))
''',
    ),
    (
        "reverse_within_length",
        "padding is wiped out",
        "The words are written into a tensor of zeros, so what stood at the padding is lost.",
        '''
def reverse_within_length(values: Tensor, lengths: Tensor) -> Tensor:
    result = torch.zeros_like(values)
    for row in range(len(values)):
        length = int(lengths[row])
        for place in range(length):
            result[row, place] = values[row, length - 1 - place]
    return result
''',
    ),
    (
        "join_directions",
        "backward end at the last word",
        "The backward reading is taken at the last word, which is what it has read first; it ends at word 1.",
        '''
def join_directions(
    forward_states: Tensor,
    backward_states: Tensor,
    source_lengths: Tensor,
) -> tuple[Tensor, Tensor]:
    joined = torch.cat([forward_states, backward_states], dim=-1)
    real = torch.arange(joined.size(1), device=joined.device) < source_lengths.unsqueeze(1)
    states = joined.masked_fill(~real.unsqueeze(-1), 0.0)
    rows = torch.arange(joined.size(0), device=joined.device)
    return states, joined[rows, source_lengths - 1]
''',
    ),
    (
        "join_directions",
        "last index, padding left in",
        "The forward reading is taken at the last index, which in a shorter sentence is padding, and the states at padding are not set to 0.",
        '''
def join_directions(
    forward_states: Tensor,
    backward_states: Tensor,
    source_lengths: Tensor,
) -> tuple[Tensor, Tensor]:
    states = torch.cat((forward_states, backward_states), dim=2)
    final = torch.cat((forward_states[:, -1], backward_states[:, 0]), dim=1)
    return states, final
''',
    ),
    (
        "bahdanau_step",
        "the cell forgets",
        "The old state is not handed to the cell, which begins from zeros at every step.",
        '''
class BahdanauStep(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int, attention_size: int) -> None:
        super().__init__()
        self.scorer = AdditiveScorer(hidden_size, encoder_size, attention_size)
        self.cell = nn.GRUCell(embedding_size + encoder_size, hidden_size)  # takes the word first, then the context

    def project_keys(self, values: Tensor) -> Tensor:
        return self.scorer.project_keys(values)

    def forward(
        self,
        embedded: Tensor,
        state: Tensor,
        projected_keys: Tensor,
        values: Tensor,
        source_mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        scores = self.scorer.score(state, projected_keys)
        context, weights = attend(scores, values, source_mask)
        state = self.cell(torch.cat([embedded, context], dim=-1))
        return state, context, weights
''',
    ),
    (
        "bahdanau_step",
        "asks once more",
        "After the cell the new state asks again, and the context and weights of this second question are returned, as in the other model.",
        '''
class BahdanauStep(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int, attention_size: int) -> None:
        super().__init__()
        self.scorer = AdditiveScorer(hidden_size, encoder_size, attention_size)
        self.cell = nn.GRUCell(embedding_size + encoder_size, hidden_size)  # takes the word first, then the context

    def project_keys(self, values: Tensor) -> Tensor:
        return self.scorer.project_keys(values)

    def forward(
        self,
        embedded: Tensor,
        state: Tensor,
        projected_keys: Tensor,
        values: Tensor,
        source_mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        context, _ = attend(self.scorer.score(state, projected_keys), values, source_mask)
        new_state = self.cell(torch.cat((embedded, context), dim=1), state)
        context, weights = attend(self.scorer.score(new_state, projected_keys), values, source_mask)
        return new_state, context, weights
''',
    ),
    (
        "maxout_readout",
        "first half against second half",
        "Number j is paired with number j + l, not with its neighbour.",
        '''
class MaxoutReadout(nn.Module):
    def __init__(
        self,
        state_size: int,
        embedding_size: int,
        context_size: int,
        readout_size: int,
    ) -> None:
        super().__init__()
        joined_size = state_size + embedding_size + context_size
        self.layer = nn.Linear(joined_size, 2 * readout_size)  # [U_o, V_o, C_o]

    def forward(self, state: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        first, second = self.layer(torch.cat([state, embedded, context], dim=-1)).chunk(2, dim=-1)
        return torch.maximum(first, second)
''',
    ),
    (
        "maxout_readout",
        "one step only, word first",
        "The pairs are laid out for a batch of single steps, so whole targets run together, and the word stands in front of the state.",
        '''
class MaxoutReadout(nn.Module):
    def __init__(
        self,
        state_size: int,
        embedding_size: int,
        context_size: int,
        readout_size: int,
    ) -> None:
        super().__init__()
        joined_size = state_size + embedding_size + context_size
        self.layer = nn.Linear(joined_size, 2 * readout_size)  # [U_o, V_o, C_o]

    def forward(self, state: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        raw = self.layer(torch.cat([embedded, state, context], dim=-1))
        return raw.reshape(raw.size(0), -1, 2).max(dim=-1).values
''',
    ),
    (
        "forced_decoder",
        "the forward half",
        "The first state is made of the forward half of the final states, where the equation names the backward one.",
        '''
class ForcedDecoder(nn.Module):
    def __init__(self, encoder_size: int, hidden_size: int, readout_size: int, vocab_size: int) -> None:
        super().__init__()
        self.first_layer = nn.Linear(encoder_size // 2, hidden_size)  # W_s
        self.output_layer = nn.Linear(readout_size, vocab_size)  # W_o

    def forward(
        self, step: nn.Module, readout: nn.Module, embedded: Tensor, final: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        state = torch.tanh(self.first_layer(final[:, : self.first_layer.in_features]))
        keys = step.project_keys(values)
        triples = []
        for word in embedded.unbind(1):
            state, context, weights = step(word, state, keys, values, source_mask)
            triples.append((state, context, weights))
        states, contexts, tables = (torch.stack(kind, dim=1) for kind in zip(*triples))
        return self.output_layer(readout(states, embedded, contexts)), tables
''',
    ),
    (
        "forced_decoder",
        "the readout sees the state before",
        "The readout gets the states before each step instead of after it, and the first state lacks its tanh.",
        '''
class ForcedDecoder(nn.Module):
    def __init__(self, encoder_size: int, hidden_size: int, readout_size: int, vocab_size: int) -> None:
        super().__init__()
        self.first_layer = nn.Linear(encoder_size // 2, hidden_size)  # W_s
        self.output_layer = nn.Linear(readout_size, vocab_size)  # W_o

    def forward(
        self, step: nn.Module, readout: nn.Module, embedded: Tensor, final: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        _, backward = final.chunk(2, dim=1)
        state = self.first_layer(backward)
        keys = step.project_keys(values)
        states, contexts, tables = [], [], []
        for i in range(embedded.size(1)):
            states.append(state)
            state, context, weights = step(embedded[:, i], state, keys, values, source_mask)
            contexts.append(context)
            tables.append(weights)
        said = readout(torch.stack(states, 1), embedded, torch.stack(contexts, 1))
        return self.output_layer(said), torch.stack(tables, 1)
''',
    ),
    (
        "wires",
        "everything on whole sentences",
        "What enters the cell is tried on whole sentences, where state and word also reach the new state through question and context.",
        '''
def wires(step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> dict[str, bool]:
    def run(word=embedded, before=state, table=values):
        with torch.no_grad():
            return step(word, before, step.project_keys(table), table, source_mask)

    new, context, weights = run()
    by_state = run(before=state + torch.randn_like(state))
    by_word = run(word=embedded + torch.randn_like(embedded))
    by_values = run(table=values + torch.randn_like(values))
    noise = torch.where(source_mask.unsqueeze(-1), values, torch.randn_like(values))
    by_padding = run(table=noise)
    return {
        "state asks": not torch.allclose(by_state[2], weights, atol=1e-6),
        "word asks": not torch.allclose(by_word[2], weights, atol=1e-6),
        "state enters": not torch.allclose(by_state[0], new, atol=1e-6),
        "word enters": not torch.allclose(by_word[0], new, atol=1e-6),
        "context enters": not torch.allclose(by_values[0], new, atol=1e-6),
        "padding counts": not torch.allclose(by_padding[2], weights, atol=1e-6),
        "context is the weighted sum": torch.allclose((weights.unsqueeze(-1) * values).sum(1), context, atol=1e-5),
    }
''',
    ),
    (
        "wires",
        "keys projected once",
        "The keys are projected once from the first values, so new values at the padding never reach the scores.",
        '''
def wires(step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> dict[str, bool]:
    keys = step.project_keys(values)

    def same(one, other):
        return bool(torch.allclose(one, other, atol=1e-6))

    new, context, weights = step(embedded, state, keys, values, source_mask)
    other_state, other_word = state + 1.0, embedded + 1.0
    padded = torch.where(source_mask[..., None], values, values + 3.0)
    answers = {
        "state asks": not same(step(embedded, other_state, keys, values, source_mask)[2], weights),
        "word asks": not same(step(other_word, state, keys, values, source_mask)[2], weights),
    }
    first, first_keys, first_mask = values[:, :1], keys[:, :1], source_mask[:, :1]
    base = step(embedded, state, first_keys, first, first_mask)[0]
    answers["state enters"] = not same(step(embedded, other_state, first_keys, first, first_mask)[0], base)
    answers["word enters"] = not same(step(other_word, state, first_keys, first, first_mask)[0], base)
    answers["context enters"] = not same(step(embedded, state, first_keys, first + 1.0, first_mask)[0], base)
    answers["padding counts"] = not same(step(embedded, state, keys, padded, source_mask)[2], weights)
    answers["context is the weighted sum"] = same(torch.einsum("bk,bkv->bv", weights, values), context)
    return answers
''',
    ),
]
