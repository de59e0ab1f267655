"""Answers to BLEU of counts."""

TASK = "bleu_of_counts"

BREVITY = "min(1.0, math.exp(1 - reference_length / hypothesis_length))"
TENSORS = "torch.tensor(matches, dtype=torch.float64) / torch.tensor(totals)"


def answer(
    score: str = "math.prod(shares) ** (1 / len(shares))", brevity: str = BREVITY,
    zero: str = "if min(matches) == 0:\n        return 0.0", shares: str = "[m / t for m, t in zip(matches, totals)]",
) -> str:
    return f"""\
def bleu_of_counts(matches, totals, hypothesis_length, reference_length):
    {zero}
    shares = {shares}
    brevity = {brevity}
    return 100 * brevity * {score}
"""


WRONG = [
    ("log of 0", "raised.ValueError", answer("math.exp(sum(map(math.log, shares)) / len(shares))", zero="pass")),
    ("early penalty", "hidden: raised.ZeroDivisionError", answer(zero=f"{BREVITY}\n    if 0 in matches: return 0.0")),
    ("log of 0 as tensor", "hidden: not_finite", answer("shares.log().mean().exp()", zero="pass", shares=TENSORS)),
    ("products of 64 bits", "hidden: values", answer(
        "(matched / total) ** (1 / len(shares))",
        zero="matched, total = (float(torch.tensor(counts).prod()) for counts in (matches, totals))\n"
             "    if not matched:\n        return 0.0")),
    ("harmonic mean", "values | factor", answer("len(shares) / sum(1 / s for s in shares)")),
]  # fmt: skip

RIGHT = [
    ("product and root", answer()), ("logarithms", answer("math.exp(sum(math.log(s) for s in shares) / len(shares))")),
    ("penalty by cases", answer(brevity=f"1.0 if hypothesis_length >= reference_length else {BREVITY[9:-1]}")),
]  # fmt: skip
