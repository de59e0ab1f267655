"""Answers to the copy distribution."""

TASK = "copy_distribution"

NOTHING = "nothing = weights.new_zeros(weights.size(0), extended_size)"


def copy(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def copy_distribution(weights: Tensor, extended_source: Tensor, extended_size: int) -> Tensor:\n{body}"


ROWS = "rows = torch.arange(len(weights))[:, None]"

WRONG = [
    ("assigned by index", "scatter", copy(NOTHING, ROWS, "nothing[rows, extended_source] = weights", "return nothing")),
    ("along the batch", "raised.RuntimeError",
     copy(NOTHING, "return nothing.scatter_add(0, extended_source, weights)")),
    ("fetched", "places | shape", copy(NOTHING, "return nothing.gather(1, extended_source) + weights")),
    ("made to sum to 1", "renormalised", copy(
        NOTHING, "words = nothing.scatter_add(1, extended_source, weights)", "return words / words.sum(-1)[:, None]")),
    ("detached", "no_gradient", copy(NOTHING, "return nothing.scatter_add(1, extended_source, weights.detach())")),
]

RIGHT = [
    ("scatter_add", copy(NOTHING, "return nothing.scatter_add(1, extended_source, weights)")),
    ("one-hot product",
        copy("words = F.one_hot(extended_source, extended_size).to(weights.dtype)",
             "return torch.einsum('bs,bsw->bw', weights, words)")),
    ("loop over words",
     copy("return torch.stack([(weights * (extended_source == w)).sum(1) for w in range(extended_size)], dim=1)")),
]
