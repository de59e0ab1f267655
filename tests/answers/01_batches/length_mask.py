"""Answers to the mask of real tokens."""

TASK, CHECKS, PARTS = "length_mask", "batches", ("length_mask",)


def mask(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def length_mask(lengths: Tensor, longest: int) -> Tensor:\n{body}"


def compared(comparison: str) -> str:
    return mask("places = torch.arange(longest)", f"return {comparison}")


WRONG = [
    ("polarity", "visible", "the mask is turned round", compared("places >= lengths.unsqueeze(1)")),
    (
        "polarity and off by one",
        "visible",
        "and one place off",
        compared("places > lengths.unsqueeze(1)"),
    ),
    ("one too many", "visible", "one place too many", compared("places <= lengths.unsqueeze(1)")),
    ("one too few", "visible", "one place too few", compared("places < lengths.unsqueeze(1) - 1")),
    (
        "counted from 1",
        "visible",
        "one place too few",
        mask("places = torch.arange(1, longest + 1)", "return places < lengths.unsqueeze(1)"),
    ),
    ("real tokens last", "visible", "stand at the end", compared("places >= longest - lengths.unsqueeze(1)")),
    ("floats", "visible", ("dtype torch.float32", "boolean"), compared("(places < lengths.unsqueeze(1)).float()")),
    ("whole numbers", "visible", ("dtype torch.int64", "boolean"), compared("(places < lengths.unsqueeze(1)).long()")),
    ("no axis", "visible", "raised RuntimeError", mask("return torch.arange(longest + 3) < lengths")),
    ("axis behind", "visible", "the batch comes first", compared("places.unsqueeze(1) < lengths")),
    (
        "first row for all",
        "visible",
        "of the first sentence",
        compared("places.expand(len(lengths), -1) < lengths[0]"),
    ),
    (
        "longest row for all",
        "visible",
        "mask of the longest sentence",
        compared("(places < lengths.max()).expand(len(lengths), -1)"),
    ),
    (
        "width of the batch",
        "visible",
        "even where no sentence is as long",
        mask("return torch.arange(int(lengths.max())) < lengths.unsqueeze(1)"),
    ),
    ("one row", "visible", "a row of its own", compared("places < lengths[0]")),
    ("one hot", "visible", "only one place of each row", compared("places == lengths.unsqueeze(1) - 1")),
    ("all true", "visible", "every place is true", compared("places.expand(len(lengths), -1) >= 0")),
    ("too wide", "visible", "one too wide", mask("return torch.arange(longest + 1) < lengths.unsqueeze(1)")),
    ("a list", "visible", ("a list of 4", "a tensor"), compared("[(places < length).tolist() for length in lengths]")),
    (
        "in place",
        "visible",
        ("lengths", "changed in place"),
        mask("lengths -= 1", "return torch.arange(longest) <= lengths.unsqueeze(1)"),
    ),
    (
        "bare squeeze",
        "hidden",
        "a bare `.squeeze()`",
        compared("(places < lengths.unsqueeze(1)).squeeze()"),
    ),
    (
        "empty counts as one",
        "hidden",
        ("an empty sentence among others", "wrong values"),
        compared("places < lengths.clamp(min=1).unsqueeze(1)"),
    ),
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
    (
        "running sum",
        mask("return torch.ones(len(lengths), longest).cumsum(1) <= lengths.unsqueeze(1)"),
    ),
    (
        "from floats",
        compared("(places < lengths.unsqueeze(1)).float().bool()"),
    ),
]
