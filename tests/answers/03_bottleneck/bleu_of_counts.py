"""Answers to BLEU of counts."""

TASK, CHECKS, PARTS = "bleu_of_counts", "bleu", ("bleu_of_counts",)

BREVITY = "min(1.0, math.exp(1 - reference_length / hypothesis_length))"
MEAN = "math.prod(shares) ** (1 / len(shares))"
SHARES = "[m / t for m, t in zip(matches, totals)]"
ZERO = "if min(matches) == 0:\n        return 0.0"


def answer(score: str = "100 * brevity * mean", brevity: str = BREVITY, mean: str = MEAN, zero: str = ZERO) -> str:
    return f"""\
def bleu_of_counts(matches, totals, hypothesis_length, reference_length):
    {zero}
    shares = {SHARES}
    brevity = {brevity}
    mean = {mean}
    return {score}
"""


WRONG = [
    ("share", "visible", "a share from 0 to 1", answer("brevity * mean")),
    ("no penalty", "visible", "the brevity penalty is missing", answer(brevity="1.0")),
    (
        "lengths swapped",
        "visible",
        "lengths are swapped",
        answer(brevity="min(1.0, math.exp(1 - hypothesis_length / reference_length))"),
    ),
    (
        "long rewarded",
        "visible",
        "the brevity penalty is at most 1",
        answer(brevity="math.exp(1 - reference_length / hypothesis_length)"),
    ),
    (
        "long punished",
        "visible",
        "long translations are punished",
        answer(brevity="math.exp(-abs(1 - reference_length / hypothesis_length))"),
    ),
    ("ratio", "visible", "it is an exponential", answer(brevity="min(1.0, hypothesis_length / reference_length)")),
    ("no 1", "visible", "lacks its 1", answer(brevity="math.exp(-reference_length / hypothesis_length)")),
    ("arithmetic mean", "visible", "averaged by their sum", answer(mean="sum(shares) / len(shares)")),
    ("no root", "visible", "the root is missing", answer(mean="math.prod(shares)")),
    ("fourth root", "hidden", "always the fourth", answer(mean="math.prod(shares) ** 0.25")),
    ("thrown together", "visible", "thrown together", answer(mean="sum(matches) / sum(totals)")),
    ("longest only", "visible", "only the longest", answer(mean="shares[-1]")),
    ("words only", "visible", "only single words", answer(mean="shares[0]")),
    (
        "zeros left out",
        "visible",
        "the n whose matches are 0 are left out",
        """\
def bleu_of_counts(matches, totals, hypothesis_length, reference_length):
    shares = [m / t for m, t in zip(matches, totals) if m] or [0.0]
    brevity = min(1.0, math.exp(1 - reference_length / hypothesis_length))
    return 100 * brevity * math.prod(shares) ** (1 / len(shares))
""",
    ),
    (
        "smoothed",
        "visible",
        "nothing is smoothed",
        """\
def bleu_of_counts(matches, totals, hypothesis_length, reference_length):
    shares = [(m + 1) / (t + 1) for m, t in zip(matches, totals)]
    brevity = min(1.0, math.exp(1 - reference_length / hypothesis_length))
    return 100 * brevity * math.prod(shares) ** (1 / len(shares))
""",
    ),
    (
        "penalty under the root",
        "visible",
        "under the root",
        answer("100 * (brevity * math.prod(shares)) ** (1 / len(shares))"),
    ),
    (
        "log of 0",
        "visible",
        ("raised ValueError", "at your line"),
        answer(zero="pass", mean="math.exp(sum(math.log(s) for s in shares) / len(shares))"),
    ),
    ("total of 0", "hidden", "raised ZeroDivisionError", answer(zero="pass")),
    (
        "log of 0 as tensor",
        "hidden",
        "log 0 or x / 0",
        """\
def bleu_of_counts(matches, totals, hypothesis_length, reference_length):
    shares = torch.tensor(matches, dtype=torch.float64) / torch.tensor(totals)
    brevity = min(1.0, math.exp(1 - reference_length / hypothesis_length))
    return 100 * brevity * shares.log().mean().exp()
""",
    ),
    ("shares turned round", "visible", "turned round", answer("100 * brevity / mean")),
    ("no return", "visible", "is the `return` missing?", answer().replace("return 100", "score = 100")),
    ("all shares", "visible", "one score for the whole corpus", answer("[100 * brevity * share for share in shares]")),
]

RIGHT = [
    ("product and root", answer()),
    ("logarithms", answer(mean="math.exp(sum(math.log(s) for s in shares) / len(shares))")),
    (
        "penalty by cases",
        answer(
            brevity="1.0 if hypothesis_length >= reference_length "
            "else math.exp(1 - reference_length / hypothesis_length)"
        ),
    ),
    (
        "tensors",
        """\
def bleu_of_counts(matches, totals, hypothesis_length, reference_length):
    matches, totals = torch.tensor(matches, dtype=torch.float64), torch.tensor(totals)
    shares = matches / totals.clamp(1)
    brevity = math.exp(min(0.0, 1 - reference_length / hypothesis_length))
    return 100 * brevity * shares.log().mean().exp()
""",
    ),
    (
        "zero as a whole number, a loop",
        """\
def bleu_of_counts(matches, totals, hypothesis_length, reference_length):
    score = 1
    for match, total in zip(matches, totals):
        if match == 0:
            return 0
        score *= (match / total) ** (1 / len(totals))
    if hypothesis_length < reference_length:
        score *= math.exp(1 - reference_length / hypothesis_length)
    return 100 * score
""",
    ),
]
