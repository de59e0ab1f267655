"""Answers to attention with several heads; they find split_heads and join_heads as the notebook has them before."""

TASK, CHECKS, PARTS = "multi_head_attention", "multi_head", ("MultiHeadAttention", "split_heads", "join_heads")

HEAD = """\
class MultiHeadAttention(nn.Module):
    def __init__(self, size: int, heads: int, key_size: int | None = None) -> None:
        super().__init__()
        self.heads = heads
        self.query_layer = nn.Linear(size, size)
        self.key_layer = nn.Linear(key_size or size, size)
        self.value_layer = nn.Linear(key_size or size, size)
        self.output_layer = nn.Linear(size, size)
        self.scorer = ScaledDotScorer()

    def project_keys(self, sequence: Tensor) -> tuple[Tensor, Tensor]:
        return self.key_layer(sequence), self.value_layer(sequence)

    def forward(self, queries: Tensor, sequence: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        return self.attend(queries, *self.project_keys(sequence), visible)

    def attend(self, queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
"""


def attend(*lines: str) -> str:
    return HEAD + "".join(f"        {line}\n" for line in lines)


def steps(
    queries: str = "self.query_layer(queries)",
    keys: str = "keys",
    values: str = "values",
    split: str = "split_heads({}, self.heads)",
    scores: str = "asked @ offered.mT / math.sqrt(asked.size(-1))",
    weights: str = "masked_softmax(scores, visible.unsqueeze(-3))",
    end: str = "self.output_layer(join_heads(weights @ given)), weights",
) -> str:
    return attend(
        f"asked = {split.format(queries)}",
        f"offered = {split.format(keys)}",
        f"given = {split.format(values)}",
        f"scores = {scores}",
        f"weights = {weights}",
        f"return {end}",
    )


DEALT = "{}.unflatten(-1, (-1, self.heads)).permute(0, 3, 1, 2)"
RESHAPED = "(lambda x: x.reshape(x.size(0), self.heads, x.size(1), -1))({})"

WRONG = [
    ("unscaled", "visible", "the scores are not scaled", steps(scores="asked @ offered.mT")),
    (
        "scaled by the whole size",
        "visible",
        "each head has only its share of the features",
        steps(scores="asked @ offered.mT / math.sqrt(keys.size(-1))"),
    ),
    (
        "scaled without the root",
        "visible",
        "its root is enough",
        steps(scores="asked @ offered.mT / asked.size(-1)"),
    ),
    (
        "scaled by the heads",
        "visible",
        "the root is taken of the number of heads",
        steps(scores="asked @ offered.mT / math.sqrt(self.heads)"),
    ),
    ("mask ignored", "visible", "the mask is ignored", steps(weights="scores.softmax(-1)")),
    (
        "mask after the softmax",
        "visible",
        "the mask comes after the softmax",
        steps(weights="scores.softmax(-1) * visible.unsqueeze(-3)"),
    ),
    (
        "PyTorch's other polarity",
        "visible",
        "the mask is turned round",
        steps(weights="scores.masked_fill(visible.unsqueeze(-3), -1e9).softmax(-1) * ~visible.unsqueeze(-3)"),
    ),
    (
        "softmax over the heads",
        "visible",
        "the softmax runs over the heads",
        steps(weights="scores.masked_fill(~visible.unsqueeze(-3), -1e9).softmax(1) * visible.unsqueeze(-3)"),
    ),
    (
        "softmax over the queries",
        "visible",
        "the softmax runs over the queries",
        steps(weights="scores.masked_fill(~visible.unsqueeze(-3), -1e9).softmax(2) * visible.unsqueeze(-3)"),
    ),
    ("queries unprojected", "visible", "the queries come unprojected", steps(queries="queries")),
    (
        "key layer again",
        "visible",
        "the key layer is applied once more",
        steps(keys="self.key_layer(keys)"),
    ),
    (
        "value layer again",
        "visible",
        "the values go through their layer once more",
        steps(values="self.value_layer(values)"),
    ),
    (
        "no output layer",
        "visible",
        "the output layer is missing",
        steps(end="join_heads(weights @ given), weights"),
    ),
    (
        "output layer by its matrix",
        "visible",
        "offset is missing",
        steps(end="join_heads(weights @ given) @ self.output_layer.weight.T, weights"),
    ),
    (
        "joined by reshape",
        "visible",
        "without exchanging heads and positions first",
        steps(end="self.output_layer((weights @ given).reshape(queries.shape)), weights"),
    ),
    (
        "joined feature by feature",
        "visible",
        "the heads are mixed feature by feature",
        steps(end="self.output_layer((weights @ given).permute(0, 2, 3, 1).flatten(2)), weights"),
    ),
    ("dealt like cards", "visible", "dealt out to the heads like cards", steps(split=DEALT)),
    ("reshaped", "visible", "a head gets some positions whole", steps(split=RESHAPED)),
    (
        "weights averaged",
        "visible",
        "the weights of the heads are averaged",
        steps(end="self.output_layer(join_heads(weights @ given)), weights.mean(1)"),
    ),
    (
        "one head",
        "visible",
        "there is one head only",
        attend(
            "scores = self.scorer.score_all(self.query_layer(queries), keys)",
            "weights = masked_softmax(scores, visible)",
            "return self.output_layer(weights @ values), weights",
        ),
    ),
    (
        "heads score each other",
        "visible",
        "raised RuntimeError",
        steps(
            split="{}.unflatten(-1, (self.heads, -1))", end="self.output_layer((weights @ given).flatten(2)), weights"
        ),
    ),
    (
        "folded",
        "visible",
        "batch and heads share an axis",
        attend(
            "fold = lambda x: split_heads(x, self.heads).flatten(0, 1)",
            "scores = self.scorer.score_all(fold(self.query_layer(queries)), fold(keys))",
            "seen = visible.expand(-1, queries.size(1), -1).repeat_interleave(self.heads, 0)",
            "weights = masked_softmax(scores, seen)",
            "contexts = (weights @ fold(values)).unflatten(0, (-1, self.heads))",
            "return self.output_layer(join_heads(contexts)), weights",
        ),
    ),
    (
        "mask repeated in the wrong order",
        "visible",
        "keys that may not be seen get weight",
        attend(
            "fold = lambda x: split_heads(x, self.heads).flatten(0, 1)",
            "scores = self.scorer.score_all(fold(self.query_layer(queries)), fold(keys))",
            "seen = visible.expand(-1, queries.size(1), -1).repeat(self.heads, 1, 1)",
            "weights = masked_softmax(scores, seen)",
            "contexts = (weights @ fold(values)).unflatten(0, (-1, self.heads))",
            "return self.output_layer(join_heads(contexts)), weights.unflatten(0, (-1, self.heads))",
        ),
    ),
    ("not joined", "visible", "the heads are not joined yet", steps(end="weights @ given, weights")),
    (
        "heads averaged",
        "visible",
        "the heads are summed or averaged",
        steps(end="(weights @ given).mean(1), weights"),
    ),
    (
        "order",
        "visible",
        "the pair (weights, contexts)",
        steps(end="weights, self.output_layer(join_heads(weights @ given))"),
    ),
    (
        "residual",
        "visible",
        "the input is added",
        steps(end="self.output_layer(join_heads(weights @ given)) + queries, weights"),
    ),
    (
        "axis of the mask",
        "hidden",
        "one mask (queries, keys) for all sentences",
        steps(weights="masked_softmax(scores, visible.unsqueeze(1))"),
    ),
    (
        "minus infinity",
        "hidden",
        ("a sentence without a real token", "NaN"),
        steps(weights="scores.masked_fill(~visible.unsqueeze(-3), -torch.inf).softmax(-1)"),
    ),
    (
        "detached",
        "visible",
        "no gradient reaches queries",
        steps(queries="self.query_layer(queries).detach()"),
    ),
]

