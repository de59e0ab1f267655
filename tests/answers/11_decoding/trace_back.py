"""Answers to the way back."""

TASK, CHECKS, PARTS = "trace_back", "back_tracing", ("trace_back",)

WORD = "torch.where(spoken, tokens[step, rows, place], PAD)"
MOVE = "torch.where(spoken, parents[step, rows, place], place)"


def answer(
    word: str = WORD,
    move: str = MOVE,
    order: str = "range(steps - 1, -1, -1)",
    result: str = "ids",
    spoken: str = "step <= last",
    start: str = "place",
    column: str = "step",
    rows: str = "torch.arange(batch)",
) -> str:
    return f"""\
def trace_back(tokens, parents, last, place):
    steps, batch, _ = tokens.shape
    ids = tokens.new_full((batch, steps), PAD)
    rows = {rows}
    place = {start}
    for step in {order}:
        spoken = {spoken}
        ids[:, {column}] = {word}
        place = {move}
    return {result}
"""


WRONG = [
    ("parents not followed", "visible", "the parents are not followed", answer(move="place")),
    ("forwards", "visible", "parents lead back", answer(order="range(steps)")),
    ("turned", "visible", "PAD in front", answer(result="ids.flip(1)")),
    (
        "words turned",
        "visible",
        "the words come from the last to the first",
        """\
def trace_back(tokens, parents, last, place):
    steps, batch, _ = tokens.shape
    ids = tokens.new_full((batch, steps), PAD)
    for b in range(batch):
        step, here, column = int(last[b]), int(place[b]), 0
        while step >= 0:
            ids[b, column] = tokens[step, b, here]
            here, step, column = int(parents[step, b, here]), step - 1, column + 1
    return ids
""",
    ),
    (
        "parent first",
        "visible",
        "the parent is followed before the word is read",
        """\
def trace_back(tokens, parents, last, place):
    steps, batch, _ = tokens.shape
    ids = tokens.new_full((batch, steps), PAD)
    rows = torch.arange(batch)
    for step in range(steps - 1, -1, -1):
        spoken = step <= last
        place = torch.where(spoken, parents[step, rows, place], place)
        ids[:, step] = torch.where(spoken, tokens[step, rows, place], PAD)
    return ids
""",
    ),
    (
        "parents of the step before",
        "visible",
        "the parents are those of the step before",
        answer(move="torch.where(spoken, parents[max(step - 1, 0), rows, place], place)"),
    ),
    (
        "parents of the step after",
        "visible",
        "the parents are those of the step after",
        answer(move="torch.where(spoken, parents[min(step + 1, steps - 1), rows, place], place)"),
    ),
    ("moves at padding", "visible", "followed after the last word already", answer(move="parents[step, rows, place]")),
    (
        "all end last",
        "visible",
        "every hypothesis is taken to end at the last step",
        answer(word="tokens[step, rows, place]", move="parents[step, rows, place]"),
    ),
    ("no PAD", "visible", "it has to be PAD", answer(word="tokens[step, rows, place]")),
    ("last word left out", "visible", "the last word is left out", answer(spoken="step < last")),
    (
        "last word PAD",
        "visible",
        "PAD stands for it",
        answer(word="torch.where(step < last, tokens[step, rows, place], PAD)"),
    ),
    ("one too many", "visible", "a word too many", answer(spoken="step <= last + 1")),
    ("place 0", "visible", "every hypothesis is traced from place 0", answer(start="torch.zeros_like(place)")),
    ("place of sentence 0", "visible", "the place of sentence 0", answer(start="place[:1].expand_as(place)")),
    ("last of sentence 0", "visible", "the last step of sentence 0", answer(spoken="step <= last[:1].expand_as(last)")),
    (
        "words of sentence 0",
        "visible",
        "the words are read in sentence 0",
        answer(word="torch.where(spoken, tokens[step, 0, place], PAD)"),
    ),
    (
        "parents of sentence 0",
        "visible",
        "the parents are read in sentence 0",
        answer(move="torch.where(spoken, parents[step, 0, place], place)"),
    ),
    (
        "places returned",
        "visible",
        "these are the places",
        answer(word="torch.where(spoken, parents[step, rows, place], PAD)"),
    ),
    ("first step forgotten", "visible", "PAD among the words", answer(order="range(steps - 1, 0, -1)")),
    ("axes exchanged", "visible", "the axes are exchanged", answer(result="ids.T")),
    ("cut", "visible", "a column for every step", answer(result="ids[:, : int(last.max()) + 1]")),
    (
        "all hypotheses",
        "visible",
        ("shape", "all hypotheses arrive"),
        "def trace_back(tokens, parents, last, place):\n    return tokens.transpose(0, 1)\n",
    ),
    (
        "in place",
        "visible",
        ("place", "changed in place"),
        answer(start="place", move="place.copy_(torch.where(spoken, parents[step, rows, place], place))"),
    ),
    (
        "every row meets every row",
        "visible",
        ("raised", "at your line"),
        answer(word="torch.where(spoken, tokens[step, :, place], PAD)"),
    ),
    ("no return", "visible", "is the `return` missing?", answer().replace("return ids", "pass")),
]

RIGHT = [
    ("rows and places", answer()),
    (
        "gather",
        answer(
            word="torch.where(spoken, tokens[step].gather(1, place[:, None])[:, 0], PAD)",
            move="torch.where(spoken, parents[step].gather(1, place[:, None])[:, 0], place)",
        ),
    ),
    (
        "sentence by sentence",
        """\
def trace_back(tokens, parents, last, place):
    steps, batch, _ = tokens.shape
    ids = tokens.new_full((batch, steps), PAD)
    for b in range(batch):
        here = int(place[b])
        for step in range(int(last[b]), -1, -1):
            ids[b, step] = tokens[step, b, here]
            here = int(parents[step, b, here])
    return ids
""",
    ),
    (
        "lists",
        """\
def trace_back(tokens, parents, last, place):
    rows = []
    for b, (end, here) in enumerate(zip(last.tolist(), place.tolist())):
        row = [PAD] * len(tokens)
        while end >= 0:
            row[end] = int(tokens[end, b, here])
            here, end = int(parents[end, b, here]), end - 1
        rows.append(row)
    return torch.tensor(rows)
""",
    ),
    (
        "columns stacked",
        """\
def trace_back(tokens, parents, last, place):
    columns = []
    for step in reversed(range(len(tokens))):
        at = place.unsqueeze(-1)
        spoken = last >= step
        columns.insert(0, tokens[step].gather(-1, at).squeeze(-1) * spoken + PAD * ~spoken)
        place = parents[step].gather(-1, at).squeeze(-1).where(spoken, place)
    return torch.stack(columns, dim=1)
""",
    ),
]
