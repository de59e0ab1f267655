"""Answers to the dot scorer."""

TASK = "dot_scorer"


def dot(expression: str, before: str = "pass") -> str:
    return f"""\
class DotScorer(Scorer):
    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        {before}
        return {expression}
"""


PRODUCT = "(projected_keys @ query.unsqueeze(-1)).squeeze(-1)"

WRONG = [
    ("keys cut off", "no_gradient", dot("(projected_keys.data @ query.unsqueeze(-1)).squeeze(-1)")),
    ("query changed in place", "changed_in_place",
     dot("2 * (projected_keys @ query.mul_(0.5).unsqueeze(-1)).squeeze(-1)")),
    ("return forgotten", "nothing | not_a_tensor | change", dot("None")),
    ("an error of its own", "raised.NameError", dot("kyes @ query")),
]

RIGHT = [
    ("matrix product", dot(PRODUCT)),
    ("bmm", dot("torch.bmm(projected_keys, query.unsqueeze(2)).squeeze(2)")),
    ("einsum", dot("torch.einsum('bd,bkd->bk', query, projected_keys)")),
]
