"""Answers to the mended perplexity."""

TASK, CHECKS, PARTS = "mended_perplexity", "repairs", ("mended_perplexity",)


def perplexity(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def mended_perplexity(losses: Tensor, target_mask: Tensor) -> Tensor:\n{body}"


REAL = "real = losses.masked_fill(~target_mask, 0.0)"

WRONG = [
    (
        "the exhibit",
        "visible",
        "padding still counts in the number that the sum is divided by",
        perplexity(REAL, "return real.mean().exp()"),
    ),
    (
        "mask forgotten",
        "visible",
        "the losses at the padding are averaged as well",
        perplexity("return losses.mean().exp()"),
    ),
    (
        "padding in the sum",
        "visible",
        "the losses at the padding are in the sum",
        perplexity("return (losses.sum() / target_mask.sum()).exp()"),
    ),
    (
        "sentences count alike",
        "visible",
        "a word of a short one counts more",
        perplexity(REAL, "return (real.sum(1) / target_mask.sum(1).clamp(min=1)).mean().exp()"),
    ),
    (
        "perplexities of words averaged",
        "visible",
        "the perplexities of the words are averaged",
        perplexity("return losses[target_mask].exp().mean()"),
    ),
    (
        "perplexities of sentences averaged",
        "visible",
        "the perplexities of the sentences are averaged",
        perplexity(REAL, "return (real.sum(1) / target_mask.sum(1).clamp(min=1)).exp().mean()"),
    ),
    (
        "one for each sentence",
        "visible",
        ("shape (3,)", "one for the batch is wanted"),
        perplexity(REAL, "return (real.sum(1) / target_mask.sum(1)).exp()"),
    ),
    ("no exponential", "visible", "the exponential is missing", perplexity("return losses[target_mask].mean()")),
    ("no division", "visible", "not divided by the number of words", perplexity(REAL, "return real.sum().exp()")),
    (
        "divided by the sentences",
        "visible",
        "the number of sentences, not of words",
        perplexity(REAL, "return (real.sum() / len(losses)).exp()"),
    ),
    ("polarity", "visible", "the mask is turned round", perplexity("return losses[~target_mask].mean().exp()")),
    ("a number", "visible", ("expected a tensor",), perplexity("return float(losses[target_mask].mean().exp())")),
    (
        "an average of the sentences that have words",
        "visible",
        "a word of a short one counts more",
        perplexity(
            "rows = [row[real].mean() for row, real in zip(losses, target_mask, strict=True) if real.any()]",
            "return torch.stack(rows).mean().exp()",
        ),
    ),
    (
        "in place",
        "visible",
        ("losses", "changed in place"),
        perplexity("losses[~target_mask] = 0.0", "return (losses.sum() / target_mask.sum()).exp()"),
    ),
    (
        "float32",
        "hidden",
        ("float64", "dtype torch.float32"),
        perplexity("return losses.float()[target_mask].mean().exp()"),
    ),
]

RIGHT = [
    ("picked out", perplexity("return torch.exp(losses[target_mask].mean())")),
    ("sum by count", perplexity(REAL, "return (real.sum() / target_mask.sum()).exp()")),
    ("product", perplexity("return torch.exp((losses * target_mask).sum() / target_mask.sum())")),
    (
        "loop",
        perplexity(
            "total, count = losses.new_zeros(()), 0",
            "for row, real in zip(losses, target_mask, strict=True):",
            "    for loss, counts in zip(row, real, strict=True):",
            "        if counts:",
            "            total, count = total + loss, count + 1",
            "return (total / count).exp()",
        ),
    ),
]
