"""Greedy search and beam search with every decoder, against their definitions from the teacher-forced pass."""

import pytest
import torch
from small_models import PAIRS, SIZE, assert_same, fixed, sharpen
from test_every_decoder import KNOWN, SIZES, build, needed

from seq2seq.beam.search import beam_search, rescore
from seq2seq.decoders.pointer import PointerDecoder
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.search import greedy
from seq2seq.vocab import BOS, EOS, PAD

LONGEST = 7
KINDS = [kind for kind in KNOWN if not issubclass(kind, PointerDecoder)]  # which has a search of its own


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def model(request):
    kind = request.param
    decoder = build(kind, "Bilinear" if "scorer" in needed(kind) else None, None)
    return sharpen(Seq2Seq(Encoder(SIZE, 3, SIZES["encoder_size"] // 2), decoder))


def one_sentence_by_loop(model, batch, row):
    """The definition: the most probable next word given all words so far, from the teacher-forced pass."""
    length = batch.source_lengths[row : row + 1]
    source = batch.source[row : row + 1, : int(length)]
    words = []
    while len(words) < LONGEST and EOS not in words:
        logits, _ = model(source, length, torch.tensor([[BOS, *words]]))
        words.append(int(logits[0, -1].argmax()))
    return words


def test_greedy_equals_the_loop_over_sentences_and_words_with_the_weights_of_forced_decoding(model, batch):
    ids, weights = greedy(model, batch.source, batch.source_lengths, LONGEST)
    for row, words in enumerate(ids.tolist()):
        expected = one_sentence_by_loop(model, batch, row)
        assert words[: len(expected)] == expected
        assert set(words[len(expected) :]) <= {PAD}
    bos = torch.full((len(ids), 1), BOS)
    _, forced = model(batch.source, batch.source_lengths, torch.cat([bos, ids[:, :-1]], 1))
    assert_same(weights, forced)


def test_a_beam_finds_what_teacher_forcing_confirms_and_a_beam_of_one_is_greedy(model, batch):
    ids, _ = greedy(model, batch.source, batch.source_lengths, LONGEST)
    assert torch.equal(beam_search(model, batch.source, batch.source_lengths, LONGEST, beam_size=1).ids[:, 0], ids)
    found = beam_search(model, batch.source, batch.source_lengths, LONGEST, beam_size=4, n_best=3)
    forced = rescore(model, batch.source, batch.source_lengths, found.ids, found.lengths)
    real = found.lengths > 0
    torch.testing.assert_close(found.log_probabilities[real], forced[real])


@pytest.mark.parametrize(("word", "longest", "said"), [(EOS, 50, [EOS]), (5, 3, [5, 5, 5])])
def test_greedy_stops_when_every_sentence_has_ended_or_at_the_longest_length(batch, word, longest, said):
    model = fixed()
    torch.nn.init.zeros_(model.decoder.output_layer.weight)
    with torch.no_grad():
        model.decoder.output_layer.bias[word] = 1.0
    ids, _ = greedy(model, batch.source, batch.source_lengths, longest)
    assert ids.tolist() == [said] * len(PAIRS)


@pytest.mark.parametrize("training", [True, False])
def test_a_search_leaves_the_mode_as_it_was(batch, training):
    model = fixed().train(training)
    greedy(model, batch.source, batch.source_lengths, max_length=3)
    beam_search(model, batch.source, batch.source_lengths, 3)
    assert model.training is training
