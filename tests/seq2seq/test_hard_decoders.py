"""The decoders that look at one position, and the losses that train them."""

import math

import pytest
import torch

from seq2seq.batch import Batch, length_mask
from seq2seq.decoders.hard import HardAttentionDecoder, MarginalAttentionDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.hard.attention import expected_log_likelihood, masked_log_softmax
from seq2seq.hard.losses import BestPositionsLoss, ScoreFunctionLoss, marginal_loss
from seq2seq.model import Seq2Seq
from seq2seq.scorers import BilinearScorer
from seq2seq.training import forced_loss, masked_loss, train

VOCAB, EMBEDDING, HIDDEN, ENCODER = 9, 3, 5, 8
BATCH, SOURCE_LEN, TARGET_LEN = 2, 6, 4
LENGTHS, TARGET_LENGTHS = torch.tensor([6, 4]), torch.tensor([3, 4])
DECODERS = [HardAttentionDecoder, MarginalAttentionDecoder]


def make(kind, scorer=None, cell="gru"):
    return kind(VOCAB, EMBEDDING, HIDDEN, ENCODER, scorer or BilinearScorer(HIDDEN, ENCODER), cell).double()


def mask(source_len=SOURCE_LEN):
    return length_mask(LENGTHS, source_len)


@pytest.fixture
def sentence():
    states = torch.randn(BATCH, SOURCE_LEN, ENCODER, dtype=torch.float64)
    return torch.randint(0, VOCAB, (BATCH, TARGET_LEN)), states, torch.randn(BATCH, ENCODER, dtype=torch.float64)


@pytest.fixture
def batch():
    return Batch(
        source=torch.randint(4, VOCAB, (BATCH, SOURCE_LEN)) * mask(),
        source_lengths=LENGTHS,
        source_mask=mask(),
        target_in=torch.randint(4, VOCAB, (BATCH, TARGET_LEN)),
        target_out=torch.randint(4, VOCAB, (BATCH, TARGET_LEN)),
        target_mask=length_mask(TARGET_LENGTHS, TARGET_LEN),
    )


