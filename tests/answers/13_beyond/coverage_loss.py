"""Answers to the coverage loss."""

TASK = "coverage_loss"

BEFORE = "weights.cumsum(1) - weights"
TWICE = "torch.minimum(weights, before).sum(-1)"
MEAN = "(twice * target_mask).sum() / target_mask.sum().clamp(min=1)"


def loss(before: str = BEFORE, twice: str = TWICE, mean: str = MEAN) -> str:
    return f"""\
def coverage_loss(weights: Tensor, target_mask: Tensor) -> Tensor:
    before = {before}
    twice = {twice}
    return {mean}
"""


WRONG = [
    ("coverage cut off", "gradient", loss("(weights.cumsum(1) - weights).detach()")),
    ("nothing to divide by", "hidden: nothing_real", loss(mean="twice[target_mask].mean()")),
    ("maximum", "change", loss(twice="torch.maximum(weights, before).sum(-1)")),
    ("mean of the source", "over_source", loss(twice="torch.minimum(weights, before).mean(-1)")),
    ("all steps", "itself", loss("weights.sum(1, keepdim=True)")),
    ("padding left out before", "hidden: values", loss("(weights * target_mask[..., None]).cumsum(1) - weights")),
    (
        "in place",
        "changed_in_place",
        loss("weights.cumsum(1) - weights", "torch.minimum(weights, before, out=weights).sum(-1)"),
    ),
    ("the last cost", "values | shape", loss(mean="twice[:, -1].mean()")),
    ("a number, not a tensor", "not_a_tensor", loss(mean=f"float({MEAN})")),
]

RIGHT = [
    ("cumulative sum", loss()),
    (
        "loop over steps",
        """\
def coverage_loss(weights, target_mask):
    coverage, total = torch.zeros_like(weights[:, 0]), weights.new_zeros(())
    for step in range(weights.size(1)):
        cost = torch.minimum(weights[:, step], coverage).sum(-1)
        total = total + (cost * target_mask[:, step]).sum()
        coverage = coverage + weights[:, step]
    return total / max(1, int(target_mask.sum()))
""",
    ),
    (
        "triangular matrix",
        loss(
            "torch.ones(weights.size(1), weights.size(1), dtype=weights.dtype).tril(-1) @ weights",
            "torch.stack([weights, before]).amin(0).sum(-1)",
            "twice.masked_fill(~target_mask, 0).sum() / target_mask.sum().clamp(min=1)",
        ),
    ),
    (
        "padded sum of those before",
        loss(
            "F.pad(weights, (0, 0, 1, 0)).cumsum(1)[:, :-1]",
            "torch.where(weights < before, weights, before).sum(-1)",
            "torch.where(target_mask, twice, 0.0).sum() / torch.clamp(target_mask.sum(), min=1)",
        ),
    ),
]
