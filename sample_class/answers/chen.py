# %% [markdown]
# Chen: right, all of it in einsum.

# %%
def weighted_sum_loop(weights, values):
    context = values.new_zeros(values.size(0), values.size(2))
    for b in range(values.size(0)):
        for j in range(values.size(1)):
            context[b] = context[b] + weights[b, j] * values[b, j]
    return context


def weighted_sum(weights, values):
    return torch.einsum("bk,bkv->bv", weights, values)


def score_gradient(weights, values, context_gradient):
    gain = torch.einsum("bkv,bv->bk", values, context_gradient)
    return weights * (gain - torch.einsum("bk,bk->b", weights, gain)[:, None])


class DotScorer:
    def score(self, query, projected_keys):
        return torch.einsum("bd,bkd->bk", query, projected_keys)


class ScaledDotScorer:
    def score(self, query, projected_keys):
        return torch.einsum("bd,bkd->bk", query / query.size(-1) ** 0.5, projected_keys)


class BilinearScorer:
    def project_keys(self, keys):
        return torch.einsum("bki,oi->bko", keys, self.key_layer.weight)

    def score(self, query, projected_keys):
        return torch.einsum("bd,bkd->bk", query, projected_keys)


class AdditiveScorer:
    def project_keys(self, keys):
        return torch.einsum("bki,ai->bka", keys, self.key_layer.weight)

    def score(self, query, projected_keys):
        hidden = torch.tanh(self.query_layer(query)[:, None, :] + projected_keys)
        return torch.einsum("bka,a->bk", hidden, self.energy_layer.weight[0])


class LocationScorer:
    def score(self, query, projected_keys):
        if projected_keys.shape[1] > self.position_layer.out_features:
            raise ValueError("this scorer knows fewer positions than there are keys")
        return torch.einsum("bq,kq->bk", query, self.position_layer.weight[: projected_keys.shape[1]])


def masked_softmax(scores, source_mask, temperature=1.0):
    shifted = (scores / temperature).masked_fill(~source_mask, -1e30)
    exps = torch.exp(shifted - shifted.amax(dim=-1, keepdim=True).detach()) * source_mask
    return exps / exps.sum(dim=-1, keepdim=True).clamp(min=torch.finfo(exps.dtype).tiny)


def attend(scores, values, source_mask):
    weights = masked_softmax(scores, source_mask)
    return torch.einsum("bk,bkv->bv", weights, values), weights
