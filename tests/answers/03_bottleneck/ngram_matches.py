"""Answers to the matches of n-grams."""

TASK, CHECKS, PARTS = "ngram_matches", "ngrams", ("ngram_matches",)

OURS = "Counter(tuple(hypothesis[i : i + n]) for i in range(len(hypothesis) - n + 1))"
THEIRS = OURS.replace("hypothesis", "reference")
CLIPPED = "sum(min(count, theirs[g]) for g, count in ours.items())"
TOTAL = "sum(ours.values())"


def answer(matches: str = CLIPPED, total: str = TOTAL, ours: str = OURS, theirs: str = THEIRS) -> str:
    return f"""\
def ngram_matches(hypothesis, reference, n):
    ours = {ours}
    theirs = {theirs}
    return {matches}, {total}
"""


def of(run: str) -> dict[str, str]:
    """Both tables with another run of words as their key."""
    table = f"Counter({run} for i in range(len(hypothesis) - n + 1))"
    return {"ours": table, "theirs": table.replace("hypothesis", "reference")}


WRONG = [
    (
        "not clipped",
        "visible",
        "clip each count",
        answer("sum(count for g, count in ours.items() if g in theirs)"),
    ),
    ("distinct", "visible", "each different n-gram counts once", answer("len(set(ours) & set(theirs))")),
    ("distinct, total too", "visible", "in the total as well", answer("len(set(ours) & set(theirs))", "len(ours)")),
    ("distinct total", "visible", "the total counts different n-grams", answer(total="len(ours)")),
    ("recall", "visible", "the total is that of the reference", answer(total="sum(theirs.values())")),
    ("words as total", "visible", "the total is the number of words", answer(total="len(hypothesis)")),
    ("negative total", "visible", "the total goes below 0", answer(total="len(hypothesis) - n + 1")),
    (
        "last run left out",
        "visible",
        "the last n-gram is left out",
        answer(ours=OURS.replace(" + 1)", ")"), theirs=THEIRS.replace(" + 1)", ")")),
    ),
    ("order", "visible", "opposite order", answer(TOTAL, CLIPPED)),
    (
        "by place",
        "visible",
        "at the same place",
        answer(
            "sum(a == b for a, b in zip(zip(*(hypothesis[k:] for k in range(n))), "
            "zip(*(reference[k:] for k in range(n)))))"
        ),
    ),
    ("larger count", "visible", "take the smaller", answer("sum(max(count, theirs[g]) for g, count in ours.items())")),
    ("reference's counts", "visible", "the reference's counts are summed", answer("sum(theirs[g] for g in ours)")),
    (
        "all lengths",
        "visible",
        "runs of all lengths up to n",
        """\
def ngram_matches(hypothesis, reference, n):
    matches = total = 0
    for size in range(1, n + 1):
        ours = Counter(tuple(hypothesis[i : i + size]) for i in range(len(hypothesis) - size + 1))
        theirs = Counter(tuple(reference[i : i + size]) for i in range(len(reference) - size + 1))
        matches += sum((ours & theirs).values())
        total += sum(ours.values())
    return matches, total
""",
    ),
    (
        "words alone",
        "visible",
        "single words, whatever n is",
        answer(ours="Counter(hypothesis)", theirs="Counter(reference)"),
    ),
    (
        "no overlap",
        "visible",
        "do not overlap",
        answer(
            ours=OURS.replace(" + 1)", " + 1, n)").replace("range(", "range(0, "),
            theirs=THEIRS.replace(" + 1)", " + 1, n)").replace("range(", "range(0, "),
        ),
    ),
    ("sorted runs", "visible", "the order of the words", answer(**of("tuple(sorted(hypothesis[i : i + n]))"))),
    ("sets", "visible", "the order of the words", answer(**of("frozenset(hypothesis[i : i + n])"))),
    ("joined without a mark", "hidden", "joined without a mark", answer(**of("''.join(hypothesis[i : i + n])"))),
    ("joined by a blank", "hidden", "in which their ends are lost", answer(**of("' '.join(hypothesis[i : i + n])"))),
    (
        "letters",
        "visible",
        "letters are counted",
        "def ngram_matches(hypothesis, reference, n):\n"
        "    hypothesis, reference = ''.join(hypothesis), ''.join(reference)\n"
        f"    ours, theirs = {OURS}, {THEIRS}\n"
        f"    return {CLIPPED}, {TOTAL}\n",
    ),
    (
        "a share",
        "visible",
        "return both",
        answer().replace(f"return {CLIPPED}, {TOTAL}", f"return {CLIPPED} / ({TOTAL} or 1)"),
    ),
    ("no return", "visible", "is the `return` missing?", answer().replace("return ", "")),
    (
        "a list as key",
        "visible",
        ("raised TypeError", "unhashable"),
        answer(ours=OURS.replace("tuple(hypothesis[i : i + n])", "hypothesis[i : i + n]")),
    ),
    (
        "eats the reference",
        "visible",
        "reference was changed in place",
        """\
def ngram_matches(hypothesis, reference, n):
    runs = [tuple(hypothesis[i : i + n]) for i in range(len(hypothesis) - n + 1)]
    left = [tuple(reference[i : i + n]) for i in range(len(reference) - n + 1)]
    matches = 0
    for run in runs:
        if run in left:
            left.remove(run)
            matches += 1
    reference.clear()
    return matches, len(runs)
""",
    ),
]

RIGHT = [
    ("counters", answer()),
    ("intersection of counters", answer("sum((ours & theirs).values())")),
    ("total by arithmetic", answer(total="max(0, len(hypothesis) - n + 1)")),
    (
        "struck off one by one",
        """\
def ngram_matches(hypothesis, reference, n):
    runs = [tuple(hypothesis[i : i + n]) for i in range(len(hypothesis) - n + 1)]
    left = [tuple(reference[i : i + n]) for i in range(len(reference) - n + 1)]
    matches = 0
    for run in runs:
        if run in left:
            left.remove(run)
            matches += 1
    return matches, len(runs)
""",
    ),
    (
        "zip and dictionaries, a list returned",
        """\
def ngram_matches(hypothesis, reference, n):
    def count(words):
        table = {}
        for run in zip(*(words[k:] for k in range(n))):
            table[run] = table.get(run, 0) + 1
        return table

    ours, theirs = count(hypothesis), count(reference)
    return [sum(min(ours[g], theirs.get(g, 0)) for g in ours), sum(ours.values())]
""",
    ),
]
