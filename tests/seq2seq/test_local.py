"""Local attention: the two ways to compute it, the centres of its decoders, and the losses that start local-p."""

import itertools

import pytest
import torch
from equations import mixture, window_weights
from small_models import VOCAB, assert_widened, randomise
from torch.nn import functional as F

from seq2seq.batch import collate, token_batches
from seq2seq.corpora.toys import copy
from seq2seq.decoders.local import LocalPredictiveDecoder
from seq2seq.encoders import Encoder
from seq2seq.exercises.local import attend_fetched
from seq2seq.local.attention import attend_gathered, attend_masked, gaussian_window_softmax, window_softmax
from seq2seq.losses.local import LocalLoss, diagonal_penalty
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer
from seq2seq.training import forced_loss, train
from seq2seq.vocab import Vocabulary

BATCH, QUERIES, KEYS, SIZE, VALUE, D = 3, 4, 9, 5, 6, 2
LENGTHS = [9, 6, 3]
CENTRES = [[0.0, 3.4, 8.0, 20.0], [2.5, 6.0, 5.99, -1.0], [0.2, 1.0, 2.9, 4.5]]  # ends, beyond the ends, in between
WEIGHS = {"window": window_softmax, "Gaussian": gaussian_window_softmax}
SCORERS = {
    "dot": DotScorer,
    "bilinear": lambda: BilinearScorer(SIZE, SIZE),
    "additive": lambda: AdditiveScorer(SIZE, SIZE, 7),
}


@pytest.fixture(params=WEIGHS)
def weigh(request):
    return WEIGHS[request.param]


@pytest.fixture(params=[attend_masked, attend_gathered])
def attend(request):
    return request.param


@pytest.fixture
def inputs():
    queries, keys, values = (
        torch.randn(BATCH, *shape, dtype=torch.float64) for shape in ((QUERIES, SIZE), (KEYS, SIZE), (KEYS, VALUE))
    )
    mask = torch.arange(KEYS) < torch.tensor(LENGTHS).unsqueeze(1)
    return queries, keys, values, mask, torch.tensor(CENTRES, dtype=torch.float64)


@pytest.mark.parametrize("half_width", [D, 20])  # of the whole sentence
@pytest.mark.parametrize("name", SCORERS)
def test_weights_and_contexts_equal_a_loop_and_gathered_ones_have_the_gradients_of_masked_ones(
    weigh, name, half_width, inputs
):
    queries, keys, values, mask, centres = inputs
    scorer = SCORERS[name]().double()
    reading, other = (torch.randn(BATCH, QUERIES, size).double() for size in (VALUE, KEYS))
    asked = [part.requires_grad_() for part in (queries, keys, values, centres)] + [*scorer.parameters()]
    gradients = []
    for attend in (attend_masked, attend_gathered):
        contexts, weights = attend(weigh, scorer, queries, scorer.project_keys(keys), values, mask, centres, half_width)
        for row, t in itertools.product(range(BATCH), range(QUERIES)):
            scores = scorer(queries[row : row + 1, t], keys[row : row + 1, : LENGTHS[row]])[0].tolist()
            expected = window_weights(scores, CENTRES[row][t], half_width, weigh is gaussian_window_softmax)
            assert_widened(weights[row, t], torch.tensor(expected, dtype=torch.float64))
            torch.testing.assert_close(contexts[row, t], mixture(expected, values[row, : LENGTHS[row]]))
        read = (contexts * reading).sum() + (weights * other).sum()
        gradients.append(torch.autograd.grad(read, asked, allow_unused=True))
    torch.testing.assert_close(gradients[1], gradients[0])


def test_both_ways_agree_in_single_precision_at_any_centre():
    keys, queries = torch.randn(BATCH, 40, SIZE), torch.randn(BATCH, 150, SIZE)
    near = torch.randint(0, 41, (BATCH, 150)) + 1e-6 * torch.randn(BATCH, 150)
    mask = torch.arange(40) < torch.tensor([40, 25, 7]).unsqueeze(1)
    arguments = window_softmax, DotScorer(), queries, keys, keys, mask, near, 5
    torch.testing.assert_close(attend_gathered(*arguments), attend_masked(*arguments))


def test_a_gpu_agrees_with_the_cpu(attend, weigh, inputs, gpu):
    queries, keys, values, mask, centres = inputs
    ours = attend(weigh, DotScorer(), queries, keys, values, mask, centres, D)
    theirs = attend(weigh, DotScorer(), *(part.to(gpu) for part in inputs), D)
    for on_cpu, on_gpu in zip(ours, theirs, strict=True):
        torch.testing.assert_close(on_gpu.cpu(), on_cpu)


