"""Answers to the cut of a queue into batches."""

TASK, CHECKS, PARTS = "cut_by_tokens", "buckets", ("cut_by_tokens",)

HEAD = "def cut_by_tokens(lengths: Sequence[int], tokens_per_batch: int) -> list[list[int]]:\n"


def cut(
    cost: str = "max(longest, length) * (len(groups[-1]) + 1)",
    over: str = ">",
    fresh: str = "longest = 0",
    entry: str = "position",
    begin: str = "groups = []",
    end: str = "return groups",
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


WRONG = [
    (
        "real tokens counted",
        "visible",
        "padding costs the same",
        cut("sum(lengths[p] for p in groups[-1]) + length"),
    ),
    ("sentences counted", "visible", "this counts sentences", cut("len(groups[-1]) + 1")),
    ("exact budget cut", "visible", "exactly the budget is cut", cut(over=">=")),
    ("longest goes on", "visible", "the longest of the batch before still counts", cut(fresh="pass")),
    (
        "width of the new one",
        "visible",
        "each row is counted as the new sentence",
        cut("length * (len(groups[-1]) + 1)"),
    ),
    (
        "width of the first",
        "visible",
        "each row is counted as the first",
        cut("lengths[groups[-1][0]] * (len(groups[-1]) + 1)"),
    ),
    (
        "one too many",
        "visible",
        "the cut comes after it",
        cut("longest * len(groups[-1])"),
    ),
    ("last batch lost", "visible", "the last batch is lost", cut(end="return groups[:-1]")),
    ("lengths for places", "visible", "these are the lengths", cut(entry="length")),
    ("counted from 1", "visible", "the places count from 1", cut(entry="position + 1")),
    (
        "lost at the cut",
        "visible",
        "the sentence that no longer fits is lost",
        by_hand(
            "groups, longest = [[]], 0",
            "for position, length in enumerate(lengths):",
            "    if groups[-1] and max(longest, length) * (len(groups[-1]) + 1) > tokens_per_batch:",
            "        groups.append([])",
            "        longest = 0",
            "    else:",
            "        groups[-1].append(position)",
            "        longest = max(longest, length)",
            "return groups",
        ),
    ),
    (
        "open batch never closed",
        "visible",
        "the last batch is lost",
        by_hand(
            "groups, group, longest = [], [], 0",
            "for position, length in enumerate(lengths):",
            "    longest = max(longest, length)",
            "    if group and longest * (len(group) + 1) > tokens_per_batch:",
            "        groups.append(group)",
            "        group, longest = [], length",
            "    group.append(position)",
            "return groups",
        ),
    ),
    ("one each", "visible", "a batch of its own", by_hand("return [[place] for place in range(len(lengths))]")),
    ("one for all", "visible", "all sentences are in one batch", by_hand("return [list(range(len(lengths)))]")),
    ("flat", "visible", "a list of lists", by_hand("return list(range(len(lengths)))")),
    (
        "sorted first",
        "visible",
        "in another order",
        cut().replace("enumerate(lengths)", "reversed(list(enumerate(lengths)))"),
    ),
    (
        "empty batch in front",
        "visible",
        "an empty batch in front",
        cut(begin="groups = [[]]").replace("not groups or", "groups == [[]] or"),
    ),
    (
        "too long is left out",
        "hidden",
        ("longer than the budget", "lost"),
        cut().replace("        if not", "        if length > tokens_per_batch:\n            continue\n        if not"),
    ),
    (
        "empty batch before a long one",
        "hidden",
        ("longer than the budget", "an empty batch in front"),
        by_hand(
            "groups, longest = [[]] if lengths else [], 0",
            "for position, length in enumerate(lengths):",
            "    if max(longest, length) * (len(groups[-1]) + 1) > tokens_per_batch:",
            "        groups.append([])",
            "        longest = 0",
            "    groups[-1].append(position)",
            "    longest = max(longest, length)",
            "return groups",
        ),
    ),
    (
        "empty queue",
        "hidden",
        ("an empty queue", "there is an empty batch"),
        cut(end="return groups or [[]]"),
    ),
    (
        "batches of a fixed number",
        "visible",
        "costs",
        by_hand("return [list(range(len(lengths)))[i : i + 3] for i in range(0, len(lengths), 3)]"),
    ),
    ("no return", "visible", "is the `return` missing?", cut(end="groups")),
]

RIGHT = [
    ("longest kept", cut()),
    ("longest found anew", cut("max([length] + [lengths[p] for p in groups[-1]]) * (len(groups[-1]) + 1)")),
    (
        "an open batch",
        by_hand(
            "groups, group, longest = [], [], 0",
            "for position, length in enumerate(lengths):",
            "    if group and max(longest, length) * (len(group) + 1) > tokens_per_batch:",
            "        groups.append(group)",
            "        group, longest = [], 0",
            "    group.append(position)",
            "    longest = max(longest, length)",
            "return groups + [group] if group else groups",
        ),
    ),
    (
        "two marks",
        by_hand(
            "groups, first = [], 0",
            "while first < len(lengths):",
            "    last = first + 1",
            "    fits = lambda end: max(lengths[first:end]) * (end - first) <= tokens_per_batch",
            "    while last < len(lengths) and fits(last + 1):",
            "        last += 1",
            "    groups.append(list(range(first, last)))",
            "    first = last",
            "return groups",
        ),
    ),
    ("tuples", cut(end="return tuple(map(tuple, groups))")),
]
