"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "weighted_sum_loop",
        "divides by the sum of the weights",
        "The sum is divided by the sum of the weights, which the equation does not do.",
        r'''
def weighted_sum_loop(weights: Tensor, values: Tensor) -> Tensor:
    r"""The context of equation 5 spelled out, a sentence and a key at a time; :func:`weighted_sum` is its fast twin.

    $$c = \sum_j \alpha_j v_j$$

    Shape:
        weights: (batch, keys)
        values: (batch, keys, value_size), the encoder states $v_j$
        context: (batch, value_size)
    """
    rows = []
    for b in range(weights.size(0)):
        total = torch.zeros_like(values[b, 0])
        for j in range(weights.size(1)):
            total = total + weights[b, j] * values[b, j]
        rows.append(total / weights[b].sum())
    return torch.stack(rows)
''',
    ),
    (
        "weighted_sum_loop",
        "only the last key, in single precision",
        "Each key overwrites the one before it instead of being added, and the zeros do not follow the values' dtype.",
        r'''
def weighted_sum_loop(weights: Tensor, values: Tensor) -> Tensor:
    r"""The context of equation 5 spelled out, a sentence and a key at a time; :func:`weighted_sum` is its fast twin.

    $$c = \sum_j \alpha_j v_j$$

    Shape:
        weights: (batch, keys)
        values: (batch, keys, value_size), the encoder states $v_j$
        context: (batch, value_size)
    """
    batch, keys, value_size = values.shape
    context = torch.zeros(batch, value_size)
    for sentence in range(batch):
        for key in range(keys):
            context[sentence] = weights[sentence, key] * values[sentence, key]
    return context
''',
    ),
    (
        "weighted_sum_loop",
        "scales the caller's values",
        "The values are multiplied by their weights in place, so the caller's tensor is another one afterwards.",
        r'''
def weighted_sum_loop(weights: Tensor, values: Tensor) -> Tensor:
    r"""The context of equation 5 spelled out, a sentence and a key at a time; :func:`weighted_sum` is its fast twin.

    $$c = \sum_j \alpha_j v_j$$

    Shape:
        weights: (batch, keys)
        values: (batch, keys, value_size), the encoder states $v_j$
        context: (batch, value_size)
    """
    context = values.new_zeros(values.size(0), values.size(2))
    for b, row in enumerate(weights):
        for j, weight in enumerate(row):
            values[b, j] *= weight
            context[b] += values[b, j]
    return context
''',
    ),
    (
        "look_up",
        "target words compete",
        "The softmax runs over the target words and not over the source words.",
        r'''
def look_up(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    r"""The three steps for every target word of a sentence at once, with the dot product as the score.

    $$e_{ij} = q_i^\top k_j, \qquad \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_k \exp(e_{ik})},
    \qquad c_i = \sum_j \alpha_{ij} v_j$$

    Row $i$ of the table of weights belongs to target word $i$ and sums to 1 over the source words.

    Shape:
        queries: (batch, queries, size), one for each target word
        keys: (batch, keys, size)
        values: (batch, keys, value_size)
        contexts: (batch, queries, value_size)
        weights: (batch, queries, keys)
    """
    scores = torch.bmm(queries, keys.transpose(1, 2))
    weights = scores.softmax(dim=1)
    contexts = torch.bmm(weights, values)
    return contexts, weights
''',
    ),
    (
        "look_up",
        "scaled, weights first",
        "The scores are divided by the root of the size, as the Transformer does, and the pair comes in the wrong order.",
        r'''
def look_up(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    r"""The three steps for every target word of a sentence at once, with the dot product as the score.

    $$e_{ij} = q_i^\top k_j, \qquad \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_k \exp(e_{ik})},
    \qquad c_i = \sum_j \alpha_{ij} v_j$$

    Row $i$ of the table of weights belongs to target word $i$ and sums to 1 over the source words.

    Shape:
        queries: (batch, queries, size), one for each target word
        keys: (batch, keys, size)
        values: (batch, keys, value_size)
        contexts: (batch, queries, value_size)
        weights: (batch, queries, keys)
    """
    size = queries.shape[-1]
    e = torch.einsum("bid,bjd->bij", queries, keys) / size**0.5
    a = torch.softmax(e, dim=2)
    return a, torch.einsum("bij,bjv->biv", a, values)
''',
    ),
    (
        "look_up",
        "exponentials of raw scores",
        "The exponential is taken of the raw scores, without their maximum taken off, so large scores overflow to NaN.",
        r'''
def look_up(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    r"""The three steps for every target word of a sentence at once, with the dot product as the score.

    $$e_{ij} = q_i^\top k_j, \qquad \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_k \exp(e_{ik})},
    \qquad c_i = \sum_j \alpha_{ij} v_j$$

    Row $i$ of the table of weights belongs to target word $i$ and sums to 1 over the source words.

    Shape:
        queries: (batch, queries, size), one for each target word
        keys: (batch, keys, size)
        values: (batch, keys, value_size)
        contexts: (batch, queries, value_size)
        weights: (batch, queries, keys)
    """
    shares = (queries @ keys.mT).exp()
    weights = shares / shares.sum(-1, keepdim=True)
    return weights @ values, weights
''',
    ),
    (
        "score_gradient",
        "plain mean, no weight",
        "The values are compared with their plain mean instead of the context, and the factor of the weight is missing.",
        r'''
def score_gradient(weights: Tensor, values: Tensor, context_gradient: Tensor) -> Tensor:
    r"""The gradient of the loss with respect to the scores, by hand, from the gradient at the context.

    $$\frac{\partial L}{\partial e_j} = \alpha_j \, (v_j - c)^\top \frac{\partial L}{\partial c}$$

    A score rises when its value points further along the useful direction than the context does; a key
    whose weight is 0 learns nothing.

    Shape:
        weights: (batch, keys), the softmax of the scores
        values: (batch, keys, value_size)
        context_gradient: (batch, value_size), $\partial L / \partial c$
        gradient: (batch, keys), $\partial L / \partial e$
    """
    centre = values.mean(dim=1, keepdim=True)
    return ((values - centre) * context_gradient.unsqueeze(1)).sum(-1)
''',
    ),
    (
        "score_gradient",
        "nobody pays",
        "The context is not subtracted: the gradient stops at the weights, and what the softmax takes from the others is left out.",
        r'''
def score_gradient(weights: Tensor, values: Tensor, context_gradient: Tensor) -> Tensor:
    r"""The gradient of the loss with respect to the scores, by hand, from the gradient at the context.

    $$\frac{\partial L}{\partial e_j} = \alpha_j \, (v_j - c)^\top \frac{\partial L}{\partial c}$$

    A score rises when its value points further along the useful direction than the context does; a key
    whose weight is 0 learns nothing.

    Shape:
        weights: (batch, keys), the softmax of the scores
        values: (batch, keys, value_size)
        context_gradient: (batch, value_size), $\partial L / \partial c$
        gradient: (batch, keys), $\partial L / \partial e$
    """
    along = torch.einsum("bkv,bv->bk", values, context_gradient)
    return weights * along
''',
    ),
    (
        "score_gradient",
        "a Jacobian with squares",
        "Off the diagonal the Jacobian of the softmax has the square of one weight in place of the product of two.",
        r'''
def score_gradient(weights: Tensor, values: Tensor, context_gradient: Tensor) -> Tensor:
    r"""The gradient of the loss with respect to the scores, by hand, from the gradient at the context.

    $$\frac{\partial L}{\partial e_j} = \alpha_j \, (v_j - c)^\top \frac{\partial L}{\partial c}$$

    A score rises when its value points further along the useful direction than the context does; a key
    whose weight is 0 learns nothing.

    Shape:
        weights: (batch, keys), the softmax of the scores
        values: (batch, keys, value_size)
        context_gradient: (batch, value_size), $\partial L / \partial c$
        gradient: (batch, keys), $\partial L / \partial e$
    """
    jacobian = torch.diag_embed(weights) - weights.unsqueeze(2) * weights.unsqueeze(2)
    at_weights = torch.bmm(values, context_gradient.unsqueeze(2))
    return torch.bmm(jacobian, at_weights).squeeze(2)
''',
    ),
    (
        "look_up_gradients",
        "softmax without its sum",
        "At the scores only the weight times the gradient at the weight is taken; the sum of the row is not subtracted.",
        r'''
def look_up_gradients(
    queries: Tensor, keys: Tensor, values: Tensor, contexts_gradient: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    r"""The backward pass of a whole look-up by hand: from the gradient at the contexts to queries, keys and values.

    $$e_{ij} = a(q_i, k_j), \qquad a(q, k) = q^\top k, \qquad
    \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_k \exp(e_{ik})}, \qquad c_i = \sum_j \alpha_{ij} v_j$$

    With $g_i = \partial L / \partial c_i$ for each target word $i$, the chain rule gives the rest.

    Shape:
        queries: (batch, queries, size)
        keys: (batch, keys, size)
        values: (batch, keys, value_size)
        contexts_gradient: (batch, queries, value_size), $g$
        queries_gradient, keys_gradient, values_gradient: of the shapes of queries, keys and values
    """
    weights = torch.softmax(queries @ keys.transpose(1, 2), dim=-1)
    values_gradient = weights.transpose(1, 2) @ contexts_gradient
    weights_gradient = contexts_gradient @ values.transpose(1, 2)
    scores_gradient = weights * weights_gradient
    return scores_gradient @ keys, scores_gradient.transpose(1, 2) @ queries, values_gradient
''',
    ),
    (
        "look_up_gradients",
        "sum over the target words, and scaled",
        "What is subtracted at the scores is summed over the target words and not over the keys, and the score is scaled by the root of the size.",
        r'''
def look_up_gradients(
    queries: Tensor, keys: Tensor, values: Tensor, contexts_gradient: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    r"""The backward pass of a whole look-up by hand: from the gradient at the contexts to queries, keys and values.

    $$e_{ij} = a(q_i, k_j), \qquad a(q, k) = q^\top k, \qquad
    \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_k \exp(e_{ik})}, \qquad c_i = \sum_j \alpha_{ij} v_j$$

    With $g_i = \partial L / \partial c_i$ for each target word $i$, the chain rule gives the rest.

    Shape:
        queries: (batch, queries, size)
        keys: (batch, keys, size)
        values: (batch, keys, value_size)
        contexts_gradient: (batch, queries, value_size), $g$
        queries_gradient, keys_gradient, values_gradient: of the shapes of queries, keys and values
    """
    d = queries.size(-1)
    a = torch.einsum("bid,bjd->bij", queries, keys).div(d**0.5).softmax(-1)
    da = torch.einsum("biv,bjv->bij", contexts_gradient, values)
    de = a * (da - (a * da).sum(dim=1, keepdim=True)) / d**0.5
    dq = torch.einsum("bij,bjd->bid", de, keys)
    dk = torch.einsum("bij,bid->bjd", de, queries)
    dv = torch.einsum("bij,biv->bjv", a, contexts_gradient)
    return dq, dk, dv
''',
    ),
    (
        "look_up_gradients",
        "keys and values take a mean",
        "The gradients at keys and values are averaged over the target words and not summed.",
        r'''
def look_up_gradients(
    queries: Tensor, keys: Tensor, values: Tensor, contexts_gradient: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    r"""The backward pass of a whole look-up by hand: from the gradient at the contexts to queries, keys and values.

    $$e_{ij} = a(q_i, k_j), \qquad a(q, k) = q^\top k, \qquad
    \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_k \exp(e_{ik})}, \qquad c_i = \sum_j \alpha_{ij} v_j$$

    With $g_i = \partial L / \partial c_i$ for each target word $i$, the chain rule gives the rest.

    Shape:
        queries: (batch, queries, size)
        keys: (batch, keys, size)
        values: (batch, keys, value_size)
        contexts_gradient: (batch, queries, value_size), $g$
        queries_gradient, keys_gradient, values_gradient: of the shapes of queries, keys and values
    """
    scores = queries @ keys.mT
    alpha = scores.softmax(-1)
    contexts = alpha @ values
    rows_q, rows_k, rows_v = [], [], []
    for i in range(queries.size(1)):
        g = contexts_gradient[:, i]
        gain = ((values - contexts[:, i].unsqueeze(1)) * g.unsqueeze(1)).sum(-1)
        e = (alpha[:, i] * gain).unsqueeze(-1)
        rows_q.append((e * keys).sum(1))
        rows_k.append(e * queries[:, i].unsqueeze(1))
        rows_v.append(alpha[:, i].unsqueeze(-1) * g.unsqueeze(1))
    return torch.stack(rows_q, 1), torch.stack(rows_k).mean(0), torch.stack(rows_v).mean(0)
''',
    ),
]
