import pytest
import torch

from seq2seq.batch import collate
from seq2seq.corpora.toys import reverse
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.fixed import EveryStepDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, DotScorer
from seq2seq.vocab import Vocabulary

PAIRS = reverse(size=5, seed=3, lengths=(2, 7), symbols=6)
VOCAB = Vocabulary.build(pair.source for pair in PAIRS)
SIZE = len(VOCAB)


def fixed():
    return Seq2Seq(Encoder(SIZE, 3, 4), EveryStepDecoder(SIZE, 5, 6, 8))


def bahdanau():
    return Seq2Seq(Encoder(SIZE, 3, 4), BahdanauDecoder(SIZE, 5, 6, 8, AdditiveScorer(6, 8, 7)))


def luong():
    return Seq2Seq(Encoder(SIZE, 3, 6, bidirectional=False), LuongDecoder(SIZE, 5, 6, 6, DotScorer()))


def feeding():
    encoder = Encoder(SIZE, 3, 4, cell="lstm")
    return Seq2Seq(encoder, InputFeedingDecoder(SIZE, 5, 8, 8, DotScorer(), cell="lstm"))


@pytest.fixture(params=[fixed, bahdanau, luong, feeding])
def model(request):
    return request.param().double().eval()


def run(model, pairs):
    batch = collate(pairs, VOCAB, VOCAB)
    logits, weights = model(batch.source, batch.source_lengths, batch.target_in)
    return batch, logits, weights


def test_a_sentence_has_the_same_logits_alone_and_in_a_batch(model):
    _, together, _ = run(model, PAIRS)
    for row, pair in enumerate(PAIRS):
        _, alone, _ = run(model, [pair])
        torch.testing.assert_close(together[row, : alone.size(1)], alone[0])


def test_a_sentence_has_the_same_weights_alone_and_in_a_batch(model):
    _, _, together = run(model, PAIRS)
    for row, pair in enumerate(PAIRS):
        _, _, alone = run(model, [pair])
        if alone is not None:
            torch.testing.assert_close(together[row, : alone.size(1), : alone.size(2)], alone[0])


def test_the_order_of_a_batch_changes_nothing(model):
    _, logits, _ = run(model, PAIRS)
    _, other, _ = run(model, PAIRS[::-1])
    torch.testing.assert_close(other.flip(0), logits)


def test_every_parameter_gets_a_gradient(model):
    batch, logits, _ = run(model, PAIRS)
    logits[batch.target_mask].sin().sum().backward()
    assert [name for name, weight in model.named_parameters() if weight.grad is None or weight.grad.eq(0).all()] == []


def test_recurrent_matrices_start_orthogonal_gate_by_gate():
    for gate in bahdanau().encoder.forward_rnn.weight_hh_l0.split(4):
        torch.testing.assert_close(gate @ gate.T, torch.eye(4))


def test_biases_start_at_zero():
    assert all(weight.eq(0).all() for weight in bahdanau().parameters() if weight.dim() == 1)


def test_the_forget_gate_of_an_lstm_starts_open():
    rnn = feeding().encoder.forward_rnn
    assert (rnn.bias_ih_l0 + rnn.bias_hh_l0).tolist() == [0] * 4 + [1] * 4 + [0] * 8


def test_a_seed_fixes_the_first_weights():
    first, second = (torch.manual_seed(7) and bahdanau().state_dict() for _ in range(2))
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_bahdanau_refuses_an_encoder_that_reads_one_way():
    with pytest.raises(ValueError, match="BahdanauDecoder starts from the backward state"):
        Seq2Seq(Encoder(SIZE, 3, 8, bidirectional=False), BahdanauDecoder(SIZE, 5, 6, 8, AdditiveScorer(6, 8, 7)))
