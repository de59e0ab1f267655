"""Answers to the way back."""

TASK = "trace_back"


def answer(
    word: str = "torch.where(spoken, tokens[step, rows, place], PAD)",
    move: str = "torch.where(spoken, parents[step, rows, place], place)", order: str = "range(steps - 1, -1, -1)",
) -> str:
    return f"""\
def trace_back(tokens, parents, last, place):
    steps, batch, _ = tokens.shape
    ids = tokens.new_full((batch, steps), PAD)
    rows = torch.arange(batch)
    for step in {order}:
        spoken = step <= last
        ids[:, step] = {word}
        place = {move}
    return ids
"""


BY_SENTENCE = """\
def trace_back(tokens, parents, last, place):
    steps, batch, _ = tokens.shape
    ids = tokens.new_full((batch, steps), PAD)
    for b in range(batch):
        here = int(place[b])
        for step in range({start}, -1, -1):
            ids[b, {column}] = tokens[step, b, here]
            here = int(parents[step, b, here])
    return ids
"""

WRONG = [
    ("words turned", "late_words | values", BY_SENTENCE.format(start="int(last[b])", column="int(last[b]) - step")),
    ("from the last step", "all_last", BY_SENTENCE.format(start="steps - 1", column="step")),
    ("first step forgotten", "change", answer(order="range(steps - 1, 0, -1)")),
    ("every row meets every row", "raised.RuntimeError", answer("torch.where(spoken, tokens[step, :, place], PAD)")),
]  # fmt: skip

RIGHT = [
    ("rows and places", answer()),
    ("gather", answer("torch.where(spoken, tokens[step].gather(1, place[:, None])[:, 0], PAD)",
                      "torch.where(spoken, parents[step].gather(1, place[:, None])[:, 0], place)")),
    ("sentence by sentence", BY_SENTENCE.format(start="int(last[b])", column="step")),
]  # fmt: skip
