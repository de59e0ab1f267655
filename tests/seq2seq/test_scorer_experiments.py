import pytest
import torch

from seq2seq.corpora.toys import reverse
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.scorer_cost import SCORERS, all_scores, kept_bytes, looped_scores
from seq2seq.experiments.scorers import WithoutTanh, movement
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer
from seq2seq.vocab import Vocabulary

FLOAT = 4  # bytes


def queries_and_keys(batch=2, length=5, size=6):
    return torch.randn(batch, length, size, requires_grad=True), torch.randn(batch, length, size, requires_grad=True)


@pytest.mark.parametrize("keys_once", [True, False])
@pytest.mark.parametrize("name", SCORERS)
def test_a_loop_over_the_queries_gives_the_same_scores(name, keys_once):
    scorer = SCORERS[name](6, 5)
    queries, keys = queries_and_keys()
    looped = looped_scores(scorer, queries, keys, keys_once)
    torch.testing.assert_close(looped, all_scores(scorer, queries, keys))


def test_dot_scores_keep_nothing_new():
    assert kept_bytes(SCORERS["dot"](6, 5), *queries_and_keys()) == 0


def test_bilinear_scores_keep_a_vector_per_key():
    assert kept_bytes(SCORERS["bilinear"](6, 5), *queries_and_keys()) == 2 * 5 * 6 * FLOAT


def test_additive_scores_keep_a_vector_per_pair_of_query_and_key():
    assert kept_bytes(SCORERS["additive"](6, 5), *queries_and_keys()) == 2 * 5 * 5 * 6 * FLOAT


def model_with(scorer, vocab):
    return Seq2Seq(Encoder(len(vocab), 3, 2), LuongDecoder(len(vocab), 3, 6, 4, scorer))


def test_without_its_tanh_the_additive_scorer_moves_no_weight():
    pairs = reverse(4, seed=0, symbols=5)
    vocab = Vocabulary.build(pair.source for pair in pairs)
    assert movement(model_with(WithoutTanh(6, 4, 5), vocab), pairs, vocab) < 1e-6


def test_with_its_tanh_the_additive_scorer_moves_some():
    pairs = reverse(4, seed=0, symbols=5)
    vocab = Vocabulary.build(pair.source for pair in pairs)
    assert movement(model_with(AdditiveScorer(6, 4, 5), vocab), pairs, vocab) > 1e-3
