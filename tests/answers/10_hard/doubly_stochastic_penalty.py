"""Answers to the doubly stochastic penalty."""

TASK = "doubly_stochastic_penalty"


def penalty(
    result: str = "((1 - total) ** 2 * source_mask).sum(-1)",
    total: str = "(weights * target_mask.unsqueeze(-1)).sum(1)",
) -> str:
    return f"""\
def doubly_stochastic_penalty(weights: Tensor, source_mask: Tensor, target_mask: Tensor) -> Tensor:
    total = {total}
    return {result}
"""


WRONG = [
    ("over the positions", "over_positions",
     penalty("((1 - total) ** 2 * target_mask).sum(-1)", "(weights * source_mask.unsqueeze(1)).sum(2)")),
    ("masks swapped", "raised.RuntimeError", penalty(total="(weights * source_mask.unsqueeze(-1)).sum(1)")),
    ("cut off", "no_gradient", penalty(total="(weights.detach() * target_mask.unsqueeze(-1)).sum(1)")),
    ("by lengths", "hidden: values | padding_counts",
     penalty("((1 - total) ** 2 * (torch.arange(total.size(1)) < source_mask.sum(-1, keepdim=True))).sum(-1)")),
]
RIGHT = [
    ("as written", penalty()), ("square", penalty("(1 - total).square().masked_fill(~source_mask, 0).sum(dim=1)")),
    ("product of matrices", penalty(total="(target_mask.to(weights.dtype).unsqueeze(1) @ weights).squeeze(1)")),
]
