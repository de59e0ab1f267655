"""Answers to the masked softmax."""

TASK = "masked_softmax"

LOW = "torch.finfo(scores.dtype).min"
EMPTIED = "weights.masked_fill(~source_mask, 0.0)"


def masked(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def masked_softmax(scores: Tensor, source_mask: Tensor, temperature: float = 1.0) -> Tensor:\n{body}"


def filled(low: str = LOW, end: str = EMPTIED) -> str:
    return masked(
        f"weights = torch.softmax((scores / temperature).masked_fill(~source_mask, {low}), dim=-1)", f"return {end}"
    )


def late(*lines: str) -> str:
    return masked("w = torch.softmax(scores / temperature, -1) * source_mask", *lines)


WRONG = [
    ("not low enough", "not_low_enough", filled("-1e5")), ("−1e9", "not_low_enough", filled("-1e9")),
    ("renormalised too late", "drowned", late("return w / w.sum(-1, keepdim=True).clamp_min(1e-30)")),
    ("renormalised, 0/0", "divided_by_0", late("return w / w.sum(-1, keepdim=True)")),
    ("detached", "no_gradient", filled(end=f"{EMPTIED}.detach()")),
]

RIGHT = [
    ("lowest number", filled()), ("half of it", filled("torch.finfo(scores.dtype).min / 2")),
    ("−∞, NaN replaced", filled("-torch.inf", end="torch.nan_to_num(weights, nan=0.0)")),
]
