"""Answers to the reversed source."""

TASK = "reverse_source"


def looped(
    row: str = "result[b, :n] = source[b, :n].flip(0)", first: str = "source.clone()", last: str = "result"
) -> str:
    return f"""\
def reverse_source(source, source_lengths):
    result = {first}
    for b, n in enumerate(source_lengths.tolist()):
        {row}
    return {last}
"""


def gathered(index: str, mirrored: str = "source_lengths.unsqueeze(1) - 1 - positions") -> str:
    return f"""\
def reverse_source(source, source_lengths):
    positions = torch.arange(source.size(1))
    mirrored = {mirrored}
    return source.gather(1, {index})
"""


WRONG = [
    ("in place", "changed_in_place | remembers", looped(first="source")),
    ("index below 0", "raised.RuntimeError", gathered("mirrored")),
    ("cut to the longest", "shape", looped(last="result[:, : int(source_lengths.max())]")),
    ("written into ids of another kind", "hidden: raised.RuntimeError", """\
def reverse_source(source, source_lengths):
    places = source_lengths.unsqueeze(1) - 1 - torch.arange(source.size(1))
    places = torch.where(places >= 0, places, torch.arange(source.size(1)))
    return torch.zeros(source.shape, dtype=torch.long).scatter(1, places, source)
"""),
    ("length by the last word", "hidden: values",
     looped("n = int(source[b].nonzero().max()) + 1; result[b, :n] = source[b, :n].flip(0)")),
]

RIGHT = [
    ("gather", gathered("torch.where(mirrored >= 0, mirrored, positions)")),
    ("padding from other padding", gathered("mirrored % source.size(1)")), ("flip in a loop", looped()),
]  # fmt: skip
