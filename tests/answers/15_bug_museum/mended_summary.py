"""Answers to the mended summary."""

TASK, CHECKS, PARTS = "mended_summary", "repairs", ("mended_summary",)

HALF = "half = states.size(-1) // 2"
ROWS = "rows = torch.arange(len(states), device=states.device)"


def summary(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def mended_summary(states: Tensor, source_lengths: Tensor) -> Tensor:\n{body}"


def joined(forward: str, backward: str) -> str:
    return summary(HALF, ROWS, f"return torch.cat([{forward}, {backward}], dim=-1)")


WRONG = [
    ("the exhibit", "visible", "both halves are still taken at the last position", summary("return states[:, -1]")),
    (
        "the last word",
        "visible",
        "the backward direction has read one word there",
        summary(ROWS, "return states[rows, source_lengths - 1]"),
    ),
    (
        "the first word",
        "visible",
        "the forward direction has read one word at the first position",
        summary("return states[:, 0]"),
    ),
    (
        "no regard for padding",
        "visible",
        "the backward half is right, but the forward half",
        joined("states[:, -1, :half]", "states[:, 0, half:]"),
    ),
    (
        "directions exchanged",
        "visible",
        "the directions are exchanged",
        joined("states[:, 0, :half]", "states[rows, source_lengths - 1, half:]"),
    ),
    (
        "halves exchanged",
        "visible",
        "the halves come in opposite order",
        joined("states[:, 0, half:]", "states[rows, source_lengths - 1, :half]"),
    ),
    (
        "backward at the end of the batch",
        "visible",
        "the backward half is taken at the batch's last position",
        joined("states[rows, source_lengths - 1, :half]", "states[:, -1, half:]"),
    ),
    (
        "one direction",
        "visible",
        ("shape (3, 3)", "one direction alone"),
        summary(HALF, ROWS, "return states[rows, source_lengths - 1, :half]"),
    ),
    (
        "one off",
        "visible",
        "raised IndexError",
        joined("states[rows, source_lengths, :half]", "states[:, 0, half:]"),
    ),
    (
        "one off, held back",
        "visible",
        "word n stands at n − 1",
        joined("states[rows, source_lengths.clamp(max=states.size(1) - 1), :half]", "states[:, 0, half:]"),
    ),
    ("average", "visible", "the average", summary("return states.sum(1) / source_lengths.unsqueeze(1)")),
    (
        "one word early",
        "visible",
        "one word too early",
        joined("states[rows, source_lengths - 2, :half]", "states[:, 0, half:]"),
    ),
    (
        "always float32",
        "hidden",
        ("float64", "dtype torch.float32"),
        summary(
            HALF,
            ROWS,
            "out = torch.zeros(len(states), 2 * half)",
            "out[:, :half], out[:, half:] = states[rows, source_lengths - 1, :half], states[:, 0, half:]",
            "return out",
        ),
    ),
    (
        "detached",
        "visible",
        "cut off from autograd",
        joined("states[rows, source_lengths - 1, :half].detach()", "states[:, 0, half:].detach()"),
    ),
]

RIGHT = [
    ("ids", joined("states[rows, source_lengths - 1, :half]", "states[:, 0, half:]")),
    (
        "gather",
        summary(
            "forward, backward = states.chunk(2, dim=-1)",
            "index = (source_lengths - 1).view(-1, 1, 1).expand(-1, 1, forward.size(-1))",
            "return torch.cat([forward.gather(1, index).squeeze(1), backward[:, 0]], dim=-1)",
        ),
    ),
    (
        "loop",
        summary(
            HALF,
            "rows = [",
            "    torch.cat([row[int(length) - 1, :half], row[0, half:]])",
            "    for row, length in zip(states, source_lengths, strict=True)",
            "]",
            "return torch.stack(rows)",
        ),
    ),
    (
        "a mask of the last words",
        summary(
            HALF,
            "last = torch.arange(states.size(1)) == source_lengths.unsqueeze(1) - 1",
            "return torch.cat([states[..., :half][last], states[:, 0, half:]], dim=1)",
        ),
    ),
]
