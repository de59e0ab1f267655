"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "weighted_sum_loop",
        "first value scaled in the argument",
        "The sum begins with a view of the first value and is added up in it, so that the caller's values are "
        "changed.",
        """
def weighted_sum_loop(weights: Tensor, values: Tensor) -> Tensor:
    rows = []
    for b in range(values.size(0)):
        total = values[b, 0]
        total *= weights[b, 0]
        for j in range(1, values.size(1)):
            total += weights[b, j] * values[b, j]
        rows.append(total)
    return torch.stack(rows)
""",
    ),
    (
        "weighted_sum_loop",
        "weights taken out as plain numbers",
        "The weights are turned into Python numbers, so that no gradient flows back to them.",
        """
def weighted_sum_loop(weights: Tensor, values: Tensor) -> Tensor:
    batch, keys, value_size = values.shape
    context = values.new_zeros(batch, value_size)
    for b, row in enumerate(weights.tolist()):
        for j, weight in enumerate(row):
            context[b] += weight * values[b, j]
    return context
""",
    ),
    (
        "look_up",
        "keys turned by view",
        "The keys are brought to the shape (batch, size, keys) by view, which mixes the numbers of different keys, "
        "where the two axes had to be exchanged.",
        """
def look_up(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    batch, number, size = keys.shape
    scores = torch.bmm(queries, keys.reshape(batch, size, number))
    weights = scores.softmax(dim=-1)
    return torch.bmm(weights, values), weights
""",
    ),
    (
        "look_up",
        "one maximum for the whole table",
        "The largest score of the whole batch is subtracted before the exponential, so that a target word whose scores "
        "are all far below it gets 0 divided by 0.",
        """
def look_up(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    scores = torch.einsum("bqd,bkd->bqk", queries, keys)
    exps = torch.exp(scores - scores.max())
    weights = exps / exps.sum(dim=2, keepdim=True)
    contexts = torch.einsum("bqk,bkv->bqv", weights, values)
    return contexts, weights
""",
    ),
    (
        "look_up",
        "scores divided by root of size",
        "The scores are divided by the square root of the size, as in later papers, although the score is the plain "
        "dot "
        "product here.",
        """
def look_up(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    e = queries @ keys.transpose(1, 2) / keys.size(-1) ** 0.5
    alpha = torch.softmax(e, dim=2)
    c = alpha @ values
    return c, alpha
""",
    ),
    (
        "score_gradient",
        "only the softmax's diagonal",
        "Only the effect of a score on its own weight, α(1 − α), is counted; that the other weights shrink with it is "
        "left out.",
        """
def score_gradient(weights: Tensor, values: Tensor, context_gradient: Tensor) -> Tensor:
    weights_gradient = (values * context_gradient.unsqueeze(1)).sum(dim=-1)  # dc/dalpha_j = v_j
    return weights * (1 - weights) * weights_gradient
""",
    ),
    (
        "score_gradient",
        "compared with the plain mean",
        "Each value is compared with the unweighted mean of the values and not with the context, their weighted sum.",
        """
def score_gradient(weights: Tensor, values: Tensor, context_gradient: Tensor) -> Tensor:
    centre = values.mean(dim=1, keepdim=True)
    along = torch.bmm(values - centre, context_gradient.unsqueeze(-1)).squeeze(-1)
    return weights * along
""",
    ),
    (
        "score_gradient",
        "context subtracted from the caller's values",
        "The context is subtracted from the values in place, so that the argument is another after the call.",
        """
def score_gradient(weights: Tensor, values: Tensor, context_gradient: Tensor) -> Tensor:
    with torch.no_grad():
        context = weighted_sum(weights, values)
        distance = values.sub_(context[:, None, :])
        return weights * torch.einsum("bkv,bv->bk", distance, context_gradient)
""",
    ),
    (
        "look_up_gradients",
        "subtracted sum runs over target words",
        "At the scores the sum that is subtracted runs over the target words of a key, where every target word has a "
        "sum of its own over the keys.",
        """
def look_up_gradients(
    queries: Tensor, keys: Tensor, values: Tensor, contexts_gradient: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    weights = torch.softmax(queries @ keys.transpose(1, 2), dim=-1)
    values_gradient = weights.transpose(1, 2) @ contexts_gradient
    at_weights = contexts_gradient @ values.transpose(1, 2)
    at_scores = weights * (at_weights - (weights * at_weights).sum(dim=1, keepdim=True))
    return at_scores @ keys, at_scores.transpose(1, 2) @ queries, values_gradient
""",
    ),
    (
        "look_up_gradients",
        "keys and values get a mean",
        "Keys and values get the mean of what the target words send them and not the sum.",
        """
def look_up_gradients(
    queries: Tensor, keys: Tensor, values: Tensor, contexts_gradient: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    alpha = torch.einsum("bis,bjs->bij", queries, keys).softmax(-1)
    contexts = torch.einsum("bij,bjv->biv", alpha, values)
    # (batch, queries, keys, value_size): v_j - c_i for every pair of words
    away = values[:, None] - contexts[:, :, None]
    slopes = alpha * (away * contexts_gradient[:, :, None]).sum(-1)
    for_queries = (slopes[..., None] * keys[:, None]).sum(2)
    for_keys = (slopes[..., None] * queries[:, :, None]).mean(1)
    for_values = (alpha[..., None] * contexts_gradient[:, :, None]).mean(1)
    return for_queries, for_keys, for_values
""",
    ),
    (
        "look_up_gradients",
        "softmax passed as a plain factor",
        "On the way through the softmax each weight's gradient is only multiplied by the weight; the sum that the "
        "other "
        "keys have to pay is not subtracted.",
        """
def look_up_gradients(
    queries: Tensor, keys: Tensor, values: Tensor, contexts_gradient: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    g = contexts_gradient
    dq, dk, dv = torch.zeros_like(queries), torch.zeros_like(keys), torch.zeros_like(values)
    for b in range(queries.size(0)):
        weights = torch.softmax(queries[b] @ keys[b].T, dim=-1)
        slopes = weights * (g[b] @ values[b].T)
        dq[b] = slopes @ keys[b]
        dk[b] = slopes.T @ queries[b]
        dv[b] = weights.T @ g[b]
    return dq, dk, dv
""",
    ),
]
