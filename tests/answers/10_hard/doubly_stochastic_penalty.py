"""Answers to the doubly stochastic penalty."""

TASK, CHECKS, PARTS = "doubly_stochastic_penalty", "penalty", ("doubly_stochastic_penalty",)


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
    ("no masks", "visible", "neither mask is used", penalty("((1 - total) ** 2).sum(-1)", "weights.sum(1)")),
    ("no source mask", "visible", "padding positions are counted", penalty("((1 - total) ** 2).sum(-1)")),
    ("no target mask", "visible", "steps of padding are counted", penalty(total="weights.sum(1)")),
    (
        "over the positions",
        "visible",
        "sum over the steps",
        penalty("((1 - total) ** 2 * target_mask).sum(-1)", "(weights * target_mask.unsqueeze(-1)).sum(2)"),
    ),
    ("no square", "visible", "the square is missing", penalty("((1 - total) * source_mask).sum(-1)")),
    ("absolute", "visible", "the distance is not squared", penalty("((1 - total).abs() * source_mask).sum(-1)")),
    ("no 1", "visible", "the 1 is missing", penalty("(total**2 * source_mask).sum(-1)")),
    (
        "each weight",
        "visible",
        "the steps are summed first",
        penalty(
            "total.sum((1, 2))",
            "(1 - weights) ** 2 * target_mask.unsqueeze(-1) * source_mask.unsqueeze(1)",
        ),
    ),
    (
        "averaged over steps",
        "visible",
        "averaged over the steps",
        penalty(total="(weights * target_mask.unsqueeze(-1)).sum(1) / target_mask.sum(-1, keepdim=True)"),
    ),
    (
        "averaged over positions",
        "visible",
        "averaged over the real positions",
        penalty("((1 - total) ** 2 * source_mask).sum(-1) / source_mask.sum(-1)"),
    ),
    ("root", "visible", "the root is taken", penalty("((1 - total) ** 2 * source_mask).sum(-1).sqrt()")),
    (
        "square of the sum",
        "visible",
        "not each position's distance",
        penalty("((1 - total) * source_mask).sum(-1) ** 2"),
    ),
    ("batch summed", "visible", "each sentence has a penalty", penalty("((1 - total) ** 2 * source_mask).sum()")),
    ("positions left", "visible", "the positions are still to be summed", penalty("(1 - total) ** 2 * source_mask")),
    (
        "masks swapped",
        "visible",
        ("raised RuntimeError", "source_mask (3, 5)"),
        penalty(total="(weights * source_mask.unsqueeze(-1)).sum(1)"),
    ),
    (
        "cut off",
        "visible",
        "cut off from autograd",
        penalty(total="(weights.detach() * target_mask.unsqueeze(-1)).sum(1)"),
    ),
    (
        "polarity of the steps",
        "visible",
        "the mask of the steps is turned round",
        penalty(total="(weights * ~target_mask.unsqueeze(-1)).sum(1)"),
    ),
    (
        "in place",
        "visible",
        "in-place operation",
        penalty(total="weights.masked_fill_(~target_mask.unsqueeze(-1), 0.0).sum(1)"),
    ),
]

RIGHT = [
    ("as written", penalty()),
    (
        "einsum",
        penalty(
            "torch.einsum('bk,bk,bk->b', 1 - total, 1 - total, source_mask.to(total.dtype))",
            "torch.einsum('btk,bt->bk', weights, target_mask.to(weights.dtype))",
        ),
    ),
    ("square", penalty("(1 - total).square().masked_fill(~source_mask, 0).sum(dim=1)")),
    (
        "product of matrices",
        penalty(total="(target_mask.to(weights.dtype).unsqueeze(1) @ weights).squeeze(1)"),
    ),
    (
        "loop",
        """\
def doubly_stochastic_penalty(weights: Tensor, source_mask: Tensor, target_mask: Tensor) -> Tensor:
    penalties = []
    for sentence, real, steps in zip(weights, source_mask, target_mask):
        total = sentence[steps].sum(0)
        penalties.append(((1 - total[real]) ** 2).sum())
    return torch.stack(penalties)
""",
    ),
]
