"""Answers to the scaled dot scorer."""

TASK = "scaled_dot_scorer"


def scaled(expression: str) -> str:
    return f"""\
class ScaledDotScorer(Scorer):
    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        product = (projected_keys @ query.unsqueeze(-1)).squeeze(-1)
        size = query.size(-1)
        return {expression}
"""


WRONG = [
    ("both divided", "size", scaled("((projected_keys / size**0.5) @ (query / size**0.5).unsqueeze(-1)).squeeze(-1)")),
    ("lengths", "cosine", scaled("product / (query.norm(dim=-1, keepdim=True) * projected_keys.norm(dim=-1))")),
    (
        "in place",
        "changed_in_place",
        scaled("(projected_keys @ query.div_(math.sqrt(size)).unsqueeze(-1)).squeeze(-1)"),
    ),
    ("new tensor", "no_gradient", scaled("torch.tensor(product.tolist(), dtype=query.dtype) / math.sqrt(size)")),
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
