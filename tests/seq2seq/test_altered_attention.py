import pytest
import torch

from seq2seq.attention import Attention
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.demos.altered_attention import PermutedAttention, UniformAttention
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, BilinearScorer

BATCH, QUERIES, KEYS = 3, 4, 6
LENGTHS = torch.tensor([6, 4, 1])
MASK = torch.arange(KEYS) < LENGTHS.unsqueeze(1)


@pytest.fixture
def arguments():
    torch.manual_seed(0)
    scorer = BilinearScorer(5, 7)
    keys = torch.randn(BATCH, KEYS, 7)
    return scorer, (torch.randn(BATCH, QUERIES, 5), scorer.project_keys(keys), keys, MASK)


def altered(kind, scorer):
    return kind(scorer, torch.Generator().manual_seed(1)) if kind is PermutedAttention else kind(scorer)


def test_permuted_weights_are_the_same_weights_in_other_places(arguments):
    scorer, tensors = arguments
    _, plain = Attention(scorer).forward_all(*tensors)
    _, weights = altered(PermutedAttention, scorer).forward_all(*tensors)
    torch.testing.assert_close(weights.sort(-1).values, plain.sort(-1).values)
    assert not torch.allclose(weights[0], plain[0])


def test_permutation_leaves_padding_without_weight(arguments):
    scorer, tensors = arguments
    _, weights = altered(PermutedAttention, scorer).forward_all(*tensors)
    assert (weights * ~MASK.unsqueeze(1) == 0).all()


def test_every_permutation_of_three_is_drawn_about_as_often():
    attention = altered(PermutedAttention, BilinearScorer(5, 7))
    weights = torch.tensor([0.5, 0.3, 0.2]).expand(6000, 1, 3)
    drawn = attention.alter(weights, torch.ones(6000, 1, 3, dtype=torch.bool)).squeeze(1)
    _, counts = drawn.unique(dim=0, return_counts=True)
    assert len(counts) == 6
    assert (counts - 1000).abs().max() < 150  # five standard deviations


@pytest.mark.parametrize("kind", [PermutedAttention])
def test_the_context_is_the_sum_under_the_altered_weights(arguments, kind):
    scorer, tensors = arguments
    contexts, weights = altered(kind, scorer).forward_all(*tensors)
    torch.testing.assert_close(contexts, weights @ tensors[2])


@pytest.mark.parametrize("kind", [PermutedAttention])
def test_one_query_is_shaped_like_one_query(arguments, kind):
    scorer, (queries, *rest) = arguments
    context, weights = altered(kind, scorer)(queries[:, 0], *rest)
    assert context.shape == (BATCH, 7)
    assert weights.shape == (BATCH, KEYS)


def test_the_bahdanau_decoder_does_not_pass_its_altered_attention_by():
    decoder = BahdanauDecoder(11, 4, 6, 8, AdditiveScorer(6, 8, 5))
    model = Seq2Seq(Encoder(12, 4, 4), decoder)
    decoder.attention = UniformAttention(decoder.attention.scorer)
    _, weights = model(torch.randint(4, 12, (2, 5)), torch.tensor([5, 3]), torch.randint(4, 11, (2, 4)))
    torch.testing.assert_close(weights[1, :, :3], torch.full((4, 3), 1 / 3))
