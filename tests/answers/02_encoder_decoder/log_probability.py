"""Answers to the log probability of whole sentences."""

TASK = "log_probability"

HEAD = "def log_probability(decoder, target_in, target_out, target_mask, state):\n"
PICK = "logits.log_softmax(-1).gather(1, said[:, None])[:, 0]"
SUM = "return (torch.stack(found, 1) * target_mask).sum(1)"


def loop(*inner: str, words: str = "zip(target_in.T, target_out.T)", before: str = "found = []", end: str = SUM) -> str:
    steps = inner or ("logits, state = decoder.step(read, state)", f"found.append({PICK})")
    lines = [before, f"for read, said in {words}:", *(f"    {line}" for line in steps), end]
    return HEAD + "".join(f"    {line}\n" for line in lines)


ALL_LOGITS = "logits, state = decoder.step(read, state)", "found.append(logits)"
LOSS = "losses = F.cross_entropy(torch.stack(found, 2), target_out, reduction='none')\n    return "

WRONG = [
    ("free running", "own_words", loop("logits, state = decoder.step(previous, state)", f"found.append({PICK})",
     "previous = logits.argmax(-1)", before="found, previous = [], target_in[:, 0]")),
    ("rows for steps", "raised.RuntimeError", loop(words="zip(target_in, target_out)")),
    ("log of the softmax", "hidden: log_of_0_too", loop(end=SUM).replace("log_softmax(-1)", "softmax(-1).log()")),
    ("state written over", "changed_in_place",
     loop(end="state0[:] = 0\n    " + SUM, before="found, state0 = [], state")),
]  # fmt: skip

RIGHT = [
    ("stacked, then masked", loop()), ("by the loss", loop(*ALL_LOGITS, end=f"{LOSS}-(losses * target_mask).sum(1)")),
    ("the layers themselves",
        loop(
            "state = decoder.cell(decoder.embedding(read), state)",
            "found.append(state)", end="logs = decoder.output_layer(torch.stack(found, 1)).log_softmax(-1)\n"
            "    return torch.where(target_mask, logs.gather(2, target_out.unsqueeze(2))[..., 0], 0).sum(1)",
        )),
]
