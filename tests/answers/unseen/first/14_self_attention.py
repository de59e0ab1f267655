"""Wrong answers written from the text of the exercise alone."""

MULTI_HEAD_INIT = '''
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

    def forward(self, queries: Tensor, sequence: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        return self.attend(queries, *self.project_keys(sequence), visible)
'''

CACHED_INIT = '''
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
        "the triangle in the upper corner",
        "The rows are counted from the first position on instead of being the last ones, so where fewer queries than "
        "keys ask, the last word sees only the beginning of the sentence.",
        '''
def seen_by_last(source_mask: Tensor, queries: int | None = None) -> Tensor:
    if queries is None:
        return source_mask.unsqueeze(1)
    keys = source_mask.size(1)
    if queries > keys:
        raise ValueError(f"queries: got {queries}, expected at most {keys}")
    triangle = torch.ones(queries, keys, dtype=torch.bool, device=source_mask.device).tril()
    return source_mask.unsqueeze(1) & triangle
''',
    ),
    (
        "seen_by_last",
        "as many queries as keys refused",
        "The ValueError is raised also where all positions ask, although only more queries than keys are impossible.",
        '''
def seen_by_last(source_mask: Tensor, queries: int | None = None) -> Tensor:
    batch, keys = source_mask.shape
    if queries is None:
        return source_mask.view(batch, 1, keys)
    if queries >= keys:
        raise ValueError("there are too many queries")
    place = torch.arange(keys, device=source_mask.device)
    asking = place[keys - queries :]
    not_to_come = place.unsqueeze(0) <= asking.unsqueeze(1)
    return torch.logical_and(source_mask[:, None, :], not_to_come[None])
''',
    ),
    (
        "self_attention",
        "scaled twice",
        "The given scorer divides by the root of the size already, and the scores are divided by it a second time.",
        '''
