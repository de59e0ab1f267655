import pytest
import torch

from seq2seq.batch import collate, cut_by_tokens, length_mask, shifted, token_batches
from seq2seq.corpora.pair import Pair
from seq2seq.vocab import BOS, EOS, PAD, UNK, Vocabulary

PAIRS = [
    Pair(("a", "b", "c"), ("x", "y"), frozenset()),
    Pair(("b",), ("y", "y", "x", "z", "x"), frozenset()),
]
SOURCE_VOCAB, TARGET_VOCAB = Vocabulary(["a", "b", "c"]), Vocabulary(["x", "y"])


@pytest.fixture
def batch():
    return collate(PAIRS, SOURCE_VOCAB, TARGET_VOCAB)


def pairs_of_lengths(lengths):
    return [Pair(("a",) * length, ("x",) * (length + number % 3), frozenset()) for number, length in enumerate(lengths)]


def rows(batches):
    return [(tuple(s.tolist()), tuple(t.tolist())) for batch in batches for s, t in zip(*unpadded(batch), strict=True)]


def unpadded(batch):
    return [
        [row[mask] for row, mask in zip(batch.source, batch.source_mask, strict=True)],
        [row[mask] for row, mask in zip(batch.target_out, batch.target_mask, strict=True)],
    ]


def test_source_is_padded_at_the_end(batch):
    assert batch.source.tolist() == [[4, 5, 6], [5, PAD, PAD]]


def test_source_lengths_count_real_tokens(batch):
    assert batch.source_lengths.tolist() == [3, 1]


def test_source_mask_is_true_at_real_tokens(batch):
    assert batch.source_mask.tolist() == [[True, True, True], [True, False, False]]


def test_the_decoder_reads_from_bos(batch):
    assert batch.target_in.tolist() == [[BOS, 4, 5, PAD, PAD, PAD], [BOS, 5, 5, 4, UNK, 4]]


def test_the_decoder_predicts_up_to_eos(batch):
    assert batch.target_out.tolist() == [[4, 5, EOS, PAD, PAD, PAD], [5, 5, 4, UNK, 4, EOS]]


def test_target_mask_includes_eos(batch):
    assert batch.target_mask.sum(1).tolist() == [3, 6]


def test_target_tokens_counts_real_tokens(batch):
    assert batch.target_tokens == 9


def test_moving_a_batch_keeps_every_field(batch):
    moved = batch.to("cpu")
    assert torch.equal(moved.target_in, batch.target_in)
    assert torch.equal(moved.source_mask, batch.source_mask)


def test_length_mask_marks_the_first_positions():
    assert length_mask(torch.tensor([2, 0, 3]), 4).tolist() == [
        [True, True, False, False],
        [False, False, False, False],
        [True, True, True, False],
    ]


def test_every_pair_is_in_exactly_one_batch():
    pairs = pairs_of_lengths([3, 9, 4, 4, 1, 7, 12, 2, 5])
    batches = token_batches(pairs, SOURCE_VOCAB, TARGET_VOCAB, 20, torch.Generator().manual_seed(0))
    assert sorted(rows(batches)) == sorted(rows([collate(pairs, SOURCE_VOCAB, TARGET_VOCAB)]))


def test_no_batch_outgrows_the_budget_of_tokens():
    pairs = pairs_of_lengths([3, 9, 4, 4, 1, 7, 12, 2, 5] * 5)
    batches = token_batches(pairs, SOURCE_VOCAB, TARGET_VOCAB, 30, torch.Generator().manual_seed(0))
    assert max(batch.target_out.numel() for batch in batches) <= 30


def test_a_pair_longer_than_the_budget_gets_a_batch_of_its_own():
    batches = list(token_batches(pairs_of_lengths([2, 50]), SOURCE_VOCAB, TARGET_VOCAB, 10))
    assert [len(batch.source) for batch in batches] == [1, 1]


def test_buckets_waste_little_on_padding():
    lengths = torch.randint(4, 51, (2000,)).tolist()
    batches = token_batches(
        pairs_of_lengths(lengths), SOURCE_VOCAB, TARGET_VOCAB, 800, torch.Generator().manual_seed(0)
    )
    real = sum(int(batch.source_mask.sum()) for batch in batches)
    padded = sum(batch.source.numel() for batch in batches)
    assert real / padded > 0.9


def test_a_generator_deals_anew_at_every_pass():
    pairs = pairs_of_lengths(torch.randint(2, 9, (60,)).tolist())
    batches = token_batches(pairs, SOURCE_VOCAB, TARGET_VOCAB, 30, torch.Generator().manual_seed(0))
    assert rows(batches) != rows(batches)


def test_the_same_seed_gives_the_same_batches():
    pairs = pairs_of_lengths(torch.randint(2, 9, (60,)).tolist())
    first, second = (
        token_batches(pairs, SOURCE_VOCAB, TARGET_VOCAB, 30, torch.Generator().manual_seed(5)) for _ in range(2)
    )
    assert rows(first) == rows(second)


def test_without_a_generator_batches_go_from_short_to_long():
    batches = token_batches(pairs_of_lengths([3, 9, 4, 1, 7]), SOURCE_VOCAB, TARGET_VOCAB, 12)
    widths = [batch.source.size(1) for batch in batches]
    assert widths == sorted(widths)


def test_bos_before_and_eos_after_each_sentence():
    target_in, target_out = shifted(torch.tensor([[4, 5, 6], [7, PAD, PAD], [PAD, PAD, PAD]]), torch.tensor([3, 1, 0]))
    assert target_in.tolist() == [[BOS, 4, 5, 6], [BOS, 7, PAD, PAD], [BOS, PAD, PAD, PAD]]
    assert target_out.tolist() == [[4, 5, 6, EOS], [7, EOS, PAD, PAD], [EOS, PAD, PAD, PAD]]


def test_a_queue_is_cut_where_the_padded_batch_would_outgrow_the_budget():
    assert cut_by_tokens([2, 2, 3, 3, 9, 1], 8) == [[0, 1], [2, 3], [4], [5]]
    assert cut_by_tokens([1, 7, 2], 14) == [[0, 1], [2]]
    assert cut_by_tokens([], 8) == []
