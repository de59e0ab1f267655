"""Answers to the mended weights."""

TASK = "mended_weights"

LOW = "low = scores.masked_fill(~source_mask, torch.finfo(scores.dtype).min)"


def weights(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def mended_weights(scores: Tensor, source_mask: Tensor) -> Tensor:\n{body}"


WRONG = [
    ("polarity", "change | padding_counts", weights("return F.softmax(scores - 1e30 * source_mask, dim=1)")),
    ("transposed", "shape | change", weights(LOW, "return (torch.softmax(low, dim=1) * source_mask).T")),
    ("padding taken to be last", "hidden: padding_counts", weights("out = torch.zeros_like(scores)",
     "for i, n in enumerate(source_mask.sum(1)): out[i, :n] = scores[i, :n].softmax(0)", "return out")),
    ("less the logarithm of the sum", "hidden: log_sum",
     weights(LOW, "return (scores - low.logsumexp(1, keepdim=True)).exp().where(source_mask, 0.0)")),
    ("detached", "no_gradient", weights(LOW, "return torch.softmax(low.detach(), dim=1) * source_mask")),
]
RIGHT = [
    ("last axis",
     weights("return torch.softmax(scores.masked_fill(~source_mask, -torch.inf), dim=-1).nan_to_num(0.0)")),
    ("sentence by sentence", weights(LOW, "return torch.stack([F.softmax(row, dim=0) for row in low]) * source_mask")),
    ("exp by hand",
     weights(LOW, "e = (low - low.amax(1, keepdim=True)).exp() * source_mask",
             "return e / e.sum(1, keepdim=True).clamp(min=1e-9)")),
]
