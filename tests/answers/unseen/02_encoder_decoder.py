"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "gru_step",
        "state bias outside the reset gate",
        "In the proposal only U_n s is multiplied by the reset gate and the bias c_n is added outside, although the "
        "gate is to act on the sum of both.",
        """
def gru_step(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
) -> Tensor:
    from_input = F.linear(inputs, input_weight, input_bias + state_bias)
    from_state = F.linear(state, state_weight)
    x_r, x_z, x_n = from_input.chunk(3, dim=-1)
    s_r, s_z, s_n = from_state.chunk(3, dim=-1)
    r = torch.sigmoid(x_r + s_r)
    z = torch.sigmoid(x_z + s_z)
    n = torch.tanh(x_n + r * s_n)
    return (1 - z) * n + z * state
""",
    ),
    (
        "gru_step",
        "tanh made of overflowing exponentials",
        "The tanh is computed as a quotient of exponentials, which is infinity by infinity, not a number, for sums "
        "near ±1000.",
        """
def gru_step(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
) -> Tensor:
    def sigma(a):
        return 1 / (1 + torch.exp(-a))

    def tanh(a):
        return (torch.exp(a) - torch.exp(-a)) / (torch.exp(a) + torch.exp(-a))

    h = state.size(-1)
    x = inputs @ input_weight.T + input_bias
    s = state @ state_weight.T + state_bias
    r = sigma(x[:, :h] + s[:, :h])
    z = sigma(x[:, h : 2 * h] + s[:, h : 2 * h])
    n = tanh(x[:, 2 * h :] + r * s[:, 2 * h :])
    return (1 - z) * n + z * state
""",
    ),
    (
        "conventions",
        "bahdanau with the proposal of pytorch",
        "For bahdanau only the roles of the update gate are exchanged and the proposal is left as in PyTorch, although "
        "it is to be that of cho.",
        """
def conventions(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
    following: Tensor,
) -> list[str]:
    x_r, x_z, x_n = F.linear(inputs, input_weight, input_bias).chunk(3, dim=-1)
    s_r, s_z, s_n = F.linear(state, state_weight, state_bias).chunk(3, dim=-1)
    r, z = torch.sigmoid(x_r + s_r), torch.sigmoid(x_z + s_z)
    hidden = state.size(1)
    n_torch = torch.tanh(x_n + r * s_n)
    n_cho = torch.tanh(x_n + F.linear(r * state, state_weight[2 * hidden :], state_bias[2 * hidden :]))
    steps = {
        "pytorch": (1 - z) * n_torch + z * state,
        "cho": (1 - z) * n_cho + z * state,
        "bahdanau": z * n_torch + (1 - z) * state,
    }
    return [name for name, made in steps.items() if (made - following).abs().max() <= 0.002]
""",
    ),
    (
        "conventions",
        "stops at the first that fits",
        "The first convention that fits is returned alone, although several may fit, as with a diagonal matrix or "
        "update gates at one half.",
        """
def conventions(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
    following: Tensor,
) -> list[str]:
    h = state.shape[-1]
    x = inputs @ input_weight.mT + input_bias
    s = state @ state_weight.mT + state_bias
    r = (x[..., :h] + s[..., :h]).sigmoid()
    z = (x[..., h : 2 * h] + s[..., h : 2 * h]).sigmoid()
    after = (x[..., 2 * h :] + r * s[..., 2 * h :]).tanh()
    before = (x[..., 2 * h :] + (r * state) @ state_weight[2 * h :].mT + state_bias[2 * h :]).tanh()

    def fits(made):
        return bool(((made - following).abs() <= 0.002).all())

    if fits((1 - z) * after + z * state):
        return ["pytorch"]
    elif fits((1 - z) * before + z * state):
        return ["cho"]
    elif fits(z * before + (1 - z) * state):
        return ["bahdanau"]
    else:
        return []
""",
    ),
    (
        "conventions",
        "mean difference decides, not the largest",
        "A convention is accepted when its differences are small on average, although every number of every sentence "
        "has to be right.",
        """
def conventions(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
    following: Tensor,
) -> list[str]:
    W_r, W_z, W_n = input_weight.chunk(3)
    U_r, U_z, U_n = state_weight.chunk(3)
    b_r, b_z, b_n = input_bias.chunk(3)
    c_r, c_z, c_n = state_bias.chunk(3)
    r = torch.sigmoid(F.linear(inputs, W_r, b_r) + F.linear(state, U_r, c_r))
    z = torch.sigmoid(F.linear(inputs, W_z, b_z) + F.linear(state, U_z, c_z))
    n1 = torch.tanh(F.linear(inputs, W_n, b_n) + r * F.linear(state, U_n, c_n))
    n2 = torch.tanh(F.linear(inputs, W_n, b_n) + F.linear(r * state, U_n, c_n))
    candidates = [
        ("pytorch", (1 - z) * n1 + z * state),
        ("cho", (1 - z) * n2 + z * state),
        ("bahdanau", z * n2 + (1 - z) * state),
    ]
    names = []
    for name, candidate in candidates:
        if F.l1_loss(candidate, following) <= 0.002:
            names.append(name)
    return names
""",
    ),
    (
        "log_probability",
        "logarithm of the underflown product",
        "The probabilities are multiplied and the logarithm is taken at the end, so that a long sentence comes to "
        "log 0, minus infinity.",
        """
def log_probability(
    decoder: PlainDecoder, target_in: Tensor, target_out: Tensor, target_mask: Tensor, state: Tensor
) -> Tensor:
    factors = []
    for i in range(target_in.size(1)):
        logits, state = decoder.step(target_in[:, i], state)
        p = torch.softmax(logits, dim=-1).gather(1, target_out[:, i : i + 1]).squeeze(1)
        factors.append(torch.where(target_mask[:, i], p, torch.ones_like(p)))  # padding: a factor of 1
    return torch.stack(factors, dim=1).prod(dim=1).log()
""",
    ),
    (
        "log_probability",
        "state detached between the steps",
        "The state is detached after every step, so that no gradient reaches the first state, nor the cell through an "
        "earlier step.",
        """
def log_probability(
    decoder: PlainDecoder, target_in: Tensor, target_out: Tensor, target_mask: Tensor, state: Tensor
) -> Tensor:
    total = 0.0
    for previous, word, real in zip(target_in.unbind(1), target_out.unbind(1), target_mask.unbind(1), strict=True):
        logits, state = decoder.step(previous, state.detach())
        total = total - F.cross_entropy(logits, word, reduction="none") * real
    return total
""",
    ),
    (
        "masked_loss",
        "reshape in place of a transpose",
        "For cross_entropy the axis of the vocabulary is brought to the second place by reshape, which tears the rows "
        "of logits apart, where it had to be transposed.",
        """
def masked_loss(logits: Tensor, target_out: Tensor, target_mask: Tensor) -> Tensor:
    batch, target_len, vocab_size = logits.shape
    losses = F.cross_entropy(logits.reshape(batch, vocab_size, target_len), target_out, reduction="none")
    return (losses * target_mask).sum() / target_mask.sum()
""",
    ),
    (
        "masked_loss",
        "padding ids overwritten in the argument",
        "The ids of the padding are set to −100 in the caller's own tensor, although arguments have to stay as they "
        "are.",
        """
def masked_loss(logits: Tensor, target_out: Tensor, target_mask: Tensor) -> Tensor:
    target_out[~target_mask] = -100  # what cross_entropy passes over
    return F.cross_entropy(logits.flatten(0, 1), target_out.flatten())
""",
    ),
    (
        "greedy_ids",
        "a said PAD counts as the end",
        "Whoever has said PAD is taken for a sentence that is over, although any word may be said at any step and only "
        "EOS ends a sentence.",
        """
def greedy_ids(decoder: PlainDecoder, state: Tensor, max_length: int) -> Tensor:
    previous = torch.full((state.size(0),), BOS, dtype=torch.long, device=state.device)
    ids = []
    for _ in range(max_length):
        over = (previous == EOS) | (previous == PAD)
        if over.all():
            break
        logits, state = decoder.step(previous, state)
        previous = logits.argmax(dim=-1).masked_fill(over, PAD)
        ids.append(previous)
    return torch.stack(ids, dim=1)
""",
    ),
    (
        "greedy_ids",
        "stops when all say EOS at once",
        "The loop is left only if all sentences say EOS at the same step, since nobody remembers who has ended before, "
        "so that columns of nothing but PAD follow.",
        """
def greedy_ids(decoder: PlainDecoder, state: Tensor, max_length: int) -> Tensor:
    word = torch.full((len(state),), BOS, device=state.device)
    said = []
    while len(said) < max_length:
        logits, state = decoder.step(word, state)
        word = logits.argmax(-1)
        said.append(word)
        if (word == EOS).all():
            break
    ids = torch.stack(said, dim=1)
    is_end = (ids == EOS).long()
    ended_before = is_end.cumsum(1) - is_end > 0
    return ids.masked_fill(ended_before, PAD)
""",
    ),
]
