"""Answers to the padding of ids."""

TASK, CHECKS, PARTS = "pad", "batches", ("pad",)

LONGEST = "longest = max(map(len, sequences))"


def pad(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def pad(sequences: Sequence[Sequence[int]]) -> Tensor:\n{body}"


def rows(row: str, dtype: str = ", dtype=torch.long", longest: str = LONGEST) -> str:
    return pad(longest, f"return torch.tensor([{row} for ids in sequences]{dtype})")


ROW = "[*ids, *[PAD] * (longest - len(ids))]"

WRONG = [
    ("padding in front", "visible", "the padding comes first", rows("[*[PAD] * (longest - len(ids)), *ids]")),
    ("filled with BOS", "visible", "filled up with <bos>", rows(ROW.replace("PAD", "BOS"))),
    ("filled with EOS", "visible", "filled up with <eos>", rows(ROW.replace("PAD", "EOS"))),
    ("filled with -1", "visible", "a number that is no id", rows(ROW.replace("PAD", "-1"))),
    ("ignored index", "visible", "-100, which is no id", rows(ROW.replace("PAD", "-100"))),
    (
        "cut to the shortest",
        "visible",
        "as long as the shortest",
        rows("list(ids[:shortest])", longest="shortest = min(map(len, sequences))"),
    ),
    (
        "width of the first",
        "visible",
        "as long as the first sentence",
        rows("[*ids, *[PAD] * longest][:longest]", longest="longest = len(sequences[0])"),
    ),
    ("one too wide", "visible", "one longer than the longest", rows(ROW, longest=LONGEST + " + 1")),
    (
        "sequence first",
        "visible",
        "the batch comes first",
        pad(
            "return nn.utils.rnn.pad_sequence([torch.tensor(ids, dtype=torch.long) for ids in sequences],"
            " padding_value=PAD)"
        ),
    ),
    ("floats", "visible", ("dtype torch.float32", "ids are whole numbers"), rows(ROW, ", dtype=torch.float32")),
    ("a list", "visible", ("a list of 4", "a tensor"), pad(LONGEST, f"return [{ROW} for ids in sequences]")),
    ("not padded at all", "visible", "raised ValueError", pad("return torch.tensor([list(ids) for ids in sequences])")),
    (
        "sorted by length",
        "visible",
        "the longest sentence comes first",
        pad(
            LONGEST,
            "ordered = sorted(sequences, key=len, reverse=True)",
            f"return torch.tensor([{ROW} for ids in ordered])",
        ),
    ),
    (
        "words reversed",
        "visible",
        "in reverse order",
        rows("[*reversed(ids), *[PAD] * (longest - len(ids))]"),
    ),
    ("last word repeated", "visible", "the last word is repeated", rows("[*ids, *[ids[-1]] * (longest - len(ids))]")),
    (
        "one long row",
        "visible",
        "one after the other",
        pad("return torch.tensor(sum(sequences, []))"),
    ),
    (
        "a fixed width",
        "visible",
        ("shape (4, 10)", "longest=5"),
        rows("[*ids, *[PAD] * (10 - len(ids))]"),
    ),
    (
        "zeros never filled",
        "visible",
        "nothing but padding",
        pad(LONGEST, "return torch.zeros(len(sequences), longest, dtype=torch.long)"),
    ),
    (
        "last place overwritten",
        "visible",
        "is lost",
        pad(
            LONGEST,
            "padded = torch.full((len(sequences), longest), PAD)",
            "for row, ids in enumerate(sequences):",
            "    padded[row, : len(ids) - 1] = torch.tensor(ids[:-1])",
            "return padded",
        ),
    ),
    ("no return", "visible", "is the `return` missing?", pad(LONGEST, f"torch.tensor([{ROW} for ids in sequences])")),
    (
        "assumes a word",
        "hidden",
        ("an empty sentence among others", "raised"),
        pad(
            LONGEST,
            "padded = torch.full((len(sequences), longest), PAD)",
            "for row, ids in enumerate(sequences):",
            "    first, *others = ids",
            "    padded[row, : len(ids)] = torch.tensor([first, *others])",
            "return padded",
        ),
    ),
]

RIGHT = [
    ("lists", rows(ROW)),
    (
        "a full tensor, filled",
        pad(
            LONGEST,
            "padded = torch.full((len(sequences), longest), PAD)",
            "for row, ids in enumerate(sequences):",
            "    padded[row, : len(ids)] = torch.tensor(ids)",
            "return padded",
        ),
    ),
    (
        "pad_sequence",
        pad(
            "rows = [torch.tensor(ids, dtype=torch.long) for ids in sequences]",
            "return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD)",
        ),
    ),
    (
        "zip_longest",
        pad(
            "from itertools import zip_longest",
            "columns = torch.tensor(list(zip_longest(*sequences, fillvalue=PAD)), dtype=torch.long)",
            "return columns.reshape(-1, len(sequences)).T",
        ),
    ),
    (
        "F.pad",
        pad(
            LONGEST,
            "rows = [torch.tensor(ids, dtype=torch.long) for ids in sequences]",
            "return torch.stack([F.pad(row, (0, longest - len(row)), value=PAD) for row in rows])",
        ),
    ),
]
