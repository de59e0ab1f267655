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
    ("a little low", "values | padding_counts", filled("-2.0", end="weights")),
    ("renormalised too late", "drowned", late("return w / w.sum(-1, keepdim=True).clamp_min(1e-30)")),
    ("renormalised, 0/0", "divided_by_0", late("return w / w.sum(-1, keepdim=True)")),
    (
        "in place",
        "changed_in_place | values",
        masked(
            "scores.masked_fill_(~source_mask, -1e9)", "return torch.softmax(scores / temperature, -1) * source_mask"
        ),
    ),
    (
        "in place, nothing else wrong",
        "changed_in_place",
        masked(
            f"scores.masked_fill_(~source_mask, {LOW} / 9)",
            "return torch.softmax(scores / temperature, -1) * source_mask",
        ),
    ),
    (
        "logarithms",
        "change",
        masked("return torch.log_softmax((scores / temperature).masked_fill(~source_mask, -1e9), -1) * source_mask"),
    ),
    ("detached", "no_gradient", filled(end=f"{EMPTIED}.detach()")),
    (
        "NaN in the gradient, by where",
        "log_of_mask",
        masked(
            "weights = torch.softmax(scores / temperature + torch.log(source_mask.to(scores.dtype)), dim=-1)",
            "return torch.where(source_mask, weights, 0.0)",
        ),
    ),
    (
        "as many words as sentence 0 has",
        "mask_of_0 | values | padding_counts",
        masked(
            "count = int(source_mask[0].sum())",
            "out = torch.zeros_like(scores)",
            "out[:, :count] = torch.softmax(scores[:, :count] / temperature, -1)",
            "return out",
        ),
    ),
    (
        "prefix only",
        "hidden: values | padding_counts | raised.RuntimeError",
        masked(
            "out = torch.zeros_like(scores)",
            "for row in range(len(scores)):",
            "    n = int(source_mask[row].sum())",
            "    out[row, :n] = torch.softmax(scores[row, :n] / temperature, -1)",
            "return out",
        ),
    ),
    ("wrong attribute", "raised.AttributeError", masked("return scores.sofmax(-1)")),
]

RIGHT = [
    ("lowest number", filled()),
    ("−1e9", filled("-1e9")),
    ("−∞, NaN replaced", filled("-torch.inf", end="torch.nan_to_num(weights, nan=0.0)")),
    (
        "where",
        masked(
            f"low = torch.where(source_mask, scores / temperature, {LOW})",
            "return torch.softmax(low, dim=-1) * source_mask",
        ),
    ),
    (
        "exp by hand",
        masked(
            f"low = (scores / temperature).masked_fill(~source_mask, {LOW})",
            "e = torch.exp(low - low.max(dim=-1, keepdim=True).values) * source_mask",
            "return e / e.sum(-1, keepdim=True).clamp_min(1e-9)",
        ),
    ),
    (
        "logsumexp",
        masked(
            f"low = (scores / temperature).masked_fill(~source_mask, {LOW})",
            "return torch.exp(low - torch.logsumexp(low, -1, keepdim=True)) * source_mask",
        ),
    ),
    (
        "added bias",
        masked(
            "bias = torch.zeros_like(scores).masked_fill(~source_mask, -1e9)",
            "return torch.softmax(scores / temperature + bias, -1) * source_mask",
        ),
    ),
]
