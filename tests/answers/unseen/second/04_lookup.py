"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "weighted_sum_loop",
        "divided by the sum of the weights",
        "The sum is divided by the sum of the weights, which the equation does not ask for.",
        '''
def weighted_sum_loop(weights: Tensor, values: Tensor) -> Tensor:
    context = values.new_zeros(values.size(0), values.size(2))
    for b in range(values.size(0)):
        for j in range(values.size(1)):
            context[b] = context[b] + weights[b, j] * values[b, j]
        context[b] = context[b] / weights[b].sum()
    return context
''',
    ),
    (
        "weighted_sum_loop",
        "zeros of the default dtype",
        "The sum is collected in zeros of the default dtype, so float64 values come out as float32.",
        '''
def weighted_sum_loop(weights: Tensor, values: Tensor) -> Tensor:
    batch, keys, size = values.shape
    context = torch.zeros(batch, size)
    for b in range(batch):
        for j in range(keys):
            context[b] += weights[b, j] * values[b, j]
    return context
''',
    ),
    (
        "look_up",
        "softmax over the target words",
        "The softmax runs over the target words, so the columns sum to 1 and not the rows.",
        '''
def look_up(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    scores = torch.einsum("bqd,bkd->bqk", queries, keys)
    weights = torch.softmax(scores, dim=1)
    return torch.einsum("bqk,bkv->bqv", weights, values), weights
''',
    ),
    (
        "look_up",
        "softmax by hand, and a scale",
        "The exponentials are taken without subtracting the largest score, and the scores are divided by the root of the size as in another paper.",
        '''
def look_up(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    scores = torch.bmm(queries, keys.transpose(1, 2)) / queries.size(-1) ** 0.5
    exps = scores.exp()
    weights = exps / exps.sum(dim=-1, keepdim=True)
    contexts = torch.bmm(weights, values)
    return contexts, weights
''',
    ),
    (
        "score_gradient",
        "one context for all",
        "The context is summed over the sentences of the batch as well, so each sentence is compared with the sum of all contexts.",
        '''
def score_gradient(weights: Tensor, values: Tensor, context_gradient: Tensor) -> Tensor:
    context = torch.einsum("bk,bkv->v", weights, values)
    return weights * torch.einsum("bkv,bv->bk", values - context, context_gradient)
''',
    ),
    (
        "score_gradient",
        "distance from the plain mean",
        "The values are compared with their plain mean, not with the context, which is their weighted mean.",
        '''
def score_gradient(weights: Tensor, values: Tensor, context_gradient: Tensor) -> Tensor:
    centre = values.mean(dim=1, keepdim=True)
    along = (values - centre) @ context_gradient.unsqueeze(-1)
    return weights * along.squeeze(-1)
''',
    ),
    (
        "look_up_gradients",
        "the sum over the wrong axis",
        "On the way back through the softmax the sum to subtract runs over the target words, not over the source words.",
        '''
def look_up_gradients(
    queries: Tensor, keys: Tensor, values: Tensor, contexts_gradient: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    weights = torch.softmax(queries @ keys.mT, dim=-1)
    at_values = weights.mT @ contexts_gradient
    at_weights = contexts_gradient @ values.mT
    at_scores = weights * (at_weights - (weights * at_weights).sum(1, keepdim=True))
    return at_scores @ keys, at_scores.mT @ queries, at_values
''',
    ),
    (
        "look_up_gradients",
        "collected as a mean",
        "Keys and values collect the mean over the target words instead of the sum.",
        '''
def look_up_gradients(
    queries: Tensor, keys: Tensor, values: Tensor, contexts_gradient: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    weights = torch.einsum("bqd,bkd->bqk", queries, keys).softmax(-1)
    contexts = torch.einsum("bqk,bkv->bqv", weights, values)
    gap = values.unsqueeze(1) - contexts.unsqueeze(2)
    at_scores = weights * (gap * contexts_gradient.unsqueeze(2)).sum(-1)
    at_queries = (at_scores.unsqueeze(-1) * keys.unsqueeze(1)).sum(2)
    at_keys = (at_scores.unsqueeze(-1) * queries.unsqueeze(2)).mean(1)
    at_values = (weights.unsqueeze(-1) * contexts_gradient.unsqueeze(2)).mean(1)
    return at_queries, at_keys, at_values
''',
    ),
]
