"""Words as ids, and sentences as batches."""

from functools import partial

import pytest
import torch
from small_models import assert_widened

from seq2seq.batch import collate, cut_by_tokens, shifted, token_batches
from seq2seq.beyond.captioning import DrawingBatches, collate_drawings
from seq2seq.beyond.extended_vocabulary import ExtendedBatches, extend
from seq2seq.beyond.speech import UtteranceBatches, collate_utterances
from seq2seq.corpora.drawings import drawings
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.speech import utterances
from seq2seq.experiments.captions import VOCAB as CAPTIONS
from seq2seq.experiments.speech import VOCAB as SYMBOLS
from seq2seq.vocab import BOS, EOS, PAD, UNK, Vocabulary

PAIRS = [Pair(("a", "b", "c"), ("x", "y"), frozenset()), Pair(("b",), ("y", "y", "x", "z", "x"), frozenset())]
VOCAB, SOURCE_VOCAB, TARGET_VOCAB = (
    Vocabulary(["le", "chat", "dort"]),
    Vocabulary(["a", "b", "c"]),
    Vocabulary(["x", "y"]),
)


def pairs_of_lengths(lengths):
    return [Pair(("a",) * length, ("x",) * (length + number % 3), frozenset()) for number, length in enumerate(lengths)]


def test_a_batch_pads_both_sides_shifts_the_target_and_marks_what_is_real_wherever_it_moves():
    batch = collate(PAIRS, SOURCE_VOCAB, TARGET_VOCAB)
    target_in = [[BOS, 4, 5, PAD, PAD, PAD], [BOS, 5, 5, 4, UNK, 4]]
    target_out = [[4, 5, EOS, PAD, PAD, PAD], [5, 5, 4, UNK, 4, EOS]]
    target_mask = [[True] * 3 + [False] * 3, [True] * 6]
    source = [[4, 5, 6], [5, PAD, PAD]], [3, 1], [[True] * 3, [True, False, False]]
    for each in (batch, batch.to("cpu")):
        assert [part.tolist() for part in vars(each).values()] == [*source, target_in, target_out, target_mask]
        assert each.target_tokens == 9


def test_more_padding_adds_sentences_of_which_nothing_is_predicted():
    batch = collate(PAIRS, SOURCE_VOCAB, TARGET_VOCAB)
    wider = batch.padded(4, 5, 7)
    assert [*map(tuple, {part.shape for part in (wider.target_in, wider.target_out, wider.target_mask)})] == [(4, 7)]
    assert (wider.source.shape, wider.source_mask.shape, wider.source_lengths.tolist()) == (
        (4, 5),
        (4, 5),
        [3, 1, 1, 1],
    )
    assert_widened(list(vars(wider).values())[2:], list(vars(batch).values())[2:])
    assert wider.source[:2, :3].tolist() == batch.source.tolist()
    assert (wider.source != PAD).sum() == (batch.source != PAD).sum()


def kinds():
    """Of each kind of batches: how they are made, and all examples as one batch."""
    pairs, drawn, spoken = (
        pairs_of_lengths([3, 9, 4, 4, 1, 7, 12, 2, 5] * 5),
        drawings(6, seed=2),
        utterances(60, 5, (1, 6)),
    )
    both = pairs, SOURCE_VOCAB, TARGET_VOCAB
    return {
        "pairs": (partial(token_batches, *both, 30), collate(*both)),
        "extended": (partial(ExtendedBatches, *both, 30), extend(*both)),
        "drawings": (partial(DrawingBatches, drawn, CAPTIONS, 4), collate_drawings(drawn, CAPTIONS)),
        "utterances": (partial(UtteranceBatches, spoken, SYMBOLS, 7), collate_utterances(spoken, SYMBOLS)),
    }


def examples(batches):
    """What is real of each source, as far as its sum tells it, and of its target, in the order of the batches."""
    parts = [each for batch in batches for each in zip(batch.source, batch.target_out, batch.target_mask, strict=True)]
    return [(round(source.double().sum().item(), 3), *target[real].tolist()) for source, target, real in parts]


@pytest.mark.parametrize("kind", kinds())
def test_a_generator_deals_every_example_once_anew_at_every_pass_and_a_seed_repeats_it(kind):
    make, whole = kinds()[kind]
    first, again, plain = make(torch.Generator().manual_seed(5)), make(torch.Generator().manual_seed(5)), make()
    passes = [examples(batches) for batches in (first, first, plain, plain)]
    assert {tuple(sorted(each)) for each in passes} == {tuple(sorted(examples([whole])))}
    assert passes[0] == examples(again) != passes[1]
    assert passes[2] == passes[3]
    if kind in ("pairs", "extended"):
        assert max(batch.target_out.numel() for batch in first) <= 30
        widths = [batch.source.size(1) for batch in plain]
        assert widths == sorted(widths)


def test_buckets_waste_little_on_padding():
    pairs, generator = pairs_of_lengths(torch.randint(4, 51, (2000,)).tolist()), torch.Generator().manual_seed(0)
    masks = [batch.source_mask for batch in token_batches(pairs, SOURCE_VOCAB, TARGET_VOCAB, 800, generator)]
    assert sum(mask.sum() for mask in masks) / sum(mask.numel() for mask in masks) > 0.9


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
