"""What every decoder must do, whatever its wiring."""

import pytest
import torch

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.fixed import EveryStepDecoder, InitialStateDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer, ScaledDotScorer

VOCAB, EMBEDDING, HIDDEN, ENCODER, ATTENTION = 9, 3, 5, 8, 7
BATCH, SOURCE_LEN, TARGET_LEN = 2, 6, 4
SIZES = VOCAB, EMBEDDING, HIDDEN, ENCODER
LENGTHS = torch.tensor([6, 4])


def additive():
    return AdditiveScorer(HIDDEN, ENCODER, ATTENTION)


MAKERS = {
    "initial state": lambda: InitialStateDecoder(*SIZES),
    "initial state, LSTM": lambda: InitialStateDecoder(*SIZES, cell="lstm"),
    "every step": lambda: EveryStepDecoder(*SIZES),
    "every step, LSTM": lambda: EveryStepDecoder(*SIZES, cell="lstm"),
    "Bahdanau, additive": lambda: BahdanauDecoder(*SIZES, additive()),
    "Bahdanau, bilinear": lambda: BahdanauDecoder(*SIZES, BilinearScorer(HIDDEN, ENCODER)),
    "Luong, dot": lambda: LuongDecoder(VOCAB, EMBEDDING, ENCODER, ENCODER, DotScorer()),
    "Luong, scaled dot": lambda: LuongDecoder(VOCAB, EMBEDDING, ENCODER, ENCODER, ScaledDotScorer()),
    "Luong, bilinear": lambda: LuongDecoder(*SIZES, BilinearScorer(HIDDEN, ENCODER)),
    "Luong, additive": lambda: LuongDecoder(*SIZES, additive()),
    "Luong, location": lambda: LuongDecoder(*SIZES, LocationScorer(HIDDEN, 10)),
    "Luong, bilinear, LSTM": lambda: LuongDecoder(*SIZES, BilinearScorer(HIDDEN, ENCODER), cell="lstm"),
    "feeding, bilinear": lambda: InputFeedingDecoder(*SIZES, BilinearScorer(HIDDEN, ENCODER)),
    "feeding, additive, LSTM": lambda: InputFeedingDecoder(*SIZES, additive(), cell="lstm"),
}


@pytest.fixture(params=MAKERS)
def decoder(request):
    return MAKERS[request.param]().double()


@pytest.fixture
def states():
    states = torch.randn(BATCH, SOURCE_LEN, ENCODER, dtype=torch.float64)
    return states * mask(SOURCE_LEN).unsqueeze(-1)


@pytest.fixture
def final():
    return torch.randn(BATCH, ENCODER, dtype=torch.float64)


@pytest.fixture
def target_in():
    return torch.randint(0, VOCAB, (BATCH, TARGET_LEN))


def mask(source_len):
    return torch.arange(source_len) < LENGTHS.unsqueeze(1)


def looped(decoder, target_in, states, final, source_mask):
    """The definition of unroll: step after step, each with the true word before it."""
    memory, state = decoder.start(states, final, source_mask)
    logits, weights = [], []
    for previous in target_in.unbind(1):
        step_logits, step_weights, state = decoder.step(previous, state, memory)
        logits.append(step_logits)
        weights.append(step_weights)
    return torch.stack(logits, 1), None if weights[0] is None else torch.stack(weights, 1)


def unrolled(decoder, target_in, states, final, source_mask):
    memory, state = decoder.start(states, final, source_mask)
    return decoder.unroll(target_in, state, memory)


def assert_same(ours, theirs):
    torch.testing.assert_close(ours[0], theirs[0])
    if ours[1] is None:
        assert theirs[1] is None
    else:
        torch.testing.assert_close(ours[1], theirs[1])


def test_unroll_equals_looped_steps(decoder, target_in, states, final):
    arguments = decoder, target_in, states, final, mask(SOURCE_LEN)
    assert_same(unrolled(*arguments), looped(*arguments))


