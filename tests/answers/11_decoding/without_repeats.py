"""Answers to the rule against saying things twice."""

TASK, PROBABLE = "without_repeats", "log_probabilities.exp().clone()"

TO_BASE = "lambda run: sum(1000**place * word for place, word in enumerate(reversed(run)))"


def counted(
    tail: str = "tuple(words[len(words) - n + 1 :]) if len(words) >= n - 1 else None",
    bar: str = "result[row, word] = float('-inf')", first: str = "log_probabilities.clone()",
) -> str:
    return f"""\
def without_repeats(log_probabilities, prefixes, n):
    result = {first}
    for row, words in enumerate(prefixes.tolist()):
        follow = {{}}
        for i in range(len(words) - n + 1):
            follow.setdefault(tuple(words[i : i + n - 1]), []).append(words[i + n - 1])
        for word in follow.get({tail}, []):
            {bar}
    return result
"""


WRONG = [
    ("tail of 0", "minus_zero", counted("tuple(words[-(n - 1) :])")),
    ("in place", "changed_in_place", counted(first="log_probabilities")),
    ("cut off", "no_gradient", counted(first="log_probabilities.detach().clone()")),
    ("runs as numbers to the base 1000", "hidden: first_1 | not_finite",
     """\
def without_repeats(log_probabilities, prefixes, n):
    def number(run):
        return sum(1000**place * word for place, word in enumerate(reversed(run)))

    result = log_probabilities.clone()
    for row, words in enumerate(prefixes.tolist()):
        runs = {number(words[i : i + n]) for i in range(len(words) - n + 1)}
        for word in {0, *words}:
            if len(words) >= n - 1 and number([*words[len(words) - n + 1 :], word]) in runs:
                result[row, word] = -torch.inf
    return result
"""),
    ("what stands before, as a number to the base 1000", "hidden: first_1 | not_finite",
     counted("start(words[len(words) - n + 1 :])").replace("    result", f"    start = {TO_BASE}\n    result", 1)
     .replace("tuple(words[i : i + n - 1])", "start(words[i : i + n - 1])")),
    ("exp", "hidden: values", counted(bar="result[row, word] = 0", first=PROBABLE).replace("lt\n", "lt.log()\n")),
]  # fmt: skip

RIGHT = [
    ("a table of what followed", counted()),
    ("every word tried", """\
def without_repeats(log_probabilities, prefixes, n):
    banned = torch.zeros_like(log_probabilities, dtype=torch.bool)
    for row, words in enumerate(prefixes.tolist()):
        runs = {tuple(words[i : i + n]) for i in range(len(words) - n + 1)}
        for word in range(log_probabilities.size(1)):
            banned[row, word] = tuple([*words, word][-n:]) in runs
    return log_probabilities.masked_fill(banned, -torch.inf)
"""),
    ("windows", """\
def without_repeats(log_probabilities, prefixes, n):
    if prefixes.size(1) < n:
        return log_probabilities.clone()
    runs = prefixes.unfold(1, n, 1)
    same = (runs[..., :-1] == prefixes[:, None, prefixes.size(1) - n + 1 :]).all(-1)
    marks = torch.zeros_like(log_probabilities).scatter_add(1, runs[..., -1], same.to(log_probabilities.dtype))
    return torch.where(marks > 0, -torch.inf, log_probabilities)
"""),
]  # fmt: skip
