"""Answers to one step of a GRU."""

TASK, CHECKS, PARTS = "gru_step", "cells", ("gru_step",)

HEAD = """\
def gru_step(
    inputs: Tensor, state: Tensor, input_weight: Tensor, state_weight: Tensor, input_bias: Tensor, state_bias: Tensor
) -> Tensor:
"""

RESET, UPDATE = "torch.sigmoid(xr + sr)", "torch.sigmoid(xz + sz)"
NEW, NEXT = "torch.tanh(xn + reset * sn)", "(1 - update) * new + update * state"


def step(
    new: str = NEW,
    following: str = NEXT,
    reset: str = RESET,
    update: str = UPDATE,
    order: str = "rzn",
    from_input: str = "F.linear(inputs, input_weight, input_bias)",
    from_state: str = "F.linear(state, state_weight, state_bias)",
) -> str:
    names = [", ".join(side + gate for gate in order) for side in "xs"]
    return f"""\
{HEAD}    {names[0]} = ({from_input}).chunk(3, dim=-1)
    {names[1]} = ({from_state}).chunk(3, dim=-1)
    reset = {reset}
    update = {update}
    new = {new}
    return {following}
"""


WRONG = [
    (
        "update gate turned round",
        "visible",
        "the update gate is turned round",
        step(following="update * new + (1 - update) * state"),
    ),
    (
        "reset before the matrix",
        "visible",
        "before the matrix, as in the paper",
        step("torch.tanh(xn + F.linear(reset * state, state_weight.chunk(3)[2], state_bias.chunk(3)[2]))"),
    ),
    (
        "bias outside the reset",
        "visible",
        "stands outside the reset gate",
        step("torch.tanh(xn + reset * (state @ state_weight.chunk(3)[2].T) + state_bias.chunk(3)[2])"),
    ),
    ("no reset", "visible", "the reset gate is not used", step("torch.tanh(xn + sn)")),
    ("reset of both", "visible", "scales the input's part too", step("torch.tanh(reset * (xn + sn))")),
    ("reset of the input", "visible", "it belongs to the state's", step("torch.tanh(reset * xn + sn)")),
    ("gates exchanged", "visible", "reset and update gate are exchanged", step(order="zrn")),
    ("new first", "visible", "in the order new, reset, update", step(order="nrz")),
    ("update first", "visible", "in the order update, new, reset", step(order="znr")),
    ("ReLU", "visible", "a ReLU in place of the tanh", step("torch.relu(xn + reset * sn)")),
    ("sigmoid", "visible", "a sigmoid in place of the tanh", step("torch.sigmoid(xn + reset * sn)")),
    ("no tanh", "visible", "the tanh is missing", step("xn + reset * sn")),
    (
        "gates by tanh",
        "visible",
        "the gates go through a tanh",
        step(reset="torch.tanh(xr + sr)", update="torch.tanh(xz + sz)"),
    ),
    ("gates without sigmoid", "visible", "the gates have no sigmoid", step(reset="xr + sr", update="xz + sz")),
    ("update without sigmoid", "visible", "the update gate has no sigmoid", step(update="xz + sz")),
    ("proposal alone", "visible", "this is the proposal n", step(following="new")),
    ("old state lost", "visible", "the old state is left out", step(following="(1 - update) * new")),
    ("new whole", "visible", "not scaled by 1 - z", step(following="new + update * state")),
    ("no gates", "visible", "the simple network without gates", step(following="torch.tanh(xn + sn)")),
    ("reset for update", "visible", "takes the place of the update gate", step(update="reset")),
    ("tanh once more", "visible", "once more", step(following=f"torch.tanh({NEXT})")),
    (
        "input bias forgotten",
        "visible",
        "the bias of the input is left out",
        step(from_input="inputs @ input_weight.T"),
    ),
    (
        "state bias forgotten",
        "visible",
        "the bias of the state is left out",
        step(from_state="state @ state_weight.T"),
    ),
    (
        "both biases forgotten",
        "visible",
        "both biases are left out",
        step(from_input="inputs @ input_weight.T", from_state="state @ state_weight.T"),
    ),
    (
        "biases exchanged",
        "visible",
        "the biases are exchanged",
        step(
            from_input="F.linear(inputs, input_weight, state_bias)",
            from_state="F.linear(state, state_weight, input_bias)",
        ),
    ),
    (
        "matrices exchanged",
        "visible",
        "the matrices are exchanged",
        step(
            from_input="F.linear(inputs, state_weight, input_bias)",
            from_state="F.linear(state, input_weight, state_bias)",
        ),
    ),
    (
        "not cut",
        "visible",
        "the three gates still stand side by side",
        HEAD + "    return F.linear(inputs, input_weight)\n",
    ),
    ("not transposed", "visible", "raised RuntimeError", step(from_input="inputs @ input_weight + input_bias")),
    (
        "sigmoid by hand, the naive way",
        "hidden",
        ("numbers near ±1000", "NaN"),
        step(reset="torch.exp(xr + sr) / (1 + torch.exp(xr + sr))"),
    ),
    (
        "a pair",
        "visible",
        ("a tuple of 2", "a tensor"),
        step(following=f"({NEXT}, {NEXT})"),
    ),
    (
        "state changed in place",
        "visible",
        ("state", "changed in place"),
        step(following="state.mul_(update).add_((1 - update) * new)"),
    ),
    (
        "detached",
        "visible",
        "no gradient reaches state",
        step(
            NEW,
            NEXT.replace("state", "state.detach()"),
            from_state="F.linear(state.detach(), state_weight, state_bias)",
        ),
    ),
    ("data of the gates", "visible", "gradient of next state at", step(reset=f"({RESET}).data")),
]

RIGHT = [
    ("chunks", step()),
    ("lerp", step(following="torch.lerp(new, state, update)")),
    ("from the old state", step(following="state + (1 - update) * (new - state)")),
    (
        "gate by gate",
        HEAD
        + """\
    size = state.size(1)
    gates = []
    for gate in range(3):
        rows = slice(gate * size, (gate + 1) * size)
        from_input = inputs @ input_weight[rows].T + input_bias[rows]
        gates.append((from_input, state @ state_weight[rows].T + state_bias[rows]))
    reset, update = (torch.sigmoid(sum(pair)) for pair in gates[:2])
    new = torch.tanh(gates[2][0] + reset * gates[2][1])
    return (1 - update) * new + update * state
""",
    ),
    (
        "gru_cell",
        HEAD + "    return torch.gru_cell(inputs, state, input_weight, state_weight, input_bias, state_bias)\n",
    ),
    (
        "einsum",
        step(
            from_input="torch.einsum('bi,gi->bg', inputs, input_weight) + input_bias",
            from_state="torch.einsum('bh,gh->bg', state, state_weight) + state_bias",
        ),
    ),
    (
        "a cell of nn",
        HEAD
        + """\
    cell = nn.GRUCell(inputs.size(1), state.size(1))
    given = {"weight_ih": input_weight, "weight_hh": state_weight, "bias_ih": input_bias, "bias_hh": state_bias}
    return torch.func.functional_call(cell, given, (inputs, state))
""",
    ),
]
