"""Answers to the mended weights."""

TASK, CHECKS, PARTS = "mended_weights", "repairs", ("mended_weights",)

LOW = "low = scores.masked_fill(~source_mask, torch.finfo(scores.dtype).min)"


def weights(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def mended_weights(scores: Tensor, source_mask: Tensor) -> Tensor:\n{body}"


WRONG = [
    (
        "the exhibit",
        "visible",
        "still compete with the words of the other sentences",
        weights(LOW, "return torch.softmax(low, dim=0).masked_fill(~source_mask, 0.0)"),
    ),
    ("mask lost", "visible", "the padding takes part", weights("return torch.softmax(scores, dim=1)")),
    (
        "mask after the softmax",
        "visible",
        "the mask comes after the softmax",
        weights("return torch.softmax(scores, dim=1) * source_mask"),
    ),
    (
        "over the whole batch",
        "visible",
        "the softmax runs over all words of the batch",
        weights(LOW, "return torch.softmax(low.flatten(), dim=0).view_as(scores)"),
    ),
    (
        "polarity",
        "visible",
        "the mask is turned round",
        weights("return torch.softmax(scores.masked_fill(source_mask, torch.finfo(scores.dtype).min), dim=1)"),
    ),
    ("no softmax", "visible", "the softmax is missing", weights("return scores * source_mask")),
    (
        "transposed",
        "visible",
        ("shape (5, 3)", "the axes came out as (keys, batch)"),
        weights(LOW, "return torch.softmax(low, dim=1).T"),
    ),
    (
        "in place",
        "visible",
        ("scores", "changed in place"),
        weights("scores.masked_fill_(~source_mask, -1e9)", "return torch.softmax(scores, dim=1)"),
    ),
    (
        "the larger axis",
        "hidden",
        "as many sentences as words",
        weights(LOW, "return torch.softmax(low, dim=int(scores.size(1) > scores.size(0)))"),
    ),
    (
        "a little low",
        "hidden",
        ("scores near −1000", "wrong values"),
        weights("return torch.softmax(scores.masked_fill(~source_mask, -100.0), dim=1)"),
    ),
    (
        "overflow",
        "hidden",
        "scores near −1000",
        weights("e = scores.exp() * source_mask", "return e / e.sum(1, keepdim=True)"),
    ),
    (
        "detached",
        "visible",
        "cut off from autograd",
        weights(LOW, "return torch.softmax(low.detach(), dim=1)"),
    ),
]

RIGHT = [
    ("the other axis", weights(LOW, "return torch.softmax(low, dim=1).masked_fill(~source_mask, 0.0)")),
    ("last axis", weights("return torch.softmax(scores.masked_fill(~source_mask, -torch.inf), dim=-1)")),
    (
        "sentence by sentence",
        weights(LOW, "return torch.stack([F.softmax(row, dim=0) for row in low]) * source_mask"),
    ),
    (
        "exp by hand",
        weights(
            LOW,
            "e = torch.exp(low - low.amax(dim=1, keepdim=True)) * source_mask",
            "return e / e.sum(dim=1, keepdim=True)",
        ),
    ),
]
