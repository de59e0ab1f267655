"""Answers to the paired bootstrap."""

TASK = "bootstrap"

VERDICT = '"ours" if share >= level else "theirs" if 1 - share >= level else "neither"'


def answer(
    won: str = "(a > b) + 0.5 * (a == b)",
    verdict: str = VERDICT,
    summed: str = "sum(table[int(row)] for row in rows).tolist()",
    share: str = "sum(wins) / len(wins)",
) -> str:
    return f"""\
def bootstrap(ours, theirs, draws, level):
    def score(table, rows):
        c = {summed}
        return bleu_of_counts(c[:4], c[4:8], c[8], c[9])

    pairs = [(score(ours, rows), score(theirs, rows)) for rows in draws]
    wins = [{won} for a, b in pairs]
    share = {share}
    return share, {verdict}
"""


WRONG = [
    ("by the mean of the scores", "values | factor", answer("a / (a + b or 1)")),
    ("a draw within the draw", "values | random | factor | once", answer(summed="table[rows[rows]].sum(0).tolist()")),
    ("percent", "factor | values", answer(share="100 * sum(wins) / len(wins)")),
    ("above the level", "hidden: above", answer(verdict=VERDICT.replace(">=", ">"))),
    ("verdict alone", "results", answer().replace("return share, ", "return ")),
    ("True for a verdict", "values | kind", answer(verdict="share >= level")),
]  # fmt: skip

RIGHT = [
    ("row by row", answer()),
    ("picked and summed", answer(summed="table.index_select(0, rows).sum(0).tolist()")),
    ("counted by multiplicity", answer(summed="(torch.bincount(rows, minlength=len(table)) @ table).tolist()")),
    ("signs", answer("(1 + (a > b) - (a < b)) / 2")),
    ("all draws at once", """\
def bootstrap(ours, theirs, draws, level):
    def scores(table):
        c = table[draws].sum(1).double()
        mean = (c[:, :4] / c[:, 4:8].clamp(min=1)).log().mean(1)
        return mean + (1 - c[:, 9] / c[:, 8]).clamp(max=0)

    a, b = scores(ours), scores(theirs)
    share = ((a > b).double() + 0.5 * (a == b)).mean()
    return share, ["neither", "ours", "theirs"][int(share >= level) or 2 * int(1 - share >= level)]
"""),
]  # fmt: skip