def seq2seq(kind):
    return Seq2Seq(Encoder(VOCAB, EMBEDDING, ENCODER // 2), make(kind)).double()


def test_the_mixture_is_the_same_however_many_positions_go_at_a_time(sentence, monkeypatch):
    decoder, (target_in, states, final) = make(MarginalAttentionDecoder), sentence
    memory, state = decoder.start(states, final, mask())
    at_once, _ = decoder.unroll(target_in, state, memory)
    for few in (1, 4):
        monkeypatch.setattr("seq2seq.decoders.hard._NUMBERS_AT_A_TIME", few * BATCH * TARGET_LEN * VOCAB)
        torch.testing.assert_close(decoder.unroll(target_in, state, memory)[0], at_once)


def test_the_likelihood_at_each_position_is_that_of_looking_there(sentence):
    decoder = make(HardAttentionDecoder)
    target_in, states, final = sentence
    target_out = torch.randint(0, VOCAB, (BATCH, TARGET_LEN))
    memory, state = decoder.start(states, final, mask())
    hidden, _ = decoder.decide(target_in, state, memory)
    ours = decoder.log_likelihoods(decoder.every_position(hidden, memory), target_out)
    for i in range(4):  # real in both rows
        choice = torch.zeros(BATCH, TARGET_LEN, SOURCE_LEN, dtype=torch.float64)
        choice[..., i] = 1
        theirs = decoder.look(choice, hidden, memory).log_softmax(-1).gather(-1, target_out.unsqueeze(-1)).squeeze(-1)
        torch.testing.assert_close(ours[..., i], theirs)


def test_the_marginal_loss_is_the_masked_loss_of_the_mixture(batch):
    model = seq2seq(MarginalAttentionDecoder)
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    theirs = masked_loss(logits, batch.target_out, batch.target_mask)
    torch.testing.assert_close(marginal_loss(model, batch, 0.0), theirs)


def test_the_mean_gradient_of_the_score_function_loss_is_that_of_the_exact_bound(batch):
    model = seq2seq(HardAttentionDecoder).eval()  # a baseline that stays where it is
    copies, calls = 40, 60
    many = Batch(*(getattr(batch, name).repeat_interleave(copies, 0) for name in Batch.__dataclass_fields__))
    loss = ScoreFunctionLoss(entropy_weight=0.0, soft_share=0.0)
    parameters = [*model.decoder.attention.parameters(), model.decoder.attentional_layer.weight]
    drawn = torch.stack([
        torch.cat([part.flatten() for part in torch.autograd.grad(loss(model, many, 0.0), parameters)])
        for _ in range(calls)
    ])  # fmt: skip

    memory, state = model.read(batch.source, batch.source_lengths)
    hidden, log_weights = model.decoder.decide(batch.target_in, state, memory)
    bound = expected_log_likelihood(
        log_weights, model.decoder.log_likelihoods(model.decoder.every_position(hidden, memory), batch.target_out)
    )
    exact = torch.autograd.grad(-bound[batch.target_mask].mean(), parameters)
    error = drawn.mean(0) - torch.cat([part.flatten() for part in exact])
    assert error.abs().max() > 0
    # 5 standard errors, Student's t with 59 degrees: one of these 120 numbers beyond it once in about 1,500 seeds
    assert (error.abs() <= 5 * drawn.std(0) / math.sqrt(calls) + 1e-12).all()


def test_a_loss_with_soft_sentences_only_is_that_of_soft_attention(batch):
    model, soft = seq2seq(HardAttentionDecoder), seq2seq(LuongDecoder)
    soft.load_state_dict({name: value for name, value in model.state_dict().items() if name != "decoder.baseline"})
    ours = ScoreFunctionLoss(entropy_weight=0.0, soft_share=1.0)(model, batch, 0.0)
    torch.testing.assert_close(ours, forced_loss(soft, batch, 0.0))


def test_some_positions_are_those_of_every_position(sentence):
    decoder = make(HardAttentionDecoder)
    target_in, states, final = sentence
    memory, state = decoder.start(states, final, mask())
    hidden, _ = decoder.decide(target_in, state, memory)
    positions = torch.randint(0, SOURCE_LEN, (BATCH, TARGET_LEN, 3))
    ours, every = decoder.some_positions(positions, hidden, memory), decoder.every_position(hidden, memory)
    for row in range(BATCH):
        for t in range(TARGET_LEN):
            torch.testing.assert_close(ours[row, t], every[row, t, positions[row, t]])


def test_the_best_positions_are_all_positions_where_there_are_no_more(batch):
    model = seq2seq(HardAttentionDecoder)
    torch.testing.assert_close(BestPositionsLoss(99, 0.0)(model, batch, 0.0), marginal_loss(model, batch, 0.0))


def test_the_loss_over_fewer_positions_is_never_lower(batch):
    model = seq2seq(HardAttentionDecoder)
    losses = [BestPositionsLoss(k, 0.0)(model, batch, 0.0).item() for k in (1, 2, 3, SOURCE_LEN)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


def test_until_its_hour_the_loss_over_the_best_positions_is_that_of_soft_attention(batch):
    model, soft = seq2seq(HardAttentionDecoder), seq2seq(LuongDecoder)
    soft.load_state_dict({name: value for name, value in model.state_dict().items() if name != "decoder.baseline"})
    loss = BestPositionsLoss(2, soft_until=0.5)
    torch.testing.assert_close(loss(model, batch, 0.4), forced_loss(soft, batch, 0.4))
    assert loss(model, batch, 0.5) != forced_loss(soft, batch, 0.5)


def test_entropy_lowers_the_loss(batch):
    losses = []
    for weight in (0.0, 1.0):
        torch.manual_seed(0)
        model = seq2seq(HardAttentionDecoder)
        losses.append(ScoreFunctionLoss(entropy_weight=weight)(model, batch, 0.0).item())
    assert losses[1] < losses[0]


def test_training_moves_the_baseline_and_evaluation_does_not(batch):
    model = seq2seq(HardAttentionDecoder)
    model.eval()
    ScoreFunctionLoss(soft_share=0.0)(model, batch, 0.0)
    assert model.decoder.baseline.item() == pytest.approx(-math.log(VOCAB), abs=1e-6)
    model.train()
    ScoreFunctionLoss(soft_share=0.0)(model, batch, 0.0)
    assert model.decoder.baseline.item() != pytest.approx(-math.log(VOCAB), abs=1e-6)


@pytest.mark.parametrize(
    ("kind", "loss"), [(HardAttentionDecoder, ScoreFunctionLoss()), (MarginalAttentionDecoder, marginal_loss)]
)
def test_training_on_one_batch_learns_it(batch, kind, loss):
    torch.manual_seed(3)
    model = seq2seq(kind).float()
    train(model, [batch], steps=150, learning_rate=0.02, loss=loss, device="cpu", progress=False)
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    assert masked_loss(logits, batch.target_out, batch.target_mask) < 0.5 * math.log(VOCAB)


def test_the_position_of_a_masked_row_counts_as_a_look_at_nothing(sentence):
    decoder = make(HardAttentionDecoder)
    target_in, states, final = sentence
    memory, state = decoder.start(states, final, torch.zeros(BATCH, SOURCE_LEN, dtype=torch.bool))
    hidden, log_weights = decoder.decide(target_in, state, memory)
    assert log_weights.equal(masked_log_softmax(torch.zeros_like(log_weights), torch.tensor([True])))
    attentional = decoder.every_position(hidden, memory)
    nothing = decoder.attentional(torch.zeros(BATCH, TARGET_LEN, ENCODER, dtype=torch.float64), hidden)
    torch.testing.assert_close(attentional, nothing.unsqueeze(2).expand_as(attentional))
