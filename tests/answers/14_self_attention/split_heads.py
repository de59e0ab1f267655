"""Answers to splitting features into heads."""

TASK, CHECKS, PARTS = "split_heads", "heads", ("split_heads",)

SIZES = "batch, positions, size = projected.shape"


def split(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def split_heads(projected: Tensor, heads: int) -> Tensor:\n{body}"


WRONG = [
    (
        "reshaped",
        "visible",
        "a head gets some positions whole",
        split(SIZES, "return projected.reshape(batch, heads, positions, size // heads)"),
    ),
    (
        "dealt like cards",
        "visible",
        "dealt out like cards",
        split("return projected.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2)"),
    ),
    (
        "not exchanged",
        "visible",
        "now the heads have to come before the positions",
        split("return projected.unflatten(-1, (heads, -1))"),
    ),
    (
        "sizes exchanged",
        "visible",
        "heads and the features of one head are exchanged",
        split("return projected.unflatten(-1, (-1, heads)).transpose(1, 2)"),
    ),
    (
        "folded into the batch",
        "visible",
        "batch and heads share an axis",
        split("return projected.unflatten(-1, (heads, -1)).transpose(1, 2).flatten(0, 1)"),
    ),
    (
        "heads first",
        "visible",
        "the batch comes first",
        split("return torch.stack(projected.chunk(heads, dim=-1))"),
    ),
    (
        "features before positions",
        "visible",
        "the features come last",
        split("return projected.unflatten(-1, (heads, -1)).permute(0, 2, 3, 1)"),
    ),
    ("nothing done", "visible", "still on one axis", split("return projected")),
    (
        "opposite order",
        "visible",
        "the heads come in opposite order",
        split("return torch.stack(projected.chunk(heads, dim=-1)[::-1], dim=1)"),
    ),
    (
        "the first head for all",
        "visible",
        "every head gets the same features",
        split("first = projected.chunk(heads, dim=-1)[0]", "return first.unsqueeze(1).expand(-1, heads, -1, -1)"),
    ),
    (
        "a fixed number of heads",
        "hidden",
        "other sizes",
        split("return projected.unflatten(-1, (3, -1)).transpose(1, 2)"),
    ),
    (
        "squeezed",
        "hidden",
        "squeeze",
        split("return projected.unflatten(-1, (heads, -1)).transpose(1, 2).squeeze()"),
    ),
    (
        "copied out of the graph",
        "visible",
        "cut off from autograd",
        split("return torch.stack(projected.data.chunk(heads, dim=-1), dim=1)"),
    ),
]

RIGHT = [
    ("view", split(SIZES, "return projected.view(batch, positions, heads, size // heads).transpose(1, 2)")),
    ("chunks", split("return torch.stack(projected.chunk(heads, dim=-1), dim=1)")),
    (
        "slices",
        split(
            "share = projected.size(-1) // heads",
            "parts = [projected[..., h * share : (h + 1) * share] for h in range(heads)]",
            "return torch.stack(parts, dim=1)",
        ),
    ),
    (
        "through the features' axis",
        split(
            SIZES,
            "turned = projected.transpose(1, 2).reshape(batch, heads, size // heads, positions)",
            "return turned.mT",
        ),
    ),
]
