"""Answers to the attentional state."""

TASK, CHECKS, PARTS = "attentional_layer", "attentional", ("AttentionalLayer",)


def layer(result: str) -> str:
    return f"""\
class AttentionalLayer(nn.Module):
    def __init__(self, encoder_size: int, hidden_size: int) -> None:
        super().__init__()
        self.layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def forward(self, context: Tensor, hidden: Tensor) -> Tensor:
        return {result}
"""


BOTH = "torch.cat([context, hidden], dim=-1)"

WRONG = [
    ("no tanh", "visible", "the tanh is missing", layer(f"self.layer({BOTH})")),
    ("order", "visible", "W_c takes [c; h]", layer("torch.tanh(self.layer(torch.cat([hidden, context], dim=-1)))")),
    (
        "order, no tanh",
        "visible",
        ("W_c takes [c; h]", "the tanh is missing"),
        layer("self.layer(torch.cat([hidden, context], dim=-1))"),
    ),
    ("sigmoid", "visible", "a sigmoid in place of the tanh", layer(f"torch.sigmoid(self.layer({BOTH}))")),
    ("ReLU", "visible", "a ReLU in place of the tanh", layer(f"F.relu(self.layer({BOTH}))")),
    ("tanh first", "visible", "the tanh is taken before W_c", layer(f"self.layer(torch.tanh({BOTH}))")),
    ("state alone", "visible", "this is h as it came", layer("hidden")),
    (
        "no context",
        "visible",
        "the context does not enter",
        layer("torch.tanh(self.layer(torch.cat([torch.zeros_like(context), hidden], dim=-1)))"),
    ),
    ("state added", "visible", "the state is added on top", layer(f"torch.tanh(self.layer({BOTH})) + hidden")),
    (
        "context not joined",
        "visible",
        ("raised RuntimeError", "at your line"),
        layer("torch.tanh(self.layer(context))"),
    ),
    ("softmax", "visible", "a softmax stands in place of the tanh", layer(f"torch.softmax(self.layer({BOTH}), -1)")),
    (
        "joined on axis 0",
        "visible",
        "raised RuntimeError",
        layer("torch.tanh(self.layer(torch.cat([context, hidden])))"),
    ),
    (
        "joined on axis 1",
        "hidden",
        ("all steps of a target at once", "raised RuntimeError"),
        layer("torch.tanh(self.layer(torch.cat([context, hidden], dim=1)))"),
    ),
    ("bare squeeze", "hidden", "a bare `.squeeze()`", layer(f"torch.tanh(self.layer({BOTH})).squeeze()")),
    (
        "cut off",
        "hidden",
        "no gradient reaches context",
        layer("torch.tanh(self.layer(torch.cat([context.detach(), hidden], dim=-1)))"),
    ),
]

RIGHT = [
    ("as it is read", layer(f"torch.tanh(self.layer({BOTH}))")),
    ("matrix product", layer(f"({BOTH} @ self.layer.weight.T).tanh()")),
    (
        "two products",
        layer(
            "torch.tanh(F.linear(context, self.layer.weight[:, : context.size(-1)])"
            " + F.linear(hidden, self.layer.weight[:, context.size(-1) :]))"
        ),
    ),
    ("tanh by sigmoid", layer(f"2 * torch.sigmoid(2 * self.layer({BOTH})) - 1")),
    ("einsum", layer(f"torch.tanh(torch.einsum('...i,oi->...o', {BOTH}, self.layer.weight))")),
]
