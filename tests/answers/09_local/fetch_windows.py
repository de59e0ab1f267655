"""Answers to the windows that are fetched."""

TASK, CHECKS, PARTS = "fetch_windows", "fetching", ("fetch_windows",)

REAL = "(positions == inside) & source_mask[rows, inside]"


def fetch(
    inside: str = "positions.clamp(0, values.size(1) - 1)",
    real: str = "(positions == inside) & source_mask[rows, inside]",
    windows: str = "values[rows, inside]",
    result: str = "windows, real",
) -> str:
    return f"""\
def fetch_windows(values: Tensor, source_mask: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    inside = {inside}
    rows = torch.arange(values.size(0)).view(-1, 1, 1)
    real = {real}
    windows = {windows}
    return {result}
"""


WRONG = [
    (
        "clamped counts as real",
        "visible",
        ("a position beyond the ends counts as real", "many times"),
        fetch(real="source_mask[rows, inside]"),
    ),
    ("no mask", "visible", "padding counts as real", fetch(real="positions == inside")),
    (
        "all real",
        "visible",
        "every position counts as real",
        fetch(real="positions > -1000"),
    ),
    (
        "polarity",
        "visible",
        "turned round",
        fetch(real="~((positions == inside) & source_mask[rows, inside])"),
    ),
    (
        "negative index",
        "visible",
        "a negative index counts from the end",
        fetch("positions.clamp(max=values.size(1) - 1)"),
    ),
    ("modulo", "visible", "modulo the length", fetch("positions % values.size(1)", real="source_mask[rows, inside]")),
    ("out of range", "visible", "raised IndexError", fetch("positions", windows="values[rows, positions]")),
    ("sentence 0", "visible", "every sentence gets the values of sentence 0", fetch(windows="values[0][inside]")),
    (
        "mask of sentence 0",
        "visible",
        "the mask of sentence 0",
        fetch(real="(positions == inside) & source_mask[0][inside]"),
    ),
    (
        "word 0 is none",
        "visible",
        "word 0 never counts",
        fetch(real=f"{REAL} & (positions > 0)"),
    ),
    (
        "clamped to the size",
        "visible",
        "raised IndexError",
        fetch("positions.clamp(0, values.size(1))"),
    ),
    ("order", "visible", "the pair (real, windows)", fetch(result="real, windows")),
    ("windows alone", "visible", ("one value", "(windows, real)"), fetch(result="windows")),
    (
        "no rows",
        "visible",
        ("windows: shape", "expected (batch=3"),
        fetch(windows="values[:, inside]"),
    ),
    (
        "NaN where there is no word",
        "visible",
        ("NaN", "any finite value"),
        fetch(windows="values[rows, inside].masked_fill(~real.unsqueeze(-1), torch.nan)"),
    ),
    ("detached", "visible", "cut off from autograd", fetch(windows="values.detach()[rows, inside]")),
    (
        "float real",
        "visible",
        ("real", "dtype torch.float32"),
        fetch(real=f"({REAL}).float()"),
    ),
    ("query 0", "visible", "the window of query 0", fetch(windows="values[rows, inside[:, :1].expand_as(inside)]")),
]

RIGHT = [
    ("clamp and compare", fetch()),
    ("two comparisons", fetch(real="(positions >= 0) & (positions < values.size(1)) & source_mask[rows, inside]")),
    (
        "empty places at 0",
        fetch(windows="values[rows, inside].masked_fill(~real.unsqueeze(-1), 0.0)"),
    ),
    (
        "gather",
        fetch(
            real="(positions == inside) & source_mask.gather(1, inside.flatten(1)).view_as(inside)",
            windows="values.gather(1, inside.flatten(1).unsqueeze(-1).expand(-1, -1, values.size(2)))"
            ".view(*inside.shape, -1)",
        ),
    ),
    (
        "one-hot product",
        fetch(
            real="((positions.unsqueeze(-1) == torch.arange(values.size(1))) & source_mask[:, None, None]).any(-1)",
            windows="torch.einsum('bqwk,bkv->bqwv', F.one_hot(inside, values.size(1)).to(values.dtype), values)",
        ),
    ),
    (
        "loop",
        """\
def fetch_windows(values: Tensor, source_mask: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    real = torch.zeros_like(positions, dtype=torch.bool)
    windows = values.new_zeros(*positions.shape, values.size(2))
    for b, q, w in torch.ones_like(positions).nonzero().tolist():
        position = int(positions[b, q, w])
        if 0 <= position < values.size(1) and source_mask[b, position]:
            real[b, q, w] = True
            windows[b, q, w] = values[b, position]
    return windows, real
""",
    ),
]
