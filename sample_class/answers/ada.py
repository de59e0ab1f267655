# %% [markdown]
# Ada: everything right, with batched products.

# %%
def weighted_sum_loop(weights, values):
    batch, keys = weights.shape
    context = values.new_zeros(batch, values.size(-1))
    for b in range(batch):
        for j in range(keys):
            context[b] += weights[b, j] * values[b, j]
    return context


def weighted_sum(weights, values):
    return torch.bmm(weights.unsqueeze(1), values).squeeze(1)


def score_gradient(weights, values, context_gradient):
    context = torch.bmm(weights.unsqueeze(1), values)
    difference = values - context
    return weights * torch.bmm(difference, context_gradient.unsqueeze(-1)).squeeze(-1)


class DotScorer:
    def score(self, query, projected_keys):
        return torch.bmm(projected_keys, query.unsqueeze(2)).squeeze(2)


class ScaledDotScorer:
    def score(self, query, projected_keys):
        scores = torch.bmm(projected_keys, query.unsqueeze(2)).squeeze(2)
        return scores / math.sqrt(query.shape[-1])


class BilinearScorer:
    def project_keys(self, keys):
        return self.key_layer(keys)

    def score(self, query, projected_keys):
        return torch.bmm(projected_keys, query.unsqueeze(2)).squeeze(2)


class AdditiveScorer:
    def project_keys(self, keys):
        return self.key_layer(keys)

    def score(self, query, projected_keys):
        hidden = torch.tanh(self.query_layer(query).unsqueeze(1) + projected_keys)
        return self.energy_layer(hidden).squeeze(-1)


class LocationScorer:
    def score(self, query, projected_keys):
        keys = projected_keys.size(1)
        if keys > self.position_layer.out_features:
            raise ValueError(f"{keys} keys are more than {self.position_layer.out_features} positions")
        return self.position_layer(query)[:, :keys]


def masked_softmax(scores, source_mask, temperature=1.0):
    lowest = torch.finfo(scores.dtype).min
    scores = (scores / temperature).masked_fill(~source_mask, lowest)
    return torch.softmax(scores, dim=-1).masked_fill(~source_mask, 0.0)


def attend(scores, values, source_mask):
    weights = masked_softmax(scores, source_mask)
    return weighted_sum(weights, values), weights
