import pytest
import torch
from equations import mixture, softmax
from small_models import assert_widened

from seq2seq import attention
from seq2seq.attention import attend, entropy, masked_softmax, score_gradient, weighted_sum, weighted_sum_loop
from seq2seq.demos.altered_attention import PermutedAttention
from seq2seq.scorers import BilinearScorer

BATCH, KEYS, VALUE_SIZE = 3, 6, 5
MASK = torch.tensor([[True] * 6, [True] * 2 + [False] * 4, [False] * 6])  # full, padded, without any real token


@pytest.fixture
def scores():
    return torch.randn(BATCH, KEYS, dtype=torch.float64)


@pytest.fixture
def values():
    return torch.randn(BATCH, KEYS, VALUE_SIZE, dtype=torch.float64)


@pytest.mark.parametrize("temperature", [1.0, 0.3, 4.0])
def test_masked_softmax_equals_the_equation_whatever_stands_at_padding_and_leaves_the_scores(scores, temperature):
    given = torch.where(MASK, scores, 1e30)
    before = given.clone()
    for ours, row, real in zip(masked_softmax(given, MASK, temperature), scores, MASK, strict=True):
        expected = softmax((row[real] / temperature).tolist())
        assert_widened(ours, torch.tensor(expected, dtype=torch.float64))
    assert torch.equal(given, before)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_masked_softmax_holds_in_other_precisions_and_does_not_overflow(scores, dtype):
    weights = masked_softmax(scores.to(dtype), MASK)
    assert weights.dtype == dtype
    torch.testing.assert_close(weights.double(), masked_softmax(scores, MASK), atol=1e-2, rtol=0)
    for shift in (-1000.0, 1000.0):
        torch.testing.assert_close(masked_softmax(scores + shift, MASK), masked_softmax(scores, MASK))


@pytest.mark.parametrize("way", [weighted_sum, weighted_sum_loop])
def test_weighted_sum_equals_the_sum_over_keys(scores, values, way):
    weights = scores.softmax(-1)
    expected = [mixture(*row) for row in zip(weights, values, strict=True)]
    torch.testing.assert_close(way(weights, values), torch.stack(expected))


def test_score_gradient_equals_autograd(scores, values):
    scores.requires_grad_()
    context, weights = attend(scores, values, MASK)
    context_gradient = torch.randn_like(context)
    context.backward(context_gradient)
    torch.testing.assert_close(score_gradient(weights, values, context_gradient), scores.grad)


def test_a_look_up_is_a_weighted_sum_for_each_query():
    queries, keys, values = (torch.randn(2, rows, size) for rows, size in ((3, 4), (5, 4), (5, 6)))
    contexts, weights = attention.look_up(queries, keys, values)
    torch.testing.assert_close(weights, torch.einsum("bqd,bkd->bqk", queries, keys).softmax(-1))
    fused = torch.nn.functional.scaled_dot_product_attention(queries, keys, values, scale=1.0)
    torch.testing.assert_close(contexts, fused)


def test_padding_adds_nothing_to_the_entropy_and_no_nan_to_its_gradient():
    scores = torch.randn(2, 5, generator=torch.Generator().manual_seed(12), dtype=torch.float64).requires_grad_()
    mask = torch.arange(5) < torch.tensor([[3], [0]])
    spread = entropy(masked_softmax(scores, mask))
    torch.testing.assert_close(spread[0], torch.distributions.Categorical(logits=scores[0, :3]).entropy())
    assert spread[1] == 0
    assert torch.autograd.gradcheck(lambda values: entropy(masked_softmax(values, mask)), scores)


def permuted(scorer):
    return PermutedAttention(scorer, torch.Generator().manual_seed(1))


def test_permuted_weights_are_the_same_in_other_places_but_not_at_padding_and_sum_up_the_values():
    scorer, keys = BilinearScorer(5, 7), torch.randn(BATCH, KEYS, 7)
    tensors = torch.randn(BATCH, 4, 5), scorer.project_keys(keys), keys, MASK
    _, plain = attention.Attention(scorer).forward_all(*tensors)
    contexts, weights = permuted(scorer).forward_all(*tensors)
    torch.testing.assert_close(weights.sort(-1).values, plain.sort(-1).values)
    assert not torch.allclose(weights[0], plain[0])
    assert (weights * ~MASK.unsqueeze(1) == 0).all()
    torch.testing.assert_close(contexts, weights @ keys)
    queries, *rest = tensors
    context, weights = permuted(scorer)(queries[:, 0], *rest)
    assert (context.shape, weights.shape) == ((BATCH, 7), (BATCH, KEYS))


def test_every_permutation_of_three_is_drawn_about_as_often():
    weights = torch.tensor([0.5, 0.3, 0.2]).expand(6000, 1, 3)
    drawn = permuted(BilinearScorer(5, 7)).weigh(weights.log(), torch.ones(6000, 1, 3, dtype=torch.bool)).squeeze(1)
    _, counts = drawn.unique(dim=0, return_counts=True)
    assert len(counts) == 6
    assert (counts - 1000).abs().max() < 150  # five standard deviations
