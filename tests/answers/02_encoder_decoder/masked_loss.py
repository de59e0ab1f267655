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
    ("log of softmax, masked by a product", "hidden: log_times_mask",
     mean(MEAN, LOSSES.replace("log_softmax(-1)", "softmax(-1).log()"))),
    ("cross_entropy of all", "padding_counts",
     loss("return F.cross_entropy(logits.flatten(0, 1), target_out.flatten())")),
    ("axes of cross_entropy", "raised.RuntimeError", loss("return F.cross_entropy(logits, target_out)")),
    ("a number of Python", "not_a_tensor | kind | no_gradient", mean(f"({MEAN}).item()")),
    ("certain words left out", "hidden: values", mean("losses[target_mask & (losses > 0)].mean()")),
]  # fmt: skip

RIGHT = [
    ("by the mask", loss("return F.cross_entropy(logits[target_mask], target_out[target_mask])")),
    ("gathered", mean(MEAN)),
    ("padding ignored by its id",
     loss("return F.cross_entropy(logits.flatten(0, 1), target_out.flatten(), ignore_index=PAD)")),
]
