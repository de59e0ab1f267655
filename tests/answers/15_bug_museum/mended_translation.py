"""Answers to the mended translation."""

TASK, CHECKS, PARTS = "mended_translation", "free_running", ("mended_translation",)

ROWS = "rows = torch.arange(len(next_logits))"
START = "previous = torch.full_like(rows, bos)"


def translation(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def mended_translation(next_logits: Tensor, bos: int, steps: int) -> Tensor:\n{body}"


def loop(*inside: str, start: str = START, end: str = "return torch.stack(words, dim=1)", steps: str = "steps") -> str:
    lines = [f"    {line}" for line in inside]
    return translation(ROWS, start, "words = []", f"for _ in range({steps}):", *lines, end)


SAY, HEAR = "words.append(next_logits[rows, previous].argmax(-1))", "previous = words[-1]"

WRONG = [
    ("never handed on", "visible", "every step hears BOS", loop(SAY)),
    (
        "what is heard",
        "visible",
        "these are the words that are heard",
        loop("words.append(previous)", "previous = next_logits[rows, previous].argmax(-1)"),
    ),
    (
        "BOS kept",
        "visible",
        ("shape (3, 6)", "one word too many"),
        loop(SAY, HEAR, end="return torch.stack([torch.full_like(rows, bos), *words], dim=1)"),
    ),
    ("column", "visible", "it is the row", loop("words.append(next_logits[rows, :, previous].argmax(-1))", HEAR)),
    (
        "least likely",
        "visible",
        "the least likely word",
        loop("words.append(next_logits[rows, previous].argmin(-1))", HEAR),
    ),
    (
        "one table for all",
        "visible",
        "the first sentence's table is used for all",
        loop("words.append(next_logits[0, previous].argmax(-1))", HEAR),
    ),
    (
        "logits",
        "visible",
        ("dtype torch.float32", "words are ids here"),
        loop("logits = next_logits[rows, previous]", "words.append(logits)", "previous = logits.argmax(-1)"),
    ),
    ("steps first", "visible", "sentences come first", loop(SAY, HEAR, end="return torch.stack(words)")),
    (
        "another start",
        "visible",
        "the first step hears another word",
        loop(SAY, HEAR, start="previous = torch.zeros_like(rows)"),
    ),
    (
        "a step ahead",
        "visible",
        "its first word is missing",
        loop(SAY, HEAR, start="previous = next_logits[:, bos].argmax(-1)"),
    ),
    ("one step short", "visible", "shape (3, 4)", loop(SAY, HEAR, steps="steps - 1")),
    (
        "stops when all words are said",
        "hidden",
        "more steps than words",
        loop(SAY, HEAR, steps="min(steps, next_logits.size(1))"),
    ),
    ("BOS is 1", "hidden", "another BOS", loop(SAY, HEAR, start="previous = torch.ones_like(rows)")),
    (
        "squeezed",
        "hidden",
        ("a batch of one sentence", "squeeze"),
        loop(SAY, HEAR, end="return torch.stack(words, dim=1).squeeze()"),
    ),
]

RIGHT = [
    ("loop", loop(SAY, HEAR)),
    (
        "gather",
        translation(
            "words = torch.full((len(next_logits), steps + 1), bos)",
            "best = next_logits.argmax(-1)",
            "for i in range(steps):",
            "    words[:, i + 1] = best.gather(1, words[:, i : i + 1]).squeeze(1)",
            "return words[:, 1:]",
        ),
    ),
    (
        "sentence by sentence",
        translation(
            "sentences = []",
            "for table in next_logits:",
            "    word, said = bos, []",
            "    for _ in range(steps):",
            "        word = int(table[word].argmax())",
            "        said.append(word)",
            "    sentences.append(said)",
            "return torch.tensor(sentences)",
        ),
    ),
]
