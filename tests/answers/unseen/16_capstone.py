"""Wrong answers written from the text of the exercise alone."""

_ENCODER = '''
class Encoder(nn.Module):
    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        bidirectional: bool = True,
        cell: str = "gru",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.dropout = nn.Dropout(dropout)
        self.forward_rnn = recurrent_layer(cell, embedding_size, hidden_size)
        self.backward_rnn = recurrent_layer(cell, embedding_size, hidden_size) if bidirectional else None
        self.state_size = hidden_size * (2 if bidirectional else 1)

'''

_GIVEN = '''

def check_lengths(source: Tensor, source_lengths: Tensor) -> None:
    """Refuse lengths that do not fit the source: one per row, each from 1 to source_len."""
    if source_lengths.shape != source.shape[:1]:
        raise ValueError(
            f"source_lengths: shape {tuple(source_lengths.shape)}, expected (batch={source.size(0)},), "
            "one length per row of source."
        )
    if not 1 <= int(source_lengths.min()) <= int(source_lengths.max()) <= source.size(1):
        raise ValueError(
            f"source_lengths: got {int(source_lengths.min())} to {int(source_lengths.max())}, expected 1 to "
            f"source_len={source.size(1)}, the size of source on axis 1."
        )


def reverse_within_length(values: Tensor, lengths: Tensor) -> Tensor:
    """Each row's real positions in reverse order, its padding left where it is: a b c – – → c b a – –.

    Shape:
        values: (batch, source_len, size)
        lengths: (batch,)
    """
    positions = torch.arange(values.size(1), device=values.device)
    mirrored = lengths.unsqueeze(1) - 1 - positions
    index = torch.where(mirrored >= 0, mirrored, positions)
    return values.gather(1, index.unsqueeze(-1).expand_as(values))
'''

_TRANSLATOR = '''
class Translator:
    def __init__(self, encoder: Any, scorer: Any, attend: Callable[..., tuple[Tensor, Tensor]], decoder: Any) -> None:
        self.encoder, self.scorer, self.attend, self.decoder = encoder, scorer, attend, decoder

'''

