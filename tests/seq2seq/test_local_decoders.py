"""The Luong decoders with local attention: what every decoder must do, and what only these do."""

import math

import pytest
import torch

from seq2seq.batch import collate, token_batches
from seq2seq.beam.state import reorder
from seq2seq.corpora.toys import copy
from seq2seq.decoders.local import LocalMonotonicDecoder, LocalPredictiveDecoder
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer
from seq2seq.training import train
from seq2seq.vocab import Vocabulary

VOCAB, EMBEDDING, HIDDEN, ENCODER, D = 9, 3, 5, 8, 2
BATCH, SOURCE_LEN, TARGET_LEN = 2, 6, 7
SIZES = VOCAB, EMBEDDING, HIDDEN, ENCODER
LENGTHS = torch.tensor([6, 4])
KINDS = {"m": LocalMonotonicDecoder, "p": LocalPredictiveDecoder}
MAKERS = {
    "bilinear": lambda kind: kind(*SIZES, BilinearScorer(HIDDEN, ENCODER), D),
    "additive, LSTM": lambda kind: kind(*SIZES, AdditiveScorer(HIDDEN, ENCODER, 7), D, cell="lstm"),
    "dot": lambda kind: kind(VOCAB, EMBEDDING, ENCODER, ENCODER, DotScorer(), D),
    "location": lambda kind: kind(*SIZES, LocationScorer(HIDDEN, 60), D),
}


def randomise(module):
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return module.double()


@pytest.fixture(params=[(kind, maker) for kind in KINDS for maker in MAKERS], ids=lambda pair: f"{pair[0]}, {pair[1]}")
def decoder(request):
    kind, maker = request.param
    return randomise(MAKERS[maker](KINDS[kind]))


@pytest.fixture
def predictive():
    return randomise(MAKERS["bilinear"](LocalPredictiveDecoder))


@pytest.fixture
def monotonic():
    return randomise(MAKERS["bilinear"](LocalMonotonicDecoder))


@pytest.fixture
def states():
    return torch.randn(BATCH, SOURCE_LEN, ENCODER, dtype=torch.float64)


@pytest.fixture
def final():
    return torch.randn(BATCH, ENCODER, dtype=torch.float64)


@pytest.fixture
def target_in():
    return torch.randint(0, VOCAB, (BATCH, TARGET_LEN))


def mask(source_len=SOURCE_LEN):
    return torch.arange(source_len) < LENGTHS.unsqueeze(1)


def looped(decoder, target_in, states, final, source_mask):
    memory, state = decoder.start(states, final, source_mask)
    steps = []
    for previous in target_in.unbind(1):
        logits, weights, state = decoder.step(previous, state, memory)
        steps.append((logits, weights))
    return tuple(torch.stack(parts, 1) for parts in zip(*steps, strict=True))


def unrolled(decoder, target_in, states, final, source_mask):
    memory, state = decoder.start(states, final, source_mask)
    return decoder.unroll(target_in, state, memory)


@pytest.mark.parametrize("padding", [0, 40], ids=["masked", "steps gathered"])
def test_unroll_equals_looped_steps(decoder, target_in, states, final, padding):
    states = torch.cat([states, torch.randn(BATCH, padding, ENCODER, dtype=torch.float64)], 1)
    arguments = decoder, target_in, states, final, mask(SOURCE_LEN + padding)
    for ours, theirs in zip(unrolled(*arguments), looped(*arguments), strict=True):
        torch.testing.assert_close(ours, theirs)


def test_unroll_has_the_gradients_of_looped_steps(decoder, target_in, states, final):
    inputs = [states.requires_grad_(), final.requires_grad_(), *decoder.parameters()]
    reading = torch.randn(BATCH, TARGET_LEN, VOCAB, dtype=torch.float64)
    gradients = [
        torch.autograd.grad((way(decoder, target_in, states, final, mask())[0] * reading).sum(), inputs,
                            allow_unused=True)
        for way in (unrolled, looped)
    ]  # fmt: skip
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_gradients_of_a_step_are_right(decoder, states, final):
    def forward(states, final, *_):
        memory, state = decoder.start(states, final, mask())
        return decoder.step(torch.tensor([3, 7]), state, memory)[:2]

    inputs = (states.requires_grad_(), final.requires_grad_(), *decoder.parameters())
    assert torch.autograd.gradcheck(forward, inputs, fast_mode=True)


