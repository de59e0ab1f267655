"""Answers to the coverage loss."""

TASK, CHECKS, PARTS = "coverage_loss", "coverage", ("coverage_loss",)

BEFORE = "before = weights.cumsum(1) - weights"
TWICE = "twice = torch.minimum(weights, before).sum(-1)"
MEAN = "return (twice * target_mask).sum() / target_mask.sum().clamp(min=1)"


def loss(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def coverage_loss(weights: Tensor, target_mask: Tensor) -> Tensor:\n{body}"


WRONG = [
    (
        "with the step itself",
        "visible",
        "the coverage of a step has the step itself in it",
        loss("before = weights.cumsum(1)", TWICE, MEAN),
    ),
    (
        "the step before alone",
        "visible",
        "only the step just before counts",
        loss("before = F.pad(weights[:, :-1], (0, 0, 1, 0))", TWICE, MEAN),
    ),
    (
        "along the source",
        "visible",
        "the coverage runs along the source",
        loss("before = weights.cumsum(-1) - weights", TWICE, MEAN),
    ),
    (
        "all steps",
        "visible",
        "the coverage of a step has the step itself in it",
        loss("before = weights.sum(1, keepdim=True)", TWICE, MEAN),
    ),
    (
        "steps to come",
        "visible",
        "the sum of the steps to come",
        loss("before = weights.sum(1, keepdim=True) - weights.cumsum(1)", TWICE, MEAN),
    ),
    (
        "maximum",
        "visible",
        "the maximum is taken",
        loss(BEFORE, "twice = torch.maximum(weights, before).sum(-1)", MEAN),
    ),
    ("product", "visible", "the product is taken", loss(BEFORE, "twice = (weights * before).sum(-1)", MEAN)),
    ("no mask", "visible", "the mask is not used", loss(BEFORE, TWICE, "return twice.mean()")),
    (
        "divided by all steps",
        "visible",
        "divided by all steps, padding among them",
        loss(BEFORE, TWICE, "return (twice * target_mask).mean()"),
    ),
    (
        "polarity",
        "visible",
        "the mask is turned round",
        loss(BEFORE, TWICE, "return (twice * ~target_mask).sum() / (~target_mask).sum().clamp(min=1)"),
    ),
    (
        "sum",
        "visible",
        "this is the sum",
        loss(BEFORE, TWICE, "return (twice * target_mask).sum()"),
    ),
    (
        "divided by the sentences",
        "visible",
        "divided by the number of sentences",
        loss(BEFORE, TWICE, "return (twice * target_mask).sum() / len(weights)"),
    ),
    (
        "mean of means",
        "visible",
        "the mean of each sentence's mean",
        loss(BEFORE, TWICE, "return ((twice * target_mask).sum(1) / target_mask.sum(1)).mean()"),
    ),
    (
        "mean over the source",
        "visible",
        "averaged over the source tokens",
        loss(BEFORE, "twice = torch.minimum(weights, before).mean(-1)", MEAN),
    ),
    (
        "one for each word",
        "visible",
        "one cost for each word",
        loss(BEFORE, TWICE, "return twice * target_mask"),
    ),
    (
        "coverage cut off",
        "visible",
        "the values are right, the way to them is not",
        loss("before = (weights.cumsum(1) - weights).detach()", TWICE, MEAN),
    ),
    (
        "nothing to divide by",
        "hidden",
        "where no word is real",
        loss(BEFORE, TWICE, "return twice[target_mask].mean()"),
    ),
    (
        "lengths for a mask",
        "hidden",
        "padding on the left",
        loss(
            BEFORE,
            TWICE,
            "real = torch.arange(weights.size(1)) < target_mask.sum(1, keepdim=True)",
            "return (twice * real).sum() / real.sum().clamp(min=1)",
        ),
    ),
]

RIGHT = [
    ("cumulative sum", loss(BEFORE, TWICE, MEAN)),
    (
        "loop over steps",
        loss(
            "coverage = torch.zeros_like(weights[:, 0])",
            "total = weights.new_zeros(())",
            "for step in range(weights.size(1)):",
            "    cost = torch.minimum(weights[:, step], coverage).sum(-1)",
            "    total = total + (cost * target_mask[:, step]).sum()",
            "    coverage = coverage + weights[:, step]",
            "return total / max(1, int(target_mask.sum()))",
        ),
    ),
    (
        "triangular matrix",
        loss(
            "earlier = torch.ones(weights.size(1), weights.size(1), dtype=weights.dtype).tril(-1)",
            "before = earlier @ weights",
            "twice = torch.stack([weights, before]).amin(0).sum(-1)",
            "return twice.masked_fill(~target_mask, 0).sum() / target_mask.sum().clamp(min=1)",
        ),
    ),
    (
        "padded sum of those before",
        loss(
            "before = F.pad(weights, (0, 0, 1, 0)).cumsum(1)[:, :-1]",
            "twice = torch.where(weights < before, weights, before).sum(-1)",
            "return torch.where(target_mask, twice, 0.0).sum() / torch.clamp(target_mask.sum(), min=1)",
        ),
    ),
]
