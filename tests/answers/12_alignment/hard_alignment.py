"""Answers to the hard alignment."""

TASK, CHECKS, PARTS = "hard_alignment", "alignment", ("hard_alignment",)

BEST = "best = weights.masked_fill(~source_mask.unsqueeze(1), -1.0).argmax(-1)"
STEPS = "steps = torch.arange(best.size(1)) - shift"
KNOWN = "known = (steps >= 0) & (steps < best.size(1))"
TAKE = "return best[:, steps.clamp(0, best.size(1) - 1)].masked_fill(~known, -1)"


def align(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def hard_alignment(weights: Tensor, source_mask: Tensor, shift: int = 0) -> Tensor:\n{body}"


WRONG = [
    ("no mask", "visible", "the mask is not used", align("best = weights.argmax(-1)", STEPS, KNOWN, TAKE)),
    (
        "mask turned round",
        "visible",
        "the mask is turned round",
        align("best = weights.masked_fill(source_mask.unsqueeze(1), -1.0).argmax(-1)", STEPS, KNOWN, TAKE),
    ),
    ("shift unused", "visible", "the shift is not used", align(BEST, "return best")),
    (
        "shift the wrong way",
        "visible",
        "the shift goes the wrong way",
        align(BEST, "steps = torch.arange(best.size(1)) + shift", KNOWN, TAKE),
    ),
    ("rolled", "visible", "from the other end of the sentence", align(BEST, "return best.roll(shift, dims=1)")),
    (
        "edge repeated",
        "visible",
        "repeat their neighbour's step",
        align(BEST, STEPS, "return best[:, steps.clamp(0, best.size(1) - 1)]"),
    ),
    (
        "edge at 0",
        "visible",
        "get 0, which is the first source token",
        align(BEST, STEPS, KNOWN, TAKE.replace("-1)].masked_fill(~known, -1)", "-1)]") + " * known"),
    ),
    (
        "edge left out",
        "visible",
        ("words of which no step speaks are left out", "shape (4, 6)"),
        align(BEST, STEPS, KNOWN, "return best[:, steps[known]]"),
    ),
    (
        "argmax over the steps",
        "visible",
        ("shape (4, 8)", "ran over the target steps"),
        align("return weights.masked_fill(~source_mask.unsqueeze(1), -1.0).argmax(1)"),
    ),
    (
        "maximum instead of its place",
        "visible",
        ("dtype torch.float32", "`argmax` says where"),
        align("return weights.masked_fill(~source_mask.unsqueeze(1), -1.0).amax(-1)"),
    ),
    (
        "from 1",
        "visible",
        "these count from 1",
        align(BEST, STEPS, KNOWN, TAKE.replace("best[:", "(best + 1)[:")),
    ),
    (
        "positions shifted",
        "visible",
        "the positions themselves are shifted",
        align(BEST, "return best + shift"),
    ),
    (
        "smallest",
        "visible",
        "the smallest weight",
        align("best = weights.masked_fill(~source_mask.unsqueeze(1), 9.0).argmin(-1)", STEPS, KNOWN, TAKE),
    ),
    (
        "in place",
        "visible",
        ("weights", "changed in place"),
        align("best = weights.masked_fill_(~source_mask.unsqueeze(1), -1.0).argmax(-1)", STEPS, KNOWN, TAKE),
    ),
    (
        "mask without its axis",
        "visible",
        ("raised RuntimeError", "at your line"),
        align("best = weights.masked_fill(~source_mask, -1.0).argmax(-1)", STEPS, KNOWN, TAKE),
    ),
    (
        "only shifts of one",
        "hidden",
        "a shift of two steps back",
        align(
            BEST,
            "words = torch.full_like(best, -1)",
            "if shift < 0:",
            "    words[:, :-1] = best[:, 1:]",
            "elif shift > 0:",
            "    words[:, 1:] = best[:, :-1]",
            "else:",
            "    words = best",
            "return words",
        ),
    ),
    (
        "slices that wrap",
        "hidden",
        "a shift beyond the last step",
        align(
            BEST,
            "words = torch.full_like(best, -1)",
            "if shift < 0:",
            "    words[:, :shift] = best[:, -shift:]",
            "elif shift > 0:",
            "    words[:, shift:] = best[:, :-shift]",
            "else:",
            "    words = best",
            "return words if abs(shift) < best.size(1) else best",
        ),
    ),
    (
        "lengths for a mask",
        "hidden",
        ("padding on the left",),
        align(
            "length = source_mask.sum(-1)",
            "beyond = torch.arange(weights.size(-1)) >= length[:, None]",
            "best = weights.masked_fill(beyond[:, None], -1.0).argmax(-1)",
            STEPS,
            KNOWN,
            TAKE,
        ),
    ),
    ("nothing returned", "visible", "is the `return` missing?", align(BEST)),
]

RIGHT = [
    ("gather by step", align(BEST, STEPS, KNOWN, TAKE)),
    (
        "loop",
        align(
            "batch, count, _ = weights.shape",
            "found = torch.full((batch, count), -1)",
            "for row in range(batch):",
            "    places = source_mask[row].nonzero().flatten()",
            "    for step in range(count):",
            "        if 0 <= step + shift < count:",
            "            found[row, step + shift] = places[weights[row, step, places].argmax()]",
            "return found",
        ),
    ),
    (
        "product with the mask, slices",
        align(
            "best = (weights * source_mask[:, None]).max(dim=-1).indices",
            "words = torch.full_like(best, -1)",
            "count = best.size(1)",
            "first, last = max(0, shift), min(count, count + shift)",
            "if first < last:",
            "    words[:, first:last] = best[:, first - shift : last - shift]",
            "return words",
        ),
    ),
    (
        "pad and cut",
        align(
            "best = torch.where(source_mask[:, None], weights, -torch.inf).argmax(-1)",
            "wide = F.pad(best, (abs(shift), abs(shift)), value=-1)",
            "start = abs(shift) - shift",
            "return wide[:, start : start + best.size(1)]",
        ),
    ),
    ("in int32", align(BEST, STEPS, KNOWN, TAKE + ".int()")),
]
