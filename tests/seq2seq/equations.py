"""The equations of the papers for one sentence, one word and one key at a time: what the decoders are held against.

Nothing here is taken from the library: a module only lends its weights.
"""

import math
from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from seq2seq.beyond import summariser
from seq2seq.decoders import bahdanau, fixed, hard, local, location_aware, luong, orders, pointer
from seq2seq.layers.paper_gru import PaperGru, PaperGruCell
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer, ScaledDotScorer
from seq2seq.transformer.model import TransformerDecoder
from seq2seq.vocab import BOS


def linear(layer, vector):
    product = layer.weight @ vector
    return product if layer.bias is None else product + layer.bias


def softmax(scores):
    exponentials = [math.exp(score) for score in scores]
    return [exponential / sum(exponentials) for exponential in exponentials]


def mixture(weights, vectors):
    return sum(weight * vector for weight, vector in zip(weights, vectors, strict=True))


def additive(scorer, query, key, position=0, located=0):
    return scorer.energy_layer.weight[0] @ torch.tanh(
        scorer.query_layer.weight @ query + scorer.key_layer.weight @ key + located
    )


SCORES = {  # of a query and the key at a position
    DotScorer: lambda scorer, query, key, position: sum(q * k for q, k in zip(query, key, strict=True)),
    ScaledDotScorer: lambda scorer, query, key, position: query @ key / math.sqrt(len(query)),
    BilinearScorer: lambda scorer, query, key, position: query @ (scorer.key_layer.weight @ key),
    AdditiveScorer: additive,
    LocationScorer: lambda scorer, query, key, position: scorer.position_layer.weight[position] @ query,
}


def scores(scorer, query, keys):
    return [SCORES[type(scorer)](scorer, query, key, position).item() for position, key in enumerate(keys)]


def look(scorer, query, states):
    weights = softmax(scores(scorer, query, states))
    return weights, mixture(weights, states)


def located_weights(scorer, query, states, located):
    return softmax([additive(scorer, query, key, 0, shift) for key, shift in zip(states, located, strict=True)])


def gated(w, u, b, c, inputs, state):
    """Cho et al.'s unit where PyTorch has its reset gate: after the matrix."""
    from_input, from_state = (w @ inputs + b).chunk(3), (u @ state + c).chunk(3)
    reset, update = (torch.sigmoid(from_input[i] + from_state[i]) for i in range(2))
    return (1 - update) * torch.tanh(from_input[2] + reset * from_state[2]) + update * state


def gated_as_printed(w, u, b, inputs, state):
    """The unit of the appendix of Bahdanau et al.: the reset gate before the matrix, the update gate the other way."""
    from_input, (u_reset, u_update, u_new) = (w @ inputs + b).chunk(3), u.chunk(3)
    reset, update = (torch.sigmoid(from_input[i] + matrix @ state) for i, matrix in enumerate((u_reset, u_update)))
    return (1 - update) * state + update * torch.tanh(from_input[2] + u_new @ (reset * state))


def long_short_term(w, u, b, c, inputs, state):
    hidden, memory = state
    enter, forget, new, leave = (w @ inputs + b + u @ hidden + c).chunk(4)
    memory = torch.sigmoid(forget) * memory + torch.sigmoid(enter) * torch.tanh(new)
    return torch.sigmoid(leave) * torch.tanh(memory), memory


UNITS = (
    *(((nn.LSTM, nn.LSTMCell), long_short_term), ((PaperGru, PaperGruCell), gated_as_printed)),
    ((nn.GRU, nn.GRUCell), gated),
    ((nn.RNN,), lambda w, u, b, c, inputs, state: torch.tanh(w @ inputs + b + u @ state + c)),
)


def advance(cell, inputs, state):
    """One step of a recurrent layer or cell; the state of an LSTM is a pair."""
    unit = next(unit for kinds, unit in UNITS if isinstance(cell, kinds))
    return unit(*cell.parameters(), inputs, state)  # PyTorch's order: W, U, b, c


