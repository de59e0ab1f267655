"""Wrong answers written from the text of the exercise alone."""

ENCODER_INIT = '''
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

ENCODER_HELPERS = '''

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
    """Each row's real positions in reverse order, its padding left where it is: a b c – – → c b a – –."""
    positions = torch.arange(values.size(1), device=values.device)
    mirrored = lengths.unsqueeze(1) - 1 - positions
    index = torch.where(mirrored >= 0, mirrored, positions)
    return values.gather(1, index.unsqueeze(-1).expand_as(values))
'''

DECODER_INIT = '''
class ContextDecoder(nn.Module):
    def __init__(self, vocab_size: int, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.bridge = nn.Linear(encoder_size // 2, hidden_size)
        self.cell = nn.GRUCell(embedding_size + encoder_size, hidden_size)
        self.readout = MaxoutReadout(hidden_size, embedding_size, encoder_size, hidden_size // 2)
        self.output_layer = nn.Linear(hidden_size // 2, vocab_size)
'''

TRANSLATOR_INIT = '''
class Translator:
    def __init__(self, encoder: Any, scorer: Any, attend: Callable[..., tuple[Tensor, Tensor]], decoder: Any) -> None:
        self.encoder, self.scorer, self.attend, self.decoder = encoder, scorer, attend, decoder
'''

WRONG = [
    (
        "encoder",
        "backward states not turned back",
        "The states of the backward direction are left in the order in which it read, so the state of the first word is "
        "joined with the backward state of the last.",
        ENCODER_INIT
        + '''
    def forward(self, source: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        check_lengths(source, source_lengths)
        embedded = self.dropout(self.embedding(source))
        ahead, _ = self.forward_rnn(embedded)
        back, _ = self.backward_rnn(reverse_within_length(embedded, source_lengths))
        rows = torch.arange(source.size(0), device=source.device)
        final = torch.cat([ahead[rows, source_lengths - 1], back[rows, source_lengths - 1]], dim=-1)
        mask = length_mask(source_lengths, source.size(1))
        states = torch.cat([ahead, back], dim=-1) * mask.unsqueeze(-1)
        return states, final
'''
        + ENCODER_HELPERS,
    ),
    (
        "encoder",
        "reversed with the padding",
        "The whole row is flipped, padding included, so the backward direction reads padding before the words of a "
        "shorter sentence.",
        ENCODER_INIT
        + '''
    def forward(self, source: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        check_lengths(source, source_lengths)
        embedded = self.dropout(self.embedding(source))
        forward_states = self.forward_rnn(embedded)[0]
        backward_states = self.backward_rnn(embedded.flip(1))[0].flip(1)
        real = length_mask(source_lengths, source.size(1))[..., None]
        states = torch.cat((forward_states, backward_states), dim=2).masked_fill(~real, 0.0)
        last = (source_lengths - 1)[:, None, None].expand(-1, 1, forward_states.size(2))
        final = torch.cat((forward_states.gather(1, last)[:, 0], backward_states[:, 0]), dim=1)
        return states, final
'''
        + ENCODER_HELPERS,
    ),
    (
        "context_decoder",
        "starts from the forward half",
        "The first state is made of the first half of final, which is the forward direction's; the formula asks for the "
        "backward one.",
        DECODER_INIT
        + '''
    def start(self, final: Tensor) -> Tensor:
        """The state before the first word."""
        half, _ = final.chunk(2, dim=-1)
        return torch.tanh(self.bridge(half))

    def step(self, previous: Tensor, state: Tensor, context: Tensor) -> tuple[Tensor, Tensor]:
        """One word: (logits, next state)."""
        embedded = self.embedding(previous)
        state = self.cell(torch.cat([embedded, context], dim=-1), state)
        return self.output_layer(self.readout(state, embedded, context)), state
''',
    ),
    (
        "context_decoder",
        "the readout hears the old state",
        "The readout is given the state from before the step instead of the new one.",
        DECODER_INIT
        + '''
    def start(self, final: Tensor) -> Tensor:
        """The state before the first word."""
        return self.bridge(final[:, final.size(1) // 2 :]).tanh()

    def step(self, previous: Tensor, state: Tensor, context: Tensor) -> tuple[Tensor, Tensor]:
        """One word: (logits, next state)."""
        word = self.embedding(previous)
        following = self.cell(torch.cat((word, context), 1), state)
        logits = self.output_layer(self.readout(state, word, context))
        return logits, following
''',
    ),
    (
        "translator",
        "every sentence as long as the batch",
        "The encoder is told that every sentence is as long as the batch is wide, instead of how many real words each "
        "has.",
        TRANSLATOR_INIT
        + '''
    def read(self, source: Tensor, source_mask: Tensor) -> tuple[Memory, Tensor]:
        """Once per sentence: (memory, state before the first word)."""
        batch, length = source.shape
        lengths = torch.full((batch,), length, dtype=torch.long, device=source.device)
        states, final = self.encoder(source, lengths)
        memory = self.scorer.project_keys(states), states, source_mask
        return memory, self.decoder.start(final)

    def step(self, previous: Tensor, state: Tensor, memory: Memory) -> tuple[Tensor, Tensor, Tensor]:
        """Once per word: (logits, weights, next state)."""
        keys, values, mask = memory
        context, weights = self.attend(self.scorer.score(state, keys), values, mask)
        logits, state = self.decoder.step(previous, state, context)
        return logits, weights, state
''',
    ),
    (
        "translator",
        "keys kept from the first sentence",
        "The projected keys are computed once and kept on the object, so a second call of read gets the keys of the "
        "first source.",
        TRANSLATOR_INIT
        + '''
        self.projected = None

    def read(self, source: Tensor, source_mask: Tensor) -> tuple[Memory, Tensor]:
        """Once per sentence: (memory, state before the first word)."""
        states, final = self.encoder(source, source_mask.sum(dim=1))
        if self.projected is None:  # only once
            self.projected = self.scorer.project_keys(states)
        return (self.projected, states, source_mask), self.decoder.start(final)

    def step(self, previous: Tensor, state: Tensor, memory: Memory) -> tuple[Tensor, Tensor, Tensor]:
        """Once per word: (logits, weights, next state)."""
        scores = self.scorer.score(state, memory[0])
        context, weights = self.attend(scores, memory[1], memory[2])
        logits, new_state = self.decoder.step(previous, state, context)
        return logits, weights, new_state
''',
    ),
    (
        "greedy",
        "stops at the first EOS of the batch",
        "The search ends as soon as any sentence has said EOS, so the longer ones are cut off.",
        '''
@torch.no_grad()
def greedy(translator: Any, source: Tensor, source_mask: Tensor, max_length: int) -> tuple[Tensor, Tensor]:
    memory, state = translator.read(source, source_mask)
    previous = source.new_full((source.size(0),), BOS)
    finished = torch.zeros_like(previous, dtype=torch.bool)
    ids, tables = [], []
    for _ in range(max_length):
        logits, weights, state = translator.step(previous, state, memory)
        previous = logits.argmax(dim=-1).masked_fill(finished, PAD)
        ids.append(previous)
        tables.append(weights)
        finished = finished | (previous == EOS)
        if finished.any():
            break
    return torch.stack(ids, dim=1), torch.stack(tables, dim=1)
''',
    ),
    (
        "greedy",
        "finished for one step only",
        "Whether a sentence has finished is worked out anew from the last word alone; after one PAD it is taken to go on, "
        "and words follow.",
        '''
@torch.no_grad()
def greedy(translator: Any, source: Tensor, source_mask: Tensor, max_length: int) -> tuple[Tensor, Tensor]:
    memory, state = translator.read(source, source_mask)
    batch = source.shape[0]
    word = torch.full((batch,), BOS, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    ended = done
    words, all_weights = [], []
    while len(words) < max_length and not ended.all():
        logits, weights, state = translator.step(word, state, memory)
        word = torch.where(done, torch.full_like(word, PAD), logits.argmax(-1))
        done = word == EOS
        ended = ended | done
        words.append(word)
        all_weights.append(weights)
    return torch.stack(words, 1), torch.stack(all_weights, 1)
''',
    ),
    (
        "batch_loss",
        "the decoder hears itself",
        "Each step hears the word that the decoder thought best at the step before instead of the right word, so this is "
        "not teacher forcing.",
        '''
def batch_loss(translator: Any, source: Tensor, source_mask: Tensor, target: Tensor) -> Tensor:
    memory, state = translator.read(source, source_mask)
    previous = torch.full_like(target[:, 0], BOS)
    total = 0.0
    for right in target.unbind(dim=1):
        logits, _, state = translator.step(previous, state, memory)
        total = total + functional.cross_entropy(logits, right, ignore_index=PAD, reduction="sum")
        previous = logits.argmax(dim=-1)
    return total / (target != PAD).sum()
''',
    ),
    (
        "batch_loss",
        "EOS left out",
        "EOS is treated like padding, in the sum and in the count; it is one of the target's words, and the model has to "
        "learn to say it.",
        '''
def batch_loss(translator: Any, source: Tensor, source_mask: Tensor, target: Tensor) -> Tensor:
    memory, state = translator.read(source, source_mask)
    heard = torch.cat([torch.full_like(target[:, :1], BOS), target[:, :-1]], dim=1)
    outputs = []
    for i in range(target.size(1)):
        logits, _, state = translator.step(heard[:, i], state, memory)
        outputs.append(logits)
    log_probabilities = torch.stack(outputs, dim=1).log_softmax(dim=-1)
    right = log_probabilities.gather(2, target.unsqueeze(2)).squeeze(2)
    real = (target != PAD) & (target != EOS)
    return -right.masked_fill(~real, 0.0).sum() / real.sum().clamp(min=1)
''',
    ),
    (
        "train",
        "a new optimizer for each batch",
        "Adam is made anew for every batch, so it forgets what it has learned about the gradients and every step is like "
        "its first.",
        '''
def train(model: nn.Module, batches: Sequence[Batch], learning_rate: float, largest_norm: float) -> list[float]:
    model.train()
    losses = []
    for batch in batches:
        optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
        optimizer.zero_grad()
        loss = model(*batch)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), largest_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
''',
    ),
    (
        "train",
        "each parameter clipped by itself",
        "The gradient of each parameter is clipped by its own norm instead of all together by their common norm.",
        '''
def train(model: nn.Module, batches: Sequence[Batch], learning_rate: float, largest_norm: float) -> list[float]:
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    model.train()
    history = []
    for batch in batches:
        loss = model(*batch)
        model.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            if parameter.grad is not None:
                nn.utils.clip_grad_norm_([parameter], largest_norm)
        optimizer.step()
        history.append(float(loss))
    return history
''',
    ),
    (
        "sign_test",
        "the last term missing",
        "The sum ends one before the smaller count, because range leaves out its end; for 5 : 0 nothing is summed and p "
        "is 0.",
        '''
def sign_test(before: Sequence[bool], after: Sequence[bool]) -> tuple[int, int, float]:
    won = sum(1 for old, new in zip(before, after, strict=True) if new and not old)
    lost = sum(1 for old, new in zip(before, after, strict=True) if old and not new)
    n = won + lost
    if n == 0 or won == lost:
        return won, lost, 1.0
    tail = sum(math.comb(n, k) for k in range(min(won, lost))) / 2**n
    return won, lost, min(1.0, 2 * tail)
''',
    ),
    (
        "sign_test",
        "all sentences tossed",
        "n is the number of all sentences instead of those on which the two systems differ, and where they agree on all "
        "p is far below 1.",
        '''
def sign_test(before: Sequence[bool], after: Sequence[bool]) -> tuple[int, int, float]:
    won = lost = 0
    n = 0
    for was, now in zip(before, after, strict=True):
        n += 1
        if now and not was:
            won += 1
        elif was and not now:
            lost += 1
    p = 0.0
    for k in range(min(won, lost) + 1):
        p += math.comb(n, k) * 0.5**n
    return won, lost, min(1.0, 2.0 * p)
''',
    ),
]
