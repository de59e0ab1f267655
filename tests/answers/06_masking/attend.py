"""Answers to attend; they find masked_softmax and weighted_sum as the notebook has them before."""

TASK = "attend"

WEIGHTS = "weights = masked_softmax(scores, source_mask)"
SUM = "weighted_sum(weights, values)"
OWN = "def masked_softmax(scores, source_mask, temperature=1.0):\n    return torch.softmax(scores, dim=-1)\n\n\n"


def attend(*lines: str, own: str = "") -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"{own}def attend(scores: Tensor, values: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:\n{body}"


WRONG = [
    ("context alone", "results", attend(WEIGHTS, f"return {SUM}")),
    (
        "mask in the sum only",
        "no_mask | no_mask+context_late_sum",
        attend("weights = torch.softmax(scores, -1)", "return weighted_sum(weights * source_mask, values), weights"),
    ),
    (
        "in place",
        "changed_in_place",
        attend("scores.masked_fill_(~source_mask, -1e9)", WEIGHTS, f"return {SUM}, weights"),
    ),
    ("weights per feature", "shape", attend(WEIGHTS, f"return {SUM}, weights.unsqueeze(-1).expand_as(values)")),
    ("detached weights", "no_gradient", attend(f"{WEIGHTS}.detach()", f"return {SUM}, weights")),
    ("a wrong part, and the pair exchanged", "pair_exchanged", attend(WEIGHTS, f"return weights, {SUM}", own=OWN)),
    (
        "of the first sentence",
        "mask_of_0",
        attend("weights = masked_softmax(scores, source_mask[:1])", f"return {SUM}, weights"),
    ),
]

RIGHT = [
    ("composed", attend(WEIGHTS, f"return {SUM}, weights")),
    ("einsum", attend(WEIGHTS, "return torch.einsum('bk,bkd->bd', weights, values), weights")),
    (
        "by itself",
        attend(
            "weights = torch.softmax(scores.masked_fill(~source_mask, -1e9), -1) * source_mask",
            "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        ),
    ),
    (
        "scaled_dot_product_attention",
        attend(
            WEIGHTS,
            "log = torch.log(weights.clamp_min(1e-38)).unsqueeze(1)",
            "one = torch.zeros_like(values[:, :1])",
            "context = F.scaled_dot_product_attention(one, torch.zeros_like(values), values, attn_mask=log).squeeze(1)",
            "return context * source_mask.any(-1, keepdim=True), weights",
        ),
    ),
    ("a list", attend(WEIGHTS, f"return [{SUM}, weights]")),
    ("with a wrong part of the learner's own", attend(WEIGHTS, f"return {SUM}, weights", own=OWN)),
]
