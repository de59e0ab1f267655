import math

import pytest
import torch

from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer, ScaledDotScorer

BATCH, QUERIES, KEYS, QUERY_SIZE, KEY_SIZE, ATTENTION_SIZE, MAX_KEYS = 2, 4, 6, 3, 5, 7, 9


def dot(scorer, query, key, position):
    return sum(q * k for q, k in zip(query, key, strict=True))


def scaled_dot(scorer, query, key, position):
    return dot(scorer, query, key, position) / math.sqrt(len(query))


def bilinear(scorer, query, key, position):
    weight = scorer.key_layer.weight
    return sum(query[i] * weight[i, j] * key[j] for i in range(QUERY_SIZE) for j in range(KEY_SIZE))


def additive(scorer, query, key, position):
    hidden = torch.tanh(scorer.query_layer.weight @ query + scorer.key_layer.weight @ key)
    return scorer.energy_layer.weight[0] @ hidden


def location(scorer, query, key, position):
    return scorer.position_layer.weight[position] @ query


# scorer, the size of its keys, the loop that defines it
CASES = {
    "dot": (DotScorer, QUERY_SIZE, dot),
    "scaled dot": (ScaledDotScorer, QUERY_SIZE, scaled_dot),
    "bilinear": (lambda: BilinearScorer(QUERY_SIZE, KEY_SIZE), KEY_SIZE, bilinear),
    "additive": (lambda: AdditiveScorer(QUERY_SIZE, KEY_SIZE, ATTENTION_SIZE), KEY_SIZE, additive),
    "location": (lambda: LocationScorer(QUERY_SIZE, MAX_KEYS), KEY_SIZE, location),
}


@pytest.fixture(params=CASES)
def case(request):
    """(scorer, queries, keys, loop), in double precision."""
    make, key_size, loop = CASES[request.param]
    queries = torch.randn(BATCH, QUERIES, QUERY_SIZE, dtype=torch.float64)
    keys = torch.randn(BATCH, KEYS, key_size, dtype=torch.float64)
    return make().double(), queries, keys, loop


def test_scores_equal_the_loop(case):
    scorer, queries, keys, loop = case
    scorer.requires_grad_(False)
    expected = [[loop(scorer, queries[b, 0], keys[b, j], j) for j in range(KEYS)] for b in range(BATCH)]
    torch.testing.assert_close(scorer(queries[:, 0], keys), torch.tensor(expected, dtype=torch.float64))


def test_many_queries_at_once_equal_one_after_the_other(case):
    scorer, queries, keys, _ = case
    projected = scorer.project_keys(keys)
    one_by_one = [scorer.score(query, projected) for query in queries.unbind(1)]
    torch.testing.assert_close(scorer.score_all(queries, projected), torch.stack(one_by_one, 1))


def test_calling_a_scorer_projects_then_scores(case):
    scorer, queries, keys, _ = case
    query = queries[:, 1]
    assert torch.equal(scorer(query, keys), scorer.score(query, scorer.project_keys(keys)))


def test_gradients_are_right(case):
    scorer, queries, keys, _ = case
    query, keys = queries[:, 0].requires_grad_(), keys.requires_grad_()
    weights = tuple(scorer.parameters())
    assert torch.autograd.gradcheck(lambda q, k, *_: scorer(q, k), (query, keys, *weights))


def test_gradients_of_many_queries_are_right(case):
    scorer, queries, keys, _ = case
    queries, keys = queries.requires_grad_(), keys.requires_grad_()
    assert torch.autograd.gradcheck(lambda q, k: scorer.score_all(q, scorer.project_keys(k)), (queries, keys))


def test_a_row_does_not_see_its_neighbour(case):
    scorer, queries, keys, _ = case
    together = scorer(queries[:, 0], keys)
    torch.testing.assert_close(scorer(queries[1:, 0], keys[1:]), together[1:])


def test_arguments_are_left_as_they_were(case):
    scorer, queries, keys, _ = case
    queries_before, keys_before = queries.clone(), keys.clone()
    scorer(queries[:, 0], keys)
    assert torch.equal(queries, queries_before)
    assert torch.equal(keys, keys_before)


@pytest.mark.parametrize(("scorer", "count"), [
    (DotScorer(), 0),
    (ScaledDotScorer(), 0),
    (BilinearScorer(3, 5), 3 * 5),
    (AdditiveScorer(3, 5, 7), 7 * 3 + 7 * 5 + 7),
    (LocationScorer(3, 9), 9 * 3),
])  # fmt: skip
def test_number_of_parameters(scorer, count):
    assert sum(parameter.numel() for parameter in scorer.parameters()) == count


def test_additive_is_one_layer_over_query_and_key_joined():
    """W [q; k] = W_q q + W_k k."""
    scorer, query, keys = AdditiveScorer(3, 5, 7), torch.randn(2, 3), torch.randn(2, 6, 5)
    joined_weight = torch.cat([scorer.query_layer.weight, scorer.key_layer.weight], dim=1)
    joined = torch.cat([query.unsqueeze(1).expand(-1, 6, -1), keys], dim=-1)
    expected = scorer.energy_layer(torch.tanh(joined @ joined_weight.T)).squeeze(-1)
    torch.testing.assert_close(scorer(query, keys), expected)


@pytest.mark.parametrize("scorer", [DotScorer(), ScaledDotScorer()])
def test_dot_refuses_sizes_that_differ(scorer):
    with pytest.raises(RuntimeError):
        scorer(torch.randn(2, 3), torch.randn(2, 6, 5))


def test_location_scores_do_not_depend_on_what_the_keys_hold():
    scorer, query = LocationScorer(3, 9), torch.randn(2, 3)
    assert torch.equal(scorer(query, torch.randn(2, 6, 5)), scorer(query, torch.randn(2, 6, 5)))


def test_location_refuses_more_keys_than_it_has_rows():
    with pytest.raises(ValueError, match="got 6 on axis 1, expected at most max_keys=4"):
        LocationScorer(3, 4)(torch.randn(2, 3), torch.randn(2, 6, 5))


def test_the_frame_itself_scores_nothing():
    with pytest.raises(NotImplementedError):
        Scorer()(torch.randn(2, 3), torch.randn(2, 6, 5))
