# %% [markdown] like="ada"
# Dalia: right, another masked softmax, and tries things out in cells of her own.

# %% after="dot_scorer"
query, keys = torch.randn(2, 3), torch.randn(2, 5, 3)
DotScorer()(query, keys), DotScorer()(query, keys).shape

# %% after="masked_softmax"
import matplotlib.pyplot as plt

plt.figure(figsize=(2, 1))
plt.bar(range(3), masked_softmax(torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([[True, True, False]]))[0])
plt.show()

# %%
def masked_softmax(scores, source_mask, temperature=1.0):
    minus_infinity = torch.tensor(float("-inf"), dtype=scores.dtype)
    empty = ~source_mask.any(dim=-1, keepdim=True)
    masked = torch.where(source_mask | empty, scores / temperature, minus_infinity)
    return torch.where(source_mask, masked.softmax(-1), torch.zeros_like(scores))
