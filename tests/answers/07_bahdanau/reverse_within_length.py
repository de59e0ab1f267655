"""Answers to the reversal of each sentence within its length."""

TASK = "reverse_within_length"


def turned(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def reverse_within_length(values: Tensor, lengths: Tensor) -> Tensor:\n{body}"


def each(*lines: str, result: str = "result", before: str = "result = values.clone()") -> str:
    """A loop over the sentences."""
    loop = "for row, (sentence, n) in enumerate(zip(values, lengths.tolist())):"
    return turned(before, loop, *(f"    {line}" for line in lines), f"return {result}")


PLACES = "places = torch.arange(values.size(1))"
INDEX = "index = (lengths.unsqueeze(1) - 1 - places)"
FETCH = "return values.gather(1, index.unsqueeze(-1).expand_as(values))"

WRONG = [
    ("length of sentence 0", "length_of_sentence_0",
     turned("n = lengths[0]", "return torch.cat([values[:, :n].flip(1), values[:, n:]], 1)")),
    ("in place", "changed_in_place", each("sentence[:n] = sentence[:n].flip(0)", result="values")),
    ("last word twice", "one_too_early | values", turned(PLACES, f"{INDEX}.sub(1).clamp(min=0)", FETCH)),
    ("from the length on", "from_length_and_padding",
     turned(PLACES, "index = (lengths.unsqueeze(1) - places).clamp(max=values.size(1) - 1)",
            "index = torch.where(index >= 0, index, places)", FETCH)),
    ("float32", "hidden: dtype | single_precision",
        each("result[row] = torch.cat([sentence[:n].flip(0), sentence[n:]])",
             before="result = torch.empty(values.shape)")),
]

RIGHT = [
    ("gather", turned(PLACES, INDEX, "index = torch.where(index >= 0, index, places)", FETCH)),
    ("loop over sentences",
        each("result.append(torch.cat([sentence[:n].flip(0), sentence[n:]]))", before="result = []",
             result="torch.stack(result)")),
    ("clone and loop", each("for place in range(n):", "    result[row, place] = sentence[n - 1 - place]")),
]
