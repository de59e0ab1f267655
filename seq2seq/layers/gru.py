r"""PyTorch's GRU layer, faster to train on a CPU thanks to a hand-written backward pass.

On a CPU PyTorch runs an LSTM as one fused operation, but a GRU as a dozen small ones per step, all recorded for the
backward pass.
Here the slopes of all steps are computed at once, and each matrix's gradient by one product after the last step.
It gives the same results; the tests compare the two.
"""

from typing import Any, overload

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import PackedSequence

from seq2seq.device import is_traced
from seq2seq.layers.derivatives import once_differentiable
from seq2seq.layers.precision import in_type_of_weights, outside_autocast


def gru_step(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
) -> Tensor:
    r"""One step of a GRU (Cho et al., 2014, equations 5 to 8, with PyTorch's placement of the reset gate).

    $$r = \sigma(W_r x + b_r + U_r s + c_r), \qquad z = \sigma(W_z x + b_z + U_z s + c_z),$$
    $$n = \tanh(W_n x + b_n + r \circ (U_n s + c_n)), \qquad s' = (1 - z) \circ n + z \circ s$$

    The rows of each parameter are stacked in the order r (reset), z (update), n (new), as in ``nn.GRUCell``.

    Shape:
        inputs: (batch, input_size), $x$, and state: (batch, hidden_size), $s$
        input_weight: (3 × hidden_size, input_size), $W$, and state_weight: (3 × hidden_size, hidden_size), $U$
        input_bias, state_bias: (3 × hidden_size,), $b$ and $c$
        next state: (batch, hidden_size), $s'$
    """
    from_input = F.linear(inputs, input_weight, input_bias)
    from_state = F.linear(state, state_weight, state_bias)
    input_reset, input_update, input_new = from_input.chunk(3, dim=-1)
    state_reset, state_update, state_new = from_state.chunk(3, dim=-1)
    reset = torch.sigmoid(input_reset + state_reset)
    update = torch.sigmoid(input_update + state_update)
    new = torch.tanh(input_new + reset * state_new)
    return (1 - update) * new + update * state


