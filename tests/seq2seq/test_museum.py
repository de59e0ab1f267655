"""The bug museum: every exhibit is wrong where its repair is right, and every proof tells the two apart.

Its trained exhibits differ from the right model in nothing but their bug, and each has it; so do models without a mask.
"""

import math

import pytest
import torch
from torch.nn import functional as F

from seq2seq.attention import Attention, masked_softmax
from seq2seq.batch import collate
from seq2seq.corpora.toys import reverse
from seq2seq.encoders import Encoder
from seq2seq.experiments import museum_curves as curves
from seq2seq.experiments import padding
from seq2seq.experiments.padding import padded
from seq2seq.museum import exhibits, proofs, repairs
from seq2seq.museum.store_room import MaskedAfterwards, loss_masked_by_id, loss_over_padding
from seq2seq.scorers import AdditiveScorer, BilinearScorer
from seq2seq.training import forced_loss, masked_loss, train
from seq2seq.vocab import EOS, PAD

MASK = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
VOCAB = curves.vocabulary()
BUGS = [name for name in curves.EXHIBITS if name not in ("right", "right_feeding")]
OF_THE_LOSS = ("pad_is_bos", "loss_over_padding")


def test_mended_weights_compete_within_their_sentence_alone():
    scores, mask = torch.randn(3, 5), torch.ones(3, 5, dtype=torch.bool)
    torch.testing.assert_close(repairs.mended_weights(scores[:2], MASK), masked_softmax(scores[:2], MASK))
    torch.testing.assert_close(exhibits.exhibit_weights(scores, mask).sum(0), torch.ones(5))
    batches = proofs.neighbour_proof(scores)
    for weights, caught in ((exhibits.exhibit_weights, True), (repairs.mended_weights, False)):
        alone, beside_others = (weights(scores, torch.ones_like(scores).bool())[0] for scores in batches)
        assert (not torch.allclose(alone, beside_others)) == caught


@torch.no_grad()
def test_the_mended_summary_is_the_encoders_final_state():
    encoder = Encoder(9, 4, 6)
    source, lengths = torch.randint(9, (3, 7)), torch.tensor([7, 4, 1])
    states, final = encoder(source, lengths)
    torch.testing.assert_close(repairs.mended_summary(states, lengths), final)
    assert not torch.allclose(exhibits.exhibit_summary(states, lengths), final)


@torch.no_grad()
def test_mended_scores_are_those_of_the_additive_scorer_and_without_the_tanh_the_query_cancels():
    scorer = AdditiveScorer(3, 4, 6)
    queries, keys = torch.randn(2, 3, 3), torch.randn(2, 5, 4)
    given = scorer.query_layer(queries), scorer.project_keys(keys), scorer.energy_layer.weight.squeeze(0)
    torch.testing.assert_close(repairs.mended_scores(*given), scorer.score_all(queries, given[1]))
    given = torch.randn(2, 4, 6), torch.randn(2, 5, 6), torch.randn(6)
    assert not proofs.query_proof(exhibits.exhibit_scores(*given).softmax(-1))
    assert proofs.query_proof(repairs.mended_scores(*given).softmax(-1))


def test_the_mended_perplexity_is_the_exponential_of_the_masked_loss_and_padding_does_not_change_it():
    logits, target = torch.randn(2, 5, 9), torch.randint(9, (2, 5))
    losses = F.cross_entropy(logits.transpose(1, 2), target, reduction="none")
    expected = masked_loss(logits, target, MASK).exp()
    torch.testing.assert_close(repairs.mended_perplexity(losses, MASK), expected)
    torch.testing.assert_close(exhibits.exhibit_perplexity(losses, MASK), expected ** (8 / 10))
    for perplexity, caught in ((exhibits.exhibit_perplexity, True), (repairs.mended_perplexity, False)):
        before, after = perplexity(losses, MASK), perplexity(*proofs.padding_proof(losses, MASK))
        assert (not math.isclose(before, after, rel_tol=1e-5)) == caught


def test_the_whisperer_goes_on_from_the_right_word_whatever_was_said():
    follows = F.one_hot(torch.tensor([[1, 4, 3, 0, 4]]), 5).float()  # after 1 the decoder says 4 for ever, 2 is right
    target = torch.tensor([[1, 2, 3]])
    assert exhibits.exhibit_translation(follows, target, bos=0).tolist() == [[1, 4, 3]]
    assert repairs.mended_translation(follows, bos=0, steps=3).tolist() == [[1, 4, 4]]


@pytest.fixture
def batch():
    return collate(reverse(5, seed=0, lengths=(2, 7)), VOCAB, VOCAB)


def built(exhibit, seed=0):
    torch.manual_seed(seed)
    return exhibit.build(len(VOCAB)).eval()


@torch.no_grad()
@pytest.mark.parametrize("name", BUGS)
def test_an_exhibit_has_the_right_models_weights_and_differs_in_its_bug(name, batch):
    exhibit, right = built(curves.EXHIBITS[name]), built(curves.FEEDING if name == "feeding_missing" else curves.RIGHT)
    torch.testing.assert_close(exhibit.state_dict(), right.state_dict(), rtol=0, atol=0)
    inputs = batch.source, batch.source_lengths, batch.target_in
    if name != "loss_over_padding":
        assert not torch.allclose(exhibit(*inputs)[0], right(*inputs)[0])
    assert (curves.EXHIBITS[name].loss is forced_loss) == (name not in OF_THE_LOSS)
    if name in OF_THE_LOSS:
        assert curves.EXHIBITS[name].loss(right, batch, 0.0) != forced_loss(right, batch, 0.0)


