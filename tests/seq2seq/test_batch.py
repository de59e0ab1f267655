"""Words as ids, and sentences as batches."""

import torch

from seq2seq.batch import collate, cut_by_tokens, length_mask, shifted, token_batches
from seq2seq.corpora.pair import Pair
from seq2seq.vocab import BOS, EOS, PAD, UNK, Vocabulary

PAIRS = [Pair(("a", "b", "c"), ("x", "y"), frozenset()), Pair(("b",), ("y", "y", "x", "z", "x"), frozenset())]
VOCAB, SOURCE_VOCAB, TARGET_VOCAB = (
    Vocabulary(["le", "chat", "dort"]),
    Vocabulary(["a", "b", "c"]),
    Vocabulary(["x", "y"]),
)


def pairs_of_lengths(lengths):
    return [Pair(("a",) * length, ("x",) * (length + number % 3), frozenset()) for number, length in enumerate(lengths)]


def rows(batches):
    """The ids of each pair, without padding."""
    pairs = []
    for batch in batches:
        sides = (batch.source, batch.source_mask), (batch.target_out, batch.target_mask)
        words = [[tuple(row[real].tolist()) for row, real in zip(*side, strict=True)] for side in sides]
        pairs += zip(*words, strict=True)
    return pairs


def test_a_batch_pads_both_sides_shifts_the_target_and_marks_what_is_real_wherever_it_moves():
    batch = collate(PAIRS, SOURCE_VOCAB, TARGET_VOCAB)
    target_in = [[BOS, 4, 5, PAD, PAD, PAD], [BOS, 5, 5, 4, UNK, 4]]
    target_out = [[4, 5, EOS, PAD, PAD, PAD], [5, 5, 4, UNK, 4, EOS]]
    target_mask = [[True] * 3 + [False] * 3, [True] * 6]
    source = [[4, 5, 6], [5, PAD, PAD]], [3, 1], [[True] * 3, [True, False, False]]
    for each in (batch, batch.to("cpu")):
        assert [part.tolist() for part in vars(each).values()] == [*source, target_in, target_out, target_mask]
        assert each.target_tokens == 9


def test_length_mask_marks_the_first_positions():
    expected = [[True, True, False, False], [False, False, False, False], [True, True, True, False]]
    assert length_mask(torch.tensor([2, 0, 3]), 4).tolist() == expected


def test_a_generator_deals_every_pair_once_within_the_budget_anew_at_every_pass_and_a_seed_repeats_it():
    pairs = pairs_of_lengths([3, 9, 4, 4, 1, 7, 12, 2, 5] * 5)
    first, again = (
        token_batches(pairs, SOURCE_VOCAB, TARGET_VOCAB, 30, torch.Generator().manual_seed(5)) for _ in range(2)
    )
    dealt, second_pass = list(first), list(first)
    assert sorted(rows(dealt)) == sorted(rows([collate(pairs, SOURCE_VOCAB, TARGET_VOCAB)]))
    assert max(batch.target_out.numel() for batch in dealt) <= 30
    assert rows(dealt) == rows(again)
    assert rows(second_pass) != rows(dealt)


def test_buckets_waste_little_on_padding():
    pairs, generator = pairs_of_lengths(torch.randint(4, 51, (2000,)).tolist()), torch.Generator().manual_seed(0)
    masks = [batch.source_mask for batch in token_batches(pairs, SOURCE_VOCAB, TARGET_VOCAB, 800, generator)]
    assert sum(mask.sum() for mask in masks) / sum(mask.numel() for mask in masks) > 0.9


def test_without_a_generator_batches_go_from_short_to_long_and_a_pair_beyond_the_budget_has_its_own():
    batches = token_batches(pairs_of_lengths([3, 9, 4, 1, 7, 50]), SOURCE_VOCAB, TARGET_VOCAB, 12)
    shapes = [tuple(batch.source.shape) for batch in batches]
    assert [width for _, width in shapes] == sorted(width for _, width in shapes)
    assert shapes[-1] == (1, 50)


def test_bos_before_and_eos_after_each_sentence():
    target_in, target_out = shifted(torch.tensor([[4, 5, 6], [7, PAD, PAD], [PAD, PAD, PAD]]), torch.tensor([3, 1, 0]))
    assert target_in.tolist() == [[BOS, 4, 5, 6], [BOS, 7, PAD, PAD], [BOS, PAD, PAD, PAD]]
    assert target_out.tolist() == [[4, 5, 6, EOS], [7, EOS, PAD, PAD], [EOS, PAD, PAD, PAD]]


def test_a_queue_is_cut_where_the_padded_batch_would_outgrow_the_budget():
    assert cut_by_tokens([2, 2, 3, 3, 9, 1], 8) == [[0, 1], [2, 3], [4], [5]]
    assert cut_by_tokens([1, 7, 2], 14) == [[0, 1], [2]]
    assert cut_by_tokens([9, 1, 1, 1, 1], 4) == [[0], [1, 2, 3, 4]]
    assert cut_by_tokens([], 8) == []


def test_the_four_marks_come_first_and_have_four_ids():
    assert sorted({PAD, BOS, EOS, UNK}) == [0, 1, 2, 3]
    assert VOCAB.tokens == ("<pad>", "<bos>", "<eos>", "<unk>", "le", "chat", "dort")
    assert [VOCAB.tokens[id] for id in (PAD, BOS, EOS, UNK)] == ["<pad>", "<bos>", "<eos>", "<unk>"]
    assert len(VOCAB) == 7


def test_encode_adds_no_mark_and_decode_undoes_it_stops_at_eos_and_drops_bos_and_pad():
    assert VOCAB.encode(["dort", "chien", "le"]) == [6, UNK, 4]
    assert VOCAB.decode(VOCAB.encode(["dort", "le", "chat"])) == ["dort", "le", "chat"]
    assert VOCAB.decode([BOS, 4, PAD, 5, EOS, 6]) == ["le", "chat"]


def test_build_puts_frequent_tokens_first_breaks_ties_by_alphabet_and_drops_rare_ones():
    assert Vocabulary.build([["b", "c", "a"], ["c", "c"]]).tokens[4:] == ("c", "a", "b")
    assert Vocabulary.build([["c"], ["b", "c", "a", "c"]]).tokens[4:] == ("c", "a", "b")
    assert Vocabulary.build([["b", "c"], ["c", "<pad>"], ["<pad>"]], min_count=2).tokens[4:] == ("c",)
