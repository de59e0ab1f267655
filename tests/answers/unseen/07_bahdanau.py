"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "reverse_within_length",
        "flipped and rolled, padding turned too",
        "The row is flipped and rolled back by its length, which puts the words right, but leaves the padding in "
        "reverse order instead of where it was.",
        '''
def reverse_within_length(values: Tensor, lengths: Tensor) -> Tensor:
    flipped = values.flip(1)
    return torch.stack([row.roll(int(length), 0) for row, length in zip(flipped, lengths)])
''',
    ),
    (
        "reverse_within_length",
        "cut and padded anew",
        "The sentences are cut, reversed and padded anew, so the padding's own values become 0 and the row shrinks to "
        "the longest sentence.",
        '''
def reverse_within_length(values: Tensor, lengths: Tensor) -> Tensor:
    sentences = [values[i, : lengths[i]].flip(0) for i in range(len(values))]
    return nn.utils.rnn.pad_sequence(sentences, batch_first=True)
''',
    ),
    (
        "join_directions",
        "backward half kept at padding",
        "Only the forward half is set to 0 at padding; the backward half keeps whatever stood there.",
        '''
def join_directions(
    forward_states: Tensor,
    backward_states: Tensor,
    source_lengths: Tensor,
) -> tuple[Tensor, Tensor]:
    batch, source_len, _ = forward_states.shape
    places = torch.arange(source_len, device=source_lengths.device)
    real = places.unsqueeze(0) < source_lengths.unsqueeze(1)
    # the backward reader has not met the padding yet when it reads the words
    ahead = forward_states.masked_fill(~real.unsqueeze(-1), 0.0)
    rows = torch.arange(batch, device=source_lengths.device)
    final = torch.cat([forward_states[rows, source_lengths - 1], backward_states[:, 0]], dim=-1)
    return torch.cat([ahead, backward_states], dim=-1), final
''',
    ),
    (
        "join_directions",
        "entries of both readings interleaved",
        "Stacked on a new last axis and flattened, the two states of a word are interleaved entry by entry instead of "
        "standing one behind the other.",
        '''
def join_directions(
    forward_states: Tensor,
    backward_states: Tensor,
    source_lengths: Tensor,
) -> tuple[Tensor, Tensor]:
    mask = torch.arange(forward_states.size(1), device=source_lengths.device) < source_lengths[:, None]
    both = torch.stack([forward_states, backward_states], dim=-1).flatten(2)
    states = torch.where(mask[..., None], both, torch.zeros_like(both))
    last = [forward_states[i, n - 1] for i, n in enumerate(source_lengths.tolist())]
    final = torch.cat([torch.stack(last), backward_states[:, 0]], dim=1)
    return states, final
''',
    ),
    (
        "bahdanau_step",
        "attends again with the new state",
        "The cell gets the right context, but the context and weights that are returned come from a second attention, "
        "asked by the new state.",
        '''
class BahdanauStep(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int, attention_size: int) -> None:
        super().__init__()
        self.scorer = AdditiveScorer(hidden_size, encoder_size, attention_size)
        self.cell = nn.GRUCell(embedding_size + encoder_size, hidden_size)  # takes the word first, then the context

    def project_keys(self, values: Tensor) -> Tensor:
        return self.scorer.project_keys(values)

    def look(self, state, projected_keys, values, source_mask):
        return attend(self.scorer.score(state, projected_keys), values, source_mask)

    def forward(
        self,
        embedded: Tensor,
        state: Tensor,
        projected_keys: Tensor,
        values: Tensor,
        source_mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        context, _ = self.look(state, projected_keys, values, source_mask)
        state = self.cell(torch.cat([embedded, context], dim=-1), state)
        context, weights = self.look(state, projected_keys, values, source_mask)
        return state, context, weights
''',
    ),
    (
        "bahdanau_step",
        "context cut before the cell",
        "The context enters the cell detached, so nothing that the new state leads to can train the scorer or the "
        "encoder states.",
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
        entering = torch.cat((embedded, context.detach()), -1)
        new_state = self.cell(entering, state)
        return new_state, context, weights
''',
    ),
    (
        "maxout_readout",
        "steps of a target run together",
        "The pairs are made by a view that keeps the batch axis alone, so the readouts of a whole target run together "
        "into one long row.",
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
        t = self.layer(torch.cat([state, embedded, context], dim=-1))
        pairs = t.view(t.size(0), -1, 2)
        return pairs.max(dim=-1).values
''',
    ),
    (
        "forced_decoder",
        "readout of the states before",
        "The readout gets the state before each step, as the appendix prints it, while the text asks for the state "
        "after it.",
        '''
class ForcedDecoder(nn.Module):
    def __init__(self, encoder_size: int, hidden_size: int, readout_size: int, vocab_size: int) -> None:
        super().__init__()
        self.first_layer = nn.Linear(encoder_size // 2, hidden_size)  # W_s
        self.output_layer = nn.Linear(readout_size, vocab_size)  # W_o

    def forward(
        self, step: nn.Module, readout: nn.Module, embedded: Tensor, final: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        half = final.size(-1) // 2
        state = torch.tanh(self.first_layer(final[:, half:]))
        keys = step.project_keys(values)
        states, contexts, weights = [], [], []
        for word in embedded.unbind(1):
            states.append(state)
            state, context, row = step(word, state, keys, values, source_mask)
            contexts.append(context)
            weights.append(row)
        read = readout(torch.stack(states, 1), embedded, torch.stack(contexts, 1))
        return self.output_layer(read), torch.stack(weights, 1)
''',
    ),
    (
        "forced_decoder",
        "reshaped where axes should be exchanged",
        "The results are stacked with the steps in front and then reshaped to batch first, which mixes the steps of "
        "different sentences.",
        '''
class ForcedDecoder(nn.Module):
    def __init__(self, encoder_size: int, hidden_size: int, readout_size: int, vocab_size: int) -> None:
        super().__init__()
        self.first_layer = nn.Linear(encoder_size // 2, hidden_size)  # W_s
        self.output_layer = nn.Linear(readout_size, vocab_size)  # W_o

    def forward(
        self, step: nn.Module, readout: nn.Module, embedded: Tensor, final: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        batch, target_len, _ = embedded.shape
        projected = step.project_keys(values)
        _, backward_end = final.chunk(2, dim=-1)
        state = self.first_layer(backward_end).tanh()
        triples = []
        for i in range(target_len):
            triples.append(step(embedded[:, i], state, projected, values, source_mask))
            state = triples[-1][0]
        states, contexts, weights = [torch.stack(kind).reshape(batch, target_len, -1) for kind in zip(*triples)]
        return self.output_layer(readout(states, embedded, contexts)), weights
''',
    ),
    (
        "wires",
        "keys of the old values at padding",
        "For the test of the padding the changed values go in with the keys of the old ones, so the weights cannot "
        "change and the answer is always False.",
        '''
def wires(step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> dict[str, bool]:
    def same(a, b):
        return torch.allclose(a, b)

    with torch.no_grad():
        keys = step.project_keys(values)
        new, context, weights = step(embedded, state, keys, values, source_mask)
        other_state, other_word = state + 1.5, embedded - 2.0
        asks_state = step(embedded, other_state, keys, values, source_mask)[2]
        asks_word = step(other_word, state, keys, values, source_mask)[2]

        noise = torch.where(source_mask.unsqueeze(-1), values, values + 5)
        padded = step(embedded, state, keys, noise, source_mask)[2]

        first, real = values[:, :1], source_mask[:, :1]
        first_keys = step.project_keys(first)
        short = step(embedded, state, first_keys, first, real)[0]
        by_state = step(embedded, other_state, first_keys, first, real)[0]
        by_word = step(other_word, state, first_keys, first, real)[0]
        by_context = step(embedded, state, step.project_keys(first + 1), first + 1, real)[0]
        expected = torch.bmm(weights.unsqueeze(1), values).squeeze(1)
    return {
        "state asks": not same(weights, asks_state),
        "word asks": not same(weights, asks_word),
        "state enters": not same(short, by_state),
        "word enters": not same(short, by_word),
        "context enters": not same(short, by_context),
        "padding counts": not same(weights, padded),
        "context is the weighted sum": torch.allclose(context, expected, atol=1e-6),
    }
''',
    ),
    (
        "wires",
        "weighted sum tried on one word",
        "Whether the context is the weighted sum is tried on the first words alone, where a context that is always the "
        "first value passes as well.",
        '''
def wires(step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> dict[str, bool]:
    @torch.no_grad()
    def run(word=embedded, before=state, sentence=values, mask=source_mask):
        return step(word, before, step.project_keys(sentence), sentence, mask)

    def differ(one, two):
        return not torch.allclose(one, two, atol=1e-6)

    generator = torch.Generator().manual_seed(0)

    def another(tensor):
        return tensor + torch.randn(tensor.shape, generator=generator).to(tensor) * 2

    found = {}
    new_state, new_word = another(state), another(embedded)
    _, _, weights = run()
    found["state asks"] = differ(weights, run(before=new_state)[2])
    found["word asks"] = differ(weights, run(word=new_word)[2])
    one = {"sentence": values[:, :1], "mask": source_mask[:, :1]}
    after, context, single = run(**one)
    found["state enters"] = differ(after, run(before=new_state, **one)[0])
    found["word enters"] = differ(after, run(word=new_word, **one)[0])
    found["context enters"] = differ(after, run(sentence=another(values[:, :1]), mask=source_mask[:, :1])[0])
    changed = torch.where(source_mask[..., None], values, another(values))
    found["padding counts"] = differ(weights, run(sentence=changed)[2])
    found["context is the weighted sum"] = not differ(context, (single[..., None] * values[:, :1]).sum(1))
    return found
''',
    ),
]
