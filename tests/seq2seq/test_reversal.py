from seq2seq.corpora.pair import Pair
from seq2seq.experiments.reversal import one_way_model, reversed_source
from seq2seq.vocab import Vocabulary

PAIR = Pair(("a", "red", "car"), ("une", "voiture", "rouge"), frozenset({(0, 0), (2, 1), (1, 2)}))


def test_the_source_is_read_from_its_last_word():
    assert reversed_source(PAIR).source == ("car", "red", "a")


def test_the_target_stays_in_order():
    assert reversed_source(PAIR).target == PAIR.target


def test_links_follow_their_words():
    turned = reversed_source(PAIR)
    words = {(turned.source[source], turned.target[target]) for source, target in turned.links}
    assert words == {("a", "une"), ("car", "voiture"), ("red", "rouge")}


def test_reversing_twice_changes_nothing():
    assert reversed_source(reversed_source(PAIR)) == PAIR


def test_the_encoder_reads_one_way():
    assert one_way_model(Vocabulary(PAIR.source), Vocabulary(PAIR.target)).encoder.backward_rnn is None
