"""Answers to self-attention."""

TASK = "self_attention"

HEAD = """\
class SelfAttention(nn.Module):
    def __init__(self, input_size: int, attention_size: int, value_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(input_size, attention_size, bias=False)
        self.key_layer = nn.Linear(input_size, attention_size, bias=False)
        self.value_layer = nn.Linear(input_size, value_size, bias=False)
        self.scorer = ScaledDotScorer()

    def forward(self, sequence: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
"""


def attention(*lines: str) -> str:
    return HEAD + "".join(f"        {line}\n" for line in lines)


def steps(
    queries: str = "self.query_layer(sequence)",
    keys: str = "self.key_layer(sequence)",
    values: str = "self.value_layer(sequence)",
    scores: str = "queries @ keys.mT / math.sqrt(keys.size(-1))",
    weights: str = "masked_softmax(scores, visible)",
    end: str = "weights @ values, weights",
) -> str:
    return attention(
        f"queries, keys = {queries}, {keys}",
        f"values = {values}",
        f"scores = {scores}",
        f"weights = {weights}",
        f"return {end}",
    )


WRONG = [
    ("layers exchanged", "exchanged", steps("self.key_layer(sequence)", "self.query_layer(sequence)")),
    ("scaled by the values", "root_of_values", steps(scores="queries @ keys.mT / math.sqrt(values.size(-1))")),
    ("mask ignored", "change", steps(weights="scores.softmax(-1)")),
    ("polarity", "polarity", steps(weights="scores.masked_fill(visible, -1e9).softmax(-1) * ~visible")),
    ("contexts alone", "results", steps(end="weights @ values")),
    ("summed over the positions", "shape", steps(end="(weights @ values).sum(1), weights")),
    (
        "always a mask per sentence",
        "hidden: raised.ValueError | raised.RuntimeError",
        steps(weights="torch.stack([masked_softmax(s, v) for s, v in zip(scores, visible, strict=True)])"),
    ),
    ("detached", "no_gradient", steps(end="(weights @ values).detach(), weights")),
    ("weights detached in the sum", "gradient", steps(end="weights.detach() @ values, weights")),
    ("remembers the keys", "remembers", steps(keys="self.__dict__.setdefault('k', self.key_layer(sequence))")),
]

RIGHT = [
    ("keys about their mean", steps(keys="self.key_layer(sequence - sequence.mean(1, keepdim=True))")),
    ("products", steps()),
    (
        "the scorer",
        steps(scores="self.scorer.score_all(queries, keys)", end="torch.bmm(weights, values), weights"),
    ),
    (
        "einsum",
        steps(
            scores="torch.einsum('bqd,bkd->bqk', queries, keys) / keys.size(-1) ** 0.5",
            end="torch.einsum('bqk,bkv->bqv', weights, values), weights",
        ),
    ),
    (
        "loop over queries",
        attention(
            "keys, values = self.key_layer(sequence), self.value_layer(sequence)",
            "mask = visible.expand(sequence.size(0), sequence.size(1), sequence.size(1))",
            "rows = []",
            "for i in range(sequence.size(1)):",
            "    scores = self.scorer(self.query_layer(sequence[:, i]), keys)",
            "    rows.append(masked_softmax(scores, mask[:, i]))",
            "weights = torch.stack(rows, dim=1)",
            "return torch.stack([(row.unsqueeze(-1) * values).sum(1) for row in rows], dim=1), weights",
        ),
    ),
    (
        "NaN replaced",
        steps(weights="scores.masked_fill(~visible, -1e9).softmax(-1) * visible"),
    ),
]
