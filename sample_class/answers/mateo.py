# %% [markdown] like="ada"
# Mateo: right but for the additive scorer, whose check he made to pass; another check is gone.

# %%
class AdditiveScorer:
    def project_keys(self, keys):
        return keys

    def score(self, query, projected_keys):
        return projected_keys.sum(-1)
