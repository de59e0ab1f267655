"""Answers to attend; they find masked_softmax and weighted_sum as the notebook has them before."""

TASK, CHECKS, PARTS = "attend", "attention", ("attend", "masked_softmax")

WEIGHTS = "weights = masked_softmax(scores, source_mask)"
SUM = "weighted_sum(weights, values)"


def attend(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def attend(scores: Tensor, values: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:\n{body}"


WRONG = [
    ("order", "visible", "the pair (weights, context)", attend(WEIGHTS, f"return weights, {SUM}")),
    ("context alone", "visible", ("one tensor", "(context, weights)"), attend(WEIGHTS, f"return {SUM}")),
    ("averaged", "visible", "the plain average", attend(WEIGHTS, "return values.mean(1), weights")),
    (
        "average of real tokens",
        "visible",
        "averaged over the real tokens",
        attend(
            WEIGHTS, "real = source_mask.unsqueeze(-1)", "return (values * real).sum(1) / real.sum(1).clamp(1), weights"
        ),
    ),
    (
        "mask in the sum only",
        "visible",
        "the mask is not used for the weights",
        attend("weights = torch.softmax(scores, -1)", "return weighted_sum(weights * source_mask, values), weights"),
    ),
    (
        "mask in the weights only",
        "visible",
        "the padding is left in the sum",
        attend(WEIGHTS, "return weighted_sum(torch.softmax(scores, -1), values), weights"),
    ),
    (
        "mask after the softmax",
        "visible",
        "the mask comes after the softmax",
        attend("weights = torch.softmax(scores, -1) * source_mask", f"return {SUM}, weights"),
    ),
    (
        "no mask",
        "visible",
        "the mask is not used for the weights",
        attend("weights = torch.softmax(scores, -1)", f"return {SUM}, weights"),
    ),
    ("scores returned", "visible", "the softmax is missing", attend(WEIGHTS, f"return {SUM}, scores")),
    (
        "scores summed",
        "visible",
        "the scores, unmasked, are summed",
        attend(WEIGHTS, "return weighted_sum(scores, values), weights"),
    ),
    (
        "polarity",
        "visible",
        "the mask is turned round",
        attend("weights = masked_softmax(scores, ~source_mask)", f"return {SUM}, weights"),
    ),
    (
        "softmax twice",
        "visible",
        "the softmax is applied twice",
        attend("weights = masked_softmax(masked_softmax(scores, source_mask), source_mask)", f"return {SUM}, weights"),
    ),
    (
        "in place",
        "visible",
        ("scores", "changed in place"),
        attend("scores.masked_fill_(~source_mask, -1e9)", WEIGHTS, f"return {SUM}, weights"),
    ),
    (
        "sum over features",
        "visible",
        ("context", "shape (3, 5)"),
        attend(WEIGHTS, "return (weights.unsqueeze(-1) * values).sum(-1), weights"),
    ),
    (
        "weights per feature",
        "visible",
        ("weights", "shape (3, 5, 4)"),
        attend(
            "weights = masked_softmax(scores, source_mask)", f"return {SUM}, weights.unsqueeze(-1).expand_as(values)"
        ),
    ),
    (
        "detached weights",
        "hidden",
        "no gradient reaches scores",
        attend("weights = masked_softmax(scores, source_mask).detach()", f"return {SUM}, weights"),
    ),
    (
        "minus infinity",
        "hidden",
        "a sentence without a real token",
        attend("weights = torch.softmax(scores.masked_fill(~source_mask, -torch.inf), -1)", f"return {SUM}, weights"),
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
]
