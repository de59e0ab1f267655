"""Answers to one step of a GRU."""

TASK = "gru_step"

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
    ("update gate turned round", "turned_round", step(following="torch.lerp(state, new, update)")),
    ("one side for both", "values", step("torch.tanh(xn + sn) * reset")),
    ("update first", "update_new_reset", step(order="znr")),
    ("gates by hand", "hidden: naive_sigmoid", step(reset="torch.exp(xr + sr) / (1 + torch.exp(xr + sr))",
                                                    update="torch.exp(xz + sz) / (1 + torch.exp(xz + sz))")),
    ("not transposed", "raised.RuntimeError", step(from_input="inputs @ input_weight + input_bias")),
    ("a pair", "not_a_tensor", step(following=f"({NEXT}, {NEXT})")),
    ("state changed in place", "changed_in_place", step(following="state.mul_(update).add_((1 - update) * new)")),
    ("detached", "no_gradient", step(NEW, NEXT.replace("state", "state.detach()"),
                                     from_state="F.linear(state.detach(), state_weight, state_bias)")),
    ("data of the gates", "gradient | no_gradient", step(reset=f"({RESET}).data")),
    ("LSTM's shares", "values", step(following="update * state + reset * new")),
]  # fmt: skip

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
