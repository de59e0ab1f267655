"""Answers to the mask of real tokens."""

TASK = "length_mask"


def mask(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def length_mask(lengths: Tensor, longest: int) -> Tensor:\n{body}"


def compared(comparison: str) -> str:
    return mask("places = torch.arange(longest)", f"return {comparison}")


WRONG = [
    ("counted from 1", "one_too_few", mask("return torch.arange(1, longest + 1) < lengths.unsqueeze(1)")),
    ("no axis", "raised.RuntimeError", mask("return torch.arange(longest + 3) < lengths")),
    ("axis behind", "rows_last", compared("places.unsqueeze(1) < lengths")),
    ("first length for all", "first_row", compared("places.expand(len(lengths), -1) < lengths[0]")),
    ("one row of lengths[0]", "one_row", compared("places < lengths[0]")),
    ("a list", "not_a_tensor", compared("[(places < length).tolist() for length in lengths]")),
    ("in place", "changed_in_place", mask("lengths -= 1", "return torch.arange(longest) <= lengths.unsqueeze(1)")),
    ("at least one", "hidden: empty_as_one", compared("(places < lengths.unsqueeze(1)) | (places == 0)")),
    ("squeezed", "hidden: squeezed", compared("(places < lengths.unsqueeze(1)).squeeze()")),
]

RIGHT = [
    ("broadcast", compared("places < lengths.unsqueeze(1)")),
    ("broadcast, turned", compared("lengths[:, None] > places[None, :]")),
    ("rows", mask("return torch.stack([torch.arange(longest) < length for length in lengths])")),
    (
        "two loops",
        mask(
            "mask = torch.zeros(len(lengths), longest, dtype=torch.bool)",
            "for row in range(len(lengths)):",
            "    for place in range(int(lengths[row])):",
            "        mask[row, place] = True",
            "return mask",
        ),
    ),
    ("lists", mask("return torch.tensor([[place < n for place in range(longest)] for n in lengths.tolist()])")),
    ("running sum", mask("return torch.ones(len(lengths), longest).cumsum(1) <= lengths.unsqueeze(1)")),
    ("from floats", compared("(places < lengths.unsqueeze(1)).float().bool()")),
]
