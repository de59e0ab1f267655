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
    ("sets of words", "sorted", counted(ours=OURS.replace(TUPLE, "frozenset(hypothesis[i : i + n])"))),
    *((f"joined by {mark!r}", "hidden: joined1",
       counted(ours=OURS.replace(TUPLE, f"{mark!r}.join(hypothesis[i : i + n])"))) for mark in ("|", "\x1f", "</w>")),
    ("composed letters", "hidden: off_1 | values",
     "from unicodedata import normalize\n\n\n" + counted().replace("    ours =", """\
    hypothesis, reference = ([normalize("NFC", word) for word in words] for words in (hypothesis, reference))
    ours =""")),
    ("eats the reference", "changed_in_place", struck("reference.clear()\n    return matches, len(runs)")),
    ("max(1, total)", "one_minus | off_1", counted("sum((ours & theirs).values()), max(1, sum(ours.values()))")),
]  # fmt: skip

RIGHT = [
    ("intersection of counters", counted()),
    ("total by arithmetic", counted("sum((ours & theirs).values()), max(0, len(hypothesis) - n + 1)")),
    ("struck off one by one", struck("return matches, len(runs)")),
]  # fmt: skip
