"""The Transformer as an encoder and a decoder: against PyTorch's own layers, and within the library's frame."""

import pytest
import torch
from torch import nn

from seq2seq.batch import collate, token_batches
from seq2seq.beam.search import beam_search, rescore
from seq2seq.beam.state import reorder
from seq2seq.corpora.toys import reverse
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.scorers import DotScorer
from seq2seq.search import greedy
from seq2seq.training import train
from seq2seq.transformer.layers import DecoderLayer, EncoderLayer, PlacedEmbedding
from seq2seq.transformer.model import TransformerDecoder, TransformerEncoder
from seq2seq.transformer.self_attention import from_torch
from seq2seq.vocab import PAD, Vocabulary

SOURCE_VOCAB, TARGET_VOCAB, SIZE, ENCODER, HEADS, INNER, LAYERS = 11, 9, 12, 10, 3, 7, 2
BATCH, SOURCE_LEN, TARGET_LEN = 3, 6, 5
LENGTHS = torch.tensor([6, 4, 1])
SOURCE = torch.randint(4, SOURCE_VOCAB, (BATCH, SOURCE_LEN), generator=torch.Generator().manual_seed(3))
TARGET_IN = torch.randint(4, TARGET_VOCAB, (BATCH, TARGET_LEN), generator=torch.Generator().manual_seed(4))
MASK = torch.arange(SOURCE_LEN) < LENGTHS.unsqueeze(1)


def randomise(module):
    """Biases start at 0 and gains at 1; a test that leaves them there would not see them lost."""
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5)
    return module.double()


@pytest.fixture
def encoder():
    return randomise(TransformerEncoder(SOURCE_VOCAB, ENCODER, 5, INNER, LAYERS))


@pytest.fixture
def decoder():
    return randomise(TransformerDecoder(TARGET_VOCAB, SIZE, ENCODER, HEADS, INNER, LAYERS))


@pytest.fixture
def model(encoder, decoder):
    return randomise(Seq2Seq(encoder, decoder))


@pytest.fixture
def states():
    return torch.randn(BATCH, SOURCE_LEN, ENCODER, dtype=torch.float64)


def start(decoder, states, source_mask=MASK):
    return decoder.start(states, states.mean(1), source_mask)


def fill(ours, theirs, names):
    for our_name, their_name in names.items():
        getattr(ours, our_name).load_state_dict(getattr(theirs, their_name).state_dict())
    ours.feed_forward[0].load_state_dict(theirs.linear1.state_dict())
    ours.feed_forward[2].load_state_dict(theirs.linear2.state_dict())
    return ours.double()


def test_an_encoder_layer_equals_pytorchs_pre_norm_layer():
    theirs = randomise(nn.TransformerEncoderLayer(SIZE, HEADS, INNER, 0.0, batch_first=True, norm_first=True))
    ours = fill(EncoderLayer(SIZE, HEADS, INNER), theirs, {"attention_norm": "norm1", "inner_norm": "norm2"})
    ours.attention = from_torch(theirs.self_attn)
    words = torch.randn(BATCH, SOURCE_LEN, SIZE, dtype=torch.float64)
    expected = theirs(words, src_key_padding_mask=~MASK)
    torch.testing.assert_close(ours(words, MASK.unsqueeze(1))[MASK], expected[MASK])


def test_a_decoder_layer_equals_pytorchs_pre_norm_layer():
    theirs = randomise(nn.TransformerDecoderLayer(SIZE, HEADS, INNER, 0.0, batch_first=True, norm_first=True))
    names = {"attention_norm": "norm1", "source_norm": "norm2", "inner_norm": "norm3"}
    ours = fill(DecoderLayer(SIZE, SIZE, HEADS, INNER), theirs, names)
    ours.attention, ours.source_attention = from_torch(theirs.self_attn), from_torch(theirs.multihead_attn)
    words = torch.randn(BATCH, TARGET_LEN, SIZE, dtype=torch.float64)
    source = torch.randn(BATCH, SOURCE_LEN, SIZE, dtype=torch.float64)
    causal = torch.ones(TARGET_LEN, TARGET_LEN, dtype=torch.bool).tril()
    expected = theirs(words, source, tgt_mask=~causal, memory_key_padding_mask=~MASK)
    projected = ours.source_attention.project_keys(source)
    nothing = words.new_zeros(BATCH, 0, SIZE)
    torch.testing.assert_close(ours(words, nothing, nothing, causal, *projected, MASK.unsqueeze(1))[0], expected)


def test_a_placed_embedding_counts_on_from_where_it_is_told():
    placed = PlacedEmbedding(TARGET_VOCAB, SIZE)
    torch.testing.assert_close(placed(TARGET_IN[:, 2:], first=2), placed(TARGET_IN)[:, 2:])


