from seq2seq.vocab import BOS, EOS, PAD, UNK, Vocabulary


def test_the_four_marks_are_four_ids():
    assert sorted({PAD, BOS, EOS, UNK}) == [0, 1, 2, 3]


def test_marks_come_first():
    assert Vocabulary(["le"]).tokens == ("<pad>", "<bos>", "<eos>", "<unk>", "le")


def test_length_counts_the_marks():
    assert len(Vocabulary(["le", "chat", "dort"])) == 7


def test_decode_undoes_encode():
    vocab = Vocabulary(["le", "chat", "dort"])
    assert vocab.decode(vocab.encode(["dort", "le", "chat"])) == ["dort", "le", "chat"]


def test_encode_adds_no_mark():
    assert Vocabulary(["le", "chat"]).encode(["chat"]) == [5]


def test_unknown_token_becomes_unk():
    assert Vocabulary(["le"]).encode(["chien", "le"]) == [UNK, 4]


def test_decode_stops_at_eos():
    assert Vocabulary(["le", "chat"]).decode([4, EOS, 5]) == ["le"]


def test_decode_drops_bos_and_pad():
    assert Vocabulary(["le", "chat"]).decode([BOS, 4, PAD, 5]) == ["le", "chat"]


def test_build_puts_frequent_tokens_first_and_breaks_ties_by_alphabet():
    vocab = Vocabulary.build([["b", "c", "a"], ["c", "c"]])
    assert vocab.tokens[4:] == ("c", "a", "b")


def test_build_drops_rare_tokens():
    assert Vocabulary.build([["b", "c"], ["c"]], min_count=2).tokens[4:] == ("c",)


def test_build_does_not_depend_on_the_order_of_sentences():
    sentences = [["a", "b"], ["c"], ["b", "d"]]
    assert Vocabulary.build(sentences).tokens == Vocabulary.build(sentences[::-1]).tokens
