"""Wrong answers written from the text of the exercise alone."""

_ENCODER_INIT = '''
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

_ENCODER_REST = '''

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

_DECODER_INIT = '''
class ContextDecoder(nn.Module):
    def __init__(self, vocab_size: int, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.bridge = nn.Linear(encoder_size // 2, hidden_size)
        self.cell = nn.GRUCell(embedding_size + encoder_size, hidden_size)
        self.readout = MaxoutReadout(hidden_size, embedding_size, encoder_size, hidden_size // 2)
        self.output_layer = nn.Linear(hidden_size // 2, vocab_size)
'''

_TRANSLATOR_INIT = '''
class Translator:
    def __init__(self, encoder: Any, scorer: Any, attend: Callable[..., tuple[Tensor, Tensor]], decoder: Any) -> None:
        self.encoder, self.scorer, self.attend, self.decoder = encoder, scorer, attend, decoder
'''

WRONG = [
    (
        "encoder",
        "whole row flipped",
        "The backward direction reads the whole row reversed, so in shorter sentences it reads the padding before the last word.",
        _ENCODER_INIT
        + '''
    def forward(self, source: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        check_lengths(source, source_lengths)
        embedded = self.dropout(self.embedding(source))
        forward_states = self.forward_rnn(embedded)[0]
        backward_states = self.backward_rnn(embedded.flip(1))[0].flip(1)
        mask = length_mask(source_lengths, source.size(1))
        states = torch.cat([forward_states, backward_states], dim=-1) * mask.unsqueeze(-1)
        rows = torch.arange(source.size(0), device=source.device)
        final = torch.cat([forward_states[rows, source_lengths - 1], backward_states[:, 0]], dim=-1)
        return states, final
'''
        + _ENCODER_REST,
    ),
    (
        "encoder",
        "forward state after the padding",
        "The forward half of final is taken in the last column, when the layer has gone on through the padding of a shorter sentence.",
        _ENCODER_INIT
        + '''
    def forward(self, source, source_lengths):
        x = self.dropout(self.embedding(source))
        ahead = self.forward_rnn(x)[0]
        back = self.backward_rnn(reverse_within_length(x, source_lengths))[0]
        back = reverse_within_length(back, source_lengths)
        final = torch.cat([ahead[:, -1], back[:, 0]], dim=1)
        places = torch.arange(source.size(1), device=source.device)
        padding = places >= source_lengths[:, None]
        states = torch.cat([ahead, back], dim=2).masked_fill(padding[:, :, None], 0.0)
        return states, final
'''
        + _ENCODER_REST,
    ),
    (
        "context_decoder",
        "forward half to start from",
        "The first state is made of the first half of final, which is the forward direction, and not of the backward one.",
        _DECODER_INIT
        + '''
    def start(self, final: Tensor) -> Tensor:
        half, _ = final.chunk(2, dim=-1)
        return torch.tanh(self.bridge(half))

    def step(self, previous: Tensor, state: Tensor, context: Tensor) -> tuple[Tensor, Tensor]:
        embedded = self.embedding(previous)
        state = self.cell(torch.cat([embedded, context], dim=-1), state)
        logits = self.output_layer(self.readout(state, embedded, context))
        return logits, state
''',
    ),
    (
        "context_decoder",
        "readout of the old state, no tanh",
        "The readout is given the state before the step instead of the new one, and the tanh of the first state is forgotten.",
        _DECODER_INIT
        + '''
    def start(self, final):
        backward = final[:, final.size(1) // 2 :]
        return self.bridge(backward)

    def step(self, previous, state, context):
        word = self.embedding(previous)
        next_state = self.cell(torch.cat((word, context), dim=1), state)
        hidden = self.readout(state, word, context)
        return self.output_layer(hidden), next_state
''',
    ),
    (
        "translator",
        "context of the projected keys",
        "The weighted sum runs over the projected keys instead of over the encoder states.",
        _TRANSLATOR_INIT
        + '''
    def read(self, source: Tensor, source_mask: Tensor) -> tuple[Memory, Tensor]:
        states, final = self.encoder(source, source_mask.sum(dim=1))
        memory = (self.scorer.project_keys(states), states, source_mask)
        return memory, self.decoder.start(final)

    def step(self, previous: Tensor, state: Tensor, memory: Memory) -> tuple[Tensor, Tensor, Tensor]:
        keys, _, source_mask = memory
        scores = self.scorer.score(state, keys)
        context, weights = self.attend(scores, keys, source_mask)
        logits, state = self.decoder.step(previous, state, context)
        return logits, weights, state
''',
    ),
    (
        "translator",
        "full length for every sentence",
        "Every sentence is given the length of the batch, so the encoder reads the padding of the shorter ones as words.",
        _TRANSLATOR_INIT
        + '''
    def read(self, source, source_mask):
        batch, longest = source.shape
        lengths = torch.full((batch,), longest, device=source.device)
        states, final = self.encoder(source, lengths)
        projected = self.scorer.project_keys(states)
        return (projected, states, source_mask), self.decoder.start(final)

    def step(self, previous, state, memory):
        projected, states, mask = memory
        context, weights = self.attend(self.scorer.score(state, projected), states, mask)
        logits, new_state = self.decoder.step(previous, state, context)
        return logits, weights, new_state
''',
    ),
    (
        "greedy",
        "goes on after EOS",
        "It is remembered who has finished, but only to stop the loop, so a sentence that has ended goes on saying words instead of PAD.",
        '''
@torch.no_grad()
def greedy(translator: Any, source: Tensor, source_mask: Tensor, max_length: int) -> tuple[Tensor, Tensor]:
    memory, state = translator.read(source, source_mask)
    previous = torch.full((source.size(0),), BOS, dtype=torch.long, device=source.device)
    finished = torch.zeros_like(previous, dtype=torch.bool)
    ids, tables = [], []
    for _ in range(max_length):
        logits, weights, state = translator.step(previous, state, memory)
        previous = logits.argmax(dim=-1)
        ids.append(previous)
        tables.append(weights)
        finished = finished | (previous == EOS)
        if finished.all():
            break
    return torch.stack(ids, dim=1), torch.stack(tables, dim=1)
''',
    ),
    (
        "greedy",
        "finished forgotten again",
        "Who has finished is set anew at every step from the word just said, so a sentence gets one PAD and then goes on talking.",
        '''
@torch.no_grad()
def greedy(translator, source, source_mask, max_length):
    memory, state = translator.read(source, source_mask)
    said = source.new_full((source.size(0),), BOS)
    done = torch.zeros(source.size(0), dtype=torch.bool, device=source.device)
    columns, looks = [], []
    while len(columns) < max_length and not bool(done.all()):
        logits, weights, state = translator.step(said, state, memory)
        said = logits.argmax(-1).masked_fill(done, PAD)
        done = said == EOS
        columns.append(said)
        looks.append(weights)
    return torch.stack(columns, 1), torch.stack(looks, 1)
''',
    ),
    (
        "batch_loss",
        "mean of the steps' means",
        "The loss is a mean at every step and these means are averaged, so a late word of a long sentence counts more than an early one.",
        '''
def batch_loss(translator: Any, source: Tensor, source_mask: Tensor, target: Tensor) -> Tensor:
    memory, state = translator.read(source, source_mask)
    previous = torch.full_like(target[:, 0], BOS)
    losses = []
    for column in target.unbind(1):
        if (column == PAD).all():
            break
        logits, _, state = translator.step(previous, state, memory)
        losses.append(functional.cross_entropy(logits, column, ignore_index=PAD))
        previous = column
    return torch.stack(losses).mean()
''',
    ),
    (
        "batch_loss",
        "hears itself, divided by sentences",
        "The decoder hears the word that it finds most probable instead of the right one, and the sum is divided by the number of sentences instead of the number of words.",
        '''
def batch_loss(translator, source, source_mask, target):
    memory, state = translator.read(source, source_mask)
    heard = target.new_full((target.size(0),), BOS)
    total = 0.0
    for i in range(target.size(1)):
        logits, _, state = translator.step(heard, state, memory)
        log_p = functional.log_softmax(logits, dim=-1)
        right = log_p.gather(1, target[:, i : i + 1]).squeeze(1)
        total = total - right.masked_fill(target[:, i] == PAD, 0.0).sum()
        heard = logits.argmax(dim=-1)
    return total / target.size(0)
''',
    ),
    (
        "train",
        "a new Adam for each batch",
        "The optimiser is made anew for every batch, so Adam forgets its running means each time.",
        '''
def train(model: nn.Module, batches: Sequence[Batch], learning_rate: float, largest_norm: float) -> list[float]:
    model.train()
    losses = []
    for batch in batches:
        optimiser = torch.optim.Adam(model.parameters(), lr=learning_rate)
        optimiser.zero_grad()
        loss = model(*batch)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), largest_norm)
        optimiser.step()
        losses.append(loss.item())
    return losses
''',
    ),
    (
        "train",
        "each parameter clipped by itself, mode left as it is",
        "Each parameter's gradient is clipped to the norm by itself instead of all together, and the model is never set to training.",
        '''
def train(model, batches, learning_rate, largest_norm):
    adam = torch.optim.Adam(model.parameters(), lr=learning_rate)
    history = []
    for batch in batches:
        loss = model(*batch)
        adam.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            if parameter.grad is not None:
                norm = parameter.grad.norm()
                if norm > largest_norm:
                    parameter.grad.mul_(largest_norm / norm)
        adam.step()
        history.append(float(loss.detach()))
    return history
''',
    ),
    (
        "sign_test",
        "last term of the sum forgotten",
        "The sum ends before min(w, l) because range leaves out its end, so p is too small and even 0 when nothing differs.",
        '''
def sign_test(before: Sequence[bool], after: Sequence[bool]) -> tuple[int, int, float]:
    won = sum(a and not b for b, a in zip(before, after, strict=True))
    lost = sum(b and not a for b, a in zip(before, after, strict=True))
    n = won + lost
    tail = sum(math.comb(n, k) for k in range(min(won, lost)))
    return won, lost, min(1.0, 2 * tail / 2**n)
''',
    ),
    (
        "sign_test",
        "ties counted",
        "The number of tosses is the number of all sentences, although those on which both agree say nothing.",
        '''
def sign_test(before, after):
    won = lost = 0
    for old, new in zip(before, after):
        if new and not old:
            won += 1
        elif old and not new:
            lost += 1
    n = len(before)
    p = 0.0
    for k in range(min(won, lost) + 1):
        p += 2 * math.comb(n, k) * 0.5**n
    return won, lost, min(1.0, p)
''',
    ),
]
