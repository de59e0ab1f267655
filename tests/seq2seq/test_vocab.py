from seq2seq.vocab import BOS, EOS, PAD, UNK, Vocabulary

VOCAB = Vocabulary(["le", "chat", "dort"])


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
