"""The summariser of Rush et al.: each view of the source against a loop, what is remembered, and the searches."""

import math

import pytest
import torch
from torch.nn import functional as F

from seq2seq.beam.search import beam_search, rescore
from seq2seq.beyond.summariser import (
    AttentiveFeedForwardDecoder,
    ConvolutionalEncoder,
    FeedForwardDecoder,
    WordEncoder,
    smooth,
)
from seq2seq.model import Seq2Seq
from seq2seq.search import greedy
from seq2seq.vocab import BOS, EOS, PAD

BATCH, SOURCE_LEN, TARGET_LEN, VOCAB, EMBEDDING, HIDDEN, ENCODER, WORDS = 3, 7, 6, 11, 3, 5, 4, 2
LENGTHS = torch.tensor([7, 4, 1])
ENCODERS = {"bag of words": WordEncoder, "convolution": ConvolutionalEncoder, "attention": WordEncoder}


def summariser(name):
    kind = AttentiveFeedForwardDecoder if name == "attention" else FeedForwardDecoder
    model = Seq2Seq(ENCODERS[name](VOCAB, ENCODER), kind(VOCAB, EMBEDDING, HIDDEN, ENCODER, WORDS))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)  # biases too
    return model.double()


@pytest.fixture(params=ENCODERS)
def model(request):
    return summariser(request.param)


@pytest.fixture
def source():
    ids = torch.randint(4, VOCAB, (BATCH, SOURCE_LEN))
    return ids.masked_fill(torch.arange(SOURCE_LEN) >= LENGTHS.unsqueeze(1), PAD)


@pytest.fixture
def target_in():
    return F.pad(torch.randint(4, VOCAB, (BATCH, TARGET_LEN - 1)), (1, 0), value=BOS)


def test_the_bag_of_words_is_the_mean_of_the_real_words(source):
    encoder = WordEncoder(VOCAB, ENCODER).double()
    states, final = encoder(source, LENGTHS)
    for row, length in enumerate(LENGTHS.tolist()):
        words = [encoder.embedding.weight[id] for id in source[row, :length]]
        torch.testing.assert_close(states[row, :length], torch.stack(words))
        torch.testing.assert_close(final[row], sum(words) / length)
        assert not states[row, length:].any()


@pytest.mark.parametrize("layers", [1, 3])
def test_the_convolutions_equal_their_loop(source, layers):
    half_width = 1
    encoder = ConvolutionalEncoder(VOCAB, ENCODER, layers, half_width).double()
    _, final = encoder(source, LENGTHS)
    for row, length in enumerate(LENGTHS.tolist()):
        features = [encoder.embedding.weight[id] for id in source[row, :length]]
        for layer in encoder.convolutions:
            convolved = []
            for i in range(len(features)):
                total = layer.bias.clone()
                for offset in range(-half_width, half_width + 1):
                    if 0 <= i + offset < len(features):
                        total = total + layer.weight[:, :, offset + half_width] @ features[i + offset]
                convolved.append(total)
            pairs = [convolved[i : i + 2] for i in range(0, len(convolved), 2)]
            features = [torch.tanh(torch.stack(pair).amax(0)) for pair in pairs]
        torch.testing.assert_close(final[row], torch.stack(features).amax(0))


def smoothed_by_hand(words, half_width):
    return [sum(words[max(0, i - half_width) : i + half_width + 1]) / (2 * half_width + 1) for i in range(len(words))]


@torch.no_grad()
def test_the_language_model_equals_its_loop(model, source, target_in):
    logits, weights = model(source, LENGTHS, target_in)
    decoder, embedded = model.decoder, model.encoder.embedding.weight
    _, final = model.encoder(source, LENGTHS)
    for row, length in enumerate(LENGTHS.tolist()):
        for step in range(TARGET_LEN):
            last = [BOS] * WORDS + target_in[row, : step + 1].tolist()
            last = last[-WORDS:]
            if weights is None:
                view = final[row]
            else:
                query = torch.cat([decoder.query_embedding.weight[id] for id in last])
                words = [embedded[id] for id in source[row, :length]]
                bilinear = decoder.attention.scorer.key_layer.weight
                energies = [math.exp(query @ bilinear @ word) for word in words]
                view = torch.zeros(ENCODER, dtype=torch.float64)
                for i, value in enumerate(smoothed_by_hand(words, decoder.half_width)):
                    assert weights[row, step, i].item() == pytest.approx(energies[i] / sum(energies))
                    view += energies[i] / sum(energies) * value
            written = torch.cat([decoder.embedding.weight[id] for id in last])
            hidden = torch.tanh(decoder.hidden_layer.weight @ written + decoder.hidden_layer.bias)
            expected = decoder.output_layer.weight @ hidden + decoder.output_layer.bias
            torch.testing.assert_close(logits[row, step], expected + decoder.source_layer.weight @ view)