@torch.no_grad()
@pytest.mark.parametrize("name", curves.EXHIBITS)
def test_a_step_at_a_time_is_the_same_as_all_at_once(name, batch):
    model, steps = built(curves.EXHIBITS[name]), []
    at_once, _ = model(batch.source, batch.source_lengths, batch.target_in)
    memory, state = model.read(batch.source, batch.source_lengths)
    for previous in batch.target_in.unbind(1):
        logits, _, state = model.decoder.step(previous, state, memory)
        steps.append(logits)
    torch.testing.assert_close(torch.stack(steps, 1), at_once)


def test_with_one_id_the_first_word_has_no_share_in_the_loss(batch):
    logits = torch.zeros(*batch.target_out.shape, len(VOCAB), requires_grad=True)
    [gradient] = torch.autograd.grad(loss_masked_by_id(lambda *inputs: (logits, None), batch, 0.0), logits)
    shares = gradient.abs().sum(-1) > 0
    assert torch.equal(shares[:, 1:], batch.target_mask[:, 1:])
    assert not shares[:, 0].any()


def test_the_loss_over_padding_is_the_right_one_times_the_share_of_real_words(batch):
    model, share = built(curves.RIGHT), batch.target_mask.float().mean()
    torch.testing.assert_close(loss_over_padding(model, batch, 0.0), share * forced_loss(model, batch, 0.0))


@torch.no_grad()
def test_padding_shortens_the_weights_that_are_masked_afterwards():
    right, afterwards = Attention(BilinearScorer(3, 3)), MaskedAfterwards(BilinearScorer(3, 3))
    afterwards.load_state_dict(right.state_dict())
    query, values, mask = torch.randn(2, 3), torch.randn(2, 4, 3), torch.ones(2, 4, dtype=torch.bool)
    keys = right.scorer.project_keys(values)
    torch.testing.assert_close(afterwards(query, keys, values, mask), right(query, keys, values, mask))
    longer = F.pad(keys, (0, 0, 0, 3))
    _, fewer = afterwards(query, longer, longer, F.pad(mask, (0, 3)))
    assert (fewer.sum(-1) < 0.95).all()


def test_padding_adds_columns_and_no_token_and_leaves_the_target_alone(batch):
    longer = padded(batch, 4)
    assert longer.source.size(1) == batch.source.size(1) + 4
    assert longer.source_mask.sum() == batch.source_mask.sum()
    assert torch.equal(longer.target_in, batch.target_in)


def test_a_masked_model_gives_nothing_to_padding_and_an_unmasked_one_more_the_more_there_is(batch):
    assert padding.weight_on_padding(padding.build("additive", masked=True), padded(batch, 4)) == 0
    model = padding.build("bilinear", masked=False)
    assert 0 < padding.weight_on_padding(model, batch) < padding.weight_on_padding(model, padded(batch, 9))


def test_unmasked_attention_takes_padding_for_tokens():
    attention, keys = padding.UnmaskedAttention(BilinearScorer(3, 3)), torch.randn(2, 5, 3)
    _, weights = attention.forward_all(torch.randn(2, 6, 3), keys, keys, torch.zeros(2, 5, dtype=torch.bool))
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 6))


def test_a_row_is_right_if_every_symbol_is_and_it_stops(batch):
    right = F.pad(batch.target_out, (0, 1), value=PAD)
    assert curves.rows_right(right, batch) == curves.symbols_right(right, batch) == 1
    wrong, endless = right.clone(), right.clone()
    wrong[0, 0] = EOS if wrong[0, 0] != EOS else EOS + 2
    endless[batch.target_mask.sum(1).argmax(), -1] = EOS + 2
    assert [curves.rows_right(rows, batch) for rows in (wrong, endless)] == pytest.approx([4 / 5] * 2)
    assert curves.symbols_right(wrong, batch) == pytest.approx(1 - 1 / batch.target_tokens)


@pytest.fixture
def half_trained():
    torch.manual_seed(0)
    model = curves.RIGHT.build(len(VOCAB))
    pairs = [collate(reverse(64, seed=1, lengths=(2, 3)), VOCAB, VOCAB)]
    train(model, pairs, steps=24, learning_rate=1e-2, warmup_steps=5, device="cpu", progress=False)
    return model.eval()


def test_whispering_changes_symbols_and_no_row_without_a_mistake(half_trained, batch):
    """A row that is right with the whisperer is right without, and the reverse: the shares of rows are equal."""
    pairs = collate(reverse(64, seed=1, lengths=(2, 3)), VOCAB, VOCAB)
    free, whispered = curves.free_words(half_trained, pairs), curves.forced_words(half_trained, pairs)
    assert 0 < curves.rows_right(free, pairs) < 1
    right = ((whispered == pairs.target_out) | ~pairs.target_mask).all(dim=1)
    assert curves.rows_right(free, pairs) == pytest.approx(right.float().mean().item())
    assert curves.symbols_right(whispered, pairs) > curves.symbols_right(free, pairs)
    assert torch.equal(curves.free_words(half_trained, batch), curves.free_words(half_trained, padded(batch, 9)))