class GruSteps(torch.autograd.Function):
    r"""All states of a GRU (Cho et al., 2014, equations 5 to 8, with PyTorch's placement of the reset gate).

    $$r = \sigma(W_r x + U_r s), \quad z = \sigma(W_z x + U_z s), \quad n = \tanh(W_n x + r \circ (U_n s)), \quad
      s' = (1 - z) \circ n + z \circ s$$

    Shape:
        from_inputs: (steps, batch, 3 × hidden_size), $W x + b$ for the gates r, z and n
        state: (batch, hidden_size), before the first step
        state_weight: (3 × hidden_size, hidden_size), $U$, and state_bias: (3 × hidden_size,)
        states: (steps, batch, hidden_size)
    """

    @staticmethod
    @outside_autocast
    def forward(ctx: Any, from_inputs: Tensor, state: Tensor, state_weight: Tensor, state_bias: Tensor) -> Tensor:
        steps, (batch, size) = from_inputs.size(0), state.shape
        recurrents = from_inputs.new_empty(steps, batch, 3 * size)
        gates = from_inputs.new_empty(steps, batch, 2 * size)
        news, states = (from_inputs.new_empty(steps, batch, size) for _ in range(2))
        gate_inputs, new_inputs = from_inputs.split([2 * size, size], dim=2)
        gate_recurrents, new_recurrents = recurrents.split([2 * size, size], dim=2)
        resets, updates = gates.chunk(2, dim=2)
        columns = state_weight.t()
        previous = state
        given = (gate_inputs, new_inputs)
        buffers = (recurrents, gate_recurrents, new_recurrents, gates, resets, updates, news, states)
        for gate_in, new_in, recurrent, gate_rec, new_rec, gate, reset, update, new, following in zip(
            *(part.unbind(0) for part in given + buffers), strict=True
        ):
            torch.addmm(state_bias, previous, columns, out=recurrent)
            torch.add(gate_in, gate_rec, out=gate).sigmoid_()
            torch.addcmul(new_in, reset, new_rec, out=new).tanh_()
            previous = torch.lerp(new, previous, update, out=following)
        ctx.save_for_backward(state, state_weight, new_recurrents, gates, news, states)
        return states

    @staticmethod
    @once_differentiable
    @outside_autocast
    def backward(ctx: Any, at_states: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        state, state_weight, new_recurrents, gates, news, states = ctx.saved_tensors
        batch, size = state.shape
        before = torch.cat([state.unsqueeze(0), states[:-1]])
        new_slopes, *recurrent_slopes, updates = gate_slopes(gates, news, new_recurrents, before)
        slopes = torch.stack(recurrent_slopes, dim=2)  # (steps, batch, 3, size)
        gradients = torch.empty_like(states)
        at_recurrents = torch.empty_like(slopes)
        carried = torch.zeros_like(state)
        backwards = (at_states, gradients, slopes, at_recurrents, updates)
        for at_state, gradient, slope, at_recurrent, update in reversed(
            list(zip(*(part.unbind(0) for part in backwards), strict=True))
        ):
            torch.add(at_state, carried, out=gradient)
            torch.mul(slope, gradient.unsqueeze(1), out=at_recurrent)
            carried = torch.addmm(gradient * update, at_recurrent.view(batch, -1), state_weight)
        at_recurrents = at_recurrents.flatten(2)
        at_inputs = torch.cat([at_recurrents[..., : 2 * size], gradients * new_slopes], dim=2)
        flat = at_recurrents.flatten(0, 1)
        return at_inputs, carried, flat.t() @ before.flatten(0, 1), flat.sum(0)


def gate_slopes(gates: Tensor, news: Tensor, new_recurrents: Tensor, before: Tensor) -> tuple[Tensor, ...]:
    """The factors of the gradient at $s'$ for n, and for U s of r, z and n; and z.

    Shape:
        gates: (steps, batch, 2 × hidden_size), r and z
        news, new_recurrents, before, all results: (steps, batch, hidden_size), n, $U_n s$ and $s$
    """
    resets, updates = gates.chunk(2, dim=-1)
    new_slopes = (1 - updates) * (1 - news.square())
    reset_slopes = new_slopes * new_recurrents * resets * (1 - resets)
    return new_slopes, reset_slopes, (before - news) * updates * (1 - updates), new_slopes * resets, updates


class Gru(nn.GRU):
    """``nn.GRU`` of one layer, unidirectional, batch first; parameters, shapes and results are those of ``nn.GRU``.

    PyTorch's own runs where gradients are disabled, for a single step, for packed sentences or a single one, on a GPU,
    and where PyTorch traces what runs: this loop is for padded sentences on a CPU.
    """

    weight_ih_l0: Tensor
    weight_hh_l0: Tensor
    bias_ih_l0: Tensor
    bias_hh_l0: Tensor

    def __init__(self, input_size: int, hidden_size: int, batch_first: bool = True) -> None:
        if not batch_first:
            raise ValueError("batch_first: got False, expected True; every layer of this library is batch first.")
        super().__init__(input_size, hidden_size, batch_first=True)

    @overload
    def forward(self, inputs: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]: ...

    @overload
    def forward(self, inputs: PackedSequence, state: Tensor | None = None) -> tuple[PackedSequence, Tensor]: ...

    @in_type_of_weights
    def forward(
        self, inputs: Tensor | PackedSequence, state: Tensor | None = None
    ) -> tuple[Tensor | PackedSequence, Tensor]:
        if isinstance(inputs, PackedSequence) or not torch.is_grad_enabled() or is_traced():
            return nn.GRU.forward(self, inputs, state)  # torch.compile of PyTorch 2.15 stops at super()
        if inputs.device.type != "cpu" or inputs.dim() != 3 or inputs.size(1) == 1:
            return nn.GRU.forward(self, inputs, state)
        if state is None:
            state = inputs.new_zeros(1, inputs.size(0), self.hidden_size)
        from_inputs = F.linear(inputs.transpose(0, 1), self.weight_ih_l0, self.bias_ih_l0)
        states = GruSteps.apply(from_inputs, state.squeeze(0), self.weight_hh_l0, self.bias_hh_l0)
        return states.transpose(0, 1), states[-1:]
