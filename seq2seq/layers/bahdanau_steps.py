r"""The Bahdanau decoder's loop with additive scores, with a hand-written backward pass.

The loop of :meth:`BahdanauDecoder.unroll <seq2seq.decoders.bahdanau.BahdanauDecoder.unroll>` records some forty
operations per step for the backward pass, and adds up the gradient of every matrix at every step.
This one keeps what the backward pass needs, and computes each matrix's gradient by one product after the last step.
It gives the same results; the tests compare the two.
"""

from typing import Any

import torch
from torch import Tensor

from seq2seq.layers.derivatives import once_differentiable
from seq2seq.layers.gru import gate_slopes
from seq2seq.layers.precision import outside_autocast


class BahdanauSteps(torch.autograd.Function):
    r"""All states, contexts and weights of a target, teacher-forced.

    With $x = W_a s_{i-1} + U_a h_j$, the scores are $v_a^\top \tanh x = v_a^\top (2 \sigma(2x) - 1)$: on a CPU the
    logistic function takes a quarter of tanh's time, and $-\sum v_a$, the same for every key, is left out, as
    the softmax cancels it.

    Shape:
        from_words: (target_len, batch, 3 × hidden_size), $W E y_{i-1} + b$ for the gates r, z and n
        state: (batch, hidden_size), $s_0$
        projected_keys: (batch, source_len, attention_size), $U_a h_j$
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        query_weight: (attention_size, hidden_size), $W_a$
        energy_weight: (1, attention_size), $v_a$
        context_weight: (3 × hidden_size, encoder_size), the columns of the cell's input matrix that take the context
        state_weight: (3 × hidden_size, hidden_size), and state_bias: (3 × hidden_size,)
        states: (target_len, batch, hidden_size)
        contexts: (target_len, batch, encoder_size)
        weights: (target_len, batch, source_len)
    """

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
        steps, (batch, hidden_size) = from_words.size(0), state.shape
        recurrent_weight, recurrent_bias = recurrent_part(query_weight, state_weight, state_bias)
        mask_bias = from_words.new_zeros(source_mask.shape).masked_fill_(
            ~source_mask, torch.finfo(from_words.dtype).min
        )
        energies = 2 * energy_weight.view(-1, 1)

        recurrents = from_words.new_empty(steps, batch, recurrent_weight.size(0))
        logistics = from_words.new_empty(steps, *projected_keys.shape)
        weights = from_words.new_empty(steps, batch, projected_keys.size(1))
        contexts = from_words.new_empty(steps, batch, values.size(-1))
        gates = from_words.new_empty(steps, batch, 2 * hidden_size)
        news, states = (from_words.new_empty(steps, batch, hidden_size) for _ in range(2))

        doubled_keys, columns, context_columns = 2 * projected_keys, recurrent_weight.t(), context_weight.t()
        previous = state
        buffers = (recurrents, logistics, weights, contexts, gates, news, states)
        for from_word, recurrent, logistic, weight, context, gate, new, following in zip(
            from_words.unbind(0), *(part.unbind(0) for part in buffers), strict=True
        ):
            torch.addmm(recurrent_bias, previous, columns, out=recurrent)
            query = recurrent[:, 3 * hidden_size :].unsqueeze(1)
            torch.add(doubled_keys, query, alpha=2, out=logistic).sigmoid_()
            scores = torch.mm(logistic.view(-1, logistic.size(-1)), energies).view_as(weight)
            torch.softmax(scores.add_(mask_bias), dim=-1, out=weight)
            weight *= source_mask
            torch.bmm(weight.unsqueeze(1), values, out=context.unsqueeze(1))
            from_input = torch.addmm(from_word, context, context_columns)
            previous = _gates(from_input, recurrent, gate, new, following, previous)
        ctx.save_for_backward(
            state, values, energy_weight, context_weight, recurrent_weight,
            recurrents, logistics, weights, contexts, gates, news, states,
        )  # fmt: skip
        return states, contexts, weights

    @staticmethod
    @once_differentiable
    @outside_autocast
    def backward(ctx: Any, at_states: Tensor, at_contexts: Tensor, at_weights: Tensor) -> tuple[Tensor | None, ...]:
        (
            state, values, energy_weight, context_weight, recurrent_weight,
            recurrents, logistics, weights, contexts, gates, news, states,
        ) = ctx.saved_tensors  # fmt: skip
        steps, batch, size = states.shape
        attention_size = energy_weight.numel()
        before = torch.cat([state.unsqueeze(0), states[:-1]])  # s_{i-1}
        slopes, updates = stacked_slopes(gates, news, recurrents, before)
        # One row per step and sentence: the gradient at n, r, z, U s of n, and at the query. Its first three parts are
        # that of the cell's input, its last four that of the recurrent products, both without copying.
        rows = states.new_empty(steps, batch, 4 * size + attention_size)
        at_inputs, at_recurrents, at_queries = rows[..., : 3 * size], rows[..., size:], rows[..., 4 * size :]
        at_gates = rows[..., : 4 * size].unflatten(-1, (4, size))
        turned_context_weight = new_first(context_weight)
        at_contexts, at_scores = at_contexts.clone(), torch.empty_like(weights)
        at_keys, slope = (values.new_zeros(logistics.shape[1:]) for _ in range(2))
        turned_values, energies = values.transpose(1, 2), 4 * energy_weight.view(-1)

        carried = torch.zeros_like(state)
        given = (at_states, slopes, updates, weights, logistics, at_weights)
        buffers = (at_gates, at_inputs, at_recurrents, at_queries, at_contexts, at_scores)
        for (
            at_state, step_slopes, update, weight, logistic, at_weight,
            at_gate, at_input, at_recurrent, at_query, at_context, at_score,
        ) in reversed(list(zip(*(part.unbind(0) for part in given + buffers), strict=True))):  # fmt: skip
            gradient = at_state + carried
            torch.mul(step_slopes, gradient.unsqueeze(1), out=at_gate)
            at_context.addmm_(at_input, turned_context_weight)
            at_scaled = torch.bmm(at_context.unsqueeze(1), turned_values).squeeze(1).add_(at_weight).mul_(weight)
            torch.addcmul(at_scaled, weight, at_scaled.sum(-1, keepdim=True), value=-1, out=at_score)
            torch.addcmul(logistic, logistic, logistic, value=-1, out=slope)  # σ' = σ - σ²
            torch.mul(torch.bmm(at_score.unsqueeze(1), slope).squeeze(1), energies, out=at_query)
            at_keys.addcmul_(slope, at_score.unsqueeze(-1))
            carried = torch.addmm(gradient * update, at_recurrent, recurrent_weight)

        # A shift of all scores of a row changes no weight, so at_score sums to 0 and the omitted -Σ v_a has no part in
        # the gradient of v_a.
        at_energies = 2 * at_scores.view(1, -1) @ logistics.view(-1, attention_size)
        return gradients(rows, carried, at_keys * energies, at_contexts, at_energies, before, contexts, weights)


