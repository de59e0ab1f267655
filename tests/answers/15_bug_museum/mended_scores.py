"""Answers to the mended scores."""

TASK = "mended_scores"

SUM = "together = asked.unsqueeze(2) + offered.unsqueeze(1)"


def scores(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def mended_scores(asked: Tensor, offered: Tensor, energy: Tensor) -> Tensor:\n{body}"


WRONG = [
    ("tanh of exponentials", "hidden: not_finite",
     scores(SUM, "e = together.exp()", "return (e - 1 / e) / (e + 1 / e) @ energy")),
    ("not one axis more", "raised.RuntimeError", scores("return (asked + offered).tanh() @ energy")),
    ("five words, whatever the sentence", "values | shape | change",
        scores("rows = [offered[:, j % offered.size(1), None] for j in range(5)]",
               "return torch.stack([(asked + row).tanh() @ energy for row in rows], -1)")),
    ("detached", "no_gradient", scores(SUM.replace("asked.", "asked.detach()."), "return together.tanh() @ energy")),
]
RIGHT = [
    ("tanh of the sum", scores(SUM, "return torch.tanh(together) @ energy")),
    ("einsum", scores("return torch.einsum('bqkd,d->bqk', (asked[:, :, None] + offered[:, None]).tanh(), energy)")),
    ("weighted sum", scores(SUM, "return (together.tanh() * energy).sum(dim=-1)")),
]
