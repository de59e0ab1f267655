"""The equations of layers, encoders and networks, for one row: without its padding, and without masks and lengths."""

import itertools
import math

import torch
from equations import (
    DECODERS,
    SCORES,
    advance,
    attentional,
    centre_of,
    heads,
    hidden_of,
    inner,
    linear,
    look,
    mixture,
    normed,
    placed,
    softmax,
)
from torch import nn

from seq2seq.beyond.stack_rnn import EMPTY, POP, PUSH


def attend_once(module, query, keys, values):
    weights, _ = look(module.scorer, query, keys)
    return mixture(weights, values), weights


def evenly(module, values, **_):
    return values.mean(0), [1 / len(values)] * len(values)


def run(layer, words, state):
    states = []
    for word in words:
        state = advance(layer, word, state)
        states.append(hidden_of(state))
    return states


def recurrent(layer, inputs, state):
    states = run(layer, inputs, (state, torch.zeros_like(state)) if isinstance(layer, nn.LSTM) else state)
    return torch.stack(states), states[-1]


def both_ways(encoder, source):
    words = encoder.embedding.weight[source] if source.dim() == 1 else [linear(encoder.embedding, x) for x in source]
    size = encoder.forward_rnn.hidden_size
    ways = []
    for layer, turn in ((encoder.forward_rnn, 1), (encoder.backward_rnn, -1)):
        if layer is not None:
            nothing = torch.zeros(size, dtype=torch.float64)
            start = (nothing, nothing) if isinstance(layer, nn.LSTM) else nothing
            ways.append((run(layer, list(words)[::turn], start)[::turn], turn))
    states = [torch.cat(parts) for parts in zip(*(states for states, _ in ways), strict=True)]
    return torch.stack(states), torch.cat([states[-1 if turn == 1 else 0] for states, turn in ways])


def self_attention(layer, sequence):
    parts = [[linear(each, x) for x in sequence] for each in (layer.query_layer, layer.key_layer, layer.value_layer)]
    queries, keys, values = parts
    rows = [softmax([(q @ k).item() / math.sqrt(len(q)) for k in keys]) for q in queries]
    return torch.stack([mixture(weights, values) for weights in rows]), torch.tensor(rows)


def multi_head(attention, queries, sequence):
    contexts, weights = zip(*(heads(attention, query, sequence) for query in queries), strict=True)
    return torch.stack(contexts), torch.tensor(weights).transpose(0, 1)


def encoder_layer(layer, words):
    plain = [normed(layer.attention_norm, word) for word in words]
    contexts = [heads(layer.attention, query, plain)[0] for query in plain]
    return torch.stack([inner(layer, word + each) for word, each in zip(words, contexts, strict=True)])


def transformer_encoder(encoder, source):
    words = placed(encoder.placed_embedding, source)
    for layer in encoder.layers:
        words = encoder_layer(layer, words)
    states = torch.stack([normed(encoder.norm, word) for word in words])
    return states, states.mean(0)


def word_encoder(encoder, source):
    words = [encoder.embedding.weight[id] for id in source]
    return torch.stack(words), sum(words) / len(words)


def convolutional_encoder(encoder, source):
    states, _ = word_encoder(encoder, source)
    features = list(states)
    for layer in encoder.convolutions:
        width = layer.weight.size(2) // 2
        convolved = []
        for i in range(len(features)):
            near = [k for k in range(-width, width + 1) if 0 <= i + k < len(features)]
            convolved.append(layer.bias + sum(layer.weight[:, :, k + width] @ features[i + k] for k in near))
        pairs = [convolved[i : i + 2] for i in range(0, len(convolved), 2)]
        features = [torch.tanh(torch.stack(pair).amax(0)) for pair in pairs]
    return states, torch.stack(features).amax(0)


def own_scores(attention, states):
    weights = softmax([torch.tanh(linear(attention.score_layer, state)).item() for state in states])
    return mixture(weights, states), weights


def mean(_, states):
    return evenly(None, states)


def network_of(pool):
    def outputs(network, inputs):
        def layer(linear_layer, vector):
            return torch.stack([value if value > 0 else 0.01 * value for value in linear(linear_layer, vector)])

        context, weights = pool(network.pooling, torch.stack([layer(network.input_layer, each) for each in inputs]))
        return layer(network.output_layer, layer(network.hidden_layer, context))[0], weights

    return outputs


def reader(network, text, question):
    states, _ = both_ways(network.text_encoder, text)
    _, query = both_ways(network.question_encoder, question)
    weights, context = look(network.attention.scorer, query, states)
    joint = torch.tanh(linear(network.text_layer, context) + linear(network.question_layer, query))
    return linear(network.answer_layer, joint), weights


