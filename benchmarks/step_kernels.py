r"""The Bahdanau decoder's loop with four launches a step instead of some thirteen: two products, two Triton kernels.

A candidate for :mod:`seq2seq.layers.bahdanau_steps` on a GPU, which :mod:`benchmarks.training_speed` measures beside
the loop there; it earns its lines only where a recorded loop, whose launches cost little, leaves something to gain.
A kernel has one program for each sentence. Attention from query to context keeps scores and weights in registers; its
backward pass computes the logistic functions again, so that nothing of size (steps, batch, source_len,
attention_size) is kept.
"""
# ruff: noqa: ANN001, ANN202 (a kernel's arguments are Triton's pointers and numbers)

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from seq2seq.layers.bahdanau_steps import _slopes
from seq2seq.layers.derivatives import once_differentiable
from seq2seq.layers.precision import outside_autocast

BLOCK = 32  # columns of keys or values in registers at a time


class KernelSteps(torch.autograd.Function):
    """All states, contexts and weights of a target; the same, with the same arguments, as
    :class:`~seq2seq.layers.bahdanau_steps.BahdanauSteps`."""

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
        source_len, encoder_size, attention_size = *values.shape[1:], query_weight.size(0)
        from_words, state, keys, values, mask, energies = (
            part.contiguous()
            for part in (from_words, state, projected_keys, values, source_mask, 2 * energy_weight.view(-1))
        )
        recurrent_weight = torch.cat([state_weight, query_weight])
        recurrent_bias = torch.cat([state_bias, state_bias.new_zeros(attention_size)])
        recurrents = from_words.new_empty(steps, batch, 3 * size + attention_size)
        weights = from_words.new_empty(steps, batch, source_len)
        contexts = from_words.new_empty(steps, batch, encoder_size)
        gates = from_words.new_empty(steps, batch, 2 * size)
        news, states = (from_words.new_empty(steps, batch, size) for _ in range(2))
        columns, context_columns, previous = recurrent_weight.t(), context_weight.t(), state
        shape = {"SOURCE": max(16, triton.next_power_of_2(source_len)), "BLOCK": BLOCK}
        sizes = source_len, attention_size, encoder_size
        for t in range(steps):
            torch.addmm(recurrent_bias, previous, columns, out=recurrents[t])
            query = recurrents[t, :, 3 * size :]
            _attend[(batch,)](
                query, query.stride(0), keys, values, mask, energies, weights[t], contexts[t], *sizes, **shape
            )
            from_input = torch.addmm(from_words[t], contexts[t], context_columns)
            _gates[(batch,)](
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
        steps, batch, size = states.shape
        sizes = source_len, attention_size, _ = values.size(1), energies.numel(), values.size(2)
        before = torch.cat([state.unsqueeze(0), states[:-1]])
        slopes, updates = (part.contiguous() for part in _slopes(gates, news, recurrents, before))
        rows = states.new_empty(steps, batch, 4 * size + attention_size)  # the gradient at n, r, z, U s of n, the query
        turned_context_weight = torch.cat([context_weight[2 * size :], context_weight[: 2 * size]])
        at_contexts, at_states, at_weights = at_contexts.clone(), at_states.contiguous(), at_weights.contiguous()
        at_scores, at_keys = torch.empty_like(weights), torch.zeros_like(keys)
        at_energies = energies.new_zeros(batch, attention_size)
        carried, kept = torch.zeros_like(state), torch.empty_like(state)
        shape = {"SOURCE": max(16, triton.next_power_of_2(source_len)), "BLOCK": BLOCK}
        for t in range(steps - 1, -1, -1):
            row, query = rows[t], recurrents[t, :, 3 * size :]
            _gates_backward[(batch,)](
                at_states[t], carried, slopes[t], updates[t], row, row.stride(0), kept,
                size, SIZE=triton.next_power_of_2(size),
            )  # fmt: skip
            at_contexts[t].addmm_(row[:, : 3 * size], turned_context_weight)
            at_query = row[:, 4 * size :]
            _attend_backward[(batch,)](
                query, query.stride(0), keys, values, energies, weights[t], at_contexts[t], at_weights[t],
                at_scores[t], at_query, at_query.stride(0), at_keys, at_energies, *sizes, **shape,
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


@triton.jit
def _attend(
    queries, query_stride, keys, values, mask, energies, weights, contexts,
    source_len, attention_size: tl.constexpr, encoder_size: tl.constexpr, SOURCE: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Scores, weights and context of one sentence; `energies` is 2 v, as tanh x = 2 σ(2x) - 1."""
    sentence = tl.program_id(0)
    positions = tl.arange(0, SOURCE)
    inside = positions < source_len
    word = sentence * source_len + positions
    scores = tl.zeros([SOURCE], dtype=weights.dtype.element_ty)
    for start in range(0, attention_size, BLOCK):
        column = start + tl.arange(0, BLOCK)
        present = column < attention_size
        tile = inside[:, None] & present[None, :]
        query = tl.load(queries + sentence * query_stride + column, present, 0.0)
        energy = tl.load(energies + column, present, 0.0)
        key = tl.load(keys + word[:, None] * attention_size + column[None, :], tile, 0.0)
        scores += tl.sum(energy[None, :] * tl.sigmoid(2 * (key + query[None, :])), 1)
    real = tl.load(mask + word, inside, 0) != 0
    scores = tl.where(real, scores, -1e30)
    exponentials = tl.where(real, tl.exp(scores - tl.max(scores, 0)), 0.0)
    total = tl.sum(exponentials, 0)
    weight = exponentials / tl.where(total > 0, total, 1.0)  # 0 where no token is real
    tl.store(weights + word, weight, inside)
    for start in range(0, encoder_size, BLOCK):
        column = start + tl.arange(0, BLOCK)
        present = column < encoder_size
        tile = inside[:, None] & present[None, :]
        value = tl.load(values + word[:, None] * encoder_size + column[None, :], tile, 0.0)
        tl.store(contexts + sentence * encoder_size + column, tl.sum(weight[:, None] * value, 0), present)


@triton.jit
def _attend_backward(
    queries, query_stride, keys, values, energies, weights, at_contexts, at_weights,
    at_scores, at_queries, at_query_stride, at_keys, at_energies,
    source_len, attention_size: tl.constexpr, encoder_size: tl.constexpr, SOURCE: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """The gradient at the scores and at the query of one sentence; added up over the steps, at its keys and at v."""
    sentence = tl.program_id(0)
    positions = tl.arange(0, SOURCE)
    inside = positions < source_len
    word = sentence * source_len + positions
    at_weight = tl.load(at_weights + word, inside, 0.0)
    for start in range(0, encoder_size, BLOCK):
        column = start + tl.arange(0, BLOCK)
        present = column < encoder_size
        tile = inside[:, None] & present[None, :]
        value = tl.load(values + word[:, None] * encoder_size + column[None, :], tile, 0.0)
        at_context = tl.load(at_contexts + sentence * encoder_size + column, present, 0.0)
        at_weight += tl.sum(value * at_context[None, :], 1)
    weight = tl.load(weights + word, inside, 0.0)
    at_score = weight * (at_weight - tl.sum(weight * at_weight, 0))
    tl.store(at_scores + word, at_score, inside)
    for start in range(0, attention_size, BLOCK):
        column = start + tl.arange(0, BLOCK)
        present = column < attention_size
        tile = inside[:, None] & present[None, :]
        query = tl.load(queries + sentence * query_stride + column, present, 0.0)
        energy = tl.load(energies + column, present, 0.0)
        entry = word[:, None] * attention_size + column[None, :]
        logistic = tl.sigmoid(2 * (tl.load(keys + entry, tile, 0.0) + query[None, :]))
        at_logistic = at_score[:, None] * energy[None, :]
        at_key = 2 * at_logistic * logistic * (1 - logistic)
        tl.store(at_keys + entry, tl.load(at_keys + entry, tile, 0.0) + at_key, tile)
        tl.store(at_queries + sentence * at_query_stride + column, tl.sum(at_key, 0), present)
        at_energy = at_energies + sentence * attention_size + column
        at_score_and_logistic = tl.sum(at_score[:, None] * logistic, 0)
        tl.store(at_energy, tl.load(at_energy, present, 0.0) + at_score_and_logistic, present)


@triton.jit
def _gates(
    inputs, recurrents, recurrent_stride, previous, gates, news, states, size, SIZE: tl.constexpr
):  # fmt: skip
    """One step of PyTorch's GRU for one sentence, from W x + b and U s + b."""
    sentence = tl.program_id(0)
    unit = tl.arange(0, SIZE)
    present = unit < size
    from_input, from_state = inputs + sentence * 3 * size + unit, recurrents + sentence * recurrent_stride + unit
    reset = tl.sigmoid(tl.load(from_input, present, 0.0) + tl.load(from_state, present, 0.0))
    update = tl.sigmoid(tl.load(from_input + size, present, 0.0) + tl.load(from_state + size, present, 0.0))
    entering = tl.load(from_input + 2 * size, present, 0.0)
    candidate = entering + reset * tl.load(from_state + 2 * size, present, 0.0)
    new = 2 * tl.sigmoid(2 * candidate) - 1
    state = new + update * (tl.load(previous + sentence * size + unit, present, 0.0) - new)
    tl.store(gates + sentence * 2 * size + unit, reset, present)
    tl.store(gates + sentence * 2 * size + size + unit, update, present)
    tl.store(news + sentence * size + unit, new, present)
    tl.store(states + sentence * size + unit, state, present)


@triton.jit
def _gates_backward(
    at_states, carried, slopes, updates, rows, row_stride, kept, size, SIZE: tl.constexpr
):  # fmt: skip
    """From the gradient at a sentence's state to that at n, r, z and U s of n, and to what passes by the gates."""
    sentence = tl.program_id(0)
    unit = tl.arange(0, SIZE)
    present = unit < size
    offset = sentence * size + unit
    gradient = tl.load(at_states + offset, present, 0.0) + tl.load(carried + offset, present, 0.0)
    for part in range(4):
        slope = tl.load(slopes + sentence * 4 * size + part * size + unit, present, 0.0)
        tl.store(rows + sentence * row_stride + part * size + unit, slope * gradient, present)
    tl.store(kept + offset, gradient * tl.load(updates + offset, present, 0.0), present)
