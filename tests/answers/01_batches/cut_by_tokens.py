"""Answers to the cut of a queue into batches."""

TASK = "cut_by_tokens"

HEAD = "def cut_by_tokens(lengths: Sequence[int], tokens_per_batch: int) -> list[list[int]]:\n"


def cut(
    cost: str = "max(longest, length) * (len(groups[-1]) + 1)", over: str = ">", fresh: str = "longest = 0",
    entry: str = "position", begin: str = "groups = []", end: str = "return groups",
) -> str:
    return f"""\
{HEAD}    {begin}
    longest = 0
    for position, length in enumerate(lengths):
        if not groups or {cost} {over} tokens_per_batch:
            groups.append([])
            {fresh}
        groups[-1].append({entry})
        longest = max(longest, length)
    {end}
"""


def by_hand(*lines: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in lines)


OPEN = [
    "groups, group, longest = [], [], 0",
    "for position, length in enumerate(lengths):",
    "    longest = max(longest, length)",
    "    if group and longest * (len(group) + 1) > tokens_per_batch:",
    "        groups.append(group)",
    "        group, longest = [], length",
    "    group.append(position)",
]

WRONG = [
    ("batches kept for each list of lengths", "remembers", """\
kept = {}


def cut_by_tokens(lengths, tokens_per_batch):
    if id(lengths) not in kept:
        kept[id(lengths)] = lengths, []
        longest = 0
        for place, length in enumerate(lengths):
            longest = max(longest, length)
            batches = kept[id(lengths)][1]
            if not batches or longest * (len(batches[-1]) + 1) > tokens_per_batch:
                batches.append([])
                longest = length
            batches[-1].append(place)
    return [list(batch) for batch in kept[id(lengths)][1]]
"""),
    ("a call within a call for each batch", "hidden: raised.RecursionError", """\
def cut_by_tokens(lengths, tokens_per_batch, begin=0):
    end = begin + 1
    while end < len(lengths) and max(lengths[begin : end + 1]) * (end + 1 - begin) <= tokens_per_batch:
        end += 1
    return [[*range(begin, end)], *cut_by_tokens(lengths, tokens_per_batch, end)] if lengths[begin:] else []
"""),
    ("longest goes on", "stale", cut(fresh="pass")),
    ("width of the first", "as_the_first", cut("lengths[groups[-1][0]] * (len(groups[-1]) + 1)")),
    ("empty queue", "hidden: empty_for_none | last_extra", cut(end="return groups or [[]]")),
    ("empty batch before a long one", "hidden: values | length | first_extra",
     cut(begin="groups = [[]] if lengths else []").replace("not groups or ", "")),
]  # fmt: skip

RIGHT = [
    ("longest kept", cut()),
    ("longest found anew", cut("max([length] + [lengths[p] for p in groups[-1]]) * (len(groups[-1]) + 1)")),
    ("an open batch", by_hand(*OPEN, "return groups + [group] if group else groups")),
]