def sentence(embedding, words):
    words = [word for word in words.tolist() if word]
    vector = torch.zeros(embedding.words.embedding_dim, dtype=torch.float64)
    for j, word in enumerate(words, start=1):
        for k in range(1, len(vector) + 1):
            weight = (1 - j / len(words)) - (k / len(vector)) * (1 - 2 * j / len(words))
            vector[k - 1] += weight * embedding.words.weight[word, k - 1]
    return vector


def sentences(embedding, story):
    embedded = torch.stack([sentence(embedding.sentence, words) for words in story if words.any()])
    return embedded + embedding.times.weight[: len(embedded)].flip(0)


def hops(query, memories, between=lambda query: query):
    rows = []
    for keys, values in memories:
        weights = softmax([(query @ key).item() for key in keys])
        query = between(query) + mixture(weights, values)
        rows.append(weights)
    return query, torch.tensor(rows)


def adjacent(network, story, question):
    memories = [sentences(embedding, story) for embedding in network.stories]
    first = sentence(network.stories[0].sentence, question)
    query, weights = hops(first, itertools.pairwise(memories))
    return network.stories[-1].sentence.words.weight @ query, weights


def layerwise(network, story, question):
    memory = sentences(network.keys, story), sentences(network.values, story)
    first = sentence(network.question, question)
    query, weights = hops(first, [memory] * network.hops, lambda query: network.between.weight @ query)
    return network.output_layer.weight @ query, weights


def with_stacks(network, ids):
    hidden, logits, actions = torch.zeros(network.hidden_size, dtype=torch.float64), [], []
    stacks = [[EMPTY] * (len(ids) + network.top) for _ in range(network.stacks)]
    for id in ids:
        tops = torch.tensor([value for stack in stacks for value in stack[: network.top]], dtype=torch.float64)
        from_past = linear(network.recurrent, hidden) + linear(network.from_stack, tops)
        hidden = torch.sigmoid(network.input_table.weight[id] + from_past)
        scores, values = linear(network.action_layer, hidden), torch.sigmoid(linear(network.value_layer, hidden))
        shares = [softmax(scores[2 * s : 2 * s + 2]) for s in range(network.stacks)]
        for s, stack in enumerate(stacks):
            over, under = [values[s].item(), *stack[:-1]], [*stack[1:], EMPTY]
            stacks[s] = [shares[s][PUSH] * a + shares[s][POP] * b for a, b in zip(over, under, strict=True)]
        logits.append(linear(network.output_layer, hidden))
        actions.append(shares)
    return torch.stack(logits), torch.tensor(actions)


def centres(predictor, hidden, values):
    return [centre_of(predictor, state, len(values)) for state in hidden]


def luong_step(step, embedded, state, values, fed=None):
    state = advance(step.cell, embedded if fed is None else torch.cat([embedded, fed]), state)
    weights, context = look(step.scorer, state, values)
    return attentional(step, context, state), weights, state


def luong_unroll(unroll, embedded, state, values):
    states, _ = recurrent(unroll.rnn, embedded, state)
    looks = [look(unroll.scorer, state, values) for state in states]
    combined = [attentional(unroll, context, state) for (_, context), state in zip(looks, states, strict=True)]
    return torch.stack(combined), torch.tensor([weights for weights, _ in looks])


def bahdanau_step(step, embedded, state, values):
    weights, context = look(step.scorer, state, values)
    return advance(step.cell, torch.cat([embedded, context]), state), context, weights


def scored(scorer, query, keys):
    score = next(SCORES[kind] for kind in type(scorer).__mro__ if kind in SCORES)
    return torch.stack([score(scorer, query, key, position) for position, key in enumerate(keys)])


def all_scored(scorer, queries, keys):
    return torch.stack([scored(scorer, query, keys) for query in queries])


def decoded(decoder, target_in, states, final):
    return stacked(DECODERS[type(decoder)](decoder, target_in.tolist(), states, final))


def stacked(steps):
    rows = [[torch.as_tensor(part, dtype=torch.float64) for part in step] for step in steps]
    return tuple(torch.stack(parts) for parts in zip(*rows, strict=True))


def bahdanau_unroll(step, embedded, state, values):
    steps = []
    for word in embedded:
        steps.append(bahdanau_step(step, word, state, values))
        state = steps[-1][0]
    return stacked(steps)


def feeding_unroll(step, embedded, state, values):
    fed, steps = torch.zeros_like(state), []
    for word in embedded:
        fed, weights, state = luong_step(step, word, state, values, fed)
        steps.append((fed, weights))
    return stacked(steps)
