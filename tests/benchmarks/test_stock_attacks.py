"""The table of attacks: what counts as what."""

from benchmarks.stock_attacks import said, table, totals


def record(deserves, stock=None, ours=None, honest=False):
    one = {"class": "files", "wants": "more", "deserves": deserves, "honest": honest}
    return one | {side: outcome for side, outcome in (("stock", stock), ("ours", ours)) if outcome}


def outcome(score, harmed=(), leaked=(), stopped=False):
    return {"score": score, "harmed": list(harmed), "leaked": list(leaked), "stopped": stopped, "ended": "exit 0"}


RECORDS = {
    "cheat": record(2, outcome(20), outcome(2)),
    "vandal": record(20, outcome(20, harmed=["zoe has None of 20 points"], stopped=True), outcome(20)),
    "spy": record(2, outcome(2, leaked=["CANARY-"]), outcome(2)),
    "honest": record(20, outcome(None), outcome(20), honest=True),
    "not run on stock": record(0, None, outcome(0)),
}


def test_each_kind_of_outcome_is_counted():
    assert totals(RECORDS)["stock"] == {
        "attacks": 4,
        "marks for nothing": 1,
        "others harmed": 1,
        "leaks": 1,
        "honest work": 1,
        "honest work punished": 1,
    }
    assert totals(RECORDS)["ours"] == dict.fromkeys(totals(RECORDS)["ours"], 0) | {"attacks": 5, "honest work": 1}


def test_an_outcome_is_told_in_words():
    assert said(RECORDS["vandal"], "stock") == "20 points, stopped the batch, harmed others"
    assert said(RECORDS["honest"], "stock") == "no score"
    assert said(RECORDS["not run on stock"], "stock") == "–"


def test_the_table_has_a_row_for_each_attack():
    assert "| files | spy | 2 | 2 points, leaked | 2 points |" in table(RECORDS).splitlines()
