"""Answers to self-attention."""

TASK, CHECKS, PARTS = "self_attention", "self_attention", ("SelfAttention",)

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
    ("unscaled", "visible", "the scores are not scaled", steps(scores="queries @ keys.mT")),
    (
        "scaled by the size",
        "visible",
        "its root is enough",
        steps(scores="queries @ keys.mT / keys.size(-1)"),
    ),
    (
        "scaled by the input",
        "visible",
        "the root is taken of the size of the sequence's vectors",
        steps(scores="queries @ keys.mT / math.sqrt(sequence.size(-1))"),
    ),
    (
        "scaled by the values",
        "visible",
        "the root is taken of the size of the values",
        steps(scores="queries @ keys.mT / math.sqrt(values.size(-1))"),
    ),
    (
        "scaled by the length",
        "visible",
        "the root is taken of the number of words",
        steps(scores="queries @ keys.mT / math.sqrt(keys.size(1))"),
    ),
    ("mask ignored", "visible", "the mask is ignored", steps(weights="scores.softmax(-1)")),
    (
        "mask after the softmax",
        "visible",
        "the mask comes after the softmax",
        steps(weights="scores.softmax(-1) * visible"),
    ),
    (
        "multiplied by the mask",
        "visible",
        "what is hidden gets a score of 0",
        steps(weights="(scores * visible).softmax(-1)"),
    ),
    ("polarity", "visible", "the mask is turned round", steps(weights="masked_softmax(scores, ~visible)")),
    (
        "queries and keys exchanged",
        "visible",
        "queries and keys are exchanged",
        steps(scores="keys @ queries.mT / math.sqrt(keys.size(-1))"),
    ),
    (
        "layers exchanged",
        "visible",
        ("queries and keys are exchanged",),
        steps(queries="self.key_layer(sequence)", keys="self.query_layer(sequence)"),
    ),
    (
        "softmax over the queries",
        "visible",
        "the softmax runs over the queries",
        steps(weights="scores.masked_fill(~visible, -1e9).softmax(1) * visible"),
    ),
    (
        "softmax over the batch",
        "visible",
        "the softmax runs over the batch",
        steps(weights="scores.masked_fill(~visible, -1e9).softmax(0) * visible"),
    ),
    (
        "one layer for queries and keys",
        "visible",
        "the query layer is used for the keys as well",
        steps(keys="self.query_layer(sequence)"),
    ),
    (
        "the key layer for the queries",
        "visible",
        "the key layer is used for the queries as well",
        steps(queries="self.key_layer(sequence)"),
    ),
    ("no query layer", "visible", "the query layer is missing", steps(queries="sequence")),
    ("no key layer", "visible", "the key layer is missing", steps(keys="sequence")),
    ("no value layer", "visible", "the value layer is missing", steps(values="sequence")),
    ("keys as values", "visible", "the keys are summed", steps(values="keys")),
    (
        "one query for all",
        "visible",
        "the queries are the same for every position",
        steps(queries="self.query_layer(sequence[:, -1:]).expand(-1, sequence.size(1), -1)"),
    ),
    ("no softmax", "visible", "the softmax is missing", steps(weights="scores * visible")),
    (
        "weights transposed",
        "visible",
        "the weights are transposed in the sum",
        steps(end="weights.mT @ values, weights"),
    ),
    (
        "hidden words in the sum",
        "visible",
        "the hidden words are left in it",
        steps(end="scores.softmax(-1) @ values, weights"),
    ),
    ("residual", "visible", "the input is added", steps(end="weights @ values + sequence, weights")),
    (
        "plain average",
        "visible",
        "the plain average",
        steps(end="values.mean(1, keepdim=True).expand_as(values), weights"),
    ),
    ("order", "visible", "the pair (weights, contexts)", steps(end="weights, weights @ values")),
    ("contexts alone", "visible", ("one tensor", "(contexts, weights)"), steps(end="weights @ values")),
    (
        "summed over the positions",
        "visible",
        "each of them has a context of its own",
        steps(end="(weights @ values).sum(1), weights"),
    ),
    (
        "a causal mask of its own",
        "visible",
        "take the mask as it is",
        steps(weights="masked_softmax(scores, torch.ones_like(scores).tril().bool() & visible)"),
    ),
    (
        "minus infinity",
        "hidden",
        ("a query that may see nothing", "NaN"),
        steps(weights="scores.masked_fill(~visible, -torch.inf).softmax(-1)"),
    ),
    (
        "always a mask per sentence",
        "hidden",
        "one mask (queries, keys) for all sentences",
        steps(weights="torch.stack([masked_softmax(s, v) for s, v in zip(scores, visible, strict=True)])"),
    ),
    ("detached", "visible", "cut off from autograd", steps(end="(weights @ values).detach(), weights")),
    (
        "weights detached in the sum",
        "visible",
        "the values are right, the way to them is not",
        steps(end="weights.detach() @ values, weights"),
    ),
]

RIGHT = [
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
