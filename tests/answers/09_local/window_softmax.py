"""Answers to the softmax over the window; they find in_window as the notebook has it before."""

TASK, CHECKS, PARTS = "window_softmax", "local", ("window_softmax", "in_window")


def softmax(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in ("inside = in_window(positions, centres, half_width)", *lines))
    return (
        "def window_softmax(\n"
        "    scores: Tensor, positions: Tensor, centres: Tensor, half_width: int, source_mask: Tensor\n"
        f") -> Tensor:\n{body}"
    )


WRONG = [
    ("no window", "visible", "the window is ignored", softmax("return masked_softmax(scores, source_mask)")),
    (
        "no mask",
        "visible",
        "the mask is ignored: padding within the window takes part",
        softmax("return masked_softmax(scores, inside)"),
    ),
    ("neither", "visible", "mask and window are both ignored", softmax("return scores.softmax(-1)")),
    (
        "window after the softmax",
        "visible",
        "the window comes after the softmax",
        softmax("return masked_softmax(scores, source_mask) * inside"),
    ),
    (
        "mask after the softmax",
        "visible",
        "the mask comes after the softmax",
        softmax("return masked_softmax(scores, inside) * source_mask"),
    ),
    (
        "both after the softmax",
        "visible",
        "mask and window come after the softmax",
        softmax("return scores.softmax(-1) * inside * source_mask"),
    ),
    ("or", "visible", "one of the two is enough", softmax("return masked_softmax(scores, source_mask | inside)")),
    (
        "polarity of the window",
        "visible",
        "the window is turned round",
        softmax("return masked_softmax(scores, source_mask & ~inside)"),
    ),
    (
        "polarity of the mask",
        "visible",
        "the mask is turned round",
        softmax("return masked_softmax(scores, ~source_mask & inside)"),
    ),
    (
        "scores times mask",
        "visible",
        "exp(0) is 1",
        softmax("return (scores * (source_mask & inside)).softmax(-1)"),
    ),
    (
        "NaN in an empty window",
        "visible",
        ("NaN", "a window without a real word gets weights of 0"),
        softmax("return scores.masked_fill(~(source_mask & inside), -torch.inf).softmax(-1)"),
    ),
    (
        "an empty window shares",
        "visible",
        "an empty window shares its 1",
        softmax("return scores.masked_fill(~(source_mask & inside), -1e9).softmax(-1)"),
    ),
    (
        "Gaussian already",
        "visible",
        "the Gaussian is already in it",
        softmax(
            "factor = torch.exp(-((positions - centres.unsqueeze(-1)) ** 2) / (2 * (half_width / 2) ** 2))",
            "return masked_softmax(scores, source_mask & inside) * factor",
        ),
    ),
    (
        "no softmax",
        "visible",
        "the softmax is missing",
        softmax("return scores * (source_mask & inside)"),
    ),
    (
        "over the queries",
        "visible",
        "the softmax runs over the queries",
        softmax("seen = source_mask & inside", "return scores.masked_fill(~seen, -1e9).softmax(1) * seen"),
    ),
    (
        "made up afterwards",
        "visible",
        "one outside scores 300",
        softmax(
            "cut = scores.softmax(-1) * (source_mask & inside)",
            "return cut / cut.sum(-1, keepdim=True).clamp(min=1e-30)",
        ),
    ),
    (
        "in place",
        "visible",
        ("scores", "in-place operation"),
        softmax(
            "scores.masked_fill_(~(source_mask & inside), -1e9)", "return masked_softmax(scores, source_mask & inside)"
        ),
    ),
    (
        "detached",
        "visible",
        "cut off from autograd",
        softmax("return masked_softmax(scores.detach(), source_mask & inside)"),
    ),
    (
        "clamped centre",
        "visible",
        "a word outside its window gets weight",
        softmax(
            "centres = centres.clamp(max=source_mask.sum(-1) - 1)",
            "return masked_softmax(scores, source_mask & in_window(positions, centres, half_width))",
        ),
    ),
]

RIGHT = [
    ("one mask of two", softmax("return masked_softmax(scores, source_mask & inside)")),
    (
        "by hand",
        softmax(
            "seen = source_mask & inside",
            "low = scores.masked_fill(~seen, torch.finfo(scores.dtype).min)",
            "raw = torch.exp(low - low.amax(-1, keepdim=True)) * seen",
            "return raw / raw.sum(-1, keepdim=True).clamp(min=1e-30)",
        ),
    ),
    (
        "nan to num",
        softmax(
            "seen = source_mask & inside",
            "empty = ~seen.any(-1, keepdim=True)",
            "weights = scores.masked_fill(~(seen | empty), -torch.inf).softmax(-1)",
            "return weights.masked_fill(empty, 0.0)",
        ),
    ),
    (
        "its own comparison",
        softmax(
            "near = torch.le((positions - centres[:, :, None]).abs(), half_width)",
            "return masked_softmax(scores, torch.logical_and(near, source_mask))",
        ),
    ),
    (
        "loop over queries",
        softmax(
            "mask = source_mask.expand_as(inside)",
            "rows = [masked_softmax(scores[:, q], mask[:, q] & inside[:, q]) for q in range(scores.size(1))]",
            "return torch.stack(rows, dim=1)",
        ),
    ),
]
