# %% [markdown] like="boris"
# Nora: right, and prints everything, some of it to stderr, with a progress bar.

# %% after="weighted_sum"
import sys
import warnings

warnings.warn("this is only a warning")
for step in range(200_000):
    print(step, "of", 200_000, file=sys.stderr if step % 1000 == 0 else sys.stdout)

# %%
class DotScorer:
    def score(self, query, projected_keys):
        print("query", query)
        print("keys", projected_keys)
        return (projected_keys * query[:, None]).sum(-1)
