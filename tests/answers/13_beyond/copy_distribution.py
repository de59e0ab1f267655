"""Answers to the copy distribution."""

TASK, CHECKS, PARTS = "copy_distribution", "copying", ("copy_distribution",)

NOTHING = "nothing = weights.new_zeros(weights.size(0), extended_size)"


def copy(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def copy_distribution(weights: Tensor, extended_source: Tensor, extended_size: int) -> Tensor:\n{body}"


WRONG = [
    (
        "scatter",
        "visible",
        "a word that comes twice keeps only its last weight",
        copy(NOTHING, "return nothing.scatter(1, extended_source, weights)"),
    ),
    (
        "assigned by index",
        "visible",
        "a word that comes twice keeps only its last weight",
        copy(
            NOTHING,
            "rows = torch.arange(len(weights))[:, None]",
            "nothing[rows, extended_source] = weights",
            "return nothing",
        ),
    ),
    (
        "added by index",
        "visible",
        "a word that comes twice keeps only its last weight",
        copy(
            NOTHING,
            "rows = torch.arange(len(weights))[:, None]",
            "nothing[rows, extended_source] += weights",
            "return nothing",
        ),
    ),
    (
        "largest",
        "visible",
        "keeps only its largest weight",
        copy(NOTHING, "return nothing.scatter_reduce(1, extended_source, weights, 'amax')"),
    ),
    (
        "mean",
        "visible",
        "the mean of its weights",
        copy(NOTHING, "return nothing.scatter_reduce(1, extended_source, weights, 'mean', include_self=False)"),
    ),
    (
        "counts",
        "visible",
        "these are counts",
        copy(NOTHING, "return nothing.scatter_add(1, extended_source, torch.ones_like(weights))"),
    ),
    (
        "hard",
        "visible",
        "1 for the word of the largest weight",
        copy(
            "best = extended_source.gather(1, weights.argmax(1, keepdim=True))[:, 0]",
            "return F.one_hot(best, extended_size).to(weights.dtype)",
        ),
    ),
    (
        "as long as the largest id",
        "visible",
        "as many as the largest id",
        copy(
            "nothing = weights.new_zeros(len(weights), int(extended_source.max()) + 1)",
            "return nothing.scatter_add(1, extended_source, weights)",
        ),
    ),
    (
        "one for the batch",
        "visible",
        "the weights of all sentences are added up",
        copy(
            "total = weights.new_zeros(extended_size)",
            "total = total.index_add(0, extended_source.flatten(), weights.flatten())",
            "return total.expand(len(weights), -1)",
        ),
    ),
    (
        "batch lost",
        "visible",
        "the batch axis is lost",
        copy(
            "total = weights.new_zeros(extended_size)",
            "return total.index_add(0, extended_source.flatten(), weights.flatten())",
        ),
    ),
    (
        "along the batch",
        "visible",
        ("raised", "at your line"),
        copy(NOTHING, "return nothing.scatter_add(0, extended_source, weights)"),
    ),
    (
        "not summed",
        "visible",
        "the places of a word are to be added up",
        copy("return F.one_hot(extended_source, extended_size) * weights.unsqueeze(-1)"),
    ),
    (
        "the weights themselves",
        "visible",
        "a number for each place",
        copy("return weights"),
    ),
    (
        "fetched",
        "visible",
        ("a number for each place",),
        copy(NOTHING, "return nothing.gather(1, extended_source) + weights"),
    ),
    (
        "softmax",
        "visible",
        "a softmax is applied",
        copy(NOTHING, "return nothing.scatter_add(1, extended_source, weights).softmax(-1)"),
    ),
    (
        "detached",
        "visible",
        "cut off from autograd",
        copy(NOTHING, "return nothing.scatter_add(1, extended_source, weights.detach())"),
    ),
    (
        "float32",
        "hidden",
        "float64",
        copy(
            "nothing = torch.zeros(weights.size(0), extended_size)",
            "return nothing.scatter_add(1, extended_source, weights.float())",
        ),
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
            "rows = []",
            "for row, words in zip(weights, extended_source):",
            "    rows.append(row.new_zeros(extended_size).index_add(0, words, row))",
            "return torch.stack(rows)",
        ),
    ),
    (
        "loop over words",
        copy(
            "return torch.stack([(weights * (extended_source == w)).sum(1) for w in range(extended_size)], dim=1)",
        ),
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
