"""Answers to the mended perplexity."""

TASK = "mended_perplexity"

REAL = "real = losses.masked_fill(~target_mask, 0.0)"


def perplexity(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def mended_perplexity(losses: Tensor, target_mask: Tensor) -> Tensor:\n{body}"


WRONG = [
    ("polarity", "change", perplexity("return torch.exp((losses * ~target_mask).sum() / (~target_mask).sum())")),
    ("an average of the sentences that have words", "by_sentence",
        perplexity("rows = [row[real].mean() for row, real in zip(losses, target_mask, strict=True) if real.any()]",
                   "return torch.stack(rows).mean().exp()")),
    ("words counted by their loss", "hidden: zero_not_counted",
     perplexity(REAL, "return (real.sum() / (real > 0).sum()).exp()")),
    ("float32", "hidden: dtype", perplexity("return losses.float()[target_mask].mean().exp()")),
]
RIGHT = [
    ("picked out", perplexity("return torch.exp(losses[target_mask].mean())")),
    ("sum by count", perplexity(REAL, "return (real.sum() / target_mask.sum()).exp()")),
    ("product", perplexity("return torch.exp((losses * target_mask).sum() / target_mask.sum())")),
]
