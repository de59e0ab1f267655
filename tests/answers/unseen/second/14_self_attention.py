"""Wrong answers written from the text of the exercise alone."""

_HEADS_INIT = '''
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

_HEADS_FORWARD = '''
    def forward(self, queries: Tensor, sequence: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        return self.attend(queries, *self.project_keys(sequence), visible)
'''

WRONG = [
    (
        "seen_by_last",
        "triangle in the other corner",
        "The triangle begins at the first key, as if the rows were the first positions and not the last ones.",
        '''
def seen_by_last(source_mask: Tensor, queries: int | None = None) -> Tensor:
    real = source_mask.unsqueeze(1)
    if queries is None:
        return real
    keys = source_mask.size(1)
    if queries > keys:
        raise ValueError(f"queries: got {queries}, but there are only {keys} keys")
    causal = torch.ones(queries, keys, dtype=torch.bool, device=source_mask.device).tril()
    return real & causal
''',
    ),
    (
        "seen_by_last",
        "None taken for all queries",
        "Where no number of queries is given, all positions ask under a causal mask, while None means that there is no causal mask at all.",
        '''
def seen_by_last(source_mask, queries=None):
    keys = source_mask.shape[1]
    queries = queries or keys
    if queries > keys:
        raise ValueError("more queries than keys")
    column = torch.arange(keys - queries, keys, device=source_mask.device)[:, None]
    row = torch.arange(keys, device=source_mask.device)[None, :]
    return source_mask[:, None, :] & (row <= column)
''',
    ),
    (
        "self_attention",
        "minus infinity in a plain softmax",
        "Hidden keys get minus infinity before an ordinary softmax, so a query that may see nothing gets NaN instead of 0.",
        '''
class SelfAttention(nn.Module):
    def __init__(self, input_size: int, attention_size: int, value_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(input_size, attention_size, bias=False)  # W_q
        self.key_layer = nn.Linear(input_size, attention_size, bias=False)  # W_k
        self.value_layer = nn.Linear(input_size, value_size, bias=False)  # W_v
        self.scorer = ScaledDotScorer()

    def forward(self, sequence: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        queries, keys, values = self.query_layer(sequence), self.key_layer(sequence), self.value_layer(sequence)
        scores = self.scorer.score_all(queries, keys)
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return weights @ values, weights
''',
    ),
    (
        "self_attention",
        "root of the input size",
        "The scores are divided by the root of the input's size instead of that of query and key.",
        '''
class SelfAttention(nn.Module):
    def __init__(self, input_size: int, attention_size: int, value_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(input_size, attention_size, bias=False)  # W_q
        self.key_layer = nn.Linear(input_size, attention_size, bias=False)  # W_k
        self.value_layer = nn.Linear(input_size, value_size, bias=False)  # W_v
        self.scorer = ScaledDotScorer()

    def forward(self, sequence: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        d = sequence.size(-1)
        q = self.query_layer(sequence)
        k = self.key_layer(sequence)
        scores = torch.einsum("bid,bjd->bij", q, k) / math.sqrt(d)
        weights = masked_softmax(scores, visible)
        contexts = torch.einsum("bij,bjv->biv", weights, self.value_layer(sequence))
        return contexts, weights
''',
    ),
    (
        "multi_head_attention",
        "heads cut by reshape alone",
        "The heads are cut out by a reshape without an exchange of axes, so each head gets other positions instead of other features.",
        '''
def split_heads(projected: Tensor, heads: int) -> Tensor:
    batch, positions, size = projected.shape
    return projected.reshape(batch, heads, positions, size // heads)


def join_heads(contexts: Tensor) -> Tensor:
    batch, heads, positions, head_size = contexts.shape
    return contexts.reshape(batch, positions, heads * head_size)


class MultiHeadAttention(nn.Module):
'''
        + _HEADS_INIT
        + '''
    def attend(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        visible: Tensor,
    ) -> tuple[Tensor, Tensor]:
        q = split_heads(self.query_layer(queries), self.heads)
        k, v = split_heads(keys, self.heads), split_heads(values, self.heads)
        scores = q @ k.mT / math.sqrt(q.size(-1))
        weights = masked_softmax(scores, visible.unsqueeze(-3))
        return self.output_layer(join_heads(weights @ v)), weights
'''
        + _HEADS_FORWARD,
    ),
    (
        "multi_head_attention",
        "root of the whole size, weights averaged",
        "The scores are divided by the root of the whole size instead of one head's share, and the weights are averaged over the heads as PyTorch's module does.",
        '''
def split_heads(projected, heads):
    return projected.unflatten(-1, (heads, -1)).transpose(1, 2)


def join_heads(contexts):
    return contexts.transpose(1, 2).flatten(2)


class MultiHeadAttention(nn.Module):
'''
        + _HEADS_INIT
        + '''
    def attend(self, queries, keys, values, visible):
        q = self.query_layer(queries)
        scale = q.size(-1) ** -0.5
        q, k, v = (split_heads(x, self.heads) for x in (q, keys, values))
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * scale
        weights = masked_softmax(scores, visible.unsqueeze(-3))
        contexts = self.output_layer(join_heads(torch.einsum("bhqk,bhkd->bhqd", weights, v)))
        return contexts, weights.mean(dim=1)
'''
        + _HEADS_FORWARD,
    ),
    (
        "rotate",
        "pairs of halves",
        "Feature i is paired with feature i + d/2, as in some public models, and not with its neighbour.",
        '''
def rotate(vectors: Tensor, first: int = 0) -> Tensor:
    size = vectors.size(-1)
    if size % 2:
        raise ValueError(f"size: got {size}, expected an even number")
    places = torch.arange(first, first + vectors.size(-2), dtype=vectors.dtype, device=vectors.device)
    speeds = 10000 ** (-torch.arange(0, size, 2, dtype=vectors.dtype, device=vectors.device) / size)
    angles = places.unsqueeze(-1) * speeds
    left, right = vectors.chunk(2, dim=-1)
    turned_left = left * angles.cos() - right * angles.sin()
    turned_right = left * angles.sin() + right * angles.cos()
    return torch.cat([turned_left, turned_right], dim=-1)
''',
    ),
    (
        "rotate",
        "half the exponent, positions on axis 1",
        "The exponent is i/d instead of 2i/d, and the positions are looked for on axis 1, which are the heads when there are heads.",
        '''
def rotate(vectors, first=0):
    size = vectors.shape[-1]
    if size % 2 == 1:
        raise ValueError("the size has to be even")
    i = torch.arange(size // 2, dtype=vectors.dtype, device=vectors.device)
    frequency = torch.pow(10000.0, -i / size)
    positions = first + torch.arange(vectors.shape[1], dtype=vectors.dtype, device=vectors.device)
    angle = torch.outer(positions, frequency)
    cos, sin = torch.cos(angle), torch.sin(angle)
    even, odd = vectors[..., 0::2], vectors[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
''',
    ),
    (
        "cached_attention",
        "cut after attending",
        "The oldest word is dropped only after the new one has attended, so it sees one word more than the window holds.",
        '''
class CachedAttention(nn.Module):
    def __init__(self, input_size: int, attention_size: int, value_size: int, window: int) -> None:
        super().__init__()
        self.window = window  # w
        self.query_layer = nn.Linear(input_size, attention_size, bias=False)  # W_q
        self.key_layer = nn.Linear(input_size, attention_size, bias=False)  # W_k
        self.value_layer = nn.Linear(input_size, value_size, bias=False)  # W_v

    def step(self, word: Tensor, cache: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        query = self.query_layer(word).unsqueeze(1)
        keys, values = self.key_layer(word).unsqueeze(1), self.value_layer(word).unsqueeze(1)
        if cache is not None:
            keys, values = torch.cat([cache[0], keys], dim=1), torch.cat([cache[1], values], dim=1)
        weights = torch.softmax(query @ keys.mT / math.sqrt(query.size(-1)), dim=-1)
        context = (weights @ values).squeeze(1)
        return context, (keys[:, -self.window :], values[:, -self.window :])
''',
    ),
    (
        "cached_attention",
        "full cache overwritten in place",
        "When the window is full the words are moved up inside the tensors handed in, so another continuation from the same cache finds a changed memory.",
        '''
class CachedAttention(nn.Module):
    def __init__(self, input_size: int, attention_size: int, value_size: int, window: int) -> None:
        super().__init__()
        self.window = window  # w
        self.query_layer = nn.Linear(input_size, attention_size, bias=False)  # W_q
        self.key_layer = nn.Linear(input_size, attention_size, bias=False)  # W_k
        self.value_layer = nn.Linear(input_size, value_size, bias=False)  # W_v

    def _put(self, kept, new):
        if kept.size(1) < self.window:
            return torch.cat([kept, new[:, None]], dim=1)
        kept[:, :-1] = kept[:, 1:].clone()
        kept[:, -1] = new
        return kept

    def step(self, word, cache=None):
        q, k, v = self.query_layer(word), self.key_layer(word), self.value_layer(word)
        if cache is None:
            keys, values = k[:, None], v[:, None]
        else:
            keys, values = self._put(cache[0], k), self._put(cache[1], v)
        scores = torch.einsum("bd,bwd->bw", q, keys) / q.size(-1) ** 0.5
        context = torch.einsum("bw,bwv->bv", scores.softmax(-1), values)
        return context, (keys, values)
''',
    ),
]
