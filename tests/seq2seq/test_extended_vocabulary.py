"""Ids for the source words that the vocabulary lacks."""

import torch

from seq2seq.batch import collate
from seq2seq.beyond.extended_vocabulary import ExtendedBatches, decode, encode, extend, unknown_words
from seq2seq.corpora.pair import Pair
from seq2seq.vocab import EOS, PAD, UNK, Vocabulary

VOCAB = Vocabulary(["storm", "hits", "in"])  # ids 4, 5, 6; so the first extended id is 7
LINKS = frozenset()
PAIRS = [
    Pair(("storm", "in", "morva", "and", "morva"), ("storm", "hits", "morva"), LINKS),
    Pair(("tarin", "in", "belgor"), ("belgor", "hits", "elsewhere", "tarin"), LINKS),
    Pair(("storm",), ("storm",), LINKS),
]


def test_unknown_words_are_numbered_in_each_row_from_the_size_of_the_vocabulary_and_the_rest_is_the_plain_batch():
    batch, plain = extend(PAIRS, VOCAB, VOCAB), collate(PAIRS, VOCAB, VOCAB)
    assert batch.extended_source.tolist() == [[4, 6, 7, 8, 7], [7, 6, 8, PAD, PAD], [4, PAD, PAD, PAD, PAD]]
    assert batch.unknown == (("morva", "and"), ("tarin", "belgor"), ())
    # UNK where the source lacks the word
    assert batch.extended_target_out.tolist() == [[4, 5, 7, EOS, PAD], [8, 5, UNK, 7, EOS], [4, EOS, PAD, PAD, PAD]]
    assert (batch.extended_size, extend(PAIRS[2:], VOCAB, VOCAB).extended_size) == (7 + 2, 7)
    assert all(torch.equal(getattr(batch, name), tensor) for name, tensor in vars(plain).items())


def test_what_counts_is_whether_the_vocabulary_of_the_target_has_the_word():
    narrow = Vocabulary(["storm"])
    batch = extend(PAIRS[:1], VOCAB, narrow)
    assert batch.source.tolist() == [[4, 6, UNK, UNK, UNK]]
    assert batch.extended_source.tolist() == [[4, 5, 6, 7, 6]]
    assert batch.unknown == (("in", "morva", "and"),)


def test_encode_and_decode_are_inverse_with_the_words_of_the_row():
    tokens = ["morva", "storm", "in", "and", "morva"]
    unknown = unknown_words(tokens, VOCAB)
    assert unknown == ("morva", "and")
    assert decode([*encode(tokens, VOCAB, unknown), EOS, 4], VOCAB, unknown) == tokens


def test_a_batch_moved_keeps_its_words_and_its_kind():
    batch = extend(PAIRS, VOCAB, VOCAB).to("meta")
    assert batch.unknown == extend(PAIRS, VOCAB, VOCAB).unknown
    assert batch.vocab_size == 7
    assert {batch.source.device.type, batch.extended_source.device.type} == {"meta"}


def test_batches_deal_out_every_pair_once_a_seed_repeats_them_and_without_one_they_go_from_short_to_long():
    def dealt(generator=None):
        return [b.extended_source.tolist() for b in ExtendedBatches(PAIRS * 10, VOCAB, VOCAB, 20, generator)]

    first, again = (dealt(torch.Generator().manual_seed(3)) for _ in range(2))
    assert sum(map(len, first)) == 30
    assert first == again
    widths = [len(rows[0]) for rows in dealt()]
    assert widths == sorted(widths)
    assert widths[0] == 1