def test_the_exercise_fetches_the_same_windows(inputs):
    queries, keys, values, mask, centres = inputs
    contexts, weights = attend_fetched(queries, keys, values, mask, centres, D)
    expected, all_weights = attend_gathered(
        gaussian_window_softmax, DotScorer(), queries, keys, values, mask, centres, D
    )
    torch.testing.assert_close(contexts, expected)
    torch.testing.assert_close(weights.sum(-1), all_weights.sum(-1))


@pytest.fixture
def local_p():
    decoder = LocalPredictiveDecoder(len(VOCAB), 3, 5, 8, BilinearScorer(5, 8), D)
    return randomise(Seq2Seq(Encoder(len(VOCAB), 3, 4), decoder))


def test_centres_are_those_of_the_weights_and_go_by_each_sentences_own_length(local_p, batch):
    positions = torch.arange(7)
    memory, state = local_p.read(batch.source, batch.source_lengths)
    centres = local_p.decoder.centres(batch.target_in, state, memory)
    _, weights = local_p.decoder.unroll(batch.target_in, state, memory)
    visible = ((positions - centres.unsqueeze(-1)).abs() <= D) & batch.source_mask.unsqueeze(1)
    assert torch.equal(weights > 0, visible)
    wide, state = local_p.read(F.pad(batch.source, (0, 5), value=4), batch.source_lengths)
    torch.testing.assert_close(local_p.decoder.centres(batch.target_in, state, wide), centres)


def test_local_p_learns_where_to_look_when_it_copies():
    """The centre that never moves, the middle of the sentence, is 2.5 words off on the average."""
    pairs = copy(1000, seed=0, lengths=(6, 14), symbols=12)
    vocab = Vocabulary.build(pair.source for pair in pairs)
    decoder = LocalPredictiveDecoder(len(vocab), 16, 32, 32, DotScorer(), D, position_size=8)
    model = Seq2Seq(Encoder(len(vocab), 16, 16), decoder)
    batches = token_batches(pairs, vocab, vocab, 200, torch.Generator().manual_seed(0))
    train(model, batches, steps=300, device="cpu", progress=False)
    batch = collate(pairs[:50], vocab, vocab)
    with torch.no_grad():
        memory, state = model.read(batch.source, batch.source_lengths)
        centres = decoder.centres(batch.target_in, state, memory)
    distances = (centres - torch.arange(centres.size(1))).abs()[batch.target_mask]
    assert distances.mean() < 1.5


@pytest.mark.parametrize("scorer", [DotScorer(), AdditiveScorer(8, 8, 7), LocationScorer(8, 60)])
def test_long_sources_are_gathered_and_short_ones_masked(scorer):
    decoder = LocalPredictiveDecoder(9, 3, 8, 8, scorer, D)
    longest = [max(n for n in range(1, 1000) if not decoder._gathers(queries, n)) for queries in (7, 1)]
    windows = {DotScorer: (32, 8), AdditiveScorer: (4, 8), LocationScorer: (999, 999)}[type(scorer)]
    assert longest == [min(999, number * (2 * D + 1)) for number in windows]


def test_the_diagonal_itself_has_no_penalty_whatever_the_lengths_and_the_padding():
    source_mask = torch.arange(6) < torch.tensor([[6], [4]])
    target_mask = torch.arange(3) < torch.tensor([[3], [2]])
    centres = torch.tensor([[1.0, 3.0, 5.0], [1.0, 3.0, 99.0]])
    assert diagonal_penalty(centres, source_mask, target_mask) == 0
    moved = centres + torch.tensor([[0.0, 0.6, 0.0], [0.0, 0.0, 0.0]])
    assert diagonal_penalty(moved, source_mask, target_mask).item() == pytest.approx((0.6 / 6) ** 2 / 5)


def test_the_pull_fades_out_and_without_one_it_is_the_forced_loss(local_p, batch):
    loss = LocalLoss(D, pull=10.0, pull_until=0.5)
    forced, plain = forced_loss(local_p, batch, 0.0), LocalLoss(D)(local_p, batch, 0.0)
    start, half, end = (loss(local_p, batch, progress) for progress in (0.0, 0.25, 0.5))
    memory, state = local_p.read(batch.source, batch.source_lengths)
    centres = local_p.decoder.centres(batch.target_in, state, memory)
    penalty = diagonal_penalty(centres, batch.source_mask, batch.target_mask)
    torch.testing.assert_close([start, half, end, plain], [forced + 10 * penalty, forced + 5 * penalty, forced, forced])


def test_the_window_narrows_to_its_own_width(local_p, batch):
    loss = LocalLoss(2, first_half_width=32, wide_until=0.5)
    assert [loss.width(progress) for progress in (0.0, 0.125, 0.25, 0.5, 1.0)] == [32, 16, 8, 2, 2]
    loss(local_p, batch, 0.125)
    assert local_p.decoder.half_width == 16
