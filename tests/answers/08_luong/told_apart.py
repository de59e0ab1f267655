"""Answers to the comparison of runs."""

TASK = "told_apart"


SPLITS = "[sum(g) for g in combinations(one + other, len(one))]"


def apart(test: str, pairs: str = "permutations(runs, 2)", pair: str = "(a, b)", before: str = "pass") -> str:
    return f"""\
def told_apart(runs: dict[str, list[float]], level: float) -> list[tuple[str, str]]:
    {before}
    found = []
    for a, b in {pairs}:
        one, other = runs[a], runs[b]
        if {test}:
            found.append({pair})
    return found
"""


WRONG = [
    ("the worst against the best", "no_overlap", apart("all(x > y for x in one for y in other)")),
    ("the median", "values | length", apart("sorted(one)[len(one) // 2] > sorted(other)[len(other) // 2]")),
    ("a higher mean besides", "length",
     apart(f"sum(x >= sum(one) for x in {SPLITS}) <= level * len({SPLITS})"
           " and sum(one) / len(one) > sum(other) / len(other)")),
    ("differences of either sign, for who leads", "two_sided_ahead",
     apart("one_mean > other_mean and sum(abs(sum(g) - middle) >= sum(one) - middle for g in "
           "combinations(one + other, len(one))) <= level * len(list(combinations(one + other, len(one))))").replace(
               "        if ", "        one_mean, other_mean = sum(one) / len(one), sum(other) / len(other)\n"
               "        middle = sum(one + other) * len(one) / len(one + other)\n        if ")),
    ("equal splits once", "distinct",
     apart("sum(sum(g) >= sum(one) for g in ways) <= level * len(ways)").replace(
         "        if ", "        ways = {tuple(sorted(g)) for g in combinations(one + other, len(one))}\n        if ")),
    ("halves of the pool", "halves", apart("sum(x >= sum(one) for x in {0}) <= level * len({0})".format(
        "[sum(g) for g in combinations(one + other, len(one + other) // 2)]"))),
    ("the gap against the level", "gap", apart("sum(one) / len(one) - sum(other) / len(other) > level")),
    ("a level raised by 0.0001", "hidden: first_extra",
     apart(f"sum(x >= sum(one) for x in {SPLITS}) <= (level + 1e-4) * len({SPLITS})")),
    ("ties left out", "distinct",
     apart(f"sum(x > sum(one) for x in {SPLITS}) + 1 <= level * len({SPLITS})")),
]

RIGHT = [
    ("means", """\
def told_apart(runs, level):
    def mean(scores):
        return sum(scores) / len(scores)

    found = []
    for better, worse in permutations(runs, 2):
        pooled, seen, larger = runs[better] + runs[worse], mean(runs[better]) - mean(runs[worse]), []
        for chosen in combinations(range(len(pooled)), len(runs[better])):
            rest = [score for place, score in enumerate(pooled) if place not in chosen]
            larger.append(mean([pooled[place] for place in chosen]) - mean(rest) >= seen - 1e-9)
        if mean(larger) <= level:
            found.append((better, worse))
    return found
"""),
    ("places, by tensors", """\
def told_apart(runs, level):
    pairs = []
    for better in runs:
        for worse in runs:
            scores = torch.tensor(runs[better] + runs[worse], dtype=torch.float64)
            ways = torch.combinations(torch.arange(len(scores)), len(runs[better]))
            share = (scores[ways].sum(-1) >= scores[: len(runs[better])].sum()).double().mean()
            if better != worse and share <= level:
                pairs.append([better, worse])
    return pairs
"""),
    ("every order of the scores, by masks", """\
def told_apart(runs, level):
    def chance(one, other):
        pooled, ways, large = one + other, 0, 0
        for mask in range(2 ** len(pooled)):
            chosen = [score for place, score in enumerate(pooled) if mask >> place & 1]
            if len(chosen) == len(one):
                ways += 1
                large += sum(chosen) >= sum(one)
        return large / ways

    return [(a, b) for a in runs for b in runs if a != b and chance(runs[a], runs[b]) <= level]
"""),
]
