"""Answers to the maxout readout."""

TASK, CHECKS, PARTS = "maxout_readout", "readout", ("MaxoutReadout",)


def readout(result: str, parts: str = "[state, embedded, context]") -> str:
    return f"""\
class MaxoutReadout(nn.Module):
    def __init__(self, state_size: int, embedding_size: int, context_size: int, readout_size: int) -> None:
        super().__init__()
        self.layer = nn.Linear(state_size + embedding_size + context_size, 2 * readout_size)  # [U_o, V_o, C_o]

    def forward(self, state: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        through = self.layer(torch.cat({parts}, dim=-1))
        return {result}
"""


PAIRS = "through.unflatten(-1, (-1, 2))"
LARGER = f"{PAIRS}.amax(-1)"

WRONG = [
    ("halves", "visible", "a pair are two neighbours", readout("torch.maximum(*through.chunk(2, dim=-1))")),
    ("no maximum", "visible", "of each pair one number is kept", readout("through")),
    ("wrong axis", "visible", "raised IndexError", readout("through.unflatten(-1, (-1, 2)).amax(-4)")),
    ("maximum over the pairs", "visible", "it runs within each pair", readout(f"{PAIRS}.amax(-2)")),
    ("pairs left", "visible", "the larger of each is not taken", readout(PAIRS)),
    ("one maximum", "visible", "one maximum for all", readout("through.amax(-1)")),
    ("smaller", "visible", "the smaller of each pair", readout(f"{PAIRS}.amin(-1)")),
    ("sum", "visible", "the pairs are added", readout(f"{PAIRS}.sum(-1)")),
    ("mean", "visible", "the pairs are averaged", readout(f"{PAIRS}.mean(-1)")),
    ("first of each", "visible", "only the first of each pair", readout("through[..., ::2]")),
    ("second of each", "visible", "only the second of each pair", readout("through[..., 1::2]")),
    ("context second", "visible", "for state, word, context", readout(LARGER, "[state, context, embedded]")),
    ("word first", "visible", "for state, word, context", readout(LARGER, "[embedded, state, context]")),
    (
        "no context",
        "visible",
        "the context does not enter",
        readout(LARGER, "[state, embedded, torch.zeros_like(context)]"),
    ),
    (
        "no word",
        "visible",
        "the word does not enter",
        readout(LARGER, "[state, torch.zeros_like(embedded), context]"),
    ),
    ("context left out", "visible", ("raised RuntimeError", "at your line"), readout(LARGER, "[state, embedded]")),
    ("tanh", "visible", "a tanh comes on top", readout(f"torch.tanh({LARGER})")),
    ("ReLU", "visible", "a ReLU comes on top", readout(f"F.relu({LARGER})")),
    ("two axes alone", "hidden", "all steps of a target", readout("through.view(len(through), -1, 2).amax(-1)")),
    ("cut off", "hidden", "no gradient reaches context", readout(LARGER, "[state, embedded, context.detach()]")),
]

RIGHT = [
    ("amax", readout(LARGER)),
    ("two slices", readout("torch.maximum(through[..., ::2], through[..., 1::2])")),
    (
        "pooling",
        readout("F.max_pool1d(through.flatten(0, -2).unsqueeze(1), 2).squeeze(1).unflatten(0, through.shape[:-1])"),
    ),
    ("max and its values", readout(f"{PAIRS}.max(dim=-1).values")),
    ("ReLU of the difference", readout("through[..., 1::2] + F.relu(through[..., ::2] - through[..., 1::2])")),
]
