"""Answers to the window and the softmax over it."""

TASK = "window_softmax"

INSIDE = "(positions - centres.unsqueeze(-1)).abs() <= half_width"


def local_m(*lines: str, inside: str = INSIDE, test: str = "half_width < 1", error: str = "ValueError") -> str:
    body = "".join(f"    {line}\n" for line in lines or ("return masked_softmax(scores, source_mask & inside)",))
    return f"""\
def in_window(positions, centres, half_width):
    if {test}:
        raise {error}(half_width)
    return {inside}


def window_softmax(scores, positions, centres, half_width, source_mask):
    inside = in_window(positions, centres, half_width)
{body}"""


WRONG = [
    ("−100 outside", "hidden: values | first_sentence",
     local_m("return scores.masked_fill(~(m := source_mask & inside), -100.0).softmax(-1) * m")),
    ("assert", "error_wrong | raised.AssertionError", local_m(error="AssertionError")),
    ("positions from 0", "hidden: values", local_m(
        inside=INSIDE.replace("positions", "(positions if positions.dim() > 1 else torch.arange(len(positions)))"))),
    ("positions one by one from the first", "hidden: values", local_m(
        inside=INSIDE.replace("positions", "(positions[..., :1] + torch.arange(positions.size(-1)))"))),
    ("edges with a tolerance", "hidden: values", local_m(inside=f"{INSIDE} + 1e-5")),
    ("float32", "hidden: dtype | single_precision",
     local_m("return masked_softmax(scores.float(), source_mask & inside)")),
]

RIGHT = [
    ("one mask of two", local_m()),
    ("squares, nan to num",
        local_m("seen = source_mask & inside", "empty = ~seen.any(-1, keepdim=True)",
                "return scores.masked_fill(~(seen | empty), -torch.inf).softmax(-1).masked_fill(empty, 0.0)",
                inside="(positions - centres.unsqueeze(-1)).square() <= half_width**2")),
    ("loop over queries",
        local_m("mask = source_mask.expand_as(inside)",
                "rows = [masked_softmax(scores[:, q], mask[:, q] & inside[:, q]) for q in range(scores.size(1))]",
                "return torch.stack(rows, dim=1)", inside="~((positions - centres[:, :, None]).abs() > half_width)")),
]