def test_more_padding_changes_nothing(model, source, target_in):
    logits, weights = model(source, LENGTHS, target_in)
    more, more_weights = model(F.pad(source, (0, 3), value=5), LENGTHS, target_in)
    torch.testing.assert_close(more, logits)
    if weights is not None:
        torch.testing.assert_close(more_weights, F.pad(weights, (0, 3)))


def test_gradients_reach_every_parameter_and_are_right(model, source, target_in):
    parameters = tuple(model.parameters())
    assert torch.autograd.gradcheck(lambda *_: model(source, LENGTHS, target_in)[0].sum(), parameters, fast_mode=True)
    model(source, LENGTHS, target_in)[0].square().sum().backward()
    assert all(parameter.grad.abs().sum() > 0 for parameter in parameters)


def test_only_the_last_words_are_remembered(model, source, target_in):
    other = target_in.clone()
    other[:, 1] = torch.where(target_in[:, 1] == 4, 5, 4)
    before, after = (model(source, LENGTHS, words)[0] for words in (target_in, other))
    moved = (before != after).any(-1)
    assert moved[:, 1 : 1 + WORDS].all()
    assert not moved[:, 0].any()
    assert not moved[:, 1 + WORDS :].any()


def test_a_bag_does_not_know_the_order_and_convolutions_do(target_in):
    source = torch.tensor([[4, 5, 6, 7, 8, 9]])
    length = torch.tensor([6])
    bag, layers = (summariser(name).encoder for name in ("bag of words", "convolution"))
    torch.testing.assert_close(bag(source, length)[1], bag(source.flip(1), length)[1])
    assert not torch.allclose(layers(source, length)[1], layers(source.flip(1), length)[1])


def test_smoothing_is_the_mean_of_the_window_with_zeros_beyond_the_ends():
    states = torch.tensor([[1.0, 10.0, 100.0, 1000.0], [1.0, 10.0, 7.0, 7.0]]).unsqueeze(-1)
    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    smoothed = smooth(states, mask, 1).squeeze(-1)
    torch.testing.assert_close(3 * smoothed[0], torch.tensor([11.0, 111.0, 1110.0, 1100.0]))
    torch.testing.assert_close(3 * smoothed[1, :2], torch.tensor([11.0, 11.0]))


def test_a_window_wider_than_the_sentence_takes_all_of_it():
    states = torch.randn(1, 3, 2)
    everything = states.sum(1, keepdim=True).expand(-1, 3, -1) / 11
    torch.testing.assert_close(smooth(states, torch.ones(1, 3, dtype=torch.bool), 5), everything)


def test_a_window_of_one_word_is_the_word():
    states = torch.randn(2, 5, 3)
    torch.testing.assert_close(smooth(states, torch.ones(2, 5, dtype=torch.bool), 0), states)


def test_a_window_does_not_know_the_order_of_its_words():
    states = torch.randn(1, 5, 3)
    mask = torch.ones(1, 5, dtype=torch.bool)
    torch.testing.assert_close(smooth(states, mask, 2)[:, 2], smooth(states.flip(1), mask, 2)[:, 2])


def test_a_beam_of_one_is_greedy(model, source):
    ids, _ = greedy(model, source, LENGTHS, 9)
    narrow = beam_search(model, source, LENGTHS, 9, beam_size=1)
    assert narrow.ids[:, 0].equal(ids)


def test_a_beam_finds_what_teacher_forcing_confirms(model, source):
    with torch.no_grad():
        model.decoder.output_layer.bias[EOS] += 1  # so that some end early
    found = beam_search(model, source, LENGTHS, 9, beam_size=5, n_best=3)
    forced = rescore(model, source, LENGTHS, found.ids, found.lengths)
    torch.testing.assert_close(forced, found.log_probabilities)
    assert (found.log_probabilities[:, 0] >= found.log_probabilities[:, 1]).all()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: FeedForwardDecoder(VOCAB, EMBEDDING, HIDDEN, ENCODER, 0), "words: got 0"),
        (lambda: AttentiveFeedForwardDecoder(VOCAB, EMBEDDING, HIDDEN, ENCODER, 2, -1), "half_width: got -1"),
        (lambda: ConvolutionalEncoder(VOCAB, ENCODER, layers=0), "layers: got 0"),
        (lambda: ConvolutionalEncoder(VOCAB, ENCODER, half_width=-1), "half_width: got -1"),
        (lambda: smooth(torch.zeros(1, 2, 3), torch.ones(1, 2, dtype=torch.bool), -1), "half_width: got -1"),
        (lambda: WordEncoder(VOCAB, ENCODER)(torch.zeros(2, 3, dtype=torch.long), torch.tensor([3, 0])), "got 0 to 3"),
    ],
)
def test_what_cannot_be_is_refused(build, message):
    with pytest.raises(ValueError, match=message):
        build()
