"""Answers to the maxout readout."""

TASK = "maxout_readout"


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
    ("reshaped the other way", "halves", readout("through.unflatten(-1, (2, -1)).amax(-2)")),
    ("overlapping pairs", "overlapping", readout("torch.maximum(through[..., :-1], through[..., 1:])")),
    ("one step squeezed", "hidden: squeezed", readout(f"{LARGER}.squeeze(1) if through.dim() > 2 else {LARGER}")),
    ("two axes alone", "hidden: axes_joined",
     readout("through.view(len(through), -1, 2).amax(-1)")),
    ("cut off", "no_gradient", readout(LARGER, "[state, embedded, context.detach()]")),
]

RIGHT = [
    ("amax", readout(LARGER)), ("two slices", readout("torch.maximum(through[..., ::2], through[..., 1::2])")),
    ("max and its values", readout(f"{PAIRS}.max(dim=-1).values")),
]
