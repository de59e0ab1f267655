"""Answers to the loop that leaves out what is finished."""

TASK = "unroll_unfinished"

HEAD = """\
def unroll_unfinished(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor, target_lengths: Tensor
) -> tuple[Tensor, Tensor]:
"""
START = [
    "keys, fed = step.project_keys(values), torch.zeros_like(state)",
    "attentionals = state.new_zeros(*embedded.shape[:2], state.size(1))",
    "weights = values.new_zeros(*embedded.shape[:2], values.size(1))",
]
RETURN = "return attentionals, weights"
CALL = "new = step(embedded[on, t], fed[on], state[on], keys[on], values[on], source_mask[on])"
KEEP = "attentionals[on, t], weights[on, t] = new[0], new[1]"
SCATTER = "fed, state = (old.index_put((on,), one) for old, one in ((fed, new[0]), (state, new[2])))"


def loop(*lines: str, steps: str = "int(target_lengths.max())", start: list[str] = START, end: str = RETURN) -> str:
    body = [*start, f"for t in range({steps}):", *(f"    {line}" for line in lines), end]
    return HEAD + "".join(f"    {line}\n" for line in body)


ON = "on = (target_lengths > t).nonzero().squeeze(-1)"
WRONG = [
    ("sorted and not put back", "written_to_others",
        loop("on = (target_lengths > t).nonzero().squeeze(-1)", CALL,
             "n = len(on); attentionals[:n, t], weights[:n, t] = new[0], new[1]", SCATTER)),
    ("keys projected at each step", "values",
     loop(ON, CALL.replace("keys[on]", "step.project_keys(values)[on]"), KEEP, SCATTER,
          start=["keys, fed = None, torch.zeros_like(state)", *START[1:]])),
    ("states not handed on", "zeros_each_step+always_from_h_0", loop(ON, CALL, KEEP)),
    ("up to the shortest", "values | change", loop(ON, CALL, KEEP, SCATTER, steps="int(target_lengths.min())")),
    ("as long as the longest", "hidden: shape",
     loop(ON, CALL, KEEP, SCATTER,
          start=[line.replace("*embedded.shape[:2]", "len(embedded), int(target_lengths.max())") for line in START])),
    ("steps without a row", "hidden: values", loop(ON, CALL, KEEP, SCATTER, steps="embedded.size(1)")),
    ("the way back cut after 16 words", "hidden: gradient",
     loop(ON, CALL, KEEP, SCATTER, "state = state.detach() if t == 15 else state")),
    ("a list that shrinks while it is read", "hidden: values | zero_rows",
     loop("for row in left:", "    if target_lengths[row] <= t:", "        left.remove(row)", "on = torch.tensor(left)",
          CALL, KEEP, SCATTER, start=[*START, "left = list(range(len(embedded)))"])),
]

RIGHT = [
    ("rows by index", loop(ON, CALL, KEEP, SCATTER)),
    ("sentence by sentence", HEAD + """\
    keys, sentences = step.project_keys(values), []
    for b, n in enumerate(target_lengths.tolist()):
        own, hidden, fed, done = slice(b, b + 1), state[b : b + 1], torch.zeros_like(state[:1]), []
        for t in range(n):
            fed, row, hidden = step(embedded[own, t], fed, hidden, keys[own], values[own], source_mask[own])
            done.append((fed, row))
        parts = (torch.stack(part, 1) for part in zip(*done))
        sentences.append([F.pad(part, (0, 0, 0, embedded.size(1) - n)) for part in parts])
    return tuple(torch.cat(part) for part in zip(*sentences))
"""),
    ("the longest first", HEAD + """\
    order = target_lengths.argsort(descending=True)
    state, values, source_mask, words = state[order], values[order], source_mask[order], embedded[order]
    keys, fed, done = step.project_keys(values), 0 * state, []
    for t in range(embedded.size(1)):
        n = int((target_lengths > t).sum())
        if n:
            fed, row, state = step(words[:n, t], fed[:n], state[:n], keys[:n], values[:n], source_mask[:n])
        else:
            fed, row = fed[:0], source_mask[:0].to(state.dtype)
        done.append([F.pad(part, (0, 0, 0, len(order) - n)) for part in (fed, row)])
    attentionals, weights = (torch.stack(part, 1)[order.argsort()] for part in zip(*done))
    return attentionals, weights
"""),
]
