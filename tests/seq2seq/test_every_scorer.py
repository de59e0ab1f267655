"""What every scorer of the library must do; the classes are found, so that a new one is held to it too."""

import pytest
import torch
from equations import SCORES
from small_models import arguments_of, assert_same, library_classes, randomise

from seq2seq.scorer import Scorer

BATCH, QUERIES, KEYS = 2, 4, 6
SIZES = {"query_size": 3, "key_size": 5, "attention_size": 7, "max_keys": 9}
FOUND = library_classes(Scorer)
PARAMETERS = {  # their number
    "DotScorer": 0,
    "ScaledDotScorer": 0,
    "BilinearScorer": 3 * 5,
    "AdditiveScorer": 7 * 3 + 7 * 5 + 7,
    "LocationScorer": 9 * 3,
    "LocationAwareScorer": 7 * 3 + 7 * 5 + 7 + 8 * 31 + 7 * 8,
}


@pytest.fixture(params=FOUND, ids=lambda kind: kind.__name__)
def scorer(request):
    names = arguments_of(request.param, required=True) if "__init__" in vars(request.param) else []
    return randomise(request.param(**{name: SIZES[name] for name in names}))


@pytest.fixture
def given(scorer):
    """Queries and keys, the latter of the same size where the scorer has no matrix between them."""
    queries = torch.randn(BATCH, QUERIES, 3, dtype=torch.float64, requires_grad=True)
    return queries, torch.randn(BATCH, KEYS, 5 if list(scorer.parameters()) else 3, dtype=torch.float64)


def test_every_scorer_has_its_equation_and_as_many_parameters_as_it_has():
    assert {kind.__name__ for kind in FOUND} == set(PARAMETERS)
    assert {kind.__name__ for kind in FOUND if not set(kind.__mro__) & set(SCORES)} == set()


def test_scores_equal_the_equation(scorer, given):
    queries, keys = given
    score = next(SCORES[kind] for kind in type(scorer).__mro__ if kind in SCORES)
    expected = [[score(scorer, queries[b, 0], keys[b, j], j) for j in range(KEYS)] for b in range(BATCH)]
    assert_same(scorer(queries[:, 0], keys), torch.stack([torch.stack(row) for row in expected]))
    assert sum(part.numel() for part in scorer.parameters()) == PARAMETERS[type(scorer).__name__]


def test_many_queries_at_once_equal_one_after_the_other(scorer, given):
    queries, keys = given
    projected = scorer.project_keys(keys)
    one_by_one = [scorer.score(query, projected) for query in queries.unbind(1)]
    assert_same(scorer.score_all(queries, projected), torch.stack(one_by_one, 1))


def test_gradients_are_right_and_arguments_stay_as_they_were(scorer, given):
    queries, keys = given
    before = [part.detach().clone() for part in given]
    arguments = (queries, keys.requires_grad_(), *scorer.parameters())
    assert torch.autograd.gradcheck(lambda q, k, *_: scorer(q[:, 0], k), arguments)
    assert torch.autograd.gradcheck(lambda q, k, *_: scorer.score_all(q, scorer.project_keys(k)), arguments)
    assert all(torch.equal(*pair) for pair in zip(given, before, strict=True))


@pytest.mark.cuda
def test_cpu_and_gpu_agree(scorer, given):
    queries, keys = given
    here = scorer(queries[:, 0], keys)
    assert_same(scorer.cuda()(queries[:, 0].cuda(), keys.cuda()).cpu(), here)
