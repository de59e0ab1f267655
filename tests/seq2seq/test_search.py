"""Greedy search and beam search with every decoder, against their definitions from the teacher-forced pass."""

import pytest
import torch
from small_models import PAIRS, SIZE, assert_same, fixed, sharpen
from test_every_decoder import KNOWN, SIZES, make, needed

from seq2seq.beam.search import beam_search, rescore
from seq2seq.decoders.pointer import PointerDecoder
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.search import greedy
from seq2seq.vocab import BOS, EOS

LONGEST = 7
KINDS = [kind for kind in KNOWN if not issubclass(kind, PointerDecoder)]  # which has a search of its own


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def model(request):
    kind = request.param
    decoder = make(kind, "Bilinear" if "scorer" in needed(kind) else None, None)
    return sharpen(Seq2Seq(Encoder(SIZE, 3, SIZES["encoder_size"] // 2), decoder))


def test_a_beam_finds_what_teacher_forcing_confirms_and_a_beam_of_one_is_greedy(model, batch):
    """So are the weights of greedy search; what a beam of one finds is held against its definition in ``test_beam``."""
    ids, weights = greedy(model, batch.source, batch.source_lengths, LONGEST)
    bos = torch.full((len(ids), 1), BOS)
    _, forced = model(batch.source, batch.source_lengths, torch.cat([bos, ids[:, :-1]], 1))
    assert_same(weights, forced)
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
