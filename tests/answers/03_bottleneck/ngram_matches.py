"""Answers to the matches of n-grams."""

TASK = "ngram_matches"

TUPLE = "tuple(hypothesis[i : i + n])"
OURS = f"Counter({TUPLE} for i in range(len(hypothesis) - n + 1))"
RUNS = "runs, left = ([tuple(one[i : i + n]) for i in range(len(one) - n + 1)] for one in (hypothesis, reference))"


def counted(result: str = "sum((ours & theirs).values()), sum(ours.values())", ours: str = OURS) -> str:
    return f"""\
def ngram_matches(hypothesis, reference, n):
    ours = {ours}
    theirs = {ours.replace("hypothesis", "reference")}
    return {result}
"""


def struck(after: str) -> str:
    return f"""\
def ngram_matches(hypothesis, reference, n):
    {RUNS}
    matches = 0
    for run in runs:
        if run in left:
            left.remove(run)
            matches += 1
    {after}
"""


WRONG = [
    ("removed while going through", "values | length | first_missing | factor | off_-1", f"""\
def ngram_matches(hypothesis, reference, n):
    {RUNS}
    total = len(runs)
    for run in runs:
        if run in left:
            runs.remove(run)
            left.remove(run)
    return total - len(runs), total
"""),
    ("sets of words", "sorted", counted(ours=OURS.replace(TUPLE, "frozenset(hypothesis[i : i + n])"))),
    ("a share", "results", counted("sum((ours & theirs).values()) / (sum(ours.values()) or 1)")),
    ("a list as key", "raised.TypeError", counted(ours=OURS.replace(TUPLE, "hypothesis[i : i + n]"))),
    ("eats the reference", "changed_in_place", struck("reference.clear()\n    return matches, len(runs)")),
    ("max(1, total)", "one_minus", counted("sum((ours & theirs).values()), max(1, sum(ours.values()))")),
]  # fmt: skip

RIGHT = [
    ("intersection of counters", counted()),
    ("total by arithmetic", counted("sum((ours & theirs).values()), max(0, len(hypothesis) - n + 1)")),
    ("struck off one by one", struck("return matches, len(runs)")),
    ("joined by a blank", counted(ours=OURS.replace(TUPLE, "' '.join(hypothesis[i : i + n])"))),
    ("numpy's numbers", "import numpy\n" + struck("return numpy.int64(matches), numpy.int32(len(runs))")),
    ("zip and dictionaries, a list returned", """\
def ngram_matches(hypothesis, reference, n):
    def count(words):
        table = {}
        for run in zip(*(words[k:] for k in range(n))):
            table[run] = table.get(run, 0) + 1
        return table

    ours, theirs = count(hypothesis), count(reference)
    return [sum(min(ours[g], theirs.get(g, 0)) for g in ours), sum(ours.values())]
"""),
]  # fmt: skip
