"""Local attention: the window, the Gaussian, and the two ways to compute them."""

import math

import pytest
import torch

from seq2seq.exercises.local import attend_fetched
from seq2seq.local.attention import (
    CentrePredictor,
    attend_gathered,
    attend_masked,
    favour_centre,
    gaussian_window_softmax,
    in_window,
    window_positions,
    window_softmax,
)
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer

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
    queries = torch.randn(BATCH, QUERIES, SIZE, dtype=torch.float64)
    keys = torch.randn(BATCH, KEYS, SIZE, dtype=torch.float64)
    values = torch.randn(BATCH, KEYS, VALUE, dtype=torch.float64)
    mask = torch.arange(KEYS) < torch.tensor(LENGTHS).unsqueeze(1)
    return queries, keys, values, mask, torch.tensor(CENTRES, dtype=torch.float64)


def by_loop(scores, centre, length, favoured):
    """One row of weights from the definition: the words of the window, their exponentials, the Gaussian last."""
    window = [s for s in range(length) if centre - D <= s <= centre + D]
    total = sum(math.exp(scores[s]) for s in window)
    weights = [0.0] * KEYS
    for s in window:
        weights[s] = math.exp(scores[s]) / total
        if favoured:
            weights[s] *= math.exp(-((s - centre) ** 2) / (2 * (D / 2) ** 2))
    return weights


@pytest.mark.parametrize("name", SCORERS)
def test_weights_and_contexts_equal_a_loop(attend, weigh, name, inputs):
    queries, keys, values, mask, centres = inputs
    scorer = SCORERS[name]().double()
    contexts, weights = attend(weigh, scorer, queries, scorer.project_keys(keys), values, mask, centres, D)
    for row in range(BATCH):
        for t in range(QUERIES):
            scores = scorer(queries[row : row + 1, t], keys[row : row + 1])[0].tolist()
            expected = by_loop(scores, CENTRES[row][t], LENGTHS[row], weigh is gaussian_window_softmax)
            expected = torch.tensor(expected, dtype=torch.float64)
            torch.testing.assert_close(weights[row, t], expected)
            torch.testing.assert_close(contexts[row, t], expected @ values[row])


@pytest.mark.parametrize("name", SCORERS)
def test_gathered_has_the_gradients_of_masked(weigh, name, inputs):
    *tensors, mask, centres = inputs
    scorer = SCORERS[name]().double()
    asked = [tensor.requires_grad_() for tensor in tensors] + [centres.requires_grad_(), *scorer.parameters()]
    reading = torch.randn(BATCH, QUERIES, VALUE, dtype=torch.float64)
    other = torch.randn(BATCH, QUERIES, KEYS, dtype=torch.float64)
    gradients = []
    for attend in (attend_masked, attend_gathered):
        projected = scorer.project_keys(tensors[1])
        contexts, weights = attend(weigh, scorer, tensors[0], projected, tensors[2], mask, centres, D)
        loss = (contexts * reading).sum() + (weights * other).sum()
        gradients.append(torch.autograd.grad(loss, asked, allow_unused=True))
    for masked, gathered in zip(*gradients, strict=True):
        torch.testing.assert_close(gathered, masked)


@pytest.mark.parametrize("seed", range(5))
def test_both_ways_agree_in_single_precision_at_any_centre(seed):
    generator = torch.Generator().manual_seed(seed)
    keys = torch.randn(BATCH, 40, SIZE, generator=generator)
    queries = torch.randn(BATCH, 30, SIZE, generator=generator)
    near = torch.randint(0, 41, (BATCH, 30), generator=generator) + 1e-6 * torch.randn(BATCH, 30, generator=generator)
    mask = torch.arange(40) < torch.tensor([40, 25, 7]).unsqueeze(1)
    arguments = window_softmax, DotScorer(), queries, keys, keys, mask, near, 5
    for masked, gathered in zip(attend_masked(*arguments), attend_gathered(*arguments), strict=True):
        torch.testing.assert_close(gathered, masked)


def test_gradients_are_right(attend, inputs):
    queries, keys, values, mask, centres = inputs

    def forward(queries, keys, values, centres):
        return attend(gaussian_window_softmax, DotScorer(), queries, keys, values, mask, centres, D)

    centres = centres + 0.13  # no centre a whole number of words from an edge, where the window has a step
    assert torch.autograd.gradcheck(
        forward, tuple(part.requires_grad_() for part in (queries, keys, values, centres)), fast_mode=True
    )


def test_a_row_of_the_window_softmax_sums_to_one_or_sees_nothing(inputs):
    queries, keys, values, mask, centres = inputs
    _, weights = attend_masked(window_softmax, DotScorer(), queries, keys, values, mask, centres, D)
    sums = [[1, 1, 1, 0], [1, 1, 1, 1], [1, 1, 1, 0]]
    torch.testing.assert_close(weights.sum(-1), torch.tensor(sums, dtype=torch.float64))


def test_the_gaussian_comes_after_the_softmax_so_rows_sum_to_less_than_one(attend, inputs):
    queries, keys, values, mask, centres = inputs
    _, weights = attend(gaussian_window_softmax, DotScorer(), queries, keys, values, mask, centres, D)
    assert weights.sum(-1).max() < 1