@pytest.mark.parametrize("padding", [3, 200], ids=["masked", "gathered"])
def test_more_padding_changes_nothing(decoder, target_in, states, final, padding):
    if padding > 60 and isinstance(decoder.attention.scorer, LocationScorer):
        padding = 50  # it knows 60 positions
    narrow = unrolled(decoder, target_in, states, final, mask())
    rubbish = torch.randn(BATCH, padding, ENCODER, dtype=torch.float64)
    logits, weights = unrolled(decoder, target_in, torch.cat([states, rubbish], 1), final, mask(SOURCE_LEN + padding))
    torch.testing.assert_close(logits, narrow[0])
    torch.testing.assert_close(weights[..., :SOURCE_LEN], narrow[1])
    assert weights[..., SOURCE_LEN:].eq(0).all()


def test_a_row_does_not_see_its_neighbour(decoder, target_in, states, final):
    logits, _ = unrolled(decoder, target_in, states, final, mask())
    alone, _ = unrolled(decoder, target_in[1:], states[1:], final[1:], mask()[1:])
    torch.testing.assert_close(alone, logits[1:])


def test_a_fully_masked_row_gives_no_nan_gradient(decoder, target_in, states, final):
    source_mask = mask() & torch.tensor([[True], [False]])
    logits, weights = unrolled(decoder, target_in, states.requires_grad_(), final, source_mask)
    logits.sum().backward()
    gradients = [states.grad, *(parameter.grad for parameter in decoder.parameters())]
    assert weights[1].eq(0).all()
    assert all(gradient.isfinite().all() for gradient in gradients if gradient is not None)


def test_a_search_can_reorder_the_state_between_two_steps(decoder, target_in, states, final):
    memory, state = decoder.start(states, final, mask())
    _, _, state = decoder.step(target_in[:, 0], state, memory)
    logits, _, _ = decoder.step(target_in[:, 1], state, memory)
    order = torch.tensor([1, 0])
    swapped, _, _ = decoder.step(target_in[order, 1], reorder(state, order), type(memory)(*(m[order] for m in memory)))
    torch.testing.assert_close(swapped, logits[order])


def test_a_step_takes_several_hypotheses_of_each_sentence(decoder, target_in, states, final):
    """The hypotheses of a sentence share its memory, as in a beam."""
    memory, state = decoder.start(states, final, mask())
    rows = torch.tensor([0, 0, 0, 1, 1, 1])
    previous = target_in[:, :3].flatten()
    shared, shared_weights, _ = decoder.step(previous, reorder(state, rows), memory)
    repeated = type(memory)(*(part[rows] for part in memory))
    logits, weights, _ = decoder.step(previous, reorder(state, rows), repeated)
    torch.testing.assert_close(shared, logits)
    torch.testing.assert_close(shared_weights, weights)


def test_local_m_looks_around_the_targets_own_position(monotonic, target_in, states, final):
    _, weights = unrolled(monotonic, target_in, states, final, mask())
    for row, length in enumerate(LENGTHS.tolist()):
        for t in range(TARGET_LEN):
            seen = weights[row, t].nonzero().flatten().tolist()
            assert seen == [s for s in range(length) if t - D <= s <= t + D]


def test_local_m_beyond_the_sources_end_has_a_context_of_zero(monotonic, target_in, states, final):
    _, weights = unrolled(monotonic, target_in, states, final, mask())
    assert weights[1, 6].eq(0).all()  # word 6 of a source of 4


