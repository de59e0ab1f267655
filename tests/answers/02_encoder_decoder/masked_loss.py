"""Answers to the masked loss."""

TASK = "masked_loss"

HEAD = "def masked_loss(logits: Tensor, target_out: Tensor, target_mask: Tensor) -> Tensor:\n"
LOSSES = "losses = -logits.log_softmax(-1).gather(-1, target_out.unsqueeze(-1)).squeeze(-1)"


def loss(*lines: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in lines)


def mean(result: str, losses: str = LOSSES) -> str:
    return loss(losses, f"return {result}")


MEAN = "(losses * target_mask).sum() / target_mask.sum()"

WRONG = [
    ("cross_entropy of all", "padding_counts",
     loss("return F.cross_entropy(logits.flatten(0, 1), target_out.flatten())")),
    ("axes of cross_entropy", "raised.RuntimeError", loss("return F.cross_entropy(logits, target_out)")),
    ("softmax before the loss", "twice", loss("targets = target_out.masked_fill(~target_mask, -100).flatten()",
                                              "return F.cross_entropy(logits.softmax(-1).flatten(0, 1), targets)")),
    ("a number of Python", "not_a_tensor | kind | no_gradient", mean(f"({MEAN}).item()")),
    ("detached", "no_gradient", mean(MEAN, LOSSES.replace("logits", "logits.detach()"))),
    ("targets written over", "changed_in_place", loss("target_out[~target_mask] = -100",
     "return F.cross_entropy(logits.flatten(0, 1), target_out.flatten())")),
    ("one axis kept", "shape | squeezed", mean(f"({MEAN}).reshape(1)")),
    ("the likely word", "values", mean(MEAN, "losses = -logits.log_softmax(-1).amax(-1)")),
]  # fmt: skip

RIGHT = [
    (
        "ignore_index",
        loss(
            "targets = target_out.masked_fill(~target_mask, -100)",
            "return F.cross_entropy(logits.flatten(0, 1), targets.flatten())",
        ),
    ),
    ("by the mask", loss("return F.cross_entropy(logits[target_mask], target_out[target_mask])")),
    ("gathered", mean(MEAN)),
    (
        "vocabulary second",
        loss(
            "losses = F.cross_entropy(logits.transpose(1, 2), target_out, reduction='none')",
            "return losses.masked_select(target_mask).mean()",
        ),
    ),
    (
        "a loop",
        loss(
            "total, count = 0.0, 0",
            "for row in range(target_out.size(0)):",
            "    for step in range(target_out.size(1)):",
            "        if target_mask[row, step]:",
            "            place = logits[row, step]",
            "            total = total + torch.logsumexp(place, 0) - place[target_out[row, step]]",
            "            count += 1",
            "return total / count",
        ),
    ),
    (
        "padding ignored by its id",
        loss("return F.cross_entropy(logits.flatten(0, 1), target_out.flatten(), ignore_index=PAD)"),
    ),
    (
        "one hot",
        loss(
            "hot = F.one_hot(target_out, logits.size(-1)) * target_mask.unsqueeze(-1)",
            "return -(hot * logits.log_softmax(-1)).sum() / target_mask.sum()",
        ),
    ),
]
