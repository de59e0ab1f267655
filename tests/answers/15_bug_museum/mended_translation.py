"""Answers to the mended translation."""

TASK = "mended_translation"


def translation(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def mended_translation(next_logits: Tensor, bos: int, steps: int) -> Tensor:\n{body}"


SAY, HEAR = "words.append(next_logits[rows, previous].argmax(-1))", "previous = words[-1]"


def loop(*inside: str, end: str = "torch.stack(words, dim=1)", steps: str = "steps") -> str:
    before = ("rows = torch.arange(len(next_logits))", "previous = torch.full_like(rows, bos)", "words = []")
    return translation(*before, f"for _ in range({steps}):", *(f"    {line}" for line in inside), f"return {end}")


WRONG = [
    ("one step short", "shape | change", loop(SAY, HEAR, steps="steps - 1")),
    ("squeezed", "hidden: squeezed", loop(SAY, HEAR, end="torch.stack(words, dim=1).squeeze()")),
    ("drawn", "random",
     loop("words.append(torch.multinomial((4 * next_logits[rows, previous]).softmax(-1), 1).squeeze(-1))", HEAR)),
    ("from exponentials", "hidden: underflow", loop(SAY.replace("argmax", "exp().argmax"), HEAR)),
]
RIGHT = [
    ("loop", loop(SAY, HEAR)),
    ("gather",
        translation("words = torch.full((len(next_logits), steps + 1), bos)", "best = next_logits.argmax(-1)",
                    "for i in range(steps):", "    words[:, i + 1] = best.gather(1, words[:, i : i + 1]).squeeze(1)",
                    "return words[:, 1:]")),
    ("sentence by sentence, numpy",
        translation("best, sentences = next_logits.argmax(-1).numpy(), []", "for table in best:",
                    "    sentences.append([bos])", "    for _ in range(steps):",
                    "        sentences[-1].append(table[sentences[-1][-1]])", "return torch.tensor(sentences)[:, 1:]")),
]
