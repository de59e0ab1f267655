import pytest
import torch
from small_models import bahdanau

from seq2seq.attention import Attention
from seq2seq.demos.altered_attention import PermutedAttention, UniformAttention
from seq2seq.scorers import BilinearScorer

BATCH, QUERIES, KEYS = 3, 4, 6
LENGTHS = torch.tensor([6, 4, 1])
MASK = torch.arange(KEYS) < LENGTHS.unsqueeze(1)


@pytest.fixture
def arguments():
    scorer = BilinearScorer(5, 7)
    keys = torch.randn(BATCH, KEYS, 7)
    return scorer, (torch.randn(BATCH, QUERIES, 5), scorer.project_keys(keys), keys, MASK)


def permuted(scorer):
    return PermutedAttention(scorer, torch.Generator().manual_seed(1))


def test_permuted_weights_are_the_same_in_other_places_but_not_at_padding_and_sum_up_the_values(arguments):
    scorer, tensors = arguments
    _, plain = Attention(scorer).forward_all(*tensors)
    contexts, weights = permuted(scorer).forward_all(*tensors)
    torch.testing.assert_close(weights.sort(-1).values, plain.sort(-1).values)
    assert not torch.allclose(weights[0], plain[0])
    assert (weights * ~MASK.unsqueeze(1) == 0).all()
    torch.testing.assert_close(contexts, weights @ tensors[2])
    queries, *rest = tensors
    context, weights = permuted(scorer)(queries[:, 0], *rest)
    assert (context.shape, weights.shape) == ((BATCH, 7), (BATCH, KEYS))


def test_every_permutation_of_three_is_drawn_about_as_often():
    weights = torch.tensor([0.5, 0.3, 0.2]).expand(6000, 1, 3)
    drawn = permuted(BilinearScorer(5, 7)).alter(weights, torch.ones(6000, 1, 3, dtype=torch.bool)).squeeze(1)
    _, counts = drawn.unique(dim=0, return_counts=True)
    assert len(counts) == 6
    assert (counts - 1000).abs().max() < 150  # five standard deviations


def test_the_bahdanau_decoder_does_not_pass_its_altered_attention_by(batch):
    model = bahdanau()
    model.decoder.attention = UniformAttention(model.decoder.attention.scorer)
    _, weights = model(batch.source, batch.source_lengths, batch.target_in)
    expected = batch.source_mask / batch.source_lengths.unsqueeze(1)
    torch.testing.assert_close(weights, expected.unsqueeze(1).expand_as(weights))
