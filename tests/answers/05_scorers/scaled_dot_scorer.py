"""Answers to the scaled dot scorer."""

TASK, CHECKS, PARTS = "scaled_dot_scorer", "scorers", ("ScaledDotScorer",)


def scaled(expression: str) -> str:
    return f"""\
class ScaledDotScorer(Scorer):
    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        product = (projected_keys @ query.unsqueeze(-1)).squeeze(-1)
        size = query.size(-1)
        return {expression}
"""


WRONG = [
    ("not scaled", "visible", "not scaled at all", scaled("product")),
    ("divided by the size", "visible", "divided by the size itself", scaled("product / size")),
    ("multiplied", "visible", "multiplied by the root", scaled("product * math.sqrt(size)")),
    (
        "root of the number of keys",
        "visible",
        "the root of the number of keys",
        scaled("product / math.sqrt(product.size(-1))"),
    ),
    ("number of keys", "visible", "divided by the number of keys", scaled("product / product.size(1)")),
    ("root of the batch", "visible", "the root of the batch size", scaled("product / math.sqrt(query.size(0))")),
    (
        "both divided",
        "visible",
        "divided by the size itself",
        scaled("((projected_keys / size**0.5) @ (query / size**0.5).unsqueeze(-1)).squeeze(-1)"),
    ),
    (
        "lengths",
        "visible",
        "this is the cosine",
        scaled("product / (query.norm(dim=-1, keepdim=True) * projected_keys.norm(dim=-1))"),
    ),
    ("fourth root", "visible", "the fourth root", scaled("product / size**0.25")),
    ("softmax", "visible", "a softmax is already applied", scaled("torch.softmax(product / math.sqrt(size), -1)")),
    (
        "in place",
        "visible",
        ("query", "changed in place"),
        scaled("(projected_keys @ query.div_(math.sqrt(size)).unsqueeze(-1)).squeeze(-1)"),
    ),
    ("a fixed size", "hidden", "other sizes", scaled("product / math.sqrt(6)")),
    ("trailing axis", "visible", "`.squeeze(-1)`", scaled("product.unsqueeze(-1) / math.sqrt(size)")),
    (
        "new tensor",
        "visible",
        "cut off from autograd",
        scaled("torch.tensor(product.tolist(), dtype=query.dtype) / math.sqrt(size)"),
    ),
]

RIGHT = [
    ("root of the size", scaled("product / math.sqrt(size)")),
    ("power", scaled("product * size**-0.5")),
    ("query scaled first", scaled("torch.einsum('bd,bkd->bk', query / size**0.5, projected_keys)")),
    (
        "root split between query and keys",
        """\
class ScaledDotScorer(Scorer):
    def score(self, query, projected_keys):
        fourth = query.size(-1) ** 0.25
        return ((query / fourth).unsqueeze(1) * (projected_keys / fourth)).sum(-1)
""",
    ),
]