def test_unroll_equals_looped_steps(decoder, states):
    memory, state = start(decoder, states)
    logits, weights = decoder.unroll(TARGET_IN, state, memory)
    for i, previous in enumerate(TARGET_IN.unbind(1)):
        step_logits, step_weights, state = decoder.step(previous, state, memory)
        torch.testing.assert_close(step_logits, logits[:, i])
        torch.testing.assert_close(step_weights, weights[:, i])


def test_unroll_goes_on_from_a_prefix(decoder, states):
    memory, state = start(decoder, states)
    logits, _ = decoder.unroll(TARGET_IN, state, memory)
    for previous in TARGET_IN[:, :2].unbind(1):
        _, _, state = decoder.step(previous, state, memory)
    torch.testing.assert_close(decoder.unroll(TARGET_IN[:, 2:], state, memory)[0], logits[:, 2:])


def test_the_state_has_its_batch_where_a_beam_looks_for_it(decoder, states):
    memory, state = start(decoder, states)
    _, _, state = decoder.step(TARGET_IN[:, 0], state, memory)
    rows = torch.tensor([2, 0, 1])
    turned_memory, _ = start(decoder, states[rows], MASK[rows])
    logits, _, _ = decoder.step(TARGET_IN[:, 1], state, memory)
    turned, _, _ = decoder.step(TARGET_IN[rows, 1], reorder(state, rows), turned_memory)
    torch.testing.assert_close(turned, logits[rows])


def test_a_later_word_never_changes_an_earlier_prediction(decoder, states):
    memory, state = start(decoder, states)
    logits, _ = decoder.unroll(TARGET_IN, state, memory)
    for changed in range(1, TARGET_LEN):
        other = TARGET_IN.clone()
        other[:, changed] = (other[:, changed] + 1) % TARGET_VOCAB
        after, _ = decoder.unroll(other, state, memory)
        torch.testing.assert_close(after[:, :changed], logits[:, :changed])
        assert not torch.isclose(after[:, changed], logits[:, changed]).all()


def test_weights_lie_on_real_tokens_and_sum_to_one(decoder, states):
    _, weights = decoder.unroll(TARGET_IN, *reversed(start(decoder, states)))
    torch.testing.assert_close(weights.sum(-1), torch.ones(BATCH, TARGET_LEN, dtype=torch.float64))
    assert weights.masked_select(~MASK.unsqueeze(1)).eq(0).all()


def test_gradients_of_the_model_are_right(model):
    def forward(*_):
        return model(SOURCE, LENGTHS, TARGET_IN)

    assert torch.autograd.gradcheck(forward, tuple(model.parameters()), fast_mode=True)


def test_more_padding_changes_nothing(model):
    logits, weights = model(SOURCE, LENGTHS, TARGET_IN)
    wider = torch.cat([SOURCE, torch.randint(4, SOURCE_VOCAB, (BATCH, 2))], dim=1)  # rubbish where padding should be
    wider_logits, wider_weights = model(wider, LENGTHS, TARGET_IN)
    torch.testing.assert_close(wider_logits, logits)
    torch.testing.assert_close(wider_weights[..., :SOURCE_LEN], weights)


def test_a_sentence_alone_has_the_predictions_it_has_in_a_batch(model):
    logits, _ = model(SOURCE, LENGTHS, TARGET_IN)
    for row, length in enumerate(LENGTHS.tolist()):
        alone, _ = model(SOURCE[row : row + 1, :length], LENGTHS[row : row + 1], TARGET_IN[row : row + 1])
        torch.testing.assert_close(alone, logits[row : row + 1])


def test_the_order_of_the_batch_changes_nothing(model):
    logits, _ = model(SOURCE, LENGTHS, TARGET_IN)
    turned, _ = model(SOURCE.flip(0), LENGTHS.flip(0), TARGET_IN.flip(0))
    torch.testing.assert_close(turned.flip(0), logits)


def test_the_order_of_the_source_words_matters(model):
    one, _ = model(SOURCE[:1], LENGTHS[:1], TARGET_IN[:1])
    other, _ = model(SOURCE[:1].flip(1), LENGTHS[:1], TARGET_IN[:1])
    assert not torch.isclose(one, other).all(-1).any()


def test_encoder_states_are_zero_at_padding_and_final_is_the_mean_of_the_others(encoder):
    states, final = encoder(SOURCE, LENGTHS)
    assert states[~MASK].eq(0).all()
    for row, length in enumerate(LENGTHS.tolist()):
        torch.testing.assert_close(final[row], states[row, :length].mean(0))


