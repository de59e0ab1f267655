"""Answers to the score behind the weights."""

TASK = "score_behind"


def behind(
    gap: str = "(centred(weights.log()) - factor * known).abs().max()",
    factor: str = "(centred(weights.log()) * known).sum() / (known * known).sum()",
    fits: str = "factor > 0 and gap < 1e-3", result: str = "name, 1 / factor.item()",
    products: str = "torch.einsum('bd,bkd->bk', query, keys)",
) -> str:
    return f"""\
def score_behind(weights: Tensor, query: Tensor, keys: Tensor) -> tuple[str, float]:
    def centred(table):
        return table - table.mean(1, keepdim=True)

    products = {products}
    lengths = query.norm(dim=1, keepdim=True) * keys.norm(dim=2)
    distances = 2 * products - keys.square().sum(2)
    for name, scores in (("dot", products), ("cosine", products / lengths), ("distance", distances)):
        known = centred(scores)
        factor = {factor}
        gap = {gap}
        if {fits}:
            return {result}
    return "none", 0.0
"""


WRONG = [
    ("the name alone", "results | values", behind(result="name")),
    ("weights compared, not their logarithms", "hidden: too_loose",
     behind("((factor * scores).softmax(1) - weights).abs().max()")),
    ("none at all", "raised.TypeError | results | nothing | values | missing",
     behind().replace('return "none", 0.0', "return None")),
    ("no temperature above 30", "hidden: low_only", behind(fits="factor > 1 / 30 and gap < 1e-3")),
    ("a loose fit", "hidden: too_loose", behind(fits="factor > 0 and gap < 0.01")),
]
RIGHT = [
    ("centred tables", behind()),
    ("softmax again", behind("(scores.mul(factor).log_softmax(1) - weights.log()).abs().max()")),
    ("least squares",
     behind(factor="torch.linalg.lstsq(known.reshape(-1, 1), centred(weights.log()).reshape(-1, 1)).solution[0, 0]")),
]
