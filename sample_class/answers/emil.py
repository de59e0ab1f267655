# %% [markdown] like="ada"
# Emil: masks after the softmax.

# %%
def masked_softmax(scores, source_mask, temperature=1.0):
    weights = torch.softmax(scores / temperature, dim=-1)
    return weights * source_mask
