r"""The loop of input feeding with an LSTM and scores by dot product, with a hand-written backward pass.

As in :mod:`seq2seq.layers.bahdanau_steps`: autograd would record some thirty operations per step, and add up the
gradient of every matrix at every step; this keeps what the backward pass needs, and computes each matrix's gradient
by one product after the last step.
It gives the same results; the tests compare the two.
"""

from typing import Any

import torch
from torch import Tensor

from seq2seq.layers.derivatives import once_differentiable
from seq2seq.layers.precision import outside_autocast


class FeedingSteps(torch.autograd.Function):
    r"""All attentional states and weights of a target, teacher-forced (Luong et al., 2015, section 3.3).

    $$h_t, m_t = \mathrm{LSTM}([E y_{t-1}; \tilde h_{t-1}], h_{t-1}, m_{t-1}), \qquad
      \alpha_t = \mathrm{softmax}(K h_t), \qquad \tilde h_t = \tanh(W_c [\alpha_t^\top V; h_t])$$

    One row of memory per step holds $[\tilde h_t; h_t; c_t]$: its first two parts enter the next step's cell, its last
    two the attentional layer, both without copying.
    $\tanh x = 2 \sigma(2x) - 1$, so one logistic function does all four gates.

    Shape:
        from_words: (target_len, batch, 4 × hidden_size), $W E y_{t-1} + b$ for the gates i, f, g and o
        hidden, cell, fed: (batch, hidden_size), $h_0$, $m_0$ and $\tilde h_0$
        keys: (batch, source_len, hidden_size), projected, $K$
        values: (batch, source_len, encoder_size), $V$
        source_mask: (batch, source_len), bool, True = real token
        fed_weight: (4 × hidden_size, hidden_size), the columns of the cell's input matrix that take $\tilde h_{t-1}$
        state_weight: (4 × hidden_size, hidden_size)
        attentional_weight: (hidden_size, encoder_size + hidden_size), $W_c$
        attentionals: (target_len, batch, hidden_size)
        weights: (target_len, batch, source_len)
    """

    @staticmethod
    @outside_autocast
    def forward(
        ctx: Any,
        from_words: Tensor,
        hidden: Tensor,
        cell: Tensor,
        fed: Tensor,
        keys: Tensor,
        values: Tensor,
        source_mask: Tensor,
        fed_weight: Tensor,
        state_weight: Tensor,
        attentional_weight: Tensor,
    ) -> tuple[Tensor, Tensor]:
        steps, size = len(from_words), hidden.size(1)
        recurrent_weight = torch.cat([fed_weight, state_weight], dim=1)  # (4 × size, 2 × size)
        turned_weight = torch.cat(attentional_weight.split([values.size(2), size], dim=1)[::-1], dim=1)  # state first
        doubling = from_words.new_ones(4, size)
        doubling[2] = 2  # 2x of the tanh gate
        inputs, columns = from_words * doubling.view(-1), (recurrent_weight * doubling.view(-1, 1)).t()
        turned_columns, turned_keys = turned_weight.t(), keys.transpose(1, 2)
        mask_bias = from_words.new_zeros(source_mask.shape).masked_fill_(
            ~source_mask, torch.finfo(from_words.dtype).min
        )
        mask_bias = mask_bias.unsqueeze(1)

        rows, gates, cells, tanh_cells, weights = buffers(from_words, hidden, cell, fed, values)
        for t in range(steps):
            gate, row, weight = gates[t], rows[t + 1], weights[t]
            torch.addmm(inputs[t], rows[t, :, : 2 * size], columns, out=gate).sigmoid_()
            enter, forget, new, leave = gate.chunk(4, dim=1)
            new.mul_(2).sub_(1)
            following = torch.mul(forget, cells[t], out=cells[t + 1]).addcmul_(enter, new)
            tanh_cell = torch.tanh(following, out=tanh_cells[t])
            state = row[:, size : 2 * size]
            torch.mul(leave, tanh_cell, out=state)
            scores = torch.baddbmm(mask_bias, state.unsqueeze(1), turned_keys).squeeze(1)
            torch.softmax(scores, dim=-1, out=weight)
            weight *= source_mask
            row[:, 2 * size :] = torch.bmm(weight.unsqueeze(1), values).squeeze(1)
            row[:, :size] = torch.mm(row[:, size:], turned_columns).tanh_()
        ctx.save_for_backward(keys, values, recurrent_weight, turned_weight, rows, gates, cells, tanh_cells, weights)
        return rows[1:, :, :size].clone(), weights

    @staticmethod
    @once_differentiable
    @outside_autocast
    def backward(ctx: Any, at_attentionals: Tensor, at_weights: Tensor) -> tuple[Tensor | None, ...]:
        keys, values, recurrent_weight, turned_weight, rows, gates, cells, tanh_cells, weights = ctx.saved_tensors
        steps, batch, size = tanh_cells.shape
        turned_values = values.transpose(1, 2)
        forget = gates.chunk(4, dim=-1)[1]
        fed_slopes = 1 - rows[1:, :, :size].square()
        slopes, cell_slopes = gate_slopes(gates, cells, tanh_cells)
        at_gates = torch.empty_like(slopes)
        at_layers = torch.empty_like(tanh_cells)  # before the tanh of the attentional layer
        at_rows = rows.new_empty(steps, batch, size + values.size(2))  # (state, context)
        at_scores = torch.empty_like(weights)

        carried = rows.new_zeros(batch, 2 * size)  # to what was fed, and to the state
        carried_cell = rows.new_zeros(batch, size)
        for t in range(steps - 1, -1, -1):
            at_layer, at_row, at_gate, weight = at_layers[t], at_rows[t], at_gates[t], weights[t]
            torch.add(at_attentionals[t], carried[:, :size], out=at_layer).mul_(fed_slopes[t])
            torch.mm(at_layer, turned_weight, out=at_row)
            at_weight = (
                torch.bmm(at_row[:, size:].unsqueeze(1), turned_values).squeeze(1).add_(at_weights[t]).mul_(weight)
            )
            at_score = torch.addcmul(at_weight, weight, at_weight.sum(1, keepdim=True), value=-1, out=at_scores[t])
            at_state = torch.bmm(at_score.unsqueeze(1), keys).squeeze(1).add_(at_row[:, :size]).add_(carried[:, size:])
            at_cell = torch.addcmul(carried_cell, at_state, cell_slopes[t])
            torch.mul(slopes[t, :, :3], at_cell.unsqueeze(1), out=at_gate[:, :3])
            torch.mul(slopes[t, :, 3], at_state, out=at_gate[:, 3])
            carried = torch.mm(at_gate.view(batch, -1), recurrent_weight)
            carried_cell = at_cell * forget[t]

        return gradients(carried, carried_cell, at_gates, at_layers, at_rows, at_scores, rows, weights)


