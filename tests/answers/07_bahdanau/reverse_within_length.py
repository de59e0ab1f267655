"""Answers to the reversal of each sentence within its length."""

TASK, CHECKS, PARTS = "reverse_within_length", "directions", ("reverse_within_length",)


def turned(*lines: str) -> str:
    return "def reverse_within_length(values: Tensor, lengths: Tensor) -> Tensor:\n" + "".join(
        f"    {line}\n" for line in lines
    )


PLACES = "places = torch.arange(values.size(1))"
MIRRORED = "mirrored = lengths.unsqueeze(1) - 1 - places"
FETCH = "return values.gather(1, index.unsqueeze(-1).expand_as(values))"

WRONG = [
    ("flip", "visible", ("padding comes to stand among the words", "its own length"), turned("return values.flip(1)")),
    ("nothing", "visible", "nothing is reversed", turned("return values")),
    ("sentences flipped", "visible", "padding comes to stand among the words", turned("return values.flip(0)")),
    ("features flipped", "visible", "the features are reversed", turned("return values.flip(2)")),
    (
        "padding zeroed",
        "visible",
        "the padding is replaced by 0",
        turned(
            PLACES,
            MIRRORED,
            "index = mirrored.clamp(min=0)",
            "turned = values.gather(1, index.unsqueeze(-1).expand_as(values))",
            "return turned * (mirrored >= 0).unsqueeze(-1)",
        ),
    ),
    (
        "padding from word 1",
        "visible",
        "it is to be left as it is",
        turned(PLACES, MIRRORED, "index = mirrored.clamp(min=0)", FETCH),
    ),
    (
        "off by one",
        "visible",
        "padding comes to stand among the words",
        turned(
            PLACES, "mirrored = lengths.unsqueeze(1) - places", "index = mirrored.clamp(0, values.size(1) - 1)", FETCH
        ),
    ),
    (
        "off by one the other way",
        "visible",
        "the index length − 1",
        turned(PLACES, "index = (lengths.unsqueeze(1) - 2 - places).clamp(min=0)", FETCH),
    ),
    (
        "length of sentence 0",
        "visible",
        "padding comes to stand among the words",
        turned(
            "n = int(lengths[0])",
            "return torch.cat([values[:, :n].flip(1), values[:, n:]], dim=1)",
        ),
    ),
    (
        "in place",
        "visible",
        "changed in place",
        turned(
            "for row, n in zip(values, lengths.tolist()):",
            "    row[:n] = row[:n].flip(0)",
            "return values",
        ),
    ),
    (
        "only sentence 0",
        "visible",
        "only sentence 0",
        turned(
            "result = values.clone()", "n = int(lengths[0])", "result[0, :n] = values[0, :n].flip(0)", "return result"
        ),
    ),
    (
        "padding in front",
        "visible",
        "the padding comes to stand in front",
        turned(PLACES, "real = places < lengths.unsqueeze(1)", "return values.flip(1) * real.flip(1).unsqueeze(-1)"),
    ),
    (
        "cut off",
        "hidden",
        "cut off from autograd",
        turned(
            PLACES, MIRRORED, "index = torch.where(mirrored >= 0, mirrored, places)", "values = values.detach()", FETCH
        ),
    ),
    (
        "float32",
        "hidden",
        ("float64", "dtype torch.float32"),
        turned(
            "result = torch.empty(values.shape)",
            "result.copy_(values)",
            "for row, (sentence, n) in enumerate(zip(values, lengths.tolist())):",
            "    result[row, :n] = sentence[:n].flip(0)",
            "return result",
        ),
    ),
]

RIGHT = [
    ("gather", turned(PLACES, MIRRORED, "index = torch.where(mirrored >= 0, mirrored, places)", FETCH)),
    (
        "loop over sentences",
        turned(
            "rows = []",
            "for sentence, n in zip(values, lengths.tolist()):",
            "    rows.append(torch.cat([sentence[:n].flip(0), sentence[n:]]))",
            "return torch.stack(rows)",
        ),
    ),
    (
        "indexing by two lists",
        turned(
            PLACES,
            MIRRORED,
            "index = mirrored.where(mirrored >= 0, places)",
            "return values[torch.arange(len(values)).unsqueeze(1), index]",
        ),
    ),
    (
        "matrix product",
        turned(
            PLACES,
            MIRRORED,
            "index = torch.where(mirrored >= 0, mirrored, places)",
            "return F.one_hot(index, values.size(1)).to(values.dtype) @ values",
        ),
    ),
    (
        "clone and loop",
        turned(
            "result = values.clone()",
            "for row, n in enumerate(lengths):",
            "    for place in range(int(n)):",
            "        result[row, place] = values[row, int(n) - 1 - place]",
            "return result",
        ),
    ),
]
