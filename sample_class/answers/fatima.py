# %% [markdown] like="ada"
# Fatima: forgets the tanh, and scales by the size instead of its root.

# %%
class ScaledDotScorer:
    def score(self, query, projected_keys):
        return (projected_keys @ query.unsqueeze(-1)).squeeze(-1) / query.size(-1)


class AdditiveScorer:
    def project_keys(self, keys):
        return self.key_layer(keys)

    def score(self, query, projected_keys):
        return self.energy_layer(self.query_layer(query).unsqueeze(1) + projected_keys).squeeze(-1)