def buffers(from_words: Tensor, hidden: Tensor, cell: Tensor, fed: Tensor, values: Tensor) -> tuple[Tensor, ...]:
    """What the loop writes, with the state before the first step: rows, gates, cells, tanh of the cells, weights."""
    (steps, batch), size = from_words.shape[:2], hidden.size(1)
    rows = from_words.new_empty(steps + 1, batch, 2 * size + values.size(2))
    rows[0, :, :size] = fed
    rows[0, :, size : 2 * size] = hidden
    cells = from_words.new_empty(steps + 1, batch, size)
    cells[0] = cell
    gates, tanh_cells = from_words.new_empty(steps, batch, 4 * size), from_words.new_empty(steps, batch, size)
    return rows, gates, cells, tanh_cells, from_words.new_empty(steps, batch, values.size(1))


def gradients(
    carried: Tensor,
    carried_cell: Tensor,
    at_gates: Tensor,
    at_layers: Tensor,
    at_rows: Tensor,
    at_scores: Tensor,
    rows: Tensor,
    weights: Tensor,
) -> tuple[Tensor | None, ...]:
    r"""The gradients of the loop's arguments, each matrix's by one product, from those of its steps.

    `carried` is that at $\tilde h_0$ and $h_0$, `carried_cell` that at $m_0$; `at_layers` are those before the tanh of
    the attentional layer, `at_rows` those at state and context, (steps, batch, hidden_size + encoder_size).
    """
    size = carried_cell.size(1)
    flat_gates, flat_layers = at_gates.flatten(2).flatten(0, 1), at_layers.flatten(0, 1)
    recurrent_gradient = flat_gates.t() @ rows[:-1, :, : 2 * size].flatten(0, 1)
    turned_gradient = flat_layers.t() @ rows[1:, :, size:].flatten(0, 1)
    return (
        at_gates.flatten(2),
        carried[:, size:],
        carried_cell,
        carried[:, :size],
        torch.bmm(at_scores.permute(1, 2, 0), rows[1:, :, size : 2 * size].transpose(0, 1)),
        torch.bmm(weights.permute(1, 2, 0), at_rows[:, :, size:].transpose(0, 1)),
        None,
        recurrent_gradient[:, :size],
        recurrent_gradient[:, size:],
        torch.cat([turned_gradient[:, size:], turned_gradient[:, :size]], dim=1),
    )


def gate_slopes(gates: Tensor, cells: Tensor, tanh_cells: Tensor) -> tuple[Tensor, Tensor]:
    """The factors of the gradient for i, f, g (at $m_t$) and o (at $h_t$), (steps, batch, 4, size); and of that at
    $h_t$ for $m_t$."""
    enter, forget, new, leave = gates.chunk(4, dim=-1)
    slopes = torch.stack(
        [
            new * enter * (1 - enter),
            cells[:-1] * forget * (1 - forget),
            enter * (1 - new.square()),
            tanh_cells * leave * (1 - leave),
        ],
        dim=2,
    )
    return slopes, leave * (1 - tanh_cells.square())
