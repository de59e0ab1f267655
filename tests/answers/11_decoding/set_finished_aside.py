"""Answers to what has ended."""

TASK, CHECKS, PARTS = "set_finished_aside", "finished", ("set_finished_aside",)

ENDED = "(tokens == EOS) | is_last"
RESULT = "totals.masked_fill(ended, -torch.inf), totals.masked_fill(~ended, -torch.inf)"


def answer(ended: str = ENDED, result: str = RESULT) -> str:
    return f"def set_finished_aside(totals, tokens, is_last):\n    ended = {ended}\n    return {result}\n"


WRONG = [
    (
        "order",
        "visible",
        "opposite order",
        answer(result="totals.masked_fill(~ended, -torch.inf), totals.masked_fill(ended, -torch.inf)"),
    ),
    ("last step forgotten", "visible", "at the last step all end", answer("tokens == EOS")),
    (
        "last step only",
        "visible",
        "EOS before the last step too",
        answer("torch.full_like(tokens, is_last, dtype=torch.bool)"),
    ),
    ("and", "visible", "hypotheses end with EOS before the last step too", answer("(tokens == EOS) & is_last")),
    ("PAD", "visible", "PAD is taken for EOS", answer("(tokens == PAD) | is_last")),
    ("BOS", "visible", "BOS is taken for EOS", answer("(tokens == BOS) | is_last")),
    ("UNK", "visible", "UNK is taken for EOS", answer("(tokens == 3) | is_last")),
    (
        "zeros",
        "visible",
        "0 marks a place",
        answer(result="totals.masked_fill(ended, 0.0), totals.masked_fill(~ended, 0.0)"),
    ),
    ("products", "visible", "0 marks a place", answer(result="totals * ~ended, totals * ended")),
    (
        "ended go on",
        "visible",
        "is continued after its EOS",
        answer(result="totals, totals.masked_fill(~ended, -torch.inf)"),
    ),
    (
        "alive are finished",
        "visible",
        "what goes on is among the finished too",
        answer(result="totals.masked_fill(ended, -torch.inf), totals"),
    ),
    (
        "sentence ends",
        "visible",
        "one EOS ends all hypotheses of its sentence",
        answer("((tokens == EOS).any(1, keepdim=True) | is_last).expand_as(tokens)"),
    ),
    (
        "batch ends",
        "visible",
        "the whole batch",
        answer("torch.full_like(tokens, bool((tokens == EOS).any()) or is_last, dtype=torch.bool)"),
    ),
    (
        "best place only",
        "visible",
        "only the best place",
        answer("((tokens == EOS) & (torch.arange(tokens.size(1)) == 0)) | is_last"),
    ),
    (
        "a low number",
        "visible",
        "a finite number marks",
        answer(
            result="totals.masked_fill(ended, torch.finfo(totals.dtype).min), totals.masked_fill(~ended, -torch.inf)"
        ),
    ),
    (
        "in place",
        "visible",
        ("totals", "changed in place"),
        answer(result="totals.clone().masked_fill_(ended, -torch.inf), totals.masked_fill_(~ended, -torch.inf)"),
    ),
    ("-inf times 0", "visible", "NaN", answer(result="totals + ended * -torch.inf, totals + ~ended * -torch.inf")),
    ("lists of tensors", "visible", ("alive", "shape"), answer(result="totals[~ended], totals[ended]")),
    ("masks", "visible", "dtype", answer(result="~ended, ended")),
    ("finished lost", "visible", "a pair of tensors", answer(result="totals.masked_fill(ended, -torch.inf)")),
    ("no return", "visible", "is the `return` missing?", answer().replace("return", "result =")),
]

RIGHT = [
    ("masked_fill", answer()),
    ("where", answer(result="torch.where(ended, -torch.inf, totals), torch.where(ended, totals, -torch.inf)")),
    (
        "new tensors filled",
        """\
def set_finished_aside(totals, tokens, is_last):
    ended = torch.ones_like(tokens, dtype=torch.bool) if is_last else tokens == EOS
    alive, finished = torch.full_like(totals, -torch.inf), torch.full_like(totals, -torch.inf)
    alive[~ended] = totals[~ended]
    finished[ended] = totals[ended]
    return alive, finished
""",
    ),
    (
        "loop, a list returned",
        """\
def set_finished_aside(totals, tokens, is_last):
    alive, finished = totals.clone(), totals.clone()
    for row in range(totals.size(0)):
        for place in range(totals.size(1)):
            over = is_last or int(tokens[row, place]) == EOS
            (alive if over else finished)[row, place] = float("-inf")
    return [alive, finished]
""",
    ),
]
