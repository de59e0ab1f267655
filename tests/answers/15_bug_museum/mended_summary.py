"""Answers to the mended summary."""

TASK = "mended_summary"

FORWARD, BACKWARD = "states[rows, source_lengths - 1, :half]", "states[:, 0, half:]"


def summary(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in ("half = states.size(-1) // 2", "rows = range(len(states))", *lines))
    return f"def mended_summary(states: Tensor, source_lengths: Tensor) -> Tensor:\n{body}"


def joined(forward: str = FORWARD, backward: str = BACKWARD) -> str:
    return summary(f"return torch.cat([{forward}, {backward}], dim=-1)")


WRONG = [
    ("one off", "raised.IndexError", joined("states[rows, source_lengths, :half]")),
    ("length of what is not 0", "hidden: by_states", joined("states[rows, (states[..., 0] != 0).sum(1) - 1, :half]")),
    ("detached", "no_gradient", joined(f"{FORWARD}.detach()", f"{BACKWARD}.detach()")),
    ("the longest sentence's end", "forward_in_padding", joined("states[:, source_lengths.max() - 1, :half]")),
]
RIGHT = [
    ("ids", joined()),
    ("gather",
        summary("index = (source_lengths - 1).view(-1, 1, 1).expand(-1, 1, half)",
                "return torch.cat([states[..., :half].gather(1, index)[:, 0], states[..., half:][:, 0]], dim=-1)")),
    ("a mask of the last words",
     joined("states[..., :half][torch.arange(states.size(1)) == source_lengths.unsqueeze(1) - 1]")),
]
