"""Answers to the masked loss."""

TASK, CHECKS, PARTS = "masked_loss", "loss", ("masked_loss",)

HEAD = "def masked_loss(logits: Tensor, target_out: Tensor, target_mask: Tensor) -> Tensor:\n"
LOSSES = "losses = -logits.log_softmax(-1).gather(-1, target_out.unsqueeze(-1)).squeeze(-1)"


def loss(*lines: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in lines)


def mean(result: str, losses: str = LOSSES) -> str:
    return loss(losses, f"return {result}")


MEAN = "(losses * target_mask).sum() / target_mask.sum()"

WRONG = [
    ("padding counted", "visible", "padding has its share", mean("losses.mean()")),
    (
        "cross_entropy of all",
        "visible",
        "padding has its share",
        loss("return F.cross_entropy(logits.flatten(0, 1), target_out.flatten())"),
    ),
    ("mask turned round", "visible", "the mask is turned round", mean("losses[~target_mask].mean()")),
    ("divided by all places", "visible", "counted in the number", mean("(losses * target_mask).mean()")),
    ("sum", "visible", "this is the sum over the real tokens", mean("(losses * target_mask).sum()")),
    ("sum of all", "visible", "this is the sum over all places", mean("losses.sum()")),
    (
        "divided by sentences",
        "visible",
        "by the number of sentences",
        mean("(losses * target_mask).sum() / len(losses)"),
    ),
    (
        "mean of means",
        "visible",
        "each sentence is averaged first",
        mean("((losses * target_mask).sum(1) / target_mask.sum(1)).mean()"),
    ),
    (
        "mean of steps",
        "visible",
        "each step is averaged first",
        mean("((losses * target_mask).sum(0) / target_mask.sum(0)).mean()"),
    ),
    ("sign", "visible", "the minus sign is missing", mean("-" + MEAN)),
    (
        "probabilities",
        "visible",
        "the probabilities are averaged, with a minus sign",
        mean(MEAN, LOSSES.replace("log_softmax", "softmax")),
    ),
    (
        "no softmax",
        "visible",
        "the softmax is missing",
        mean(MEAN, LOSSES.replace(".log_softmax(-1)", "")),
    ),
    (
        "softmax twice",
        "visible",
        "`cross_entropy` takes logits",
        loss("return F.cross_entropy(logits.softmax(-1)[target_mask], target_out[target_mask])"),
    ),
    (
        "softmax over steps",
        "visible",
        "the softmax runs over the steps",
        mean(MEAN, LOSSES.replace("softmax(-1)", "softmax(1)")),
    ),
    (
        "softmax over the batch",
        "visible",
        "the softmax runs over the batch",
        mean(MEAN, LOSSES.replace("softmax(-1)", "softmax(0)")),
    ),
    (
        "reshaped for cross_entropy",
        "visible",
        "`reshape` has shuffled",
        loss(
            "shape = (logits.size(0), logits.size(2), logits.size(1))",
            "return F.cross_entropy(logits.reshape(shape), target_out, reduction='none')[target_mask].mean()",
        ),
    ),
    (
        "logits masked",
        "visible",
        "all-zero logits have a loss too",
        loss(
            "logits = logits * target_mask.unsqueeze(-1)",
            "return F.cross_entropy(logits.flatten(0, 1), target_out.flatten())",
        ),
    ),
    ("bits", "visible", "logarithms of base 2", mean(f"{MEAN} / math.log(2)")),
    ("perplexity", "visible", "this is the perplexity", mean(f"({MEAN}).exp()")),
    (
        "EOS left out",
        "visible",
        "<eos> is left out",
        loss(LOSSES, "words = target_mask & (target_out != EOS)", "return losses[words].mean()"),
    ),
    (
        "shifted once more",
        "visible",
        "the target is shifted once more",
        loss("return F.cross_entropy(logits[:, :-1][target_mask[:, 1:]], target_out[:, 1:][target_mask[:, 1:]])"),
    ),
    (
        "first word left out",
        "visible",
        "the first word is left out",
        mean("losses[:, 1:][target_mask[:, 1:]].mean()"),
    ),
    ("a loss for each place", "visible", "one loss for each place", mean("losses * target_mask")),
    (
        "a loss for each sentence",
        "visible",
        "one loss for each sentence",
        mean("(losses * target_mask).sum(1) / target_mask.sum(1)"),
    ),
    ("a number of Python", "visible", ("expected a tensor", "keep to tensors"), mean(f"({MEAN}).item()")),
    ("detached", "visible", "cut off from autograd", mean(MEAN, LOSSES.replace("logits", "logits.detach()"))),
    (
        "log of the softmax",
        "hidden",
        ("logits near ±1000", "log(0)"),
        mean("losses[target_mask].mean()", LOSSES.replace("log_softmax(-1)", "softmax(-1).log()")),
    ),
    (
        "clamped",
        "hidden",
        ("logits near ±1000", "wrong values"),
        mean("losses[target_mask].mean()", LOSSES.replace("log_softmax(-1)", "softmax(-1).clamp_min(1e-9).log()")),
    ),
    (
        "targets written over",
        "visible",
        ("target_out", "changed in place"),
        loss(
            "target_out[~target_mask] = -100",
            "return F.cross_entropy(logits.flatten(0, 1), target_out.flatten())",
        ),
    ),
    ("axes of cross_entropy", "visible", "raised", loss("return F.cross_entropy(logits, target_out)")),
]

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