def recurrent_part(query_weight: Tensor, state_weight: Tensor, state_bias: Tensor) -> tuple[Tensor, Tensor]:
    """What multiplies $s_{i-1}$, U of the gates and $W_a$ in one matrix, and its bias."""
    bias = torch.cat([state_bias, state_bias.new_zeros(query_weight.size(0))])
    return torch.cat([state_weight, query_weight]), bias


def new_first(gates: Tensor) -> Tensor:
    """The rows of a cell's input matrix, r, z and n, in the order of the backward pass: n, r and z."""
    size = gates.size(0) // 3
    return torch.cat([gates[2 * size :], gates[: 2 * size]])


def gradients(
    rows: Tensor,
    carried: Tensor,
    at_keys: Tensor,
    at_contexts: Tensor,
    at_energies: Tensor,
    before: Tensor,
    contexts: Tensor,
    weights: Tensor,
) -> tuple[Tensor | None, ...]:
    """The gradients of the loop's arguments, each matrix's by one product, from those of its steps.

    `rows` has the gradient at n, r, z, U s of n and at the query, (steps, batch, 4 × hidden_size + attention_size);
    `carried` is that at $s_0$, and `before` is $s_{i-1}$, (steps, batch, hidden_size).
    """
    size = carried.size(-1)
    flat_inputs, flat_recurrents = rows[..., : 3 * size].flatten(0, 1), rows[..., size:].flatten(0, 1)
    recurrent_gradient = flat_recurrents.t() @ before.flatten(0, 1)
    context_gradient = flat_inputs.t() @ contexts.flatten(0, 1)
    return (
        torch.cat([rows[..., size : 3 * size], rows[..., :size]], dim=-1),
        carried,
        at_keys,
        torch.bmm(weights.permute(1, 2, 0), at_contexts.transpose(0, 1)),
        None,
        recurrent_gradient[3 * size :],
        at_energies,
        torch.cat([context_gradient[size:], context_gradient[:size]]),
        recurrent_gradient[: 3 * size],
        flat_recurrents[:, : 3 * size].sum(0),
    )


def _gates(
    from_input: Tensor, recurrent: Tensor, gate: Tensor, new: Tensor, following: Tensor, previous: Tensor
) -> Tensor:
    """One step of PyTorch's GRU, written into `gate`, `new` and `following`; returns `following`, $s_i$."""
    size = previous.size(-1)
    torch.sigmoid(from_input[:, : 2 * size] + recurrent[:, : 2 * size], out=gate)
    candidate = torch.addcmul(from_input[:, 2 * size :], gate[:, :size], recurrent[:, 2 * size : 3 * size])
    torch.tanh(candidate, out=new)
    return torch.lerp(new, previous, gate[:, size:], out=following)


def stacked_slopes(gates: Tensor, news: Tensor, recurrents: Tensor, before: Tensor) -> tuple[Tensor, Tensor]:
    """The factors of the gradient at $s_i$ for n, r, z and U s of n, (steps, batch, 4, size); and z."""
    size = news.size(-1)
    *slopes, updates = gate_slopes(gates, news, recurrents[..., 2 * size : 3 * size], before)
    return torch.stack(slopes, dim=2), updates
