"""Look, update, generate against look, generate, update: what each may know at a step tells them apart."""

import pytest
import torch

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.orders import AuthorsDecoder, EarlyReadoutDecoder, LookGenerateUpdateDecoder
from seq2seq.decoders.paper_bahdanau import AppendixDecoder
from seq2seq.scorers import AdditiveScorer

VOCAB, EMBEDDING, HIDDEN, ENCODER, ATTENTION, BATCH, SOURCE = 9, 3, 6, 8, 5, 2, 4
ALL = (BahdanauDecoder, AppendixDecoder, EarlyReadoutDecoder, LookGenerateUpdateDecoder, AuthorsDecoder)
AFTER = (BahdanauDecoder, AppendixDecoder)  # the readout takes the state after the update
READ_BEFORE_THE_LOOK = (LookGenerateUpdateDecoder, AuthorsDecoder)


def build(kind):
    torch.manual_seed(0)
    decoder = kind(VOCAB, EMBEDDING, HIDDEN, ENCODER, AdditiveScorer(HIDDEN, ENCODER, ATTENTION))
    for parameter in decoder.parameters():
        torch.nn.init.normal_(parameter, std=0.7)
    return decoder.double()


def said(decoder, words):
    generator = torch.Generator().manual_seed(1)
    states = torch.randn(BATCH, SOURCE, ENCODER, dtype=torch.float64, generator=generator)
    final = torch.randn(BATCH, ENCODER, dtype=torch.float64, generator=generator)
    memory, state = decoder.start(states, final, torch.ones(BATCH, SOURCE, dtype=torch.bool))
    return decoder.unroll(torch.tensor([words] * BATCH), state, memory)


@pytest.mark.parametrize("kind", ALL)
def test_the_first_word_is_read_out_after_an_update_or_before_any(kind):
    decoder = build(kind)
    before, _ = said(decoder, [1, 4, 5])
    with torch.no_grad():
        for parameter in decoder.cell.parameters():
            parameter.zero_()
    after, _ = said(decoder, [1, 4, 5])
    assert torch.equal(before[:, 0], after[:, 0]) == (kind not in AFTER)


@pytest.mark.parametrize("kind", ALL)
def test_the_look_knows_the_previous_word_or_does_not(kind):
    decoder = build(kind)
    (_, one), (_, other) = said(decoder, [1, 4, 5]), said(decoder, [1, 7, 5])
    assert torch.equal(one[:, :1], other[:, :1])
    assert torch.equal(one[:, 1], other[:, 1]) == (kind not in READ_BEFORE_THE_LOOK)
    assert not torch.equal(one[:, 2], other[:, 2])


@pytest.mark.parametrize("kind", ALL)
def test_every_readout_knows_the_previous_word(kind):
    decoder = build(kind)
    (one, _), (other, _) = said(decoder, [1, 4, 5]), said(decoder, [1, 7, 5])
    assert not torch.allclose(one[:, 1], other[:, 1])


def test_the_same_parameters_in_three_orders_say_different_things():
    logits = [said(build(kind), [1, 4, 5])[0] for kind in (BahdanauDecoder, *ALL[2:4])]
    for one, other in [(0, 1), (0, 2), (1, 2)]:
        assert not torch.allclose(logits[one][:, 1:], logits[other][:, 1:])


def test_the_authors_decoder_has_the_appendix_cell():
    names = [name for name, _ in build(AuthorsDecoder).named_parameters()]
    assert names == [name for name, _ in build(AppendixDecoder).named_parameters()]
