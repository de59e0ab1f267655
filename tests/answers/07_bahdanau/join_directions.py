"""Answers to the joining of the two readings."""

TASK = "join_directions"

AHEAD, BACK = "forward_states[rows, source_lengths - 1]", "backward_states[:, 0]"


def joined(
    final: str = f"torch.cat([{AHEAD}, {BACK}], -1)",
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


WRONG = [
    ("masked first", "back_masked", joined(f"torch.cat([{AHEAD}, (backward_states * real)[:, -1]], -1)")),
    ("joined states at the end", "both_at_the_end | ahead_masked+back_masked", joined("states[:, -1]")),
    ("lengths as index", "raised.IndexError", joined(f"torch.cat([forward_states[rows, source_lengths], {BACK}], -1)")),
    (
        "order of both",
        "other_variant",
        joined(f"torch.cat([{BACK}, {AHEAD}], -1)", "torch.cat([backward_states, forward_states], -1) * real"),
    ),
    ("pair turned round", "results | change | shape | order", joined(result="final, states")),
    ("states alone", "results", joined(result="states")),
    (
        "in place",
        "changed_in_place",
        joined(states="torch.cat([forward_states.mul_(real), backward_states.mul_(real)], -1)"),
    ),
    ("last real state of both", "back_last_word", joined("states[rows, source_lengths - 1]")),
    (
        "cut off",
        "no_gradient",
        joined(
            f"torch.cat([{AHEAD}, {BACK}.detach()], -1)",
            "torch.cat([forward_states, backward_states.detach()], -1) * real",
        ),
    ),
    ("sum of all", "values", joined("states.sum(1)")),
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
    ("masked fill", joined(states="torch.cat([forward_states, backward_states], dim=2).masked_fill(~real, 0.0)")),
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
