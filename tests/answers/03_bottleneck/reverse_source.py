"""Answers to the reversed source."""

TASK, CHECKS, PARTS = "reverse_source", "order", ("reverse_source",)


def gathered(
    index: str = "torch.where(mirrored >= 0, mirrored, positions)",
    mirrored: str = "source_lengths.unsqueeze(1) - 1 - positions",
) -> str:
    return f"""\
def reverse_source(source, source_lengths):
    positions = torch.arange(source.size(1))
    mirrored = {mirrored}
    return source.gather(1, {index})
"""


def looped(row: str = "result[b, :n] = source[b, :n].flip(0)", start: str = "source.clone()") -> str:
    return f"""\
def reverse_source(source, source_lengths):
    result = {start}
    for b, n in enumerate(source_lengths.tolist()):
        {row}
    return result
"""


def returned(value: str) -> str:
    return f"def reverse_source(source, source_lengths):\n    return {value}\n"


WRONG = [
    ("whole row", "visible", "the padding stands in front", returned("source.flip(1)")),
    ("batch turned", "visible", "the sentences of the batch are turned", returned("source.flip(0)")),
    ("bare flip", "visible", "words and sentences are both turned", returned("source.flip(0, 1)")),
    ("nothing", "visible", "nothing is turned", returned("source.clone()")),
    ("in place", "visible", ("source", "changed in place"), looped(start="source")),
    (
        "length of sentence 0",
        "visible",
        "within the length of sentence 0",
        looped("n = int(source_lengths[0]); result[b, :n] = source[b, :n].flip(0)"),
    ),
    (
        "length of the longest",
        "visible",
        "within the length of the longest",
        looped("n = int(source_lengths.max()); result[b, :n] = source[b, :n].flip(0)"),
    ),
    (
        "length of the shortest",
        "visible",
        "within the length of the shortest",
        looped("n = int(source_lengths.min()); result[b, :n] = source[b, :n].flip(0)"),
    ),
    (
        "off by one",
        "visible",
        "the last word stays where it is",
        looped("result[b, : n - 1] = source[b, : n - 1].flip(0)"),
    ),
    (
        "one too many",
        "visible",
        "one word too many is turned",
        looped("result[b, : n + 1] = source[b, : n + 1].flip(0)"),
    ),
    (
        "from n",
        "visible",
        "positions count from 0",
        gathered(
            "torch.where(mirrored > 0, mirrored.clamp(max=source.size(1) - 1), positions)",
            "source_lengths.unsqueeze(1) - positions",
        ),
    ),
    ("clamped", "visible", "padding is overwritten with the first word", gathered("mirrored.clamp(0)")),
    ("index below 0", "visible", "raised", gathered("mirrored")),
    (
        "sentence 0 only",
        "visible",
        "only sentence 0 is turned",
        looped("if b == 0: result[b, :n] = source[b, :n].flip(0)"),
    ),
    (
        "strictly above 0",
        "visible",
        "position 0 is a position too",
        gathered("torch.where(mirrored > 0, mirrored, positions)"),
    ),
    ("sorted", "visible", "sorted", returned("source.sort(1, descending=True).values")),
    ("ring", "visible", "in a ring", returned("source.roll(1, 1)")),
    (
        "id of padding",
        "hidden",
        "guessed from the id of padding",
        looped("n = int((source[b] != 0).sum()); result[b, :n] = source[b, :n].flip(0)"),
    ),
    (
        "cut to the longest",
        "visible",
        "the batch keeps its width",
        looped().replace("return result", "return result[:, : int(source_lengths.max())]"),
    ),
    ("floats", "visible", "dtype", looped(start="source.float()")),
    ("lists", "visible", "keep to tensors", looped().replace("return result", "return result.tolist()")),
    ("no return", "visible", "is the `return` missing?", looped().replace("return result", "pass")),
]

RIGHT = [
    ("gather", gathered()),
    ("padding from other padding", gathered("mirrored % source.size(1)")),
    ("flip in a loop", looped()),
    ("zeros and flip", looped("result[b, :n] = source[b, :n].flip(0)", "torch.zeros_like(source)")),
    (
        "flip, then roll",
        """\
def reverse_source(source, source_lengths):
    rows = [row.flip(0).roll(int(n), 0) for row, n in zip(source, source_lengths)]
    return torch.stack(rows)
""",
    ),
    ("modulo of the width", gathered("torch.where(positions < source_lengths[:, None], mirrored, positions)")),
    (
        "fancy index",
        """\
def reverse_source(source, source_lengths):
    rows = torch.arange(source.size(0))[:, None]
    places = torch.arange(source.size(1)).expand_as(source)
    inside = places < source_lengths[:, None]
    return source[rows, torch.where(inside, source_lengths[:, None] - 1 - places, places)]
""",
    ),
    (
        "lists",
        """\
def reverse_source(source, source_lengths):
    rows = [row[:n][::-1] + row[n:] for row, n in zip(source.tolist(), source_lengths.tolist())]
    return torch.tensor(rows)
""",
    ),
]
