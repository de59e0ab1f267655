"""Answers to the decoder's first state."""

TASK, CHECKS, PARTS = "first_state", "bahdanau", ("FirstState",)


def first(result: str, half: str = "final[:, final.size(1) // 2 :]") -> str:
    return f"""\
class FirstState(nn.Module):
    def __init__(self, encoder_size: int, hidden_size: int) -> None:
        super().__init__()
        self.layer = nn.Linear(encoder_size // 2, hidden_size)  # W_s

    def forward(self, final: Tensor) -> Tensor:
        half = {half}
        return {result}
"""


STATE = "torch.tanh(self.layer(half))"

WRONG = [
    ("forward half", "visible", "this is the forward half", first(STATE, "final[:, : final.size(1) // 2]")),
    ("no tanh", "visible", "the tanh is missing", first("self.layer(half)")),
    (
        "forward half, no tanh",
        "visible",
        ("this is the forward half", "the tanh is missing"),
        first("self.layer(half)", "final[:, : final.size(1) // 2]"),
    ),
    ("sigmoid", "visible", "a sigmoid in place of the tanh", first("torch.sigmoid(self.layer(half))")),
    ("ReLU", "visible", "a ReLU in place of the tanh", first("F.relu(self.layer(half))")),
    ("tanh first", "visible", "the tanh is taken before W_s", first("self.layer(torch.tanh(half))")),
    ("even and odd", "visible", "even and odd", first(STATE, "final[:, 1::2]")),
    ("halves added", "visible", "the two halves are added", first(STATE, "sum(final.chunk(2, -1))")),
    ("both halves", "visible", ("raised RuntimeError", "at your line"), first(STATE, "final")),
    ("half of the batch", "visible", "raised RuntimeError", first(STATE, "final[len(final) // 2 :]")),
    ("no bias", "visible", "the bias of W_s is left out", first("torch.tanh(F.linear(half, self.layer.weight))")),
    (
        "sentence 0",
        "visible",
        "sentence 0 is used for every",
        first(STATE, "final.chunk(2, -1)[1][:1].expand(len(final), -1)"),
    ),
    ("layer first", "visible", ("shape (1, 3, 4)", "one too many"), first("torch.tanh(self.layer(half)).unsqueeze(0)")),
    ("bare squeeze", "hidden", "a bare `.squeeze()`", first("torch.tanh(self.layer(half)).squeeze()")),
    ("cut off", "hidden", "no gradient reaches final", first("torch.tanh(self.layer(half.detach()))")),
]

RIGHT = [
    ("slice", first(STATE)),
    ("chunk", first("self.layer(half).tanh()", "final.chunk(2, dim=-1)[1]")),
    (
        "features of the layer",
        first("torch.tanh(F.linear(half, self.layer.weight, self.layer.bias))", "final[:, -self.layer.in_features :]"),
    ),
    (
        "matrix product",
        first("torch.tanh(half @ self.layer.weight.T + self.layer.bias)", "final.unflatten(-1, (2, -1))[:, 1]"),
    ),
    ("tanh by sigmoid", first("2 * torch.sigmoid(2 * self.layer(half)) - 1")),
]