WRONG = [
    (
        "encoder",
        "flipped with the padding in front",
        "The whole row is flipped, so the backward direction reads the padding first and does not start from an "
        "empty state at the last word.",
        _ENCODER
        + '''
    def forward(self, source: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        check_lengths(source, source_lengths)
        embedded = self.dropout(self.embedding(source))
        ahead, _ = self.forward_rnn(embedded)
        back, _ = self.backward_rnn(embedded.flip(1))
        back = back.flip(1)
        mask = length_mask(source_lengths, source.size(1)).unsqueeze(-1)
        states = torch.cat([ahead, back], dim=-1) * mask
        rows = torch.arange(source.size(0), device=source.device)
        final = torch.cat([ahead[rows, source_lengths - 1], back[:, 0]], dim=-1)
        return states, final
'''
        + _GIVEN,
    ),
    (
        "encoder",
        "final from the layers' own last states",
        "The layers' last hidden states are taken for final, but these have gone on through the padding behind a "
        "shorter sentence.",
        _ENCODER
        + '''
    def forward(self, source: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        check_lengths(source, source_lengths)
        words = self.dropout(self.embedding(source))
        right, right_last = self.forward_rnn(words)
        left, left_last = self.backward_rnn(reverse_within_length(words, source_lengths))
        left = reverse_within_length(left, source_lengths)
        if isinstance(right_last, tuple):  # LSTM
            right_last, left_last = right_last[0], left_last[0]
        mask = length_mask(source_lengths, source.size(1))
        states = torch.cat([right, left], dim=2).masked_fill(~mask.unsqueeze(2), 0.0)
        return states, torch.cat([right_last[-1], left_last[-1]], dim=1)
'''
        + _GIVEN,
    ),
    (
        "context_decoder",
        "logarithms of probabilities as logits",
        "The logits have been through a log-softmax, where the raw numbers of the output layer are asked for.",
        '''
class ContextDecoder(nn.Module):
    def __init__(self, vocab_size: int, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.bridge = nn.Linear(encoder_size // 2, hidden_size)
        self.cell = nn.GRUCell(embedding_size + encoder_size, hidden_size)
        self.readout = MaxoutReadout(hidden_size, embedding_size, encoder_size, hidden_size // 2)
        self.output_layer = nn.Linear(hidden_size // 2, vocab_size)

    def start(self, final: Tensor) -> Tensor:
        """The state before the first word."""
        _, backward_half = final.chunk(2, dim=-1)
        return torch.tanh(self.bridge(backward_half))

    def step(self, previous: Tensor, state: Tensor, context: Tensor) -> tuple[Tensor, Tensor]:
        """One word: (logits, next state)."""
        embedded = self.embedding(previous)
        state = self.cell(torch.cat([embedded, context], dim=-1), state)
        logits = self.output_layer(self.readout(state, embedded, context))
        return functional.log_softmax(logits, dim=-1), state
''',
    ),
    (
        "translator",
        "the projected keys are summed",
        "The context is a sum of the projected keys, where the encoder states are the values.",
        _TRANSLATOR
        + '''
    def read(self, source: Tensor, source_mask: Tensor) -> tuple[Memory, Tensor]:
        """Once per sentence: (memory, state before the first word)."""
        states, final = self.encoder(source, source_mask.sum(dim=1))
        memory = (self.scorer.project_keys(states), states, source_mask)
        return memory, self.decoder.start(final)

    def step(self, previous: Tensor, state: Tensor, memory: Memory) -> tuple[Tensor, Tensor, Tensor]:
        """Once per word: (logits, weights, next state)."""
        keys, _, mask = memory
        context, weights = self.attend(self.scorer.score(state, keys), keys, mask)
        logits, state = self.decoder.step(previous, state, context)
        return logits, weights, state
''',
    ),
    (
        "translator",
        "the keys are projected at every word",
        "The keys are projected anew for every word, although they depend on the sentence alone; the projected keys "
        "of the memory are never used.",
        _TRANSLATOR
        + '''
    def read(self, source: Tensor, source_mask: Tensor) -> tuple[Memory, Tensor]:
        lengths = source_mask.long().sum(-1)
        states, final = self.encoder(source, lengths)
        start = self.decoder.start(final)
        return (self.scorer.project_keys(states), states, source_mask), start

    def step(self, previous: Tensor, state: Tensor, memory: Memory) -> tuple[Tensor, Tensor, Tensor]:
        states, source_mask = memory[1], memory[2]
        projected_keys = self.scorer.project_keys(states)
        scores = self.scorer.score(state, projected_keys)
        context, weights = self.attend(scores, states, source_mask)
        logits, next_state = self.decoder.step(previous, state, context)
        return logits, weights, next_state
''',
    ),
    (
        "greedy",
        "a finished sentence may begin again",
        "Whether a sentence is finished is asked of its last word alone; after the PAD that follows EOS it counts as "
        "unfinished again, and goes on talking.",
        '''
@torch.no_grad()
def greedy(translator: Any, source: Tensor, source_mask: Tensor, max_length: int) -> tuple[Tensor, Tensor]:
    memory, state = translator.read(source, source_mask)
    previous = torch.full((source.size(0),), BOS, dtype=torch.long, device=source.device)
    finished = torch.zeros(source.size(0), dtype=torch.bool, device=source.device)
    ids, tables = [], []
    for _ in range(max_length):
        logits, weights, state = translator.step(previous, state, memory)
        previous = logits.argmax(dim=-1).masked_fill(finished, PAD)
        ids.append(previous)
        tables.append(weights)
        finished = previous == EOS
        if finished.all():
            break
    return torch.stack(ids, dim=1), torch.stack(tables, dim=1)
''',
    ),
    (
        "greedy",
        "the search leaves without the last EOS",
        "The loop is left before the ids of the step are appended at which the last sentence ends, so that the last "
        "EOS is missing.",
        '''
@torch.no_grad()
def greedy(translator: Any, source: Tensor, source_mask: Tensor, max_length: int) -> tuple[Tensor, Tensor]:
    memory, state = translator.read(source, source_mask)
    word = source.new_full((len(source),), BOS)
    done = torch.zeros_like(word, dtype=torch.bool)
    said, looked = [], []
    while len(said) < max_length:
        logits, weights, state = translator.step(word, state, memory)
        word = torch.where(done, PAD, logits.argmax(-1))
        done = done | (word == EOS)
        if done.all():
            break
        said.append(word)
        looked.append(weights)
    return torch.stack(said, 1), torch.stack(looked, 1)
''',
    ),
    (
        "batch_loss",
        "softmax first, logarithm afterwards",
        "The logarithm is taken of a softmax that has been rounded to 0 where the model is sure of another word, so "
        "the loss is infinite where it is merely large.",
        '''
def batch_loss(translator: Any, source: Tensor, source_mask: Tensor, target: Tensor) -> Tensor:
    memory, state = translator.read(source, source_mask)
    previous = torch.full_like(target[:, 0], BOS)
    costs = []
    for right in target.unbind(dim=1):
        logits, _, state = translator.step(previous, state, memory)
        probabilities = torch.softmax(logits, dim=-1)
        costs.append(-probabilities.gather(1, right.unsqueeze(1)).squeeze(1).log())
        previous = right
    real = target != PAD
    return torch.stack(costs, dim=1)[real].sum() / real.sum()
''',
    ),
    (
        "batch_loss",
        "each sentence counts the same",
        "The loss is averaged within each sentence and then over the sentences, so a word of a short sentence counts "
        "more than one of a long sentence.",
        '''
def batch_loss(translator: Any, source: Tensor, source_mask: Tensor, target: Tensor) -> Tensor:
    memory, state = translator.read(source, source_mask)
    heard = torch.cat([torch.full_like(target[:, :1], BOS), target[:, :-1]], dim=1)
    all_logits = []
    for i in range(target.size(1)):
        logits, _, state = translator.step(heard[:, i], state, memory)
        all_logits.append(logits)
    losses = functional.cross_entropy(
        torch.stack(all_logits, dim=2), target, ignore_index=PAD, reduction="none"
    )  # (batch, target_len)
    words = (target != PAD).sum(dim=1)
    return (losses.sum(dim=1) / words).mean()
''',
    ),
    (
        "train",
        "each parameter clipped by itself",
        "The gradient of each parameter is clipped to the norm by itself, where the norm is that of all parameters "
        "together.",
        '''
def train(model: nn.Module, batches: Sequence[Batch], learning_rate: float, largest_norm: float) -> list[float]:
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    losses = []
    for batch in batches:
        optimizer.zero_grad()
        loss = model(*batch)
        loss.backward()
        for parameter in model.parameters():
            nn.utils.clip_grad_norm_(parameter, largest_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
''',
    ),
    (
        "sign_test",
        "agreeing sentences tossed as well",
        "The number of tosses is that of all sentences, but those on which both systems agree say nothing; and where "
        "there is no lead, p is not held to 1.",
        '''
def sign_test(before: Sequence[bool], after: Sequence[bool]) -> tuple[int, int, float]:
    won = sum(a and not b for b, a in zip(before, after, strict=True))
    lost = sum(b and not a for b, a in zip(before, after, strict=True))
    n = len(before)
    p = 2 * sum(math.comb(n, k) for k in range(min(won, lost) + 1)) / 2**n
    return won, lost, p
''',
    ),
]
