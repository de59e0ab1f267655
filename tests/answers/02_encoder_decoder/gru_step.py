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
    new: str = NEW, following: str = NEXT, reset: str = RESET, update: str = UPDATE, order: str = "rzn",
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
    ("update first", "update_new_reset", step(order="znr")),
    ("gates by hand", "hidden: naive_sigmoid", step(reset="torch.exp(xr + sr) / (1 + torch.exp(xr + sr))",
                                                    update="torch.exp(xz + sz) / (1 + torch.exp(xz + sz))")),
    ("tanh by hand", "hidden: naive_tanh",
     step(new="(a := torch.exp(xn + reset * sn), b := torch.exp(-xn - reset * sn), (a - b) / (a + b))[2]")),
    ("not transposed", "raised.RuntimeError", step(from_input="inputs @ input_weight + input_bias")),
]  # fmt: skip

RIGHT = [
    ("chunks", step()), ("lerp", step(following="torch.lerp(new, state, update)")),
    ("from the old state", step(following="state + (1 - update) * (new - state)")),
]
