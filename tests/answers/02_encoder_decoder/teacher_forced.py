"""Answers to teacher forcing with the given decoder."""

TASK, CHECKS, PARTS = "teacher_forced", "stepping", ("teacher_forced", "PlainDecoder")

HEAD = "def teacher_forced(decoder: PlainDecoder, target_in: Tensor, state: Tensor) -> Tensor:\n"


def forced(*lines: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in lines)


def loop(
    *inner: str,
    before: str = "logits = []",
    words: str = "target_in.unbind(1)",
    end: str = "return torch.stack(logits, dim=1)",
) -> str:
    steps = inner or ("step_logits, state = decoder.step(previous, state)", "logits.append(step_logits)")
    return forced(before, f"for previous in {words}:", *(f"    {line}" for line in steps), end)


FREE = [
    "logits, previous = [], target_in[:, 0]",
    "for _ in range(target_in.size(1)):",
    "    step_logits, state = decoder.step(previous, state)",
    "    logits.append(step_logits)",
    "    previous = step_logits.argmax(-1)",
    "return torch.stack(logits, 1)",
]

WRONG = [
    ("free running", "visible", "its own best word", forced(*FREE)),
    (
        "state not handed on",
        "visible",
        "every step begins from the first state",
        loop("step_logits, _ = decoder.step(previous, state)", "logits.append(step_logits)"),
    ),
    (
        "always BOS",
        "visible",
        "every step reads <bos>",
        loop("step_logits, state = decoder.step(target_in[:, 0], state)", "logits.append(step_logits)"),
    ),
    ("steps in front", "visible", "stacked in front", loop(end="return torch.stack(logits)")),
    ("last step alone", "visible", "this is one step", loop(end="return logits[-1]")),
    ("side by side", "visible", "side by side", loop(end="return torch.cat(logits, dim=-1)")),
    ("sentences and steps in one", "visible", "share an axis", loop(end="return torch.cat(logits)")),
    (
        "the word after",
        "visible",
        "reads the word after",
        loop(words="[*target_in[:, 1:].unbind(1), target_in[:, 0] * 0]"),
    ),
    ("BOS not read", "visible", "a step is missing", loop(words="target_in[:, 1:].unbind(1)")),
    (
        "one BOS too many",
        "visible",
        "begins with <bos> already",
        loop(words="[target_in[:, 0], *target_in[:, :-1].unbind(1)]"),
    ),
    ("from the right", "visible", "from right to left", loop(words="target_in.flip(1).unbind(1)")),
    ("from nothing", "visible", "the first state is 0", loop(before="logits, state = [], torch.zeros_like(state)")),
    (
        "state of sentence 0",
        "visible",
        "from the state of the first",
        loop(before="logits, state = [], state[:1].expand_as(state)"),
    ),
    ("probabilities", "visible", "these are probabilities", loop(end="return torch.stack(logits, 1).softmax(-1)")),
    (
        "log-probabilities",
        "visible",
        "logarithms of probabilities",
        loop(end="return torch.stack(logits, 1).log_softmax(-1)"),
    ),
    ("ids", "visible", "dtype torch.int64", loop(end="return torch.stack(logits, 1).argmax(-1)")),
    (
        "reshaped",
        "visible",
        "which shuffles them",
        loop(end="return torch.stack(logits).reshape(*target_in.shape, -1)"),
    ),
    (
        "states",
        "visible",
        "these are the states",
        loop("_, state = decoder.step(previous, state)", "logits.append(state)"),
    ),
    ("a list", "visible", ("a list of 5", "a tensor"), loop(end="return logits")),
    ("rows for steps", "visible", "raised", loop(words="target_in")),
    (
        "padding left out",
        "visible",
        "the loss sees to padding",
        loop(end="return torch.stack(logits, 1) * (target_in != PAD).unsqueeze(-1)"),
    ),
    (
        "two steps a word",
        "visible",
        "two steps for each word",
        loop(
            "_, state = decoder.step(previous, state)",
            "step_logits, state = decoder.step(previous, state)",
            "logits.append(step_logits)",
        ),
    ),
    (
        "detached state",
        "visible",
        "no gradient reaches state",
        loop("step_logits, state = decoder.step(previous, state.detach())", "logits.append(step_logits)"),
    ),
    (
        "no gradient",
        "visible",
        "cut off from autograd",
        forced("with torch.no_grad():", *("    " + line for line in loop().split("\n")[1:-1])),
    ),
    ("bare squeeze", "visible", "a bare `.squeeze()`", loop(end="return torch.stack(logits, 1).squeeze()")),
    (
        "target written over",
        "visible",
        ("target_in", "changed in place"),
        loop(end="target_in[:] = PAD\n    return torch.stack(logits, 1)"),
    ),
]

RIGHT = [
    ("stacked", loop()),
    (
        "by index",
        forced(
            "logits = []",
            "for step in range(target_in.size(1)):",
            "    step_logits, state = decoder.step(target_in[:, step], state)",
            "    logits.append(step_logits.unsqueeze(1))",
            "return torch.cat(logits, dim=1)",
        ),
    ),
    ("transposed", loop(words="target_in.T", end="return torch.stack(logits).transpose(0, 1)")),
    (
        "the layers themselves",
        loop(
            "state = decoder.cell(decoder.embedding(previous), state)",
            "logits.append(state)",
            end="return decoder.output_layer(torch.stack(logits, 1))",
        ),
    ),
    (
        "recursion",
        forced(
            "logits, state = decoder.step(target_in[:, 0], state)",
            "first = logits.unsqueeze(1)",
            "if target_in.size(1) == 1:",
            "    return first",
            "return torch.cat([first, teacher_forced(decoder, target_in[:, 1:], state)], 1)",
        ),
    ),
]
