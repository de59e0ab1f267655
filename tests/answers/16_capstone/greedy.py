"""Answers to the greedy search."""

TASK, CHECKS, PARTS = "greedy", "said_words", ("greedy", "rehearsal_translator")

LINES = {
    "read": "memory, state = translator.read(source, source_mask)",
    "first": "previous = source.new_full((source.size(0),), BOS)",
    "finished": "finished = torch.zeros_like(previous, dtype=torch.bool)",
    "lists": "ids, weights = [], []",
    "loop": "for _ in range(max_length):",
    "step": "    logits, step_weights, state = translator.step(previous, state, memory)",
    "best": "    previous = logits.argmax(-1).masked_fill(finished, PAD)",
    "ids": "    ids.append(previous)",
    "weights": "    weights.append(step_weights)",
    "done": "    finished = finished | (previous == EOS)",
    "stop": "    if finished.all(): break",
    "return": "return torch.stack(ids, 1), torch.stack(weights, 1)",
}


def greedy(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def greedy(translator, source, source_mask, max_length):\n{body}"


def but(**changed: str) -> str:
    """The right answer with some lines changed."""
    return greedy(*(LINES | {key.rstrip("_"): line for key, line in changed.items()}).values())


WRONG = [
    ("begins with PAD", "visible", "hears <pad>", but(first="previous = torch.zeros(len(source), dtype=torch.long)")),
    ("begins with EOS", "visible", "hears <eos>", but(first=LINES["first"].replace("BOS", "EOS"))),
    (
        "not fed back",
        "visible",
        "every step hears <bos>",
        but(
            best="    best = logits.argmax(-1).masked_fill(finished, PAD)",
            ids="    ids.append(best)",
            done="    finished = finished | (best == EOS)",
        ),
    ),
    (
        "fed with the source",
        "visible",
        "hears the words of the source",
        but(
            best="    best = logits.argmax(-1).masked_fill(finished, PAD)",
            ids="    ids.append(best); previous = source[:, min(len(ids) - 1, source.size(1) - 1)]",
            done="    finished = finished | (best == EOS)",
        ),
    ),
    (
        "state not carried",
        "visible",
        "the state of the first step",
        but(step=LINES["step"].replace("weights, state", "weights, _")),
    ),
    ("ends with the first", "visible", "the first sentence that is done", but(stop="    if finished.any(): break")),
    (
        "goes on after EOS",
        "visible",
        "goes on after its <eos>",
        but(best="    previous = logits.argmax(-1)"),
    ),
    ("never ends", "visible", "runs to `max_length`, though", but(stop="    pass")),
    (
        "EOS again",
        "visible",
        "<eos> again and again",
        but(best="    previous = logits.argmax(-1).masked_fill(finished, EOS)"),
    ),
    (
        "finished forgotten",
        "visible",
        "ids",
        but(done="    finished = previous == EOS"),
    ),
    (
        "EOS left out",
        "visible",
        "<eos> is replaced by <pad>",
        but(done="    finished = finished | (previous == EOS); ids[-1] = previous.masked_fill(previous == EOS, PAD)"),
    ),
    (
        "stops before EOS is kept",
        "visible",
        "the last step is missing",
        but(
            best="    previous = logits.argmax(-1).masked_fill(finished, PAD); finished = finished | (previous == EOS)",
            ids="    if finished.all(): break",
            weights="    ids.append(previous); weights.append(step_weights)",
            done="    pass",
            stop="    pass",
        ),
    ),
    ("begins with BOS in the ids", "visible", "<bos> stands in front", but(lists="ids, weights = [previous], []")),
    ("one step too few", "visible", "a word too few", but(loop="for _ in range(max_length - 1):")),
    ("one step too many", "visible", "a word too many", but(loop="for _ in range(max_length + 1):")),
    ("least probable", "visible", "ids", but(best="    previous = logits.argmin(-1).masked_fill(finished, PAD)")),
    (
        "best of the batch",
        "visible",
        ("ids", "shape"),
        but(
            best="    previous = logits.argmax(0)[:1].expand(len(source)).masked_fill(finished, PAD)",
            ids="    ids.append(previous[:1])",
        ),
    ),
    (
        "time first",
        "visible",
        "the batch comes first",
        but(**{"return": "return torch.stack(ids), torch.stack(weights, 1)"}),
    ),
    (
        "weights in time first",
        "visible",
        ("weights", "the batch comes first"),
        but(**{"return": "return torch.stack(ids, 1), torch.stack(weights)"}),
    ),
    ("ids alone", "visible", "(ids, weights)", but(**{"return": "return torch.stack(ids, 1)"})),
    (
        "weights of the last step",
        "visible",
        ("weights", "these are the weights of one step"),
        but(**{"return": "return torch.stack(ids, 1), step_weights"}),
    ),
    (
        "weights backwards",
        "visible",
        "the steps stand in reverse order",
        but(**{"return": "return torch.stack(ids, 1), torch.stack(weights[::-1], 1)"}),
    ),
    (
        "a list of lists",
        "visible",
        "expected a tensor",
        but(**{"return": "return torch.stack(ids, 1).tolist(), torch.stack(weights, 1)"}),
    ),
    (
        "float ids",
        "visible",
        "ids are whole numbers",
        but(**{"return": "return torch.stack(ids, 1).float(), torch.stack(weights, 1)"}),
    ),
    (
        "no mask",
        "visible",
        "takes padding for words",
        but(read="memory, state = translator.read(source, torch.ones_like(source_mask))"),
    ),
]

RIGHT = [
    ("as in the library", but()),
    (
        "while",
        but(loop="while len(ids) < max_length and not finished.all():", stop="    pass"),
    ),
    (
        "cut afterwards",
        greedy(
            LINES["read"],
            LINES["first"],
            "ids, weights = [], []",
            "for _ in range(max_length):",
            "    logits, row, state = translator.step(previous, state, memory)",
            "    previous = logits.max(-1).indices",
            "    ids.append(previous); weights.append(row)",
            "ids, weights = torch.stack(ids, 1), torch.stack(weights, 1)",
            "after = (ids == EOS).cumsum(1) - (ids == EOS).long() > 0",
            "ids = ids.masked_fill(after, PAD)",
            "steps = int((~after).any(0).sum())",
            "return ids[:, :steps], weights[:, :steps]",
        ),
    ),
    (
        "a sentence at a time",
        greedy(
            "rows, tables = [], []",
            "for row in range(len(source)):",
            "    memory, state = translator.read(source[row : row + 1], source_mask[row : row + 1])",
            "    previous, words, table = torch.tensor([BOS]), [], []",
            "    while len(words) < max_length and EOS not in words:",
            "        logits, weights, state = translator.step(previous, state, memory)",
            "        previous = logits.argmax(-1)",
            "        words.append(int(previous)); table.append(weights[0])",
            "    rows.append(torch.tensor(words)); tables.append(torch.stack(table))",
            "pad = nn.utils.rnn.pad_sequence",
            "return pad(rows, batch_first=True, padding_value=PAD), pad(tables, batch_first=True)",
        ),
    ),
]