def test_the_gaussian_is_one_at_the_centre_and_e_to_minus_two_at_the_edge():
    factors = favour_centre(torch.ones(1, 1, 7), torch.arange(7), torch.tensor([[3.0]]), 3)
    assert factors[0, 0, 3] == 1
    torch.testing.assert_close(factors[0, 0, [0, 6]], torch.tensor([math.exp(-2)] * 2))


def test_both_edges_belong_to_the_window():
    assert in_window(torch.arange(9), torch.tensor([[4.0]]), 2)[0, 0].tolist() == [False] * 2 + [True] * 5 + [False] * 2


def test_a_centre_between_two_words_has_one_word_less():
    assert in_window(torch.arange(9), torch.tensor([[4.5]]), 2)[0, 0].sum() == 4


def test_the_fetched_positions_hold_the_whole_window():
    centres = torch.tensor([[0.0, 0.5, 3.99, 7.0]])
    for centre, places in zip(centres[0].tolist(), window_positions(centres, D)[0].tolist(), strict=True):
        assert {s for s in range(-5, 15) if abs(s - centre) <= D} <= set(places)


def test_a_fully_masked_row_gives_zeros_and_no_nan_gradient(attend, weigh, inputs):
    *tensors, mask, centres = inputs
    mask = mask & torch.tensor([[True], [False], [True]])
    queries, keys, values = (tensor.requires_grad_() for tensor in tensors)
    contexts, weights = attend(weigh, DotScorer(), queries, keys, values, mask, centres.requires_grad_(), D)
    (contexts.square().sum() + weights.square().sum()).backward()
    assert weights[1].eq(0).all()
    assert contexts[1].eq(0).all()
    assert all(part.grad is None or part.grad.isfinite().all() for part in (queries, keys, values, centres))


def test_more_padding_changes_nothing(attend, weigh, inputs):
    queries, keys, values, mask, centres = inputs
    narrow = attend(weigh, DotScorer(), queries, keys, values, mask, centres, D)
    keys, values = (torch.cat([part, torch.randn_like(part[:, :2])], 1) for part in (keys, values))
    mask = torch.cat([mask, torch.zeros(BATCH, 2, dtype=torch.bool)], 1)
    contexts, weights = attend(weigh, DotScorer(), queries, keys, values, mask, centres, D)
    torch.testing.assert_close(contexts, narrow[0])
    torch.testing.assert_close(weights[..., :KEYS], narrow[1])
    assert weights[..., KEYS:].eq(0).all()


def test_the_order_of_the_batch_changes_nothing(attend, weigh, inputs):
    order = torch.tensor([2, 0, 1])
    queries, keys, values, mask, centres = inputs
    contexts, _ = attend(weigh, DotScorer(), queries, keys, values, mask, centres, D)
    shuffled, _ = attend(weigh, DotScorer(), *(part[order] for part in inputs), D)
    torch.testing.assert_close(shuffled, contexts[order])


def test_a_window_as_wide_as_the_sentence_is_global_attention(attend, inputs):
    queries, keys, values, mask, _ = inputs
    centres = torch.full((BATCH, QUERIES), 4)
    _, weights = attend(window_softmax, DotScorer(), queries, keys, values, mask, centres, 20)
    scores = (queries @ keys.transpose(1, 2)).masked_fill(~mask.unsqueeze(1), float("-inf"))
    torch.testing.assert_close(weights, scores.softmax(-1))


def test_a_half_width_below_one_is_refused():
    with pytest.raises(ValueError, match="half_width: got 0, expected at least 1"):
        in_window(torch.arange(3), torch.zeros(1, 1), 0)


def test_location_scores_cannot_be_gathered(inputs):
    queries, keys, values, mask, centres = inputs
    scorer = LocationScorer(SIZE, KEYS).double()
    with pytest.raises(TypeError, match="LocationScorer"):
        attend_gathered(window_softmax, scorer, queries, keys, values, mask, centres, D)


@torch.no_grad()
def test_centres_equal_equation_9_with_each_sentences_own_length(inputs):
    queries, _, _, mask, _ = inputs
    predictor = CentrePredictor(SIZE, 7).double()
    centres = predictor(queries, mask)
    w, v = predictor.hidden_layer.weight, predictor.position_layer.weight[0]
    for row, length in enumerate(LENGTHS):
        for t in range(QUERIES):
            expected = length / (1 + math.exp(-(v @ torch.tanh(w @ queries[row, t]))))
            assert centres[row, t].item() == pytest.approx(expected)


@pytest.mark.cuda
def test_cuda_agrees_with_the_cpu(attend, weigh, inputs):
    queries, keys, values, mask, centres = inputs
    ours = attend(weigh, DotScorer(), queries, keys, values, mask, centres, D)
    theirs = attend(weigh, DotScorer(), *(part.cuda() for part in inputs), D)
    for cpu, cuda in zip(ours, theirs, strict=True):
        torch.testing.assert_close(cuda.cpu(), cpu)


def test_the_exercise_fetches_the_same_windows(inputs):
    queries, keys, values, mask, centres = inputs
    contexts, weights = attend_fetched(queries, keys, values, mask, centres, D)
    expected, all_weights = attend_gathered(
        gaussian_window_softmax, DotScorer(), queries, keys, values, mask, centres, D
    )
    torch.testing.assert_close(contexts, expected)
    torch.testing.assert_close(weights.sum(-1), all_weights.sum(-1))
