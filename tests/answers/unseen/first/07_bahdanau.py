"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "reverse_within_length",
        "padding is turned round too",
        "The row is flipped and rolled back, which brings the words to the front but leaves the padding in reverse order.",
        '''
def reverse_within_length(values: Tensor, lengths: Tensor) -> Tensor:
    """Each row's real positions in reverse order, its padding left where it is: a b c – – → c b a – –.

    Shape:
        values: (batch, source_len, size)
        lengths: (batch,)
    """
    rows = []
    for row, length in zip(values, lengths.tolist()):
        rows.append(row.flip(0).roll(length - values.size(1), dims=0))
    return torch.stack(rows)
''',
    ),
    (
        "reverse_within_length",
        "zeros for padding, in single precision",
        "Padding is replaced by zeros instead of being left, and the result has the default dtype.",
        '''
def reverse_within_length(values: Tensor, lengths: Tensor) -> Tensor:
    """Each row's real positions in reverse order, its padding left where it is: a b c – – → c b a – –.

    Shape:
        values: (batch, source_len, size)
        lengths: (batch,)
    """
    turned = torch.zeros(values.shape)
    for b in range(values.shape[0]):
        n = int(lengths[b])
        turned[b, :n] = values[b, :n].flip(0)
    return turned
''',
    ),
    (
        "reverse_within_length",
        "by way of lists",
        "The numbers go through Python lists into a new tensor, so no gradient flows back to the values.",
        '''
def reverse_within_length(values: Tensor, lengths: Tensor) -> Tensor:
    """Each row's real positions in reverse order, its padding left where it is: a b c – – → c b a – –.

    Shape:
        values: (batch, source_len, size)
        lengths: (batch,)
    """
    table = values.tolist()
    turned = [row[:n][::-1] + row[n:] for row, n in zip(table, lengths.tolist())]
    return torch.tensor(turned, dtype=values.dtype, device=values.device)
''',
    ),
    (
        "join_directions",
        "both ends at the last word",
        "The backward reading is taken to end at the last word, where it begins, and padding is not set to 0.",
        r'''
def join_directions(
    forward_states: Tensor,
    backward_states: Tensor,
    source_lengths: Tensor,
) -> tuple[Tensor, Tensor]:
    r"""One state per word from both readings, and what each holds at its end (Bahdanau et al., 2015, equation 7).

    $$h_j = [\overrightarrow h_j; \overleftarrow h_j], \qquad
      \mathrm{final} = [\overrightarrow h_T; \overleftarrow h_1]$$

    $T$ is the length of the sentence, which in a batch is not the last position; position 1 is index 0.

    Shape:
        forward_states: (batch, source_len, hidden_size), any numbers at padding
        backward_states: (batch, source_len, hidden_size), in the order of the words, any numbers at padding
        source_lengths: (batch,), each at least 1
        states: (batch, source_len, 2 × hidden_size), 0 at padding
        final: (batch, 2 × hidden_size)
    """
    states = torch.cat([forward_states, backward_states], dim=-1)
    rows = torch.arange(len(source_lengths), device=states.device)
    final = states[rows, source_lengths - 1]
    return states, final
''',
    ),
    (
        "join_directions",
        "index -1 for the forward end",
        "The forward end is taken at the last index of the row, which in a shorter sentence is padding.",
        r'''
def join_directions(
    forward_states: Tensor,
    backward_states: Tensor,
    source_lengths: Tensor,
) -> tuple[Tensor, Tensor]:
    r"""One state per word from both readings, and what each holds at its end (Bahdanau et al., 2015, equation 7).

    $$h_j = [\overrightarrow h_j; \overleftarrow h_j], \qquad
      \mathrm{final} = [\overrightarrow h_T; \overleftarrow h_1]$$

    $T$ is the length of the sentence, which in a batch is not the last position; position 1 is index 0.

    Shape:
        forward_states: (batch, source_len, hidden_size), any numbers at padding
        backward_states: (batch, source_len, hidden_size), in the order of the words, any numbers at padding
        source_lengths: (batch,), each at least 1
        states: (batch, source_len, 2 × hidden_size), 0 at padding
        final: (batch, 2 × hidden_size)
    """
    places = torch.arange(forward_states.size(1), device=forward_states.device)
    mask = (places < source_lengths.unsqueeze(1)).unsqueeze(-1)
    states = torch.cat([forward_states, backward_states], dim=2).masked_fill(~mask, 0.0)
    final = torch.cat([forward_states[:, -1], backward_states[:, 0]], dim=1)
    return states, final
''',
    ),
    (
        "join_directions",
        "zeros written into the arguments",
        "The padding is set to 0 in the caller's own states.",
        r'''
def join_directions(
    forward_states: Tensor,
    backward_states: Tensor,
    source_lengths: Tensor,
) -> tuple[Tensor, Tensor]:
    r"""One state per word from both readings, and what each holds at its end (Bahdanau et al., 2015, equation 7).

    $$h_j = [\overrightarrow h_j; \overleftarrow h_j], \qquad
      \mathrm{final} = [\overrightarrow h_T; \overleftarrow h_1]$$

    $T$ is the length of the sentence, which in a batch is not the last position; position 1 is index 0.

    Shape:
        forward_states: (batch, source_len, hidden_size), any numbers at padding
        backward_states: (batch, source_len, hidden_size), in the order of the words, any numbers at padding
        source_lengths: (batch,), each at least 1
        states: (batch, source_len, 2 × hidden_size), 0 at padding
        final: (batch, 2 × hidden_size)
    """
    longest = forward_states.shape[1]
    for b, n in enumerate(source_lengths.tolist()):
        if n < longest:
            forward_states[b, n:] = 0
            backward_states[b, n:] = 0
    ends = torch.stack([forward_states[b, n - 1] for b, n in enumerate(source_lengths.tolist())])
    return torch.cat((forward_states, backward_states), -1), torch.cat((ends, backward_states[:, 0]), -1)
''',
    ),
    (
        "bahdanau_step",
        "the new state looks once more",
        "After the cell attention asks a second time with the new state, and this context and these weights are returned.",
        r'''
class BahdanauStep(nn.Module):
    r"""One step of the decoder: attend, then move on (Bahdanau et al., 2015, section 3.1 and appendix A.2.2).

    $$e_{ij} = a(s_{i-1}, h_j), \qquad \alpha_i = \mathrm{softmax}(e_i), \qquad c_i = \sum_j \alpha_{ij} h_j$$
    $$s_i = \mathrm{GRU}([E y_{i-1}; c_i], s_{i-1})$$

    Shape:
        embedded: (batch, embedding_size), the previous word $E y_{i-1}$
        state: (batch, hidden_size), $s_{i-1}$
        projected_keys: (batch, source_len, attention_size), from ``scorer.project_keys``, once per sentence
        values: (batch, source_len, encoder_size), the encoder states $h_j$
        source_mask: (batch, source_len), bool, True = real token
        returns: (new state $s_i$, context $c_i$ (batch, encoder_size), weights (batch, source_len))
    """

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
        state = self.cell(torch.cat([embedded, context], dim=-1), state)
        context, weights = attend(self.scorer.score(state, projected_keys), values, source_mask)
        return state, context, weights
''',
    ),
    (
        "bahdanau_step",
        "context first, no state",
        "The cell gets the context before the word, and without a state it starts from zeros at every step.",
        r'''
class BahdanauStep(nn.Module):
    r"""One step of the decoder: attend, then move on (Bahdanau et al., 2015, section 3.1 and appendix A.2.2).

    $$e_{ij} = a(s_{i-1}, h_j), \qquad \alpha_i = \mathrm{softmax}(e_i), \qquad c_i = \sum_j \alpha_{ij} h_j$$
    $$s_i = \mathrm{GRU}([E y_{i-1}; c_i], s_{i-1})$$

    Shape:
        embedded: (batch, embedding_size), the previous word $E y_{i-1}$
        state: (batch, hidden_size), $s_{i-1}$
        projected_keys: (batch, source_len, attention_size), from ``scorer.project_keys``, once per sentence
        values: (batch, source_len, encoder_size), the encoder states $h_j$
        source_mask: (batch, source_len), bool, True = real token
        returns: (new state $s_i$, context $c_i$ (batch, encoder_size), weights (batch, source_len))
    """

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
        new_state = self.cell(torch.cat((context, embedded), dim=1))
        return new_state, context, weights
''',
    ),
    (
        "bahdanau_step",
        "a score of 0 for padding",
        "The scores are multiplied by the mask, so padding gets the score 0 and takes part in the softmax.",
        r'''
class BahdanauStep(nn.Module):
    r"""One step of the decoder: attend, then move on (Bahdanau et al., 2015, section 3.1 and appendix A.2.2).

    $$e_{ij} = a(s_{i-1}, h_j), \qquad \alpha_i = \mathrm{softmax}(e_i), \qquad c_i = \sum_j \alpha_{ij} h_j$$
    $$s_i = \mathrm{GRU}([E y_{i-1}; c_i], s_{i-1})$$

    Shape:
        embedded: (batch, embedding_size), the previous word $E y_{i-1}$
        state: (batch, hidden_size), $s_{i-1}$
        projected_keys: (batch, source_len, attention_size), from ``scorer.project_keys``, once per sentence
        values: (batch, source_len, encoder_size), the encoder states $h_j$
        source_mask: (batch, source_len), bool, True = real token
        returns: (new state $s_i$, context $c_i$ (batch, encoder_size), weights (batch, source_len))
    """

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
        e = self.scorer.score(state, projected_keys) * source_mask
        alpha = e.softmax(dim=-1)
        c = (alpha.unsqueeze(-1) * values).sum(dim=1)
        s = self.cell(torch.cat([embedded, c], -1), state)
        return s, c, alpha
''',
    ),
    (
        "maxout_readout",
        "halves for neighbours",
        "A number is paired with the one that stands half the layer away and not with its neighbour.",
        r'''
class MaxoutReadout(nn.Module):
    r"""A deep output with one maxout layer (Bahdanau et al., 2015, appendix A.2.2).

    $$\tilde t_i = U_o s_i + V_o E y_{i-1} + C_o c_i, \qquad
      t_i = \left[\max(\tilde t_{i,2j-1}, \tilde t_{i,2j})\right]_{j=1}^{l}$$

    The appendix prints $s_{i-1}$ here, while equation 4 of the paper's body says $g(y_{i-1}, s_i, c_i)$.
    It is no misprint: the authors' code generates before it updates, and its $s_{i-1}$ has read $y_{i-1}$ already (see
    :mod:`seq2seq.decoders.orders`).
    Which state comes in is the decoder's choice; :class:`~seq2seq.decoders.bahdanau.BahdanauDecoder` follows equation
    4: the state that has read $y_{i-1}$ and $c_i$.
    The three matrices lie side by side in one layer, and share a bias.

    Shape:
        state: (..., state_size)
        embedded: (..., embedding_size), the previous word $E y_{i-1}$
        context: (..., context_size)
        readout: (..., readout_size), $l$ maxima of pairs
    """

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
        both = self.layer(torch.cat([state, embedded, context], dim=-1))
        first, second = both.chunk(2, dim=-1)
        return torch.maximum(first, second)
''',
    ),
    (
        "maxout_readout",
        "context before word, one axis too few",
        "The context is put before the word, and for all steps at once the axis of the steps is lost in the view.",
        r'''
class MaxoutReadout(nn.Module):
    r"""A deep output with one maxout layer (Bahdanau et al., 2015, appendix A.2.2).

    $$\tilde t_i = U_o s_i + V_o E y_{i-1} + C_o c_i, \qquad
      t_i = \left[\max(\tilde t_{i,2j-1}, \tilde t_{i,2j})\right]_{j=1}^{l}$$

    The appendix prints $s_{i-1}$ here, while equation 4 of the paper's body says $g(y_{i-1}, s_i, c_i)$.
    It is no misprint: the authors' code generates before it updates, and its $s_{i-1}$ has read $y_{i-1}$ already (see
    :mod:`seq2seq.decoders.orders`).
    Which state comes in is the decoder's choice; :class:`~seq2seq.decoders.bahdanau.BahdanauDecoder` follows equation
    4: the state that has read $y_{i-1}$ and $c_i$.
    The three matrices lie side by side in one layer, and share a bias.

    Shape:
        state: (..., state_size)
        embedded: (..., embedding_size), the previous word $E y_{i-1}$
        context: (..., context_size)
        readout: (..., readout_size), $l$ maxima of pairs
    """

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
        joined = torch.cat((state, context, embedded), -1)
        pairs = self.layer(joined).reshape(state.size(0), -1, 2)
        return pairs.max(dim=-1).values
''',
    ),
    (
        "maxout_readout",
        "no bias",
        "Only the layer's matrix is used, and its bias is lost.",
        r'''
class MaxoutReadout(nn.Module):
    r"""A deep output with one maxout layer (Bahdanau et al., 2015, appendix A.2.2).

    $$\tilde t_i = U_o s_i + V_o E y_{i-1} + C_o c_i, \qquad
      t_i = \left[\max(\tilde t_{i,2j-1}, \tilde t_{i,2j})\right]_{j=1}^{l}$$

    The appendix prints $s_{i-1}$ here, while equation 4 of the paper's body says $g(y_{i-1}, s_i, c_i)$.
    It is no misprint: the authors' code generates before it updates, and its $s_{i-1}$ has read $y_{i-1}$ already (see
    :mod:`seq2seq.decoders.orders`).
    Which state comes in is the decoder's choice; :class:`~seq2seq.decoders.bahdanau.BahdanauDecoder` follows equation
    4: the state that has read $y_{i-1}$ and $c_i$.
    The three matrices lie side by side in one layer, and share a bias.

    Shape:
        state: (..., state_size)
        embedded: (..., embedding_size), the previous word $E y_{i-1}$
        context: (..., context_size)
        readout: (..., readout_size), $l$ maxima of pairs
    """

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
        t = torch.cat([state, embedded, context], dim=-1) @ self.layer.weight.T
        odd, even = t[..., 0::2], t[..., 1::2]
        return torch.where(odd > even, odd, even)
''',
    ),
    (
        "forced_decoder",
        "the wrong half of final",
        "The first state is made of the end of the forward reading and not of the backward one.",
        r'''
class ForcedDecoder(nn.Module):
    r"""From the encoder's final states to the logits of a whole target (Bahdanau et al., 2015, appendix A.2.2).

    $$s_0 = \tanh(W_s \overleftarrow h_1), \qquad s_i, c_i, \alpha_i = \mathrm{step}(E y_{i-1}, s_{i-1}, h), \qquad
      \mathrm{logits}_i = W_o\, t(s_i, E y_{i-1}, c_i)$$

    The keys are projected once, before the first step; the readout $t$ runs once, after the last.

    Shape:
        step: ``step(word, state, projected_keys, values, source_mask)`` → (new state, context, weights), with
            ``step.project_keys(values)``
        readout: ``readout(states, embedded, contexts)`` → (batch, target_len, readout_size)
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        final: (batch, encoder_size), $[\overrightarrow h_T; \overleftarrow h_1]$, two halves of equal size
        values: (batch, source_len, encoder_size), the encoder states $h_j$
        source_mask: (batch, source_len), bool, True = real token
        returns: logits (batch, target_len, vocab_size) and weights (batch, target_len, source_len)
    """

    def __init__(self, encoder_size: int, hidden_size: int, readout_size: int, vocab_size: int) -> None:
        super().__init__()
        self.first_layer = nn.Linear(encoder_size // 2, hidden_size)  # W_s
        self.output_layer = nn.Linear(readout_size, vocab_size)  # W_o

    def forward(
        self, step: nn.Module, readout: nn.Module, embedded: Tensor, final: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        half = final.size(1) // 2
        state = torch.tanh(self.first_layer(final[:, :half]))
        keys = step.project_keys(values)
        triples = []
        for word in embedded.unbind(1):
            triples.append(step(word, state, keys, values, source_mask))
            state = triples[-1][0]
        states, contexts, weights = (torch.stack(kind, dim=1) for kind in zip(*triples))
        return self.output_layer(readout(states, embedded, contexts)), weights
''',
    ),
    (
        "forced_decoder",
        "no tanh, and the state before the step",
        "The first state lacks its tanh, and the readout gets the states before the steps and not those after them.",
        r'''
class ForcedDecoder(nn.Module):
    r"""From the encoder's final states to the logits of a whole target (Bahdanau et al., 2015, appendix A.2.2).

    $$s_0 = \tanh(W_s \overleftarrow h_1), \qquad s_i, c_i, \alpha_i = \mathrm{step}(E y_{i-1}, s_{i-1}, h), \qquad
      \mathrm{logits}_i = W_o\, t(s_i, E y_{i-1}, c_i)$$

    The keys are projected once, before the first step; the readout $t$ runs once, after the last.

    Shape:
        step: ``step(word, state, projected_keys, values, source_mask)`` → (new state, context, weights), with
            ``step.project_keys(values)``
        readout: ``readout(states, embedded, contexts)`` → (batch, target_len, readout_size)
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        final: (batch, encoder_size), $[\overrightarrow h_T; \overleftarrow h_1]$, two halves of equal size
        values: (batch, source_len, encoder_size), the encoder states $h_j$
        source_mask: (batch, source_len), bool, True = real token
        returns: logits (batch, target_len, vocab_size) and weights (batch, target_len, source_len)
    """

    def __init__(self, encoder_size: int, hidden_size: int, readout_size: int, vocab_size: int) -> None:
        super().__init__()
        self.first_layer = nn.Linear(encoder_size // 2, hidden_size)  # W_s
        self.output_layer = nn.Linear(readout_size, vocab_size)  # W_o

    def forward(
        self, step: nn.Module, readout: nn.Module, embedded: Tensor, final: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        state = self.first_layer(final.chunk(2, dim=1)[1])
        projected = step.project_keys(values)
        states, contexts, table = [], [], []
        for i in range(embedded.shape[1]):
            states.append(state)
            state, context, weights = step(embedded[:, i], state, projected, values, source_mask)
            contexts.append(context)
            table.append(weights)
        t = readout(torch.stack(states, 1), embedded, torch.stack(contexts, 1))
        return self.output_layer(t), torch.stack(table, 1)
''',
    ),
    (
        "forced_decoder",
        "a readout at every step",
        "The readout runs within the loop, once for each word, where one run behind the loop is asked for.",
        r'''
class ForcedDecoder(nn.Module):
    r"""From the encoder's final states to the logits of a whole target (Bahdanau et al., 2015, appendix A.2.2).

    $$s_0 = \tanh(W_s \overleftarrow h_1), \qquad s_i, c_i, \alpha_i = \mathrm{step}(E y_{i-1}, s_{i-1}, h), \qquad
      \mathrm{logits}_i = W_o\, t(s_i, E y_{i-1}, c_i)$$

    The keys are projected once, before the first step; the readout $t$ runs once, after the last.

    Shape:
        step: ``step(word, state, projected_keys, values, source_mask)`` → (new state, context, weights), with
            ``step.project_keys(values)``
        readout: ``readout(states, embedded, contexts)`` → (batch, target_len, readout_size)
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        final: (batch, encoder_size), $[\overrightarrow h_T; \overleftarrow h_1]$, two halves of equal size
        values: (batch, source_len, encoder_size), the encoder states $h_j$
        source_mask: (batch, source_len), bool, True = real token
        returns: logits (batch, target_len, vocab_size) and weights (batch, target_len, source_len)
    """

    def __init__(self, encoder_size: int, hidden_size: int, readout_size: int, vocab_size: int) -> None:
        super().__init__()
        self.first_layer = nn.Linear(encoder_size // 2, hidden_size)  # W_s
        self.output_layer = nn.Linear(readout_size, vocab_size)  # W_o

    def forward(
        self, step: nn.Module, readout: nn.Module, embedded: Tensor, final: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        _, backward_end = final.split(final.size(1) // 2, dim=1)
        state = self.first_layer(backward_end).tanh()
        projected_keys = step.project_keys(values)
        logits, rows = [], []
        for word in embedded.transpose(0, 1):
            state, context, row = step(word, state, projected_keys, values, source_mask)
            logits.append(self.output_layer(readout(state, word, context)))
            rows.append(row)
        return torch.stack(logits, dim=1), torch.stack(rows, dim=1)
''',
    ),
    (
        "wires",
        "whole sentences for what enters",
        "What enters the cell is tried on whole sentences, where state and word also reach the new state through question, weights and context.",
        '''
def wires(step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> dict[str, bool]:
    r"""Which wires a decoder step has, found by changing one thing at a time.

    With a single source word the weight is 1 whatever asks, so what then reaches the new state came through the cell.

    Shape:
        step: ``step(embedded, state, projected_keys, values, source_mask)`` → (new state, context, weights), with
            ``step.project_keys(values)``
        embedded: (batch, embedding_size), the previous word
        state: (batch, hidden_size)
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token; the first word of each sentence is real
        returns: True or False for "state asks", "word asks", "state enters", "word enters", "context enters",
            "padding counts" and "context is the weighted sum"
    """

    def run(word, before, sentence):
        return step(word, before, step.project_keys(sentence), sentence, source_mask)

    with torch.no_grad():
        new, context, weights = run(embedded, state, values)
        by_state = run(embedded, state + 1, values)
        by_word = run(embedded + 1, state, values)
        by_values = run(embedded, state, values + 1)
        shouting = torch.where(source_mask.unsqueeze(-1), values, values + 3)
        by_padding = run(embedded, state, shouting)
        summed = (weights.unsqueeze(-1) * values).sum(1)
        return {
            "state asks": not torch.allclose(weights, by_state[2]),
            "word asks": not torch.allclose(weights, by_word[2]),
            "state enters": not torch.allclose(new, by_state[0]),
            "word enters": not torch.allclose(new, by_word[0]),
            "context enters": not torch.allclose(new, by_values[0]),
            "padding counts": not torch.allclose(weights, by_padding[2]),
            "context is the weighted sum": torch.allclose(context, summed, atol=1e-6),
        }
''',
    ),
    (
        "wires",
        "old keys for new padding",
        "The padding is overwritten in the caller's values, and the keys are not projected anew, so padding never seems to count.",
        '''
def wires(step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> dict[str, bool]:
    r"""Which wires a decoder step has, found by changing one thing at a time.

    With a single source word the weight is 1 whatever asks, so what then reaches the new state came through the cell.

    Shape:
        step: ``step(embedded, state, projected_keys, values, source_mask)`` → (new state, context, weights), with
            ``step.project_keys(values)``
        embedded: (batch, embedding_size), the previous word
        state: (batch, hidden_size)
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token; the first word of each sentence is real
        returns: True or False for "state asks", "word asks", "state enters", "word enters", "context enters",
            "padding counts" and "context is the weighted sum"
    """

    answers = {}
    keys = step.project_keys(values)
    first, one = values[:, :1], source_mask[:, :1]
    first_keys = step.project_keys(first)
    _, context, weights = step(embedded, state, keys, values, source_mask)
    answers["state asks"] = not torch.allclose(step(embedded, -state, keys, values, source_mask)[2], weights)
    answers["word asks"] = not torch.allclose(step(-embedded, state, keys, values, source_mask)[2], weights)
    alone = step(embedded, state, first_keys, first, one)[0]
    answers["state enters"] = not torch.allclose(step(embedded, -state, first_keys, first, one)[0], alone)
    answers["word enters"] = not torch.allclose(step(-embedded, state, first_keys, first, one)[0], alone)
    answers["context enters"] = not torch.allclose(step(embedded, state, step.project_keys(-first), -first, one)[0], alone)
    answers["context is the weighted sum"] = torch.allclose(torch.einsum("bs,bse->be", weights, values), context, atol=1e-5)
    values[~source_mask] = 7.0
    answers["padding counts"] = not torch.allclose(step(embedded, state, keys, values, source_mask)[2], weights)
    return answers
''',
    ),
    (
        "wires",
        "the neighbour's state for another",
        "State, word and sentence are exchanged for those of the neighbour in the batch, so in a batch of one nothing is changed and nothing is found.",
        '''
def wires(step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> dict[str, bool]:
    r"""Which wires a decoder step has, found by changing one thing at a time.

    With a single source word the weight is 1 whatever asks, so what then reaches the new state came through the cell.

    Shape:
        step: ``step(embedded, state, projected_keys, values, source_mask)`` → (new state, context, weights), with
            ``step.project_keys(values)``
        embedded: (batch, embedding_size), the previous word
        state: (batch, hidden_size)
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token; the first word of each sentence is real
        returns: True or False for "state asks", "word asks", "state enters", "word enters", "context enters",
            "padding counts" and "context is the weighted sum"
    """

    def run(word=embedded, before=state, sentence=values, mask=source_mask):
        with torch.no_grad():
            return step(word, before, step.project_keys(sentence), sentence, mask)

    def same(one, other):
        return torch.allclose(one, other, rtol=1e-5, atol=1e-6)

    new, context, weights = run()
    short = {"sentence": values[:, :1], "mask": source_mask[:, :1]}
    alone = run(**short)[0]
    swapped = {"before": state.roll(1, 0)}
    reworded = {"word": embedded.roll(1, 0)}
    moved = {"sentence": values[:, :1].roll(1, 0), "mask": source_mask[:, :1]}
    loud = values.masked_fill(~source_mask[:, :, None], 5.0)
    return {
        "state asks": not same(run(**swapped)[2], weights),
        "word asks": not same(run(**reworded)[2], weights),
        "state enters": not same(run(**swapped, **short)[0], alone),
        "word enters": not same(run(**reworded, **short)[0], alone),
        "context enters": not same(run(**moved)[0], alone),
        "padding counts": not same(run(sentence=loud)[2], weights),
        "context is the weighted sum": same(torch.bmm(weights[:, None], values)[:, 0], context),
    }
''',
    ),
]
