"""Answers to the window of local attention."""

TASK, CHECKS, PARTS = "in_window", "windows", ("in_window",)

REFUSE = "    if half_width < 1:\n        raise ValueError('half_width: at least 1')\n"


def window(result: str, refuse: str = REFUSE, before: str = "") -> str:
    return f"""\
def in_window(positions: Tensor, centres: Tensor, half_width: int) -> Tensor:
{refuse}{before}    distances = (positions - centres.unsqueeze(-1)).abs()
    return {result}
"""


OFFSETS = "positions - centres.unsqueeze(-1)"

WRONG = [
    ("edges left out", "visible", "the two edges are left out", window("distances < half_width")),
    (
        "right edge left out",
        "visible",
        "the right edge is left out",
        window(f"({OFFSETS} >= -half_width) & ({OFFSETS} < half_width)"),
    ),
    (
        "left edge left out",
        "visible",
        "the left edge is left out",
        window(f"({OFFSETS} > -half_width) & ({OFFSETS} <= half_width)"),
    ),
    ("no absolute value", "visible", "everything before the centre is inside", window(f"{OFFSETS} <= half_width")),
    (
        "no absolute value, turned",
        "visible",
        "everything after the centre is inside",
        window("centres.unsqueeze(-1) - positions <= half_width"),
    ),
    (
        "past only",
        "visible",
        "only the words up to the centre are inside",
        window(f"({OFFSETS} <= 0) & (distances <= half_width)"),
    ),
    ("D in all", "visible", "half as wide", window("distances <= half_width / 2")),
    ("2D each side", "visible", "twice as wide", window("distances <= 2 * half_width")),
    ("polarity", "visible", "turned round", window("distances > half_width")),
    ("counted from 1", "visible", "one word too far to the left", window(f"({OFFSETS} + 1).abs() <= half_width")),
    (
        "rounded centre",
        "visible",
        "the centre is rounded before",
        window("(positions - centres.round().unsqueeze(-1)).abs() <= half_width"),
    ),
    (
        "centre to int",
        "visible",
        "the centre is cut to a whole number",
        window("(positions - centres.long().unsqueeze(-1)).abs() <= half_width"),
    ),
    (
        "distances returned",
        "visible",
        ("dtype torch.float32", "torch.bool"),
        window("torch.where(distances <= half_width, 1.0, 0.0)"),
    ),
    (
        "axis in front",
        "visible",
        "the new axis of the centres comes last",
        window("((positions - centres.unsqueeze(-1)).abs() <= half_width).transpose(1, 2)"),
    ),
    (
        "no axis",
        "visible",
        ("raised RuntimeError", "centres (2, 3)"),
        window("distances", before="    positions - centres\n"),
    ),
    (
        "first query for all",
        "visible",
        "the centre of query 0 is used for every query",
        window("(positions - centres[:, :1].unsqueeze(-1)).abs().expand_as(distances) <= half_width"),
    ),
    (
        "half width 0",
        "visible",
        ("half_width 0", "returned as if nothing were wrong", "a ValueError"),
        window("distances <= half_width", refuse=""),
    ),
    (
        "refuses 1 too",
        "hidden",
        ("half width 1", "raised ValueError"),
        window("distances <= half_width", refuse=REFUSE.replace("< 1", "<= 1")),
    ),
    (
        "assert",
        "visible",
        "raised AssertionError",
        window("distances <= half_width", refuse="    assert half_width >= 1\n"),
    ),
    (
        "in place",
        "visible",
        ("centres", "changed in place"),
        """\
def in_window(positions: Tensor, centres: Tensor, half_width: int) -> Tensor:
    if half_width < 1:
        raise ValueError(half_width)
    if positions.dim() == 1:
        positions = positions.expand(*centres.shape, -1)
        centres.add_(1)
        return (positions + 1 - centres.unsqueeze(-1)).abs() <= half_width
    return (positions - centres.unsqueeze(-1)).abs() <= half_width
""",
    ),
    (
        "one set of positions only",
        "hidden",
        "positions of each query's own",
        window("distances <= half_width", before="    positions = torch.arange(positions.size(-1))\n"),
    ),
]

RIGHT = [
    ("distance", window("distances <= half_width")),
    (
        "two comparisons",
        window(
            "(positions >= centres[..., None] - half_width) & (positions <= centres[..., None] + half_width)",
        ),
    ),
    ("not outside", window("~(distances > half_width)")),
    ("squares", window("distances.square() <= half_width**2")),
    (
        "loop",
        """\
def in_window(positions: Tensor, centres: Tensor, half_width: int) -> Tensor:
    if not half_width >= 1:
        raise ValueError(half_width)
    rows = []
    for b in range(centres.size(0)):
        for q in range(centres.size(1)):
            own = positions if positions.dim() == 1 else positions[b, q]
            rows.append([abs(float(p) - float(centres[b, q])) <= half_width for p in own])
    return torch.tensor(rows).view(*centres.shape, -1)
""",
    ),
]