RIGHT = [
    ("composed", steps()),
    (
        "written inline",
        steps(
            split="{}.unflatten(-1, (self.heads, -1)).transpose(1, 2)",
            end="self.output_layer((weights @ given).transpose(1, 2).flatten(2)), weights",
        ),
    ),
    (
        "einsum",
        attend(
            "cut = lambda x: x.unflatten(-1, (self.heads, -1))",
            "asked, offered, given = cut(self.query_layer(queries)), cut(keys), cut(values)",
            "scores = torch.einsum('bqhd,bkhd->bhqk', asked, offered) / asked.size(-1) ** 0.5",
            "weights = masked_softmax(scores, visible.unsqueeze(-3))",
            "return self.output_layer(torch.einsum('bhqk,bkhd->bqhd', weights, given).flatten(2)), weights",
        ),
    ),
    (
        "a loop over heads",
        attend(
            "share = queries.size(-1) // self.heads",
            "asked = self.query_layer(queries)",
            "found, shown = [], []",
            "for h in range(self.heads):",
            "    own = slice(h * share, (h + 1) * share)",
            "    weights = masked_softmax(self.scorer.score_all(asked[..., own], keys[..., own]), visible)",
            "    found.append(weights @ values[..., own])",
            "    shown.append(weights)",
            "return self.output_layer(torch.cat(found, -1)), torch.stack(shown, 1)",
        ),
    ),
    (
        "PyTorch's fused function",
        attend(
            "asked = self.query_layer(queries).unflatten(-1, (self.heads, -1)).transpose(1, 2)",
            "offered, given = (x.unflatten(-1, (self.heads, -1)).transpose(1, 2) for x in (keys, values))",
            "bias = torch.zeros_like(visible, dtype=queries.dtype).masked_fill(~visible, -1e9).unsqueeze(-3)",
            "weights = (asked @ offered.mT / asked.size(-1) ** 0.5 + bias).softmax(-1) * visible.unsqueeze(-3)",
            "found = F.scaled_dot_product_attention(asked, offered, given, attn_mask=bias.expand_as(weights))",
            "found = found * visible.any(-1, keepdim=True).unsqueeze(-3)",
            "return self.output_layer(found.transpose(1, 2).flatten(2)), weights",
        ),
    ),
]
