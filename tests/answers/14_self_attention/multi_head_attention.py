"""Answers to attention with several heads."""

TASK = "multi_head_attention"

HEAD = """\
def split_heads(projected: Tensor, heads: int) -> Tensor:
    return torch.stack(projected.chunk(heads, dim=-1), dim=1)


def join_heads(contexts: Tensor) -> Tensor:
    return torch.cat(contexts.unbind(1), dim=-1)


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
    queries: str = "self.query_layer(queries)", keys: str = "keys", values: str = "values",
    split: str = "split_heads({}, self.heads)", scores: str = "asked @ offered.mT / math.sqrt(asked.size(-1))",
    weights: str = "masked_softmax(scores, visible.unsqueeze(-3))",
    end: str = "self.output_layer(join_heads(weights @ given)), weights",
) -> str:
    parts = f"asked, offered, given = {', '.join(split.format(tensor) for tensor in (queries, keys, values))}"
    return attend(parts, f"scores = {scores}", f"weights = {weights}", f"return {end}")


FOLD = "fold = lambda x: split_heads(x, self.heads).flatten(0, 1)"
FOLDED = "self.scorer.score_all(fold(self.query_layer(queries)), fold(keys))"


def folded(repeated: str) -> str:
    """Batch and heads on one axis, and the mask repeated for it."""
    return attend(
        FOLD, f"scores = {FOLDED}", "whole = visible.expand(queries.size(0), queries.size(1), keys.size(1))",
        f"weights = masked_softmax(scores, {repeated})",
        "contexts = (weights @ fold(values)).unflatten(0, (-1, self.heads))",
        "return self.output_layer(join_heads(contexts)), weights.unflatten(0, (-1, self.heads))",
    )


WRONG = [
    ("keys and values projected again", "both_again",
     steps(keys="self.key_layer(keys)", values="self.value_layer(values)")),
    ("a query that sees nothing made uniform", "hidden: uniform",
     steps(weights="scores.masked_fill(~visible.unsqueeze(-3), -1e9).softmax(-1)")),
    ("0 for whole sentences alone", "hidden: uniform_rows",
     steps(weights="scores.masked_fill(~visible[..., None, :, :], -1e9).softmax(-1) * "
           "visible.flatten(-2).any(-1)[..., None, None, None]")),
    ("polarity", "polarity", steps(weights="masked_softmax(scores, ~visible.unsqueeze(-3))")),
    ("mask repeated in the wrong order", "mask_repeated", folded("whole.repeat(self.heads, 1, 1)")),
    ("axis of the mask", "hidden: raised.RuntimeError", steps(weights="masked_softmax(scores, visible.unsqueeze(1))")),
]

RIGHT = [
    ("composed", steps()), ("folded", folded("whole.repeat_interleave(self.heads, 0)")),
    ("without the two parts", steps().replace("torch.stack(projected.chunk(heads, dim=-1), dim=1)",
     "projected.view(*projected.shape[:2], heads, -1).mT.permute(0, 3, 1, 2)")),
]
