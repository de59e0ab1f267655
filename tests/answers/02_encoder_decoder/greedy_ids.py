"""Answers to greedy decoding with the given decoder."""

TASK = "greedy_ids"

HEAD = "def greedy_ids(decoder: PlainDecoder, state: Tensor, max_length: int) -> Tensor:\n"


def greedy(
    first: str = "torch.full((len(state),), BOS)",
    step: str = "logits, state = decoder.step(previous, state)",
    said: str = "logits.argmax(-1)",
    padded: str = "said = said.masked_fill(finished, PAD)",
    finish: str = "finished = finished | (said == EOS)",
    feed: str = "previous = said",
    stop: str = "finished.all()",
    steps: str = "range(max_length)",
    begin: str = "ids = []",
    append: str = "ids.append(said)",
    end: str = "return torch.stack(ids, dim=1)",
) -> str:
    return f"""\
{HEAD}    previous = {first}
    finished = torch.zeros(len(state), dtype=torch.bool)
    {begin}
    for _ in {steps}:
        {step}
        said = {said}
        {padded}
        {finish}
        {append}
        {feed}
        if {stop}:
            break
    {end}
"""


WRONG = [
    ("ends forgotten", "begins_again", greedy(finish="finished = said == EOS")),
    ("filled to the limit", "never_stops",
     greedy(end="return F.pad(torch.stack(ids, 1), (0, max_length - len(ids)), value=PAD)")),
    ("best sentence", "raised.RuntimeError | values", greedy(said="logits.argmax(0)")),
    ("one sentence only", "raised.RuntimeError", greedy(stop="said == EOS")),
    ("a fixed batch", "raised.RuntimeError",
     greedy("torch.full((4,), BOS)").replace("torch.zeros(len(state)", "torch.zeros(4")),
    ("drawn", "shape | values | random | kind", greedy(said="logits.softmax(-1).multinomial(1).squeeze(1)")),
    ("always two words", "hidden: shape", greedy(steps="range(max(2, max_length))")),
    ("a state written over", "changed_in_place", greedy(step="logits, state[:] = decoder.step(previous, state)")),
    ("PAD is a word", "on_and_on | shape", greedy(padded="pass", finish="finished = finished | (said == PAD)")),
]  # fmt: skip

RIGHT = [
    ("as it is told", greedy()),
    (
        "by index",
        HEAD
        + """\
    ids = torch.full((len(state), max_length), PAD)
    previous = torch.full_like(ids[:, 0], BOS)
    for step in range(max_length):
        logits, state = decoder.step(previous, state)
        previous = torch.where((ids == EOS).any(1), PAD, logits.argmax(-1))
        ids[:, step] = previous
        if bool((ids == EOS).any(1).all()):
            return ids[:, : step + 1]
    return ids
""",
    ),
    (
        "while, with lists",
        HEAD
        + """\
    rows = [[] for _ in state]
    previous = torch.tensor([BOS] * len(rows))
    while len(rows[0]) < max_length and not all(EOS in row for row in rows):
        logits, state = decoder.step(previous, state)
        best = logits.softmax(-1).max(-1).indices.tolist()
        for row, id in zip(rows, best):
            row.append(PAD if EOS in row else id)
        previous = torch.tensor([row[-1] for row in rows])
    return torch.tensor(rows)
""",
    ),
    (
        "all steps, then cut",
        HEAD
        + """\
    ids, previous = [], torch.full((len(state),), BOS)
    for _ in range(max_length):
        logits, state = decoder.step(previous, state)
        previous = logits.log_softmax(-1).argmax(-1)
        ids.append(previous)
    ids = torch.stack(ids, 1)
    over = (ids == EOS).cumsum(1) - (ids == EOS).int() > 0
    ids = ids.masked_fill(over, PAD)
    ended = ids.eq(EOS).cumsum(1).clamp(max=1).bool()
    return ids[:, : int((~ended.all(0)).sum()) + 1]
""",
    ),
    (
        "sentence by sentence",
        HEAD
        + """\
    rows = []
    for one in state.unbind(0):
        one, row, previous = one.unsqueeze(0), [], BOS
        while len(row) < max_length and EOS not in row:
            logits, one = decoder.step(torch.tensor([previous]), one)
            previous = int(logits.argmax())
            row.append(previous)
        rows.append(row)
    longest = max(map(len, rows))
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])
""",
    ),
    ("topk", greedy(said="logits.topk(1, dim=-1).indices.squeeze(-1)")),
]
