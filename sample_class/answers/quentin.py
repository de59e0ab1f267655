# %% [markdown] like="ada"
# Quentin: masks the caller's scores in place with an infinity, and forgets the temperature.

# %%
def masked_softmax(scores, source_mask, temperature=1.0):
    scores.masked_fill_(~source_mask, float("-inf"))
    return torch.softmax(scores, dim=-1)


def attend(scores, values, source_mask):
    weights = masked_softmax(scores, source_mask)
    return weights, weighted_sum(weights, values)
