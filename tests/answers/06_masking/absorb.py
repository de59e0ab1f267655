"""Answers to attention block by block."""

TASK = "absorb"


def absorb(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def absorb(largest, total, summed, scores, values, source_mask):\n{body}"


LOW = "low = scores.masked_fill(~source_mask, torch.finfo(scores.dtype).min)"
NEW = "new = torch.maximum(largest, low.max(-1).values)"
PARTS = "parts = torch.exp(low - new[:, None]).masked_fill(~source_mask, 0)"
OLD = "old = torch.exp(largest - new)"
TOTAL, SUMMED = ("total = total * old + parts.sum(-1)",
                 "summed = summed * old[:, None] + torch.einsum('bk,bkd->bd', parts, values)")
RETURN = "return new, total, summed"

WRONG = [
    ("no largest at all", "padding_counts",
        absorb("parts = scores.exp() * source_mask",
               "return scores.amax(-1), total + parts.sum(-1), summed + (parts.unsqueeze(1) @ values).squeeze(1)")),
    ("exponentials of the scores", "from_0",
     absorb(LOW, NEW, "parts = scores.exp() * source_mask", "return new, total + parts.sum(-1), "
            "summed + torch.einsum('bk,bkd->bd', parts, values)")),
    ("the context in place of the sum", "divided_at_once",
     absorb(LOW, NEW, PARTS, OLD, TOTAL, SUMMED, "return new, total, summed / total[:, None]")),
    ("in place", "changed_in_place", absorb(LOW, NEW, PARTS, OLD, f"total[:] {TOTAL[6:]}", SUMMED, RETURN)),
    ("detached", "no_gradient | gradient",
     absorb(LOW, NEW, PARTS.replace("low -", "low.detach() -"), OLD, TOTAL, SUMMED, RETURN)),
    ("the exponential of padding, thrown away afterwards", "hidden: gradient_not_finite",
     absorb(LOW, NEW, "base = torch.where(new == torch.finfo(scores.dtype).min, scores.amax(-1), new)",
            "parts = torch.where(source_mask, torch.exp(scores - base[:, None]), 0.0)", OLD, TOTAL, SUMMED, RETURN)),
    ("the first block's largest", "values",
     absorb(LOW, "new = torch.where(total > 0, largest, low.max(-1).values)", PARTS, OLD, TOTAL, SUMMED, RETURN)),
]

RIGHT = [
    ("step by step", absorb(LOW, NEW, PARTS, OLD, TOTAL, SUMMED, RETURN)),
    ("old and new side by side",
        absorb(
            LOW, "new = torch.cat([largest[:, None], low], 1).amax(1)",
            "parts = torch.where(source_mask, (low - new[:, None]).exp(), 0.0)",
            "both = torch.stack([(largest - new).exp(), torch.ones_like(new)])",
            "total = (torch.stack([total, parts.sum(1)]) * both).sum(0)",
            "summed = (torch.stack([summed, (parts[..., None] * values).sum(1)]) * both[..., None]).sum(0)", RETURN,
        )),
    ("a key at a time",
        absorb("for e, v, m in zip(scores.unbind(1), values.unbind(1), source_mask.unbind(1)):",
               "    new = torch.where(m, torch.maximum(largest, e), largest)",
               "    part = torch.where(m, (e - new).clamp(max=0).exp(), 0.0)", "    old = (largest - new).exp()",
               "    total, summed, largest = total * old + part, summed * old[:, None] + part[:, None] * v, new",
               "return largest, total, summed")),
]
