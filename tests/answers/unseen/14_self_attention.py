"""Wrong answers written from the text of the exercise alone."""

_SELF = '''
class SelfAttention(nn.Module):
    def __init__(self, input_size: int, attention_size: int, value_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(input_size, attention_size, bias=False)  # W_q
        self.key_layer = nn.Linear(input_size, attention_size, bias=False)  # W_k
        self.value_layer = nn.Linear(input_size, value_size, bias=False)  # W_v
        self.scorer = ScaledDotScorer()

'''

_HEADS = '''
class MultiHeadAttention(nn.Module):
    def __init__(self, size: int, heads: int, key_size: int | None = None) -> None:
        super().__init__()
        if size % heads:
            raise ValueError(f"size: got {size}, expected a multiple of heads={heads}; each head gets an equal share.")
        self.heads = heads
        self.query_layer = nn.Linear(size, size)  # W_Q
        self.key_layer = nn.Linear(key_size or size, size)  # W_K
        self.value_layer = nn.Linear(key_size or size, size)  # W_V
        self.output_layer = nn.Linear(size, size)  # W_O
        self.scorer = ScaledDotScorer()

    def project_keys(self, sequence: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values: what depends on the sequence alone, computed once however many queries there are."""
        return self.key_layer(sequence), self.value_layer(sequence)

'''

_HEADS_END = '''
    def forward(self, queries: Tensor, sequence: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        return self.attend(queries, *self.project_keys(sequence), visible)
'''

_CACHED = '''
class CachedAttention(nn.Module):
    def __init__(self, input_size: int, attention_size: int, value_size: int, window: int) -> None:
        super().__init__()
        self.window = window  # w
        self.query_layer = nn.Linear(input_size, attention_size, bias=False)  # W_q
        self.key_layer = nn.Linear(input_size, attention_size, bias=False)  # W_k
        self.value_layer = nn.Linear(input_size, value_size, bias=False)  # W_v

'''

