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
    ("BOS left out", "values | first_left_out | change",
     loop(words="zip(target_in.T[1:], target_out.T[1:])", end=SUM.replace("target_mask", "target_mask[:, 1:]"))),
    ("BOS not read", "values | change | word_after",
     loop(words="zip([*target_in.T[1:], target_in.T[0]], target_out.T)")),
    ("rows for steps", "raised.RuntimeError", loop(words="zip(target_in, target_out)")),
    ("two steps a word", "values | change", loop("_, state = decoder.step(read, state)",
     "logits, state = decoder.step(read, state)", f"found.append({PICK})")),
    ("mean of all places", "values | factor | change", loop(end=SUM.replace("sum(1)", "mean(1)"))),
    ("no gradient", "no_gradient",
     loop(before="found = []\n    torch.set_grad_enabled(False)",
          end="torch.set_grad_enabled(True)\n    " + SUM)),
    ("state written over", "changed_in_place",
     loop(end="state0[:] = 0\n    " + SUM, before="found, state0 = [], state")),
    ("by the loss, mean of the batch", "shape", loop(*ALL_LOGITS, end=f"{LOSS}-(losses * target_mask).sum(1).mean()")),
    ("a float", "kind | not_a_tensor", loop(end=SUM.replace("sum(1)", "sum(1).tolist()"))),
]  # fmt: skip

RIGHT = [
    ("stacked, then masked", loop()),
    ("by the loss", loop(*ALL_LOGITS, end=f"{LOSS}-(losses * target_mask).sum(1)")),
    (
        "the layers themselves",
        loop(
            "state = decoder.cell(decoder.embedding(read), state)",
            "found.append(state)",
            end="logs = decoder.output_layer(torch.stack(found, 1)).log_softmax(-1)\n"
            "    return torch.where(target_mask, logs.gather(2, target_out.unsqueeze(2))[..., 0], 0).sum(1)",
        ),
    ),
    (
        "recursion",
        HEAD + "    logits, state = decoder.step(target_in[:, 0], state)\n"
        "    first = (logits.log_softmax(-1) * F.one_hot(target_out[:, 0], logits.size(1))).sum(1)\n"
        "    first = first * target_mask[:, 0]\n"
        "    if target_in.size(1) == 1:\n        return first\n"
        "    rest = (side[:, 1:] for side in (target_in, target_out, target_mask))\n"
        "    return first + log_probability(decoder, *rest, state)\n",
    ),
    (
        "sentence by sentence",
        HEAD
        + """\
    scores = []
    for read, said, real, own in zip(target_in, target_out, target_mask, state):
        own, total = own.unsqueeze(0), 0.0
        for step in range(int(real.sum())):
            logits, own = decoder.step(read[step].unsqueeze(0), own)
            total = total + logits[0, said[step]] - logits[0].logsumexp(0)
        scores.append(total)
    return torch.stack(scores)
""",
    ),
]
