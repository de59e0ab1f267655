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
    ("keys changed in place", "changed_in_place", dot("projected_keys.mul_(query.unsqueeze(1)).sum(-1)")),
    ("cut to one size", "hidden: error_missing",
     dot("(projected_keys[..., :n] @ query[:, :n, None])[..., 0]", "n = min(query.size(1), projected_keys.size(2))")),
    ("an error of its own", "raised.NameError", dot("kyes @ query")),
]

RIGHT = [
    ("matrix product", dot(PRODUCT)), ("bmm", dot("torch.bmm(projected_keys, query.unsqueeze(2)).squeeze(2)")),
    ("einsum", dot("torch.einsum('bd,bkd->bk', query, projected_keys)")),
]
