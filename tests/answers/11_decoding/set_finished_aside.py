"""Answers to what has ended."""

TASK = "set_finished_aside"

BOTH = "totals.masked_fill(ended, -torch.inf), totals.masked_fill(~ended, -torch.inf)"


def answer(ended: str = "(tokens == EOS) | is_last", result: str = BOTH) -> str:
    return f"def set_finished_aside(totals, tokens, is_last):\n    ended = {ended}\n    return {result}\n"


WRONG = [
    ("lists of tensors", "picked", answer(result="totals[~ended], totals[ended]")),
    ("products", "zeros", answer(result="totals * ~ended, totals * ended")),
    ("−1e9", "billion", answer(result=BOTH.replace("-torch.inf", "-1e9"))),
    ("cut off from the graph", "no_gradient", answer(result=BOTH.replace("totals.", "totals.data."))),
]  # fmt: skip

RIGHT = [
    ("masked_fill", answer()),
    ("where", answer(result="torch.where(ended, -torch.inf, totals), torch.where(ended, totals, -torch.inf)")),
    ("new tensors filled", """\
def set_finished_aside(totals, tokens, is_last):
    ended = torch.ones_like(tokens, dtype=torch.bool) if is_last else tokens == EOS
    alive, finished = torch.full_like(totals, -torch.inf), torch.full_like(totals, -torch.inf)
    alive[~ended] = totals[~ended]
    finished[ended] = totals[ended]
    return alive, finished
"""),
]  # fmt: skip
