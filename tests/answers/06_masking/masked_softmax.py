"""Answers to the masked softmax."""

TASK, CHECKS, PARTS = "masked_softmax", "masking", ("masked_softmax",)

LOW = "torch.finfo(scores.dtype).min"


def masked(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def masked_softmax(scores: Tensor, source_mask: Tensor, temperature: float = 1.0) -> Tensor:\n{body}"


def filled(
    low: str = LOW, scale: str = "scores / temperature", end: str = "weights.masked_fill(~source_mask, 0.0)"
) -> str:
    return masked(f"weights = torch.softmax(({scale}).masked_fill(~source_mask, {low}), dim=-1)", f"return {end}")


WRONG = [
    (
        "mask after",
        "visible",
        "the mask comes after the softmax",
        masked("return torch.softmax(scores / temperature, -1) * source_mask"),
    ),
    (
        "mask after, filled",
        "visible",
        "the mask comes after the softmax",
        masked("return torch.softmax(scores / temperature, -1).masked_fill(~source_mask, 0)"),
    ),
    ("mask ignored", "visible", "the mask is ignored", masked("return torch.softmax(scores / temperature, -1)")),
    (
        "polarity",
        "visible",
        "the mask is turned round",
        masked(
            f"weights = torch.softmax((scores / temperature).masked_fill(source_mask, {LOW}), dim=-1)",
            "return weights.masked_fill(source_mask, 0.0)",
        ),
    ),
    (
        "minus infinity",
        "visible",
        ("NaN in batch 1", "a sentence without a real token"),
        filled("-torch.inf", end="weights"),
    ),
    ("empty row not emptied", "visible", "shares its 1 among the padding", filled(end="weights")),
    (
        "multiplied by the mask",
        "visible",
        "multiplied by the mask",
        masked("return torch.softmax(scores * source_mask / temperature, dim=-1)"),
    ),
    ("score 0 for padding", "visible", "padding gets a score of 0", filled("0.0")),
    ("a little low", "visible", "gives", filled("-2.0", end="weights")),
    ("not low enough", "visible", ("±10000", "below every score"), filled("-1e3")),
    (
        "over the batch",
        "visible",
        "the softmax runs over the axis `batch`",
        masked(
            f"weights = torch.softmax((scores / temperature).masked_fill(~source_mask, {LOW}), dim=0)",
            "return weights * source_mask",
        ),
    ),
    (
        "over the queries",
        "hidden",
        "the softmax runs over the axis `queries`",
        masked(
            f"weights = torch.softmax((scores / temperature).masked_fill(~source_mask, {LOW}), dim=1)",
            "return weights * source_mask",
        ),
    ),
    (
        "in place",
        "visible",
        ("scores", "changed in place"),
        masked(
            "scores.masked_fill_(~source_mask, -1e9)", "return torch.softmax(scores / temperature, -1) * source_mask"
        ),
    ),
    (
        "in place on the data",
        "visible",
        ("scores", "changed in place"),
        masked(
            "scores.data.masked_fill_(~source_mask, -1e9)",
            "return torch.softmax(scores / temperature, -1) * source_mask",
        ),
    ),
    (
        "overflow",
        "visible",
        ("±10000", "exp overflows"),
        masked(
            "e = torch.exp(scores / temperature) * source_mask", "return e / e.sum(-1, keepdim=True).clamp_min(1e-30)"
        ),
    ),
    (
        "renormalised too late",
        "visible",
        ("±10000", "padding took all the weight"),
        masked(
            "w = torch.softmax(scores / temperature, -1) * source_mask",
            "return w / w.sum(-1, keepdim=True).clamp_min(1e-30)",
        ),
    ),
    (
        "renormalised, 0/0",
        "visible",
        "a sentence without a real token",
        masked("w = torch.softmax(scores / temperature, -1) * source_mask", "return w / w.sum(-1, keepdim=True)"),
    ),
    (
        "temperature multiplied",
        "visible",
        "the temperature multiplies the scores",
        filled(scale="scores * temperature"),
    ),
    ("temperature unused", "visible", "the temperature is not used", filled(scale="scores")),
    (
        "temperature on the weights",
        "visible",
        "applied to the weights",
        filled(scale="scores", end="weights.masked_fill(~source_mask, 0.0) / temperature"),
    ),
    ("temperature twice", "visible", "applied twice", filled(scale="scores / temperature**2")),
    (
        "never divided",
        "visible",
        "never divided by their sum",
        masked("return torch.exp(scores / temperature) * source_mask"),
    ),
    (
        "divided by the whole batch",
        "visible",
        "the sum over the whole batch",
        masked("e = torch.exp(scores / temperature) * source_mask", "return e / e.sum()"),
    ),
    (
        "sigmoid",
        "visible",
        "a sigmoid in place of the softmax",
        masked("return torch.sigmoid(scores / temperature) * source_mask"),
    ),
    (
        "logarithms",
        "visible",
        "logarithms",
        masked("return torch.log_softmax((scores / temperature).masked_fill(~source_mask, -1e9), -1) * source_mask"),
    ),
    ("no softmax", "visible", "the softmax is missing", masked("return scores.masked_fill(~source_mask, 0.0)")),
    (
        "hard maximum",
        "visible",
        "the maximum, not its soft form",
        masked(
            f"best = scores.masked_fill(~source_mask, {LOW}).argmax(-1)",
            "return F.one_hot(best, scores.size(-1)).to(scores.dtype) * source_mask",
        ),
    ),
    (
        "uniform",
        "visible",
        "share the weight equally",
        masked("return (source_mask / source_mask.sum(-1, keepdim=True).clamp(min=1)).to(scores.dtype)"),
    ),
    (
        "softmax twice",
        "visible",
        "applied twice",
        masked(
            f"once = torch.softmax((scores / temperature).masked_fill(~source_mask, {LOW}), -1)",
            f"return torch.softmax(once.masked_fill(~source_mask, {LOW}), -1) * source_mask",
        ),
    ),
    ("detached", "visible", "cut off from autograd", filled().replace("return weights", "return weights.detach()")),
    (
        "NaN in the gradient",
        "visible",
        ("gradient of weights", "NaN"),
        masked(
            "weights = torch.softmax(scores / temperature + torch.log(source_mask.to(scores.dtype)), dim=-1)",
            "return torch.where(source_mask, weights, 0.0)",
        ),
    ),
    (
        "loop over real tokens, first sentence",
        "visible",
        "padding",
        masked(
            "count = int(source_mask[0].sum())",
            "out = torch.zeros_like(scores)",
            "out[:, :count] = torch.softmax(scores[:, :count] / temperature, -1)",
            "return out",
        ),
    ),
    (
        "prefix only",
        "hidden",
        "padding on the left",
        masked(
            "out = torch.zeros_like(scores)",
            "for row in range(len(scores)):",
            "    n = int(source_mask[row].sum())",
            "    out[row, :n] = torch.softmax(scores[row, :n] / temperature, -1)",
            "return out",
        ),
    ),
    (
        "wrong attribute",
        "visible",
        ("raised AttributeError", "at your line `return scores.sofmax(-1)`"),
        masked("return scores.sofmax(-1)"),
    ),
]

RIGHT = [
    ("lowest number", filled()),
    ("−1e9", filled("-1e9")),
    ("−∞, NaN replaced", filled("-torch.inf", end="torch.nan_to_num(weights, nan=0.0)")),
    (
        "where",
        masked(
            f"low = torch.where(source_mask, scores / temperature, {LOW})",
            "return torch.softmax(low, dim=-1) * source_mask",
        ),
    ),
    (
        "exp by hand",
        masked(
            f"low = (scores / temperature).masked_fill(~source_mask, {LOW})",
            "e = torch.exp(low - low.max(dim=-1, keepdim=True).values) * source_mask",
            "return e / e.sum(-1, keepdim=True).clamp_min(1e-9)",
        ),
    ),
    (
        "logsumexp",
        masked(
            f"low = (scores / temperature).masked_fill(~source_mask, {LOW})",
            "return torch.exp(low - torch.logsumexp(low, -1, keepdim=True)) * source_mask",
        ),
    ),
    (
        "added bias",
        masked(
            "bias = torch.zeros_like(scores).masked_fill(~source_mask, -1e9)",
            "return torch.softmax(scores / temperature + bias, -1) * source_mask",
        ),
    ),
]