@torch.no_grad()
def test_local_p_equals_the_paper(predictive, target_in, states, final):
    """Equations 9, 10, 5 and 6, a number at a time, for the first word of the second sentence."""
    memory, state = predictive.start(states, final, mask())
    logits, weights, after = predictive.step(target_in[:, 0], state, memory)
    h, states, length = after[0, 1], states[1], 4
    predictor, w_a = predictive.predictor, predictive.attention.scorer.key_layer.weight
    raised = predictor.position_layer.weight[0] @ torch.tanh(predictor.hidden_layer.weight @ h)
    centre = length / (1 + math.exp(-raised))
    window = [s for s in range(length) if abs(s - centre) <= D]
    exponentials = {s: math.exp(h @ w_a @ states[s]) for s in window}
    expected = torch.zeros(SOURCE_LEN, dtype=torch.float64)
    for s in window:
        expected[s] = exponentials[s] / sum(exponentials.values()) * math.exp(-((s - centre) ** 2) / (2 * (D / 2) ** 2))
    attentional = torch.tanh(predictive.attentional_layer.weight @ torch.cat([expected @ states, h]))
    torch.testing.assert_close(weights[1], expected)
    torch.testing.assert_close(logits[1], predictive.output_layer(attentional))


def test_centres_are_those_of_the_weights(predictive, target_in, states, final):
    memory, state = predictive.start(states, final, mask())
    centres = predictive.centres(target_in, state, memory)
    _, weights = predictive.unroll(target_in, state, memory)
    positions = torch.arange(SOURCE_LEN)
    assert centres.shape == (BATCH, TARGET_LEN)
    assert torch.equal(weights > 0, ((positions - centres.unsqueeze(-1)).abs() <= D) & mask().unsqueeze(1))


def test_centres_go_by_each_sentences_own_length(predictive, target_in, states, final):
    memory, state = predictive.start(states, final, mask())
    narrow = predictive.centres(target_in, state, memory)
    rubbish = torch.randn(BATCH, 5, ENCODER, dtype=torch.float64)
    memory, state = predictive.start(torch.cat([states, rubbish], 1), final, mask(SOURCE_LEN + 5))
    torch.testing.assert_close(predictive.centres(target_in, state, memory), narrow)


def test_the_loss_teaches_the_centre_where_to_go(predictive, target_in, states, final):
    logits, _ = unrolled(predictive, target_in, states, final, mask())
    logits.square().sum().backward()
    assert all(parameter.grad.abs().max() > 0 for parameter in predictive.predictor.parameters())


def test_local_p_learns_where_to_look_when_it_copies():
    """The centre that never moves, the middle of the sentence, is 2.5 words off on the average."""
    pairs = copy(1000, seed=0, lengths=(6, 14), symbols=12)
    vocab = Vocabulary.build(pair.source for pair in pairs)
    size = len(vocab)
    decoder = LocalPredictiveDecoder(size, 16, 32, 32, DotScorer(), D, position_size=8)
    model = Seq2Seq(Encoder(size, 16, 16), decoder)
    batches = token_batches(pairs, vocab, vocab, 200, torch.Generator().manual_seed(0))
    train(model, batches, steps=300, device="cpu", progress=False)
    batch = collate(pairs[:50], vocab, vocab)
    with torch.no_grad():
        memory, state = model.read(batch.source, batch.source_lengths)
        centres = decoder.centres(batch.target_in, state, memory)
    distances = (centres - torch.arange(centres.size(1))).abs()[batch.target_mask]
    assert distances.mean() < 1.5


@pytest.mark.parametrize("kind", KINDS.values())
def test_a_half_width_below_one_is_refused_when_building(kind):
    with pytest.raises(ValueError, match="half_width: got 0"):
        kind(*SIZES, BilinearScorer(HIDDEN, ENCODER), 0)


@pytest.mark.parametrize("maker", ["dot", "additive, LSTM", "location"])
def test_long_sources_are_gathered_and_short_ones_masked(maker):
    decoder = MAKERS[maker](LocalPredictiveDecoder)
    assert not decoder._gathers(queries=7, source_len=10)
    assert decoder._gathers(queries=7, source_len=1000) == (maker != "location")


@pytest.mark.cuda
def test_cuda_agrees_with_the_cpu(decoder, target_in, states, final):
    inputs = target_in, states, final, mask()
    ours = unrolled(decoder, *inputs)
    theirs = unrolled(decoder.cuda(), *(part.cuda() for part in inputs))
    for cpu, cuda in zip(ours, theirs, strict=True):
        torch.testing.assert_close(cuda.cpu(), cpu)
