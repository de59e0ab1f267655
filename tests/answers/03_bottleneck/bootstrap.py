"""Answers to the paired bootstrap."""

TASK = "bootstrap"

VERDICT = '"ours" if share >= level else "theirs" if 1 - share >= level else "neither"'


def answer(
    won: str = "(a > b) + 0.5 * (a == b)", verdict: str = VERDICT,
    summed: str = "sum(table[int(row)] for row in rows).tolist()", share: str = "sum(wins) / len(wins)",
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
    ("test sets of its own", "random | remembers",
     answer(summed="table[torch.randint(len(table), rows.shape)].sum(0).tolist()")),
    ("below one half is theirs", "theirs_from_half",
     answer(verdict=VERDICT.replace("1 - share >= level", "share < 0.5"))),
    ("no tie where nothing matches", "hidden: factor | values", answer("(a > b) + 0.5 * (a == b > 0)")),
    ("a level lowered by 0.0001", "hidden: values", answer(verdict=VERDICT.replace("level", "level - 1e-4"))),
    ("a thousand are enough", "hidden: capped", answer().replace("rows in draws]", "rows in draws[:1000]]")),
    ("verdict alone", "results", answer().replace("return share, ", "return ")),
]  # fmt: skip

RIGHT = [
    ("row by row", answer()), ("picked and summed", answer(summed="table.index_select(0, rows).sum(0).tolist()")),
    ("counted by multiplicity", answer(summed="(torch.bincount(rows, minlength=len(table)) @ table).tolist()")),
]  # fmt: skip
