"""The wiring of each decoder, equation by equation, against its paper."""

import pytest
import torch

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.fixed import EveryStepDecoder, InitialStateDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.decoders.readout import MaxoutReadout
from seq2seq.scorers import AdditiveScorer, BilinearScorer

VOCAB, EMBEDDING, HIDDEN, ENCODER, ATTENTION, SOURCE_LEN = 9, 3, 5, 8, 7, 6
SIZES = VOCAB, EMBEDDING, HIDDEN, ENCODER
MASK = torch.tensor([[True] * 4 + [False] * 2])


@pytest.fixture
def states():
    return torch.randn(1, SOURCE_LEN, ENCODER, dtype=torch.float64)


@pytest.fixture
def final():
    return torch.randn(1, ENCODER, dtype=torch.float64)


def softmax(scores):
    exponentials = [score.exp() for score in scores]
    return [exponential / sum(exponentials) for exponential in exponentials]


def gru(cell, inputs, state):
    """Cho et al.'s unit in PyTorch's convention; `cell` holds the weights under either of PyTorch's two names."""
    weights = {name.removesuffix("_l0"): weight for name, weight in cell.named_parameters()}
    from_input = (weights["weight_ih"] @ inputs + weights["bias_ih"]).chunk(3)
    from_state = (weights["weight_hh"] @ state + weights["bias_hh"]).chunk(3)
    reset, update = (torch.sigmoid(from_input[i] + from_state[i]) for i in range(2))
    new = torch.tanh(from_input[2] + reset * from_state[2])
    return (1 - update) * new + update * state


