"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "gru_step",
        "the GRU of Bahdanau's paper",
        "The reset gate is put on the state before the matrix, and the update gate weighs the new part and not the old one: another paper's GRU.",
        r'''
def gru_step(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
) -> Tensor:
    r"""One step of a GRU (Cho et al., 2014, equations 5 to 8, with PyTorch's place for the reset gate).

    $$r = \sigma(W_r x + b_r + U_r s + c_r), \qquad z = \sigma(W_z x + b_z + U_z s + c_z),$$
    $$n = \tanh(W_n x + b_n + r \circ (U_n s + c_n)), \qquad s' = (1 - z) \circ n + z \circ s$$

    The rows of each parameter are stacked in the order r (reset), z (update), n (new), as in ``nn.GRUCell``.

    Shape:
        inputs: (batch, input_size), $x$, and state: (batch, hidden_size), $s$
        input_weight: (3 × hidden_size, input_size), $W$, and state_weight: (3 × hidden_size, hidden_size), $U$
        input_bias, state_bias: (3 × hidden_size,), $b$ and $c$
        next state: (batch, hidden_size), $s'$
    """
    W_r, W_z, W_n = input_weight.chunk(3)
    U_r, U_z, U_n = state_weight.chunk(3)
    b_r, b_z, b_n = input_bias.chunk(3)
    c_r, c_z, c_n = state_bias.chunk(3)
    r = torch.sigmoid(inputs @ W_r.T + b_r + state @ U_r.T + c_r)
    z = torch.sigmoid(inputs @ W_z.T + b_z + state @ U_z.T + c_z)
    n = torch.tanh(inputs @ W_n.T + b_n + (r * state) @ U_n.T + c_n)
    return z * n + (1 - z) * state
''',
    ),
    (
        "gru_step",
        "the state's bias outside the reset gate",
        "c_n is added behind the reset gate's product and not within it.",
        r'''
def gru_step(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
) -> Tensor:
    r"""One step of a GRU (Cho et al., 2014, equations 5 to 8, with PyTorch's place for the reset gate).

    $$r = \sigma(W_r x + b_r + U_r s + c_r), \qquad z = \sigma(W_z x + b_z + U_z s + c_z),$$
    $$n = \tanh(W_n x + b_n + r \circ (U_n s + c_n)), \qquad s' = (1 - z) \circ n + z \circ s$$

    The rows of each parameter are stacked in the order r (reset), z (update), n (new), as in ``nn.GRUCell``.

    Shape:
        inputs: (batch, input_size), $x$, and state: (batch, hidden_size), $s$
        input_weight: (3 × hidden_size, input_size), $W$, and state_weight: (3 × hidden_size, hidden_size), $U$
        input_bias, state_bias: (3 × hidden_size,), $b$ and $c$
        next state: (batch, hidden_size), $s'$
    """
    size = state.size(1)
    from_input = torch.einsum("bi,hi->bh", inputs, input_weight) + input_bias + state_bias
    from_state = torch.einsum("bk,hk->bh", state, state_weight)
    gates = torch.sigmoid(from_input[:, : 2 * size] + from_state[:, : 2 * size])
    r, z = gates[:, :size], gates[:, size:]
    n = torch.tanh(from_input[:, 2 * size :] + r * from_state[:, 2 * size :])
    return n + z * (state - n)
''',
    ),
    (
        "gru_step",
        "a tanh by hand",
        "The tanh is written out with exponentials, which overflow for large sums: infinity over infinity is not a number.",
        r'''
def gru_step(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
) -> Tensor:
    r"""One step of a GRU (Cho et al., 2014, equations 5 to 8, with PyTorch's place for the reset gate).

    $$r = \sigma(W_r x + b_r + U_r s + c_r), \qquad z = \sigma(W_z x + b_z + U_z s + c_z),$$
    $$n = \tanh(W_n x + b_n + r \circ (U_n s + c_n)), \qquad s' = (1 - z) \circ n + z \circ s$$

    The rows of each parameter are stacked in the order r (reset), z (update), n (new), as in ``nn.GRUCell``.

    Shape:
        inputs: (batch, input_size), $x$, and state: (batch, hidden_size), $s$
        input_weight: (3 × hidden_size, input_size), $W$, and state_weight: (3 × hidden_size, hidden_size), $U$
        input_bias, state_bias: (3 × hidden_size,), $b$ and $c$
        next state: (batch, hidden_size), $s'$
    """
    def tanh(a):
        return (torch.exp(a) - torch.exp(-a)) / (torch.exp(a) + torch.exp(-a))

    left = F.linear(inputs, input_weight, input_bias).chunk(3, dim=-1)
    right = F.linear(state, state_weight, state_bias).chunk(3, dim=-1)
    r = torch.sigmoid(left[0] + right[0])
    z = torch.sigmoid(left[1] + right[1])
    n = tanh(left[2] + r * right[2])
    return (1 - z) * n + z * state
''',
    ),
    (
        "conventions",
        "the first that fits",
        "The search ends at the first convention that fits, where several may.",
        r'''
def conventions(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
    following: Tensor,
) -> list[str]:
    r"""Which GRUs may have made the step from `state` to `following`, as far as these numbers tell.

    - "pytorch": $n = \tanh(W_n x + b_n + r \circ (U_n s + c_n))$ and $s' = (1 - z) \circ n + z \circ s$
    - "cho": $n = \tanh(W_n x + b_n + U_n (r \circ s) + c_n)$ and $s' = (1 - z) \circ n + z \circ s$
    - "bahdanau": $n$ as in "cho", and $s' = z \circ n + (1 - z) \circ s$

    All that fit are returned, in this order; none, one or several may.
    A number fits where it is right to 0.002.

    Shape:
        inputs: (batch, input_size), $x$; state, following: (batch, hidden_size), $s$ and $s'$
        input_weight: (3 × hidden_size, input_size), $W$ in the order r, z, n; state_weight, the biases $b$, $c$ alike
    """
    size = state.size(1)
    x = F.linear(inputs, input_weight, input_bias)
    h = F.linear(state, state_weight, state_bias)
    r = torch.sigmoid(x[:, :size] + h[:, :size])
    z = torch.sigmoid(x[:, size : 2 * size] + h[:, size : 2 * size])
    outside = torch.tanh(x[:, 2 * size :] + r * h[:, 2 * size :])
    inside = torch.tanh(x[:, 2 * size :] + F.linear(r * state, state_weight[2 * size :], state_bias[2 * size :]))
    if (((1 - z) * outside + z * state) - following).abs().max() <= 0.002:
        return ["pytorch"]
    elif (((1 - z) * inside + z * state) - following).abs().max() <= 0.002:
        return ["cho"]
    elif ((z * inside + (1 - z) * state) - following).abs().max() <= 0.002:
        return ["bahdanau"]
    return []
''',
    ),
    (
        "conventions",
        "one sentence is enough",
        "A convention is accepted when a single sentence of the batch comes out right, not when all do.",
        r'''
def conventions(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
    following: Tensor,
) -> list[str]:
    r"""Which GRUs may have made the step from `state` to `following`, as far as these numbers tell.

    - "pytorch": $n = \tanh(W_n x + b_n + r \circ (U_n s + c_n))$ and $s' = (1 - z) \circ n + z \circ s$
    - "cho": $n = \tanh(W_n x + b_n + U_n (r \circ s) + c_n)$ and $s' = (1 - z) \circ n + z \circ s$
    - "bahdanau": $n$ as in "cho", and $s' = z \circ n + (1 - z) \circ s$

    All that fit are returned, in this order; none, one or several may.
    A number fits where it is right to 0.002.

    Shape:
        inputs: (batch, input_size), $x$; state, following: (batch, hidden_size), $s$ and $s'$
        input_weight: (3 × hidden_size, input_size), $W$ in the order r, z, n; state_weight, the biases $b$, $c$ alike
    """
    W, U = input_weight.chunk(3), state_weight.chunk(3)
    b, c = input_bias.chunk(3), state_bias.chunk(3)
    r = torch.sigmoid(inputs @ W[0].T + b[0] + state @ U[0].T + c[0])
    z = torch.sigmoid(inputs @ W[1].T + b[1] + state @ U[1].T + c[1])
    proposals = {
        "pytorch": torch.tanh(inputs @ W[2].T + b[2] + r * (state @ U[2].T + c[2])),
        "cho": torch.tanh(inputs @ W[2].T + b[2] + (r * state) @ U[2].T + c[2]),
    }
    proposals["bahdanau"] = proposals["cho"]
    names = []
    for name, n in proposals.items():
        gate = 1 - z if name == "bahdanau" else z
        right = ((1 - gate) * n + gate * state - following).abs() <= 0.002
        if right.all(dim=1).any():
            names.append(name)
    return names
''',
    ),
    (
        "conventions",
        "Bahdanau with PyTorch's proposal",
        "\"bahdanau\" is computed with PyTorch's n and not with Cho's, and the differences are compared without their absolute value.",
        r'''
def conventions(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
    following: Tensor,
) -> list[str]:
    r"""Which GRUs may have made the step from `state` to `following`, as far as these numbers tell.

    - "pytorch": $n = \tanh(W_n x + b_n + r \circ (U_n s + c_n))$ and $s' = (1 - z) \circ n + z \circ s$
    - "cho": $n = \tanh(W_n x + b_n + U_n (r \circ s) + c_n)$ and $s' = (1 - z) \circ n + z \circ s$
    - "bahdanau": $n$ as in "cho", and $s' = z \circ n + (1 - z) \circ s$

    All that fit are returned, in this order; none, one or several may.
    A number fits where it is right to 0.002.

    Shape:
        inputs: (batch, input_size), $x$; state, following: (batch, hidden_size), $s$ and $s'$
        input_weight: (3 × hidden_size, input_size), $W$ in the order r, z, n; state_weight, the biases $b$, $c$ alike
    """
    x_r, x_z, x_n = F.linear(inputs, input_weight, input_bias).chunk(3, -1)
    s_r, s_z, s_n = F.linear(state, state_weight, state_bias).chunk(3, -1)
    r, z = (x_r + s_r).sigmoid(), (x_z + s_z).sigmoid()
    n = (x_n + r * s_n).tanh()
    n_cho = (x_n + F.linear(r * state, state_weight, state_bias).chunk(3, -1)[2]).tanh()
    candidates = [
        ("pytorch", (1 - z) * n + z * state),
        ("cho", (1 - z) * n_cho + z * state),
        ("bahdanau", z * n + (1 - z) * state),
    ]
    return [name for name, made in candidates if bool((made - following < 0.002).all())]
''',
    ),
    (
        "log_probability",
        "the decoder's own words",
        "From the second step on the decoder reads the word that it finds most probable, not the true one.",
        r'''
def log_probability(
    decoder: PlainDecoder, target_in: Tensor, target_out: Tensor, target_mask: Tensor, state: Tensor
) -> Tensor:
    r"""The logarithm of the probability that the decoder gives to each sentence.

    $$\log p(y \mid x) = \sum_i m_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)$$

    Shape:
        target_in, target_out: (batch, target_len), ids, the words that are read and the words that are said
        target_mask: (batch, target_len), bool, True = real token of `target_out`, EOS among them
        state: (batch, hidden_size), the decoder state before the first word
        log probabilities: (batch,)
    """
    total = state.new_zeros(len(state))
    previous = target_in[:, 0]
    for i in range(target_out.size(1)):
        logits, state = decoder.step(previous, state)
        of_word = logits.log_softmax(-1).gather(1, target_out[:, i : i + 1]).squeeze(1)
        total = total + of_word * target_mask[:, i]
        previous = logits.argmax(-1)
    return total
''',
    ),
    (
        "log_probability",
        "logarithm of the product",
        "The probabilities are multiplied and the logarithm is taken at the end, so a long sentence becomes 0 and its logarithm minus infinity.",
        r'''
def log_probability(
    decoder: PlainDecoder, target_in: Tensor, target_out: Tensor, target_mask: Tensor, state: Tensor
) -> Tensor:
    r"""The logarithm of the probability that the decoder gives to each sentence.

    $$\log p(y \mid x) = \sum_i m_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)$$

    Shape:
        target_in, target_out: (batch, target_len), ids, the words that are read and the words that are said
        target_mask: (batch, target_len), bool, True = real token of `target_out`, EOS among them
        state: (batch, hidden_size), the decoder state before the first word
        log probabilities: (batch,)
    """
    probability = torch.ones(target_in.size(0), dtype=state.dtype, device=state.device)
    for previous, word, real in zip(target_in.unbind(1), target_out.unbind(1), target_mask.unbind(1)):
        logits, state = decoder.step(previous, state)
        chosen = torch.softmax(logits, dim=1)[torch.arange(len(word)), word]
        probability = probability * torch.where(real, chosen, torch.ones_like(chosen))
    return probability.log()
''',
    ),
    (
        "log_probability",
        "a state that stays, and a mean",
        "Every step starts from the first state, as the next one is thrown away, and the sum is divided by the number of words.",
        r'''
def log_probability(
    decoder: PlainDecoder, target_in: Tensor, target_out: Tensor, target_mask: Tensor, state: Tensor
) -> Tensor:
    r"""The logarithm of the probability that the decoder gives to each sentence.

    $$\log p(y \mid x) = \sum_i m_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)$$

    Shape:
        target_in, target_out: (batch, target_len), ids, the words that are read and the words that are said
        target_mask: (batch, target_len), bool, True = real token of `target_out`, EOS among them
        state: (batch, hidden_size), the decoder state before the first word
        log probabilities: (batch,)
    """
    parts = []
    for step in range(target_in.shape[1]):
        logits, _ = decoder.step(target_in[:, step], state)
        parts.append(-F.cross_entropy(logits, target_out[:, step], reduction="none"))
    table = torch.stack(parts, dim=1).masked_fill(~target_mask, 0.0)
    return table.sum(1) / target_mask.sum(1)
''',
    ),
    (
        "masked_loss",
        "mean of the sentences' means",
        "Each sentence gets its own mean first, so a word of a short sentence counts more than one of a long sentence.",
        r'''
def masked_loss(logits: Tensor, target_out: Tensor, target_mask: Tensor) -> Tensor:
    r"""Mean negative log-likelihood per real target token.

    $$L = -\frac{1}{\sum_i m_i} \sum_i m_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)$$

    The sum runs over every real token of the batch, EOS among them; padding has no share in it.

    Shape:
        logits: (batch, target_len, target_vocab_size)
        target_out: (batch, target_len), ids
        target_mask: (batch, target_len), bool, True = real token
        loss: ()
    """
    log_probs = torch.log_softmax(logits, dim=-1)
    picked = log_probs.gather(2, target_out.unsqueeze(2)).squeeze(2)
    picked = picked * target_mask
    per_sentence = -picked.sum(dim=1) / target_mask.sum(dim=1)
    return per_sentence.mean()
''',
    ),
    (
        "masked_loss",
        "writes into the targets",
        "The ids at padding are overwritten in the caller's target_out.",
        r'''
def masked_loss(logits: Tensor, target_out: Tensor, target_mask: Tensor) -> Tensor:
    r"""Mean negative log-likelihood per real target token.

    $$L = -\frac{1}{\sum_i m_i} \sum_i m_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)$$

    The sum runs over every real token of the batch, EOS among them; padding has no share in it.

    Shape:
        logits: (batch, target_len, target_vocab_size)
        target_out: (batch, target_len), ids
        target_mask: (batch, target_len), bool, True = real token
        loss: ()
    """
    target_out[~target_mask] = -100
    return F.cross_entropy(logits.flatten(0, 1), target_out.flatten(), ignore_index=-100)
''',
    ),
    (
        "masked_loss",
        "softmax twice, divided by all places",
        "F.cross_entropy gets probabilities where it wants logits, and the sum is divided by all places, padding included.",
        r'''
def masked_loss(logits: Tensor, target_out: Tensor, target_mask: Tensor) -> Tensor:
    r"""Mean negative log-likelihood per real target token.

    $$L = -\frac{1}{\sum_i m_i} \sum_i m_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)$$

    The sum runs over every real token of the batch, EOS among them; padding has no share in it.

    Shape:
        logits: (batch, target_len, target_vocab_size)
        target_out: (batch, target_len), ids
        target_mask: (batch, target_len), bool, True = real token
        loss: ()
    """
    batch, steps, words = logits.shape
    probabilities = torch.softmax(logits, -1)
    losses = F.cross_entropy(probabilities.reshape(-1, words), target_out.reshape(-1), reduction="none")
    losses = losses.view(batch, steps) * target_mask.to(losses.dtype)
    return losses.mean()
''',
    ),
    (
        "greedy_ids",
        "forgets who has ended",
        "Who has ended is only known from the last word: after one PAD the sentence speaks again, and the loop ends only when all say EOS at once.",
        r'''
def greedy_ids(decoder: PlainDecoder, state: Tensor, max_length: int) -> Tensor:
    r"""Greedy decoding: the most probable word at every step, fed back as the next step's previous word.

    $$\hat y_i = \arg\max_y p(y \mid \hat y_1, \ldots, \hat y_{i-1}, x)$$

    It begins with BOS and stops when every sentence of the batch has said EOS, or after `max_length` words; after its
    EOS a sentence gets PAD.

    Shape:
        state: (batch, hidden_size), the decoder state before the first word
        ids: (batch, steps), steps ≤ max_length
    """
    previous = torch.full((state.size(0),), BOS, dtype=torch.long, device=state.device)
    ended = torch.zeros_like(previous, dtype=torch.bool)
    said = []
    for _ in range(max_length):
        logits, state = decoder.step(previous, state)
        previous = logits.argmax(dim=-1).masked_fill(ended, PAD)
        said.append(previous)
        ended = previous == EOS
        if ended.all():
            break
    return torch.stack(said, dim=1)
''',
    ),
    (
        "greedy_ids",
        "BOS among the ids, and to the limit",
        "The result begins with BOS, and the loop always goes on to max_length instead of stopping when all have ended.",
        r'''
def greedy_ids(decoder: PlainDecoder, state: Tensor, max_length: int) -> Tensor:
    r"""Greedy decoding: the most probable word at every step, fed back as the next step's previous word.

    $$\hat y_i = \arg\max_y p(y \mid \hat y_1, \ldots, \hat y_{i-1}, x)$$

    It begins with BOS and stops when every sentence of the batch has said EOS, or after `max_length` words; after its
    EOS a sentence gets PAD.

    Shape:
        state: (batch, hidden_size), the decoder state before the first word
        ids: (batch, steps), steps ≤ max_length
    """
    batch = len(state)
    out = torch.full((batch, max_length + 1), PAD, device=state.device)
    out[:, 0] = BOS
    alive = torch.ones(batch, dtype=torch.bool, device=state.device)
    for i in range(max_length):
        logits, state = decoder.step(out[:, i], state)
        _, best = logits.max(dim=1)
        out[alive, i + 1] = best[alive]
        alive = alive & (best != EOS)
    return out
''',
    ),
    (
        "greedy_ids",
        "padding and beginning are forbidden",
        "PAD and BOS are ruled out before the best word is chosen, although any word may be said at any step.",
        r'''
def greedy_ids(decoder: PlainDecoder, state: Tensor, max_length: int) -> Tensor:
    r"""Greedy decoding: the most probable word at every step, fed back as the next step's previous word.

    $$\hat y_i = \arg\max_y p(y \mid \hat y_1, \ldots, \hat y_{i-1}, x)$$

    It begins with BOS and stops when every sentence of the batch has said EOS, or after `max_length` words; after its
    EOS a sentence gets PAD.

    Shape:
        state: (batch, hidden_size), the decoder state before the first word
        ids: (batch, steps), steps ≤ max_length
    """
    word = torch.full((state.size(0),), BOS, device=state.device)
    columns = []
    while len(columns) < max_length:
        logits, state = decoder.step(word, state)
        logits = logits.index_fill(1, torch.tensor([PAD, BOS], device=logits.device), -torch.inf)
        word = logits.argmax(1)
        columns.append(word)
        if (torch.stack(columns, 1) == EOS).any(1).all():
            break
    ids = torch.stack(columns, 1)
    over = (ids == EOS).cumsum(1) - (ids == EOS).long()  # how many ends lie before
    return torch.where(over > 0, PAD, ids)
''',
    ),
]
