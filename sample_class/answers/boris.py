# %% [markdown]
# Boris: right, and loops wherever there could be a product.

# %%
def weighted_sum_loop(weights, values):
    rows = []
    for sentence_weights, sentence_values in zip(weights, values):
        total = torch.zeros_like(sentence_values[0])
        for weight, value in zip(sentence_weights, sentence_values):
            total = total + weight * value
        rows.append(total)
    return torch.stack(rows)


def weighted_sum(weights, values):
    total = torch.zeros_like(values[:, 0])
    for j in range(values.size(1)):
        total = total + weights[:, j, None] * values[:, j]
    return total


def score_gradient(weights, values, context_gradient):
    gradients = []
    context = sum(weights[:, j, None] * values[:, j] for j in range(values.size(1)))
    for j in range(values.size(1)):
        gain = ((values[:, j] - context) * context_gradient).sum(-1)
        gradients.append(weights[:, j] * gain)
    return torch.stack(gradients, dim=1)


class DotScorer:
    def score(self, query, projected_keys):
        scores = []
        for j in range(projected_keys.size(1)):
            scores.append((query * projected_keys[:, j]).sum(-1))
        return torch.stack(scores, dim=1)


class ScaledDotScorer:
    def score(self, query, projected_keys):
        scores = [(query * projected_keys[:, j]).sum(-1) for j in range(projected_keys.size(1))]
        return torch.stack(scores, dim=1) * query.size(-1) ** -0.5


class BilinearScorer:
    def project_keys(self, keys):
        return torch.stack([self.key_layer(keys[:, j]) for j in range(keys.size(1))], dim=1)

    def score(self, query, projected_keys):
        return torch.stack([(query * projected_keys[:, j]).sum(-1) for j in range(projected_keys.size(1))], dim=1)


class AdditiveScorer:
    def project_keys(self, keys):
        return torch.stack([self.key_layer(keys[:, j]) for j in range(keys.size(1))], dim=1)

    def score(self, query, projected_keys):
        scores = []
        for j in range(projected_keys.size(1)):
            hidden = torch.tanh(self.query_layer(query) + projected_keys[:, j])
            scores.append(self.energy_layer(hidden)[:, 0])
        return torch.stack(scores, dim=1)


class LocationScorer:
    def score(self, query, projected_keys):
        rows = self.position_layer.weight
        if projected_keys.size(1) > len(rows):
            raise ValueError("more keys than positions")
        return torch.stack([query @ rows[j] for j in range(projected_keys.size(1))], dim=1)


def masked_softmax(scores, source_mask, temperature=1.0):
    source_mask = source_mask.expand(scores.shape)
    flat_scores, flat_mask = scores.reshape(-1, scores.size(-1)), source_mask.reshape(-1, scores.size(-1))
    rows = []
    for row, real in zip(flat_scores, flat_mask):
        if not real.any():
            rows.append(row * 0)
            continue
        exps = torch.exp((row - row[real].max().detach()).masked_fill(~real, 0) / temperature) * real
        rows.append(exps / exps.sum())
    return torch.stack(rows).reshape(scores.shape)


def attend(scores, values, source_mask):
    weights = masked_softmax(scores, source_mask)
    context = weighted_sum_loop(weights, values)
    return context, weights
