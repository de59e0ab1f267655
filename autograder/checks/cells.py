"""Checks of one GRU step: three gates of stacked weights, and the new state between the old one and the proposal."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

from autograder.expect import (
    ask,
    check,
    expect_close,
    expect_finite,
    expect_gradients,
    expect_shape,
    expect_tensor,
    expect_unchanged,
    generator,
)
from seq2seq.gru import gru_step

Function = Callable[..., Tensor]
Given = dict[str, Tensor]

WHAT = "next state"


@check
def check_gru_step(answer: Function) -> None:
    """GRU step: reset and update gate, the proposed state, and the mean of old and new that the update gate sets"""
    _compare(answer, batch=3, inputs=4, size=4)
    _compare(answer, batch=2, inputs=3, size=5)
    _compare_gradients(answer, batch=3, inputs=3, size=4)


@check
def check_gru_step_hidden(answer: Function) -> None:
    """GRU step, other cases: other sizes, one sentence, a state of size one, float64, a state of 0, gates wide open"""
    _compare(answer, batch=5, inputs=9, size=6, case="other sizes")
    _compare(answer, batch=1, inputs=4, size=3, case="a batch of one sentence")
    _compare(answer, batch=3, inputs=2, size=1, case="a state of size one")
    _compare(answer, batch=2, inputs=3, size=4, case="float64", dtype=torch.float64)
    _compare(answer, batch=2, inputs=3, size=4, case="a state of 0", state=0.0)
    _compare(answer, batch=4, inputs=5, size=6, case="numbers near ±1000", scale=1000.0)
    _compare_gradients(answer, batch=2, inputs=5, size=3, case="other sizes")


def _compare(
    answer: Function,
    batch: int,
    inputs: int,
    size: int,
    dtype: torch.dtype = torch.float32,
    state: float = 1.0,
    scale: float = 1.0,
    case: str = "",
) -> None:
    given = {name: value.to(dtype) for name, value in _draw(case, batch, inputs, size).items()}
    given["state"] *= state
    given["inputs"] *= scale
    asked = {name: value.clone() for name, value in given.items()}
    with torch.no_grad():
        got = ask(WHAT, answer, case=case, **asked)
    expect_tensor(WHAT, got, like=given["state"], case=case)
    shapes = {
        (batch, 3 * size): "the three gates still stand side by side: each has hidden_size columns",
        (batch, 2 * size): "two gates still stand side by side: each has hidden_size columns",
        (3 * size, batch): "the batch comes first; and the three gates still stand side by side",
        (batch, inputs): "the next state has the size of the state, not of the input",
    }
    shapes.pop((batch, size), None)
    expect_shape(WHAT, got, shapes, case, batch=batch, hidden_size=size)
    expect_finite(WHAT, got, "∞/∞: use `torch.sigmoid` and `torch.tanh`, which stand any number", case)
    with torch.no_grad():
        expect_close(WHAT, got, gru_step(**given), mistakes=lambda: _mistakes(**given), case=case)
    for name, value in given.items():
        expect_unchanged(name, asked[name], value, case)


def _compare_gradients(answer: Function, batch: int, inputs: int, size: int, case: str = "") -> None:
    ours = {name: value.requires_grad_() for name, value in _draw("gradients", batch, inputs, size).items()}
    theirs = {name: value.detach().clone().requires_grad_() for name, value in ours.items()}
    got = ask(WHAT, answer, case=case, **theirs)
    expect_gradients(WHAT, got, gru_step(**ours), {name: (theirs[name], ours[name]) for name in ours}, case)


def _draw(name: str, batch: int, inputs: int, size: int) -> Given:
    draw = generator(f"gru {name} {batch} {inputs} {size}")
    shapes = {
        "inputs": (batch, inputs),
        "state": (batch, size),
        "input_weight": (3 * size, inputs),
        "state_weight": (3 * size, size),
        "input_bias": (3 * size,),
        "state_bias": (3 * size,),
    }
    return {name: torch.randn(shape, generator=draw) for name, shape in shapes.items()}


def _mistakes(
    inputs: Tensor, state: Tensor, input_weight: Tensor, state_weight: Tensor, input_bias: Tensor, state_bias: Tensor
) -> Given:
    given = (inputs, state, input_weight, state_weight, input_bias, state_bias)
    nothing, none = torch.zeros_like(input_weight), torch.zeros_like(input_bias)
    from_input = F.linear(inputs, input_weight, input_bias)
    from_state = F.linear(state, state_weight, state_bias)
    (xr, xz, xn), (sr, sz, sn) = from_input.chunk(3, -1), from_state.chunk(3, -1)
    r, z = torch.sigmoid(xr + sr), torch.sigmoid(xz + sz)
    n = torch.tanh(xn + r * sn)
    weight_n, bias_n = state_weight.chunk(3)[2], state_bias.chunk(3)[2]

    def mixed(new: Tensor, update: Tensor = z) -> Tensor:
        return (1 - update) * new + update * state

    def ordered(*places: int) -> Tensor:
        """The gates taken in another order than the one in which they are stacked."""
        stacked = [torch.cat([part.chunk(3)[place] for place in places]) for part in given[2:]]
        return gru_step(inputs, state, *stacked)

    wrong = {
        "the update gate is turned round: here z is the share of the old state that stays, 1 - z that of the new": z * n
        + (1 - z) * state,
        "the reset gate meets the state before the matrix, as in the paper; in PyTorch's convention it comes after": (
            mixed(torch.tanh(xn + F.linear(r * state, weight_n, bias_n)))
        ),
        "the bias c_n stands outside the reset gate; in PyTorch's convention it is reset too": mixed(
            torch.tanh(xn + r * (sn - bias_n) + bias_n)
        ),
        "the reset gate is not used: it scales what the state has to say to the new one": mixed(torch.tanh(xn + sn)),
        "the reset gate scales the input's part too; it belongs to the state's alone": mixed(torch.tanh(r * (xn + sn))),
        "the reset gate scales the input's part; it belongs to the state's": mixed(torch.tanh(r * xn + sn)),
        "reset and update gate are exchanged: the rows are stacked in the order reset, update, new": ordered(1, 0, 2),
        "the rows are taken in the order new, reset, update; they are stacked in the order reset, update, new": ordered(
            1, 2, 0
        ),
        "the rows are taken in the order update, new, reset; they are stacked in the order reset, update, new": ordered(
            2, 0, 1
        ),
        "the rows are taken in the order new, update, reset; they are stacked in the order reset, update, new": ordered(
            2, 1, 0
        ),
        "the rows are taken in the order reset, new, update; they are stacked in the order reset, update, new": ordered(
            0, 2, 1
        ),
        "there is a ReLU in place of the tanh: no unit of this kind has one": mixed(torch.relu(xn + r * sn)),
        "there is a sigmoid in place of the tanh: the new state has to be able to be negative": mixed(
            torch.sigmoid(xn + r * sn)
        ),
        "the tanh is missing": mixed(xn + r * sn),
        "the gates go through a tanh; a gate lies between 0 and 1, which is what a sigmoid gives": mixed(
            torch.tanh(xn + torch.tanh(xr + sr) * sn), torch.tanh(xz + sz)
        ),
        "the gates have no sigmoid: a gate lies between 0 and 1": mixed(torch.tanh(xn + (xr + sr) * sn), xz + sz),
        "the update gate has no sigmoid: a gate lies between 0 and 1": mixed(n, xz + sz),
        "the reset gate has no sigmoid: a gate lies between 0 and 1": mixed(torch.tanh(xn + (xr + sr) * sn)),
        "this is the proposal n; the update gate has yet to mix it with the old state": n,
        "the old state is left out: the update gate keeps a share of it": (1 - z) * n,
        "the new state's share is not scaled by 1 - z: the two shares make 1": n + z * state,
        "the old state's share is not scaled by z: the two shares make 1": (1 - z) * n + state,
        "old and new are added; the update gate has to share the 1 among them": n + state,
        "the reset gate takes the place of the update gate": mixed(n, r),
        "the update gate takes the place of the reset gate": mixed(torch.tanh(xn + z * sn)),
        "this is the simple network without gates": torch.tanh(xn + sn),
        "a tanh is applied to the next state once more": torch.tanh(mixed(n)),
        "the bias of the input is left out": gru_step(*given[:4], none, state_bias),
        "the bias of the state is left out": gru_step(*given[:5], none),
        "both biases are left out": gru_step(*given[:4], none, none),
        "the biases are exchanged: input_bias goes with the input": gru_step(*given[:4], state_bias, input_bias),
        "the input is left out": gru_step(inputs, state, nothing, *given[3:]),
        "the state is left out of the gates": mixed(torch.tanh(xn + torch.sigmoid(xr) * sn), torch.sigmoid(xz)),
        "the input is left out of the gates": mixed(torch.tanh(xn + torch.sigmoid(sr) * sn), torch.sigmoid(sz)),
        "the state goes with the first sentence's input": gru_step(inputs[:1].expand_as(inputs), *given[1:]),
    }
    if input_weight.shape == state_weight.shape:
        wrong["the matrices are exchanged: input_weight goes with the input"] = gru_step(
            inputs, state, state_weight, input_weight, input_bias, state_bias
        )
        wrong["matrices and biases are exchanged: input_weight and input_bias go with the input"] = gru_step(
            inputs, state, state_weight, input_weight, state_bias, input_bias
        )
        wrong["the update gate keeps a share of the input; it keeps one of the old state"] = (1 - z) * n + z * inputs
    return wrong
