"""Self-attention and multi-head attention against loops, against PyTorch's own, and against what they promise."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from seq2seq.transformer.positions import positions
from seq2seq.transformer.self_attention import (
    MultiHeadAttention,
    SelfAttention,
    causal_mask,
    from_torch,
    join_heads,
    split_heads,
    visible_keys,
)

BATCH, LENGTH, QUERIES, INPUT, ATTENTION, VALUE, SIZE, HEADS, KEY = 2, 5, 4, 3, 6, 7, 12, 3, 8
MASK = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])


def randomise(module):
    """Biases start at 0; a test that leaves them there would not see them lost."""
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.6)
    return module.double()


@pytest.fixture
def sequence():
    return torch.randn(BATCH, LENGTH, INPUT, dtype=torch.float64)


@pytest.fixture
def single():
    return randomise(SelfAttention(INPUT, ATTENTION, VALUE))


@pytest.fixture
def multi():
    return randomise(MultiHeadAttention(SIZE, HEADS, KEY))


@pytest.fixture
def inputs():
    queries = torch.randn(BATCH, QUERIES, SIZE, dtype=torch.float64)
    return queries, torch.randn(BATCH, LENGTH, KEY, dtype=torch.float64)


def attention_loop(queries, keys, values, visible):
    """One sentence, one query, one key at a time."""
    contexts, all_weights = [], []
    for i, query in enumerate(queries):
        seen = [j for j in range(len(keys)) if visible[i, j]]
        exponentials = {j: math.exp(sum(query * keys[j]) / math.sqrt(len(query))) for j in seen}
        weights = [exponentials.get(j, 0.0) / sum(exponentials.values()) if seen else 0.0 for j in range(len(keys))]
        contexts.append(sum(weight * value for weight, value in zip(weights, values, strict=True)))
        all_weights.append(torch.tensor(weights, dtype=query.dtype))
    return torch.stack(contexts), torch.stack(all_weights)


@torch.no_grad()
def test_self_attention_equals_loops(single, sequence):
    visible = visible_keys(MASK, causal_mask(LENGTH))
    contexts, weights = single(sequence, visible)
    for row in range(BATCH):
        parts = [
            [layer.weight @ x for x in sequence[row]] for layer in single.children() if isinstance(layer, nn.Linear)
        ]
        expected = attention_loop(*parts, visible[row])
        torch.testing.assert_close(contexts[row], expected[0])
        torch.testing.assert_close(weights[row], expected[1])


@torch.no_grad()
def test_multi_head_attention_equals_loops(multi, inputs):
    queries, sequence = inputs
    contexts, weights = multi(queries, sequence, visible_keys(MASK))
    share = SIZE // HEADS
    for row in range(BATCH):
        heads = []
        for head in range(HEADS):
            rows = slice(head * share, (head + 1) * share)
            parts = [
                torch.stack([layer.weight[rows] @ x + layer.bias[rows] for x in source[row]])
                for layer, source in [
                    (multi.query_layer, queries),
                    (multi.key_layer, sequence),
                    (multi.value_layer, sequence),
                ]
            ]
            context, expected_weights = attention_loop(*parts, MASK[row].expand(QUERIES, -1))
            torch.testing.assert_close(weights[row, head], expected_weights)
            heads.append(context)
        torch.testing.assert_close(contexts[row], multi.output_layer(torch.cat(heads, dim=1)))


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-6), (torch.float64, 1e-12)])
@pytest.mark.parametrize("sizes", [{}, {"kdim": KEY, "vdim": KEY}], ids=["one size", "keys of another size"])
def test_multi_head_attention_equals_pytorchs_module(sizes, dtype, tolerance):
    theirs = nn.MultiheadAttention(SIZE, HEADS, batch_first=True, **sizes)
    nn.init.normal_(theirs.in_proj_bias, std=0.5)
    nn.init.normal_(theirs.out_proj.bias, std=0.5)
    theirs = theirs.to(dtype)
    queries = torch.randn(BATCH, LENGTH, SIZE, dtype=dtype)
    keys = torch.randn(BATCH, LENGTH, sizes.get("kdim", SIZE), dtype=dtype)
    contexts, weights = from_torch(theirs)(queries, keys, visible_keys(MASK, causal_mask(LENGTH)))
    expected = theirs(
        queries,
        keys,
        keys,
        key_padding_mask=~MASK,  # theirs: True = ignore
        attn_mask=~causal_mask(LENGTH),
        average_attn_weights=False,
    )
    torch.testing.assert_close(contexts, expected[0], atol=tolerance, rtol=0)
    torch.testing.assert_close(weights, expected[1], atol=tolerance, rtol=0)


@pytest.mark.parametrize("causal", [None, causal_mask(LENGTH)], ids=["all", "causal"])
def test_multi_head_attention_equals_scaled_dot_product_attention(causal):
    multi = randomise(MultiHeadAttention(SIZE, HEADS))
    sequence = torch.randn(BATCH, LENGTH, SIZE, dtype=torch.float64)
    visible = visible_keys(MASK, causal)
    parts = [
        layer(sequence).view(BATCH, LENGTH, HEADS, -1).transpose(1, 2)
        for layer in (multi.query_layer, multi.key_layer, multi.value_layer)
    ]
    heads = F.scaled_dot_product_attention(*parts, attn_mask=visible.unsqueeze(1))  # there too: True = may be seen
    expected = multi.output_layer(heads.transpose(1, 2).reshape(BATCH, LENGTH, SIZE))
    torch.testing.assert_close(multi(sequence, sequence, visible)[0], expected, atol=1e-6, rtol=0)


def test_gradients_of_self_attention_are_right(single, sequence):
    visible = visible_keys(MASK, causal_mask(LENGTH))
    arguments = (sequence.requires_grad_(), *single.parameters())
    assert torch.autograd.gradcheck(lambda sequence, *_: single(sequence, visible), arguments)


def test_gradients_of_multi_head_attention_are_right(multi, inputs):
    arguments = (*(part.requires_grad_() for part in inputs), *multi.parameters())
    assert torch.autograd.gradcheck(lambda queries, sequence, *_: multi(queries, sequence, visible_keys(MASK)),
                                    arguments, fast_mode=True)  # fmt: skip


def test_the_causal_mask_shows_a_position_itself_and_those_before():
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]


def test_masks_of_two_lengths_are_refused():
    with pytest.raises(ValueError, match="causal: got 4 keys on axis 1, expected 5"):
        visible_keys(MASK, causal_mask(4))


@pytest.mark.parametrize("changed", range(1, LENGTH))
def test_a_later_word_never_changes_an_earlier_output(single, sequence, changed):
    visible = visible_keys(torch.ones(BATCH, LENGTH, dtype=torch.bool), causal_mask(LENGTH))
    other = sequence.clone()
    other[:, changed] += 1
    before, after = (single(words, visible)[0] for words in (sequence, other))
    assert torch.equal(after[:, :changed], before[:, :changed])
    assert not torch.isclose(after[:, changed:], before[:, changed:]).all(-1).any()


def test_without_positions_a_permutation_of_the_words_permutes_the_contexts(single, sequence):
    everything = torch.ones(1, 1, LENGTH, dtype=torch.bool)
    order = torch.tensor([3, 0, 4, 1, 2])
    torch.testing.assert_close(single(sequence[:, order], everything)[0], single(sequence, everything)[0][:, order])


def test_with_positions_a_permutation_changes_the_contexts():
    multi = randomise(MultiHeadAttention(SIZE, HEADS))
    sequence, order = torch.randn(BATCH, LENGTH, SIZE, dtype=torch.float64), torch.tensor([3, 0, 4, 1, 2])
    everything = torch.ones(1, 1, LENGTH, dtype=torch.bool)
    placed = [words + positions(LENGTH, SIZE, dtype=torch.float64) for words in (sequence, sequence[:, order])]
    before, after = (multi(words, words, everything)[0] for words in placed)
    assert not torch.isclose(after, before[:, order]).all(-1).any()


def test_padding_changes_nothing(multi, inputs):
    queries, sequence = inputs
    wider = torch.cat([sequence, torch.randn(BATCH, 3, KEY, dtype=torch.float64)], dim=1)
    contexts, weights = multi(queries, sequence, visible_keys(MASK))
    wider_contexts, wider_weights = multi(queries, wider, visible_keys(F.pad(MASK, (0, 3))))
    torch.testing.assert_close(wider_contexts, contexts)
    torch.testing.assert_close(wider_weights[..., :LENGTH], weights)
    assert wider_weights[..., LENGTH:].eq(0).all()


def test_the_order_and_the_size_of_the_batch_change_nothing(multi, inputs):
    queries, sequence = inputs
    contexts, _ = multi(queries, sequence, visible_keys(MASK))
    turned, _ = multi(queries.flip(0), sequence.flip(0), visible_keys(MASK.flip(0)))
    alone, _ = multi(queries[1:], sequence[1:], visible_keys(MASK[1:]))
    torch.testing.assert_close(turned.flip(0), contexts)
    torch.testing.assert_close(alone, contexts[1:])


def test_a_fully_masked_row_gives_zero_weights_and_no_nan_gradient(multi, inputs):
    queries, sequence = (part.requires_grad_() for part in inputs)
    contexts, weights = multi(queries, sequence, visible_keys(MASK & torch.tensor([[True], [False]])))
    contexts.square().sum().backward()
    assert weights[1].eq(0).all()
    torch.testing.assert_close(contexts[1], multi.output_layer.bias.expand(QUERIES, -1))
    assert sequence.grad[1].eq(0).all()
    assert all(tensor.grad.isfinite().all() for tensor in (queries, sequence, *multi.parameters()))


def test_a_head_gets_neighbouring_features_of_every_position():
    projected = torch.randn(BATCH, LENGTH, SIZE)
    split = split_heads(projected, HEADS)
    share = SIZE // HEADS
    for head in range(HEADS):
        assert torch.equal(split[:, head], projected[:, :, head * share : (head + 1) * share])
    assert torch.equal(join_heads(split), projected)


def test_heads_must_divide_the_size():
    with pytest.raises(ValueError, match="size: got 12, expected a multiple of heads=5"):
        MultiHeadAttention(12, 5)


@pytest.mark.parametrize("option", [{"bias": False}, {"add_bias_kv": True}, {"add_zero_attn": True}, {"kdim": 5}])
def test_what_has_no_counterpart_is_refused(option):
    with pytest.raises(ValueError, match="nothing else has a counterpart"):
        from_torch(nn.MultiheadAttention(SIZE, HEADS, batch_first=True, **option))


@pytest.mark.cuda
def test_cpu_and_gpu_agree(multi, inputs):
    queries, sequence = inputs
    contexts, weights = multi(queries, sequence, visible_keys(MASK))
    theirs = multi.cuda()(queries.cuda(), sequence.cuda(), visible_keys(MASK.cuda()))
    torch.testing.assert_close(theirs[0].cpu(), contexts)
    torch.testing.assert_close(theirs[1].cpu(), weights)
