"""Answers to the mended scores."""

TASK, CHECKS, PARTS = "mended_scores", "repairs", ("mended_scores",)


def scores(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def mended_scores(asked: Tensor, offered: Tensor, energy: Tensor) -> Tensor:\n{body}"


SUM = "together = asked.unsqueeze(2) + offered.unsqueeze(1)"

WRONG = [
    ("the exhibit", "visible", "the query still cancels: each step's part", scores(SUM, "return together @ energy")),
    (
        "tanh of each part",
        "visible",
        "the tanh is taken of each part alone",
        scores("return (asked.tanh().unsqueeze(2) + offered.tanh().unsqueeze(1)) @ energy"),
    ),
    ("tanh outermost", "visible", "the tanh is outermost", scores(SUM, "return (together @ energy).tanh()")),
    ("ReLU", "visible", "there is a ReLU", scores(SUM, "return together.relu() @ energy")),
    ("sigmoid", "visible", "there is a sigmoid", scores(SUM, "return together.sigmoid() @ energy")),
    ("v forgotten", "visible", "v is forgotten", scores(SUM, "return together.tanh().sum(-1)")),
    (
        "softmax too",
        "visible",
        "a softmax is applied already",
        scores(SUM, "return (together.tanh() @ energy).softmax(-1)"),
    ),
    (
        "multiplied",
        "visible",
        "the two parts are multiplied",
        scores("return (asked.unsqueeze(2) * offered.unsqueeze(1)).tanh() @ energy"),
    ),
    (
        "words before steps",
        "visible",
        "the words come last",
        scores("return (asked.unsqueeze(1) + offered.unsqueeze(2)).tanh() @ energy"),
    ),
    (
        "in place",
        "visible",
        ("asked", "changed in place"),
        scores(SUM, "scores = together.tanh() @ energy", "asked.zero_()", "return scores"),
    ),
    ("not one axis more", "visible", "raised RuntimeError", scores("return (asked + offered).tanh() @ energy")),
    (
        "a loop over words by the number of steps",
        "hidden",
        "other sizes",
        scores(
            "rows = [(asked + offered[:, j : j + 1]).tanh() @ energy for j in range(5)]", "return torch.stack(rows, -1)"
        ),
    ),
    (
        "detached",
        "visible",
        "no gradient reaches asked",
        scores(SUM.replace("asked.", "asked.detach()."), "return together.tanh() @ energy"),
    ),
]

RIGHT = [
    ("tanh of the sum", scores(SUM, "return torch.tanh(together) @ energy")),
    (
        "loop over steps",
        scores(
            "rows = [(step.unsqueeze(1) + offered).tanh() @ energy for step in asked.unbind(1)]",
            "return torch.stack(rows, dim=1)",
        ),
    ),
    (
        "einsum",
        scores("return torch.einsum('bqkd,d->bqk', (asked[:, :, None] + offered[:, None]).tanh(), energy)"),
    ),
    ("weighted sum", scores(SUM, "return (together.tanh() * energy).sum(dim=-1)")),
]
