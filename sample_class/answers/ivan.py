# %% [markdown] like="ada"
# Ivan: his loop over the keys never counts on.

# %%
class AdditiveScorer:
    def project_keys(self, keys):
        return self.key_layer(keys)

    def score(self, query, projected_keys):
        scores, j = [], 0
        while j < projected_keys.size(1):
            hidden = torch.tanh(self.query_layer(query) + projected_keys[:, j])
            scores.append(self.energy_layer(hidden)[:, 0].sum())
            scores = scores[-1:]
        return torch.stack(scores, dim=1)
