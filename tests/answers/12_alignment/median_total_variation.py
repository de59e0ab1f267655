"""Answers to the median total variation."""

TASK, CHECKS, PARTS = "median_total_variation", "permutation", ("median_total_variation",)


def distance(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def median_total_variation(original: Tensor, permuted: Tensor) -> Tensor:\n{body}"


EACH = "each = (permuted - original).abs().sum(-1) / 2"

WRONG = [
    (
        "half forgotten",
        "visible",
        "what one word gains another has lost",
        distance("return (permuted - original).abs().sum(-1).median(0).values"),
    ),
    ("mean", "visible", "this is the mean over the trials", distance(EACH, "return each.mean(0)")),
    ("largest", "visible", "this is the largest over the trials", distance(EACH, "return each.amax(0)")),
    ("first trial", "visible", "only the first trial", distance(EACH, "return each[0]")),
    (
        "mean over the words",
        "visible",
        "averaged over the words",
        distance("return (permuted - original).abs().mean(-1).median(0).values"),
    ),
    (
        "no absolute value",
        "visible",
        ("the differences cancel out",),
        distance("return ((permuted - original).sum(-1) / 2).median(0).values"),
    ),
    (
        "squares",
        "visible",
        "the differences are squared",
        distance("return (permuted - original).pow(2).sum(-1).median(0).values / 2"),
    ),
    (
        "Euclidean",
        "visible",
        "the Euclidean distance",
        distance("return (permuted - original).norm(dim=-1).median(0).values"),
    ),
    (
        "largest word",
        "visible",
        "the largest difference of one word",
        distance("return (permuted - original).abs().amax(-1).median(0).values"),
    ),
    (
        "median word by word",
        "visible",
        "the median is taken word by word",
        distance("return (permuted - original).abs().median(0).values.sum(-1) / 2"),
    ),
    (
        "trials averaged first",
        "visible",
        "the trials are averaged before",
        distance("return (permuted.mean(0) - original).abs().sum(-1) / 2"),
    ),
    (
        "divergence",
        "visible",
        "Kullback-Leibler",
        distance("return (original * (original / permuted).log()).nan_to_num().sum(-1).median(0).values"),
    ),
    (
        "median over the sentences",
        "visible",
        ("ran over the sentences",),
        distance(EACH, "return each.median(1).values"),
    ),
    ("median of everything", "visible", "each sentence has its own", distance(EACH, "return each.median()")),
    ("no median", "visible", "the median over the trials is missing", distance(EACH, "return each")),
    (
        "the pair",
        "visible",
        "a tensor",
        distance(EACH, "return tuple(each.median(0))"),
    ),
    (
        "bare squeeze",
        "hidden",
        "a bare `.squeeze()`",
        distance(EACH, "return each.median(0).values.squeeze()"),
    ),
]

RIGHT = [
    ("median", distance(EACH, "return each.median(0).values")),
    ("sorted", distance(EACH, "return each.sort(0).values[len(each) // 2]")),
    ("quantile", distance(EACH, "return each.quantile(0.5, dim=0)")),
    (
        "what is gained",
        distance("return (permuted - original.unsqueeze(0)).clamp(min=0).sum(-1).median(dim=0)[0]"),
    ),
    (
        "loop",
        distance(
            "result = torch.zeros_like(original[:, 0])",
            "for row in range(len(original)):",
            "    gaps = [0.5 * float((trial[row] - original[row]).abs().sum()) for trial in permuted]",
            "    result[row] = sorted(gaps)[len(gaps) // 2]",
            "return result",
        ),
    ),
    ("overlap", distance("return (1 - torch.minimum(permuted, original).sum(-1)).median(0).values")),
]
