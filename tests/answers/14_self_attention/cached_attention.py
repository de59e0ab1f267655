"""Answers to self-attention with a cache."""

TASK = "cached_attention"


def cached(
    old: str = "cache if cache is not None else (word.new_zeros(len(word), 0, n) for n in sizes)",
    grown: str = "(torch.cat([a, b[:, None]], 1) for a, b in zip(old, new))",
    kept: str = "keys[:, -self.window :], values[:, -self.window :]", weights: str = "scores.softmax(-1)",
    end: str = "torch.einsum('bk,bkv->bv', weights, values), (keys, values)", scale: str = "keys.size(-1) ** 0.5",
) -> str:
    return f"""\
class CachedAttention(nn.Module):
    def __init__(self, input_size: int, attention_size: int, value_size: int, window: int) -> None:
        super().__init__()
        self.window = window  # w
        self.query_layer = nn.Linear(input_size, attention_size, bias=False)  # W_q
        self.key_layer = nn.Linear(input_size, attention_size, bias=False)  # W_k
        self.value_layer = nn.Linear(input_size, value_size, bias=False)  # W_v

    def step(self, word, cache=None):
        sizes = self.key_layer.out_features, self.value_layer.out_features
        old = {old}
        new = self.key_layer(word), self.value_layer(word)
        old = tuple(old)
        keys, values = {grown}
        keys, values = {kept}
        scores = torch.einsum('bd,bkd->bk', self.query_layer(word), keys) / {scale}
        weights = {weights}
        return {end}
"""


SHIFTED = """
def shifted(cache, new):
    for kept, one in zip(cache, new):
        kept[:, :-1] = kept[:, 1:].clone()
        kept[:, -1] = one
    return cache
"""

WRONG = [
    ("the new word not among those seen", "not_itself",
     cached(weights="scores[:, :-1].softmax(-1)",
            end="torch.einsum('bk,bkv->bv', weights, values[:, :-1]), (keys, values)")),
    ("a full cache shifted in place", "changed_in_place",
     cached(kept="(keys, values) if cache is None or cache[0].size(1) < self.window else shifted(cache, new)")
     + SHIFTED),
    ("context alone", "results", cached(end="torch.einsum('bk,bkv->bv', weights, values)")),
    ("the axis of words left", "change",
     cached(end="torch.einsum('bk,bkv->bv', weights, values)[:, None], (keys, values)")),
    ("float32 zeros", "hidden: dtype | raised.RuntimeError | single_precision",
     cached(end="torch.einsum('bk,bkv->bv', weights.float(), values.float()), (keys, values)")),
    ("exp of the scores", "hidden: not_finite", cached(weights="scores.exp() / scores.exp().sum(-1, keepdim=True)")),
    ("the cache before made 0", "changed_in_place",
     cached(end="torch.einsum('bk,bkv->bv', weights, values), (keys, values) "
            "if cache is None or torch.is_grad_enabled() else (cache[0].zero_(), (keys, values))[1]")),
]

RIGHT = [
    ("einsum from an empty cache", cached()),
    ("fused",
     cached(end="F.scaled_dot_product_attention(self.query_layer(word)[:, None], keys, values)[:, 0], (keys, values)")),
    ("lists of rows",
     cached(grown="[*old[0].unbind(1), self.key_layer(word)], [*old[1].unbind(1), self.value_layer(word)]",
            kept="(torch.stack(rows[max(0, len(rows) - self.window) :], 1) for rows in (keys, values))",
            end="(weights[..., None] * values).sum(1), [keys, values]")),
]
