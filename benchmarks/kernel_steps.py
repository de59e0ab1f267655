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
    def forward(ctx: Any, *arguments: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        *per_sentence, query_weight, energy_weight, context_weight, state_weight, state_bias = arguments
        from_words, state, keys, values, mask = (part.contiguous() for part in per_sentence)
        energies = (2 * energy_weight.view(-1)).contiguous()
        steps, (batch, size), attention_size = from_words.size(0), state.shape, query_weight.size(0)
        recurrent_weight, recurrent_bias = bahdanau_steps.recurrent_part(query_weight, state_weight, state_bias)
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
        slopes, updates = (part.contiguous() for part in bahdanau_steps.stacked_slopes(gates, news, recurrents, before))
        rows = states.new_empty(steps, batch, 4 * size + attention_size)  # the gradient at n, r, z, U s of n, the query
        turned_context_weight = bahdanau_steps.new_first(context_weight)
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
        at_energies = 2 * at_energies.sum(0, keepdim=True)
        return bahdanau_steps.gradients(rows, carried, at_keys, at_contexts, at_energies, before, contexts, weights)


class FeedingSteps(torch.autograd.Function):
    """The same, with the same arguments, as :class:`~seq2seq.layers.feeding_steps.FeedingSteps`."""

    @staticmethod
    @outside_autocast
    def forward(ctx: Any, *arguments: Tensor) -> tuple[Tensor, Tensor]:
        from_words, hidden, cell, fed, keys, values, mask, fed_weight, state_weight, attentional_weight = arguments
        from_words, keys, values, mask = (part.contiguous() for part in (from_words, keys, values, mask))
        (steps, batch), size = from_words.shape[:2], hidden.size(1)
        recurrent_weight = torch.cat([fed_weight, state_weight], dim=1)
        turned_weight = torch.cat(attentional_weight.split([values.size(2), size], dim=1)[::-1], dim=1)  # state first
        columns, turned_columns = recurrent_weight.t(), turned_weight.t()
        rows, gates, cells, tanh_cells, weights = feeding_steps.buffers(from_words, hidden, cell, fed, values)
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
        return feeding_steps.gradients(carried, carried_cell, at_gates, at_layers, at_rows, at_scores, rows, weights)
