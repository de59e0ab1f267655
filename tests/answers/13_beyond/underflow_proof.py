"""Answers to the input that breaks a late mask."""

TASK = "underflow_proof"


def proof(scores: str, mask: str = "torch.arange(keys)[None] > 0", before: str = "pass") -> str:
    return f"""\
def underflow_proof(like: Tensor) -> tuple[Tensor, Tensor]:
    keys, dtype = like.size(1), like.dtype
    {before}
    return {scores}, {mask}
"""


FIRST = "torch.tensor([[{}] + [{}] * (keys - 1)], dtype=dtype)"

WRONG = [
    ("random scores", "too_close", proof("torch.linspace(3, -3, keys, dtype=dtype)[None]")),
    ("a gap for float32", "hidden: float32_alone", proof(FIRST.format("150.0", "0.0"))),
    ("infinity", "too_large", proof(FIRST.format("torch.inf", "0.0"))),
    ("always five keys", "hidden: values",
     proof("torch.tensor([[1000.0, 0, 0, 0, 0]], dtype=dtype)[:, :keys]", "torch.arange(5)[None, :keys] > 0")),
]

RIGHT = [
    ("the first key is padding", proof(FIRST.format("1000.0", "0.0"))),
    ("spread below", proof("torch.cat([torch.tensor([[1000.0]]), -torch.rand(1, keys - 1)], dim=1).to(dtype)")),
    ("filled in",
        proof("scores", "~(scores > 0)",
              "scores = torch.full((1, keys), -500.0, dtype=dtype); scores[:, keys // 2] = 500")),
]
