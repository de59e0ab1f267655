r"""The loops of Bahdanau's decoder and of input feeding with four or five launches a step instead of some thirteen.

Candidates for :mod:`seq2seq.layers.bahdanau_steps` and :mod:`seq2seq.layers.feeding_steps` on a GPU, which
:mod:`benchmarks.training_speed` measures beside the loops there; they earn their lines only where a recorded loop,
whose launches cost little, leaves something to gain.
"""

from typing import Any

import torch
import triton
from torch import Tensor

from benchmarks import step_kernels
from seq2seq.layers import bahdanau_steps, feeding_steps
from seq2seq.layers.derivatives import once_differentiable
from seq2seq.layers.precision import outside_autocast


class BahdanauSteps(torch.autograd.Function):
    """The same, with the same arguments, as :class:`~seq2seq.layers.bahdanau_steps.BahdanauSteps`."""

    @staticmethod
    @outside_autocast
    def forward(
        ctx: Any,
        from_words: Tensor,
        state: Tensor,
        projected_keys: Tensor,
        values: Tensor,
        source_mask: Tensor,
        query_weight: Tensor,
        energy_weight: Tensor,
        context_weight: Tensor,
        state_weight: Tensor,
        state_bias: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        steps, (batch, size) = from_words.size(0), state.shape
        attention_size = query_weight.size(0)
        from_words, state, keys, values, mask, energies = (
            part.contiguous()
            for part in (from_words, state, projected_keys, values, source_mask, 2 * energy_weight.view(-1))
        )
        recurrent_weight = torch.cat([state_weight, query_weight])
        recurrent_bias = torch.cat([state_bias, state_bias.new_zeros(attention_size)])
        recurrents = from_words.new_empty(steps, batch, 3 * size + attention_size)
        weights = from_words.new_empty(steps, batch, values.size(1))
        contexts = from_words.new_empty(steps, batch, values.size(2))
        gates = from_words.new_empty(steps, batch, 2 * size)
        news, states = (from_words.new_empty(steps, batch, size) for _ in range(2))
        columns, context_columns, previous = recurrent_weight.t(), context_weight.t(), state
        sizes = step_kernels.sizes_of(keys, values)
        for t in range(steps):
            torch.addmm(recurrent_bias, previous, columns, out=recurrents[t])
            query = recurrents[t, :, 3 * size :]
            step_kernels.attend[(batch,)](
                query, query.stride(0), keys, values, mask, energies,
                weights[t], contexts[t], contexts.size(2), ADDITIVE=True, **sizes,
            )  # fmt: skip
            from_input = torch.addmm(from_words[t], contexts[t], context_columns)
            step_kernels.gru[(batch,)](
                from_input, recurrents[t], 3 * size + attention_size, previous, gates[t], news[t], states[t],
                size, SIZE=triton.next_power_of_2(size),
            )  # fmt: skip
            previous = states[t]
        ctx.save_for_backward(
            state, keys, values, energies, context_weight, recurrent_weight,
            recurrents, weights, contexts, gates, news, states,
        )  # fmt: skip
        return states, contexts, weights

    @staticmethod
    @once_differentiable
    @outside_autocast
    def backward(ctx: Any, at_states: Tensor, at_contexts: Tensor, at_weights: Tensor) -> tuple[Tensor | None, ...]:
        (
            state, keys, values, energies, context_weight, recurrent_weight,
            recurrents, weights, contexts, gates, news, states,
        ) = ctx.saved_tensors  # fmt: skip
        (steps, batch, size), attention_size = states.shape, energies.numel()
        sizes = step_kernels.sizes_of(keys, values)
        before = torch.cat([state.unsqueeze(0), states[:-1]])
        slopes, updates = (part.contiguous() for part in bahdanau_steps.gate_slopes(gates, news, recurrents, before))
        rows = states.new_empty(steps, batch, 4 * size + attention_size)  # the gradient at n, r, z, U s of n, the query
        turned_context_weight = torch.cat([context_weight[2 * size :], context_weight[: 2 * size]])
        at_contexts, at_states, at_weights = at_contexts.clone(), at_states.contiguous(), at_weights.contiguous()
        at_scores, at_keys = torch.empty_like(weights), torch.zeros_like(keys)
        at_energies = energies.new_zeros(batch, attention_size)
        carried, kept = torch.zeros_like(state), torch.empty_like(state)
        for t in range(steps - 1, -1, -1):
            row, query = rows[t], recurrents[t, :, 3 * size :]
            step_kernels.gru_backward[(batch,)](
                at_states[t], carried, slopes[t], updates[t], row, row.stride(0), kept,
                size, SIZE=triton.next_power_of_2(size),
            )  # fmt: skip
            at_contexts[t].addmm_(row[:, : 3 * size], turned_context_weight)
            at_query = row[:, 4 * size :]
            step_kernels.attend_backward[(batch,)](
                query, query.stride(0), keys, values, energies, weights[t],
                at_contexts[t], at_contexts.size(2), at_weights[t], at_scores[t], at_query, at_query.stride(0),
                at_keys, at_energies, ADDITIVE=True, **sizes,
            )  # fmt: skip
            carried = torch.addmm(kept, row[:, size:], recurrent_weight)
        at_inputs, at_recurrents = rows[..., : 3 * size].flatten(0, 1), rows[..., size:].flatten(0, 1)
        recurrent_gradient = at_recurrents.t() @ before.flatten(0, 1)
        context_gradient = at_inputs.t() @ contexts.flatten(0, 1)
        return (
            torch.cat([rows[..., size : 3 * size], rows[..., :size]], dim=-1),
            carried,
            at_keys,
            torch.bmm(weights.permute(1, 2, 0), at_contexts.transpose(0, 1)),
            None,
            recurrent_gradient[3 * size :],
            2 * at_energies.sum(0, keepdim=True),
            torch.cat([context_gradient[size:], context_gradient[:size]]),
            recurrent_gradient[: 3 * size],
            at_recurrents[:, : 3 * size].sum(0),
        )


class FeedingSteps(torch.autograd.Function):
    """The same, with the same arguments, as :class:`~seq2seq.layers.feeding_steps.FeedingSteps`."""

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
        (steps, batch), size, encoder_size = from_words.shape[:2], hidden.size(1), values.size(2)
        from_words, keys, values, mask = (part.contiguous() for part in (from_words, keys, values, source_mask))
        recurrent_weight = torch.cat([fed_weight, state_weight], dim=1)
        turned_weight = torch.cat(attentional_weight.split([encoder_size, size], dim=1)[::-1], dim=1)  # state first
        columns, turned_columns = recurrent_weight.t(), turned_weight.t()
        rows = from_words.new_empty(steps + 1, batch, 2 * size + encoder_size)  # fed, state, context
        rows[0, :, :size], rows[0, :, size : 2 * size] = fed, hidden
        gates = from_words.new_empty(steps, batch, 4 * size)
        cells = from_words.new_empty(steps + 1, batch, size)
        cells[0] = cell
        tanh_cells = from_words.new_empty(steps, batch, size)
        weights = from_words.new_empty(steps, batch, values.size(1))
        sizes = step_kernels.sizes_of(keys, values)
        for t in range(steps):
            state, context = rows[t + 1, :, size : 2 * size], rows[t + 1, :, 2 * size :]
            torch.addmm(from_words[t], rows[t, :, : 2 * size], columns, out=gates[t])
            step_kernels.lstm[(batch,)](
                gates[t], cells[t], cells[t + 1], tanh_cells[t], state, state.stride(0),
                size, SIZE=triton.next_power_of_2(size),
            )  # fmt: skip
            step_kernels.attend[(batch,)](
                state, state.stride(0), keys, values, mask, keys,
                weights[t], context, context.stride(0), ADDITIVE=False, **sizes,
            )  # fmt: skip
            rows[t + 1, :, :size] = torch.mm(rows[t + 1, :, size:], turned_columns).tanh_()
        ctx.save_for_backward(keys, values, recurrent_weight, turned_weight, rows, gates, cells, tanh_cells, weights)
        return rows[1:, :, :size].clone(), weights

    @staticmethod
    @once_differentiable
    @outside_autocast
    def backward(ctx: Any, at_attentionals: Tensor, at_weights: Tensor) -> tuple[Tensor | None, ...]:
        keys, values, recurrent_weight, turned_weight, rows, gates, cells, tanh_cells, weights = ctx.saved_tensors
        steps, batch, size = tanh_cells.shape
        sizes = step_kernels.sizes_of(keys, values)
        fed_slopes = 1 - rows[1:, :, :size].square()
        slopes, cell_slopes = (part.contiguous() for part in feeding_steps.gate_slopes(gates, cells, tanh_cells))
        at_layers, at_weights = at_attentionals * fed_slopes, at_weights.contiguous()
        at_gates, at_scores = torch.empty_like(slopes), torch.empty_like(weights)
        at_rows = rows.new_empty(steps, batch, size + values.size(2))  # (state, context)
        at_query = rows.new_empty(batch, size)
        carried, carried_cell = rows.new_zeros(batch, 2 * size), rows.new_zeros(batch, size)
        for t in range(steps - 1, -1, -1):
            query, at_row, at_context = rows[t + 1, :, size : 2 * size], at_rows[t], at_rows[t, :, size:]
            at_layers[t].addcmul_(carried[:, :size], fed_slopes[t])
            torch.mm(at_layers[t], turned_weight, out=at_row)
            step_kernels.attend_backward[(batch,)](
                query, query.stride(0), keys, values, keys, weights[t],
                at_context, at_context.stride(0), at_weights[t], at_scores[t], at_query, size,
                at_query, at_query, ADDITIVE=False, **sizes,
            )  # fmt: skip
            step_kernels.lstm_backward[(batch,)](
                at_query, at_row, at_row.stride(0), carried, carried_cell, slopes[t], cell_slopes[t], gates[t],
                at_gates[t], size, SIZE=triton.next_power_of_2(size),
            )  # fmt: skip
            carried = torch.mm(at_gates[t].view(batch, -1), recurrent_weight)
        flat_gates, flat_layers = at_gates.view(steps * batch, -1), at_layers.view(steps * batch, -1)
        recurrent_gradient = flat_gates.t() @ rows[:-1, :, : 2 * size].flatten(0, 1)
        turned_gradient = flat_layers.t() @ rows[1:, :, size:].flatten(0, 1)
        return (
            at_gates.view(steps, batch, -1),
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
