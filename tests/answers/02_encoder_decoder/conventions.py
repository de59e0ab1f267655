"""Answers to the question whose cell made a step."""

TASK = "conventions"

HEAD = "def conventions(inputs, state, input_weight, state_weight, input_bias, state_bias, following):\n"


def whose(
    reset: str = "torch.sigmoid(xr + sr)", update: str = "torch.sigmoid(xz + sz)",
    before: str = "(reset * state) @ state_weight[2 * size :].T + state_bias[2 * size :]",
    theirs: str = "torch.lerp(state, before, update)",
    fits: str = "torch.allclose(made, following, rtol=0, atol=0.002)", end: str = "return found",
) -> str:
    return f"""\
{HEAD}    size = state.size(-1)
    xr, xz, xn = (inputs @ input_weight.T + input_bias).split(size, dim=-1)
    sr, sz, sn = (state @ state_weight.T + state_bias).split(size, dim=-1)
    reset, update = {reset}, {update}
    after = torch.tanh(xn + reset * sn)
    before = torch.tanh(xn + {before})
    ways = [torch.lerp(after, state, update), torch.lerp(before, state, update), {theirs}]
    found = []
    for name, made in zip(("pytorch", "cho", "bahdanau"), ways):
        if {fits}:
            found.append(name)
    {end}
"""


BY_CELL = f"""\
{HEAD}    cell = torch.gru_cell
    parts = input_weight, state_weight, input_bias, state_bias
    found = ["pytorch"] if (cell(inputs, state, *parts) - following).abs().max() < 0.002 else []
    wx, ws, bx, bs = (part.chunk(3) for part in parts)
    r, z = (torch.sigmoid(F.linear(inputs, wx[i], bx[i]) + F.linear(state, ws[i], bs[i])) for i in (0, 1))
    n = torch.tanh(F.linear(inputs, wx[2], bx[2]) + F.linear(r * state, ws[2], bs[2]))
    for name, share in {{"cho": z, "bahdanau": 1 - z}}.items():
        if ((n + share * (state - n) - following).abs() < 0.002).all():
            found += [name]
    return tuple(found)
"""

WRONG = [
    ("mean difference", "hidden: mean",
     whose(fits="(made - following).abs().mean() < 0.002")),
    ("nearly every number", "hidden: first_extra | length | values",
     whose(fits="((made - following).abs() < 0.002).half().mean() > 0.98")),
    ("equal when rounded", "hidden: length | values", whose(fits="torch.equal(made.half(), following.half())")),
    ("a relative limit besides", "hidden: relative",
     whose(fits="torch.isclose(following, made, atol=0.002).all()")),
    ("one sentence is enough", "any_sentence", whose(fits="((made - following).abs() < 0.002).all(1).any()")),
    ("the n of PyTorch, weighted the other way", "new_of_pytorch", whose(theirs="torch.lerp(state, after, update)")),
    ("stops at the first", "first_alone",
     whose(fits="not found and torch.allclose(made, following, rtol=0, atol=0.002)")),
    ("all three with the gate behind", "one_place", whose(before="reset * sn")),
]  # fmt: skip

RIGHT = [
    ("interpolation", whose()), ("PyTorch's own cell", BY_CELL),
    ("sorted into the order", whose(end="return sorted(found, key=('pytorch', 'cho', 'bahdanau').index)")),
]
