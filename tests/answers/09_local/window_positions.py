"""Answers to the positions that are fetched."""

TASK, CHECKS, PARTS = "window_positions", "windows", ("window_positions",)


def places(
    first: str = "(centres - half_width).ceil().long()",
    steps: str = "torch.arange(2 * half_width + 1)",
    result: str = "first.unsqueeze(-1) + steps",
) -> str:
    return f"""\
def window_positions(centres: Tensor, half_width: int) -> Tensor:
    first = {first}
    steps = {steps}
    return {result}
"""


WRONG = [
    ("2D", "visible", "that is 2D positions", places(steps="torch.arange(2 * half_width)")),
    ("D + 1", "visible", "that is D + 1 positions", places(steps="torch.arange(half_width + 1)")),
    (
        "clamped",
        "visible",
        "word 0 is fetched more than once",
        places(result="(first[..., None] + steps).clamp(min=0)"),
    ),
    (
        "pushed back",
        "visible",
        "the window is pushed back into the sentence",
        places("(centres - half_width).ceil().long().clamp(min=0)"),
    ),
    ("floor", "visible", "p − D is rounded down", places("(centres - half_width).floor().long()")),
    ("long alone", "visible", "p − D is cut towards 0", places("(centres - half_width).long()")),
    ("round", "visible", "rounded to the nearest", places("(centres - half_width).round().long()")),
    ("from the centre", "visible", "the window begins at the centre", places("centres.ceil().long()")),
    ("floats", "visible", ("dtype torch.float32", "torch.int64"), places("(centres - half_width).ceil()")),
    ("from 1", "visible", "one word too late", places(steps="torch.arange(1, 2 * half_width + 2)")),
    ("backwards", "visible", "from right to left", places(result="(first.unsqueeze(-1) + steps).flip(-1)")),
    ("no axis", "visible", ("raised RuntimeError", "centres (2, 3)"), places(result="first + steps")),
    (
        "query 0",
        "visible",
        "the axis `queries` is lost",
        places(result="first[:, :1] + steps"),
    ),
    (
        "axis in the middle",
        "visible",
        "the axes came out as (batch, window, queries)",
        places(result="first.unsqueeze(1) + steps.unsqueeze(-1)"),
    ),
    ("int32", "visible", ("dtype torch.int32", "torch.int64"), places(result="(first.unsqueeze(-1) + steps).int()")),
    ("D is 2", "hidden", "half width 1", places(steps="torch.arange(5)")),
    (
        "by numpy",
        "hidden",
        "gradients",
        places("torch.from_numpy(__import__('numpy').ceil(centres.numpy() - half_width)).long()"),
    ),
]

RIGHT = [
    ("as written", places()),
    ("minus floor of minus", places("-(half_width - centres).floor().long()")),
    ("ceil of the centre", places("torch.ceil(centres).to(torch.int64) - half_width")),
    ("from −D to D", places("centres.ceil().long()", "torch.arange(-half_width, half_width + 1)")),
    (
        "loop",
        """\
def window_positions(centres: Tensor, half_width: int) -> Tensor:
    rows = [
        [[math.ceil(c.item() - half_width) + j for j in range(2 * half_width + 1)] for c in sentence]
        for sentence in centres
    ]
    return torch.tensor(rows)
""",
    ),
]
