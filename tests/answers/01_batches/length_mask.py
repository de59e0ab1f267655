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
    ("at least one", "hidden: empty_as_one", compared("(places < lengths.unsqueeze(1)) | (places == 0)")),
    ("squeezed", "hidden: squeezed", compared("(places < lengths.unsqueeze(1)).squeeze()")),
]

RIGHT = [
    ("broadcast", compared("places < lengths.unsqueeze(1)")),
    ("broadcast, turned", compared("lengths[:, None] > places[None, :]")),
    ("rows", mask("return torch.stack([torch.arange(longest) < length for length in lengths])")),
]
