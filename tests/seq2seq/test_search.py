import pytest
import torch
from test_model import PAIRS, VOCAB, bahdanau, feeding, fixed, luong

from seq2seq.batch import collate
from seq2seq.search import greedy
from seq2seq.vocab import BOS, EOS, PAD


@pytest.fixture(params=[fixed, bahdanau, luong, feeding])
def model(request):
    return sharpen(request.param())


@pytest.fixture
def batch():
    return collate(PAIRS, VOCAB, VOCAB)


def sharpen(model):
    """Larger weights, so that random models say different words at different steps."""
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)
    return model.double()


def one_sentence_by_loop(model, batch, row, max_length):
    """The definition: the most probable next word given all words so far, from the teacher-forced pass."""
    length = batch.source_lengths[row : row + 1]
    source = batch.source[row : row + 1, : int(length)]
    words = []
    while len(words) < max_length and EOS not in words:
        logits, _ = model(source, length, torch.tensor([[BOS, *words]]))
        words.append(int(logits[0, -1].argmax()))
    return words


def test_greedy_equals_the_loop_over_sentences_and_words(model, batch):
    ids, _ = greedy(model, batch.source, batch.source_lengths, max_length=8)
    for row, words in enumerate(ids.tolist()):
        expected = one_sentence_by_loop(model, batch, row, 8)
        assert words[: len(expected)] == expected
        assert set(words[len(expected) :]) <= {PAD}


def test_weights_equal_those_of_forced_decoding(model, batch):
    ids, weights = greedy(model, batch.source, batch.source_lengths, max_length=8)
    bos = torch.full((len(ids), 1), BOS)
    _, forced = model(batch.source, batch.source_lengths, torch.cat([bos, ids[:, :-1]], 1))
    if weights is None:
        assert forced is None
    else:
        torch.testing.assert_close(weights, forced)


def test_greedy_stops_when_every_sentence_has_ended(batch):
    model = fixed()
    torch.nn.init.zeros_(model.decoder.output_layer.weight)
    with torch.no_grad():
        model.decoder.output_layer.bias[EOS] = 1.0
    ids, _ = greedy(model, batch.source, batch.source_lengths, max_length=50)
    assert ids.tolist() == [[EOS]] * len(PAIRS)


def test_greedy_stops_at_the_longest_length_allowed(batch):
    model = fixed()
    torch.nn.init.zeros_(model.decoder.output_layer.weight)
    with torch.no_grad():
        model.decoder.output_layer.bias[5] = 1.0
    ids, _ = greedy(model, batch.source, batch.source_lengths, max_length=3)
    assert ids.tolist() == [[5] * 3] * len(PAIRS)


@pytest.mark.parametrize("training", [True, False])
def test_greedy_leaves_the_mode_as_it_was(batch, training):
    model = fixed().train(training)
    greedy(model, batch.source, batch.source_lengths, max_length=3)
    assert model.training is training


def test_greedy_refuses_to_say_nothing(batch):
    with pytest.raises(ValueError, match="max_length: got 0"):
        greedy(fixed(), batch.source, batch.source_lengths, max_length=0)
