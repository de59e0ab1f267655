"""Answers to the joining of the two readings."""

TASK, CHECKS, PARTS = "join_directions", "directions", ("join_directions",)


def joined(
    final: str = "torch.cat([forward_states[rows, source_lengths - 1], backward_states[:, 0]], -1)",
    states: str = "torch.cat([forward_states, backward_states], -1) * real",
    result: str = "states, final",
) -> str:
    return f"""\
def join_directions(forward_states: Tensor, backward_states: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
    rows = torch.arange(len(forward_states))
    real = (torch.arange(forward_states.size(1)) < source_lengths.unsqueeze(1)).unsqueeze(-1)
    states = {states}
    final = {final}
    return {result}
"""


AHEAD, BACK = "forward_states[rows, source_lengths - 1]", "backward_states[:, 0]"


def ends(ahead: str = AHEAD, back: str = BACK) -> str:
    return joined(f"torch.cat([{ahead}, {back}], -1)")


WRONG = [
    ("backward at the end", "visible", "←h is taken at the last position", ends(back="backward_states[:, -1]")),
    (
        "backward masked at the end",
        "visible",
        "←h is taken at the last position",
        ends(back="(backward_states * real)[:, -1]"),
    ),
    (
        "backward at the last word",
        "visible",
        "←h is taken at the last word, where it has only begun",
        ends(back="backward_states[rows, source_lengths - 1]"),
    ),
    ("forward at the end", "visible", "→h is taken at the last position", ends(ahead="forward_states[:, -1]")),
    (
        "joined states at the end",
        "visible",
        ("→h is taken at the last position", "←h is taken at the last position"),
        joined("states[:, -1]"),
    ),
    ("forward at word 1", "visible", "→h is taken at the first word", ends(ahead="forward_states[:, 0]")),
    (
        "off by one",
        "visible",
        "one word too early",
        ends(ahead="forward_states[rows, (source_lengths - 2).clamp(min=0)]"),
    ),
    (
        "lengths as index",
        "visible",
        "raised IndexError",
        ends(ahead="forward_states[rows, source_lengths]"),
    ),
    ("order of the ends", "visible", "the order is [→h; ←h]", joined(f"torch.cat([{BACK}, {AHEAD}], -1)")),
    (
        "order in the states",
        "visible",
        "the order is [→h; ←h] in each state",
        joined(states="torch.cat([backward_states, forward_states], -1) * real"),
    ),
    (
        "padding kept",
        "visible",
        "the padding is not set to 0",
        joined(states="torch.cat([forward_states, backward_states], -1)"),
    ),
    (
        "mask turned round",
        "visible",
        "the words are set to 0",
        joined(states="torch.cat([forward_states, backward_states], -1) * ~real"),
    ),
    ("added", "visible", "they are not added", joined(states="(forward_states + backward_states) * real")),
    (
        "along the words",
        "visible",
        "joined along the words",
        joined(states="torch.cat([forward_states, backward_states], 1)"),
    ),
    (
        "reversed once more",
        "visible",
        "they come in the order of the words",
        joined(states="torch.cat([forward_states, backward_states.flip(1)], -1) * real"),
    ),
    (
        "every pair of sentences",
        "visible",
        "index rows and positions together",
        joined(
            "torch.cat([forward_states[:, source_lengths - 1], backward_states[:, :1].expand(-1, len(rows), -1)], -1)"
        ),
    ),
    ("pair turned round", "visible", ("(final, states)", "the order is another"), joined(result="final, states")),
    ("states alone", "visible", ("(states, final)", "the caller needs all of them"), joined(result="states")),
    (
        "only the backward end",
        "visible",
        "the final states of both directions",
        joined(BACK),
    ),
    (
        "in place",
        "visible",
        "changed in place",
        joined(states="torch.cat([forward_states.mul_(real), backward_states.mul_(real)], -1)"),
    ),
    (
        "cut off",
        "hidden",
        "no gradient reaches backward_states",
        joined(
            f"torch.cat([{AHEAD}, {BACK}.detach()], -1)",
            "torch.cat([forward_states, backward_states.detach()], -1) * real",
        ),
    ),
]

RIGHT = [
    ("indexing by two lists", joined()),
    (
        "gather",
        joined(
            "torch.cat([forward_states.gather(1, (source_lengths - 1).view(-1, 1, 1)"
            ".expand(-1, 1, forward_states.size(-1)))[:, 0], backward_states[:, 0]], dim=1)"
        ),
    ),
    (
        "masked fill",
        joined(states="torch.cat([forward_states, backward_states], dim=2).masked_fill(~real, 0.0)"),
    ),
    (
        "from the joined states",
        joined("torch.cat([states[rows, source_lengths - 1].chunk(2, -1)[0], states[:, 0].chunk(2, -1)[1]], dim=1)"),
    ),
    (
        "loop over sentences",
        joined(
            "torch.stack([torch.cat([f[n - 1], b[0]]) for f, b, n in "
            "zip(forward_states, backward_states, source_lengths.tolist())])",
            "torch.where(real, torch.cat([forward_states, backward_states], -1), 0.0)",
        ),
    ),
]
