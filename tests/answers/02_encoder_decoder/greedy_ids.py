"""Answers to greedy decoding with the given decoder."""

TASK, CHECKS, PARTS = "greedy_ids", "greedy", ("greedy_ids", "PlainDecoder")

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


LATE = "pass"

WRONG = [
    ("on after the end", "visible", "a sentence goes on after its <eos>", greedy(padded=LATE)),
    ("on and on", "visible", "a sentence goes on after its <eos>, and the batch", greedy(padded=LATE, stop="False")),
    ("EOS for ever", "visible", "<eos> is repeated", greedy(padded="said = said.masked_fill(finished, EOS)")),
    (
        "BOS after the end",
        "visible",
        "<bos> stands after the end",
        greedy(padded="said = said.masked_fill(finished, BOS)"),
    ),
    (
        "EOS padded away",
        "visible",
        "<eos> itself is replaced",
        greedy(
            padded="finished = finished | (said == EOS)\n        said = said.masked_fill(finished, PAD)", finish="pass"
        ),
    ),
    ("ends forgotten", "visible", "begins again", greedy(finish="finished = said == EOS")),
    ("the first to end", "visible", "it stops when the first sentence has ended", greedy(stop="finished.any()")),
    ("never stops", "visible", "goes on to `max_length`", greedy(stop="False")),
    (
        "stops before the end is kept",
        "visible",
        "it stops one step before the end",
        greedy(append="if finished.all():\n            break\n        ids.append(said)"),
    ),
    ("BOS among the ids", "visible", "<bos> is among the ids", greedy(begin="ids = [previous]")),
    (
        "state not handed on",
        "visible",
        "the state is not handed on",
        greedy(step="logits, _ = decoder.step(previous, state)"),
    ),
    ("word not fed back", "visible", "the word is not fed back", greedy(feed="pass")),
    (
        "neither",
        "visible",
        "handed on: every",
        greedy(step="logits, _ = decoder.step(previous, state)", feed="pass"),
    ),
    (
        "begins with PAD",
        "visible",
        "the first word that is read is <pad>",
        greedy("torch.zeros(len(state), dtype=torch.long)"),
    ),
    ("begins with EOS", "visible", "the first word that is read is <eos>", greedy("torch.full((len(state),), EOS)")),
    ("least probable", "visible", "the least probable word", greedy(said="logits.argmin(-1)")),
    ("second best", "visible", "the second best word", greedy(said="logits.topk(2).indices[:, 1]")),
    ("steps in front", "visible", "stacked in front", greedy(end="return torch.stack(ids)")),
    ("last word alone", "visible", "this is one step", greedy(end="return ids[-1]")),
    ("logits", "visible", ("dtype torch.float32", "are these logits"), greedy(append="ids.append(logits)")),
    ("lists", "visible", ("a list of", "a tensor"), greedy(end="return torch.stack(ids, 1).tolist()")),
    ("one step short", "visible", "it stops one step before `max_length`", greedy(steps="range(max_length - 1)")),
    ("first word lost", "visible", "the first word is lost", greedy(end="return torch.stack(ids[1:], dim=1)")),
    (
        "state of sentence 0",
        "visible",
        "from the state of the first",
        greedy(begin="ids, state = [], state[:1].expand_as(state)"),
    ),
    ("from nothing", "visible", "the first state is 0", greedy(begin="ids, state = [], torch.zeros_like(state)")),
    ("best sentence", "visible", "raised", greedy(said="logits.argmax(0)")),
    (
        "one sentence only",
        "visible",
        "raised",
        greedy(said="logits.argmax(-1)", stop="said == EOS"),
    ),
    (
        "a fixed batch",
        "visible",
        "raised",
        greedy("torch.full((4,), BOS)").replace("torch.zeros(len(state)", "torch.zeros(4"),
    ),
    (
        "bare squeeze",
        "hidden",
        "a bare `.squeeze()`",
        greedy(end="return torch.stack(ids, dim=1).squeeze()"),
    ),
    (
        "always two words",
        "hidden",
        ("max_length of 1", "shape"),
        greedy(steps="range(max(2, max_length))"),
    ),
    (
        "filled to the limit",
        "visible",
        "goes on to `max_length`",
        greedy(end="return F.pad(torch.stack(ids, 1), (0, max_length - len(ids)), value=PAD)"),
    ),
]

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
