# %% [markdown] like="ada"
# Goran: the axes. A softmax over the batch, a bare squeeze, and the scaling by the number of keys.

# %%
def weighted_sum(weights, values):
    return torch.bmm(weights.unsqueeze(1), values).squeeze()


class DotScorer:
    def score(self, query, projected_keys):
        return torch.bmm(projected_keys, query.unsqueeze(2)).squeeze()


class ScaledDotScorer:
    def score(self, query, projected_keys):
        return torch.bmm(projected_keys, query.unsqueeze(2)).squeeze(2) / math.sqrt(projected_keys.size(1))


def masked_softmax(scores, source_mask, temperature=1.0):
    lowest = torch.finfo(scores.dtype).min
    scores = (scores / temperature).masked_fill(~source_mask, lowest)
    return torch.softmax(scores, dim=0).masked_fill(~source_mask, 0.0)
