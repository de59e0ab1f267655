"""The Transformer: its attention against PyTorch's, its masks and positions, its start, and a run that learns."""

import math

import pytest
import torch
from equations import encoding
from small_models import randomise
from torch import nn

from seq2seq.batch import collate, token_batches
from seq2seq.corpora.toys import reverse
from seq2seq.model import Seq2Seq
from seq2seq.search import greedy
from seq2seq.training import train
from seq2seq.transformer.model import TransformerDecoder, TransformerEncoder
from seq2seq.transformer.positions import positions
from seq2seq.transformer.self_attention import causal_mask, from_torch, visible_keys
from seq2seq.vocab import Vocabulary

SIZE, HEADS, INNER, LAYERS, KEY = 12, 3, 7, 2, 8
BATCH, LENGTH = 3, 6
MASK = torch.arange(LENGTH) < torch.tensor([[6], [4], [1]])


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-6), (torch.float64, 1e-12)])
@pytest.mark.parametrize("sizes", [{}, {"kdim": KEY, "vdim": KEY}], ids=["one size", "keys of another size"])
def test_multi_head_attention_equals_pytorchs_module(sizes, dtype, tolerance):
    theirs = randomise(nn.MultiheadAttention(SIZE, HEADS, batch_first=True, **sizes), std=0.3).to(dtype)
    queries = torch.randn(BATCH, LENGTH, SIZE, dtype=dtype)
    keys = torch.randn(BATCH, LENGTH, sizes.get("kdim", SIZE), dtype=dtype)
    contexts, weights = from_torch(theirs)(queries, keys, visible_keys(MASK, causal_mask(LENGTH)))
    hidden = {"key_padding_mask": ~MASK, "attn_mask": ~causal_mask(LENGTH)}  # theirs: True = ignore
    expected = theirs(queries, keys, keys, **hidden, average_attn_weights=False)
    torch.testing.assert_close(contexts, expected[0], atol=tolerance, rtol=0)
    torch.testing.assert_close(weights, expected[1], atol=tolerance, rtol=0)


def test_encodings_equal_the_formula_from_the_place_where_counting_starts_and_keep_their_digits_far_away():
    expected = torch.stack([encoding(t, 10) for t in range(7)])
    torch.testing.assert_close(positions(7, 10, dtype=torch.float64), expected, atol=1e-12, rtol=0)
    torch.testing.assert_close(positions(2, 10, first=4), positions(7, 10)[4:6], rtol=0, atol=0)
    far = positions(1, 10, first=1_000_003)
    torch.testing.assert_close(far[0, 0].item(), math.sin(1_000_003), rtol=0, atol=1e-6)


def test_initialisation_leaves_the_norms_neutral():
    encoder = TransformerEncoder(11, 10, 5, INNER, LAYERS)
    model = randomise(Seq2Seq(encoder, TransformerDecoder(9, SIZE, 10, HEADS, INNER, LAYERS)))
    Seq2Seq(model.encoder, model.decoder)
    norms = [module for module in model.modules() if isinstance(module, nn.LayerNorm)]
    assert len(norms) == 2 * LAYERS + 1 + 3 * LAYERS + 1
    assert all(norm.weight.eq(1).all() and norm.bias.eq(0).all() for norm in norms)


def test_training_learns_to_reverse_and_greedy_search_says_so():
    torch.manual_seed(0)
    pairs = reverse(600, 5, (2, 5), symbols=6)
    vocab = Vocabulary.build(pair.source for pair in pairs)
    model = Seq2Seq(
        TransformerEncoder(len(vocab), 24, 4, 48, layers=1), TransformerDecoder(len(vocab), 24, 24, 4, 48, layers=1)
    )
    batches = token_batches(pairs, vocab, vocab, 150, torch.Generator().manual_seed(0))
    train(model, batches, steps=250, learning_rate=1e-2, device="cpu", progress=False)
    batch = collate(reverse(40, 6, (2, 5), symbols=6), vocab, vocab)
    ids, weights = greedy(model, batch.source, batch.source_lengths, max_length=8)
    assert weights.shape == (40, ids.size(1), batch.source.size(1))
    expected = batch.target_out[:, : ids.size(1)]
    assert (ids[:, : expected.size(1)] == expected).all(1).float().mean() > 0.9