def maxout(readout, *parts):
    pairs = readout.layer.weight @ torch.cat(parts) + readout.layer.bias
    return torch.stack([max(pairs[2 * j], pairs[2 * j + 1]) for j in range(len(pairs) // 2)])


def randomise(module):
    """Biases start at 0; a test that leaves them there would not see them swapped."""
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return module.double()


def test_maxout_takes_the_larger_of_each_pair():
    readout = randomise(MaxoutReadout(5, 3, 8, 4))
    parts = [torch.randn(size, dtype=torch.float64) for size in (5, 3, 8)]
    torch.testing.assert_close(readout(*parts), maxout(readout, *parts))


def test_bahdanau_starts_from_the_backward_state_at_the_first_word(states, final):
    decoder = randomise(BahdanauDecoder(*SIZES, AdditiveScorer(HIDDEN, ENCODER, ATTENTION)))
    _, state = decoder.start(states, final, MASK)
    layer = decoder.bridge.hidden_layer
    torch.testing.assert_close(state[0], torch.tanh(layer.weight @ final[0, ENCODER // 2 :] + layer.bias))


def test_bahdanau_step_equals_the_appendix(states, final):
    decoder = randomise(BahdanauDecoder(*SIZES, AdditiveScorer(HIDDEN, ENCODER, ATTENTION)))
    memory, before = decoder.start(states, final, MASK)
    logits, weights, after = decoder.step(torch.tensor([7]), before, memory)

    scorer, embedded = decoder.attention.scorer, decoder.embedding.weight[7]
    w, u, v = (layer.weight for layer in (scorer.query_layer, scorer.key_layer, scorer.energy_layer))
    alpha = softmax(
        [v[0] @ torch.tanh(w @ before[0] + u @ states[0, j]) for j in range(4)]
    )  # the state BEFORE the step
    context = sum(alpha[j] * states[0, j] for j in range(4))
    expected_after = gru(decoder.cell, torch.cat([embedded, context]), before[0])
    readout = maxout(decoder.readout, expected_after, embedded, context)
    torch.testing.assert_close(weights[0, :4], torch.stack(alpha))
    torch.testing.assert_close(after[0], expected_after)
    torch.testing.assert_close(logits[0], decoder.output_layer(readout))


def test_bahdanau_refuses_an_encoder_size_without_halves():
    with pytest.raises(ValueError, match="encoder_size: got 7, expected an even number"):
        BahdanauDecoder(VOCAB, EMBEDDING, HIDDEN, 7, AdditiveScorer(HIDDEN, 7, ATTENTION))


def luong_weights(decoder, hidden, states):
    w = decoder.attention.scorer.key_layer.weight
    return softmax([hidden @ w @ states[0, j] for j in range(4)])


def test_luong_step_equals_the_paper(states, final):
    decoder = randomise(LuongDecoder(*SIZES, BilinearScorer(HIDDEN, ENCODER)))
    memory, before = decoder.start(states, final, MASK)
    logits, weights, _ = decoder.step(torch.tensor([7]), before, memory)

    hidden = gru(decoder.rnn, decoder.embedding.weight[7], before[0, 0])
    alpha = luong_weights(decoder, hidden, states)  # the state AFTER the step
    context = sum(alpha[j] * states[0, j] for j in range(4))
    attentional = torch.tanh(decoder.attentional_layer.weight @ torch.cat([context, hidden]))
    torch.testing.assert_close(weights[0, :4], torch.stack(alpha))
    torch.testing.assert_close(logits[0], decoder.output_layer(attentional))


def test_input_feeding_joins_the_attentional_state_to_the_next_word(states, final):
    decoder = randomise(InputFeedingDecoder(*SIZES, BilinearScorer(HIDDEN, ENCODER)))
    memory, state = decoder.start(states, final, MASK)
    hidden, attentional = state[0][0, 0], torch.zeros(HIDDEN, dtype=torch.float64)
    for word in (7, 4):
        logits, _, state = decoder.step(torch.tensor([word]), state, memory)
        hidden = gru(decoder.rnn, torch.cat([decoder.embedding.weight[word], attentional]), hidden)
        alpha = luong_weights(decoder, hidden, states)
        context = sum(alpha[j] * states[0, j] for j in range(4))
        attentional = torch.tanh(decoder.attentional_layer.weight @ torch.cat([context, hidden]))
        torch.testing.assert_close(logits[0], decoder.output_layer(attentional))


def test_without_feeding_the_context_never_enters_the_recurrence(states, final):
    decoder = randomise(LuongDecoder(*SIZES, BilinearScorer(HIDDEN, ENCODER)))
    memory, state = decoder.start(states, final, MASK)
    other_memory, _ = decoder.start(states + 1, final, MASK)
    _, _, after = decoder.step(torch.tensor([7]), state, memory)
    _, _, other_after = decoder.step(torch.tensor([7]), state, other_memory)
    assert torch.equal(after, other_after)


def test_fixed_vector_fed_at_every_step_equals_cho(states, final):
    decoder = randomise(EveryStepDecoder(*SIZES))
    memory, state = decoder.start(states, final, MASK)
    logits, _, _ = decoder.step(torch.tensor([7]), state, memory)
    embedded = decoder.embedding.weight[7]
    hidden = gru(decoder.rnn, torch.cat([embedded, final[0]]), state[0, 0])
    torch.testing.assert_close(logits[0], decoder.output_layer(maxout(decoder.readout, hidden, embedded, final[0])))


def test_fixed_vector_as_first_state_is_not_seen_again(states, final):
    decoder = randomise(InitialStateDecoder(*SIZES))
    memory, state = decoder.start(states, final, MASK)
    assert memory is None
    logits, _, _ = decoder.step(torch.tensor([7]), state, memory)
    hidden = gru(decoder.rnn, decoder.embedding.weight[7], state[0, 0])
    torch.testing.assert_close(logits[0], decoder.output_layer(hidden))


@pytest.mark.parametrize("make", [InitialStateDecoder, EveryStepDecoder])
def test_a_fixed_vector_decoder_does_not_see_the_states(make, states, final):
    decoder = randomise(make(*SIZES))
    outputs = []
    for seen in (states, torch.randn_like(states)):
        memory, state = decoder.start(seen, final, MASK)
        outputs.append(decoder.unroll(torch.tensor([[1, 7, 4]]), state, memory)[0])
    assert torch.equal(*outputs)
