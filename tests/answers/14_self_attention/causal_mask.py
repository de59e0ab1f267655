"""Answers to the causal mask."""

TASK, CHECKS, PARTS = "causal_mask", "visibility", ("causal_mask",)


def mask(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def causal_mask(length: int, device: torch.device | str | None = None) -> Tensor:\n{body}"


ONES = "ones = torch.ones(length, length, dtype=torch.bool, device=device)"

WRONG = [
    (
        "PyTorch's other polarity",
        "visible",
        "True and False are exchanged",
        mask(ONES, "return ones.triu(1)"),
    ),
    ("upper triangle", "visible", "queries and keys are exchanged", mask(ONES, "return ones.triu()")),
    ("blind to itself", "visible", "a position cannot see itself", mask(ONES, "return ones.tril(-1)")),
    ("one word too far", "visible", "one word too far", mask(ONES, "return ones.tril(1)")),
    ("everything", "visible", "nothing is hidden", mask(ONES, "return ones")),
    (
        "itself alone",
        "visible",
        "each position sees itself alone",
        mask("return torch.eye(length, dtype=torch.bool, device=device)"),
    ),
    (
        "numbers",
        "visible",
        ("dtype torch.float32", "torch.bool"),
        mask("return torch.tril(torch.ones(length, length, device=device))"),
    ),
    (
        "bias of minus infinity",
        "visible",
        ("dtype torch.float32", "numbers to add to the scores come later"),
        mask("return torch.full((length, length), -torch.inf, device=device).triu(1)"),
    ),
    (
        "an axis for the batch",
        "visible",
        ("shape (1, 5, 5)", "axis 0 of size 1 is one too many"),
        mask(ONES, "return ones.tril().unsqueeze(0)"),
    ),
    (
        "one row",
        "visible",
        "one row for all queries",
        mask("return torch.ones(length, dtype=torch.bool, device=device)"),
    ),
    (
        "a fixed length",
        "hidden",
        "another length",
        mask("return torch.ones(5, 5, dtype=torch.bool, device=device).tril()"),
    ),
    (
        "from the end",
        "visible",
        "counted from the end",
        mask(ONES, "return ones.tril().flip(0)"),
    ),
]

RIGHT = [
    ("tril", mask(ONES, "return torch.tril(ones)")),
    ("not triu", mask(ONES, "return ~ones.triu(1)")),
    (
        "two ranges",
        mask("place = torch.arange(length, device=device)", "return place.unsqueeze(0) <= place.unsqueeze(1)"),
    ),
    (
        "loop",
        mask(
            "seen = torch.zeros(length, length, dtype=torch.bool, device=device)",
            "for i in range(length):",
            "    seen[i, : i + 1] = True",
            "return seen",
        ),
    ),
]
