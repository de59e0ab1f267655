"""Answers to the sign test."""

TASK = "sign_test"


def sign_test(p: str, count: str = "won + lost") -> str:
    return f"""\
def sign_test(before, after):
    won = sum(1 for old, new in zip(before, after) if new and not old)
    lost = sum(1 for old, new in zip(before, after) if old and not new)
    n, least = {count}, min(won, lost)
    return won, lost, {p}
"""


TAIL = "sum(math.comb(n, k) for k in range(least + 1)) / 2**n"

WRONG = [
    ("the last term missing", "change", sign_test("min(1.0, 2 * sum(math.comb(n, k) for k in range(least)) / 2**n)")),
    ("up to the larger count", "larger_count",
     sign_test("min(1.0, 2 * sum(math.comb(n, k) for k in range(max(won, lost) + 1)) / 2**n)")),
    ("a term too few, but 1 without a difference", "last_term_but_none",
     sign_test("min(1.0, 2 * sum(math.comb(n, k) for k in range(least)) / 2**n) if n else 1.0")),
    ("few sentences say nothing", "hidden: factor | values", sign_test(f"1.0 if n < 6 else min(1.0, 2 * {TAIL})")),
    ("an error without a difference", "raised.ZeroDivisionError | values", sign_test(f"min(1.0, 2 * {TAIL} * n / n)")),
    ("places as a float", "hidden: raised.OverflowError", sign_test(
        "min(1.0, 2 * sum(float(math.perm(n, k)) / math.factorial(k) / 2**n for k in range(least + 1)))")),
    ("terms as floats", "hidden: no_float",
     sign_test("min(1.0, 2 * sum(math.comb(n, k) * 0.5**n for k in range(least + 1)))")),
    ("the pair alone", "results", sign_test("0").replace("return won, lost, 0", "return won, lost")),
]

RIGHT = [
    ("sum of the tail", sign_test(f"min(1.0, 2 * {TAIL})")),
    ("both tails", sign_test("sum(math.comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= abs(won - lost)) / 2**n")),
    ("tensors", """\
def sign_test(before, after):
    old, new = torch.tensor(before), torch.tensor(after)
    won, lost = (new & ~old).sum(), (old & ~new).sum()
    n = won + lost
    terms = [math.comb(int(n), k) / 2 ** int(n) for k in range(int(torch.minimum(won, lost)) + 1)]
    return won, lost, torch.tensor(2 * sum(terms)).clamp(max=1.0)
"""),
]