WRONG = [
    (
        "seen_by_last",
        "padding may not ask either",
        "The rows of padding positions are emptied as well, but the mask of the padding is one of the keys: a query "
        "at padding still sees the real keys up to its position.",
        '''
def seen_by_last(source_mask: Tensor, queries: int | None = None) -> Tensor:
    if queries is None:
        return source_mask[:, None, :]
    keys = source_mask.size(1)
    if queries > keys:
        raise ValueError(f"queries: got {queries}, expected at most keys={keys}.")
    triangle = torch.ones(keys, keys, dtype=torch.bool, device=source_mask.device).tril()
    both = source_mask.unsqueeze(1) & source_mask.unsqueeze(2) & triangle
    return both[:, keys - queries :]
''',
    ),
    (
        "seen_by_last",
        "the first of the rows counted from zero",
        "The first row is put at position keys - queries while the keys are counted from 1, so every row sees one "
        "key too few.",
        '''
def seen_by_last(source_mask: Tensor, queries: int | None = None) -> Tensor:
    keys = source_mask.size(-1)
    if queries is None:
        return source_mask.unsqueeze(1)
    if queries > keys:
        raise ValueError("there are more queries than keys")
    j = torch.arange(1, keys + 1, device=source_mask.device)
    i = torch.arange(queries, device=source_mask.device) + (keys - queries)
    not_to_come = j.unsqueeze(0) <= i.unsqueeze(1)
    return torch.logical_and(source_mask.unsqueeze(1), not_to_come)
''',
    ),
    (
        "self_attention",
        "scaled by the size of the input",
        "The scores are divided by the root of the size of the sequence's vectors, not of the queries and keys.",
        _SELF
        + '''
    def forward(self, sequence: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = self.query_layer(sequence), self.key_layer(sequence), self.value_layer(sequence)
        d = sequence.size(-1)
        scores = torch.einsum("bid,bjd->bij", q, k) / math.sqrt(d)
        weights = masked_softmax(scores, visible)
        return torch.einsum("bij,bjv->biv", weights, v), weights
''',
    ),
    (
        "self_attention",
        "nan replaced after the softmax",
        "A query that may see nothing gets its zeros by replacing the NaN of a softmax over nothing; the gradients "
        "of the query and key layers are NaN nonetheless.",
        _SELF
        + '''
    def forward(self, sequence: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        queries = self.query_layer(sequence)
        keys = self.key_layer(sequence)
        values = self.value_layer(sequence)
        scores = self.scorer.score_all(queries, keys)
        hidden = torch.zeros_like(scores).masked_fill(~visible, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores + hidden, dim=-1), nan=0.0)
        return weights @ values, weights
''',
    ),
    (
        "multi_head_attention",
        "the features are dealt out like cards",
        "The last axis is cut into (size / heads, heads), so head 1 gets every heads-th feature in place of the "
        "first ones.",
        '''
def split_heads(projected: Tensor, heads: int) -> Tensor:
    return projected.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2)


def join_heads(contexts: Tensor) -> Tensor:
    return contexts.permute(0, 2, 3, 1).flatten(2)


'''
        + _HEADS
        + '''
    def attend(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        visible: Tensor,
    ) -> tuple[Tensor, Tensor]:
        q, k, v = (split_heads(x, self.heads) for x in (self.query_layer(queries), keys, values))
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))
        weights = masked_softmax(scores, visible.unsqueeze(-3))
        return self.output_layer(join_heads(weights @ v)), weights
'''
        + _HEADS_END,
    ),
    (
        "multi_head_attention",
        "masks repeated in the order of heads",
        "Batch and heads are flattened with the sentences outside, but the mask is repeated with the heads outside, "
        "so sentences get each other's masks.",
        '''
def split_heads(projected: Tensor, heads: int) -> Tensor:
    batch, positions, size = projected.shape
    return projected.view(batch, positions, heads, size // heads).transpose(1, 2)


def join_heads(contexts: Tensor) -> Tensor:
    batch, heads, positions, head_size = contexts.shape
    return contexts.transpose(1, 2).reshape(batch, positions, heads * head_size)


'''
        + _HEADS
        + '''
    def attend(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        visible: Tensor,
    ) -> tuple[Tensor, Tensor]:
        batch, asking, offering = queries.size(0), queries.size(1), keys.size(1)
        q = split_heads(self.query_layer(queries), self.heads).flatten(0, 1)
        k = split_heads(keys, self.heads).flatten(0, 1)
        v = split_heads(values, self.heads).flatten(0, 1)
        seen = visible.expand(batch, asking, offering).repeat(self.heads, 1, 1)
        weights = masked_softmax(self.scorer.score_all(q, k), seen)
        contexts = torch.bmm(weights, v)
        contexts = contexts.unflatten(0, (batch, self.heads))
        weights = weights.unflatten(0, (batch, self.heads))
        return self.output_layer(join_heads(contexts)), weights
'''
        + _HEADS_END,
    ),
    (
        "rotate",
        "turned the other way round",
        "The sine has the wrong sign in both rows, so that every pair is turned clockwise.",
        '''
def rotate(vectors: Tensor, first: int = 0) -> Tensor:
    positions, size = vectors.shape[-2:]
    if size % 2:
        raise ValueError(f"vectors: got {size} features, expected an even number.")
    places = torch.arange(first, first + positions, dtype=vectors.dtype, device=vectors.device)
    speeds = 10000 ** (-torch.arange(0, size, 2, dtype=vectors.dtype, device=vectors.device) / size)
    angles = places.unsqueeze(1) * speeds
    even, odd = vectors[..., 0::2], vectors[..., 1::2]
    turned_even = even * angles.cos() + odd * angles.sin()
    turned_odd = odd * angles.cos() - even * angles.sin()
    return torch.stack([turned_even, turned_odd], dim=-1).flatten(-2)
''',
    ),
    (
        "rotate",
        "angles in single precision",
        "The table of angles is made in float32 whatever the vectors are, so that float64 vectors far on in a text "
        "are turned by wrong angles.",
        '''
def rotate(vectors: Tensor, first: int = 0) -> Tensor:
    n, d = vectors.size(-2), vectors.size(-1)
    if d % 2 == 1:
        raise ValueError("the number of features has to be even")
    i = torch.arange(d // 2, device=vectors.device)
    p = torch.arange(n, device=vectors.device) + first
    phi = torch.outer(p.float(), 10000.0 ** (-2 * i / d))
    cos, sin = phi.cos().to(vectors.dtype), phi.sin().to(vectors.dtype)
    pairs = vectors.unflatten(-1, (d // 2, 2))
    a, b = pairs.unbind(-1)
    return torch.stack((cos * a - sin * b, sin * a + cos * b), -1).flatten(-2, -1)
''',
    ),
    (
        "cached_attention",
        "one word more than the window",
        "The old words are cut to the window before the new one is put behind them, so window + 1 words are looked "
        "at and kept.",
        _CACHED
        + '''
    def step(self, word: Tensor, cache: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        query = self.query_layer(word).unsqueeze(1)
        key = self.key_layer(word).unsqueeze(1)
        value = self.value_layer(word).unsqueeze(1)
        if cache is None:
            keys, values = key, value
        else:
            keys = torch.cat([cache[0][:, -self.window :], key], dim=1)
            values = torch.cat([cache[1][:, -self.window :], value], dim=1)
        scores = query @ keys.transpose(1, 2) / math.sqrt(keys.size(-1))
        context = (torch.softmax(scores, dim=-1) @ values).squeeze(1)
        return context, (keys, values)
''',
    ),
    (
        "cached_attention",
        "the cache is cut from the graph",
        "What goes into the cache is detached, so no gradient flows from a later context to earlier words.",
        _CACHED
        + '''
    def step(self, word: Tensor, cache: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        word = word[:, None]
        keys, values = self.key_layer(word), self.value_layer(word)
        if cache is not None:
            keys = torch.cat((cache[0], keys), 1)[:, -self.window :]
            values = torch.cat((cache[1], values), 1)[:, -self.window :]
        context = F.scaled_dot_product_attention(self.query_layer(word), keys, values)
        return context[:, 0], (keys.detach(), values.detach())
''',
    ),
    (
        "cached_attention",
        "kept all right, but looked at all",
        "The context is made of all words that come in and of the new one, and only then is the oldest dropped from "
        "the cache; besides, squeeze takes away the batch where there is one sentence.",
        _CACHED
        + '''
    def step(self, word: Tensor, cache: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        q, k, v = self.query_layer(word), self.key_layer(word), self.value_layer(word)
        k, v = k.unsqueeze(1), v.unsqueeze(1)
        if cache is not None:
            old_keys, old_values = cache
            k = torch.cat([old_keys, k], dim=1)
            v = torch.cat([old_values, v], dim=1)
        scores = torch.einsum("bd,bnd->bn", q, k) / q.size(-1) ** 0.5
        weights = scores.softmax(-1)
        context = torch.bmm(weights.unsqueeze(1), v).squeeze()
        return context, (k[:, -self.window :], v[:, -self.window :])
''',
    ),
]
