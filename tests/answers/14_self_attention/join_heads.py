"""Answers to joining heads."""

TASK, CHECKS, PARTS = "join_heads", "heads", ("join_heads",)

SIZES = "batch, heads, positions, head_size = contexts.shape"


def join(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def join_heads(contexts: Tensor) -> Tensor:\n{body}"


WRONG = [
    (
        "reshaped at once",
        "visible",
        "before positions and heads are exchanged",
        join(SIZES, "return contexts.reshape(batch, positions, heads * head_size)"),
    ),
    (
        "mixed feature by feature",
        "visible",
        "the heads are mixed feature by feature",
        join("return contexts.permute(0, 2, 3, 1).flatten(2)"),
    ),
    ("averaged", "visible", "the heads are summed or averaged", join("return contexts.mean(1)")),
    ("summed", "visible", "the heads are summed or averaged", join("return contexts.sum(1)")),
    ("positions joined", "visible", "the positions were joined", join("return contexts.flatten(2)")),
    ("more positions", "visible", "as more positions", join("return contexts.flatten(1, 2)")),
    ("not joined", "visible", "the last two have yet to become one", join("return contexts.transpose(1, 2)")),
    (
        "view",
        "visible",
        ("raised RuntimeError", "view"),
        join(SIZES, "return contexts.transpose(1, 2).view(batch, positions, heads * head_size)"),
    ),
    (
        "opposite order",
        "visible",
        "the heads come in opposite order",
        join("return torch.cat(contexts.unbind(1)[::-1], dim=-1)"),
    ),
    (
        "folded batch",
        "visible",
        "batch and positions share an axis",
        join("return contexts.transpose(1, 2).flatten(2).flatten(0, 1)"),
    ),
    (
        "a fixed number of heads",
        "hidden",
        "other sizes",
        join("return torch.cat([contexts[:, 0], contexts[:, 1], contexts[:, 2 % contexts.size(1)]], dim=-1)"),
    ),
    (
        "squeezed",
        "hidden",
        "squeeze",
        join("return contexts.transpose(1, 2).flatten(2).squeeze()"),
    ),
    (
        "detached",
        "visible",
        "cut off from autograd",
        join("return contexts.detach().transpose(1, 2).flatten(2)"),
    ),
]

RIGHT = [
    ("cat", join("return torch.cat(contexts.unbind(1), dim=-1)")),
    (
        "contiguous view",
        join(SIZES, "return contexts.transpose(1, 2).contiguous().view(batch, positions, heads * head_size)"),
    ),
    ("permute and reshape", join(SIZES, "return contexts.permute(0, 2, 1, 3).reshape(batch, positions, -1)")),
    (
        "loop",
        join(
            SIZES,
            "joined = contexts.new_zeros(batch, positions, heads * head_size)",
            "for h in range(heads):",
            "    joined[..., h * head_size : (h + 1) * head_size] = contexts[:, h]",
            "return joined",
        ),
    ),
]
