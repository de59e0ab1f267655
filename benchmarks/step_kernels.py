"""Triton kernels for one step of a decoder's loop; a kernel has one program for each sentence.

Attention from query to context keeps scores and weights in registers; additive scores compute their logistic
functions again in the backward pass, so that nothing of size (steps, batch, source_len, attention_size) is kept.
"""
# ruff: noqa: ANN001, ANN201 (a kernel's arguments are Triton's pointers and numbers)

from typing import Any

import triton
import triton.language as tl
from torch import Tensor

BLOCK = 32  # columns of keys or values in registers at a time


def sizes_of(keys: Tensor, values: Tensor) -> dict[str, Any]:
    """What :func:`attend` and its backward pass are told of the memory."""
    return {
        "source_len": keys.size(1),
        "key_size": keys.size(2),
        "value_size": values.size(2),
        "SOURCE": max(16, triton.next_power_of_2(keys.size(1))),
        "BLOCK": BLOCK,
    }


@triton.jit
def attend(
    queries, query_stride, keys, values, mask, energies, weights, contexts, context_stride, ADDITIVE: tl.constexpr,
    source_len, key_size: tl.constexpr, value_size: tl.constexpr, SOURCE: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Scores, weights and context of one sentence; additive scores by `energies`, 2 v, as tanh x = 2 σ(2x) - 1."""
    sentence = tl.program_id(0)
    positions = tl.arange(0, SOURCE)
    inside = positions < source_len
    word = sentence * source_len + positions
    scores = tl.zeros([SOURCE], dtype=weights.dtype.element_ty)
    for start in range(0, key_size, BLOCK):
        column = start + tl.arange(0, BLOCK)
        present = column < key_size
        tile = inside[:, None] & present[None, :]
        query = tl.load(queries + sentence * query_stride + column, present, 0.0)
        key = tl.load(keys + word[:, None] * key_size + column[None, :], tile, 0.0)
        if ADDITIVE:
            energy = tl.load(energies + column, present, 0.0)
            scores += tl.sum(energy[None, :] * tl.sigmoid(2 * (key + query[None, :])), 1)
        else:
            scores += tl.sum(key * query[None, :], 1)
    real = tl.load(mask + word, inside, 0) != 0
    scores = tl.where(real, scores, -1e30)
    exponentials = tl.where(real, tl.exp(scores - tl.max(scores, 0)), 0.0)
    total = tl.sum(exponentials, 0)
    weight = exponentials / tl.where(total > 0, total, 1.0)  # 0 where no token is real
    tl.store(weights + word, weight, inside)
    for start in range(0, value_size, BLOCK):
        column = start + tl.arange(0, BLOCK)
        present = column < value_size
        tile = inside[:, None] & present[None, :]
        value = tl.load(values + word[:, None] * value_size + column[None, :], tile, 0.0)
        tl.store(contexts + sentence * context_stride + column, tl.sum(weight[:, None] * value, 0), present)


@triton.jit
def attend_backward(
    queries, query_stride, keys, values, energies, weights, at_contexts, at_context_stride, at_weights,
    at_scores, at_queries, at_query_stride, at_keys, at_energies, ADDITIVE: tl.constexpr,
    source_len, key_size: tl.constexpr, value_size: tl.constexpr, SOURCE: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """The gradient at the scores and at the query of one sentence; of additive scores, added up over the steps, also
    at its keys and at v."""
    sentence = tl.program_id(0)
    positions = tl.arange(0, SOURCE)
    inside = positions < source_len
    word = sentence * source_len + positions
    at_weight = tl.load(at_weights + word, inside, 0.0)
    for start in range(0, value_size, BLOCK):
        column = start + tl.arange(0, BLOCK)
        present = column < value_size
        tile = inside[:, None] & present[None, :]
        value = tl.load(values + word[:, None] * value_size + column[None, :], tile, 0.0)
        at_context = tl.load(at_contexts + sentence * at_context_stride + column, present, 0.0)
        at_weight += tl.sum(value * at_context[None, :], 1)
    weight = tl.load(weights + word, inside, 0.0)
    at_score = weight * (at_weight - tl.sum(weight * at_weight, 0))
    tl.store(at_scores + word, at_score, inside)
    for start in range(0, key_size, BLOCK):
        column = start + tl.arange(0, BLOCK)
        present = column < key_size
        tile = inside[:, None] & present[None, :]
        entry = word[:, None] * key_size + column[None, :]
        key = tl.load(keys + entry, tile, 0.0)
        if ADDITIVE:
            query = tl.load(queries + sentence * query_stride + column, present, 0.0)
            energy = tl.load(energies + column, present, 0.0)
            logistic = tl.sigmoid(2 * (key + query[None, :]))
            toward_query = 2 * at_score[:, None] * energy[None, :] * logistic * (1 - logistic)
            tl.store(at_keys + entry, tl.load(at_keys + entry, tile, 0.0) + toward_query, tile)
            at_energy = at_energies + sentence * key_size + column
            at_score_and_logistic = tl.sum(at_score[:, None] * logistic, 0)
            tl.store(at_energy, tl.load(at_energy, present, 0.0) + at_score_and_logistic, present)
        else:
            toward_query = at_score[:, None] * key
        tl.store(at_queries + sentence * at_query_stride + column, tl.sum(toward_query, 0), present)


@triton.jit
def gru(
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
def gru_backward(
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


@triton.jit
def lstm(
    gates, cells, following, tanh_cells, states, state_stride, size, SIZE: tl.constexpr
):  # fmt: skip
    """One step of PyTorch's LSTM for one sentence, from W x + U h + b, which the gates i, f, g and o replace."""
    sentence = tl.program_id(0)
    unit = tl.arange(0, SIZE)
    present = unit < size
    gate, offset = gates + sentence * 4 * size + unit, sentence * size + unit
    enter = tl.sigmoid(tl.load(gate, present, 0.0))
    forget = tl.sigmoid(tl.load(gate + size, present, 0.0))
    new = 2 * tl.sigmoid(2 * tl.load(gate + 2 * size, present, 0.0)) - 1
    leave = tl.sigmoid(tl.load(gate + 3 * size, present, 0.0))
    cell = forget * tl.load(cells + offset, present, 0.0) + enter * new
    tanh_cell = 2 * tl.sigmoid(2 * cell) - 1
    tl.store(gate, enter, present)
    tl.store(gate + size, forget, present)
    tl.store(gate + 2 * size, new, present)
    tl.store(gate + 3 * size, leave, present)
    tl.store(following + offset, cell, present)
    tl.store(tanh_cells + offset, tanh_cell, present)
    tl.store(states + sentence * state_stride + unit, leave * tanh_cell, present)


@triton.jit
def lstm_backward(
    at_queries, at_rows, at_row_stride, carried, carried_cell, slopes, cell_slopes, gates, at_gates,
    size, SIZE: tl.constexpr,
):  # fmt: skip
    """From the gradient at a sentence's state (as a query, in the attentional layer, in the next step) and at its cell
    to that at the gates and at the cell before."""
    sentence = tl.program_id(0)
    unit = tl.arange(0, SIZE)
    present = unit < size
    offset, gate = sentence * size + unit, sentence * 4 * size + unit
    at_state = tl.load(at_queries + offset, present, 0.0)
    at_state += tl.load(at_rows + sentence * at_row_stride + unit, present, 0.0)
    at_state += tl.load(carried + sentence * 2 * size + size + unit, present, 0.0)
    at_cell = tl.load(carried_cell + offset, present, 0.0)
    at_cell += at_state * tl.load(cell_slopes + offset, present, 0.0)
    for part in range(3):
        slope = tl.load(slopes + gate + part * size, present, 0.0)
        tl.store(at_gates + gate + part * size, slope * at_cell, present)
    tl.store(at_gates + gate + 3 * size, tl.load(slopes + gate + 3 * size, present, 0.0) * at_state, present)
    tl.store(carried_cell + offset, at_cell * tl.load(gates + gate + size, present, 0.0), present)
