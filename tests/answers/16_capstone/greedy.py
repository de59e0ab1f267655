"""Answers to the greedy search."""

TASK = "greedy"

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
    "give": "return torch.stack(ids, 1), torch.stack(weights, 1)",
}


def greedy(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def greedy(translator, source, source_mask, max_length):\n{body}"


def but(**changed: str) -> str:
    """The right answer with some lines changed."""
    return greedy(*(LINES | changed).values())


WRONG = [
    ("marks are never said", "hidden: values | shape",
     but(step=f"{LINES['step']}\n        logits = logits.clone()\n        logits[:, [PAD, BOS, 3]] = -torch.inf")),
    ("finished by a <pad> too", "hidden: values | shape",
     but(done="    finished = (previous == EOS) | (previous == PAD)")),
    ("every EOS counted, those of done sentences too", "shape", but(
        best="    word = logits.argmax(-1); previous = word.masked_fill(finished, PAD)",
        stop="    if done == len(source): break", lists="ids, weights, done = [], [], 0",
        done="    finished = finished | (word == EOS); done += (word == EOS).sum()")),
    ("asked before the word counts", "one_step_late",
     but(done="    if finished.all(): break", stop="    finished = finished | (previous == EOS)")),
    ("ids alone", "results", but(give="return torch.stack(ids, 1)")),
    ("a list of lists", "not_a_tensor", but(give="return torch.stack(ids, 1).tolist(), torch.stack(weights, 1)")),
    ("float ids", "dtype", but(give="return torch.stack(ids, 1).float(), torch.stack(weights, 1)")),
]

RIGHT = [
    ("as in the library", but()),
    ("while", but(loop="while len(ids) < max_length and not finished.all():", stop="    pass")),
    ("a sentence at a time",
        greedy("rows, tables = [], []", "for row in range(len(source)):",
               "    memory, state = translator.read(source[row : row + 1], source_mask[row : row + 1])",
               "    previous, words, table = torch.tensor([BOS]), [], []",
               "    while len(words) < max_length and EOS not in words:",
               "        logits, weights, state = translator.step(previous, state, memory)",
               "        previous = logits.argmax(-1)", "        words.append(int(previous)); table.append(weights[0])",
               "    rows.append(torch.tensor(words)); tables.append(torch.stack(table))",
               "pad = nn.utils.rnn.pad_sequence",
               "return pad(rows, batch_first=True, padding_value=PAD), pad(tables, batch_first=True)")),
]
