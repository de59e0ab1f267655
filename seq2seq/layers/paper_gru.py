r"""The gated unit as the papers print it; :mod:`seq2seq.layers.gru` has PyTorch's, which differs in two points.

$$r = \sigma(W_r x + U_r s), \quad z = \sigma(W_z x + U_z s), \quad \tilde s = \tanh(W x + U [r \circ s]), \quad
  s' = (1 - z) \circ s + z \circ \tilde s$$

PyTorch's update gate is $1 - z$: the same unit with $W_z$, $U_z$ and the gate's bias negated.
PyTorch's reset gate multiplies $U s$ instead of $s$: another unit, equal to this one only where $U$ is diagonal or all
entries of $r$ are alike.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seq2seq.guards import check_at_least


class PaperGruCell(nn.Module):
    r"""One step of the unit (Cho et al., 2014, equations 5 to 8; Bahdanau et al., 2015, appendix A.1.1).

    Cho et al. print $z \circ s + (1 - z) \circ \tilde s$; this is Bahdanau et al.'s polarity.
    The matrices of reset gate, update gate and candidate are stacked in PyTorch's order.

    Shape:
        inputs: (batch, input_size)
        state: (batch, hidden_size) → (batch, hidden_size)
        weight_ih: (3 × hidden_size, input_size), $[W_r; W_z; W]$
        weight_hh: (3 × hidden_size, hidden_size), $[U_r; U_z; U]$
        bias_ih: (3 × hidden_size,)

    Raises:
        ValueError: the hidden size is below 1.
    """

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__()
        check_at_least("hidden_size", hidden_size, 1)
        self.hidden_size = hidden_size
        self.weight_ih = nn.Parameter(torch.empty(3 * hidden_size, input_size))
        self.weight_hh = nn.Parameter(torch.empty(3 * hidden_size, hidden_size))
        self.bias_ih = nn.Parameter(torch.zeros(3 * hidden_size))
        for weight in (self.weight_ih, self.weight_hh):
            nn.init.uniform_(weight, -(hidden_size**-0.5), hidden_size**-0.5)

    def gates(self, from_input: Tensor, state: Tensor) -> Tensor:
        """A step from its precomputed input part $W x + b$, (batch, 3 × hidden_size)."""
        sizes = [2 * self.hidden_size, self.hidden_size]  # both gates, then new
        gate_weight, new_weight = self.weight_hh.split(sizes)
        gate_input, new_input = from_input.split(sizes, dim=-1)
        gates = torch.sigmoid(gate_input + F.linear(state, gate_weight))
        reset, update = gates.chunk(2, dim=-1)
        new = torch.tanh(new_input + F.linear(reset * state, new_weight))  # r before U
        return torch.lerp(state, new, update)  # (1 - z) ∘ s + z ∘ new

    def forward(self, inputs: Tensor, state: Tensor) -> Tensor:
        return self.gates(F.linear(inputs, self.weight_ih, self.bias_ih), state)


class PaperGru(nn.Module):
    """A layer of :class:`PaperGruCell`, called like ``nn.GRU``, batch first.

    Shape:
        inputs: (batch, steps, input_size)
        state: (1, batch, hidden_size), 0 by default
        states: (batch, steps, hidden_size), and the last of them as (1, batch, hidden_size)
    """

    def __init__(self, input_size: int, hidden_size: int, batch_first: bool = True) -> None:
        if not batch_first:
            raise ValueError("batch_first: got False, expected True; every layer of this library is batch first.")
        super().__init__()
        self.hidden_size = hidden_size
        self.cell = PaperGruCell(input_size, hidden_size)

    def forward(self, inputs: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        hidden = inputs.new_zeros(inputs.size(0), self.hidden_size) if state is None else state.squeeze(0)
        states = []
        for from_input in F.linear(inputs, self.cell.weight_ih, self.cell.bias_ih).unbind(1):
            hidden = self.cell.gates(from_input, hidden)
            states.append(hidden)
        return torch.stack(states, 1), hidden.unsqueeze(0)
