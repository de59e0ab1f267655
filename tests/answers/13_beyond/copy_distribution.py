"""Answers to the copy distribution."""

TASK = "copy_distribution"

NOTHING = "nothing = weights.new_zeros(weights.size(0), extended_size)"


def copy(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def copy_distribution(weights: Tensor, extended_source: Tensor, extended_size: int) -> Tensor:\n{body}"


ROWS = "rows = torch.arange(len(weights))[:, None]"

WRONG = [
    ("assigned by index", "scatter", copy(NOTHING, ROWS, "nothing[rows, extended_source] = weights", "return nothing")),
    ("added by index", "scatter", copy(NOTHING, ROWS, "nothing[rows, extended_source] += weights", "return nothing")),
    (
        "along the batch",
        "raised.RuntimeError",
        copy(NOTHING, "return nothing.scatter_add(0, extended_source, weights)"),
    ),
    ("fetched", "places | shape", copy(NOTHING, "return nothing.gather(1, extended_source) + weights")),
    ("detached", "no_gradient", copy(NOTHING, "return nothing.scatter_add(1, extended_source, weights.detach())")),
    (
        "float32",
        "hidden: dtype",
        copy(
            "nothing = torch.zeros(len(weights), extended_size)",
            "return nothing.scatter_add(1, extended_source, weights.float())",
        ),
    ),
    (
        "one row for all",
        "whole_batch",
        copy(
            "total = weights.new_zeros(extended_size)",
            "total = total.index_add(0, extended_source.flatten(), weights.flatten())",
            "return total.expand(len(weights), -1)",
        ),
    ),
    (
        "counted places",
        "counts",
        copy("return (extended_source[..., None] == torch.arange(extended_size)).sum(1).to(weights.dtype)"),
    ),
]

RIGHT = [
    ("scatter_add", copy(NOTHING, "return nothing.scatter_add(1, extended_source, weights)")),
    (
        "one-hot product",
        copy(
            "words = F.one_hot(extended_source, extended_size).to(weights.dtype)",
            "return torch.einsum('bs,bsw->bw', weights, words)",
        ),
    ),
    (
        "loop over sentences",
        copy(
            "pairs = zip(weights, extended_source)",
            "return torch.stack([row.new_zeros(extended_size).index_add(0, words, row) for row, words in pairs])",
        ),
    ),
    (
        "loop over words",
        copy("return torch.stack([(weights * (extended_source == w)).sum(1) for w in range(extended_size)], dim=1)"),
    ),
    (
        "index_put",
        copy(
            NOTHING,
            "rows = torch.arange(len(weights)).unsqueeze(1).expand_as(extended_source)",
            "return nothing.index_put((rows, extended_source), weights, accumulate=True)",
        ),
    ),
]