class SelfAttention(nn.Module):
    def __init__(self, input_size: int, attention_size: int, value_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(input_size, attention_size, bias=False)  # W_q
        self.key_layer = nn.Linear(input_size, attention_size, bias=False)  # W_k
        self.value_layer = nn.Linear(input_size, value_size, bias=False)  # W_v
        self.scorer = ScaledDotScorer()

    def forward(self, sequence: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        queries = self.query_layer(sequence)
        keys = self.key_layer(sequence)
        scores = self.scorer.score_all(queries, keys) / math.sqrt(keys.size(-1))
        weights = masked_softmax(scores, visible)
        return weights @ self.value_layer(sequence), weights
''',
    ),
    (
        "self_attention",
        "the root of the input's size",
        "The scores are divided by the root of the size of the input vectors instead of that of query and key.",
        '''
class SelfAttention(nn.Module):
    def __init__(self, input_size: int, attention_size: int, value_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(input_size, attention_size, bias=False)  # W_q
        self.key_layer = nn.Linear(input_size, attention_size, bias=False)  # W_k
        self.value_layer = nn.Linear(input_size, value_size, bias=False)  # W_v
        self.scorer = ScaledDotScorer()

    def forward(self, sequence: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        _, length, size = sequence.shape
        q, k, v = (layer(sequence) for layer in (self.query_layer, self.key_layer, self.value_layer))
        products = torch.einsum("bid,bjd->bij", q, k) * size**-0.5
        hidden = ~visible.expand_as(products)
        shares = products.masked_fill(hidden, torch.finfo(products.dtype).min).softmax(dim=2)
        weights = shares.masked_fill(hidden, 0.0)
        return torch.bmm(weights, v), weights
''',
    ),
    (
        "multi_head_attention",
        "features dealt out in turns",
        "The last axis is cut into (size / heads, heads), so each head gets every H-th feature instead of a block of "
        "neighbours.",
        '''
def split_heads(projected: Tensor, heads: int) -> Tensor:
    return projected.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2)


def join_heads(contexts: Tensor) -> Tensor:
    return contexts.permute(0, 2, 3, 1).flatten(-2)

'''
        + MULTI_HEAD_INIT
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
        mask = visible.unsqueeze(-3)
        weights = masked_softmax(scores, mask)
        return self.output_layer(join_heads(weights @ v)), weights
''',
    ),
    (
        "multi_head_attention",
        "the axis of the heads counted from the front",
        "The mask gets its axis for the heads at place 1 from the front, which is wrong for a mask (queries, keys) that "
        "serves for all sentences.",
        '''
def split_heads(projected: Tensor, heads: int) -> Tensor:
    batch, positions, size = projected.shape
    return projected.reshape(batch, positions, heads, size // heads).transpose(1, 2)


def join_heads(contexts: Tensor) -> Tensor:
    batch, heads, positions, head_size = contexts.shape
    return contexts.transpose(1, 2).reshape(batch, positions, heads * head_size)

'''
        + MULTI_HEAD_INIT
        + '''
    def attend(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        visible: Tensor,
    ) -> tuple[Tensor, Tensor]:
        asked = split_heads(self.query_layer(queries), self.heads)
        offered, given = split_heads(keys, self.heads), split_heads(values, self.heads)
        scores = torch.einsum("bhqd,bhkd->bhqk", asked, offered) / math.sqrt(asked.shape[-1])
        weights = masked_softmax(scores, visible.unsqueeze(1))
        contexts = torch.einsum("bhqk,bhkd->bhqd", weights, given)
        return self.output_layer(join_heads(contexts)), weights
''',
    ),
    (
        "rotate",
        "the first half paired with the second",
        "Feature i is paired with feature i + d/2, as in some other implementations; the text pairs neighbours, 2i and "
        "2i + 1.",
        '''
def rotate(vectors: Tensor, first: int = 0) -> Tensor:
    positions, size = vectors.shape[-2:]
    if size % 2:
        raise ValueError(f"size: got {size}, expected an even number")
    like = {"dtype": vectors.dtype, "device": vectors.device}
    speed = 10000.0 ** (-2 * torch.arange(size // 2, **like) / size)
    angle = torch.arange(first, first + positions, **like)[:, None] * speed
    one, two = vectors.chunk(2, dim=-1)
    return torch.cat([one * angle.cos() - two * angle.sin(), one * angle.sin() + two * angle.cos()], dim=-1)
''',
    ),
    (
        "rotate",
        "angles in float32",
        "The angles are computed in float32 whatever the vectors are, and only then turned into their dtype, so far-on "
        "places are turned inexactly in float64.",
        '''
def rotate(vectors: Tensor, first: int = 0) -> Tensor:
    size = vectors.size(-1)
    if size % 2 == 1:
        raise ValueError("an odd number of features cannot be turned in pairs")
    places = torch.arange(vectors.size(-2), dtype=torch.float32, device=vectors.device) + first
    exponents = torch.arange(0, size, 2, dtype=torch.float32, device=vectors.device) / size
    phi = torch.outer(places, torch.pow(10000.0, -exponents))
    cosine, sine = phi.cos().to(vectors.dtype), phi.sin().to(vectors.dtype)
    even, odd = vectors[..., 0::2], vectors[..., 1::2]
    turned = torch.stack([even * cosine - odd * sine, even * sine + odd * cosine], dim=-1)
    return turned.flatten(-2)
''',
    ),
    (
        "cached_attention",
        "memory kept on the module",
        "Keys and values are kept on the module and the cache that is handed in is only asked whether it is None, so a "
        "second word from the same cache also sees the first one.",
        CACHED_INIT
        + '''
    def step(self, word: Tensor, cache: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """The context of the word, and the cache for the word after it."""
        key, value = self.key_layer(word).unsqueeze(1), self.value_layer(word).unsqueeze(1)
        if cache is None:
            self.keys, self.values = key, value
        else:
            self.keys = torch.cat([self.keys, key], dim=1)[:, -self.window :]
            self.values = torch.cat([self.values, value], dim=1)[:, -self.window :]
        query = self.query_layer(word).unsqueeze(1)
        scores = query @ self.keys.mT / math.sqrt(query.size(-1))
        context = scores.softmax(-1) @ self.values
        return context.squeeze(1), (self.keys, self.values)
''',
    ),
    (
        "cached_attention",
        "the window cut after the look",
        "The context is computed before the oldest word is dropped, so once the window is full a word sees one word too "
        "many.",
        CACHED_INIT
        + '''
    def step(self, word: Tensor, cache: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """The context of the word, and the cache for the word after it."""
        keys = self.key_layer(word)[:, None]
        values = self.value_layer(word)[:, None]
        if cache is not None:
            keys = torch.cat((cache[0], keys), 1)
            values = torch.cat((cache[1], values), 1)
        query = self.query_layer(word)
        scores = torch.einsum("bd,bkd->bk", query, keys) / query.shape[-1] ** 0.5
        context = torch.einsum("bk,bkv->bv", torch.softmax(scores, dim=-1), values)
        return context, (keys[:, -self.window :], values[:, -self.window :])
''',
    ),
]
