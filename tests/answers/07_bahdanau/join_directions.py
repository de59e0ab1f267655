"""Answers to the joining of the two readings."""

TASK = "join_directions"

AHEAD, BACK = "forward_states[rows, source_lengths - 1]", "backward_states[:, 0]"


def joined(
    final: str = f"torch.cat([{AHEAD}, {BACK}], -1)",
    states: str = "torch.cat([forward_states, backward_states], -1) * real", result: str = "states, final",
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
    ("pair turned round", "results | change | shape | order", joined(result="final, states")),
]

RIGHT = [
    ("indexing by two lists", joined()),
    ("masked fill", joined(states="torch.cat([forward_states, backward_states], dim=2).masked_fill(~real, 0.0)")),
    ("from the joined states",
     joined("torch.cat([states[rows, source_lengths - 1].chunk(2, -1)[0], states[:, 0].chunk(2, -1)[1]], dim=1)")),
]
