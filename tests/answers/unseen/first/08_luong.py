"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "luong_step",
        "the old state asks",
        "Attention asks with the state before the cell, as in Bahdanau's model.",
        r'''
class LuongStep(nn.Module):
    r"""One step of the global model: move on, then attend (Luong et al., 2015, section 3.1).

    $$h_t = \mathrm{GRU}(E y_{t-1}, h_{t-1}), \qquad \alpha_t = \mathrm{softmax}(\mathrm{score}(h_t, \bar h)), \qquad
      c_t = \sum_s \alpha_{ts} \bar h_s, \qquad \tilde h_t = \tanh(W_c [c_t; h_t])$$

    Shape:
        embedded: (batch, embedding_size), the previous word $E y_{t-1}$
        state: (batch, hidden_size), $h_{t-1}$
        projected_keys: (batch, source_len, hidden_size), from ``scorer.project_keys``, once per sentence
        values: (batch, source_len, encoder_size), the encoder states
        source_mask: (batch, source_len), bool, True = real token
        returns: (attentional state $\tilde h_t$ (batch, hidden_size), weights (batch, source_len), new state $h_t$)
    """

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
        scores = self.scorer.score(state, projected_keys)
        context, weights = attend(scores, values, source_mask)
        state = self.cell(embedded, state)
        attentional = torch.tanh(self.attentional_layer(torch.cat([context, state], dim=-1)))
        return attentional, weights, state
''',
    ),
    (
        "luong_step",
        "state first, no tanh",
        "State and context are joined in the wrong order, and the tanh is forgotten.",
        r'''
class LuongStep(nn.Module):
    r"""One step of the global model: move on, then attend (Luong et al., 2015, section 3.1).

    $$h_t = \mathrm{GRU}(E y_{t-1}, h_{t-1}), \qquad \alpha_t = \mathrm{softmax}(\mathrm{score}(h_t, \bar h)), \qquad
      c_t = \sum_s \alpha_{ts} \bar h_s, \qquad \tilde h_t = \tanh(W_c [c_t; h_t])$$

    Shape:
        embedded: (batch, embedding_size), the previous word $E y_{t-1}$
        state: (batch, hidden_size), $h_{t-1}$
        projected_keys: (batch, source_len, hidden_size), from ``scorer.project_keys``, once per sentence
        values: (batch, source_len, encoder_size), the encoder states
        source_mask: (batch, source_len), bool, True = real token
        returns: (attentional state $\tilde h_t$ (batch, hidden_size), weights (batch, source_len), new state $h_t$)
    """

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
        new = self.cell(embedded, state)
        context, weights = attend(self.scorer.score(new, projected_keys), values, source_mask)
        return self.attentional_layer(torch.cat((new, context), dim=1)), weights, new
''',
    ),
    (
        "luong_step",
        "the attentional state goes on",
        "The attentional state is handed to the next step in place of the cell's state.",
        r'''
class LuongStep(nn.Module):
    r"""One step of the global model: move on, then attend (Luong et al., 2015, section 3.1).

    $$h_t = \mathrm{GRU}(E y_{t-1}, h_{t-1}), \qquad \alpha_t = \mathrm{softmax}(\mathrm{score}(h_t, \bar h)), \qquad
      c_t = \sum_s \alpha_{ts} \bar h_s, \qquad \tilde h_t = \tanh(W_c [c_t; h_t])$$

    Shape:
        embedded: (batch, embedding_size), the previous word $E y_{t-1}$
        state: (batch, hidden_size), $h_{t-1}$
        projected_keys: (batch, source_len, hidden_size), from ``scorer.project_keys``, once per sentence
        values: (batch, source_len, encoder_size), the encoder states
        source_mask: (batch, source_len), bool, True = real token
        returns: (attentional state $\tilde h_t$ (batch, hidden_size), weights (batch, source_len), new state $h_t$)
    """

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
        h = self.cell(embedded, state)
        e = self.scorer.score(h, projected_keys)
        c, alpha = attend(e, values, source_mask)
        h = torch.tanh(self.attentional_layer(torch.cat([c, h], -1)))
        return h, alpha, h
''',
    ),
    (
        "luong_unroll",
        "softmax over the target words",
        "The table is turned round before the softmax, so the target words compete for each source word.",
        r'''
class LuongUnroll(nn.Module):
    r"""All steps of the global model at once, teacher-forced, without a loop over the target.

    $$H = \mathrm{GRU}(E y_{0}, \ldots, E y_{T-1}), \qquad A = \mathrm{softmax}(H (W_a \bar H)^\top),
      \qquad C = A \bar H, \qquad \tilde H = \tanh(W_c [C; H])$$

    It equals the loop over :class:`LuongStep`, because no state waits for a context: the recurrent layer runs once.

    Shape:
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $h_0$
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        returns: attentional states (batch, target_len, hidden_size) and weights (batch, target_len, source_len)
    """

    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.rnn = CountedGRU(embedding_size, hidden_size)  # wants the state as (1, batch, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def forward(self, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
        H, _ = self.rnn(embedded, state.unsqueeze(0))
        keys = self.scorer.project_keys(values)
        scores = keys @ H.mT
        A = masked_softmax(scores, source_mask.unsqueeze(-1)).mT
        C = A @ values
        return torch.tanh(self.attentional_layer(torch.cat([C, H], dim=-1))), A
''',
    ),
    (
        "luong_unroll",
        "the loop is still there",
        "The recurrent layer is called once for each word, where it should run once over the whole target.",
        r'''
class LuongUnroll(nn.Module):
    r"""All steps of the global model at once, teacher-forced, without a loop over the target.

    $$H = \mathrm{GRU}(E y_{0}, \ldots, E y_{T-1}), \qquad A = \mathrm{softmax}(H (W_a \bar H)^\top),
      \qquad C = A \bar H, \qquad \tilde H = \tanh(W_c [C; H])$$

    It equals the loop over :class:`LuongStep`, because no state waits for a context: the recurrent layer runs once.

    Shape:
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $h_0$
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        returns: attentional states (batch, target_len, hidden_size) and weights (batch, target_len, source_len)
    """

    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.rnn = CountedGRU(embedding_size, hidden_size)  # wants the state as (1, batch, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def forward(self, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
        keys = self.scorer.project_keys(values)
        hidden = state.unsqueeze(0)
        attentionals, table = [], []
        for t in range(embedded.size(1)):
            output, hidden = self.rnn(embedded[:, t : t + 1], hidden)
            h = output.squeeze(1)
            context, weights = attend(self.scorer.score(h, keys), values, source_mask)
            attentionals.append(torch.tanh(self.attentional_layer(torch.cat([context, h], 1))))
            table.append(weights)
        return torch.stack(attentionals, 1), torch.stack(table, 1)
''',
    ),
    (
        "luong_unroll",
        "from zeros, state before context",
        "The first state is not given to the recurrent layer, which then starts from zeros, and state and context are joined in the wrong order.",
        r'''
class LuongUnroll(nn.Module):
    r"""All steps of the global model at once, teacher-forced, without a loop over the target.

    $$H = \mathrm{GRU}(E y_{0}, \ldots, E y_{T-1}), \qquad A = \mathrm{softmax}(H (W_a \bar H)^\top),
      \qquad C = A \bar H, \qquad \tilde H = \tanh(W_c [C; H])$$

    It equals the loop over :class:`LuongStep`, because no state waits for a context: the recurrent layer runs once.

    Shape:
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $h_0$
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        returns: attentional states (batch, target_len, hidden_size) and weights (batch, target_len, source_len)
    """

    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.rnn = CountedGRU(embedding_size, hidden_size)  # wants the state as (1, batch, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def forward(self, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
        states = self.rnn(embedded)[0]
        scores = torch.einsum("bth,bsh->bts", states, self.scorer.project_keys(values))
        weights = masked_softmax(scores, source_mask[:, None, :])
        contexts = torch.einsum("bts,bse->bte", weights, values)
        joined = torch.cat((states, contexts), 2)
        return self.attentional_layer(joined).tanh(), weights
''',
    ),
    (
        "input_feeding_step",
        "what is fed replaces the state",
        "The attentional state is also given to the cell as its state, and the real state is lost.",
        r'''
class InputFeedingStep(nn.Module):
    r"""One step with input feeding: the word, and the last attentional state (Luong et al., 2015, section 3.3).

    $$h_t = \mathrm{GRU}([E y_{t-1}; \tilde h_{t-1}], h_{t-1})$$

    The rest is as in :class:`LuongStep`.

    Shape:
        embedded: (batch, embedding_size), the previous word $E y_{t-1}$
        fed: (batch, hidden_size), the attentional state of the step before, $\tilde h_{t-1}$
        state: (batch, hidden_size), $h_{t-1}$
        projected_keys: (batch, source_len, hidden_size), from ``scorer.project_keys``, once per sentence
        values: (batch, source_len, encoder_size), the encoder states
        source_mask: (batch, source_len), bool, True = real token
        returns: (attentional state $\tilde h_t$ (batch, hidden_size), weights (batch, source_len), new state $h_t$)
    """

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
        state = self.cell(torch.cat([embedded, fed], dim=-1), fed)
        context, weights = attend(self.scorer.score(state, projected_keys), values, source_mask)
        attentional = torch.tanh(self.attentional_layer(torch.cat([context, state], dim=-1)))
        return attentional, weights, state
''',
    ),
    (
        "input_feeding_step",
        "fed before the word, old state in W_c",
        "What is fed stands before the word, and W_c gets the old state beside the context.",
        r'''
class InputFeedingStep(nn.Module):
    r"""One step with input feeding: the word, and the last attentional state (Luong et al., 2015, section 3.3).

    $$h_t = \mathrm{GRU}([E y_{t-1}; \tilde h_{t-1}], h_{t-1})$$

    The rest is as in :class:`LuongStep`.

    Shape:
        embedded: (batch, embedding_size), the previous word $E y_{t-1}$
        fed: (batch, hidden_size), the attentional state of the step before, $\tilde h_{t-1}$
        state: (batch, hidden_size), $h_{t-1}$
        projected_keys: (batch, source_len, hidden_size), from ``scorer.project_keys``, once per sentence
        values: (batch, source_len, encoder_size), the encoder states
        source_mask: (batch, source_len), bool, True = real token
        returns: (attentional state $\tilde h_t$ (batch, hidden_size), weights (batch, source_len), new state $h_t$)
    """

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
        h = self.cell(torch.cat((fed, embedded), 1), state)
        c, a = attend(self.scorer.score(h, projected_keys), values, source_mask)
        return self.attentional_layer(torch.cat((c, state), 1)).tanh(), a, h
''',
    ),
    (
        "input_feeding_step",
        "fed without gradient",
        "What is fed is detached, so no step learns from what the next one makes of it.",
        r'''
class InputFeedingStep(nn.Module):
    r"""One step with input feeding: the word, and the last attentional state (Luong et al., 2015, section 3.3).

    $$h_t = \mathrm{GRU}([E y_{t-1}; \tilde h_{t-1}], h_{t-1})$$

    The rest is as in :class:`LuongStep`.

    Shape:
        embedded: (batch, embedding_size), the previous word $E y_{t-1}$
        fed: (batch, hidden_size), the attentional state of the step before, $\tilde h_{t-1}$
        state: (batch, hidden_size), $h_{t-1}$
        projected_keys: (batch, source_len, hidden_size), from ``scorer.project_keys``, once per sentence
        values: (batch, source_len, encoder_size), the encoder states
        source_mask: (batch, source_len), bool, True = real token
        returns: (attentional state $\tilde h_t$ (batch, hidden_size), weights (batch, source_len), new state $h_t$)
    """

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
        entering = torch.cat([embedded, fed.detach()], dim=1)
        new_state = self.cell(entering, state)
        scores = self.scorer.score(new_state, projected_keys)
        context, weights = attend(scores, values, source_mask)
        pair = torch.cat([context, new_state], dim=1)
        return torch.tanh(self.attentional_layer(pair)), weights, new_state
''',
    ),
    (
        "unroll_feeding",
        "zeros at every step",
        "The zeros are made anew within the loop, so nothing is ever fed.",
        r'''
def unroll_feeding(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor]:
    r"""Input feeding over a whole target, teacher-forced (Luong et al., 2015, section 3.3).

    $$\tilde h_t, \alpha_t, h_t = \mathrm{step}(E y_{t-1}, \tilde h_{t-1}, h_{t-1}, \bar h), \qquad \tilde h_0 = 0$$

    The keys are projected once, before the first step.

    Shape:
        step: as :class:`InputFeedingStep`, with ``step.project_keys(values)``
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $h_0$; $\tilde h_0$ has the same shape
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        returns: attentional states (batch, target_len, hidden_size) and weights (batch, target_len, source_len)
    """
    keys = step.project_keys(values)
    results = []
    for word in embedded.unbind(dim=1):
        fed = torch.zeros_like(state)
        fed, weights, state = step(word, fed, state, keys, values, source_mask)
        results.append((fed, weights))
    attentionals, table = zip(*results)
    return torch.stack(attentionals, dim=1), torch.stack(table, dim=1)
''',
    ),
    (
        "unroll_feeding",
        "state and fed exchanged",
        "From step to step the attentional state goes on as the state, and the state is fed.",
        r'''
def unroll_feeding(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor]:
    r"""Input feeding over a whole target, teacher-forced (Luong et al., 2015, section 3.3).

    $$\tilde h_t, \alpha_t, h_t = \mathrm{step}(E y_{t-1}, \tilde h_{t-1}, h_{t-1}, \bar h), \qquad \tilde h_0 = 0$$

    The keys are projected once, before the first step.

    Shape:
        step: as :class:`InputFeedingStep`, with ``step.project_keys(values)``
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $h_0$; $\tilde h_0$ has the same shape
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        returns: attentional states (batch, target_len, hidden_size) and weights (batch, target_len, source_len)
    """
    projected = step.project_keys(values)
    fed = torch.zeros_like(state)
    attentionals, weights = [], []
    for t in range(embedded.size(1)):
        state, row, fed = step(embedded[:, t], fed, state, projected, values, source_mask)
        attentionals.append(state)
        weights.append(row)
    return torch.stack(attentionals, 1), torch.stack(weights, 1)
''',
    ),
    (
        "unroll_feeding",
        "keys at every step, sentences mixed",
        "The keys are projected at every step, and the steps are stacked in front and then viewed as (batch, steps), which mixes sentences and steps.",
        r'''
def unroll_feeding(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor]:
    r"""Input feeding over a whole target, teacher-forced (Luong et al., 2015, section 3.3).

    $$\tilde h_t, \alpha_t, h_t = \mathrm{step}(E y_{t-1}, \tilde h_{t-1}, h_{t-1}, \bar h), \qquad \tilde h_0 = 0$$

    The keys are projected once, before the first step.

    Shape:
        step: as :class:`InputFeedingStep`, with ``step.project_keys(values)``
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $h_0$; $\tilde h_0$ has the same shape
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        returns: attentional states (batch, target_len, hidden_size) and weights (batch, target_len, source_len)
    """
    batch, steps = embedded.shape[:2]
    fed = torch.zeros(state.shape, dtype=state.dtype, device=state.device)
    first, second = [], []
    for i in range(steps):
        fed, alpha, state = step(embedded[:, i], fed, state, step.project_keys(values), values, source_mask)
        first.append(fed)
        second.append(alpha)
    return torch.stack(first).view(batch, steps, -1), torch.stack(second).view(batch, steps, -1)
''',
    ),
    (
        "unroll_unfinished",
        "takes them as sorted",
        "The unfinished sentences are taken to be the first rows of the batch, as if the targets were sorted by length.",
        r'''
def unroll_unfinished(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor, target_lengths: Tensor
) -> tuple[Tensor, Tensor]:
    r"""Input feeding over targets of different lengths: each step is run for the sentences that still have a word.

    $$\tilde h_t, \alpha_t, h_t = \mathrm{step}(E y_{t-1}, \tilde h_{t-1}, h_{t-1}, \bar h), \qquad \tilde h_0 = 0$$

    (Luong et al., 2015, section 3.3.) Behind the end of a target, attentional states and weights are 0.

    Shape:
        step: ``step(word, fed, state, projected_keys, values, source_mask)`` → (attentional state, weights, new state),
            with ``step.project_keys(values)``, which runs once, before the first step
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $h_0$
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        target_lengths: (batch,), from 1 to target_len, in any order
        returns: attentional states (batch, target_len, hidden_size) and weights (batch, target_len, source_len)
    """
    keys = step.project_keys(values)
    batch, steps, _ = embedded.shape
    attentionals = state.new_zeros(batch, steps, state.size(1))
    table = values.new_zeros(batch, steps, values.size(1))
    fed = torch.zeros_like(state)
    for t in range(int(target_lengths.max())):
        n = int((target_lengths > t).sum())
        fed, weights, state = step(embedded[:n, t], fed[:n], state[:n], keys[:n], values[:n], source_mask[:n])
        attentionals[:n, t] = fed
        table[:n, t] = weights
    return attentionals, table
''',
    ),
    (
        "unroll_unfinished",
        "computes all and masks",
        "Every step is run for all sentences, and what lies behind the end is set to 0 afterwards: nothing is saved.",
        r'''
def unroll_unfinished(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor, target_lengths: Tensor
) -> tuple[Tensor, Tensor]:
    r"""Input feeding over targets of different lengths: each step is run for the sentences that still have a word.

    $$\tilde h_t, \alpha_t, h_t = \mathrm{step}(E y_{t-1}, \tilde h_{t-1}, h_{t-1}, \bar h), \qquad \tilde h_0 = 0$$

    (Luong et al., 2015, section 3.3.) Behind the end of a target, attentional states and weights are 0.

    Shape:
        step: ``step(word, fed, state, projected_keys, values, source_mask)`` → (attentional state, weights, new state),
            with ``step.project_keys(values)``, which runs once, before the first step
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $h_0$
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        target_lengths: (batch,), from 1 to target_len, in any order
        returns: attentional states (batch, target_len, hidden_size) and weights (batch, target_len, source_len)
    """
    projected = step.project_keys(values)
    fed, outs, rows = torch.zeros_like(state), [], []
    for word in embedded.unbind(1):
        fed, row, state = step(word, fed, state, projected, values, source_mask)
        outs.append(fed)
        rows.append(row)
    real = torch.arange(embedded.size(1), device=embedded.device) < target_lengths.unsqueeze(1)
    outs, rows = torch.stack(outs, 1), torch.stack(rows, 1)
    return outs.masked_fill(~real.unsqueeze(-1), 0), rows.masked_fill(~real.unsqueeze(-1), 0)
''',
    ),
    (
        "unroll_unfinished",
        "sources not cut, one step too many",
        "When sentences leave, keys, values and mask are cut to the right number of rows but not to the right rows, and each sentence gets one step more than it has words.",
        r'''
def unroll_unfinished(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor, target_lengths: Tensor
) -> tuple[Tensor, Tensor]:
    r"""Input feeding over targets of different lengths: each step is run for the sentences that still have a word.

    $$\tilde h_t, \alpha_t, h_t = \mathrm{step}(E y_{t-1}, \tilde h_{t-1}, h_{t-1}, \bar h), \qquad \tilde h_0 = 0$$

    (Luong et al., 2015, section 3.3.) Behind the end of a target, attentional states and weights are 0.

    Shape:
        step: ``step(word, fed, state, projected_keys, values, source_mask)`` → (attentional state, weights, new state),
            with ``step.project_keys(values)``, which runs once, before the first step
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $h_0$
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        target_lengths: (batch,), from 1 to target_len, in any order
        returns: attentional states (batch, target_len, hidden_size) and weights (batch, target_len, source_len)
    """
    keys = step.project_keys(values)
    rows = torch.arange(embedded.size(0), device=embedded.device)
    fed = torch.zeros_like(state)
    attentionals = state.new_zeros(*embedded.shape[:2], state.size(-1))
    weights = state.new_zeros(*embedded.shape[:2], values.size(1))
    for t in range(int(target_lengths.max())):
        going = target_lengths[rows] >= t
        rows, fed, state = rows[going], fed[going], state[going]
        m = len(rows)
        fed, alpha, state = step(embedded[rows, t], fed, state, keys[:m], values[:m], source_mask[:m])
        attentionals[rows, t] = fed
        weights[rows, t] = alpha
    return attentionals, weights
''',
    ),
    (
        "told_apart",
        "what was seen is not counted",
        "Only ways with a strictly larger difference are counted, so the way that was seen, and ties with it, are left out.",
        '''
def told_apart(runs: dict[str, list[float]], level: float) -> list[tuple[str, str]]:
    """Which models are better than which, beyond the chance of the seed: an exact permutation test (Fisher, 1935).

    Were the two models alike, every way to deal their pooled scores out to them would be as likely as the one seen.
    The chance is the share of these in which the first model's mean is at least as far above the second's as it was.

    Shape:
        runs: the scores of each model's runs, by name; higher is better
        level: the largest chance at which two models count as told apart
        returns: the pairs (better, worse), in the order of the names
    """
    found = []
    for first, second in permutations(runs, 2):
        pooled = [*runs[first], *runs[second]]
        seen = sum(runs[first])
        sums = [sum(chosen) for chosen in combinations(pooled, len(runs[first]))]
        if sum(one > seen for one in sums) / len(sums) <= level:
            found.append((first, second))
    return found
''',
    ),
    (
        "told_apart",
        "a difference in either direction",
        "A difference counts in both directions, so the chance is that of a two-sided test, about twice as large.",
        '''
def told_apart(runs: dict[str, list[float]], level: float) -> list[tuple[str, str]]:
    """Which models are better than which, beyond the chance of the seed: an exact permutation test (Fisher, 1935).

    Were the two models alike, every way to deal their pooled scores out to them would be as likely as the one seen.
    The chance is the share of these in which the first model's mean is at least as far above the second's as it was.

    Shape:
        runs: the scores of each model's runs, by name; higher is better
        level: the largest chance at which two models count as told apart
        returns: the pairs (better, worse), in the order of the names
    """
    def mean(numbers):
        return sum(numbers) / len(numbers)

    pairs = []
    for a in runs:
        for b in runs:
            if a == b:
                continue
            seen = mean(runs[a]) - mean(runs[b])
            if seen <= 0:
                continue
            pool, ways, far = runs[a] + runs[b], 0, 0
            for places in combinations(range(len(pool)), len(runs[a])):
                mine = [pool[i] for i in places]
                others = [pool[i] for i in range(len(pool)) if i not in places]
                ways += 1
                far += abs(mean(mine) - mean(others)) >= seen - 1e-9
            if far / ways <= level:
                pairs.append((a, b))
    return pairs
''',
    ),
    (
        "told_apart",
        "equal ways once, level excluded",
        "Ways that deal out equal scores are counted once, and a chance that is just the level does not count.",
        '''
def told_apart(runs: dict[str, list[float]], level: float) -> list[tuple[str, str]]:
    """Which models are better than which, beyond the chance of the seed: an exact permutation test (Fisher, 1935).

    Were the two models alike, every way to deal their pooled scores out to them would be as likely as the one seen.
    The chance is the share of these in which the first model's mean is at least as far above the second's as it was.

    Shape:
        runs: the scores of each model's runs, by name; higher is better
        level: the largest chance at which two models count as told apart
        returns: the pairs (better, worse), in the order of the names
    """
    result = []
    for better, worse in permutations(runs.keys(), 2):
        scores = sorted(list(runs[better]) + list(runs[worse]))
        ways = set(combinations(scores, len(runs[better])))
        as_large = [way for way in ways if sum(way) >= sum(sorted(runs[better]))]
        if len(as_large) / len(ways) < level:
            result.append((better, worse))
    return result
''',
    ),
]