def test_unroll_has_the_gradients_of_looped_steps(decoder, target_in, states, final):
    inputs = [states.requires_grad_(), final.requires_grad_(), *decoder.parameters()]
    readings = torch.randn(BATCH, TARGET_LEN, VOCAB, dtype=torch.float64)
    gradients = [
        torch.autograd.grad((way(decoder, target_in, states, final, mask(SOURCE_LEN))[0] * readings).sum(), inputs,
                            allow_unused=True)
        for way in (unrolled, looped)
    ]  # fmt: skip
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_gradients_of_a_step_are_right(decoder, states, final):
    previous = torch.tensor([3, 7])
    weights = tuple(decoder.parameters())

    def forward(states, final, *_):
        memory, state = decoder.start(states, final, mask(SOURCE_LEN))
        logits, weights, _ = decoder.step(previous, state, memory)
        return logits if weights is None else (logits, weights)

    inputs = (states.requires_grad_(), final.requires_grad_(), *weights)
    assert torch.autograd.gradcheck(forward, inputs, fast_mode=True)


def test_shapes_of_unroll(decoder, target_in, states, final):
    logits, weights = unrolled(decoder, target_in, states, final, mask(SOURCE_LEN))
    assert logits.shape == (BATCH, TARGET_LEN, VOCAB)
    assert weights is None or weights.shape == (BATCH, TARGET_LEN, SOURCE_LEN)


def test_weights_lie_on_real_tokens_and_sum_to_one(decoder, target_in, states, final):
    _, weights = unrolled(decoder, target_in, states, final, mask(SOURCE_LEN))
    if weights is not None:
        torch.testing.assert_close(weights.sum(-1), torch.ones(BATCH, TARGET_LEN, dtype=torch.float64))
        assert weights[1, :, 4:].eq(0).all()


def test_more_padding_changes_nothing(decoder, target_in, states, final):
    narrow = unrolled(decoder, target_in, states, final, mask(SOURCE_LEN))
    rubbish = torch.randn(BATCH, 3, ENCODER, dtype=torch.float64)
    wide = unrolled(decoder, target_in, torch.cat([states, rubbish], 1), final, mask(SOURCE_LEN + 3))
    assert_same((wide[0], wide[1] if wide[1] is None else wide[1][..., :SOURCE_LEN]), narrow)


def test_a_row_does_not_see_its_neighbour(decoder, target_in, states, final):
    logits, _ = unrolled(decoder, target_in, states, final, mask(SOURCE_LEN))
    alone, _ = unrolled(decoder, target_in[1:], states[1:], final[1:], mask(SOURCE_LEN)[1:])
    torch.testing.assert_close(alone, logits[1:])


def test_a_prediction_does_not_see_the_words_to_come(decoder, target_in, states, final):
    logits, _ = unrolled(decoder, target_in, states, final, mask(SOURCE_LEN))
    changed = target_in.clone()
    changed[:, -1] = (target_in[:, -1] + 1) % VOCAB
    other, _ = unrolled(decoder, changed, states, final, mask(SOURCE_LEN))
    torch.testing.assert_close(other[:, :-1], logits[:, :-1])
    assert not torch.allclose(other[:, -1], logits[:, -1])


def test_a_fully_masked_row_gives_no_nan_gradient(decoder, target_in, states, final):
    source_mask = mask(SOURCE_LEN) & torch.tensor([[True], [False]])
    logits, _ = unrolled(decoder, target_in, states.requires_grad_(), final, source_mask)
    logits.sum().backward()
    gradients = [states.grad, *(parameter.grad for parameter in decoder.parameters())]
    assert all(gradient.isfinite().all() for gradient in gradients if gradient is not None)


def test_the_frame_itself_decodes_nothing(states, final):
    with pytest.raises(NotImplementedError):
        Decoder().start(states, final, mask(SOURCE_LEN))
