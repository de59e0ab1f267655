"""Answers to attend; they find masked_softmax and weighted_sum as the notebook has them before."""

TASK = "attend"

WEIGHTS = "weights = masked_softmax(scores, source_mask)"
SUM = "weighted_sum(weights, values)"
OWN = "def masked_softmax(scores, source_mask, temperature=1.0):\n    return torch.softmax(scores, dim=-1)\n\n\n"


def attend(*lines: str, above: str = "") -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"{above}def attend(scores: Tensor, values: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:\n{body}"


WRONG = [
    ("context alone", "results", attend(WEIGHTS, f"return {SUM}")),
    ("cut at the longest", "hidden: values",
     attend(WEIGHTS, "n = source_mask.sum(1).max()", "return weighted_sum(weights[:, :n], values[:, :n]), weights")),
    ("padding at −1e12", "hidden: not_low_enough", attend(
        "weights = scores.masked_fill(~source_mask, -1e12).softmax(-1) * source_mask", f"return {SUM}, weights")),
    ("detached weights", "no_gradient", attend(f"{WEIGHTS}.detach()", f"return {SUM}, weights")),
    ("a wrong part, and the pair exchanged", "no_mask+exchanged", attend(WEIGHTS, f"return weights, {SUM}", above=OWN)),
]

RIGHT = [
    ("composed", attend(WEIGHTS, f"return {SUM}, weights")),
    ("einsum", attend(WEIGHTS, "return torch.einsum('bk,bkd->bd', weights, values), weights")),
    ("a list", attend(WEIGHTS, f"return [{SUM}, weights]")),
]
