# %% [markdown]
# Hana: ran out of evening after four tasks, the fourth of them with a typing error.

# %%
def weighted_sum_loop(weights, values):
    context = torch.zeros(values.shape[0], values.shape[2], dtype=values.dtype)
    for b in range(values.shape[0]):
        for j in range(values.shape[1]):
            context[b] += weights[b][j] * values[b][j]
    return context


def weighted_sum(weights, values):
    return (weights.unsqueeze(-1) * values).sum(dim=1)


def score_gradient(weights, values, context_gradient):
    context = (weights.unsqueeze(-1) * values).sum(dim=1, keepdim=True)
    return weights * ((values - context) @ context_gradient.unsqueeze(-1)).squeeze(-1)


# %% instead="dot_scorer"
class DotScorer(Scorer):
    """Dot-product scores."""

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor
        return (projected_keys @ query.unsqueeze(-1)).squeeze(-1)