def first_state(bridge, summary):
    hidden = torch.tanh(linear(bridge.hidden_layer, summary))
    return hidden if bridge.memory_layer is None else (hidden, torch.tanh(linear(bridge.memory_layer, summary)))


def hidden_of(state):
    return state[0] if isinstance(state, tuple) else state


def maxout(readout, *parts):
    pairs = linear(readout.layer, torch.cat(parts))
    return torch.stack([max(pairs[2 * j], pairs[2 * j + 1]) for j in range(len(pairs) // 2)])


# One generator a decoder: from its words' ids, a sentence's real states and its final state to what each step says.


def initial_state(decoder, ids, states, final):
    state = first_state(decoder.bridge, final)
    for id in ids:
        state = advance(decoder.rnn, decoder.embedding.weight[id], state)
        yield (linear(decoder.output_layer, hidden_of(state)),)


def every_step(decoder, ids, states, final):
    state = first_state(decoder.bridge, final)
    for id in ids:
        word = decoder.embedding.weight[id]
        state = advance(decoder.rnn, torch.cat([word, final]), state)
        yield (linear(decoder.output_layer, maxout(decoder.readout, hidden_of(state), word, final)),)


def look_update_generate(decoder, ids, states, final, summary=None, before=False, readout=maxout):
    """Bahdanau et al.: the first state is that of the backward half, the query the state before the step."""
    state = first_state(decoder.bridge, final[summary or slice(len(final) // 2, None)])
    for id in ids:
        word = decoder.embedding.weight[id]
        weights, context = look(decoder.attention.scorer, state, states)
        after = advance(decoder.cell, torch.cat([word, context]), state)
        read = readout(decoder.readout, state if before else after, word, context)
        yield linear(decoder.output_layer, read), weights
        state = after


def joined(_, state, word, context):
    return torch.cat([state, context, word])


def look_generate_update(decoder, ids, states, final):
    state, context = first_state(decoder.bridge, final[len(final) // 2 :]), None
    for id in ids:
        word = decoder.embedding.weight[id]
        if context is not None:  # the word was written from this context
            state = advance(decoder.cell, torch.cat([word, context]), state)
        weights, context = look(decoder.attention.scorer, state, states)
        yield linear(decoder.output_layer, maxout(decoder.readout, state, word, context)), weights


def content_and_location(decoder, ids, states, final):
    scorer, width = decoder.attention.scorer, decoder.attention.scorer.filters.weight.size(2)
    state, weights = first_state(decoder.bridge, final[len(final) // 2 :]), [0.0] * len(states)
    for id in ids:
        around = F.pad(torch.tensor(weights), (width // 2, width // 2)).to(states)
        features = [scorer.filters.weight[:, 0] @ around[j : j + width] for j in range(len(states))]
        located = [scorer.location_layer.weight @ feature for feature in features]
        weights = located_weights(scorer, state, states, located)
        context, word = mixture(weights, states), decoder.embedding.weight[id]
        state = advance(decoder.cell, torch.cat([word, context]), state)
        yield linear(decoder.output_layer, maxout(decoder.readout, state, word, context)), weights


def attentional(decoder, context, hidden):
    return torch.tanh(decoder.attentional_layer.weight @ torch.cat([context, hidden]))


def soft(decoder, hidden, states, t):
    weights, context = look(decoder.attention.scorer, hidden, states)
    fed = attentional(decoder, context, hidden)
    return fed, linear(decoder.output_layer, fed), weights


def update_look_generate(decoder, ids, states, final, attend=soft, feeds=False):
    """Luong et al.: the query is the state after the step."""
    state, fed = first_state(decoder.bridge, final), torch.zeros(decoder.rnn.hidden_size).to(final)
    for t, id in enumerate(ids):
        word = decoder.embedding.weight[id]
        state = advance(decoder.rnn, torch.cat([word, fed]) if feeds else word, state)
        fed, logits, weights = attend(decoder, hidden_of(state), states, t)
        yield logits, weights


def hardest(decoder, hidden, states, t):
    weights, _ = look(decoder.attention.scorer, hidden, states)
    best = states[max(range(len(states)), key=weights.__getitem__)]
    return None, linear(decoder.output_layer, attentional(decoder, best, hidden)), weights


def summed_out(decoder, hidden, states, t):
    weights, _ = look(decoder.attention.scorer, hidden, states)
    predictions = [softmax(linear(decoder.output_layer, attentional(decoder, state, hidden))) for state in states]
    return None, mixture(weights, torch.tensor(predictions).to(states)).log(), weights


def window_weights(scores, centre, half_width, favoured):
    """Luong et al., section 3.2: the words of the window alone; the Gaussian, where there is one, last."""
    window = [s for s in range(len(scores)) if centre - half_width <= s <= centre + half_width]
    shares = dict(zip(window, softmax([scores[s] for s in window]), strict=True))
    bell = [math.exp(-2 * ((s - centre) / half_width) ** 2) if favoured else 1 for s in range(len(scores))]
    return [shares.get(s, 0.0) * bell[s] for s in range(len(scores))]


def centre_of(predictor, hidden, length):
    raised = predictor.position_layer.weight[0] @ torch.tanh(predictor.hidden_layer.weight @ hidden)
    return length / (1 + math.exp(-raised))


def windowed(decoder, hidden, states, centre, favoured):
    every = scores(decoder.attention.scorer, hidden, states)
    weights = window_weights(every, centre, decoder.half_width, favoured)
    return None, linear(decoder.output_layer, attentional(decoder, mixture(weights, states), hidden)), weights


def around_the_targets_position(decoder, hidden, states, t):
    return windowed(decoder, hidden, states, t, favoured=False)


def around_a_predicted_position(decoder, hidden, states, t):
    return windowed(decoder, hidden, states, centre_of(decoder.predictor, hidden, len(states)), favoured=True)


def copying(decoder, ids, states, final):
    """See et al.: the parts of the mixture; with coverage if the decoder has a layer for it."""
    state, context = first_state(decoder.bridge, final), torch.zeros_like(states[0])
    coverage = [0.0] * len(states)
    for id in ids:
        word = decoder.embedding.weight[id]
        hidden, _ = state = advance(decoder.cell, torch.cat([word, context]), state)
        covered = [0] * len(states)
        if hasattr(decoder, "coverage_layer"):
            covered = [linear(decoder.coverage_layer, torch.tensor([c]).to(states)) for c in coverage]
        weights = located_weights(decoder.scorer, hidden, states, covered)
        context = mixture(weights, states)
        coverage = [before + weight for before, weight in zip(coverage, weights, strict=True)]
        read = linear(decoder.readout, torch.cat([hidden, context]))
        generate = torch.sigmoid(linear(decoder.gate, torch.cat([context, hidden, word])))[0]
        yield linear(decoder.output_layer, read), weights, generate


def feed_forward(decoder, ids, states, final, view=None):
    """Rush et al.: the last words, and a view of the source."""
    for t in range(len(ids)):
        last = ([BOS] * decoder.words + ids[: t + 1])[-decoder.words :]
        written = torch.cat([decoder.embedding.weight[id] for id in last])
        logits = linear(decoder.output_layer, torch.tanh(linear(decoder.hidden_layer, written)))
        weights, context = view(last) if view else (None, final)
        logits = logits + decoder.source_layer.weight @ context
        yield (logits,) if weights is None else (logits, weights)


def attentive_feed_forward(decoder, ids, states, final):
    width = decoder.half_width
    smoothed = [sum(states[max(0, i - width) : i + width + 1]) / (2 * width + 1) for i in range(len(states))]

    def view(last):
        query = torch.cat([decoder.query_embedding.weight[id] for id in last])
        weights, _ = look(decoder.attention.scorer, query, states)
        return weights, mixture(weights, smoothed)

    return feed_forward(decoder, ids, states, final, view)


def heads(attention, query, sequence):
    """Multi-head attention of one query: what it gives, and the weights of each head."""
    size, contexts, all_weights = len(query) // attention.heads, [], []
    for first in range(0, len(query), size):
        rows = slice(first, first + size)
        asked = linear(attention.query_layer, query)[rows]
        keys = [linear(attention.key_layer, each)[rows] for each in sequence]
        values = [linear(attention.value_layer, each)[rows] for each in sequence]
        weights = softmax([(asked @ key / math.sqrt(size)).item() for key in keys])
        contexts.append(mixture(weights, values))
        all_weights.append(weights)
    return linear(attention.output_layer, torch.cat(contexts)), all_weights


def normed(norm, vector):
    centred = vector - vector.mean()
    return norm.weight * centred / torch.sqrt(centred.square().mean() + norm.eps) + norm.bias


def encoding(position, size):
    """Vaswani et al., section 3.5."""
    angles = [position / 10_000 ** (2 * i / size) for i in range(size // 2)]
    return torch.tensor([turn(angle) for angle in angles for turn in (math.sin, math.cos)], dtype=torch.float64)


def placed(embedding, ids, first=0):
    table = embedding.embedding.weight
    return torch.stack([table[id] + encoding(first + t, table.size(1)) for t, id in enumerate(ids)])


def inner(layer, vector):
    hidden = linear(layer.feed_forward[0], normed(layer.inner_norm, vector)).clamp(min=0)
    return vector + linear(layer.feed_forward[2], hidden)


def transformer(decoder, ids, states, final):
    words = placed(decoder.placed_embedding, ids)
    for layer in decoder.layers:
        plain = [normed(layer.attention_norm, word) for word in words]
        words = [word + heads(layer.attention, plain[t], plain[: t + 1])[0] for t, word in enumerate(words)]
        looks = [heads(layer.source_attention, normed(layer.source_norm, word), states) for word in words]
        words = [inner(layer, word + context) for word, (context, _) in zip(words, looks, strict=True)]
    for word, (_, weights) in zip(words, looks, strict=True):
        logits = linear(decoder.output_layer, normed(decoder.norm, word))
        yield logits, [sum(column) / len(weights) for column in zip(*weights, strict=True)]


DECODERS = {
    fixed.InitialStateDecoder: initial_state,
    fixed.EveryStepDecoder: every_step,
    bahdanau.BahdanauDecoder: look_update_generate,
    orders.AppendixDecoder: look_update_generate,
    bahdanau.SimplifiedBahdanauDecoder: partial(look_update_generate, summary=slice(None), readout=joined),
    orders.EarlyReadoutDecoder: partial(look_update_generate, before=True),
    orders.LookGenerateUpdateDecoder: look_generate_update,
    orders.AuthorsDecoder: look_generate_update,
    location_aware.LocationAwareDecoder: content_and_location,
    luong.LuongDecoder: update_look_generate,
    luong.InputFeedingDecoder: partial(update_look_generate, feeds=True),
    hard.HardAttentionDecoder: partial(update_look_generate, attend=hardest),
    hard.MarginalAttentionDecoder: partial(update_look_generate, attend=summed_out),
    local.LocalMonotonicDecoder: partial(update_look_generate, attend=around_the_targets_position),
    local.LocalPredictiveDecoder: partial(update_look_generate, attend=around_a_predicted_position),
    pointer.PointerDecoder: copying,
    pointer.CoveragePointerDecoder: copying,
    summariser.FeedForwardDecoder: feed_forward,
    summariser.AttentiveFeedForwardDecoder: attentive_feed_forward,
    TransformerDecoder: transformer,
}
