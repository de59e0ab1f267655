"""Answers to the positions as rotations."""

TASK = "rotate"

REFUSE = "if vectors.size(-1) % 2:\n        raise ValueError('an odd number of features')"
PLACES = "torch.arange(first, first + vectors.size(-2), dtype=vectors.dtype, device=vectors.device)"
SPEEDS = "torch.pow(10000.0, -2 * torch.arange(half, dtype=vectors.dtype, device=vectors.device) / (2 * half))"
LAST = "turned = torch.stack([x * cos - y * sin, x * sin + y * cos], -1).reshape(vectors.shape)"


def rotate(
    places: str = PLACES, speeds: str = SPEEDS, last: str = LAST, refuse: str = REFUSE,
    angles: str = "torch.outer(places, speeds)",
) -> str:
    return f"""\
def rotate(vectors: Tensor, first: int = 0) -> Tensor:
    {refuse}
    half = vectors.size(-1) // 2
    places, speeds = {places}, {speeds}
    angles = {angles}
    cos, sin = angles.cos(), angles.sin()
    x, y = vectors.unflatten(-1, (half, 2)).unbind(-1)
    {last}
    return turned
"""


WRONG = [
    ("angles kept by their number", "change", "KEPT = {}\n" + rotate(
        angles="KEPT.setdefault((len(places), half, vectors.dtype), torch.outer(places, speeds))")),
    ("angles kept by sizes and place", "hidden: values | dtype | change | single_precision", "KEPT = {}\n" + rotate(
        angles="KEPT.setdefault((len(places), half, first), torch.outer(places, speeds))")),
    ("base 1000", "base_1000", rotate(speeds=SPEEDS.replace("10000", "1000"))),
    ("axis 1 counted, whatever it holds", "hidden: along_axis_1",
     rotate(places=PLACES.replace("size(-2)", "size(1)"),
            angles="torch.outer(places, speeds).reshape(len(places), *[1] * (vectors.dim() - 3), half)")),
    ("in place", "changed_in_place", rotate(last=f"{LAST}\n    vectors.mul_(2)")),
    ("the axis after the batch", "hidden: axis_1",
     rotate(places="torch.arange(first, first + vectors.size(1), dtype=vectors.dtype, device=vectors.device)")),
    ("an assertion", "hidden: error_wrong", rotate(refuse="assert vectors.size(-1) % 2 == 0")),
    ("a table of 2048 places", "hidden: raised.RuntimeError", rotate(PLACES.replace("first, first + vectors.size(-2)",
     "2048").replace("device)", "device)[first : first + vectors.size(-2)]"))),
]

RIGHT = [
    ("pairs unflattened", rotate()),
    ("complex numbers", """\
def rotate(vectors, first=0):
    size = vectors.size(-1)
    if size % 2 == 1:
        raise ValueError("odd")
    places = torch.arange(vectors.size(-2), dtype=vectors.dtype, device=vectors.device) + first
    speeds = 10000 ** -(torch.arange(0, size, 2, dtype=vectors.dtype, device=vectors.device) / size)
    angles = places[:, None] * speeds
    pairs = torch.view_as_complex(vectors.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.complex(angles.cos(), angles.sin())).flatten(-2)
"""),
    ("each vector and its quarter turn", """\
def rotate(vectors, first=0):
    size = vectors.size(-1)
    if size % 2:
        raise ValueError("odd")
    numbers = torch.arange(size, device=vectors.device).to(vectors.dtype)
    speeds = torch.exp(-math.log(10000) * 2 * (numbers // 2) / size)
    angles = torch.arange(first, first + vectors.size(-2), device=vectors.device).to(vectors.dtype)[:, None] * speeds
    quarter = torch.stack([-vectors[..., 1::2], vectors[..., ::2]], dim=-1).flatten(-2)
    return vectors * angles.cos() + quarter * angles.sin()
"""),
]
