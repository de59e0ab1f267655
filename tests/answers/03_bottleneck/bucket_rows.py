"""Answers to the rows of length buckets."""

TASK, CHECKS, PARTS = "bucket_rows", "length_buckets", ("bucket_rows",)


def answer(
    inner: str = "[row for row, n in enumerate(source_lengths) if low <= n <= high]", after: str = "return found"
) -> str:
    return f"""\
def bucket_rows(source_lengths, buckets):
    found = []
    for low, high in buckets:
        found.append({inner})
    {after}
"""


def holds(test: str) -> str:
    return answer(f"[row for row, n in enumerate(source_lengths) if {test}]")


WRONG = [
    ("upper end excluded", "visible", "the upper end of a bucket belongs to it", holds("low <= n < high")),
    ("lower end excluded", "visible", "the lower end of a bucket belongs to it", holds("low < n <= high")),
    ("both ends excluded", "visible", "both ends of a bucket belong to it", holds("low < n < high")),
    ("range", "visible", "the upper end of a bucket belongs to it", holds("n in range(low, high)")),
    ("no upper end", "visible", "it has an upper end", holds("low <= n")),
    ("no lower end", "visible", "it has a lower end", holds("n <= high")),
    ("lengths", "visible", "these are the lengths", answer("[n for n in source_lengths if low <= n <= high]")),
    (
        "from 1",
        "visible",
        "rows are numbered from 0",
        answer("[row for row, n in enumerate(source_lengths, 1) if low <= n <= high]"),
    ),
    (
        "empty left out",
        "visible",
        "an empty bucket is left out",
        answer(after="return [rows for rows in found if rows]"),
    ),
    ("counts", "visible", "these are counts", answer("sum(low <= n <= high for n in source_lengths)")),
    (
        "bucket of each row",
        "visible",
        "this is one bucket per row",
        """\
def bucket_rows(source_lengths, buckets):
    return [next((i for i, (low, high) in enumerate(buckets) if low <= n <= high), None) for n in source_lengths]
""",
    ),
    ("flat", "visible", "this is one list for all", answer(after="return sum(found, [])")),
    (
        "rest into the last",
        "visible",
        "put into the last one",
        """\
def bucket_rows(source_lengths, buckets):
    found = [[] for _ in buckets]
    for row, n in enumerate(source_lengths):
        for rows, (low, high) in zip(found, buckets):
            if low <= n <= high:
                rows.append(row)
                break
        else:
            found[-1].append(row)
    return found
""",
    ),
    (
        "sorted by length",
        "visible",
        "sorted by length",
        answer(
            "sorted((row for row, n in enumerate(source_lengths) if low <= n <= high), key=source_lengths.__getitem__)"
        ),
    ),
    (
        "index of the length",
        "visible",
        "`index` finds the first",
        answer("[source_lengths.index(n) for n in source_lengths if low <= n <= high]"),
    ),
    (
        "buckets sorted",
        "visible",
        "the buckets are sorted",
        answer().replace("in buckets:", "in sorted(buckets):"),
    ),
    (
        "one shared list",
        "visible",
        "all buckets share one list",
        """\
def bucket_rows(source_lengths, buckets):
    found = [[]] * len(buckets)
    for rows, (low, high) in zip(found, buckets):
        for row, n in enumerate(source_lengths):
            if low <= n <= high:
                rows.append(row)
    return found
""",
    ),
    ("only the first", "visible", "only the first row", answer(after="return [rows[:1] for rows in found]")),
    ("no return", "visible", "is the `return` missing?", answer(after="pass")),
    ("generator", "visible", ("a generator", "a list of 4 lists"), answer(after="return (rows for rows in found)")),
]

RIGHT = [
    ("loop and comprehension", answer()),
    (
        "one comprehension",
        "def bucket_rows(source_lengths, buckets):\n    return [\n"
        "        [r for r, n in enumerate(source_lengths) if a <= n <= b] for a, b in buckets\n    ]\n",
    ),
    ("range with both ends", holds("n in range(low, high + 1)")),
    (
        "through the rows once",
        """\
def bucket_rows(source_lengths, buckets):
    found = [[] for _ in buckets]
    for row, n in enumerate(source_lengths):
        for rows, (low, high) in zip(found, buckets):
            if low <= n <= high:
                rows.append(row)
    return found
""",
    ),
    (
        "tensors",
        """\
def bucket_rows(source_lengths, buckets):
    lengths = torch.tensor(source_lengths)
    return tuple(((lengths >= low) & (lengths <= high)).nonzero().flatten().tolist() for low, high in buckets)
""",
    ),
]
