"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "gru_step",
        "update gate first",
        "The stacked parts are taken in the order z, r, n, as other frameworks stack them, so the two gates change places.",
        '''
def gru_step(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
) -> Tensor:
    z_x, r_x, n_x = F.linear(inputs, input_weight, input_bias).chunk(3, dim=-1)
    z_s, r_s, n_s = F.linear(state, state_weight, state_bias).chunk(3, dim=-1)
    z = torch.sigmoid(z_x + z_s)
    r = torch.sigmoid(r_x + r_s)
    n = torch.tanh(n_x + r * n_s)
    return (1 - z) * n + z * state
''',
    ),
    (
        "gru_step",
        "bias outside the reset gate",
        "The state's bias of the new part is added outside the reset gate, which should scale it too.",
        '''
def gru_step(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
) -> Tensor:
    size = state.size(1)
    from_input = inputs @ input_weight.T + input_bias + state_bias
    from_state = state @ state_weight.T
    r = torch.sigmoid(from_input[:, :size] + from_state[:, :size])
    z = torch.sigmoid(from_input[:, size : 2 * size] + from_state[:, size : 2 * size])
    n = torch.tanh(from_input[:, 2 * size :] + r * from_state[:, 2 * size :])
    return n + z * (state - n)
''',
    ),
    (
        "conventions",
        "right on average",
        "The mean difference decides instead of the largest one, so a convention that is nearly right passes.",
        '''
def conventions(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
    following: Tensor,
) -> list[str]:
    r_x, z_x, n_x = F.linear(inputs, input_weight, input_bias).chunk(3, dim=-1)
    r_s, z_s, n_s = F.linear(state, state_weight, state_bias).chunk(3, dim=-1)
    r, z = torch.sigmoid(r_x + r_s), torch.sigmoid(z_x + z_s)
    last = 2 * state.size(1)
    after = torch.tanh(n_x + r * n_s)
    before = torch.tanh(n_x + F.linear(r * state, state_weight[last:], state_bias[last:]))
    candidates = {
        "pytorch": (1 - z) * after + z * state,
        "cho": (1 - z) * before + z * state,
        "bahdanau": z * before + (1 - z) * state,
    }
    return [name for name, guess in candidates.items() if (guess - following).abs().mean() <= 0.002]
''',
    ),
    (
        "conventions",
        "no bias, one name",
        "The bias of the new part is missing in Cho's way, and the search stops at the first name that fits.",
        '''
def conventions(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
    following: Tensor,
) -> list[str]:
    a = torch.addmm(input_bias, inputs, input_weight.T)
    b = torch.addmm(state_bias, state, state_weight.T)
    h = state.shape[1]
    r = torch.sigmoid(a[:, :h] + b[:, :h])
    z = torch.sigmoid(a[:, h : 2 * h] + b[:, h : 2 * h])

    def fits(guess):
        return bool((guess - following).abs().max() < 0.002)

    n = torch.tanh(a[:, 2 * h :] + r * b[:, 2 * h :])
    if fits((1 - z) * n + z * state):
        return ["pytorch"]
    n = torch.tanh(a[:, 2 * h :] + (r * state) @ state_weight[2 * h :].T)
    if fits((1 - z) * n + z * state):
        return ["cho"]
    if fits(z * n + (1 - z) * state):
        return ["bahdanau"]
    return []
''',
    ),
    (
        "log_probability",
        "product first, logarithm last",
        "The probabilities are multiplied and the logarithm is taken of the product, which is 0 for a long sentence.",
        '''
def log_probability(
    decoder: PlainDecoder, target_in: Tensor, target_out: Tensor, target_mask: Tensor, state: Tensor
) -> Tensor:
    product = torch.ones_like(state[:, 0])
    for i in range(target_in.size(1)):
        logits, state = decoder.step(target_in[:, i], state)
        shares = torch.softmax(logits, dim=-1).gather(1, target_out[:, i : i + 1]).squeeze(1)
        product = product * torch.where(target_mask[:, i], shares, torch.ones_like(shares))
    return product.log()
''',
    ),
    (
        "log_probability",
        "reads its own words",
        "From the second step on the decoder reads its own best word, not the true one, and the sum is divided by the length.",
        '''
def log_probability(
    decoder: PlainDecoder, target_in: Tensor, target_out: Tensor, target_mask: Tensor, state: Tensor
) -> Tensor:
    previous, steps = target_in[:, 0], []
    for said in target_out.unbind(1):
        logits, state = decoder.step(previous, state)
        steps.append(-F.cross_entropy(logits, said, reduction="none"))
        previous = logits.argmax(-1)
    table = torch.stack(steps, dim=1) * target_mask
    return table.sum(1) / target_mask.sum(1)
''',
    ),
    (
        "masked_loss",
        "mean of the sentences' means",
        "Each sentence is averaged by itself first, so a word of a short sentence counts more than one of a long sentence.",
        '''
def masked_loss(logits: Tensor, target_out: Tensor, target_mask: Tensor) -> Tensor:
    losses = F.cross_entropy(logits.transpose(1, 2), target_out, reduction="none")
    per_sentence = (losses * target_mask).sum(1) / target_mask.sum(1)
    return per_sentence.mean()
''',
    ),
    (
        "masked_loss",
        "logarithm of a softmax",
        "The logarithm is taken of a softmax that has come out as 0, so large logits give an infinite loss or NaN.",
        '''
def masked_loss(logits: Tensor, target_out: Tensor, target_mask: Tensor) -> Tensor:
    probabilities = torch.softmax(logits, dim=-1)
    right = probabilities.gather(2, target_out.unsqueeze(2)).squeeze(2)
    return -(right.log() * target_mask).sum() / target_mask.sum()
''',
    ),
    (
        "greedy_ids",
        "forgets who has ended",
        "Who has ended is decided anew at every step, so a sentence that has got one PAD begins to speak again.",
        '''
def greedy_ids(decoder: PlainDecoder, state: Tensor, max_length: int) -> Tensor:
    previous = torch.full((state.size(0),), BOS, dtype=torch.long, device=state.device)
    ended = torch.zeros(state.size(0), dtype=torch.bool, device=state.device)
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
        "marks are forbidden",
        "Padding, beginning and unknown word are kept from being said, though any word may be said at any step.",
        '''
def greedy_ids(decoder: PlainDecoder, state: Tensor, max_length: int) -> Tensor:
    batch = state.size(0)
    ids = state.new_full((batch, max_length), PAD, dtype=torch.long)
    previous = state.new_full((batch,), BOS, dtype=torch.long)
    alive = state.new_ones(batch, dtype=torch.bool)
    for i in range(max_length):
        logits, state = decoder.step(previous, state)
        logits = logits.clone()
        logits[:, [PAD, BOS, UNK]] = -torch.inf  # nobody wants to read these
        previous = torch.where(alive, logits.argmax(-1), PAD)
        ids[:, i] = previous
        alive = alive & (previous != EOS)
        if not alive.any():
            return ids[:, : i + 1]
    return ids
''',
    ),
]
