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
    queries: str = "self.query_layer(sequence)", keys: str = "self.key_layer(sequence)",
    values: str = "self.value_layer(sequence)", scores: str = "queries @ keys.mT / math.sqrt(keys.size(-1))",
    weights: str = "masked_softmax(scores, visible)", end: str = "weights @ values, weights",
) -> str:
    return attention(f"queries, keys, values = {queries}, {keys}, {values}",
                     f"scores = {scores}", f"weights = {weights}", f"return {end}")


WRONG = [
    ("a query that sees nothing made uniform", "hidden: uniform",
     steps(weights="scores.masked_fill(~visible, torch.finfo(scores.dtype).min).softmax(-1)")),
    ("scores for weights", "scores_returned", steps(end="weights @ values, scores")),
    ("layers exchanged", "exchanged", steps("self.key_layer(sequence)", "self.query_layer(sequence)")),
    ("scaled by the values", "root_of_values", steps(scores="queries @ keys.mT / math.sqrt(values.size(-1))")),
    ("not low enough", "hidden: values | first_1 | padded_sentences | positions_mixed | zero_rows",
     steps(weights="scores.masked_fill(~visible, -1e4).softmax(-1) * visible")),
    ("0 for whole sentences alone", "hidden: uniform_rows",
     steps(weights="scores.masked_fill(~visible, -1e9).softmax(-1) * visible.flatten(-2).any(-1)[..., None, None]")),
    ("always a mask per sentence", "hidden: raised.ValueError | raised.RuntimeError",
     steps(weights="torch.stack([masked_softmax(s, v) for s, v in zip(scores, visible, strict=True)])")),
    ("two axes for one of each sentence", "hidden: values | positions_mixed", steps(
        weights="masked_softmax(scores, visible.unsqueeze(-2) if visible.shape == sequence.shape[:2] else visible)")),
    ("reshaped to a row for each query", "hidden: raised.RuntimeError",
     steps(weights="masked_softmax(scores, visible.reshape(-1, *scores.shape[1:]))")),
]

RIGHT = [
    ("keys about their mean", steps(keys="self.key_layer(sequence - sequence.mean(1, keepdim=True))")),
    ("products", steps()),
    ("the scorer", steps(scores="self.scorer.score_all(queries, keys)", end="torch.bmm(weights, values), weights")),
]
