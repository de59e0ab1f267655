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
    ("padding left out before", "hidden: padding_unseen",
     loss("(weights * target_mask[..., None]).cumsum(1) - weights")),
]

RIGHT = [
    ("cumulative sum", loss()),
    ("triangular matrix",
     loss("torch.ones(weights.size(1), weights.size(1), dtype=weights.dtype).tril(-1) @ weights",
          "torch.stack([weights, before]).amin(0).sum(-1)",
          "twice.masked_fill(~target_mask, 0).sum() / target_mask.sum().clamp(min=1)")),
    ("padded sum of those before",
     loss("F.pad(weights, (0, 0, 1, 0)).cumsum(1)[:, :-1]", "torch.where(weights < before, weights, before).sum(-1)",
          "torch.where(target_mask, twice, 0.0).sum() / torch.clamp(target_mask.sum(), min=1)")),
]
