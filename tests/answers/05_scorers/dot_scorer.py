"""Answers to the dot scorer."""

TASK, CHECKS, PARTS = "dot_scorer", "scorers", ("DotScorer",)


def dot(expression: str, before: str = "pass") -> str:
    return f"""\
class DotScorer(Scorer):
    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        {before}
        return {expression}
"""


PRODUCT = "(projected_keys @ query.unsqueeze(-1)).squeeze(-1)"

WRONG = [
    (
        "trailing axis",
        "visible",
        ("shape (2, 5, 1)", "(batch=2, keys=5)", "`.squeeze(-1)`"),
        dot("projected_keys @ query.unsqueeze(-1)"),
    ),
    ("softmax", "visible", "a softmax is already applied", dot(f"torch.softmax({PRODUCT}, dim=-1)")),
    ("softmax over the batch", "visible", "a softmax over the batch", dot(f"torch.softmax({PRODUCT}, dim=0)")),
    ("log-softmax", "visible", "a log-softmax is already applied", dot(f"torch.log_softmax({PRODUCT}, dim=-1)")),
    ("scaled", "visible", "the plain dot product is not scaled", dot(f"{PRODUCT} / math.sqrt(query.size(-1))")),
    ("mean", "visible", "averaged over the features", dot("(query.unsqueeze(1) * projected_keys).mean(-1)")),
    ("cosine", "visible", "this is the cosine", dot("F.cosine_similarity(query.unsqueeze(1), projected_keys, dim=-1)")),
    ("distance", "visible", "the distance", dot("(query.unsqueeze(1) - projected_keys).norm(dim=-1)")),
    ("not summed", "visible", "the sum over the features is missing", dot("query.unsqueeze(1) * projected_keys")),
    ("summed over keys", "visible", "the sum ran over the keys", dot("(query.unsqueeze(1) * projected_keys).sum(1)")),
    (
        "every query with every sentence",
        "visible",
        "every query meets the keys of every sentence",
        dot("torch.einsum('ad,bkd->abk', query, projected_keys)"),
    ),
    (
        "keys with keys",
        "visible",
        "keys are compared with keys",
        dot("projected_keys @ projected_keys.transpose(1, 2)"),
    ),
    ("query of sentence 0", "visible", "by the query of sentence 0", dot("projected_keys @ query[0]")),
    ("keys of sentence 0", "visible", "the keys of sentence 0", dot("query @ projected_keys[0].T")),
    ("axes exchanged", "visible", "(keys, batch)", dot(f"{PRODUCT}.T")),
    ("bare squeeze", "hidden", "a bare `.squeeze()`", dot("(projected_keys @ query.unsqueeze(-1)).squeeze()")),
    ("no gradient", "visible", "cut off from autograd", dot(f"{PRODUCT}.detach()")),
    (
        "keys cut off",
        "visible",
        "no gradient reaches keys",
        dot("(projected_keys.data @ query.unsqueeze(-1)).squeeze(-1)"),
    ),
    (
        "keys changed in place",
        "visible",
        ("keys", "changed in place"),
        dot("projected_keys.mul_(query.unsqueeze(1)).sum(-1)"),
    ),
    ("return forgotten", "visible", ("nothing (None)", "`return`"), dot("None")),
    (
        "an error of its own",
        "visible",
        ("raised NameError", "name 'kyes' is not defined", "at your line `return kyes @ query`"),
        dot("kyes @ query"),
    ),
    ("whole numbers", "visible", "dtype torch.int64", dot(f"{PRODUCT}.long()")),
    ("minus", "visible", "the sign is wrong", dot(f"-{PRODUCT}")),
    (
        "scores compete",
        "visible",
        "the score of one key changes with the content of another key",
        dot("scores - scores.max(-1, keepdim=True).values", f"scores = {PRODUCT}"),
    ),
    (
        "sentences mixed",
        "visible",
        "the scores of one sentence change with the query of another",
        dot("(projected_keys @ query.sum(0)) * 0.5"),
    ),
]

RIGHT = [
    ("matrix product", dot(PRODUCT)),
    ("bmm", dot("torch.bmm(projected_keys, query.unsqueeze(2)).squeeze(2)")),
    ("einsum", dot("torch.einsum('bd,bkd->bk', query, projected_keys)")),
    ("broadcast", dot("(query[:, None, :] * projected_keys).sum(dim=-1)")),
    ("row vector", dot("(query.unsqueeze(-2) @ projected_keys.transpose(-1, -2)).squeeze(-2)")),
    (
        "loop",
        dot("torch.stack([torch.stack([q @ k for k in keys]) for q, keys in zip(query, projected_keys)])"),
    ),
]