def test_a_fully_masked_row_gives_no_nan_in_values_or_gradients(decoder, states):
    logits, weights = decoder.unroll(
        TARGET_IN, *reversed(start(decoder, states.requires_grad_(), MASK & torch.tensor([[True], [False], [True]])))
    )
    logits.square().sum().backward()
    assert logits.isfinite().all()
    assert weights[1].eq(0).all()
    assert all(tensor.grad.isfinite().all() for tensor in (states, *decoder.parameters()))


def test_lengths_that_do_not_fit_are_refused(encoder):
    with pytest.raises(ValueError, match="source_lengths: got 1 to 7, expected 1 to source_len=6"):
        encoder(SOURCE, torch.tensor([7, 4, 1]))


def test_a_decoder_that_wants_a_backward_state_is_refused(encoder):
    with pytest.raises(ValueError, match="starts from the backward state"):
        Seq2Seq(encoder, BahdanauDecoder(TARGET_VOCAB, 3, ENCODER, ENCODER, DotScorer()))


def test_encoder_and_decoder_go_with_recurrent_ones(encoder, decoder):
    recurrent = Encoder(SOURCE_VOCAB, 3, ENCODER // 2).double()
    logits, _ = Seq2Seq(recurrent, decoder)(SOURCE, LENGTHS, TARGET_IN)
    assert logits.shape == (BATCH, TARGET_LEN, TARGET_VOCAB)


def test_initialisation_leaves_the_norms_neutral(encoder, decoder):
    Seq2Seq(encoder, decoder)
    norms = [module for part in (encoder, decoder) for module in part.modules() if isinstance(module, nn.LayerNorm)]
    assert len(norms) == 2 * LAYERS + 1 + 3 * LAYERS + 1
    assert all(norm.weight.eq(1).all() and norm.bias.eq(0).all() for norm in norms)


def test_dropout_acts_in_training_alone():
    torch.manual_seed(1)
    model = Seq2Seq(
        TransformerEncoder(SOURCE_VOCAB, SIZE, HEADS, INNER, dropout=0.5),
        TransformerDecoder(TARGET_VOCAB, SIZE, SIZE, HEADS, INNER, dropout=0.5),
    )
    arguments = SOURCE, LENGTHS, TARGET_IN
    assert not torch.equal(model(*arguments)[0], model(*arguments)[0])
    model.eval()
    assert torch.equal(model(*arguments)[0], model(*arguments)[0])


@pytest.fixture(scope="module")
def trained():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    pairs = reverse(600, 5, (2, 5), symbols=6)
    vocab = Vocabulary.build(pair.source for pair in pairs)
    model = Seq2Seq(
        TransformerEncoder(len(vocab), 24, 4, 48, layers=1), TransformerDecoder(len(vocab), 24, 24, 4, 48, layers=1)
    )
    batches = token_batches(pairs, vocab, vocab, 150, torch.Generator().manual_seed(0))
    history = train(model, batches, steps=250, learning_rate=1e-2, device="cpu", progress=False)
    return model, vocab, history


def test_training_learns_to_reverse_and_greedy_search_says_so(trained):
    model, vocab, _ = trained
    batch = collate(reverse(40, 6, (2, 5), symbols=6), vocab, vocab)
    ids, weights = greedy(model, batch.source, batch.source_lengths, max_length=8)
    assert weights.shape == (40, ids.size(1), batch.source.size(1))
    expected = batch.target_out[:, : ids.size(1)]
    assert (ids[:, : expected.size(1)] == expected).all(1).float().mean() > 0.9


def test_greedy_words_are_the_argmax_of_the_forced_pass(trained):
    model, vocab, _ = trained
    batch = collate(reverse(4, 7, (5, 5), symbols=6), vocab, vocab)
    ids, _ = greedy(model, batch.source, batch.source_lengths, max_length=6)
    said = torch.cat([batch.target_in[:, :1], ids[:, :-1]], dim=1)
    logits, _ = model(batch.source, batch.source_lengths, said)
    assert torch.equal(logits.argmax(-1).masked_fill(ids == PAD, PAD), ids)  # after its EOS a sentence gets PAD


def test_beam_scores_equal_those_of_the_forced_pass(model):
    found = beam_search(model, SOURCE, LENGTHS, max_length=6, beam_size=4, n_best=3)
    forced = rescore(model, SOURCE, LENGTHS, found.ids, found.lengths)
    real = found.lengths > 0
    torch.testing.assert_close(found.log_probabilities[real], forced[real])


@pytest.mark.cuda
def test_cpu_and_gpu_agree(model):
    logits, weights = model(SOURCE, LENGTHS, TARGET_IN)
    theirs = model.cuda()(SOURCE.cuda(), LENGTHS.cuda(), TARGET_IN.cuda())
    torch.testing.assert_close(theirs[0].cpu(), logits)
    torch.testing.assert_close(theirs[1].cpu(), weights)
